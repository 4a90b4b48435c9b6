"""Sets that the user's code creates and whose elements are staged.

    seen = set()                 a list of the elements; an element is found by a search
    while n not in seen:
        seen.add(n)

The order of a set comes from the hashes of its elements and from the order in which they were
added.  A run has the order of a set from which nothing was removed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autograph.constructs.boolean import and_
from runtime.errors import ContainerError, HashNeededError, staging_error
from runtime.ir.op import find
from runtime.staging.dicts import operations
from runtime.staging.dicts.key_list import KeyedContainer, known_keys
from runtime.staging.generators import in_python
from runtime.staging.lists.forms import ContainerForm
from runtime.staging.lists.python_classes import named_as
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.made_dicts import is_recording, made_dicts, want_staged
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor, apply


@dataclass
class SetOrder:
    """Whether code depends on the order of a set, and whether no run can tell it."""

    is_used: bool = False
    is_lost: bool = False

    def take(self, other: "SetOrder") -> None:
        """Takes the notes about another set, too."""
        self.is_used |= other.is_used
        self.is_lost |= other.is_lost


class OrderOfElements(SetOrder):
    """The order of the sets that are elements of staged lists, for all of them."""


@named_as(set)
class TraceSet(KeyedContainer):
    """A set that is created while tracing."""

    kind = set

    def __init__(self, elements: Any = ()):
        self.held = {"keys": TraceList()}
        self.order = SetOrder()
        for element in elements:
            self.add(element)

    def plain(self) -> set:
        """The same set of Python, if all is known."""
        return set(known_keys(self.keys_held))

    def staged_text(self) -> Any:
        return in_python(operations.text_of_elements)(self.as_list())

    def as_list(self) -> TraceList:
        """The elements, in the order of the set."""
        self._note_order(is_used=True)
        if not self.is_staged:
            return TraceList(self.plain())
        keys = self.keys_held.copy()
        keys.stage()
        return TraceList.of(apply(find("set_order"), keys.value))

    def with_lists(self, lists: Any) -> "TraceSet":
        made = super().with_lists(lists)
        made.order.take(self._order())
        return made

    @classmethod
    def joined(cls, form: ContainerForm, lists: list, ends: tuple = ()) -> "TraceSet":
        made = super().joined(form, lists)
        made.order.is_lost = not ends
        for end in ends:
            made.order.take(end._order())
        return made

    def _order(self):
        return trace.current().state(OrderOfElements) if self.is_part else self.order

    def element_form(self) -> ContainerForm:
        if not self.is_part:
            trace.current().state(OrderOfElements).take(self.order)
        return super().element_form()

    def _note_order(self, is_used=False, is_lost=False):
        """Notes that code uses the order, or that no run can tell it any more."""
        order = self._order()
        order.take(SetOrder(is_used, is_lost))
        if order.is_used and order.is_lost:
            raise staging_error(
                "the elements of a staged set are taken in their order",
                "The order of a set from which elements were removed, or that combines others, "
                "depends on memory that a graph does not have.",
                "Use a dict, which has the order in which its keys were added.",
                ContainerError,
            )

    def _removed_place(self, element):
        self.note_removal()
        self._note_order(is_lost=True)
        return self.place(element)

    # -- elements ----------------------------------------------------------------------------------

    def add(self, element: Any) -> None:
        """Adds an element if it is not there."""
        keys, at = self.keys_held, self.place(element)
        if type(at) is not int:
            in_python(operations.add)(keys, at, element)
        elif at < 0:
            keys.append(element)

    def discard(self, element: Any) -> None:
        """Removes an element if it is there."""
        at = self._removed_place(element)
        if type(at) is not int:
            in_python(operations.remove_if_there)(self.keys_held, at)
        elif at >= 0:
            del self.keys_held[at]

    def remove(self, element: Any) -> None:
        """Removes an element; raises `KeyError` if it is not there."""
        at = self._removed_place(element)
        if type(at) is not int:
            in_python(operations.check_there)(at, element)
        elif at < 0:
            raise KeyError(element)
        del self.keys_held[at]

    def pop(self) -> Any:
        """Removes an arbitrary element, which no graph knows."""
        self._note_order(is_used=True, is_lost=True)

    def clear(self) -> None:
        """Removes all elements."""
        self.note_removal()
        self._note_order(is_lost=True)
        self.keys_held.clear()

    def __iter__(self) -> Iterator:
        if self.is_open:
            raise self.refused("an iterator")
        return iter(self.as_list())

    # -- other sets --------------------------------------------------------------------------------

    def copy(self) -> "TraceSet":
        """Another set of the same elements."""
        made = TraceSet()
        made.held["keys"].put(self.keys_held.copy().contents())
        made.order.is_lost = True
        return made

    __copy__ = copy

    def update(self, *others: Any) -> None:
        """Adds the elements of others."""
        for other in others:
            if not _is_added_in_order(other):
                self._note_order(is_lost=True)
            in_python(operations.added)(self, unordered(other))

    def union(self, *others: Any) -> "TraceSet":
        """The elements of this set and of others."""
        made = self.copy()
        made.update(*others)
        return made

    def _common(self, other):
        made = TraceSet()
        made.order.is_lost = True
        if is_set(other):
            in_python(operations.common)(self.keys_held.copy(), unordered(other), made)
        else:
            in_python(operations.kept)(other, self, made, True)
        return made

    def intersection(self, *others: Any) -> "TraceSet":
        """The elements that are in all others, too."""
        made = self.copy()
        for other in others:
            made = made._common(other)
        return made

    def difference(self, *others: Any) -> "TraceSet":
        """The elements that are in no other."""
        made = self.copy()
        for other in others:
            rest = TraceSet()
            rest.order.is_lost = True
            in_python(operations.kept)(made.keys_held, unordered(other), rest, False)
            made = rest
        return made

    def symmetric_difference(self, other: Any) -> "TraceSet":
        """The elements that are in one of both."""
        other = other if is_set(other) else TraceSet.of(other)
        made = self.difference(other)
        made.update(_staged_set(other).difference(self))
        return made

    @classmethod
    def of(cls, elements: Any) -> "TraceSet":
        """A set of the elements of an iterable."""
        made = cls()
        made.update(elements)
        return made

    def issubset(self, other: Any) -> Any:
        """Whether all elements are in another iterable."""
        return in_python(operations.all_in)(self.keys_held, unordered(other))

    def issuperset(self, other: Any) -> Any:
        """Whether all elements of another iterable are here."""
        return in_python(operations.all_in)(unordered(other), self)

    def isdisjoint(self, other: Any) -> Any:
        """Whether no element is in another iterable."""
        found = in_python(operations.any_in)(unordered(other), self)
        return _not(found)

    def _change(self, made):
        self.note_removal()
        self._note_order(is_lost=True)
        self.keys_held.put(made.keys_held.copy().contents())

    def intersection_update(self, *others: Any) -> None:
        """Keeps the elements that are in all others."""
        self._change(self.intersection(*others))

    def difference_update(self, *others: Any) -> None:
        """Removes the elements of others."""
        self._change(self.difference(*others))

    def symmetric_difference_update(self, other: Any, /) -> None:
        """Keeps the elements that are in one of both."""
        self._change(self.symmetric_difference(other))

    def __or__(self, other: Any) -> Any:
        return self.union(other) if is_set(other) else NotImplemented

    def __ror__(self, other: Any) -> Any:
        return _staged_set(other).union(self) if is_set(other) else NotImplemented

    def __and__(self, other: Any) -> Any:
        return self.intersection(other) if is_set(other) else NotImplemented

    def __rand__(self, other: Any) -> Any:
        return _staged_set(other).intersection(self) if is_set(other) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return self.difference(other) if is_set(other) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return _staged_set(other).difference(self) if is_set(other) else NotImplemented

    def __xor__(self, other: Any) -> Any:
        return self.symmetric_difference(other) if is_set(other) else NotImplemented

    __rxor__ = __xor__

    def __ior__(self, other: Any) -> Any:
        if not is_set(other):
            return NotImplemented
        self.update(other)
        return self

    def __iand__(self, other: Any) -> Any:
        if not is_set(other):
            return NotImplemented
        self.intersection_update(other)
        return self

    def __isub__(self, other: Any) -> Any:
        if not is_set(other):
            return NotImplemented
        self.difference_update(other)
        return self

    def __ixor__(self, other: Any) -> Any:
        if not is_set(other):
            return NotImplemented
        self.symmetric_difference_update(other)
        return self

    def __le__(self, other: Any) -> Any:
        return self.issubset(other) if is_set(other) else NotImplemented

    def __ge__(self, other: Any) -> Any:
        return self.issuperset(other) if is_set(other) else NotImplemented

    def __eq__(self, other: Any) -> Any:
        if not is_set(other):
            return NotImplemented
        return and_(self.length() == _length(other), lambda: self.issubset(other))

    def __ne__(self, other: Any) -> Any:
        return _not(self.__eq__(other))

    def __lt__(self, other: Any) -> Any:
        if not is_set(other):
            return NotImplemented
        return and_(self.length() < _length(other), lambda: self.issubset(other))

    def __gt__(self, other: Any) -> Any:
        if not is_set(other):
            return NotImplemented
        return and_(self.length() > _length(other), lambda: self.issuperset(other))

    __hash__ = None  # type: ignore[assignment]


def _not(found):
    if found is NotImplemented:
        return found
    return apply(find("not_"), found) if isinstance(found, Tensor) else not found


def _length(other):
    return other.length() if isinstance(other, TraceSet) else len(other)


def _staged_set(other):
    if isinstance(other, TraceSet):
        return other
    if is_recording() and other in made_dicts():  # `other |= ...` would have to change it
        want_staged(other)
        raise staging_error(
            "a set is combined with one of which only the run knows the elements",
            "Its elements are known while the graph is being built.",
            "Make both of staged elements.",
            HashNeededError,
        )
    return TraceSet.of(other)


def _is_added_in_order(other):
    """Whether `set.update` adds the elements one after the other, in an order that a run has."""
    return not is_set(other) and not hasattr(other, "keys")


def is_set(value: Any) -> bool:
    """Whether a value is a set for the user's code."""
    return isinstance(value, (set, frozenset, TraceSet))


def unordered(other: Any) -> Any:
    """An iterable, of a set whose order does not matter its elements."""
    if isinstance(other, TraceSet):
        return other.keys_held.copy()
    return list(other) if isinstance(other, (set, frozenset)) else other
