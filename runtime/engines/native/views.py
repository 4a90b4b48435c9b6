"""Views in a piece: slices of arrays as addresses and steps, without an object.

    x[1:-1, ::2]        the address of its first element, its sizes, and bytes from one to the next
    x[:, None]          a new axis has one element
    x.reshape(2, -1)    the same elements with other sizes (`reshaped_views.py`)
    np.broadcast_to     from one element to the next are 0 bytes

Only kernels read views (`kernels/`).  Where a view leaves the piece, the NumPy program makes it.
A view keeps the array that it shows from being written into, as long as it is used.
"""

from typing import Any

from runtime.engines.native import arrays
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import INTEGER, NotLowered, is_scalar, kind_of, kind_of_dtype
from runtime.engines.native.reshaped_views import is_reshape, reshaped
from runtime.engines.native.text import Text
from runtime.engines.native.view_layout import View, moved, times
from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.slot import Slot
from runtime.ir.types import TensorType, is_array

REPEATS = ("broadcast_to", "grow_to")  # op names


def is_view_node(node: Node) -> bool:
    """Whether a node selects a part of an array by slices, gives it new axes or another shape, or
    transposes it."""
    if _is_transposition(node) or _is_whole(node) or is_reshape(node):
        return True
    if node.op.name in REPEATS:
        return bool(getattr(node.output.type, "ndim", 0))
    if node.op.name == "expand_dims":
        return bool(getattr(operand_type(node.inputs[0]), "ndim", 0))
    if node.op.name != "getitem" or not getattr(node.output.type, "ndim", 0):
        return False
    return is_simple(node.attributes["at"], node.inputs[1:])


def is_simple(at: tuple[Any, ...], indices: tuple[Operand, ...]) -> bool:
    """Whether a subscript has slices, new axes and integers only."""
    plain = (slice, type(None), type(Ellipsis))
    return all(isinstance(part, plain) or _is_index(part, indices) for part in at)


def _is_transposition(node: Node) -> bool:
    """Whether a node reverses the axes of an array."""
    kind = operand_type(node.inputs[0]) if node.inputs else None
    if not isinstance(kind, TensorType) or not is_array(kind):
        return False
    if node.op.name == "transpose":
        return all(value is None for value in node.attributes.values())
    if node.op.name != "swapaxes" or len(node.inputs) != 1:
        return False
    axes = [axis for axis in node.attributes.values() if isinstance(axis, int)]
    return kind.ndim == 2 and sorted(axis % 2 for axis in axes) == [0, 1]


def _is_whole(node: Node) -> bool:
    """Whether a node sums an array to a shape that the array has, unless a run has sizes of 1."""
    if node.op.name != "sum_to":
        return False
    kind, wanted = operand_type(node.inputs[0]), node.output.type
    if not isinstance(kind, TensorType) or not isinstance(wanted, TensorType):
        return False
    same = all(w is None or w == size for w, size in zip(wanted.shape, kind.shape, strict=False))
    return same and 0 < kind.ndim == wanted.ndim


def _is_index(part: object, indices: tuple[Operand, ...]) -> bool:
    operand = indices[part.index] if isinstance(part, Slot) else part
    if isinstance(operand, bool) or not isinstance(operand, int | Value):
        return False
    return not is_array(operand_type(operand))


def view_of(emitter: Emitter, value: Value, kind: TensorType) -> View:
    """The elements of an array or of a view."""
    found: View | None = emitter.views.get(value)
    if found is not None:
        return found
    sizes = arrays.sizes_of(emitter, value, kind)
    step, steps = str(kind.dtype.itemsize), []
    for size in reversed(sizes):
        steps.append(step)
        step = times(emitter.text, step, size)
    return View(emitter.held[value][arrays.DATA], tuple(sizes), tuple(steps[::-1]), len(sizes))


def define_view(emitter: Emitter, node: Node) -> None:
    """Makes the result of a node a view."""
    if node.op.name in REPEATS and is_scalar(operand_type(node.inputs[0])):
        emitter.views[node.output] = _filled(emitter, node)
        return
    base, kind = arrays.array_type_of(node.inputs[0])
    whole = view_of(emitter, base, kind)
    if _is_transposition(node):
        view = _transposed(whole)
    elif _is_whole(node):
        view = _checked(emitter, whole, node)
    elif is_reshape(node):
        view = reshaped(emitter, whole, node)
    elif node.op.name in REPEATS:
        view = _repeated(emitter, whole, kind, node)
    elif node.op.name == "expand_dims":
        view = part_of(emitter, whole, _new_axes(node), ())
    else:
        view = part_of(emitter, whole, node.attributes["at"], node.inputs[1:])
    emitter.views[node.output] = view
    emitter.ownership.views.setdefault(base, []).append(node.output)


