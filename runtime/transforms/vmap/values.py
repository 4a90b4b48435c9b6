"""What becomes of a value when its node is done for a whole batch.

as it was    the same for all elements
Batched         an array with the batch along its first axis; a list of such arrays
ListBatched       a list with a value for each element: texts, lists of different lengths
Deferred        nothing yet: a node that is done for an element where its result is needed
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from runtime.ir.graph import Node, Value
from runtime.ir.types import PythonType, TensorType, Type, batch_type
from runtime.transforms.replay import transform_error

SHARED, BATCHED, LISTED = range(3)  # the forms in which a branch or loop hands a value out


@dataclass(frozen=True)
class Batched:
    """A value for each element of the batch; `type` is that of one of them."""

    value: Value
    type: Type


@dataclass(frozen=True)
class ListBatched:
    """A value for each element, in a list; `type` is that of one of them.

    `table`: of lists of arrays of one shape, also an array of all lists next to each other, filled
    up to one length, and their lengths; `owners` are the rows of it that are those of the elements.
    """

    value: Value
    type: Type
    table: tuple[Value, Value] | None = None
    owners: Value | None = None


@dataclass(frozen=True)
class Deferred:
    """A value for each element that no array holds: a text, an array whose size differs.

    It is made where one is needed: `place` is its place among the results of a node.
    """

    node: Node
    operands: tuple[Any, ...]
    place: int

    def parts(self) -> list[Batched | ListBatched]:
        """What it is made of that differs between elements."""
        nested = (one.parts() if isinstance(one, Deferred) else [one] for one in self.operands)
        return [
            part for parts in nested for part in parts if isinstance(part, (Batched, ListBatched))
        ]

    def made_of(self, parts: dict[Value, Batched | ListBatched]) -> "Deferred":
        """The same of other parts."""
        return replace(self, operands=tuple(_replaced(one, parts) for one in self.operands))

    @property
    def known(self) -> dict[Any, Any]:
        """What became of the operands of its node."""
        return dict(zip(self.node.inputs, self.operands, strict=True))


def _replaced(operand, parts):
    if isinstance(operand, Deferred):
        return operand.made_of(parts)
    return parts[operand.value] if isinstance(operand, (Batched, ListBatched)) else operand


@dataclass(frozen=True)
class RuleOperand:
    """An operand of a rule: what stands for it, and its type in one element of the batch."""

    tensor: Any
    type: Type
    is_batched: bool

    @property
    def ndim(self) -> int:
        """The number of dimensions that one element has."""
        return self.type.ndim

    @property
    def is_weak(self) -> bool:
        """Whether the elements are numbers of Python's, for which an array stands."""
        return self.is_batched and isinstance(self.type, PythonType)

    def aligned(self, rank: int) -> Any:
        """With dimensions of size one behind the batch, so that an element has `rank` of them."""
        if not self.is_batched or self.ndim >= rank:
            return self.tensor
        return np.expand_dims(self.tensor, tuple(range(1, 1 + rank - self.ndim)))


Rule = Callable[[Any, Node, list[RuleOperand]], Any]


def batched_type(kind: Type, size: int | None) -> Type:
    """The type of rows of a batch of `size` elements.  Raises `StagingError` for texts."""
    made = batch_type(kind, size)
    if made is not None:
        return made
    raise transform_error(
        f"a {kind} is another for each element of a batch",
        "A batch is an array, and no array holds texts.",
        "Use it in `print`, or in the message of an exception.",
    )


def varies(found: Any) -> bool:
    """Whether what became of a value is another for each element."""
    return isinstance(found, (Batched, ListBatched, Deferred))


def may_differ(kind: Type) -> bool:
    """Whether values of a type may be such that no array holds one for each element."""
    if not isinstance(kind, (TensorType, PythonType)):
        return True
    return not all(isinstance(size, int) for size in kind.shape)
