"""`hasattr` and `getattr` of staged values, which have the attributes of the values of a run.

Of a value that may be None, a branch asks the one that the run has.
"""

from functools import partial
from typing import Any

from autograph.constructs.ternary import if_expr
from runtime.ir.types import PythonType, StringType, TensorType, UnionType
from runtime.staging.calls.refused_arguments import called
from runtime.staging.calls.registry import answers
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.numpy_api.methods import attribute_of_run, class_of
from runtime.tracing.tensor import Tensor

OPTIONAL = (MaybeNone, MaybeNoneObject)


@answers(hasattr)
def staged_hasattr(value: Any, name: Any) -> bool:
    """Whether the class of a run's value has an attribute."""
    if isinstance(value, OPTIONAL):
        of_none, present = hasattr(None, name), value.__unchecked__()
        return if_expr(value.__is_none__, lambda: of_none, lambda: staged_hasattr(present, name))
    if _has_several_types(value):
        return value.each_type(lambda one: staged_hasattr(one, name))
    owner = _class_of(value) if type(name) is str else None
    return called(hasattr, hasattr, (value, name), {}) if owner is None else _has(owner, name)


@answers(getattr)
def staged_getattr(value: Any, name: Any, *default: Any) -> Any:
    """The attribute of a staged value; the default if the class of a run's value has none."""
    if _has_several_types(value):
        return value.each_type(lambda one: staged_getattr(one, name, *default))
    if default and isinstance(value, OPTIONAL):
        of_none, present = getattr(None, name, *default), value.__unchecked__()
        of_present = partial(staged_getattr, present, name, *default)
        return if_expr(value.__is_none__, lambda: of_none, of_present)
    owner = _class_of(value) if type(name) is str else None
    if owner is None:
        return called(getattr, getattr, (value, name, *default), {})
    if default and not _has(owner, name):
        return default[0]
    return getattr(value, name) if owner is str else attribute_of_run(value, name)


def _has_several_types(value: Any) -> bool:
    """Whether a value is a scalar of which only the run knows the type."""
    return isinstance(value, Tensor) and isinstance(value.type, UnionType)


def _has(owner: type, name: str) -> bool:
    """Whether objects of a class have an attribute; the class itself has those of its metaclass."""
    return any(name in vars(base) for base in owner.__mro__)


def _class_of(value: Any) -> type | None:
    """The class of the value of a run; None if it is not known, or the value is not staged."""
    if not isinstance(value, Tensor) or isinstance(value, (MaybeNone, MaybeUnbound)):
        return None
    if isinstance(value.type, StringType):
        return str
    return class_of(value) if isinstance(value.type, (TensorType, PythonType)) else None