def _checked(emitter: Emitter, whole: View, node: Node) -> View:
    """The same view, where it has the sizes that are wanted."""
    text = emitter.text
    for size, wanted in zip(whole.sizes, _wanted_sizes(emitter, node), strict=True):
        if size != wanted:
            text.leave_if(text.register(f"icmp ne i64 {size}, {wanted}"), Exit.SHAPE)
    return whole


def _transposed(whole: View) -> View:
    count, is_matrix = min(whole.contiguous, len(whole.sizes) == 1), len(whole.sizes) > 1
    sizes, steps = whole.sizes[::-1], whole.steps[::-1]
    address, is_reversed, is_grown = whole.address, whole.is_reversed, whole.is_grown
    return View(address, sizes, steps, count, is_reversed, is_matrix, is_grown)


def _new_axes(node: Node) -> tuple[Any, ...]:
    """The subscript that `np.expand_dims` stands for."""
    kind, axis = node.output.type, node.attributes["axis"]
    assert isinstance(kind, TensorType)
    new = {one % kind.ndim for one in (axis if isinstance(axis, tuple | list) else (axis,))}
    return tuple(None if i in new else slice(None) for i in range(kind.ndim))


def _wanted_sizes(emitter: Emitter, node: Node) -> list[str]:
    """The sizes of a shape that an array or a scalar is broadcast to."""
    kind = node.output.type
    assert isinstance(kind, TensorType)
    given = iter(node.inputs[1:])
    sizes = []
    for known in kind.shape:
        if isinstance(known, int):
            sizes.append(str(known))
            continue
        operand = next(given, None)
        if operand is None or not kind_of(operand_type(operand)).is_integer:
            raise NotLowered("an array that is broadcast to an unknown size has no machine code")
        sizes.append(emitter.scalar(operand, INTEGER))
        emitter.text.leave_outside(INTEGER, sizes[-1], 0, INTEGER.high, Exit.SIZE)
    return sizes


def _filled(emitter: Emitter, node: Node) -> View:
    """The view of a scalar that is broadcast to a shape: all elements are one place."""
    assert isinstance(node.output.type, TensorType)
    kind = kind_of_dtype(node.output.type.dtype)
    place, sizes = emitter.text.local(kind.memory), _wanted_sizes(emitter, node)
    emitter.text.line(
        f"store {kind.memory} {arrays.stored(emitter, node.inputs[0], kind)}, ptr {place}"
    )
    return View(place, tuple(sizes), ("0",) * len(sizes), 0, is_grown=True)


def _repeated(emitter: Emitter, whole: View, own: TensorType, node: Node) -> View:
    """The view of an array that is broadcast to a shape."""
    text, sizes = emitter.text, _wanted_sizes(emitter, node)
    added = len(sizes) - own.ndim
    steps = ["0"] * added
    for size, step, of_type, wanted in zip(
        whole.sizes, whole.steps, own.shape, sizes[added:], strict=True
    ):
        steps.append("0" if of_type == 1 else step)
        if of_type != 1 and size != wanted:
            text.leave_if(text.register(f"icmp ne i64 {size}, {wanted}"), Exit.SHAPE)
    contiguous = 0
    while contiguous < min(own.ndim, whole.contiguous) and own.shape[-1 - contiguous] != 1:
        contiguous += 1
    is_matrix = whole.is_transposed
    return View(
        whole.address, tuple(sizes), tuple(steps), contiguous, whole.is_reversed, is_matrix, True
    )


def is_element_of_view(emitter: Emitter, node: Node) -> bool:
    """Whether a node reads one element of a view."""
    return (
        node.op.name == "getitem"
        and node.inputs[0] in emitter.views
        and not is_array(node.output.type)
        and len(node.attributes["at"]) == len(emitter.views[node.inputs[0]].sizes)
    )


def read_element(emitter: Emitter, node: Node) -> None:
    """The lowering of an element of a view."""
    _, kind = arrays.array_type_of(node.inputs[0])
    whole = emitter.views[node.inputs[0]]
    place = part_of(emitter, whole, node.attributes["at"], node.inputs[1:]).address
    arrays.load(emitter, node, kind.dtype, place)


