"""NumPy functions that graphs support, with arguments for them."""

import math

import numpy as np

from runtime.ir import op as ops

VECTOR = np.array([0.5, -1.0, 0.25])
POSITIVE = np.array([0.5, 2.0, 1.25])
MATRIX = np.array([[1.5, -2.0, 0.25], [4.0, 0.0, -6.5]])
SQUARE = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 5.0]])
WHOLE = np.array([2, 0, 1])
BITS = np.array([True, False, True])
BYTES = np.array([3, 200, 7], np.uint8)
CUBE = np.arange(16.0).reshape(2, 2, 2, 2) + np.eye(4).reshape(2, 2, 2, 2) * 9
NUMBER, SMALL = np.float64(0.5), np.int64(3)

# Arguments that the functions of `LIBRARY` are called with: each accepts at least one of these.
ARGUMENTS = [
    (VECTOR,), (POSITIVE,), (MATRIX,), (SQUARE,), (WHOLE,), (BITS,), (BYTES,), (CUBE,),
    (NUMBER,), (SMALL,), (VECTOR, POSITIVE), (SQUARE, VECTOR), (WHOLE, SMALL), (BITS, VECTOR),
    (SQUARE, 2), (WHOLE, (VECTOR, POSITIVE, VECTOR)), ((BITS, ~BITS), (VECTOR, POSITIVE)),
    ((SQUARE, SQUARE),), ((WHOLE, WHOLE),), (NUMBER, 3.0), (VECTOR, VECTOR, 1), (VECTOR, 1),
    (VECTOR, 50), (POSITIVE, 0.5), (VECTOR, (1, 2), (3.0, 4.0)), (VECTOR, 1, 9.0), (SMALL, (2, 5)),
    ((WHOLE, WHOLE), (3, 3)), ("ij,jk->ik", SQUARE, SQUARE), (CUBE, np.ones((2, 2))),
    (VECTOR, WHOLE, 0), (VECTOR, WHOLE), (NUMBER, SMALL, 5), (WHOLE, SMALL, 5), ((VECTOR, NUMBER),),
    ((VECTOR, VECTOR), (POSITIVE, VECTOR)), (SMALL, np.int64(2)), (BITS, BITS),
    (WHOLE, (0, 2)), (POSITIVE, (0, 2)), (VECTOR, SQUARE), (SQUARE, SQUARE), (NUMBER, 2),
]  # fmt: skip

INTEGERS = np.array([[7, -2, 3], [4, 5, -6]])
SINGLE = np.array([1.5, -0.5], np.float32)
ROW = np.array([3.0, -1.0, 2.0])

# Operands of ufuncs, by how many they have.
OPERANDS = {
    1: [(MATRIX,), (ROW,), (INTEGERS,), (BITS,), (SINGLE,), (NUMBER,), (np.int8(-3),)],
    2: [
        (MATRIX, ROW),
        (INTEGERS, 2),
        (INTEGERS, np.int8(3)),
        (SINGLE, 0.5),
        (BITS, BITS),
        (np.int64(7), np.int64(2)),
        (MATRIX, INTEGERS),
    ],
}
UFUNCS = sorted(
    (r for r in ops.records() if isinstance(r.numpy, np.ufunc) and r.numpy.signature is None),
    key=lambda record: record.name,
)


def calling(function):
    """A Python function that calls `function`; those of `math` by name, so that they are staged."""
    if getattr(function, "__module__", None) == "math":
        return lambda *arguments: getattr(math, function.__name__)(*arguments)
    return lambda *arguments: function(*arguments)
