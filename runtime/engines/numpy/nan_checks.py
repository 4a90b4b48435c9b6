"""Numerics: where do nan and inf come from?

    FloatingPointError: divide makes inf of finite numbers
      model.py, line 12, in ratio
          return a / b
                 ^^^^^
    The result is f64[3], inf at [2] (1 of 3 elements).  It was made of a: f64[3], from 1.0 to
    3.0; b: f64[3], from 0.0 to 2.0.
    Keep such numbers away from it with an `if` or `np.where`; or, where they are meant, ...

Asked is every operation that makes floats: for each element, where it can be told which elements
of the operands it is made of, else for the result as a whole.  What is nan or inf already may go
on: an operand, a constant of the user's, an option such as `initial=np.inf`.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from autograph.errors import Place, message
from runtime.engines.numpy.instrumentation import Instrument
from runtime.ir.graph import Node, Value
from runtime.ir.types import COMPLEX, FLOAT, TensorType
from runtime.ops.index import subscript_text

# Ops that make nothing of their own.
MOVING = {"constant", "zero", "unreachable", "cond", "loop"}
REMEDY = (
    "Keep such numbers away from it with an `if` or `np.where`; or, where they are meant, run it "
    "`with rt.config.temporarily(check_numerics=False)`."
)


class Checked(Instrument):
    """Looks at each result, and raises `FloatingPointError` where nan or inf comes into being."""

    def __init__(self) -> None:
        self._nodes: list[Node] = []
        self._name = ""

    def start(self, writer):
        self._name = writer.global_name("check", self.check)

    def after(self, writer, node):
        if node.op.name in MOVING or not any(map(_is_float, node.outputs)):
            return
        results, operands = list(map(writer.operand, node.outputs)), list(node.inputs)
        if node.op.name == "setitem":  # what has been stored, beside what was to be stored
            _, stored, *indices = operands
            at = subscript_text(node.attributes["at"], list(map(writer.operand, indices)))
            results, operands = [f"{results[0]}[{at}]"], [stored]
        made = results[0] if len(results) == 1 else f"({', '.join(results)})"
        arguments = [str(len(self._nodes)), made, *map(writer.operand, operands)]
        self._nodes.append(node)
        writer.aside(f"{self._name}({', '.join(arguments)})")

    def check(self, number: int, made: Any, *operands: Any) -> None:
        """Raises `FloatingPointError` if an operation has made nan or inf of finite operands."""
        node = self._nodes[number]
        for result in made if isinstance(made, tuple) else (made,):
            if not _is_finite(result):
                bad = _came_into_being(node, np.asarray(result), operands)
                if bad.any():
                    raise FloatingPointError(_told(node, np.asarray(result), bad, operands))


def _is_float(value: Value) -> bool:
    kind = value.type
    return kind.dtype.kind in "fc" if isinstance(kind, TensorType) else kind in (FLOAT, COMPLEX)


def _is_finite(part: Any) -> bool:
    """Whether a value holds neither nan nor inf; texts, dtypes and the like do not."""
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


def _came_into_being(node: Node, result: np.ndarray, operands: Iterable[Any]) -> np.ndarray:
    """The elements that are nan or inf although what they were made of is finite."""
    bad = ~np.isfinite(result)
    if not _is_finite(node.attributes):
        return np.zeros_like(bad)
    for operand in operands:
        if not _is_finite(operand):
            bad = bad & np.isfinite(operand) if _is_elementwise(node) else np.zeros_like(bad)
    return bad


def _is_elementwise(node: Node) -> bool:
    """Whether each element of the result is made of the elements that broadcast to its place."""
    if node.op.name in ("cast", "where"):
        return True
    function = node.op.numpy
    return isinstance(function, np.ufunc) and function.signature is None and not node.attributes


# -- the message -----------------------------------------------------------------------------------


def _told(node: Node, result: np.ndarray, bad: np.ndarray, operands: tuple) -> str:
    place = tuple(map(int, np.argwhere(bad)[0]))
    kind = str(result[place]) if result.dtype.kind == "f" else _complex_kind(result[place])
    at = f" at [{', '.join(map(str, place))}]" if place else ""
    total = f" ({np.count_nonzero(bad)} of {bad.size} elements)" if place else ""
    named = node.inputs[1:2] if node.op.name == "setitem" else node.inputs
    described = [_described(*pair) for pair in zip(named, operands, strict=True)]
    why = f"The result is {_type(result)}, {result[place]}{at}{total}."
    if described:
        why += f"  It was made of {'; '.join(dict.fromkeys(described))}."
    what = f"{node.op.name.strip('_')} makes {kind} of finite numbers"
    return message(what, _place(node), why, REMEDY)


def _complex_kind(number: complex) -> str:
    return "nan" if np.isnan(number) else "inf"


def _described(operand: Any, value: Any) -> str:
    """An operand by the user's name: its type, and between which numbers its elements are."""
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


def _place(node: Node) -> Place | None:
    where = node.location
    if where is None:
        return None
    start, end = where.columns or (None, None)
    return Place(where.filename, where.lineno, where.function, start, end)
