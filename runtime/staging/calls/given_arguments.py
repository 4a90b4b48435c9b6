"""Arrays and containers that host calls were given, and that the program changes later.

    queue.put(items)
    items.append(x)          the queue of the original program holds this item, too

A host call gets copies.  If the function keeps its copy, the run raises an error (`Watched`).
"""

import sys
from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from autograph.staging.object_state import attributes
from autograph.staging.refusals import attempt
from runtime.errors import EffectError, staging_error
from runtime.ir.graph import Graph
from runtime.staging.control_flow.aliasing import roots
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.staged_values import holds_staged
from runtime.tracing import trace
from runtime.tracing.aliases import Alias, Kind, is_view
from runtime.tracing.tensor import Tensor

CONTAINERS = (list, dict, set, bytearray)


@dataclass(eq=False)
class Given:
    """An argument of a host call, with its contents then, and the region of the call."""

    value: Any
    region: Graph
    contents: Any
    later: list[str]  # of the call: the names of the arguments that are changed after it


class GivenArguments(list[Given]):
    """The arguments of the host calls of a trace that other code could change."""

    def note(self, values: list[Any], later: list[str]) -> None:
        """Notes the arguments of a call."""
        region = trace.current().region
        self.extend(Given(value, region, _contents(value), later) for value in values)

    def compare(self, changed: Container[int] = ()) -> None:
        """Finds those that have changed since their calls in the innermost region, which ends; or
        that are in `changed`, by identity, since another iteration may follow."""
        recorder = trace.current()
        for one in self:
            if one.region is not recorder.region:
                continue
            differs = one.contents is not None and _differs(one.contents, _contents(one.value))
            if differs or id(one.value) in changed:
                one.later.append(_described(one.value))
            if recorder.is_staged_block:
                one.region, one.contents = recorder.regions[-2], None  # until values are joined

    def joined(self) -> None:
        """Takes the contents that arguments have after a branch or loop."""
        recorder = trace.current()
        ended = [one for one in self if one.contents is None and _is_of_ended(one.value, recorder)]
        for one in ended:
            self.remove(one)
        for one in [*self]:
            if one.region is recorder.region and one.contents is None:
                with attempt():
                    one.contents = _contents(one.value)
                if one.contents is None:
                    self._watch_arrays(one)

    def _watch_arrays(self, one: Given) -> None:
        """Watches the arrays of a view, such as `x[i]` of a loop that has ended, in its place."""
        self.remove(one)
        found = [array for array in roots(one.value) if not is_view(array)]
        self.extend(Given(array, one.region, _contents(array), one.later) for array in found)


@contextmanager
def refusing_kept(function: str, args: tuple) -> Iterator[None]:
    """Raises `StagingError` if a function that is called while the graph is being built keeps a
    list or dict that holds staged values."""
    held = [one for one in args if isinstance(one, CONTAINERS) and holds_staged(one)]
    before = list(map(sys.getrefcount, held))
    yield
    for one, count in zip(held, before, strict=True):
        if sys.getrefcount(one) > count:
            raise staging_error(
                f"{function} keeps {_described(one)} that it is given, which holds staged values",
                "They have no values after the graph is built.",
                f"Let each run call it: rt.host_call({function}, ...), or mark it with rt.effect.",
                EffectError,
            )


def is_changeable(value: Any) -> bool:
    """Whether a program can change a value that a host call has been given."""
    if isinstance(value, Tensor):
        return bool(getattr(value.type, "shape", ()))
    return isinstance(value, CONTAINERS) or not isinstance(value, tuple)


def _is_of_ended(value: Any, recorder: trace.Trace) -> bool:
    """Whether an array was made in a block that has ended: no other code has it."""
    if isinstance(value, Alias):
        if value.kind is Kind.LOOP_ENTRY and value.origin()._region not in recorder.regions:
            return True
        return any(_is_of_ended(one, recorder) for one in value.sources)
    is_array = isinstance(value, Tensor) and not value.is_eager
    return is_array and value._region not in recorder.regions


def _contents(value: Any) -> tuple:
    if isinstance(value, Tensor):
        return (value._value,)
    if isinstance(value, TraceList):
        held = value.contents()
        return held if isinstance(held, tuple) else (held._value,)
    if isinstance(value, dict):
        return tuple(dict.items(value))
    if isinstance(value, bytearray):
        return (bytes(value),)
    if isinstance(value, (list, set)):
        return tuple(value)
    return tuple(attributes(value).items())


def _differs(before: tuple, now: tuple) -> bool:
    if len(before) != len(now):
        return True
    pairs = zip(before, now, strict=True)
    return any(_is_other(old, new) for old, new in pairs)


def _is_other(old: Any, new: Any) -> bool:
    if type(old) is tuple and type(new) is tuple and len(old) == len(new) == 2:  # of a dict
        return any(a is not b for a, b in zip(old, new, strict=True))
    return old is not new and not (isinstance(old, bytes) and old == new)


def _described(value: Any) -> str:
    if isinstance(value, Tensor):
        return "the array"
    return "the list" if isinstance(value, list) else f"the {type(value).__name__}"