def part_of(emitter: Emitter, whole: View, at: tuple[Any, ...], indices: tuple[Any, ...]) -> View:
    """The part of a view at a subscript of slices and integers."""
    text, address = emitter.text, whole.address
    sizes, steps, exact = [], [], []
    is_reversed = whole.is_reversed
    parts = parts_of(at, len(whole.sizes))
    axes = iter(enumerate(zip(whole.sizes, whole.steps, strict=True)))
    is_next = True  # whether nothing lies between an axis and the one before it
    for part in parts:
        if part is None:
            sizes.append("1")
            steps.append("0")
            exact.append((True, is_next))
            is_next = True
            continue
        axis, (size, step) = next(axes)
        if not isinstance(part, slice):
            start = arrays.index_inside(emitter, part, indices, size)
            address = moved(text, address, start, step)
            is_next = False
            continue
        stride = part.step if part.step is not None else 1
        if type(stride) is not int or stride == 0:
            raise NotLowered("a slice whose step a run decides has no machine code")
        start, count = _extent(emitter, part, stride, indices, size)
        address = moved(text, address, start, step)
        sizes.append(count)
        steps.append(times(text, step, str(stride)))
        is_reversed |= stride < 0
        whole_axis = part.start is None and part.stop is None and stride == 1
        inside = axis >= len(whole.sizes) - whole.contiguous
        exact.append((inside and stride == 1, inside and whole_axis and is_next))
        is_next = True
    contiguous = 0 if whole.is_transposed else _contiguous(exact)
    is_transposed = whole.is_transposed and len(sizes) > 1
    is_grown = whole.is_grown or None in parts
    return View(
        address, tuple(sizes), tuple(steps), contiguous, is_reversed, is_transposed, is_grown
    )


def parts_of(at: tuple[Any, ...], dimensions: int) -> list[Any]:
    """The parts of a subscript, one for each axis of an array, and None for each new one."""
    taken = sum(part is not None and part is not Ellipsis for part in at)
    rest = [slice(None)] * (dimensions - taken)
    place = next((i for i, part in enumerate(at) if part is Ellipsis), len(at))
    return [*at[:place], *rest, *at[place + 1 :]]


def _contiguous(exact: list[tuple[bool, bool]]) -> int:
    """How many of the last axes follow each other at one distance."""
    count = 0
    for steps_by_one, is_whole in reversed(exact):
        if not steps_by_one:
            break
        count += 1
        if not is_whole:
            break
    return count


def _extent(
    emitter: Emitter, part: slice, stride: int, indices: tuple[Any, ...], size: str
) -> tuple[str, str]:
    """The first index of a slice, and its number of elements."""
    given = [_bound(part.start, indices), _bound(part.stop, indices)]
    if size.isdigit() and all(bound is None or isinstance(bound, int) for bound in given):
        found = range(*slice(given[0], given[1], stride).indices(int(size)))
        return str(found.start if len(found) else 0), str(len(found))
    text = emitter.text
    if stride < 0:
        if given != [None, None]:
            raise NotLowered("a slice that runs backwards from a bound has no machine code")
        last = text.register(f"sub i64 {size}, 1")
        is_empty = text.register(f"icmp eq i64 {size}, 0")
        start = text.register(f"select i1 {is_empty}, i64 0, i64 {last}")
        return start, _quotient(text, size, -stride)
    start = "0" if given[0] is None else _clipped(emitter, given[0], size)
    stop = size if given[1] is None else _clipped(emitter, given[1], size)
    length = text.register(f"sub i64 {stop}, {start}")
    is_empty = text.register(f"icmp slt i64 {length}, 0")
    return start, _quotient(
        text, text.register(f"select i1 {is_empty}, i64 0, i64 {length}"), stride
    )


def _bound(bound: object, indices: tuple[Any, ...]) -> object:
    return indices[bound.index] if isinstance(bound, Slot) else bound


def _quotient(text: Text, count: str, stride: int) -> str:
    """How many steps there are in a number of elements."""
    if stride == 1:
        return count
    return text.register(f"udiv i64 {text.register(f'add i64 {count}, {stride - 1}')}, {stride}")


def _clipped(emitter: Emitter, bound: object, size: str) -> str:
    """A bound of a slice, counted from the front and between 0 and the size."""
    if isinstance(bound, bool) or not isinstance(bound, int | Value):
        raise NotLowered("a bound of this type has no machine code")
    kind, text = kind_of(operand_type(bound)), emitter.text
    if not kind.is_integer or kind.family == "u" and kind.bits == 64:
        raise NotLowered("only signed integers are bounds in machine code")
    index = emitter.scalar(bound, INTEGER)
    below = text.register(f"icmp slt i64 {index}, 0")
    from_end = text.register(f"add i64 {index}, {size}")
    index = text.register(f"select i1 {below}, i64 {from_end}, i64 {index}")
    below = text.register(f"icmp slt i64 {index}, 0")
    index = text.register(f"select i1 {below}, i64 0, i64 {index}")
    above = text.register(f"icmp sgt i64 {index}, {size}")
    return text.register(f"select i1 {above}, i64 {size}, i64 {index}")


# -- sizes and addresses ---------------------------------------------------------------------------
