"""`hasattr` and `getattr` of staged values, which have the attributes of the values of a run.

Of a value that may be None, a branch asks the one that the run has.
"""

from functools import partial
from typing import Any

from autograph.constructs.ternary import if_expr
from runtime.errors import unsupported
from runtime.ir.types import PythonType, StringType, TensorType, UnionType
from runtime.staging.calls.refused_arguments import called
from runtime.staging.calls.registry import answers
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.containers import StagedContainer
from runtime.staging.dicts.dict_view import DictView
from runtime.staging.lists.staged_tuple import StagedTuple
from runtime.staging.lists.trace_list import is_staged_list
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.numpy_api.methods import attribute_of_run, class_of
from runtime.tracing.tensor import Tensor

OPTIONAL = (MaybeNone, MaybeNoneObject)
STAND_INS = (StagedContainer, StagedRange, StagedTuple)  # which have the class of Python as `kind`


@answers(hasattr)
def staged_hasattr(value: Any, name: Any) -> bool:
    """Whether the class of a run's value has an attribute."""
    if isinstance(value, OPTIONAL):
        of_none, present = hasattr(None, name), value.__unchecked__()
        return if_expr(value.__is_none__, lambda: of_none, lambda: staged_hasattr(present, name))
    if _has_several_types(value):
        return value.each_type(lambda one: staged_hasattr(one, name))
    owner = known_class(value) if type(name) is str else None
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
    owner = known_class(value) if type(name) is str else None
    if owner is None:
        return called(getattr, getattr, (value, name, *default), {})
    if default and not _has(owner, name):
        return default[0]
    if owner is str or not isinstance(value, Tensor):
        return getattr(value, name)
    return attribute_of_run(value, name)


def _has_several_types(value: Any) -> bool:
    """Whether a value is a scalar of which only the run knows the type."""
    return isinstance(value, Tensor) and isinstance(value.type, UnionType)


def _has(owner: type, name: str) -> bool:
    """Whether objects of a class have an attribute; the class itself has those of its metaclass."""
    return any(name in vars(base) for base in owner.__mro__)


def known_class(value: Any) -> type | None:
    """The class of the value of a run; None if it is not known, or the value is not staged."""
    if isinstance(value, DictView):
        return type(value.plain_example())
    if isinstance(value, STAND_INS):
        return value.kind
    if is_staged_list(value):
        return value.__class__
    if not isinstance(value, Tensor) or isinstance(value, (MaybeNone, MaybeUnbound)):
        return None
    if isinstance(value.type, StringType):
        return str
    return class_of(value) if isinstance(value.type, (TensorType, PythonType)) else None


@answers(dir)
def staged_dir(*values: Any) -> list[str]:
    """The names of the attributes of a value."""
    if len(values) == 1 and isinstance(values[0], OPTIONAL):
        raise unsupported("dir() of a value that may be None")
    owner = known_class(values[0]) if len(values) == 1 else None
    return called(dir, dir, values, {}) if owner is None else dir(owner)
