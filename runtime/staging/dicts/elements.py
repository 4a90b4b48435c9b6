"""Staged dicts and sets as iterables.

for k, v in d.items(): ...     a loop over the positions of the keys
sorted(d), sum(d.values())     functions of a list
"""

from collections.abc import Callable, Iterator
from typing import Any

from autograph.errors import with_article
from runtime.errors import ContainerError, staging_error
from runtime.staging.calls.iteration import StagedCombined
from runtime.staging.calls.run_errors import check
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.dicts.trace_counter import TraceCounter
from runtime.staging.dicts.trace_dict import (
    DictView,
    TraceDefaultDict,
    TraceDict,
    TraceOrderedDict,
)
from runtime.staging.dicts.trace_set import TraceSet
from runtime.staging.generators import AS_LISTS, EACH, UNORDERED

DICTS = (TraceDict, TraceOrderedDict, TraceDefaultDict, TraceCounter)


class Unchanged:
    """A container whose keys must stay the same while a loop goes over them."""

    def __init__(self, container: Any):
        self.container, self.name = container, "dictionary"
        if isinstance(container, TraceSet):
            self.name = "Set"
        self.length, self.removals = container.length(), container.removals

    def check(self) -> None:
        """Raises Python's error if the number of keys has changed."""
        if self.container.removals != self.removals:
            raise staging_error(
                f"{with_article(self.container.kind.__name__)} is changed by a loop over it",
                "Python raises RuntimeError if the loop goes on after that.",
                "Loop over a copy: `for key in list(items):`.",
                ContainerError,
            )
        now = self.container.length()
        text = f"{self.name} changed size during iteration"
        check(now is self.length or now == self.length, RuntimeError, text)


class StagedElements(StagedCombined):
    """The elements of a view, or of a set, that only the run knows."""

    def __init__(self, element: Callable, of: Any):
        super().__init__(element, StagedRange(of.length()))
        self.unchanged, self.holders = Unchanged(of), (of,)

    def is_inside(self, position: Any, conditions: list) -> Any:  # type: ignore[override]
        """Whether there is another element."""
        self.unchanged.check()
        return super().is_inside(position, conditions)


def _known_elements(element: Callable, of: Any) -> Iterator:
    unchanged = Unchanged(of)
    for i in range(unchanged.length):
        unchanged.check()
        yield element(i)
    unchanged.check()


def _each_of(iterable: Any) -> Any:
    """The elements of a dict, a set or a view for a loop, which reads each when it takes it."""
    if isinstance(iterable, TraceDict):
        iterable = iterable.keys()
    is_set = isinstance(iterable, TraceSet)
    of = iterable if is_set else iterable.of
    element = iterable.as_list().__getitem__ if is_set else iterable.element
    return StagedElements(element, of) if of.is_open else _known_elements(element, of)


for _kind in (*DICTS, TraceSet, DictView):
    EACH[_kind] = _each_of
UNORDERED[TraceSet] = lambda items: items.keys_held.copy()
for _kind in DICTS:
    AS_LISTS[_kind] = lambda items: items.keys_held.copy()
for _kind in (TraceSet, DictView):
    AS_LISTS[_kind] = lambda items: items.as_list()
