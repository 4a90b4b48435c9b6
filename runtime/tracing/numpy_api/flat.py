"""`x.flat`: the elements of a staged array in one row, read and written by one index."""

import numpy as np

from runtime.ir.op import find
from runtime.ops.updates import FLAT
from runtime.tracing.numpy_api.foreign_calls import record_write
from runtime.tracing.tensor import Tensor, apply


class Flat:
    """The value of `x.flat`."""

    def __init__(self, array: Tensor):
        self.base = array

    def __getitem__(self, key):
        return apply(find("ravel"), self.base).copy()[key]

    def __setitem__(self, key, value):
        key = np.asarray(key) if isinstance(key, list) else key
        record_write(FLAT, (self.base, key, value), {})

    def __len__(self):
        return self.base.size

    def __iter__(self):
        return iter(apply(find("ravel"), self.base).copy())


def _set_flat(array, value):
    Flat(array)[:] = value


Tensor.flat = property(Flat, _set_flat)  # type: ignore[attr-defined]
