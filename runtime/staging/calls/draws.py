"""Functions of `random` and methods of `random.Random` that are no operations of graphs.

word = random.choice(words)        each run calls it, in order with the other draws
state = rng.getstate()             so it reads the state
step = random.choice([-1, 1])      the element at the index that `random.randrange(2)` draws
random.shuffle(deck)               each run draws the places of the elements, if it draws before
"""

import random
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from runtime.ops.impure import SHARED
from runtime.staging.calls.drawn_streams import DrawnStreams, draw
from runtime.staging.calls.impure import STANDARD, impure_call
from runtime.staging.calls.list_draws import choosing, shuffling
from runtime.staging.calls.made_objects import MadeObjects
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.staged_values import holds_staged
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor

OPERATIONS = frozenset(STANDARD.split()) - {"seed"}


class Drawn(NamedTuple):
    """The result of a call that each run makes."""

    result: Any


def is_draw(function: Any, name: str) -> bool:
    """Whether a function, called `name` in the table of calls, reads or changes a random stream of
    the standard library; classes make one."""
    return name.startswith("random.") and not isinstance(function, type)


def draw_of_call(function: Any, args: tuple, kwargs: dict) -> Drawn | None:
    """The call as one of each run; None for the shuffle of a list before the first draw of a run,
    which is made while the graph is being built."""
    name, owner = function.__name__, function.__self__
    made = trace.current().state(MadeObjects)
    if name == "shuffle":
        if not _waits(args, made.is_made(owner)):
            return None
        if made.is_made(owner):
            made.need_own(owner, "shuffles a list or an array of each run")
        return Drawn(shuffling(None, _operation(name, owner))(*args, **kwargs))
    if type(owner) is random.Random and not made.is_made(owner):
        if name == "choice":
            chosen = choosing(_operation("randrange", owner), partial(draw, function))
            return Drawn(chosen(*args, **kwargs))
        if name in OPERATIONS:
            return Drawn(_operation(name, owner)(*args, **kwargs))
    return Drawn(draw(function, *args, **kwargs))


def _waits(args: tuple, is_own: bool) -> bool:
    """Whether only a run can shuffle a list or an array; `is_own`: by a generator that the function
    makes, of which no run has drawn numbers before."""
    if not args or not isinstance(args[0], (TraceList, Tensor)):
        return False
    recorder = trace.current()
    has_drawn = recorder.state(DrawnStreams).happen and not is_own
    return recorder.depends_on_run or has_drawn or holds_staged(args)


def _operation(name: str, owner: Any) -> Callable[..., Any]:
    """The operation of graphs that calls a method of a generator, or function of the module."""
    trace.current().state(MadeObjects).note_used(owner, "draws numbers in each run")
    return impure_call(f"random.{name}") if owner is SHARED["random"] else impure_call(name, owner)
