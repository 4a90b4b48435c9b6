"""Tangents by transposition: from a rule for cotangents, the tangents that it implies.

    adjoint(u)             the cotangent of x, for a cotangent u of y: linear in u
    d/du <adjoint(u), t_x>     the tangent of y: nothing of the adjoint itself is left in the graph

The pushforward is the transpose of the pullback (as in JAX, read the other way round).
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.ir.graph import Value
from runtime.ir.op import find
from runtime.ir.types import FLOAT, ListType, PythonType
from runtime.tracing.tensor import Tensor, apply
from runtime.tracing.trace import Trace
from runtime.transforms.node_range import NodeRange
from runtime.transforms.replay import Replay
from runtime.transforms.reverse.activity import ActiveValues, is_differentiable
from runtime.transforms.reverse.backward import Reverse, seed
from runtime.transforms.reverse.cotangents import Cotangents


def transposed(
    recorder: Trace, results: Sequence[Value], tangents: Sequence[Any], adjoint: Callable
) -> list[Any]:
    """The tangents of results, None for zero.

    `adjoint` maps cotangents of the results (None for those without derivatives) to cotangents of
    some operands, and is linear; `tangents` are the tangents of these operands.
    """
    directions: list[Any] = []

    def product():
        directions.extend(_directions(recorder, results))
        total: Any = None
        for cotangent, tangent in zip(adjoint(directions), tangents, strict=True):
            if tangent is not None and cotangent is not None:
                term = _inner(cotangent, tangent)
                total = term if total is None else total + term
        return total

    total, written = NodeRange.of(recorder, product)
    dependent = ActiveValues([one._value for one in directions if one is not None])
    dependent.visit(written.nodes)
    if total is None or total._value not in dependent:
        return [None] * len(results)
    back = Reverse(recorder, dependent, Cotangents(recorder))
    back.cotangents.add(total._value, seed(total))
    back.walk([written])
    return [None if one is None else back.cotangents.of(one._value) for one in directions]


def _directions(recorder, results):
    """Values for the cotangents of results, with respect to which one can differentiate."""
    alias, zero = find("alias"), Cotangents(recorder).zero
    return [apply(alias, zero(v)) if is_differentiable(v.type) else None for v in results]


def _inner(cotangent, tangent):
    """The inner product of a cotangent and a tangent, as a real number."""
    if isinstance(cotangent.type, ListType):
        return _inner_of_lists(cotangent, tangent)
    if isinstance(cotangent.type, PythonType) and cotangent.dtype.kind == "f":
        return cotangent * tangent
    if cotangent.dtype.kind == "c" or tangent.dtype.kind == "c":
        real = np.real(cotangent) * np.real(tangent)
        return np.sum(real) + np.sum(np.imag(cotangent) * np.imag(tangent))
    return np.sum(cotangent * tangent)


def _inner_of_lists(cotangent, tangent):
    """The sum of the inner products of the elements of two lists."""
    replay, one, other = Replay(), cotangent._value, tangent._value
    length = replay.record("list_length", one)

    def turn(i, total):
        items = (
            Tensor(replay.record("list_get", items, i), replay.recorder.region)
            for items in (one, other)
        )
        found = apply(find("number"), _inner(*items), type=FLOAT)
        total = replay.record("add", total, found._value)
        i = replay.record("add", i, 1)
        return replay.record("less", i, length), i, total

    more = replay.record("greater", length, 0)
    total = replay.repeat(more, (0, 0.0), turn)[1]
    return Tensor(total, replay.recorder.region)
