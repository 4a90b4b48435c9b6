"""Which Python values contain staged ones."""

from typing import Any

from autograph.functions.policy import is_users_class
from autograph.staging.comparisons import compared_fields, is_made_by_dataclass
from autograph.staging.object_state import attributes
from runtime.ir.pytree import flatten
from runtime.staging.chosen import Chosen
from runtime.staging.containers import StagedContainer, StagedView
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.unbound_object import FLAGGED
from runtime.tracing.array_like import ArrayLike
from runtime.tracing.read_as_array import ReadAsArray
from runtime.tracing.tensor import Tensor

VARIABLES_TOO = (Tensor, ArrayLike)

# Types whose objects are known and hold nothing: most parts of containers have one of these.
KNOWN = frozenset({bool, int, float, complex, str, bytes, type(None)})


def holds_staged(
    value: Any,
    kinds: tuple[type, ...] = (Tensor,),
    objects: bool = True,
    seen: frozenset = frozenset(),
) -> bool:
    """Whether a value is staged, or contains a staged value at any depth.

    `kinds` are the types of staged values.  `objects`: whether attributes of the user's objects
    count, besides items of containers.
    """
    if type(value) in KNOWN:
        return False
    if is_staged_itself(value, kinds):
        return True
    if id(value) in seen:
        return False
    seen = seen | {id(value)}
    leaves, structure = flatten(list(value) if isinstance(value, TraceList) else value)
    if structure.kind is not None:
        return any(holds_staged(leaf, kinds, objects, seen) for leaf in leaves)
    if not objects or not is_users_class(type(value)) or isinstance(value, type):
        return False
    held = attributes(value).values()
    return any(holds_staged(item, kinds, objects, seen) for item in held)


def is_staged_itself(value: Any, kinds: tuple[type, ...] = (Tensor,)) -> bool:
    """Whether a value is staged, whatever it contains."""
    if isinstance(value, TraceList) and value.value is not None:
        return True
    others = (StagedContainer, StagedView, ReadAsArray)
    return isinstance(value, (*kinds, *FLAGGED, Chosen, *others))


def compares_staged(value: Any) -> bool:
    """Whether `==` of a value may depend on the run: it is staged, or a container or an object of a
    dataclass with such parts, or an object whose class says how it is compared."""
    if type(value) in KNOWN:
        return False
    if isinstance(value, (*VARIABLES_TOO, *FLAGGED, Chosen, StagedContainer, ReadAsArray)):
        return True
    if isinstance(value, TraceList) and value.value is not None:
        return True
    if isinstance(value, dict):
        return any(map(compares_staged, dict.values(value)))
    if isinstance(value, (tuple, list)):
        return any(
            map(compares_staged, (tuple if isinstance(value, tuple) else list).__iter__(value))
        )
    kind = type(value)
    if is_made_by_dataclass(kind, "=="):
        return any(compares_staged(getattr(value, name)) for name in compared_fields(kind))
    return is_users_class(kind) and kind.__eq__ is not object.__eq__


def shows_staged(value: Any) -> bool:
    """Whether the string of a value depends on the run: it is staged or a variable, or a container
    that contains one."""
    return holds_staged(value, VARIABLES_TOO, objects=False)
