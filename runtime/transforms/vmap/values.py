"""The replacements of values when nodes are replayed for a whole batch.

an operand     unbatched: the same for all elements
Batched        an array with the batch along its first axis; a list of such arrays
ListBatched    a list with an item for each element: strings, lists of different lengths
Deferred       nothing yet: a node that is executed for an element where its result is needed
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograph.errors import with_article
from runtime.ir.batch_types import batch_type
from runtime.ir.graph import Node, Value
from runtime.ir.types import OBJECT, PythonType, TensorType, Type
from runtime.transforms.replay import transform_error

# The forms in which values leave regions.
SHARED, BATCHED, LISTED = range(3)


@dataclass(frozen=True)
class Batched:
    """An array with a value for each element of the batch; `type` is the type of one element."""

    value: Value
    type: Type


@dataclass(frozen=True)
class ListBatched:
    """A list with a value for each element of the batch; `type` is the type of one element.

    If the values are lists of arrays of one shape, `table` has an array of all lists, padded to one
    length, and their lengths; `owners` are the rows of the table that belong to the elements.
    """

    value: Value
    type: Type
    table: tuple[Value, Value] | None = None
    owners: Value | None = None


@dataclass(frozen=True)
class Deferred:
    """A value for each element that no array can hold: a string, an array whose size differs.

    Its node is executed where the value of an element is needed; the value is its result `place`.
    """

    node: Node
    operands: tuple[Any, ...]
    place: int

    def parts(self) -> list[Batched | ListBatched]:
        """The batched values that it is computed from."""
        nested = (one.parts() if isinstance(one, Deferred) else [one] for one in self.operands)
        return [
            part for parts in nested for part in parts if isinstance(part, (Batched, ListBatched))
        ]

    def made_of(self, parts: dict[Value, Batched | ListBatched]) -> "Deferred":
        """The same computation, with other batched values."""
        return replace(self, operands=tuple(_replaced(one, parts) for one in self.operands))

    @property
    def known(self) -> dict[Any, Any]:
        """The replacements of the operands of its node."""
        return dict(zip(self.node.inputs, self.operands, strict=True))


def _replaced(operand, parts):
    if isinstance(operand, Deferred):
        return operand.made_of(parts)
    return parts[operand.value] if isinstance(operand, (Batched, ListBatched)) else operand


@dataclass(frozen=True)
class RuleOperand:
    """An operand of a rule: its handle, and the type of one element."""

    tensor: Any
    type: Type
    is_batched: bool

    @property
    def ndim(self) -> int:
        """The number of dimensions of one element."""
        return self.type.ndim

    @property
    def is_weak(self) -> bool:
        """Whether the elements are Python scalars, which an array represents."""
        return self.is_batched and isinstance(self.type, PythonType)

    def aligned(self, rank: int) -> Any:
        """The handle, with axes of size one after the batch, so that elements have `rank` axes."""
        if not self.is_batched or self.ndim >= rank:
            return self.tensor
        return np.expand_dims(self.tensor, tuple(range(1, 1 + rank - self.ndim)))


Rule = Callable[[Any, Node, list[RuleOperand]], Any]


def batched_type(kind: Type, size: int | None) -> Type:
    """The batched type for `size` elements.  Raises `StagingError` for strings and objects."""
    made = batch_type(kind, size)
    if made is not None:
        return made
    if kind == OBJECT:
        raise transform_error(
            "an object differs between the elements of a batch",
            "A batch is an array.  The type of what a function of a package returns is not known.",
            "State it: rt.library_call(function, x, result=rt.TensorSpec(shape, dtype)).",
        )
    raise transform_error(
        f"{with_article(kind)} differs between the elements of a batch",
        "A batch is an array, and graphs have no arrays of strings.",
        "Use it in `print`, or in the message of an exception.",
    )


def varies(found: Any) -> bool:
    """Whether the replacement of a value differs between elements."""
    return isinstance(found, (Batched, ListBatched, Deferred))


def may_differ(kind: Type) -> bool:
    """Whether values of a type may not fit into one array for all elements."""
    if not isinstance(kind, (TensorType, PythonType)):
        return True
    return not all(isinstance(size, int) for size in kind.shape)
