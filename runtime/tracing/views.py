"""Views: what stands in the memory of another array, and changes with it.

    v = x[1:3]
    v[0] = 5            writes into x
    x[1] = 7            is seen through v

Graphs have no memory, only values.  A view is a recipe: where its base stands for another value
than when it was last looked at, it is computed again; what is written into it goes to its base.
"""

from typing import Any

import numpy as np

from runtime.ir.graph import Graph
from runtime.ir.op import Op, find
from runtime.ir.types import is_array
from runtime.ops.updates import FLAT, PERHAPS
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor, apply, record_op


class Snapshot(Tensor):
    """What an array that shares memory stood for at some time; `handle` is the array."""

    __slots__ = ("handle",)

    def __init__(self, found: tuple[Any, Graph], handle: Tensor):
        super().__init__(*found)
        self.handle = handle


class View(Tensor):
    """An array in the memory of `base`, and so of `root`, the array at the end of all views."""

    __slots__ = ("_attributes", "_now", "_op", "_others", "_seen", "base", "root")

    def __init__(self, found: tuple[Any, Graph], op: Op, base: Tensor, others, attributes):
        self.base, self._op, self._others, self._attributes = base, op, others, attributes
        self.root: Tensor = base.root if isinstance(base, View) else base
        self._at = found

    @property
    def _at(self):
        """What the view stands for now; computed again where its root has changed."""
        at, recorder = self.root._at, trace.current()
        if recorder is not None and not self._is_current(at, recorder):
            self._compute_again(at, recorder)
        return self._now

    @_at.setter
    def _at(self, found):
        self._now, self._seen = found, self.root._at

    def _is_current(self, at, recorder):
        """Whether what was computed last is that of the root at `at`, and can be used here."""
        return at is self._seen and self._now[1] in recorder.regions

    def _compute_again(self, at, recorder):
        """Computes the view from the root as it stands at `at`, and the views on the way to it."""
        stale = [self]
        while isinstance(base := stale[-1].base, View) and not base._is_current(at, recorder):
            stale.append(base)
        for view in reversed(stale):
            if at is not view._seen:
                view._check_shared()
            operands = (view.base, *view._others)
            (view._now,) = record_op(view._op, operands, view._attributes)
            view._seen = at

    def snapshot(self) -> Tensor:
        """What the view stands for now, which remembers the view."""
        return Snapshot(self._at, self)

    def origin(self) -> Tensor:
        """What the view stood for first, computed from what its base stood for first."""
        (found,) = record_op(self._op, (self.base.origin(), *self._others), self._attributes)
        return Tensor(*found)

    def _check_shared(self):
        """Records a check that NumPy gives a view here, where that depends on the array."""
        if self._op.name in PERHAPS:
            operands = (self.base.origin(), *self._others)
            record_op(find("check_shared"), operands, {"view": self._op.name, **self._attributes})

    def _assign(self, new: Tensor) -> None:
        self._check_shared()
        self.base._assign(self._undone(new))
        self._at = new._at

    def _undone(self, new):
        """What the base is once the view is `new`."""
        name = self._op.name
        if name in INVERSES:
            return INVERSES[name](new, self.base, **self._attributes)
        operands, attributes = (self.base, new, *self._others), self._attributes
        if name == "getitem":
            (found,) = record_op(find("setitem"), operands, attributes)
        else:
            (found,) = record_op(find("written_through"), operands, {"view": name, **attributes})
        return Tensor(*found)


def _transposed_back(new, base, axes=None):
    order = None if axes is None else tuple(int(i) for i in np.argsort(np.mod(axes, base.ndim)))
    return np.transpose(new, order)


# How what is written into a view becomes what its base is: ops that NumPy never copies for.
INVERSES = {
    "transpose": _transposed_back,
    "swapaxes": lambda new, base, axis1, axis2: np.swapaxes(new, axis1, axis2),
    "expand_dims": lambda new, base, axis: np.squeeze(new, axis),
}


def as_view(found: tuple[Any, Graph], op: Op, operands: tuple, attributes: dict) -> Tensor:
    """The result of an op as a view of its first operand, where NumPy would give one."""
    base, *others = operands
    shares = isinstance(base, Tensor) and is_array(base.type) and is_array(found[0].type)
    if not shares or any(_selects(other) for other in others):
        return Tensor(*found)
    return View(found, op, base, tuple(others), attributes)


def is_staged_array(value: Any) -> bool:
    """Whether a value is a staged array: others may hold the same, and see it change."""
    return isinstance(value, Tensor) and is_array(value.type)


def is_view_of(value: Any, other: Tensor) -> bool:
    """Whether a value is a view of an array, or a view of such a view."""
    while isinstance(value, View):
        value = value.base
        if value is other:
            return True
    return False


def stands_for(value: Any, other: Any) -> bool:
    """Whether a value is what `other` stood for when it was made, or a view of that."""
    if not (is_staged_array(value) and is_staged_array(other)):
        return False
    root = value.root if isinstance(value, View) else value
    return root._origin[0] is other._origin[0]


def _selects(index):
    """Whether an index is an array, which picks elements and copies them."""
    if getattr(index, "ndim", 0) > 0:
        return True
    return isinstance(index, (Tensor, np.ndarray, np.generic)) and index.dtype.kind == "b"


class Flat:
    """`x.flat`: the elements of an array in a row, read and written by one index."""

    def __init__(self, array: Tensor):
        self.base = array

    def __getitem__(self, key):
        return apply(find("ravel"), self.base).copy()[key]

    def __setitem__(self, key, value):
        from runtime.tracing.numpy_api.dispatch import change

        key = np.asarray(key) if isinstance(key, list) else key
        change(FLAT, (self.base, key, value), {})

    def __len__(self):
        return self.base.size

    def __iter__(self):
        return iter(apply(find("ravel"), self.base).copy())
