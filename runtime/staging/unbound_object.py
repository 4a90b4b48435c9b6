"""Containers and objects in variables that are bound on some paths only.

    if x > 2:                     r is a MaybeUnboundObject: a read records a check, which raises
        r = (x, "big")            Python's exception in a run where the variable is unbound
    return r

Converted code never gets such an object: it reads variables by `ag__.bound`, which returns the
object that the other path has.
"""

from typing import Any

from autograph.backend import UNSET, Undefined
from autograph.staging.accessors import Accessor, register_accessor
from autograph.staging.pytree import Container, register_container
from autograph.staging.try_blocks import refuse_unbound_in_try
from runtime.errors import ValueNeededError, staging_error
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing.maybe import record_unbound
from runtime.tracing.tensor import Tensor, staged
from runtime.tracing.unconverted_texts import text_outside


class MaybeUnboundObject:
    """An object in a variable that is bound on some paths only; `is_bound` is a staged bool."""

    __slots__ = ("is_bound", "__present__")

    def __init__(self, is_bound: Any, present: Any):
        self.is_bound, self.__present__ = is_bound, present

    def __repr__(self) -> str:
        return text_outside("a variable that may be unbound", "<unbound, or a value>")

    def read(self, name: str, is_free: bool = False) -> Any:
        """The object, after a check that raises what Python raises for an unbound variable."""
        refuse_unbound_in_try(name)
        record_unbound(staged(self.is_bound), name, is_free)
        return self.__present__

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)  # protocols, which ask every object
        raise staging_error(
            f"attribute `{name}` of a variable that a run may find unbound is read by a pattern",
            "Whether it is bound is known only at run time.",
            "Read the attribute before the `match`.",
            ValueNeededError,
        )


FLAGGED = (MaybeNoneObject, MaybeUnboundObject)  # objects that are `present` in some runs


def with_present(flagged: Any, present: Any) -> Any:
    """The same flag with another object."""
    if type(flagged) is MaybeNoneObject:
        return MaybeNoneObject(flagged.__is_none__, present)
    return MaybeUnboundObject(flagged.is_bound, present)


def _made(keys: tuple, children: list) -> Any:
    is_bound, present = children
    if isinstance(is_bound, Tensor):
        return MaybeUnboundObject(is_bound, present)
    return present if is_bound else Undefined("")


def _adapted(value, keys):
    """A value that is known to be bound, or to be unbound, with its flag."""
    if isinstance(value, MaybeUnboundObject):
        return value
    is_bound = not isinstance(value, Undefined)
    return MaybeUnboundObject(is_bound, value if is_bound else UNSET)


CONTAINER = Container(
    children=lambda value: [value.is_bound, value.__present__],
    keys=lambda value: (),
    make=_made,
    adapted=_adapted,
    may_be_unbound=True,
)
register_container(MaybeUnboundObject, CONTAINER)
register_accessor(
    MaybeUnboundObject,
    Accessor(lambda value: {"": value.__present__}, None, None, lambda path, key: path),
)
