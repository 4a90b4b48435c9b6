"""Example calls of every op: operands and attributes for tests.

    calls_of(find("tanh"))       [((array([[ 1.53, -2.21, ...]]),), {}), ...]

Tests evaluate, differentiate and batch each op with its examples, and compare its traits with the
results, without naming any op.  The examples of most ops follow from their type rules: operands
from a common pool, and values of optional attributes, that the rule accepts.  An op with required
attributes or special operands has examples in its record (`Op.examples`).
"""

import inspect
import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.ir.op import Op
from runtime.ir.pytree import flatten
from runtime.ir.slot import Slot
from runtime.ir.types import type_of

Call = tuple[tuple[Any, ...], dict[str, Any]]

# Numbers that are not round, since functions have jumps and kinks at round ones.
MATRIX = np.array([[1.53, -2.21, 0.74], [3.27, 0.52, -0.36]])
NARROW = np.array([[0.51, -0.23, 0.77], [0.12, 0.86, -0.37]])  # between -1 and 1
LARGE = np.array([[1.57, 2.29, 5.71], [3.21, 10.6, 1.37]])  # greater than 1
SQUARE = np.array([[3.12, 0.41, -0.27], [0.35, 2.64, 0.58], [-0.19, 0.83, 4.07]])
ROW = np.array([1.28, -0.47, 1.9])
SCALAR = np.float64(0.53)
INDICES = np.array([1, 0, 1])
ITEMS = [np.float64(1.53), np.float64(-0.52), np.float64(2.24)]
ARRAYS = [ROW, ROW * 2]

for _array in (MATRIX, NARROW, LARGE, SQUARE, ROW, INDICES, *ARRAYS):
    _array.flags.writeable = False

MOST = 5  # derived calls per op
OPERANDS: dict[int, list[tuple[Any, ...]]] = {
    0: [()],
    1: [
        (MATRIX,),
        (NARROW,),
        (LARGE,),
        (SQUARE,),
        (ROW,),
        (SCALAR,),
        (np.float64(1.7),),
        (np.int64(5),),
        (INDICES,),
        (MATRIX > 0,),
    ],
    2: [
        (MATRIX, ROW),
        (LARGE, NARROW),
        (LARGE, ROW[:1]),
        (NARROW, NARROW),
        (SQUARE, ROW),
        (SQUARE, SQUARE),
        (ROW, LARGE[0]),
        (ROW, ROW),
        (SCALAR, SCALAR),
        (np.float64(1.7), SCALAR),
        (LARGE[0], np.array([1, 0])),
        (INDICES + 4, np.array([1, 0])),
        (MATRIX, INDICES),
        (INDICES, INDICES + 2),
        (MATRIX > 0, NARROW > 0),
        (ROW > 0, INDICES),
        (np.int64(5), np.int64(3)),
    ],
    3: [
        (MATRIX > 0, MATRIX, ROW),
        (ROW, INDICES, ROW),
        (LARGE[0], INDICES, LARGE[1]),
        (LARGE[0], INDICES, INDICES),
        (INDICES, INDICES, INDICES + 1),
        (ROW > 0, INDICES, ROW < 0),
    ],
}
# Values of optional attributes, by name.
OPTIONS: dict[str, tuple[Any, ...]] = {
    "axis": (0, -1),
    "keepdims": (True,),
    "axes": ((1, 0),),
    "ddof": (1,),
    "offset": (1,),
}


def call(*operands: Any, **attributes: Any) -> Call:
    """An example call, as a record states it."""
    return operands, attributes


def library_call(*operands: Any, **named: Any) -> Call:
    """An example call of a function that graphs call directly (`ops/library.py`)."""
    slots = tuple(Slot(index) for index in range(len(operands)))
    return operands, {"given": slots, "named": tuple(named.items())}


def calls_of(op: Op) -> list[Call]:
    """The example calls of an op; none if its type rule accepts no operands from the pool."""
    return _derived(op) if op.examples is None else op.examples()


def _derived(op: Op) -> list[Call]:
    """Up to `MOST` calls, with as few operands as the op accepts."""
    parameters = inspect.signature(op.infer).parameters.values()
    is_called = {"given", "named"} <= {parameter.name for parameter in parameters}
    optional = [
        parameter.name
        for parameter in parameters
        if parameter.default is not parameter.empty and parameter.name in OPTIONS
    ]
    for count in (1, 2, 3) if op.arity is None else (op.arity,):
        tried = (
            library_call(*operands) if is_called else (operands, attributes)
            for attributes in _attributes(optional)
            for operands in OPERANDS[count]
        )
        found = list(itertools.islice((one for one in tried if _accepts(op, one)), MOST))
        if found:
            return found
    return []


def _attributes(optional: list[str]) -> Iterator[dict[str, Any]]:
    yield {}
    for name in optional:
        yield from ({name: value} for value in OPTIONS[name])


def _accepts(op: Op, example: Call) -> bool:
    """Whether the type rule of an op accepts operands, and the value for them is finite."""
    operands, attributes = example
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            op.infer(*map(type_of, operands), **attributes)
            leaves, _ = flatten(op.evaluate(np, operands, attributes))
        except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError):
            return False
        except (np.linalg.LinAlgError, NotImplementedError):
            return False
    return all(np.isfinite(leaf).all() for leaf in leaves if np.asarray(leaf).dtype.kind in "fc")
