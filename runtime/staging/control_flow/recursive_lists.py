"""The staged lists that a function which calls itself takes and returns.

    def sort(v):                                            `v` is an input of the region, and
        if len(v) <= 1:                                     another list in each call
            return v
        left = [x for x in v[1:] if x < v[0]]
        ...
        return sort(left) + [v[0]] + sort(right)            the results of calls are new lists

A graph has lists by value.  That equals Python's lists as long as no call changes a list that it
was given, or keeps it where other code finds it.  A call that returns the list which it was given
returns one that may be it: such a list can be read, and copied, but not changed while the other
one can be seen (`lists/merged_list.py`).
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from autograph.constructs.compare import ambiguous
from autograph.staging.abstract_values import AbstractValue
from autograph.staging.heap_diff import HeapSnapshot
from runtime.ir.graph import Graph, Value
from runtime.ir.pytree import flatten, transform, unflatten
from runtime.ir.types import (
    ListType,
)
from runtime.staging.control_flow.phi_types import DOMAIN
from runtime.staging.control_flow.recursive_state import recursion_error
from runtime.staging.lists.elements import holds_only_scalars, staged_list, type_of_element
from runtime.staging.lists.inner_lists import InnerLists
from runtime.staging.lists.merged_list import MergedList, MergedStagedList
from runtime.staging.lists.merged_sources import GivenContainers, sources_of
from runtime.staging.lists.rows_outside import merged_list
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing import trace
from runtime.tracing.signature import ListKey, key_of
from runtime.tracing.tensor import Tensor, handle


@dataclass(frozen=True, eq=False)
class ListValue:
    """A list among the arguments of a call that is passed by its value, as a leaf."""

    items: list


def list_value(argument: Any) -> Any:
    """An argument, as a leaf if it is a list of scalars."""
    is_one = type(argument) is list and key_of_list(argument) is not None
    return ListValue(argument) if is_one else argument


def key_of_list(value: Any) -> ListKey | None:
    """The key of a list of scalars that a call is given; None for other values."""
    if type(value) not in (list, TraceList, MergedStagedList):
        return None
    kind = type_of_element(value)
    if not isinstance(kind, ListType) or not holds_only_scalars(kind.element):
        return None
    return ListKey(key_of(value), kind)


@dataclass(eq=False)
class RecursiveLists:
    """The lists among the arguments of a function that calls itself, and in its results."""

    converted: Callable
    are_returned: bool = False  # whether a call may return a list that it was given
    arguments: list[tuple[TraceList, Value]] = field(default_factory=list)
    made: list[Any] = field(default_factory=list)  # the lists that the body has made and returned

    @contextmanager
    def recorded(self) -> Iterator[None]:
        """While it is open, the body is recorded."""
        self.arguments, self.made = [], []
        given = trace.current().state(GivenContainers)
        before = given.known
        given.known = None if before is None else set(before)
        try:
            yield
        finally:
            given.known = before
            for one, _ in self.arguments:
                ambiguous.pop(id(one), None)

    def argument(self, value: Value, region: Graph) -> Any:
        """An argument inside of the body: other code holds a list that is one."""
        if not isinstance(value.type, ListType):
            return handle(value, region)
        made = TraceList.of(handle(value, region))
        self.arguments.append((made, value))
        ambiguous[id(made)] = made
        known = trace.current().state(GivenContainers).known
        if known is not None:
            known.add(id(made))
        return made

    # -- results of the body -----------------------------------------------------------------------

    def opened(self, result: Any) -> Any:
        """The result of the body, in which the lists that it has made are the contents of new ones.

        The region of the body is open.
        """
        leaves, structure = flatten(result)
        if not any(isinstance(leaf, TraceList) for leaf in leaves):
            return result
        return unflatten(structure, [self._opened(leaf) for leaf in leaves])

    def _opened(self, leaf: Any) -> Any:
        if type(leaf) not in (TraceList, MergedList, MergedStagedList):
            return leaf
        around = trace.current().regions[:-1]
        known = (leaf, *sources_of(leaf))
        if any(getattr(one, "home", None) in (None, *around) for one in known):
            return leaf  # it is older than the call
        if (
            any(one is leaf for one in self.made)
            or id(leaf) in trace.current().state(InnerLists).given
        ):
            raise self._error("returns a list that is in two places")
        self.made.append(leaf)
        self.are_returned |= any(one is given for one in known for given, _ in self.arguments)
        contents = leaf.contents()
        if isinstance(contents, Tensor):
            return TraceList.of(contents)
        return MergedList([self.opened(item) for item in contents])

    def abstract(self, result: Any) -> AbstractValue:
        """The abstract value of the opened result of the body."""
        found = DOMAIN.abstract(result)
        around = set(map(id, trace.current().regions))
        leaves = [
            DOMAIN.leaf(leaf.plain.contents().type, is_list=True)
            if type(leaf.plain) is TraceList and id(leaf.plain.home) not in around
            else leaf
            for leaf in found.leaves
        ]
        return replace(found, leaves=tuple(leaves))

    def check(self, result: Any, places: Iterable[Any]) -> None:
        """Raises `StagingError` if the body has changed a list that it was given, or if other code
        finds it, or a list that the body returns, in one of the places or in an object."""
        for one, value in self.arguments:
            contents = one._staged
            if contents is None or contents._value is not value:
                raise self._error("changes a list, of which calls pass others")
            if id(one) in trace.current().state(InnerLists).given:
                raise self._error("makes a list, of which calls pass others, an element")
        lists = {id(one) for one, _ in self.arguments} | set(map(id, self.made))
        kept = [leaf for value in places for leaf in flatten(value)[0]]
        others = [leaf for leaf in flatten(result)[0] if not isinstance(leaf, (TraceList, Tensor))]
        if lists and any(id(one) in lists for one in (*kept, *_reached((*kept, *others)))):
            raise self._error("keeps a list that it was given, or that it returns")

    def _error(self, what: str) -> BaseException:
        return recursion_error(
            self.converted,
            what,
            "A graph hands lists from call to call by their values, so a change would be seen in "
            "one place only.",
            "Use a copy: list(z).",
        )

    # -- calls --------------------------------------------------------------------------------

    def operand(self, one: list, kind: ListType, changed: set[int]) -> Any:
        """A list as an operand of a call; `changed` are the containers that calls change."""
        if any(id(held) in changed for held in (one, *sources_of(one))):
            raise self._error("changes a list, of which calls pass others")
        contents = one.contents() if isinstance(one, TraceList) else tuple(one)
        return staged_list(contents, kind.element)._value

    def result(self, value: Any, leaves: list) -> Any:
        """The result of a call with some arguments: with new lists, or lists that may be one of the
        arguments."""
        given = [one for one in leaves if isinstance(one, list)] if self.are_returned else []
        return _unmerged(transform(lambda leaf: _merged(leaf, given), value))


def _merged(leaf: Any, sources: list) -> Any:
    """A list that may be one of some lists; another leaf itself."""
    if type(leaf) is not TraceList or not sources or leaf._staged is None:
        return leaf
    return merged_list(leaf._staged, sources)


def _unmerged(value: Any) -> Any:
    """A value with new lists for those whose elements are joined one by one."""
    kind = type(value)
    if kind is MergedList:
        return TraceList(map(_unmerged, list.__iter__(value)))
    if isinstance(value, tuple):
        items = [_unmerged(item) for item in value]
        return kind(items) if kind is tuple else kind(*items)
    return {k: _unmerged(one) for k, one in value.items()} if kind is dict else value


def _reached(roots: tuple) -> list:
    """The containers that some values reach, and the lists that these hold."""
    heap = HeapSnapshot(roots=roots)
    found = list(heap.containers())
    return found + [item for one in found for item in heap.before(one).values()]
