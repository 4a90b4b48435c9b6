"""Functions of NumPy that follow the memory layout of an array.

    np.nditer(x)                                            the elements in the order of memory
    np.lib.stride_tricks.as_strided(x, shape, strides)      a view of the memory

The layout is that of the call for which the graph is recorded (`numpy_api/memory_layout.py`).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.errors import MemoryLayoutError, staging_error, unsupported
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.staging.calls.registry import answers
from runtime.staging.containers import StagedView
from runtime.staging.loop_trials import refuse_in_trial
from runtime.tracing import trace
from runtime.tracing.aliases import unknown_alias, view
from runtime.tracing.numpy_api.memory_layout import known_array
from runtime.tracing.tensor import Tensor, is_staged, record_op, staged


@answers(np.nditer)
def staged_nditer(op: Any, *args: Any, **options: Any) -> Any:
    """The elements of an array, one by one, as arrays without dimensions."""
    if not is_staged(op):
        return np.nditer(op, *args, **options)
    options.update(zip(("flags", "op_flags"), args, strict=False))
    flags, access = options.get("flags") or (), options.get("op_flags") or ()
    access = access[0] if access and isinstance(access[0], (list, tuple)) else access
    is_known = len(args) <= 2 and not options.keys() - {"order", "flags", "op_flags"}
    is_known &= set(access) <= {"readonly", "readwrite"} and set(flags) <= {"multi_index"}
    if not isinstance(op, Tensor) or not is_known:
        raise _refused(
            "np.nditer is called with options, or on several arrays, of which one is staged",
            "Loop over np.ndindex(x.shape); np.nditer(x, flags=['multi_index']) works.",
        )
    if flags or access:
        return Nditer(op, options.get("order", "K"))
    return _in_order(op, options.get("order", "K"))


class Nditer(StagedView):
    """`np.nditer(x, flags=["multi_index"])`: its positions are known while recording."""

    def __init__(self, array: Tensor, order: str):
        if order == "C" and all(isinstance(size, int) for size in array.shape):
            known: Any = np.empty(array.shape)
        else:
            known = known_array(array, "np.nditer: the order of the elements in memory")
        self._array = array
        self._places = np.nditer(known, ["multi_index", "zerosize_ok"], order=order)

    def __getattr__(self, name: str) -> Any:
        if name not in ("finished", "multi_index", "iterindex", "itersize", "ndim", "shape"):
            raise unsupported(f"the attribute {name!r} of np.nditer")
        return getattr(self._places, name)

    def __getitem__(self, number: int) -> Any:
        if number not in (0, -1):
            raise IndexError(f"Iterator operand index {number} is out of bounds")
        return self._array[(*self._places.multi_index, ...)]

    def __setitem__(self, number: int, value: Any) -> None:
        self[number][...] = value

    def iternext(self) -> bool:
        """Goes to the next position; whether there is one."""
        self._refuse_in_run()
        return self._places.iternext()

    def reset(self) -> None:
        """Goes to the first position."""
        self._refuse_in_run()
        self._places.reset()

    def _refuse_in_run(self):
        refuse_in_trial("it moves np.nditer")
        if trace.current().depends_on_run:
            raise staging_error(
                "np.nditer is moved in a staged branch or loop",
                "Its position is known while the graph is being built; each run would move it.",
                "Loop over np.ndindex(x.shape).",
                MemoryLayoutError,
            )

    def __iter__(self) -> Iterator[Any]:
        while not self.finished:
            yield self[0]
            self.iternext()

    def __enter__(self) -> "Nditer":
        return self

    def __exit__(self, *error: Any) -> None:
        pass


def _in_order(array: Tensor, order: str) -> Iterator[Any]:
    if order == "C":
        return (array[(*place, ...)] for place in np.ndindex(array.shape))
    known = known_array(array, "np.nditer: the order of the elements in memory")
    positions = np.nditer(known, ["multi_index"], order=order)
    return (array[(*positions.multi_index, ...)] for _ in positions)


@answers(np.lib.stride_tricks.as_strided)
def staged_as_strided(
    x: Any,
    shape: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
    subok: bool = False,
    writeable: bool = True,
) -> Any:
    """A view of the memory of an array that is contiguous."""
    if not is_staged(x):
        return np.lib.stride_tricks.as_strided(x, shape, strides, subok, writeable)
    known = known_array(staged(x), "as_strided: the memory")
    shape = known.shape if shape is None else tuple(shape)
    strides = known.strides if strides is None else tuple(strides)
    places = np.zeros(shape, np.intp)
    for axis, (size, stride) in enumerate(zip(shape, strides, strict=True)):
        along = [1] * len(shape)
        along[axis] = size
        places += (np.arange(size) * stride).reshape(along)
    positions, rest = np.divmod(places, known.itemsize)
    is_inside = not places.size or 0 <= positions.min() <= positions.max() < known.size
    if not (known.flags.c_contiguous and is_inside and writeable) or rest.any():
        raise _refused(
            "as_strided is called on a staged array that is not contiguous, or leaves its memory",
            "Use np.lib.stride_tricks.sliding_window_view, or subscripts.",
        )
    base, at = np.ravel(x), {"at": (Slot(0),)}
    (found,) = record_op(find("getitem"), (base, staged(positions)), at)
    if np.unique(positions).size == positions.size:
        return view(found, find("getitem"), base, (staged(positions),), at)
    return unknown_alias(found, (base,), "the result of as_strided")


def _refused(what: str, remedy: str) -> BaseException:
    why = "The order of the elements in memory is not known, and graphs have values only."
    return staging_error(what, why, remedy, MemoryLayoutError)
