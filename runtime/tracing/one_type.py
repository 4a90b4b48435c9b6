"""Operands of ops that need one type for all of them."""

import runtime.ops  # noqa: F401  (fills the registry)
from runtime.ir.op import Op
from runtime.ir.types import UnionType
from runtime.tracing import trace, unions
from runtime.tracing.tensor import Tensor, handle, operand


def with_one_type(op: Op, operands: list, attributes: dict) -> list:
    """The operands of an op that needs one type for each: scalars have the widest of theirs.

    A widening is noted, unless the results have the same types in every run.
    """
    if not any(isinstance(x, Tensor) and isinstance(x.type, UnionType) for x in operands):
        return operands
    recorder = trace.current()
    inputs = unions.with_one_type(
        recorder, op, tuple(operand(x, recorder) for x in operands), attributes
    )
    return [
        x if isinstance(x, Tensor) and x._value is new else handle(new, recorder.region)
        for x, new in zip(operands, inputs, strict=True)
    ]
