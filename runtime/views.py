"""Views: what stands in the memory of another array, and changes with it.

    v = x[1:3]
    v[0] = 5            writes into x
    x[1] = 7            is seen through v

Graphs have no memory, only values.  A view is a recipe: where its base stands for another value
than when it was last looked at, it is computed again; what is written into it goes to its base.
"""

from typing import Any

import numpy as np

from runtime import trace
from runtime.errors import staging_error
from runtime.ir import Graph
from runtime.op import Op, find
from runtime.tensor import Tensor, record_op
from runtime.types import TensorType


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
        at = self.root._at
        if at is not self._seen and trace.current() is not None:
            self._compute_again(at)
        return self._now

    @_at.setter
    def _at(self, found):
        self._now, self._seen = found, self.root._at

    def _compute_again(self, at):
        """Computes the view from the root as it stands at `at`, and the views on the way to it."""
        stale = [self]
        while isinstance(base := stale[-1].base, View) and base._seen is not at:
            stale.append(base)
        for view in reversed(stale):
            operands = (view.base, *view._others)
            (view._now,) = record_op(view._op, operands, view._attributes)
            view._seen = at

    def _assign(self, new: Tensor) -> None:
        if self._op.name in INVERSES:
            undone = INVERSES[self._op.name](new, self.base, **self._attributes)
            self.base._assign(undone)
            self._at = new._at
            return
        if self._op.name != "getitem":
            raise staging_error(
                f"an array is written into through a view that {self._op.name} made of it",
                "Graphs follow such a view only where it is read.",
                "Write into the array itself.",
            )
        operands = (self.base, new, *self._others)
        (found,) = record_op(find("setitem"), operands, self._attributes)
        self.base._assign(Tensor(*found))
        self._at = new._at


def _transposed_back(new, base, axes=None):
    order = None if axes is None else tuple(int(i) for i in np.argsort(np.mod(axes, base.ndim)))
    return np.transpose(new, order)


# How what is written into a view becomes what its base is: ops that NumPy never copies for.
INVERSES = {
    "transpose": _transposed_back,
    "swapaxes": lambda new, base, axis1, axis2: np.swapaxes(new, axis1, axis2),
    "expand_dims": lambda new, base, axis: np.squeeze(new, axis),
    "squeeze": lambda new, base, axis=None: np.reshape(new, base.shape),
}


def as_view(found: tuple[Any, Graph], op: Op, operands: tuple, attributes: dict) -> Tensor:
    """The result of an op as a view of its first operand, where NumPy would give one."""
    base, *others = operands
    kind = found[0].type
    shares = op.shares and isinstance(base, Tensor) and isinstance(kind, TensorType) and kind.ndim
    if not shares or any(_selects(other) for other in others):
        return Tensor(*found)
    return View(found, op, base, tuple(others), attributes)


def _selects(index):
    """Whether an index is an array, which picks elements and copies them."""
    return getattr(index, "ndim", 0) > 0 or isinstance(index, np.bool)
