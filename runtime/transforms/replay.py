"""Recording a function apart, and doing what was recorded once more, as something else.

    recorded(f, x)      f's nodes in a region of their own, on inputs of that region:
                            y = sin(x)
                            z = cond(p, then=..., orelse=...)
    Replay.run          walks through them, and records into the current graph what they become:
                            itself (here), the node for a whole batch
                            (`transforms/vmap/interpreter.py`), the node and its tangent
                            (`transforms/forward/jvp.py`)

A replay knows what became of each value (`known`).  It has a method for nodes without regions,
`plain`, and one for each op with regions: `cond`, `loop`, `recursive` and so on.  Nodes keep the
user's line, and values the user's names.

What the recorded function writes into what is outside of it is not followed: it is refused.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.errors import SourceLocation, message
from runtime.errors import StagingError, staging_error
from runtime.ir.graph import Graph, Node, Operand, Value, copy
from runtime.ir.op import find
from runtime.ir.pytree import Structure, flatten, unflatten
from runtime.ir.types import PYTHON_TYPES, Type
from runtime.staging.control_flow.aliasing import BorrowedInputs
from runtime.staging.isolation import IsolationCheck
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.staged_values import holds_staged
from runtime.tracing import trace
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.tensor import Tensor, handle, operand
from runtime.transforms.user_lists import plain_lists


@dataclass(frozen=True)
class Leaf:
    """A value in the result of a function that was recorded: an operand of its region, or plain.

    `absent`: where it may be None, whether it is.
    """

    operand: Operand | None = None
    plain: Any = None
    absent: Operand | None = None
    is_list: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it is a value of Python's that graphs do not hold."""
        return self.operand is None


@dataclass(frozen=True)
class Recorded:
    """A function that was recorded: its region, what it returns, and what its inputs became.

    The outputs of the region are the operands of the leaves (behind each that may be None, whether
    it is), and then what the inputs at the places `written` hold in the end.
    """

    region: Graph
    leaves: tuple[Leaf, ...]
    structure: Structure
    written: tuple[int, ...]

    def result(self, values: Sequence[Any]) -> Any:
        """The containers that the function returns, with other leaves."""
        return unflatten(self.structure, values)


def recorded(
    function: Callable, arguments: tuple, types: dict[int, Type], names: dict[int, str]
) -> Recorded:
    """Records a function called with `arguments`: positional ones, and ones by name.

    Those leaves of the arguments whose places are in `types` become inputs of the region.
    Raises what the function raises, `StagingError` where it writes into what is outside.
    """
    leaves, structure = flatten(arguments)
    recorder = trace.current()
    called = getattr(function, "__name__", "function")
    isolation = IsolationCheck(function, [leaf for i, leaf in enumerate(leaves) if i not in types])
    with recorder.open_region(called if called.isidentifier() else "function") as region:
        inputs = {i: Value(kind, trace.identifier(names[i])) for i, kind in types.items()}
        region.inputs = list(inputs.values())
        recorder.state(BorrowedInputs).update(region.inputs)
        given = {i: handle(value, region) for i, value in inputs.items()}
        args, kwargs = unflatten(structure, [given.get(i, leaf) for i, leaf in enumerate(leaves)])
        result = function(*args, **kwargs)
        isolation.check(called)
        found, shape = flatten(plain_lists(result))
        kept = tuple(map(_leaf, found))
        for leaf in kept:
            region.outputs += [o for o in (leaf.operand, leaf.absent) if o is not None]
        ends = {i: operand(one, recorder) for i, one in given.items() if isinstance(one, Tensor)}
        written = {i: end for i, end in ends.items() if end is not inputs[i]}
        region.outputs += written.values()
    return Recorded(region, kept, shape, tuple(written))


def _leaf(value):
    """What is known about a leaf of the result; while its region is open."""
    recorder = trace.current()
    if isinstance(value, MaybeUnbound):
        value = value.returned()
    if isinstance(value, TraceList):
        return Leaf(value.value._value, is_list=True)
    if isinstance(value, MaybeNone):
        absent = operand(value.is_none, recorder)
        return Leaf(value.unchecked()._value, absent=absent)
    if isinstance(value, (Tensor, np.ndarray, np.generic, bool, int, float, complex)):
        return Leaf(operand(value, recorder))
    if holds_staged(value):
        raise staging_error(
            f"a transformed function returns a {type(value).__name__} that holds staged values",
            "It returns numbers and arrays, in tuples, lists and dicts.",
            "Return them instead, and make the object where the function is called.",
        )
    return Leaf(plain=value)


