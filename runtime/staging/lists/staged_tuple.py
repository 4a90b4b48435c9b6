"""Tuples of which only the run knows the length.

    tuple(z)                 a StagedTuple, where z is a staged list: each run makes a tuple
    xs, ys = zip(*pairs)     two of them, where `pairs` is one

The elements are those of a staged list that nothing changes.  Functions get a list of them.
"""

import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

from autograph.constructs.compare import compare
from autograph.functions.calls import converted_call
from autograph.staging.pytree import Container, register_container
from runtime.errors import HashNeededError, staging_error, unsupported
from runtime.staging.calls.run_errors import check
from runtime.staging.containers import StagedView
from runtime.staging.generators import AS_LISTS, EACH
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing.matching import reads_class


class StagedTuple(StagedView):
    """A tuple of which only the run knows the length; `items` is the list of its elements."""

    kind = tuple

    def __init__(self, items: TraceList):
        self.items = items

    @classmethod
    def of(cls, items: Any) -> "StagedTuple":
        """The tuple of the elements of a staged list, which may change afterwards."""
        return cls(TraceList.copy(items))

    @property
    def __class__(self) -> Any:
        """The class that code reads."""
        return tuple if reads_class(sys._getframe(1)) else StagedTuple

    def length(self) -> Any:
        """The number of elements."""
        return self.items.length()

    def as_list(self) -> TraceList:
        """A list of the elements."""
        return TraceList.copy(self.items)

    def contains(self, item: Any, within: Callable) -> Any:
        """`item in self`; `within` is the operator."""
        return within(item, self.items)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return StagedTuple(self.items[index])
        count = self.items.length()
        check((index < count) & (index >= -count), IndexError, "tuple index out of range")
        return self.items[index]

    __iter__: Callable[..., Iterator]  # `calls/unpacking.py`

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, (tuple, StagedTuple)):
            return NotImplemented
        return StagedTuple(self.as_list() + list_of(other))

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, tuple):
            return NotImplemented
        return StagedTuple(list_of(other) + self.items)

    def __mul__(self, times: Any) -> Any:
        found = self.items * times
        return StagedTuple(found) if isinstance(found, TraceList) else NotImplemented

    __rmul__ = __mul__

    def count(self, item: Any) -> Any:
        """How many elements equal `item`."""
        return self.items.count(item)

    def index(self, item: Any) -> Any:
        """The index of the first element that equals `item`."""
        is_there = self.items.count(item) > 0
        check(is_there, ValueError, "tuple.index(x): x not in tuple")
        return self.items.index(item)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(tuple, name):
            raise AttributeError(f"'tuple' object has no attribute {name!r}")
        raise unsupported(f"tuple.{name} of a tuple whose length only the run knows")

    def __setitem__(self, index: Any, item: Any) -> None:
        raise TypeError("'tuple' object does not support item assignment")

    def __delitem__(self, index: Any) -> None:
        raise TypeError("'tuple' object doesn't support item deletion")

    def __hash__(self) -> int:
        raise staging_error(
            "a tuple whose length only the run knows is hashed",
            "Its elements are known only at run time.",
            "Use a tuple of known length, or a list that is searched.",
            HashNeededError,
        )

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        called = converted_call(getattr(ufunc, method))
        return called(*map(with_list, inputs), **options)

    def __array_function__(self, function, types, args, kwargs):
        return converted_call(function)(*map(with_list, args), **kwargs)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise unsupported("an array of tuples whose lengths only the run knows")


def _compared(relation: str) -> Callable:
    def method(self: StagedTuple, other: Any) -> Any:
        if not isinstance(other, (tuple, StagedTuple)):
            return NotImplemented
        return compare(self.items, relation, list_of(other))

    return method


for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    _relation = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}[_name]
    setattr(StagedTuple, f"__{_name}__", _compared(_relation))


def list_of(value: Any) -> TraceList:
    """A list of the elements of a tuple."""
    return value.as_list() if type(value) is StagedTuple else TraceList(value)


def with_list(value: Any) -> Any:
    """A staged tuple as the list of its elements; other values themselves."""
    return value.items if type(value) is StagedTuple else value


def _adapted(value: Any, keys: tuple) -> Any:
    """A tuple of known length as one of which only the run knows it."""
    return StagedTuple(TraceList(value)) if type(value) is tuple else value


EACH[StagedTuple] = operator.attrgetter("items")
AS_LISTS[StagedTuple] = StagedTuple.as_list
register_container(
    StagedTuple,
    Container(
        children=lambda value: [value.items],
        keys=lambda value: (),
        make=lambda keys, children: StagedTuple(*children),
        adapted=lambda value, keys: (
            StagedTuple(TraceList(value)) if type(value) is tuple else value
        ),
    ),
)
