"""The vmap interpreter: replays the nodes of a function for a whole batch at once.

    y = sin(x)     x: f64            y = sin(x)     x: f64[n]        the batch is the first axis
    z = x @ w      x: f64[3]         z = x @ w      x: f64[n, 3]     w is the same for every element

A value that differs between elements is `Batched`: an array with the batch along its first axis.
A value that is the same for all elements is unbatched, and stays as it is.  Python scalars become
elements of an array, `int` of i64 and `float` of f64, and stay weak in type promotion.

    rule in `rules.py`              the op computes the batch, with other axes
    no rule                         a staged loop over the elements (`unrolled.py`)
    no rule, and the sizes differ   computed where the result is needed (`Deferred`)

Control flow is in `control_flow.py`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.op import find
from runtime.ir.traits import Effect
from runtime.ir.types import ListType, TensorType, TupleType, Type
from runtime.tracing.tensor import Tensor, apply
from runtime.transforms.replay import Replay
from runtime.transforms.vmap.ragged_tables import has_table, read_table
from runtime.transforms.vmap.unrolled import ElementLoop
from runtime.transforms.vmap.values import (
    BATCHED,
    LISTED,
    SHARED,
    Batched,
    Deferred,
    ListBatched,
    Rule,
    RuleOperand,
    batched_type,
    may_differ,
    varies,
)


@dataclass(frozen=True)
class BatchingRules:
    """How nodes are executed for a batch.

    rule_of        the rule of a node without regions; None to loop over the elements
    with_regions   (interpreter, node) -> the replacements of the results of a node with regions
    """

    rule_of: Callable[[Node], Rule | None]
    with_regions: Callable[["BatchInterpreter", Node], Sequence[Any]]


class BatchInterpreter(ElementLoop, Replay):
    """Replays nodes for a batch of `size` elements; `size` is a value if only a run knows it."""

    def __init__(
        self, size: Operand, rules: "BatchingRules", known: dict[Value, Any] | None = None
    ):
        super().__init__(known)
        self.size = size
        self.rules = rules

    def of_size(self, size: Operand, known: dict[Value, Any] | None = None) -> "BatchInterpreter":
        """An interpreter for another batch, with the same rules."""
        return BatchInterpreter(size, self.rules, known)

    @property
    def known_size(self) -> int | None:
        """The number of elements, None if only a run knows it."""
        return None if isinstance(self.size, Value) else int(self.size)

    # -- nodes -------------------------------------------------------------------------------------

    def plain(self, node: Node) -> Sequence[Any]:
        operands = tuple(map(self.read, node.inputs))
        if node.op.effect is Effect.EXTERNAL:
            return self.for_each_element(node)
        if not any(map(varies, operands)):
            return self.copied(node)
        if node.op.name in ("list_get", "list_length") and has_table(operands[0]):
            return (read_table(self, node, operands),)
        rule, found = self.rules.rule_of(node), NotImplemented
        if rule is not None and not any(isinstance(o, (Deferred, ListBatched)) for o in operands):
            pairs = zip(operands, node.inputs, strict=True)
            found = rule(self, node, [self.rule_operand(o, operand_type(i)) for o, i in pairs])
        if found is not NotImplemented:
            return self.results(node, found)
        if not node.op.effect and any(may_differ(value.type) for value in node.outputs):
            return tuple(Deferred(node, operands, place) for place in range(len(node.outputs)))
        return self.for_each_element(node)

    def results(self, node: Node, found: Any) -> tuple[Any, ...]:
        """The results of a rule as batched values; those that are `RuleOperand`s stay unbatched."""
        several = found if isinstance(found, tuple) else () if found is None else (found,)
        pairs = zip(several, node.outputs, strict=True)
        return tuple(
            one.tensor._value
            if isinstance(one, RuleOperand)
            else self.batched(one._value, value.type)
            for one, value in pairs
        )

    def with_regions(self, node: Node) -> Sequence[Any]:
        return self.rules.with_regions(self, node)

    # -- operands ----------------------------------------------------------------------------------

    def tensor(self, operand: Operand) -> Any:
        """The handle of a value, for NumPy code; scalars are returned unchanged."""
        return Tensor(operand, self.recorder.region) if isinstance(operand, Value) else operand

    def rule_operand(self, found: Any, kind: Type) -> RuleOperand:
        """The replacement of an operand, for a rule."""
        if isinstance(found, Batched):
            return RuleOperand(self.tensor(found.value), found.type, True)
        return RuleOperand(self.tensor(found), kind, False)

    def batched(self, value: Value, kind: Type) -> Batched:
        """A value with the batch as its first axis, converted to the exact batched type."""
        wanted = batched_type(kind, self.known_size)
        if isinstance(kind, TupleType) and value.type != wanted:
            places = zip(self.unpacked(value), kind.places, strict=True)
            value = self.record(
                "pack", *[self.batched(part, place).value for part, place in places]
            )
        if isinstance(wanted, TensorType) and isinstance(value.type, TensorType):
            if value.type.dtype != wanted.dtype:
                value = self.record("cast", value, dtype=wanted.dtype)
            if value.type != wanted:
                value = self.record("relax", value, shape=wanted.shape)
        return Batched(value, kind)

    def as_batched(self, found: Any, kind: Type) -> Batched:
        """The replacement of an operand as a batched value; an unbatched one is repeated."""
        if isinstance(found, Batched):
            return found
        wanted = batched_type(kind, self.known_size)
        if isinstance(found, (Deferred, ListBatched)):
            return self.stacked(self.as_listed(found, kind).value, kind)
        if isinstance(kind, ListType):
            element = kind.element
            items = self.each_item(
                found, wanted.element, lambda x: self.as_batched(x, element).value
            )
            return Batched(items, kind)
        if isinstance(kind, TupleType):
            parts = self.unpacked(found)
            places = [self.as_batched(p, k).value for p, k in zip(parts, kind.places, strict=True)]
            return Batched(self.record("pack", *places), kind)
        return self.batched(self._repeated(found, kind), kind)

    def unpacked(self, packed: Value) -> tuple[Value, ...]:
        """The items of a tuple."""
        return self.recorder.record(find("unpack"), (packed,))

    def _repeated(self, operand, kind):
        shape = tuple(size if isinstance(size, int) else None for size in kind.shape)
        axes = [axis for axis, size in enumerate(shape) if size is None]
        sizes = [self.record("size", operand, axis=axis) for axis in axes]
        if isinstance(self.size, Value):
            sizes.insert(0, self.size)
        attributes = {"shape": (self.known_size, *shape), "dtype": kind.dtype}
        return self.record("full", operand, *sizes, **attributes)

    def gather(self, found: Any, kind: Type, places: Value, size: int | None = None) -> Any:
        """Gathers the selected elements, `size` of them; unbatched operands pass through."""
        if isinstance(found, Deferred):
            parts = {one.value: self.gather(one, one.type, places, size) for one in found.parts()}
            return found.made_of(parts)
        if isinstance(found, ListBatched):
            return self.gather_listed(found, places)
        if not isinstance(found, Batched):
            return found
        if isinstance(kind, ListType):
            element = kind.element

            def pick(item):
                return self.gather(Batched(item, element), element, places, size).value

            return Batched(self.each_item(found.value, batched_type(element, size), pick), kind)
        if isinstance(kind, TupleType):
            parts = zip(self.unpacked(found.value), kind.places, strict=True)
            picked = [self.gather(Batched(p, k), k, places, size).value for p, k in parts]
            return Batched(self.record("pack", *picked), kind)
        (value,) = self.recorder.record(
            find("take"), (found.value, places), {"axis": 0}, hints=[found.value.hint]
        )
        return Batched(self.of_type(value, batched_type(kind, size)), kind)

    def of_type(self, value: Value, wanted: Type) -> Value:
        """A value, with its type relaxed to `wanted`."""
        return value if value.type == wanted else self.record("relax", value, shape=wanted.shape)

    # -- forms -------------------------------------------------------------------------------------

    def form(self, found: Any) -> int:
        """The form that a value has; one that is deferred would be listed."""
        if isinstance(found, Batched):
            return BATCHED
        return LISTED if isinstance(found, (ListBatched, Deferred)) else SHARED

    def representation(self, kind: Type, form: int) -> tuple[Type, ...]:
        if form == LISTED:
            return (ListType(kind),)
        return (batched_type(kind, self.known_size) if form == BATCHED else kind,)

    def components(self, found: Any, kind: Type, form: int) -> tuple[Operand, ...]:
        if form == SHARED:
            return (found,)
        return ((self.as_batched if form == BATCHED else self.as_listed)(found, kind).value,)

    def assembled(self, components: Sequence[Operand], kind: Type, form: int) -> Any:
        (value,) = components
        if form == SHARED:
            return value
        return (Batched if form == BATCHED else ListBatched)(value, kind)

    def diverges(self, condition: Any) -> bool:
        return isinstance(condition, Batched)

    def each_item(self, items: Value, kind: Type, change: Callable[[Value], Value]) -> Value:
        """Applies `change` to each item of a list; returns a list of values of type `kind`."""
        length = self.record("list_length", items)
        start = self.record("list_new", element=kind)

        def iteration(i, made):
            made = self.record("list_append", made, change(self.record("list_get", items, i)))
            i = self.record("add", i, 1)
            return self.record("less", i, length), i, made

        return self.repeat(self.record("greater", length, 0), (0, start), iteration)[1]

    # -- for rules ---------------------------------------------------------------------------------

    def indices(self) -> Tensor:
        """The indices of the elements: 0, 1, 2, ..."""
        value = self.record("arange", 0, self.size, 1, dtype=np.dtype(np.intp))
        return self.tensor(self.record("relax", value, shape=(self.known_size,)))

    def sizes(self, *sizes: Any) -> tuple:
        """A shape, preceded by the size of the batch; sizes may be staged."""
        return (self.tensor(self.size), *sizes)

    def reshaped(self, x: Tensor, sizes: Sequence[Any]) -> Tensor:
        """A batched array, with its elements reshaped; sizes may be staged."""
        shape = tuple(None if isinstance(s, Tensor) else s for s in self.sizes(*sizes))
        staged = [s for s in self.sizes(*sizes) if isinstance(s, Tensor)]
        return apply(find("reshape_to"), x, *staged, shape=shape)
