"""Finds the operation that makes a nan or an infinity.

    FloatingPointError: divide makes inf of finite numbers
      model.py, line 12, in ratio
          return a / b
                 ^^^^^
    The result is f64[3], inf at [2] (1 of 3 elements).  It was computed from a: f64[3], from 1.0 to
    3.0; b: f64[3], from 0.0 to 2.0.
    Keep such numbers away from it with an `if` or `np.where`; or, where they are meant, ...

Every operation that makes floats is checked: element by element if it is elementwise, else as a
whole.  A nan or infinity that was there before may pass: in an operand, in a constant of the user's
code, in an option such as `initial=np.inf`.

An executable that is compiled with a check calls it after each operation with the results and the
operands; one without knows nothing of it.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from autograph.errors import message
from runtime.ir.graph import Node, Value
from runtime.ir.op import find
from runtime.ir.types import COMPLEX, FLOAT, TensorType, UnionType

REMEDY = (
    "Keep such numbers away from it with an `if` or `np.where`; or, where they are meant, run it "
    "`with rt.config.temporarily(check_numerics=False)`."
)


class NanCheck:
    """Raises `FloatingPointError` if an operation makes nan or inf of finite operands."""

    def __init__(self) -> None:
        self._nodes: list[Node] = []

    def number(self, node: Node) -> int | None:
        """Adds a node to those that are checked, and returns its number; None if the node needs no
        check."""
        if node.op.arity == 0 or node.regions or not any(map(_is_float, node.outputs)):
            return None
        self._nodes.append(node)
        return len(self._nodes) - 1

    def check(self, number: int, results: Any, *operands: Any) -> None:
        """Looks at the results of the node with that number: one, or a tuple of several.

        Raises `FloatingPointError`.
        """
        node = self._nodes[number]
        if node.op.name == "setitem":  # only the elements that were stored are new
            _, stored, *indices = operands
            results = find("getitem").evaluate(np, (results, *indices), node.attributes)
            operands = (stored,)
        for result in results if isinstance(results, tuple) else (results,):
            if not _is_finite(result):
                bad = _new_elements(node, np.asarray(result), operands)
                if bad.any():
                    raise FloatingPointError(_explained(node, np.asarray(result), bad, operands))


def _is_float(value: Value) -> bool:
    kind = value.type
    has_dtype = isinstance(kind, TensorType | UnionType)
    return kind.dtype.kind in "fc" if has_dtype else kind in (FLOAT, COMPLEX)


def _is_finite(part: Any) -> bool:
    """Whether a value holds neither nan nor inf; strings, dtypes and the like do not."""
    match part:
        case float() | complex() | np.inexact() | np.ndarray():
            return bool(np.isfinite(part).all())
        case list() | tuple():
            return all(map(_is_finite, part))
        case dict():
            return all(map(_is_finite, part.values()))
        case slice():
            return True
    return True


def _new_elements(node: Node, result: np.ndarray, operands: Iterable[Any]) -> Any:
    """Which elements are nan or inf although the operands that they depend on are finite."""
    bad: Any = ~np.isfinite(result)
    if not _is_finite(node.attributes):
        return np.zeros_like(bad)
    for operand in operands:
        if not _is_finite(operand):
            bad = bad & np.isfinite(operand) if node.op.traits.elementwise else np.zeros_like(bad)
    return bad


# -- the message -----------------------------------------------------------------------------------


def _explained(node: Node, result: np.ndarray, bad: np.ndarray, operands: tuple[Any, ...]) -> str:
    place = tuple(map(int, np.argwhere(bad)[0]))
    kind = str(result[place]) if result.dtype.kind == "f" else _complex_kind(result[place])
    at = f" at [{', '.join(map(str, place))}]" if place else ""
    total = f" ({np.count_nonzero(bad)} of {bad.size} elements)" if place else ""
    named = node.inputs[1:2] if node.op.name == "setitem" else node.inputs
    described = [_described(*pair) for pair in zip(named, operands, strict=True)]
    why = f"The result is {_type(result)}, {result[place]}{at}{total}."
    if described:
        why += f"  It was computed from {'; '.join(dict.fromkeys(described))}."
    what = f"{node.op.name.strip('_')} makes {kind} of finite numbers"
    return message(what, node.location and node.location.in_message, why, REMEDY)


def _complex_kind(scalar: complex) -> str:
    return "nan" if np.isnan(scalar) else "inf"


def _described(operand: Any, value: Any) -> str:
    """An operand by the user's name: its type, and the range of its elements."""
    if not isinstance(operand, Value):
        return repr(operand)
    name = f"{operand.hint}: {operand.type}"
    array = np.asarray(value) if not isinstance(value, (list, tuple)) else None
    if array is None or not array.size or array.dtype.kind not in "biuf":
        return name
    finite = array[np.isfinite(array)]
    if not finite.size:
        return name
    if array.ndim == 0:
        return f"{name}, {array[()]}"
    return f"{name}, from {finite.min()} to {finite.max()}"


def _type(array: np.ndarray) -> str:
    return str(TensorType(array.dtype, array.shape))
