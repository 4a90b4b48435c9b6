"""The widenings of values where paths join, and of lists (`tracing/widenings.py`)."""

from collections.abc import Iterable

from autograph.staging.abstract_values import AbstractValue
from runtime.ir.types import PythonType, TensorType, UnionType
from runtime.staging.control_flow.phi_types import DOMAIN
from runtime.tracing import trace
from runtime.tracing.widenings import note


def note_widenings(path: str, joined: AbstractValue, values: Iterable) -> None:
    """Adds a line for each value that a location holds with another type than the value has."""
    for value in values:
        found = DOMAIN.abstract(value)
        if found.structure != joined.structure:
            continue
        for before, after in zip(found.leaves, joined.leaves, strict=True):
            if _widens(before.type, after.type):
                name = path or "the result"
                kinds = f"{before.type} on one path and {after.type} after the join"
                note(trace.current(), f"{name} is {kinds}")


def _widens(before, after):
    kinds = (TensorType, PythonType)
    if not isinstance(before, (*kinds, UnionType)) or not isinstance(after, kinds):
        return False
    return type(before) is not type(after) or before.dtype != after.dtype
