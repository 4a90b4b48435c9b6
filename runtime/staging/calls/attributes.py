"""`hasattr` and `getattr` of staged values, which have the attributes of the values of a run."""

from typing import Any

from runtime.ir.types import PythonType, StringType, TensorType
from runtime.staging.calls.refused_arguments import called
from runtime.staging.calls.registry import answers
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.numpy_api.methods import attribute, class_of
from runtime.tracing.tensor import Tensor


@answers(hasattr)
def staged_hasattr(value: Any, name: Any) -> bool:
    """Whether the class of a run's value has an attribute."""
    owner = _class_of(value) if type(name) is str else None
    return called(hasattr, hasattr, (value, name), {}) if owner is None else _has(owner, name)


@answers(getattr)
def staged_getattr(value: Any, name: Any, *default: Any) -> Any:
    """The attribute of a staged value; the default if the class of a run's value has none."""
    owner = _class_of(value) if type(name) is str else None
    if owner is None:
        return called(getattr, getattr, (value, name, *default), {})
    if default and not _has(owner, name):
        return default[0]
    if hasattr(type(value), name) or owner is str:
        return getattr(value, name)
    return attribute(value, name, is_written=True)


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
