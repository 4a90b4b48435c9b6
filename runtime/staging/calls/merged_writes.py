"""Changes of a list that is one of two lists: a branch, which changes the one that a run has.

(low if v < 1 else high).append(v)          if v < 1: low.append(v)
                                            else:     high.append(v)
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from runtime.staging.calls.chosen_uses import NO_STATE
from runtime.staging.control_flow.cond import stage_if
from runtime.staging.lists.merged_containers import BRANCHES
from runtime.staging.lists.merged_sources import Choice


@dataclass
class Change:
    """A block of a branch: a method of one of the lists.

    It is not a function, since the variables of functions that blocks call would be those of the
    blocks.
    """

    method: Callable
    args: tuple
    options: dict

    def __call__(self) -> Any:
        return self.method(*self.args, **self.options)


def changed_in_branches(choice: Choice, name: str, args: tuple, options: dict) -> Any:
    """The result of a method that changes one of two lists."""
    ends = choice.one, choice.other
    blocks = [Change(getattr(end, name), args, options) for end in ends]
    return stage_if(choice.predicate, *blocks, NO_STATE, (*ends, args, options))


BRANCHES.append(changed_in_branches)
