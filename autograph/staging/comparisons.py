"""Comparisons of containers with staged parts, part by part as Python makes them.

    (r, c) == goal         r == goal[0] and c == goal[1]
    (f, r) < (g, s)        r < s if f == g else f < g
    {"n": i} == counts     the values of equal keys
    p == q                 the fields of two objects of a dataclass

Parts that are one object count as equal.  A part is compared only where those before it are equal,
since a comparison may raise.  Classes with methods of their own for comparisons use these.
"""

import dataclasses
import sys
from collections.abc import Callable, Iterable
from functools import partial, reduce
from typing import Any

from autograph.backend import Backend
from autograph.backend.python_meaning import RELATIONS

METHODS = {
    "==": "__eq__",
    "!=": "__ne__",
    "<": "__lt__",
    "<=": "__le__",
    ">": "__gt__",
    ">=": "__ge__",
}
EQUALITIES = ("==", "!=")
GENERATED = "<string>"  # the file of the methods that `dataclass` makes
FIELDS_ARE_CHAINED = sys.version_info >= (3, 13)  # else `==` of objects compares tuples


class Comparisons:
    """The comparisons of a backend; `is_equal(one, other)` says whether two parts are one object,
    or equal."""

    def __init__(self, backend: Backend, is_equal: Callable[[Any, Any], Any]):
        self.backend, self.is_equal = backend, is_equal

    def compared(self, relation: str, left: Any, right: Any) -> Any:
        """`left == right`, `left < right`... of values that may have staged parts."""
        if type(left) is type(right) and is_made_by_dataclass(type(left), relation):
            return self._compared_fields(relation, left, right)
        if not any(_is_compared_as(kind, relation, left, right) for kind in (tuple, list, dict)):
            return RELATIONS[relation](left, right)
        if relation not in EQUALITIES:
            return self._in_order(relation, _parts(left), _parts(right))
        found = self._are_equal(left, right)
        return found if relation == "==" else self.backend.not_(found)

    def _compared_fields(self, relation, left, right):
        """Two objects of a dataclass, compared as its method does."""
        names = compared_fields(type(left))
        parts, others = ([getattr(one, name) for name in names] for one in (left, right))
        if relation not in EQUALITIES or not FIELDS_ARE_CHAINED:
            return self.backend.compare(relation, tuple(parts), tuple(others))
        if left is right:
            return relation == "=="
        found: Any = True
        for one, other in zip(parts, others, strict=True):
            found = self.backend.and_(found, partial(self.backend.compare, "==", one, other))
        return found if relation == "==" else self.backend.not_(found)

    def _are_equal(self, left, right):
        has_other_length = len(left) != len(right)
        if has_other_length and not isinstance(left, tuple):
            return False
        if isinstance(left, dict):
            if any(key not in right for key in left):
                return False
            return self._all_equal((left[key], right[key]) for key in left)
        found = self._all_equal(zip(_parts(left), _parts(right), strict=False))
        return False if has_other_length else found

    def _all_equal(self, pairs: Iterable[tuple]) -> Any:
        both = self.backend.and_
        return reduce(lambda found, pair: both(found, partial(self.is_equal, *pair)), pairs, True)

    def _in_order(self, relation, left, right):
        """The relation of the first parts that differ; of the lengths if there are none."""
        if not left or not right:
            return RELATIONS[relation](len(left), len(right))
        differing = partial(self.backend.compare, relation, left[0], right[0])
        following = partial(self._in_order, relation, left[1:], right[1:])
        return self.backend.if_expr(self.is_equal(left[0], right[0]), following, differing)


def _parts(value):
    return tuple(list.__iter__(value)) if isinstance(value, list) else tuple(value)


def _is_compared_as(kind, relation, left, right):
    """Whether a method of a builtin class compares two values."""
    if kind is dict and relation not in EQUALITIES:
        return False
    if not isinstance(left, kind) or not isinstance(right, kind):
        return False
    return _has_methods_of(kind, left) and _has_methods_of(kind, right)


def _has_methods_of(kind, value):
    """Whether the comparisons of a value are those of a builtin class, or a backend's own."""
    is_own = hasattr(type(value), "__autograph__")
    return is_own or all(getattr(type(value), m) is getattr(kind, m) for m in METHODS.values())


def is_made_by_dataclass(kind: type, relation: str) -> bool:
    """Whether the decorator `dataclass` has made the method that compares objects of a class."""
    if relation == "!=" and kind.__ne__ is not object.__ne__:
        return False
    method = "__eq__" if relation == "!=" else METHODS[relation]
    owner = next((base for base in kind.__mro__ if method in vars(base)), object)
    code = getattr(vars(owner).get(method), "__code__", None)
    is_generated = code is not None and code.co_filename == GENERATED
    return is_generated and "__dataclass_fields__" in vars(owner)


def compared_fields(kind: type) -> list[str]:
    """The fields that the methods of a dataclass compare."""
    owner = next(base for base in kind.__mro__ if "__eq__" in vars(base))
    return [field.name for field in dataclasses.fields(owner) if field.compare]
