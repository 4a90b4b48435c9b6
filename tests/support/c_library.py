"""Runs functions as C libraries, by ctypes: arguments in, results and arrays written into out."""

import ctypes
import math
import shutil
import tempfile
import weakref
from pathlib import Path

import numpy as np

import runtime as rt
from runtime.export.library.building import lowerable
from runtime.export.library.extents import Extent
from runtime.export.library.header import parameters_of
from runtime.export.library.signature import signature_of
from runtime.ir.types import is_array

SCALARS = {
    "b1": ctypes.c_bool, "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32,
    "i64": ctypes.c_int64, "u8": ctypes.c_uint8, "u16": ctypes.c_uint16, "u32": ctypes.c_uint32,
    "u64": ctypes.c_uint64, "f32": ctypes.c_float, "f64": ctypes.c_double,
}  # fmt: skip


class CLibrary:
    """A graph as a C library, which is called with the arguments of Python."""

    def __init__(self, concrete):
        self.concrete = concrete
        self.signature = signature_of(concrete, lowerable(concrete), "tested")
        folder = tempfile.mkdtemp()
        # A `TemporaryDirectory` that is garbage warns in whichever test runs then; this does not.
        weakref.finalize(self, shutil.rmtree, folder)
        path = Path(folder) / "tested"
        self.library = rt.compile_library(concrete, path, name="tested")
        loaded = ctypes.CDLL(str(self.library.shared))
        self.function = loaded.tested
        self.workspace_size = getattr(loaded, "tested_workspace", None)
        if self.workspace_size is not None:
            self.workspace_size.restype = ctypes.c_int64

    def __call__(self, *leaves, spare=0):
        """The status, the message, and the results; `leaves` are the arguments in order."""
        given, sizes, results, written = [], {}, [], []
        for parameter, leaf in zip(self.signature.parameters, leaves, strict=True):
            kind = parameter.value.type
            if is_array(kind):
                named = zip(kind.shape, leaf.shape, strict=True)
                sizes |= {name: size for name, size in named if isinstance(name, str)}
                assert leaf.flags.c_contiguous
                given.append(ctypes.c_void_p(leaf.ctypes.data))
            else:
                given.append(_scalar(kind)(leaf))
        for result in self.signature.results:
            if not result.is_argument:
                shape = result.bounds or getattr(result.type, "shape", ())
                shape = [_evaluated(size, sizes) for size in shape]
                results.append(np.full(shape, 77, result.type.dtype))
                given.append(ctypes.c_void_p(results[-1].ctypes.data))
                written.append(np.full(len(shape), -1) if result.bounds else None)
                if result.bounds:
                    given.append(ctypes.c_void_p(written[-1].ctypes.data))
        shapes = (ctypes.c_int64 * len(sizes))(*(sizes[name] for name in self.signature.sizes))
        if sizes:
            given.insert(0, shapes)
        if self.workspace_size is not None:
            needed = self.workspace_size(*([shapes] if sizes else [])) + spare
            room = np.full(max(needed, 0) // 8 + 2, 0x7FF8_DEAD_BEEF_0001, np.int64)
            given += [ctypes.c_void_p(room.ctypes.data), ctypes.c_int64(needed)]
        message = ctypes.c_char_p()
        status = self.function(*given, ctypes.byref(message))
        if self.workspace_size is not None:
            assert room[needed // 8 + (needed % 8 > 0) :].min() == 0x7FF8_DEAD_BEEF_0001
        assert len(given) + 1 == len(parameters_of(self.signature, self.workspace_size is not None))
        for i, shape in enumerate(written):
            if status == 0 and shape is not None:
                results[i] = results[i].reshape(-1)[: shape.prod()].reshape(shape)
        return status, (message.value or b"").decode(), results


def _evaluated(size, sizes):
    """The number that a bound is, for some sizes."""
    if not isinstance(size, Extent):
        return sizes.get(size, size)
    return sum(count * math.prod(sizes[one] for one in product) for product, count in size.terms)


def _scalar(kind):
    dtype = np.dtype(kind.dtype)
    name = "b1" if dtype.kind == "b" else f"{dtype.kind}{8 * dtype.itemsize}"
    return SCALARS[name]