# -- the walk --------------------------------------------------------------------------------------


class Replay:
    """Does once more what was recorded; each node as it is, unless a subclass says otherwise."""

    def __init__(self, known: dict[Value, Any] | None = None):
        self.recorder: trace.Trace = trace.current()
        self.known: dict[Value, Any] = {} if known is None else known

    def read(self, operand: Operand) -> Any:
        """What became of an operand; values from around what was recorded are as they were."""
        return self.known.get(operand, operand) if isinstance(operand, Value) else operand

    def run(self, region: Graph) -> list[Any]:
        """Replays the nodes of a region into the current one; returns what its outputs became."""
        for node in region.nodes:
            with self.recorder.on_behalf_of(node):
                results = self.visit(node)
            self.known.update(zip(node.outputs, results, strict=True))
        return list(map(self.read, region.outputs))

    def visit(self, node: Node) -> Sequence[Any]:
        """What became of the results of a node."""
        if node.regions:
            return self.with_regions(node)
        return self.plain(node)

    def plain(self, node: Node) -> Sequence[Any]:
        """Replays a node without regions."""
        return self.copied(node)

    def with_regions(self, node: Node) -> Sequence[Any]:
        """Replays a node with regions."""
        return self.copied(node)

    def copied(self, node: Node, known: dict[Value, Operand] | None = None) -> tuple[Value, ...]:
        """Records a node as it is, with what became of its operands."""
        values = self.known if known is None else known
        inputs = tuple(values.get(o, o) if isinstance(o, Value) else o for o in node.inputs)
        regions = {name: copy(region, values) for name, region in node.regions.items()}
        hints = [value.hint for value in node.outputs]
        return self.recorder.record(node.op, inputs, dict(node.attributes), regions, hints)

    # -- forms of values (`regions.py`) ------------------------------------------------------------

    def form(self, found: Any) -> int:
        """The form in which what became of a value is represented; larger ones hold more."""
        return 0

    def representation(self, kind: Type, form: int) -> tuple[Type, ...]:
        """The types of the components of a value of type `kind` in a form."""
        return (kind,)

    def components(self, found: Any, kind: Type, form: int) -> tuple[Operand, ...]:
        """What became of a value, as operands, in a form."""
        return (found,)

    def assembled(self, components: Sequence[Operand], kind: Type, form: int) -> Any:
        """What became of a value, from its components."""
        return components[0]

    def diverges(self, condition: Any) -> bool:
        """Whether a condition may be true for some elements of a batch only."""
        return False

    # -- recording by hand -------------------------------------------------------------------------

    def record(self, name: str, *operands: Operand, **attributes: Any) -> Value:
        """Records a node with one result."""
        (value,) = self.recorder.record(find(name), operands, attributes)
        return value

    def branches(self, predicate: Operand, then: Callable, orelse: Callable) -> tuple[Value, ...]:
        """Records a `cond`; the two functions record a region each and return what it gives."""
        regions = {}
        for name, function in (("then", then), ("orelse", orelse)):
            with self.recorder.open_region(name) as region:
                region.outputs = list(function())
            regions[name] = region
        return self.recorder.record(find("cond"), (predicate,), {}, regions)

    def repeat(
        self, more: Operand, starts: Sequence[Operand], turn: Callable, **options: Any
    ) -> tuple[Value, ...]:
        """Records a `loop`; `turn` gets the region's inputs, and returns whether the loop goes on,
        and then what the next turn gets."""
        with self.recorder.open_region("body") as region:
            region.inputs = [
                Value(start.type, start.hint)
                if isinstance(start, Value)
                else Value(PYTHON_TYPES[type(start)])
                for start in starts
            ]
            region.outputs = list(turn(*region.inputs))
        return self.recorder.record(find("loop"), (more, *starts), options, {"body": region})


def as_result(leaf: Leaf, value: Operand, absent: Operand | None = None) -> Any:
    """What the caller of a transformed function gets for a leaf that became `value`."""
    recorder = trace.current()
    if leaf.is_list:
        return TraceList.of(handle(value, recorder.region))
    if absent is None:
        return handle(value, recorder.region)
    return MaybeNone(value, recorder.region, Tensor(absent, recorder.region))


def refused(what: str, why: str, remedy: str) -> StagingError:
    """An error about what a transformation cannot do with the line that is replayed."""
    source = trace.current().source
    location = source.location if source is not None else None
    if location is None:
        return staging_error(what, why, remedy)
    columns = location.columns or (None, None)
    place = SourceLocation(location.filename, location.lineno, location.function, *columns)
    return StagingError(message(what, place, why, remedy))
