"""`len` of values that only a run has, and `operator.length_hint`."""

import operator

from runtime.ir.op import find
from runtime.staging.calls.attributes import known_class
from runtime.staging.calls.registry import answers
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.calls.users_conversions import by_users_method
from runtime.staging.containers import StagedContainer
from runtime.staging.dicts.dict_view import DictView
from runtime.staging.lists.staged_tuple import StagedTuple
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.strings import StagedString, call_method
from runtime.tracing.tensor import Tensor, apply


@answers(operator.length_hint)
def staged_length_hint(value, default=0):
    """The length of a value, or an estimate."""
    owner = known_class(value)
    is_sized = owner is not None and hasattr(owner, "__len__")
    return staged_len(value) if is_sized else operator.length_hint(value, default)


@answers(len)
def staged_len(value):
    """The length; staged if it is known only at run time."""
    if isinstance(value, (MaybeNone, MaybeNoneObject)):
        value = value.__checked__(len)
    if isinstance(value, (TraceList, StagedRange, StagedContainer, DictView, StagedTuple)):
        return value.length()
    if isinstance(value, StagedString):
        return call_method(value, "__len__", ())
    if isinstance(value, Tensor) and value.type.shape and not isinstance(value.type.shape[0], int):
        return apply(find("size"), value, axis=0)
    found = by_users_method(len, value)
    return len(value) if found is NotImplemented else found
