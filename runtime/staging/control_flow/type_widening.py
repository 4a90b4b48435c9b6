"""Type widening: the one way in which the results of a graph may differ from Python's results.

    if x > 0:             y is a NumPy float after one branch, an int after the other:
        y = x             the graph holds one type, f64, and returns 1.0 where Python returns 1
    else:
        y = 1

`f.get_concrete_function(x).widenings` lists each of them.
"""

from collections.abc import Iterable

from autograph.staging.abstract_values import AbstractValue
from runtime.errors import users_location
from runtime.ir.types import PythonType, TensorType
from runtime.staging.control_flow.phi_types import DOMAIN
from runtime.tracing import trace


class Widenings(list[str]):
    """A line for each type that was widened."""


def note_widenings(path: str, joined: AbstractValue, values: Iterable) -> None:
    """Adds a line for each value that a location holds with another type than the value has."""
    for value in values:
        found = DOMAIN.abstract(value)
        if found.structure != joined.structure:
            continue
        for before, after in zip(found.leaves, joined.leaves, strict=True):
            if _widens(before.type, after.type):
                name = path or "the result"
                _note(f"{name} is {before.type} on one path and {after.type} after the join")


def _note(text):
    place = users_location()
    line = text if place is None else f"line {place.lineno}: {text}"
    widened = trace.current().state(Widenings)
    if line not in widened:
        widened.append(line)


def _widens(before, after):
    kinds = (TensorType, PythonType)
    if not isinstance(before, kinds) or not isinstance(after, kinds):
        return False
    return type(before) is not type(after) or before.dtype != after.dtype
