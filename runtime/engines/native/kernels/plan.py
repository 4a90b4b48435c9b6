"""Plans of kernels: which nodes are computed in one nest of loops, and how its rows lie.

    e = np.exp(x - m)             x: f64[n, k], m: f64[n, 1]: rows of k elements, n of them
    s = e.sum(axis=-1)            reduces the same rows

A kernel has one shape.  The axes from `split` on are one row: there all arrays are contiguous, or
broadcast.  Each axis before is a loop around the rows.  A reduction takes the axes of the row, or
all others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from runtime.engines.native.kernels.elements import Element, element_of
from runtime.engines.native.kernels.formulas import formula_of
from runtime.engines.native.kernels.inner_loops import (
    InnerLoop,
    Reduction,
    loop_for,
    reduction_of,
)
from runtime.engines.native.kinds import NotLowered, kind_of_dtype
from runtime.engines.native.view_layout import View
from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.types import TensorType, is_array

MOST_NODES = 200
Shape = tuple[object, ...]


def array_type(operand: Operand) -> TensorType | None:
    """The type of an operand that is an array with dimensions."""
    type = operand_type(operand)
    return type if isinstance(type, TensorType) and is_array(type) and type.ndim else None


def is_kernel_node(node: Node) -> bool:
    """Whether a node computes something for each element of an array."""
    if node.regions or node.op.effect is not None or len(node.outputs) != 1:
        return False
    if node.op.traits.reduction:
        return bool(node.inputs) and array_type(node.inputs[0]) is not None
    if node.op.name == "accumulated":  # what it adds may be smaller than the sum so far
        types = {operand_type(operand) for operand in (*node.inputs, *node.outputs)}
        return len(types) == 1 and array_type(node.output) is not None
    if not node.op.traits.elementwise or node.op.name == "copy":
        return False
    return array_type(node.outputs[0]) is not None


@dataclass
class Plan:
    """The nodes of one kernel.  `views` are those of the arrays that have no object."""

    views: Mapping[Operand, View] = field(default_factory=dict)
    formulas: bool = False  # whether the vector math computes functions
    nodes: list[Node] = field(default_factory=list)
    shape: Shape = ()
    elements: dict[Node, Element] = field(default_factory=dict)
    calls: dict[Node, InnerLoop] = field(default_factory=dict)
    reductions: dict[Node, Reduction] = field(default_factory=dict)
    inside: set[Value] = field(default_factory=set)
    outside: list[Value] = field(default_factory=list)  # arrays that the kernel reads
    split: int = 0
    by_columns: bool = False  # reductions take the axes before the row

    def add(self, node: Node) -> None:
        """Adds a node.  Raises `NotLowered`, and leaves the plan as it is, if it does not fit."""
        reduction = reduction_of(node) if node.op.traits.reduction else None
        element = None if reduction else element_of(node)
        call = None if reduction or element else loop_for(node)
        if call is not None and self.formulas:
            element = formula_of(node, call)
        shape = _shape(node.inputs[0] if reduction else node.output)
        arrays = [o for o in node.inputs if isinstance(o, Value) and array_type(o) is not None]
        if self.nodes:
            self._check(node, shape, arrays)
        new = [v for v in dict.fromkeys(arrays) if v not in self.inside and v not in self.outside]
        for value in new:
            element_type = array_type(value)
            assert element_type is not None
            kind_of_dtype(element_type.dtype)
        if any(value in self.views and self.views[value].is_transposed for value in new):
            raise NotLowered("the elements of a transposed array have no machine code")
        if reduction is not None:
            self._check_order(node.inputs[0])
        split, by_columns = self._split(shape, [*self.outside, *new], reduction)
        self.nodes.append(node)
        self.shape, self.split, self.by_columns = shape, split, by_columns
        self.outside += new
        if reduction is not None:
            self.reductions[node] = reduction
            return
        self.inside.add(node.output)
        if element is not None:
            self.elements[node] = element
        elif call is not None:
            self.calls[node] = call

    def _check_order(self, operand: Operand) -> None:
        """Raises `NotLowered` for a view that NumPy may reduce in another order."""
        view = self.views.get(operand)
        if view is not None and view.is_reversed:
            raise NotLowered("the reduction of a view that runs backwards has no machine code")
        if view is not None and view.is_grown:
            raise NotLowered("the reduction of a view with a new axis has no machine code")

    def _check(self, node: Node, shape: Shape, arrays: list[Value]) -> None:
        results = {reduction.output for reduction in self.reductions}
        if len(self.nodes) >= MOST_NODES or shape != self.shape or results & set(node.inputs):
            raise NotLowered("the node is computed by another kernel")
        known = all(isinstance(size, int) for size in shape)
        if not known and not any(v in self.inside or v in self.outside for v in arrays):
            raise NotLowered("the node may be computed for other sizes")

    def _split(
        self, shape: Shape, arrays: list[Value], reduction: Reduction | None
    ) -> tuple[int, bool]:
        """Where rows begin, and whether reductions take the axes before."""
        least = _first_axis_of_rows(shape, arrays, self.views)
        others = [r for r in self.reductions.values()]
        found = {
            _rows_of(one, len(shape)) for one in [*others, *([reduction] if reduction else [])]
        }
        if not found:
            return least, False
        if len(found) > 1 or min(found)[0] < least:
            raise NotLowered("the reduction has no machine code")
        return found.pop()

    def makers(self) -> dict[Value, Node]:
        """The node that computes each value."""
        return {node.output: node for node in self.nodes}


def _shape(operand: Operand) -> Shape:
    type = array_type(operand)
    assert type is not None
    return tuple(type.shape)


def _rows_of(reduction: Reduction, dimensions: int) -> tuple[int, bool]:
    """Where the rows of a reduction begin, and whether it takes the axes before."""
    axes = reduction.axes
    if axes == tuple(range(dimensions - len(axes), dimensions)):
        return dimensions - len(axes), False
    if axes == tuple(range(len(axes))):
        return len(axes), True
    raise NotLowered("a reduction along axes in the middle has no machine code")


def key_of(operand: Operand) -> object:
    """A key of an operand: equal numbers of Python may be different constants."""
    return operand if isinstance(operand, Value) else (type(operand), repr(operand))


def is_broadcast(size: object, whole: object) -> bool:
    """Whether an array with one size on an axis is repeated along it."""
    return size == 1 and whole != 1


def patterns(shape: Shape, value: Value) -> list[bool | None]:
    """For each axis of a kernel whether an array is repeated along it; None for size 1."""
    own = _shape(value)
    found: list[bool | None] = [True] * (len(shape) - len(own))
    found += [
        is_broadcast(size, whole) for size, whole in zip(own, shape[len(found) :], strict=True)
    ]
    return [None if whole == 1 else one for one, whole in zip(found, shape, strict=True)]


def _first_axis_of_rows(shape: Shape, arrays: list[Value], views: Mapping[Operand, View]) -> int:
    first = 0
    for value in arrays:
        found = patterns(shape, value)
        if value in views:
            first = max(first, len(found) - max(1, views[value].contiguous))
        start = len(found)
        while start and len({*found[start - 1 :]} - {None}) <= 1:
            start -= 1
        first = max(first, start)
    return first
