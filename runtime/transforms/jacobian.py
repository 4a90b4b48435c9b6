"""Jacobians, row by row: one staged loop for any number of rows.

J = zeros((m, n))
for k in range(m):
    J[k] = pullback(a cotangent that is one at k, and zero elsewhere)
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.errors import NotDifferentiableError, staging_error
from runtime.ir.graph import Value
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.ir.types import BOOL, INT
from runtime.ops.adjoints.sizes import counted, zeros
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor, apply, handle, operand, staged
from runtime.transforms.reverse.activity import is_differentiable
from runtime.transforms.reverse.backward import seed
from runtime.transforms.reverse.cotangents import exactly


def jacobians(
    result: Tensor, sources: list[Value], pull_back: Callable[[Tensor, Any], list[Any]]
) -> list[Any]:
    """The derivatives of a result with respect to some values.

    `pull_back` maps the result and a cotangent of it to the cotangents of the sources.
    """
    if not is_differentiable(result.type) or result.dtype.kind == "c":
        raise staging_error(
            f"a result is {result.type}, which has no Jacobian",
            "Only real floats have one.",
            "Differentiate np.real(y) and np.imag(y) separately, or pass floats, not integers.",
            NotDifferentiableError,
        )
    if not result.type.shape:
        return pull_back(result, seed(result))
    shape, count = result.shape, result.size

    def row(k):
        unit = np.equal(counted(count), k).astype(result.dtype)
        found = pull_back(result, exactly(np.reshape(unit, shape), result.type))
        return [staged(item) for item in found]

    tables = [_table(count, source) for source in sources]
    rows = _loop(count, tables, row)
    return [
        np.reshape(table, (*shape, *_sizes(source)))
        for table, source in zip(rows, sources, strict=True)
    ]


def _sizes(source):
    return handle(source, trace.current().region).shape


def _table(count, source):
    """Zeros for all rows of the derivatives with respect to a value."""
    return staged(zeros((count, *_sizes(source)), source.type.dtype))


def _loop(count, tables, row):
    """Records a loop that fills the tables; returns their final values."""
    recorder = trace.current()
    if recorder.is_eager:
        for k in range(int(count)):
            tables = [_filled(table, new, k) for table, new in zip(tables, row(k), strict=True)]
        return tables
    with recorder.open_region("body") as body:
        k = Value(INT, "k")
        given = [Value(table.type, "rows") for table in tables]
        body.inputs = [k, *given]
        position = handle(k, body)
        filled = [
            _filled(handle(table, body), new, position)
            for table, new in zip(given, row(position), strict=True)
        ]
        following = position + 1
        more = exactly(following < count, BOOL)
        body.outputs = [operand(o, recorder) for o in (more, following, *filled)]
    first = exactly(staged(count) > 0, BOOL)
    inputs = tuple(operand(o, recorder) for o in (first, 0, *tables))
    results = recorder.record(find("loop"), inputs, {}, {"body": body})
    return [handle(value, recorder.region) for value in results[1:]]


def _filled(table, new, k):
    return apply(find("setitem"), table, new, k, at=(Slot(0),))
