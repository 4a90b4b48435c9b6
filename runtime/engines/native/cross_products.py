"""The lowering of cross products of rows of three floats, with NumPy's operations and their bits.

    np.cross(a, b)      a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1], and so on

Other cross products are calls of NumPy.
"""

from typing import Any

from runtime.engines.native import arrays
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.kernels.counting import Counted
from runtime.engines.native.kinds import NotLowered, kind_of_dtype
from runtime.engines.native.lowering import lowers
from runtime.engines.native.view_layout import View, moved
from runtime.engines.native.views import view_of
from runtime.ir.graph import Node
from runtime.ir.slot import Slot
from runtime.ir.types import TensorType


@lowers("cross")
def cross(emitter: Emitter, node: Node) -> None:
    kind = node.output.type
    if node.attributes["given"] != (Slot(0), Slot(1)) or node.attributes["named"]:
        raise NotLowered("a cross product along another axis has no machine code")
    assert isinstance(kind, TensorType)
    operands = [arrays.array_type_of(operand) for operand in node.inputs]
    views = [view_of(emitter, value, type) for value, type in operands]
    for (_, type), view in zip(operands, views, strict=True):
        _check(type, kind, view, views[0])
    text, sizes = emitter.text, list(views[0].sizes)
    made = arrays.allocated(emitter, kind, sizes)
    text.count_work(arrays.product(text, sizes))
    whole = View(made[arrays.DATA], tuple(sizes), _steps(kind), len(sizes))
    if kind.ndim == 1:
        _row(emitter, kind, views, whole)
    else:
        loop = Counted(text, sizes[0])
        _row(
            emitter,
            kind,
            [_at(emitter, view, loop.index) for view in views],
            _at(emitter, whole, loop.index),
        )
        loop.close()
    emitter.held[node.output] = made if isinstance(kind.shape[0], int) else (*made, sizes[0])
    emitter.ownership.define(node.output, made[arrays.OBJECT])
    emitter.ownership.sole.add(node.output)


def _check(type: TensorType, kind: TensorType, view: View, first: View) -> None:
    """Raises `NotLowered` for arrays that the loop has no code for."""
    is_plain = type.dtype == kind.dtype and kind.dtype.kind == "f" and type.shape[-1:] == (3,)
    if not is_plain or type.shape != kind.shape or kind.ndim > 2 or view.sizes != first.sizes:
        raise NotLowered("a cross product of these types has no machine code")


def _steps(kind: TensorType) -> tuple[str, ...]:
    size = kind.dtype.itemsize
    return (str(3 * size), str(size))[-kind.ndim :]


def _at(emitter: Emitter, view: View, index: str) -> View:
    """A row of a view."""
    address = moved(emitter.text, view.address, index, view.steps[0])
    return View(address, view.sizes[1:], view.steps[1:], 0)


def _row(emitter: Emitter, kind: TensorType, views: list[View], target: View) -> None:
    """Computes one product of two rows."""
    text, element = emitter.text, kind_of_dtype(kind.dtype)
    a, b = ([_element(emitter, kind.dtype, view, i) for i in range(3)] for view in views)
    for i in range(3):
        one = text.float("fmul", element, a[i - 2], b[i - 1])
        other = text.float("fmul", element, a[i - 1], b[i - 2])
        found = text.float("fsub", element, one, other)
        where = moved(text, target.address, str(i), target.steps[0])
        text.line(f"store {element.memory} {found}, ptr {where}")


def _element(emitter: Emitter, dtype: Any, view: View, index: int) -> str:
    where = moved(emitter.text, view.address, str(index), view.steps[0])
    return emitter.text.register(f"load {kind_of_dtype(dtype).memory}, ptr {where}")
