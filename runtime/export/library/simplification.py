"""Operations without a lowering, written with others that have one.

    scaled(d, y)            where(isnan(d * y) & (d == 0), 0, d * y)
    grow_to(x, n)           full(x, n)                          x is a scalar
    sum_to(x, n)            x                                   x has n elements
    stack([x, y])           a new array, into which x and y are written
    x.reshape(2, 3)         relax(x): the same elements with another shape

Others are replaced by definitions in Python (`definitions/`).  `relax` has a lowering here
(`sharing.py`).  Values are those of the operations that are replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.engines.native.views import is_view_node
from runtime.export.library.inlining import definition_of, placed
from runtime.ir.graph import Graph, Node, Operand, Value, operand_type
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.ir.types import TensorType, Type, is_array
from runtime.passes.dead_code import remove_dead_code

Size = int | str | Value
Sizes = tuple[Size | None, ...]


def simplified(graph: Graph) -> Graph:
    """The graph with operations that have lowerings; it is changed in place."""
    _Walk().graph(graph)
    return remove_dead_code(graph)


class _Walk:
    """Rewrites nodes in order, and collects facts about the values that they compute."""

    def __init__(self) -> None:
        self.made: list[Node] = []
        self.numbers: dict[Value, int | float] = {}  # scalars that are known
        self.sizes: dict[Value, Size] = {}  # scalars that are sizes of arrays
        self.exact: dict[Value, Sizes] = {}  # the sizes of arrays of which the type says less
        self.views: set[Operand] = set()
        self.node: Node | None = None

    def graph(self, graph: Graph) -> None:
        outer, outer_node = self.made, self.node
        self.made = []
        pending = graph.nodes[::-1]
        while pending:
            node = pending.pop()
            self._look(node)
            self.node = node
            for region in node.regions.values():
                self.graph(region)
            self.node = node
            if node.regions:
                node.inputs = tuple(map(self.with_elements, node.inputs))
            rewrite = REWRITES.get(node.op.name)
            if rewrite is not None and rewrite(self, node):
                continue
            definition = definition_of(node)
            if definition is None:
                self.made.append(node)
            else:
                pending += placed(definition, node)[::-1]
        self.node = self.node if outer_node is None else outer_node
        if self.node is not None:
            graph.outputs = list(map(self.with_elements, graph.outputs))
        graph.nodes[:] = self.made
        self.made = outer

    def add(self, name: str, inputs: tuple[Operand, ...], output: Value | Type, **attributes: Any):
        """Adds a node; returns its result, a new value if a type is given."""
        assert self.node is not None
        value = output if isinstance(output, Value) else Value(output, name)
        node = Node(find(name), inputs, (value,), attributes, {}, self.node.location)
        self.made.append(node)
        return value

    def with_elements(self, operand: Operand) -> Operand:
        """An operand with elements of its own: a copy of a view."""
        if operand not in self.views:
            return operand
        type = operand_type(operand)
        assert isinstance(type, TensorType)
        return self.add("cast", (operand,), type, dtype=type.dtype)

    # -- facts -------------------------------------------------------------------------------------

    def _look(self, node: Node) -> None:
        if len(node.outputs) != 1:
            return
        value, given = node.output, node.inputs
        if is_view_node(node):
            self.views.add(value)
        if node.op.name == "size" and _is_proper(given[0]):
            size = self.sizes_of(given[0])[node.attributes["axis"]]
            self.sizes[value] = value if size is None else size
        elif node.op.name == "constant" and not node.attributes["value"].ndim:
            self.numbers[value] = node.attributes["value"].item()
        elif node.op.name == "where" and not any(isinstance(one, Value) for one in given):
            self.numbers[value] = given[1] if given[0] else given[2]
        elif is_array(value.type):
            self.exact[value] = self._exact(node)

    def _exact(self, node: Node) -> Sizes:
        arrays = [one for one in node.inputs if _is_proper(one)]
        # op names: those whose shape is an attribute
        if node.op.name in ("grow_to", "sum_to", "full"):
            return self.filled(node)
        if node.op.name in ("setitem", "copy") or node.op.traits.elementwise and len(arrays) == 1:
            return self.sizes_of(node.inputs[0] if node.op.name == "setitem" else arrays[0])
        if node.op.traits.elementwise:
            found = {self.sizes_of(one) for one in arrays}
            if len(found) == 1 and None not in next(iter(found)):
                return found.pop()
        return self.sizes_of(node.output)

    def filled(self, node: Node) -> Sizes:
        """A shape whose sizes that are None are the further operands."""
        rest = iter(node.inputs[1:])
        shape = node.attributes["shape"]
        sizes = (shape,) if isinstance(shape, int) or shape is None else tuple(shape)
        given = (next(rest) if size is None else size for size in sizes)
        return tuple(self.sizes.get(one, one) if isinstance(one, Value) else one for one in given)

    def sizes_of(self, operand: Operand) -> Sizes:
        """The sizes of an array, as far as they are known."""
        if isinstance(operand, Value) and operand in self.exact:
            return self.exact[operand]
        type = operand_type(operand)
        return tuple(type.shape) if isinstance(type, TensorType) else ()

    # -- rewritings: each says whether it has replaced the node ------------------------------------

    def scaled(self, node: Node) -> bool:
        type = node.output.type
        if not _is_proper(node.output):
            return False
        truths = TensorType(np.dtype(bool), type.shape)
        product = self.add("multiply", node.inputs, type)
        is_nan = self.add("isnan", (product,), truths)
        is_zero = self._zeros(node.inputs[0], truths)
        if node.op.name == "jointly_scaled":
            other = self._zeros(node.inputs[1], truths)
            is_zero = self.add("logical_or", (is_zero, other), truths)
        both = self.add("logical_and", (is_nan, is_zero), truths)
        self.add("where", (both, 0.0, product), node.output)
        return True

    def _zeros(self, operand: Operand, truths: TensorType) -> Value:
        """Where an operand is zero: for each element, or one bit."""
        type = operand_type(operand)
        shape = type.shape if isinstance(type, TensorType) else ()
        return self.add("equal", (operand, 0), TensorType(truths.dtype, shape))

    def power(self, node: Node) -> bool:
        base, exponent = node.inputs
        number = self.numbers.get(exponent) if isinstance(exponent, Value) else exponent
        type = operand_type(base)
        if not isinstance(type, TensorType) or type.dtype.kind != "f" or type != node.output.type:
            return False
        name = {1: "positive", 2: "square", 0.5: "sqrt", -1: "reciprocal"}.get(number)
        if name is None or isinstance(number, bool) or not _is_proper(base):
            return False
        self.add(name, (base,), node.output)
        return True

    def same_elements(self, node: Node) -> bool:
        if not _is_proper(node.inputs[0]) or not _is_proper(node.output):
            return False
        self.add("relax", node.inputs[:1], node.output, shape=node.output.type.shape)
        return True

    def sum_to(self, node: Node) -> bool:
        own, wanted = self.sizes_of(node.inputs[0]), self.filled(node)
        if own == wanted and None not in own:
            return self.same_elements(node)
        known = [size for size in (*own, *wanted) if not isinstance(size, int)]
        if known or not _is_proper(node.inputs[0]):
            return False
        added = len(own) - len(wanted)
        axes = tuple(range(added)) + tuple(
            added + i for i, size in enumerate(wanted) if size == 1 != own[added + i]
        )
        if added and len(axes) > added or not wanted and len(axes) < len(own):
            return False
        self.add("sum", node.inputs[:1], node.output, axis=axes, keepdims=not added)
        return True

    def grow_to(self, node: Node) -> bool:
        operand = node.inputs[0]
        if not _is_proper(node.output):
            return False
        if not _is_proper(operand):
            sizes = node.inputs[1:]
            shape = node.attributes["shape"]
            self.add("full", (operand, *sizes), node.output, shape=shape)
            return True
        if any(not isinstance(size, int) for size in node.output.type.shape):
            own, wanted = self.sizes_of(operand), self.exact.get(node.output, ())
            return own == wanted and None not in own and self.same_elements(node)
        self.add("cast", (operand,), node.output, dtype=node.output.type.dtype)
        return True

    def swapaxes(self, node: Node) -> bool:
        count = len(self.sizes_of(node.inputs[0]))
        axes = {node.attributes["axis1"] % count, node.attributes["axis2"] % count}
        if count != 2 or axes != {0, 1}:
            return False
        self.add("transpose", node.inputs, node.output)
        return True

    def full_like(self, node: Node) -> bool:
        given = _arguments(node)
        type = node.output.type
        if len(given) not in (2, 3) or not _is_proper(node.output) or not _is_proper(given[0]):
            return False
        assert isinstance(type, TensorType)
        sizes = [
            self.add("size", (given[0],), operand_type(0), axis=axis)
            for axis, size in enumerate(type.shape)
            if not isinstance(size, int)
        ]
        sized = tuple(size if isinstance(size, int) else None for size in type.shape)
        self.add("full", (given[1], *sizes), node.output, shape=sized)
        return True

    def clip(self, node: Node) -> bool:
        given = _arguments(node)
        if len(given) != 3 or None in given[1:] or not _is_proper(node.output):
            return False
        larger = self.add("maximum", (given[0], given[1]), node.output.type)
        self.add("minimum", (larger, given[2]), node.output)
        return True

    def copy(self, node: Node) -> bool:
        if node.inputs[0] not in self.views:
            return False
        self.add("cast", node.inputs, node.output, dtype=node.output.type.dtype)
        return True

    def zero(self, node: Node) -> bool:
        type = node.output.type
        if not _is_proper(node.output) or not all(isinstance(size, int) for size in type.shape):
            return False
        self.add("full", (np.zeros((), type.dtype).item(),), node.output, shape=type.shape)
        return True

    def converted(self, node: Node) -> bool:
        """A number of NumPy of a dtype: `np.int64(n)`."""
        operand, type = node.inputs[0] if node.inputs else None, node.output.type
        if is_array(type) or not isinstance(operand, Value) or not isinstance(type, TensorType):
            return False
        self.add("cast", (operand,), node.output, dtype=type.dtype)
        return True

    def divmod(self, node: Node) -> bool:
        for name, output in zip(("floor_divide", "remainder"), node.outputs, strict=True):
            self.add(name, node.inputs, output)
        return True

    def setitem(self, node: Node) -> bool:
        """A row or a scalar is written to a part of an array that slices select."""
        (array, source, *indices), at = node.inputs, node.attributes["at"]
        type = operand_type(array)
        assert isinstance(type, TensorType)
        part = (*at, *[slice(None)] * (type.ndim - len(at)))
        if not any(isinstance(one, slice) for one in part):
            return False
        if not _is_proper(source):
            source = self.add("full", (source,), TensorType(type.dtype, (1,)), shape=(1,))
        self.add("setitem", (array, source, *indices), node.output, at=part)
        return True

    def getitem(self, node: Node) -> bool:
        """New axes are put in by `relax`."""
        (array, *indices), at = node.inputs, node.attributes["at"]
        if None not in at or not all(one is None or isinstance(one, slice) for one in at):
            return False
        parts, part = tuple(one for one in at if one is not None), array
        if any(one != slice(None) for one in parts):
            kind = find("getitem").infer(operand_type(array), *map(operand_type, indices), at=parts)
            part = self.add("getitem", (array, *indices), kind, at=parts)
            self.views.add(part)
        self.add("relax", (part,), node.output, shape=node.output.type.shape)
        return True

    def added_at(self, node: Node) -> bool:
        """x[at] = x[at] + y, for slices and scalar indices: they select no element twice."""
        (array, summand, *indices), at = node.inputs, node.attributes["at"]
        if any(isinstance(one, Slot) and _is_proper(indices[one.index]) for one in at):
            return False
        if not all(isinstance(one, int | slice | Slot) for one in at):
            return False
        read, type = find("getitem"), operand_type(array)
        assert isinstance(type, TensorType)
        kind = read.infer(type, *map(operand_type, indices), at=at)
        part = self.add("getitem", (array, *indices), kind, at=at)
        if _is_proper(part):
            self.views.add(part)
        total = self.add("add", (part, summand), kind)
        full_at = (*at, *[slice(None)] * (type.ndim - len(at))) if _is_proper(part) else at
        self.add("setitem", (array, total, *indices), node.output, at=full_at)
        return True

    def stack(self, node: Node) -> bool:
        """Writes the operands into a new array, one after the other."""
        type, axis = node.output.type, node.attributes.get("axis", 0)
        known = isinstance(type, TensorType) and all(isinstance(size, int) for size in type.shape)
        if not known or axis != 0 or {*node.attributes} - {"axis"} or type.dtype.kind not in "biuf":
            return False
        kinds = {getattr(operand_type(one), "dtype", None) for one in node.inputs}
        if kinds != {type.dtype}:
            return False
        zero = np.zeros((), type.dtype).item()
        found = self.add("full", (zero,), TensorType(type.dtype, type.shape), shape=type.shape)
        place = 0
        for i, operand in enumerate(node.inputs):
            is_last = i == len(node.inputs) - 1
            count = self.sizes_of(operand)[0] if node.op.name == "concatenate" else 1
            part: Any = slice(place, place + count)
            if not _is_proper(operand):
                part = place
            elif node.op.name == "stack":
                shape = (1, *operand_type(operand).shape)
                row = TensorType(type.dtype, shape)
                operand = self.add("relax", (operand,), row, shape=shape)
            place += count
            output = node.output if is_last else TensorType(type.dtype, type.shape)
            found = self.add("setitem", (found, operand), output, at=(part,))
        return True


def _arguments(node: Node) -> tuple[Any, ...]:
    """The arguments of a call of a function of NumPy; none if some are passed by name."""
    if node.attributes.get("named") or "given" not in node.attributes:
        return ()
    given = node.attributes["given"]
    return tuple(node.inputs[one.index] if isinstance(one, Slot) else one for one in given)


def _is_proper(operand: Operand) -> bool:
    """Whether an operand is an array with dimensions."""
    type = operand_type(operand)
    return isinstance(type, TensorType) and is_array(type) and bool(type.shape)


# op names: the rewriting of each
REWRITES: dict[str, Callable[[_Walk, Node], bool]] = {
    "scaled": _Walk.scaled,
    "jointly_scaled": _Walk.scaled,
    "pow": _Walk.power,
    "reshape": _Walk.same_elements,
    "reshape_to": _Walk.same_elements,
    "ravel": _Walk.same_elements,
    "expand_dims": _Walk.same_elements,
    "squeeze": _Walk.same_elements,
    "sum_to": _Walk.sum_to,
    "grow_to": _Walk.grow_to,
    "broadcast_to": _Walk.grow_to,
    "swapaxes": _Walk.swapaxes,
    "full_like": _Walk.full_like,
    "clip": _Walk.clip,
    "copy": _Walk.copy,
    "zero": _Walk.zero,
    "divmod": _Walk.divmod,
    "np_int64": _Walk.converted,
    "np_float64": _Walk.converted,
    "np_float32": _Walk.converted,
    "getitem": _Walk.getitem,
    "setitem": _Walk.setitem,
    "added_at": _Walk.added_at,
    "stack": _Walk.stack,
    "concatenate": _Walk.stack,
}
