"""`a is b` of staged values: exact, or refused.

i is 5            whether a staged Python int is 5: small ints are one object each
up is before      whether two staged bools are equal; so are those of NumPy
x is row          False for arrays that are known to be two
s is "yes"        refused: whether equal strings are one object depends on the run
"""

from typing import Any

import numpy as np

from autograph.constructs.compare import is_
from autograph.constructs.ternary import if_expr
from runtime.errors import ValueNeededError, staging_error
from runtime.ir.types import BOOL, STRING, PythonType, UnionType, is_array, tensor_type
from runtime.ir.unions import options_of
from runtime.staging.chosen import KNOWN_OBJECTS, Chosen
from runtime.staging.containers import StagedContainer
from runtime.staging.lists.inner_lists import may_be_element
from runtime.staging.lists.merged_objects import is_one_object, may_be_same, same_error
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing.aliases import Kind, kind_of
from runtime.tracing.conversion import cast, staged_type
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.tensor import Tensor

SMALL_INTS = range(-5, 257)  # CPython has one object for each
KNOWN = (Kind.FRESH, Kind.VIEW)
BOOL_OF_NUMPY = tensor_type(bool)
BOOLS = (BOOL, BOOL_OF_NUMPY)  # True, False, np.True_ and np.False_ are one object each


def is_same(value: Any, other: Any) -> Any:
    """`value is other`, of two objects of which the first is staged."""
    if isinstance(value, StagedContainer) and isinstance(other, StagedContainer):
        value, other = (next(iter(one.held.values())) for one in (value, other))
    if _may_be_one_array(value, other):
        raise _not_known(value)
    if isinstance(value, MaybeUnbound):
        value.check_bound()
        value = value.__unchecked__()
    if may_be_same(value, other):
        return is_one_object(value, other)
    if isinstance(value, MaybeNoneObject) and isinstance(
        value.__present__, (*KNOWN_OBJECTS, Chosen)
    ):
        present = value.__present__
        return if_expr(value.__is_none__, lambda: False, lambda: is_(present, other))
    if isinstance(value, MaybeNoneObject):
        raise same_error(value)
    if may_be_element(value) or may_be_element(other):
        raise same_error(value)
    if isinstance(value, TraceList) or not isinstance(value, Tensor):
        return False
    if isinstance(value, MaybeNone):
        if is_same(value.__unchecked__(), other) is False:
            return False
        raise _not_known(value)
    if isinstance(other, Tensor):
        return _is_same_staged(value, other)
    if isinstance(value.type, UnionType):
        if staged_type(other) in value.type.options:
            raise _not_known(value)
        return False
    if isinstance(value.type, PythonType):
        if type(other) is not value.type.kind:
            return False
        if type(other) is int and other in SMALL_INTS:
            return value == other
        raise _not_known(value)
    if value.type == STRING and type(other) is str:
        raise _not_known(value)
    if value.type == BOOL_OF_NUMPY and type(other) is np.bool_:
        return cast(value == other, BOOL)
    return False


def _may_be_one_array(value, other):
    """Whether two arrays may be one in some runs, since a path may leave no array in a variable."""
    if not (isinstance(value, Tensor) and isinstance(other, Tensor)) or value is other:
        return False
    flagged = [one for one in (value, other) if isinstance(one, (MaybeUnbound, MaybeNone))]
    if not flagged or not (is_array(value.type) and is_array(other.type)):
        return False
    return len(flagged) == 2 or flagged[0].guard is not None


def _is_same_staged(value, other):
    if is_array(value.type) and is_array(other.type):
        if kind_of(value) in KNOWN and kind_of(other) in KNOWN:
            return False
    elif not set(options_of(value.type)) & set(options_of(other.type)):
        return False
    elif value.type == other.type and value.type in BOOLS:
        return cast(value == other, BOOL)
    raise _not_known(value)


def _not_known(value):
    return staging_error(
        f"{value.staged_value} is compared by `is`",
        "Whether two names are bound to one object is known only at run time.",
        "Compare the values: `==`.",
        ValueNeededError,
    )
