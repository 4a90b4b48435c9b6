"""Where values leave a graph: staged values as Python numbers, as NumPy arrays, and in pickles.

    float(x), np.asarray(x), a[0] = x         a is an array of NumPy

Refused where the value is not known.  An eager trace knows it, but does not see afterwards which
results depend on it: the trace remembers such values, so that a tape can tell (`gradient_tape.py`).
"""

import dis
import operator
import sys
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import numpy as np

from runtime.errors import ValueNeededError, staging_error
from runtime.ir.graph import Location, Operand
from runtime.tracing import trace
from runtime.tracing.constant_values import UNKNOWN, constant_value
from runtime.tracing.locate import location_in
from runtime.tracing.needed import refuse_elsewhere, value_needed
from runtime.tracing.tensor import Tensor, handle

MOST = 1000  # values that a trace remembers
STORE = dis.opmap["STORE_SUBSCR"]


@dataclass(frozen=True)
class Exit:
    """A value that has left an eager trace, and where; `is_write` if into an array of NumPy."""

    value: Operand
    location: Location
    is_write: bool


@dataclass
class Exits:
    """The values that have left a trace, in order."""

    known: list[Exit] = field(default_factory=list)

    def add(self, tensor: Tensor, frame: FrameType, only_writes: bool) -> None:
        """Notes that the code of a frame converts a value."""
        code, offset = frame.f_code, frame.f_lasti
        is_write = code.co_code[offset] == STORE
        if len(self.known) < MOST and (is_write or not only_writes):
            self.known.append(Exit(tensor._value, location_in(code, offset), is_write))


def _note(tensor, only_writes):
    recorder = trace.current()
    if recorder is not None and recorder.is_eager:
        recorder.state(Exits).add(tensor, sys._getframe(3 if only_writes else 2), only_writes)


def _number(tensor):
    if tensor.is_eager:
        _note(tensor, only_writes=True)
        return tensor.eager_value()
    plain = tensor.plain_value()
    if plain is not tensor:
        return plain
    known = constant_value(tensor._value)
    if known is not UNKNOWN:
        return known
    raise value_needed(
        f"{tensor.staged_value} cannot be converted to a Python number", tensor._region
    )


def _array(tensor, *args, **kwargs):
    if tensor.is_eager:
        _note(tensor, only_writes=False)
        return np.array(tensor.eager_value(), *args, **kwargs)
    plain = tensor.plain_value()
    if plain is not tensor:
        return np.asarray(plain, *args, **kwargs)
    known = constant_value(tensor._value)
    if known is not UNKNOWN:
        return np.array(known, *args, **kwargs)
    raise staging_error(
        f"{tensor.staged_value} cannot be converted to a NumPy array",
        "A function that graphs do not support needs its elements.",
        "Use a function that works on staged values, or call it on the result of the graph.",
        ValueNeededError,
        region=tensor._region,
    )


def _reduced(tensor, protocol) -> Any:
    if tensor.is_eager:
        return tensor.eager_value().__reduce_ex__(protocol)
    recorder = trace.current()
    refuse_elsewhere(tensor.staged_value, tensor._region)
    if recorder is None or recorder.takes_feeds:
        return handle, tensor._at
    raise staging_error(
        f"{tensor.staged_value} is pickled",
        "Its value is known only when the graph runs.",
        "Pickle the result of the function.",
        ValueNeededError,
    )


def _converting(function):
    return lambda tensor: function(_number(tensor))


for _name, _function in (("int", int), ("float", float), ("complex", complex)):
    setattr(Tensor, f"__{_name}__", _converting(_function))
Tensor.__index__ = _converting(operator.index)  # type: ignore[attr-defined]
Tensor.__array__ = _array  # type: ignore[attr-defined]
Tensor.__reduce_ex__ = _reduced  # type: ignore[method-assign, assignment]
