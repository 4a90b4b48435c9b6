"""Comparisons of tuples, lists, dicts and objects of dataclasses with staged parts.

    if (r, c) == goal: ...
    (i, j) in path

Two parts that are one object are equal, also if they are NaN.  Values of a graph are no objects, so
a run in which both parts are NaN leaves the call to the Python function.
"""

from functools import partial
from typing import Any

from autograph.backend import Backend, active
from autograph.backend.python_meaning import RELATIONS
from autograph.staging.comparisons import EQUALITIES, METHODS, Comparisons
from runtime.errors import LibraryResultError
from runtime.ir.types import BOOL, is_array
from runtime.ir.unions import options_of
from runtime.staging.calls.run_errors import check
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.staging.staged_values import compares_staged
from runtime.staging.truth import truth
from runtime.tracing.conversion import cast
from runtime.tracing.numpy_api.other_operands import answer, is_answered
from runtime.tracing.tensor import Tensor

NAN = "NaN is compared with NaN in a container, where Python compares objects: test np.isnan first"


def compare(backend: Backend, relation: str, left: Any, right: Any) -> Any:
    """`left == right`, `left < right`..., where `left` is a container or of a dataclass.

    Raises `StagingError` if it depends on whether two staged arrays are one object.
    """
    if isinstance(right, MaybeNoneObject) and relation not in EQUALITIES:
        right = right.__checked__(partial(RELATIONS[relation], left))
    if is_staged_list(left) or is_staged_list(right):
        return _compare_lists(relation, left, right)
    if relation not in EQUALITIES and isinstance(right, Tensor) and is_answered("", right, left):
        return answer(RELATIONS[relation], right, left, is_reflected=True)
    if not (compares_staged(left) or compares_staged(right)):
        return RELATIONS[relation](left, right)
    found = Comparisons(backend, partial(is_equal, backend)).compared(relation, left, right)
    kinds = (tuple, list, dict)
    is_bool = relation in EQUALITIES and isinstance(left, kinds) and isinstance(right, kinds)
    return cast(found, BOOL) if is_bool and isinstance(found, Tensor) else found


def _compare_lists(relation, left, right):
    """Two lists, of which one has a length that only the run knows."""
    if relation in EQUALITIES or not isinstance(left, list) or not isinstance(right, list):
        return RELATIONS[relation](left, right)
    items = left if isinstance(left, TraceList) else TraceList(left)
    return items.queried(METHODS[relation], right)


def _order_of_lists(relation):
    """The method of lists for `<`, `<=`, `>` or `>=`."""
    plain = getattr(list, METHODS[relation])

    def method(self, other):
        if is_staged_list(self) or is_staged_list(other) or compares_staged((self, other)):
            is_list = isinstance(other, list) or (
                isinstance(other, Tensor) and is_answered("", other, self)
            )
            return compare(active(), relation, self, other) if is_list else NotImplemented
        return plain(self, other)

    return method


for _relation in METHODS:
    if _relation not in EQUALITIES:
        setattr(TraceList, METHODS[_relation], _order_of_lists(_relation))


def is_equal(backend: Backend, one: Any, other: Any) -> Any:
    """Whether two parts of containers are one object, or equal."""
    if one is other:
        return True
    if may_both_be_nan(one, other):
        both = backend.and_(truth(one != one), lambda: truth(other != other))
        check(backend.not_(both), LibraryResultError, NAN)
    if _are_arrays(one, other) and backend.is_same(one, other):
        return True
    return truth(backend.compare("==", one, other))


def _are_arrays(one, other):
    return all(isinstance(part, Tensor) and is_array(part.type) for part in (one, other))


def may_be_nan(value: Any) -> bool:
    """Whether a value is a number that may be NaN, which does not equal itself."""
    if isinstance(value, Tensor):
        dtypes = [getattr(one, "dtype", None) for one in options_of(value.type)]
        may_be = any(dtype is not None and dtype.kind in "fc" for dtype in dtypes)
        return may_be and not is_array(value.type)
    return isinstance(value, (float, complex)) and value != value


def may_both_be_nan(one: Any, other: Any) -> bool:
    """Whether two parts of containers may be one NaN, of which only a run has the object."""
    is_staged = isinstance(one, Tensor) or isinstance(other, Tensor)
    return is_staged and one is not other and may_be_nan(one) and may_be_nan(other)
