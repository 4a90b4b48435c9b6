"""How many elements the arrays of a graph have at most: sizes that the caller names, or numbers.

x: f64[n], v = x[1:-1]: f64[None]      v has at most n elements
y = zeros(len(x)): f64[None]           y has exactly n elements
y = zeros(len(x) + 1): f64[None]       y has at most n + 1 elements
y = zeros(k), where a run computes k   no bound is known
"""

from collections.abc import Iterator, Sequence
from typing import Any

from runtime.engines.native.views import is_view_node, parts_of
from runtime.export.library.extents import Size, added, multiplied
from runtime.ir.graph import Graph, Node, Operand, Value, operand_type
from runtime.ir.regions import is_choice, is_loop
from runtime.ir.slot import Slot
from runtime.ir.types import TensorType, is_array

# op names: arithmetic of which bounds are known
ARITHMETIC = ("add", "subtract", "multiply", "floor_divide")


class Bounds:
    """The bounds of all arrays of a graph; if `is_exact`, the sizes themselves."""

    def __init__(self, graph: Graph, is_exact: bool = False) -> None:
        self.is_exact = is_exact
        self.known: dict[Value, tuple[Size, ...]] = {}
        self.sizes: dict[Operand, Size] = {}  # bounds of scalars that are sizes of arrays
        self.negative: set[Operand] = set()  # those that may be negative
        self._graph(graph)

    def of(self, value: Value) -> tuple[Size, ...]:
        """A bound for each axis of an array."""
        assert isinstance(value.type, TensorType)
        found = self.known.get(value)
        if found is not None:
            return found
        return tuple(size if isinstance(size, int | str) else None for size in value.type.shape)

    def _graph(self, graph: Graph) -> None:
        for node in graph.nodes:
            if is_loop(node):
                self._loop(node)
                continue
            for region in node.regions.values():
                self._graph(region)
            if is_choice(node):
                self._cond(node)
                continue
            if node.op.name == "size" and isinstance(node.inputs[0], Value):
                self.sizes[node.output] = self.of(node.inputs[0])[node.attributes["axis"]]
            elif not self.is_exact and node.op.name in ARITHMETIC:
                self._number(node)
            for value in node.outputs:
                if _is_open(value):
                    self.known[value] = self._joined(value, self._computed(node))

    def _number(self, node: Node) -> None:
        """A bound for a number that is computed from sizes."""
        (one, other), constant = map(self._size, node.inputs), node.inputs[1]
        found: Size = None
        # op names: arithmetic of sizes
        if node.op.name == "add":
            found = added(one, other)
        elif node.op.name == "multiply":
            found = multiplied(one, other) if self.negative.isdisjoint(node.inputs) else None
        elif isinstance(constant, int):  # a difference or a quotient
            found = one if constant > 0 else added(one, -constant)
        if found is not None:
            self.sizes[node.output] = found
        if node.op.name == "subtract" or not self.negative.isdisjoint(node.inputs):
            self.negative.add(node.output)

    def _size(self, operand: Operand) -> Size:
        if isinstance(operand, Value):
            return self.sizes.get(operand)
        return max(operand, 0) if type(operand) is int else None

    def _joined(self, value: Value, found: tuple[Size, ...] | None) -> tuple[Size, ...]:
        """The sizes that a type knows, and the bounds found for the others."""
        own = self.of(value)
        if found is None or len(found) != len(own):
            return own
        return tuple(b if a is None else a for a, b in zip(own, found, strict=True))

    def _computed(self, node: Node) -> tuple[Size, ...] | None:
        if node.op.name == "full":
            return tuple(self._filled(node))
        arrays = [o for o in node.inputs if isinstance(o, Value) and is_array(o.type)]
        if node.op.traits.elementwise and node.op.name != "copy":
            return self._broadcast(arrays)
        if not arrays:
            return None
        # op names: those whose sizes are sums and products
        if node.op.name == "relax":
            return self._relaxed(arrays[0], node.attributes["shape"])
        if node.op.name == "concatenate" and not self.is_exact:
            return self._concatenated(arrays, node.attributes.get("axis", 0))
        if node.op.traits.keeps_sizes:
            return self.of(arrays[0])
        if node.op.name == "transpose" and is_view_node(node):
            return self.of(arrays[0])[::-1]
        if node.op.name == "getitem" and is_view_node(node):
            return tuple(self._part(arrays[0], node.attributes["at"]))
        if node.op.traits.reduction:
            return self._reduced(arrays[0], node.attributes)
        return None

    def _filled(self, node: Node) -> Iterator[Size]:
        rest, shape = iter(node.inputs[1:]), node.attributes["shape"]
        for size in shape if isinstance(shape, tuple | list) else (shape,):
            yield self.sizes.get(next(rest)) if size is None else size

    def _relaxed(self, array: Value, shape: Sequence[Size]) -> tuple[Size, ...]:
        """The same elements: an axis has at most all of them."""
        sizes = self.of(array)
        if len(shape) == len(sizes):
            return tuple(b if a is None else a for a, b in zip(shape, sizes, strict=True))
        if self.is_exact:
            return tuple(shape)
        whole = multiplied(*sizes)
        return tuple(whole if size is None else size for size in shape)

    def _concatenated(self, arrays: list[Value], axis: int) -> tuple[Size, ...]:
        sizes = list(self._broadcast(arrays))
        sizes[axis] = added(*(self.of(array)[axis] for array in arrays))
        return tuple(sizes)

    def _broadcast(self, arrays: list[Value]) -> tuple[Size, ...]:
        """The sizes of operands differ only where one of them is 1."""
        bounds = [self.of(value)[::-1] for value in arrays]
        found: list[Size] = []
        for axis in range(max(map(len, bounds), default=0)):
            sizes = [one[axis] for one in bounds if axis < len(one) and one[axis] != 1]
            known = [size for size in sizes if size is not None]
            is_open = self.is_exact and (len(known) < len(sizes) or len({*known}) > 1)
            found.append(1 if not sizes else None if is_open or not known else known[0])
        return tuple(found[::-1])

    def _part(self, base: Value, at: tuple[Any, ...]) -> Iterator[Size]:
        sizes = self.of(base)
        rest = iter(sizes)
        for part in parts_of(at, len(sizes)):
            if part is None:
                yield 1
                continue
            size = next(rest)
            if isinstance(part, slice):
                yield None if self.is_exact and part != slice(None) else size
            else:
                assert isinstance(part, int | Slot)

    def _reduced(self, base: Value, attributes: dict[str, Any]) -> tuple[Size, ...] | None:
        axis, sizes = attributes.get("axis"), self.of(base)
        axes = range(len(sizes)) if axis is None else (axis,) if isinstance(axis, int) else axis
        taken = {one % len(sizes) for one in axes}
        if attributes.get("keepdims"):
            return tuple(1 if i in taken else size for i, size in enumerate(sizes))
        return tuple(size for i, size in enumerate(sizes) if i not in taken)

    # -- regions -----------------------------------------------------------------------------------

    def _cond(self, node: Node) -> None:
        ways = [region.outputs for region in node.regions.values()]
        for value, *results in zip(node.outputs, *ways, strict=True):
            if _is_open(value):
                self.known[value] = self._joined(value, self._equal(results))
            elif not self.is_exact and not is_array(value.type):
                bounds = list(map(self._size, results))
                found = bounds[0] if len({*bounds}) == 1 else added(*bounds)
                if found is not None:
                    self.sizes[value] = found
                    if not self.negative.isdisjoint(results):
                        self.negative.add(value)

    def _loop(self, node: Node) -> None:
        """A variable keeps the bound that it starts with, if each iteration does."""
        region = node.regions["body"]
        variables = [value for value in region.inputs if _is_open(value)]
        starts = dict(zip(region.inputs, node.inputs[1:], strict=True))
        for value in variables:
            self.known[value] = self._joined(value, self._equal([starts[value]]))
        self._graph(region)
        ends = dict(zip(region.inputs, region.outputs[1:], strict=True))
        for value in variables:
            if self._equal([value, ends[value]]) is None:
                self.known[value] = (None,) * len(self.of(value))
        if any(None in self.known[value] for value in variables):  # what rests on it is unknown
            inside = _inside(region)
            self.known = {one: found for one, found in self.known.items() if one not in inside}
        for value, variable in zip(node.outputs, region.inputs, strict=True):
            if _is_open(value):
                self.known[value] = self._joined(value, self.of(variable))

    def _equal(self, operands: list[Operand]) -> tuple[Size, ...] | None:
        """The bounds of operands that all have the same ones."""
        found = {self.of(o) for o in operands if isinstance(o, Value) and is_array(o.type)}
        return found.pop() if len(found) == 1 else None


def _is_open(value: Value) -> bool:
    """Whether the type of an array leaves a size open."""
    type = operand_type(value)
    if not isinstance(type, TensorType) or not is_array(type):
        return False
    return any(not isinstance(size, int | str) for size in type.shape)


def _inside(region: Graph) -> set[Value]:
    """All values of a region and of those in it."""
    found = set(region.inputs)
    for node in region.nodes:
        found.update(node.outputs)
        for inner in node.regions.values():
            found |= _inside(inner)
    return found
