"""Cotangents of values, while they are accumulated.

    y = x * x            d_y is known         d_x collects d_y * x, twice
    z = x[0]             d_z is known         d_x collects d_z at place 0: in d_x's own memory

The cotangent of a value has its type: sums undo broadcasting, casts undo promotion.
"""

from typing import Any

import numpy as np

from runtime.ir.derivative import OuterProduct, PartialCotangent
from runtime.ir.graph import UNNAMED, Operand, Value, operand_type
from runtime.ir.op import find
from runtime.ir.types import ListType, PythonType, TensorType, TupleType, Type
from runtime.ops.adjoints.sizes import grown, zeros
from runtime.tracing.conversion import cast
from runtime.tracing.tensor import Tensor, apply, handle, operand, record_op, staged
from runtime.tracing.trace import Trace


class Cotangents:
    """The cotangents of some values, as far as they are known; None means zero."""

    def __init__(self, recorder: Trace):
        self.recorder = recorder
        self._collected: dict[Value, Operand] = {}
        self.accumulated: set[Value] = set()  # those that each iteration of a loop adds to
        self.products: list[tuple[Value, OuterProduct]] = []  # that are summed after the loop

    def of(self, value: Operand) -> Any:
        """The cotangent of a value, None for zero."""
        found = self._collected.get(value) if isinstance(value, Value) else None
        return None if found is None else self.handle(found)

    def handle(self, value: Operand) -> Any:
        """The handle of a value, for rules."""
        return handle(value, self.recorder.region)

    def put(self, value: Value, cotangent: Any) -> None:
        """Sets the cotangent of a value."""
        self._collected[value] = operand(cotangent, self.recorder)

    def add(self, value: Operand, contribution: Any, is_fitting: bool = False) -> None:
        """Adds to the cotangent of a value.  `is_fitting`: the shapes are known to be equal."""
        if contribution is None or not isinstance(value, Value):
            return
        if isinstance(contribution, OuterProduct) and self._is_deferred(value, contribution):
            self.products.append((value, contribution))
            return
        total = self.of(value)
        if isinstance(contribution, PartialCotangent):
            total = self.zero(value) if total is None else total
            self.put(value, exactly(contribution.added(total), value.type))
            return
        fitted = self._fitted(contribution, value, is_fitting)
        if total is not None:
            fitted = exactly(self._sum(value, total, fitted), value.type)
        self.put(value, fitted)
        self._name(value)

    def _is_deferred(self, value, products):
        """Whether products are summed after the loop, by one product of matrices."""
        vectors = staged(products.column).type, staged(products.row).type
        sizes = [size for kind in vectors for size in kind.shape]
        are_known = all(isinstance(size, int) for size in sizes)
        return (
            value in self.accumulated
            and are_known
            and all(v.dtype == value.type.dtype for v in vectors)
        )

    def of_or_zero(self, value: Operand) -> Any:
        """The cotangent of a value, as zeros if it is zero."""
        found = self.of(value)
        return self.zero(value) if found is None else found

    def zero(self, value: Operand) -> Any:
        """The cotangent zero of a value."""
        type = operand_type(value)
        if isinstance(type, ListType):
            return apply(find("list_zeros"), self.handle(value))
        if isinstance(type, TupleType):
            return apply(find("zero_like"), Tensor(value, self.recorder.region))
        if isinstance(type, PythonType):
            return type.kind(0)
        if type == TensorType(type.dtype):
            return staged(type.dtype.type(0))
        return exactly(zeros(self.handle(value).shape, type.dtype), type)

    def _sum(self, value, total, contribution):
        if isinstance(value.type, (ListType, TupleType)):
            return Tensor(
                *record_op(find("list_add"), (exactly(total, value.type), contribution), {})[0]
            )
        if value in self.accumulated and total.type.ndim:
            return apply(find("accumulated"), total, contribution)
        return total + contribution

    def _name(self, value):
        """Names the accumulated cotangent after its primal value."""
        found = self._collected[value]
        if isinstance(found, Value) and found.hint in UNNAMED:
            found.hint = f"d_{value.hint}"

    # -- types -------------------------------------------------------------------------------------

    def _fitted(self, contribution, value, is_fitting):
        """A contribution, converted to the type of a value."""
        type = value.type
        if isinstance(type, ListType):
            return contribution
        if isinstance(type, TupleType):
            return exactly(contribution, type)
        contribution = staged(contribution)
        if not is_fitting or contribution.type.ndim != type.ndim:
            contribution = self._summed(contribution, value)
        if type.dtype.kind == "f" and contribution.dtype.kind == "c":
            contribution = np.real(contribution)
        return exactly(contribution, type)

    def _summed(self, contribution, value):
        """A contribution, summed over the axes along which the value was broadcast."""
        have, want = contribution.type.shape, value.type.shape
        if all(isinstance(size, int) for size in (*have, *want)):
            if have == want:
                return contribution
            if len(have) == len(want) and all(a in (b, 1) for a, b in zip(have, want, strict=True)):
                return grown(contribution, want)
            return _summed_to(contribution, have, want)
        if not want:
            return np.sum(contribution)
        shape = self.handle(value).shape
        return sum_to(contribution, want, [size for size in shape if not isinstance(size, int)])


def _summed_to(x, have, want):
    """`x`, of a known shape, summed to another one."""
    added = len(have) - len(want)
    axes = tuple(range(added))
    repeated = tuple(added + i for i, size in enumerate(want) if have[added + i] != size)
    if not repeated:
        return np.sum(x, axis=axes[0] if added == 1 else axes)
    return np.reshape(np.sum(x, axis=(*axes, *repeated), keepdims=True), want)


def sum_to(x: Any, shape: tuple, sizes: Any) -> Any:
    """`x` summed to a shape that broadcasts to its own; `sizes` are the unknown ones of `shape`."""
    open_shape = tuple(size if isinstance(size, int) else None for size in shape)
    return apply(find("sum_to"), x, *sizes, shape=open_shape)


def exactly(value: Any, type: Type) -> Tensor:
    """A value, converted to a type."""
    if isinstance(type, TupleType):
        return cast(value, type)
    tensor = staged(value)
    if isinstance(type, PythonType) and tensor.type != type:
        return apply(find("number"), tensor, type=type)
    if isinstance(type, TensorType) and tensor.type == type:
        return tensor
    return cast(tensor, type)
