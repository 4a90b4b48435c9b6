"""The rows of the table in C, compiled by gcc: the least time that one can expect.

    compiled()            the library of `limits.c`, or None without a compiler
    Limit(library, fn)    a row: called as the function is; `seconds` times calls without Python

The loops are compiled with `-O3 -march=native -ffast-math`, so `exp` and `tanh` are the vector math
of the C library.  The result is not allocated by a call; there are no guards and no checks.
"""

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

COMPILER = "gcc"
FLAGS = ("-O3", "-march=native", "-ffast-math", "-shared", "-fPIC")
SOURCE = Path(__file__).with_suffix(".c")
INTEGER = np.int64
# The names of functions with a row in C: an array for the result.
RESULTS: dict[str, Callable[..., np.ndarray]] = {
    "collatz": lambda a: np.empty((), INTEGER),
    "collatz_sum": lambda n: np.empty((), INTEGER),
    "mandelbrot": lambda height, width, most: np.empty((height, width), np.int32),
    "levenshtein": lambda a, b: np.empty((), INTEGER),
    "sieve": lambda n: np.empty(n + 1, np.bool_),
    "squares": lambda n: np.empty(n, INTEGER),
    "primes": lambda n: np.empty((), INTEGER),
    "chain": np.empty_like,
    "fused_sum": lambda x: np.empty((), x.dtype),
    "softmax": np.empty_like,
    "jacobi": lambda x, n: np.empty_like(x),
    "descent": lambda w, x, y, n: np.empty_like(w),
    "recurrent": lambda x, h, *others: np.empty_like(h),
    "slope_of_chain": lambda x, w: np.empty_like(x),
    "slope_of_loop": lambda x, w, n: np.empty_like(x),
}


class Operand(ctypes.Structure):
    """An array: the address of its elements, and its sizes."""

    _fields_ = (("data", ctypes.c_void_p), ("shape", ctypes.c_int64 * 4))


@cache
def compiled() -> ctypes.CDLL | None:
    """The library; None if there is no compiler."""
    compiler = shutil.which(COMPILER)
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "limits.so"))
        subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", path, "-lm"], check=True)
        library = ctypes.CDLL(path)  # it stays when the file is gone
    library.seconds_of.restype = ctypes.c_double
    return library


class Limit:
    """A row in C."""

    def __init__(self, library: ctypes.CDLL, fn: Callable[..., Any]) -> None:
        """Raises `NotImplementedError` for a function without a row in C."""
        if fn.__name__ not in RESULTS:
            raise NotImplementedError(fn.__name__)
        self.library, self.name = library, fn.__name__

    def __call__(self, *arguments: Any) -> np.ndarray:
        """The result of one call."""
        return self._timed(arguments, 1)[0]

    def seconds(self, arguments: tuple[Any, ...], calls: int) -> float:
        """The time of a call, the mean of some."""
        return self._timed(arguments, calls)[1] / calls

    def _timed(self, arguments: tuple[Any, ...], calls: int) -> tuple[np.ndarray, float]:
        result = RESULTS[self.name](*arguments)
        arrays = [np.ascontiguousarray(argument) for argument in arguments] + [result]
        operands = (Operand * len(arrays))()
        for operand, array in zip(operands, arrays, strict=True):
            operand.data = array.ctypes.data
            operand.shape[: array.ndim] = array.shape
        row = getattr(self.library, self._symbol(result.dtype))
        return result, self.library.seconds_of(row, operands, ctypes.c_int64(calls))

    def _symbol(self, dtype: np.dtype) -> str:
        both = self.name == "fused_sum"  # written for each of two dtypes
        return f"{self.name}_of_f{8 * dtype.itemsize}" if both else self.name
