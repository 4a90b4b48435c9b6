"""Tracing a function on its own, and replaying its nodes as something else.

    traced(f, x)        f's nodes in a region of their own, on inputs of that region:
                            y = sin(x)
                            z = cond(p, then=..., orelse=...)
    Replay.run          visits these nodes, and records for each its replacement: the node itself
                        (here), the node for a whole batch (`transforms/vmap/interpreter.py`), the
                        node and its tangent (`transforms/forward/tangents.py`)

A replay maps each value to its replacement (`known`).  It has a method for nodes without regions,
`plain`, and one for nodes with regions, `with_regions`.  Nodes keep the locations of the user's
lines, and values keep the user's names.

A function that writes into objects outside of it cannot be transformed: an error says so.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.errors import with_article
from runtime.errors import BatchError, ImpureTransformError, staging_error
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
from runtime.tracing.unions import without_unions
from runtime.transforms.streams import Stream, StreamsBefore
from runtime.transforms.user_lists import plain_lists


@dataclass(frozen=True)
class ResultLeaf:
    """A leaf in the result of a traced function: an operand of its region, or a plain value.

    `absent` is an operand that is true if the leaf is None, for leaves that may be None.
    """

    operand: Operand | None = None
    plain: Any = None
    absent: Operand | None = None
    is_list: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the leaf is a Python object that graphs do not hold."""
        return self.operand is None


@dataclass(frozen=True)
class TracedFunction:
    """A traced function: its region, the leaves and structure of its result, and written inputs.

    The outputs of the region are the operands of the leaves, each followed by `absent` if the leaf
    may be None, and then the final values of the inputs at the places `written`.  `streams` are the
    random generators that the function draws from.
    """

    region: Graph
    leaves: tuple[ResultLeaf, ...]
    structure: Structure
    written: tuple[int, ...]
    streams: tuple[Stream, ...] = ()

    def result(self, values: Sequence[Any]) -> Any:
        """The containers that the function returned, with new leaves."""
        return unflatten(self.structure, values)


def traced(
    function: Callable,
    arguments: tuple,
    types: dict[int, Type],
    names: dict[int, str],
    is_mapped: bool = False,
) -> TracedFunction:
    """Traces a call of a function; `arguments` are the positional and the keyword arguments.

    Leaves of the arguments whose places are in `types` become inputs of the region; `is_mapped` if
    it is to run for each element of a batch.  Raises the exceptions of the function, and
    `StagingError` if it writes into objects outside of it.
    """
    leaves, structure = flatten(arguments)
    recorder = trace.current()
    called = getattr(function, "__name__", "function")
    isolation = IsolationCheck(function, [leaf for i, leaf in enumerate(leaves) if i not in types])
    before = StreamsBefore()
    with recorder.open_region(called if called.isidentifier() else "function") as region:
        inputs = {i: Value(kind, trace.identifier(names[i])) for i, kind in types.items()}
        region.inputs = list(inputs.values())
        recorder.transformed.append(region)
        if is_mapped:
            recorder.mapped.append(region)
        recorder.state(BorrowedInputs).update(region.inputs)
        given = {i: handle(value, region) for i, value in inputs.items()}
        args, kwargs = unflatten(structure, [given.get(i, leaf) for i, leaf in enumerate(leaves)])
        with without_unions(recorder):
            result = function(*args, **kwargs)
        isolation.check(called)
        found, shape = flatten(plain_lists(result))
        leaves_of_result = tuple(map(_leaf, found))
        for leaf in leaves_of_result:
            region.outputs += [o for o in (leaf.operand, leaf.absent) if o is not None]
        ends = {i: operand(one, recorder) for i, one in given.items() if isinstance(one, Tensor)}
        written = {i: end for i, end in ends.items() if end is not inputs[i]}
        region.outputs += written.values()
    streams = before.drawn_from(region)
    return TracedFunction(region, leaves_of_result, shape, tuple(written), streams)


def _leaf(value):
    """A leaf of the result, while its region is open."""
    recorder = trace.current()
    if isinstance(value, MaybeUnbound):
        value = value.returned()
    if isinstance(value, TraceList):
        return ResultLeaf(value.value._value, is_list=True)
    if isinstance(value, MaybeNone):
        absent = operand(value.__is_none__, recorder)
        return ResultLeaf(value.__unchecked__()._value, absent=absent)
    if isinstance(value, (Tensor, np.ndarray, np.generic, bool, int, float, complex)):
        return ResultLeaf(operand(value, recorder))
    if holds_staged(value):
        raise staging_error(
            f"a transformed function returns {with_article(type(value).__name__)} that holds "
            "staged values",
            "It must return scalars and arrays, in tuples, lists and dicts.",
            "Return them instead, and create the object in the caller.",
            ImpureTransformError,
        )
    return ResultLeaf(plain=value)


# -- the walk --------------------------------------------------------------------------------------


class Replay:
    """Re-records a graph node by node; subclasses override individual kinds of nodes."""

    def __init__(self, known: dict[Value, Any] | None = None):
        self.recorder: trace.Trace = trace.current()
        self.known: dict[Value, Any] = {} if known is None else known

    def read(self, operand: Operand) -> Any:
        """The replacement of an operand; values from outside of the graph stay as they are."""
        return self.known.get(operand, operand) if isinstance(operand, Value) else operand

    def run(self, region: Graph) -> list[Any]:
        """Replays the nodes of a region into the current one; returns the new outputs."""
        for node in region.nodes:
            with self.recorder.on_behalf_of(node):
                results = self.visit(node)
            self.known.update(zip(node.outputs, results, strict=True))
        return list(map(self.read, region.outputs))

    def visit(self, node: Node) -> Sequence[Any]:
        """Replays a node; returns the replacements of its results."""
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
        """Records a copy of a node, with the replacements of its operands."""
        values = self.known if known is None else known
        inputs = tuple(values.get(o, o) if isinstance(o, Value) else o for o in node.inputs)
        regions = {name: copy(region, values) for name, region in node.regions.items()}
        hints = [value.hint for value in node.outputs]
        return self.recorder.record(node.op, inputs, dict(node.attributes), regions, hints)

    # -- forms of values (`regions.py`) ------------------------------------------------------------

    def form(self, found: Any) -> int:
        """The form in which the replacement of a value is represented; larger ones hold more."""
        return 0

    def representation(self, kind: Type, form: int) -> tuple[Type, ...]:
        """The types of the components of a value of type `kind` in a form."""
        return (kind,)

    def components(self, found: Any, kind: Type, form: int) -> tuple[Operand, ...]:
        """The replacement of a value as operands, in a form."""
        return (found,)

    def assembled(self, components: Sequence[Operand], kind: Type, form: int) -> Any:
        """The replacement of a value, from its components."""
        return components[0]

    def diverges(self, condition: Any) -> bool:
        """Whether a condition may be true for some elements of a batch only."""
        return False

    # -- building nodes ----------------------------------------------------------------------------

    def record(self, name: str, *operands: Operand, **attributes: Any) -> Value:
        """Records a node with one result."""
        (value,) = self.recorder.record(find(name), operands, attributes)
        return value

    def branches(self, predicate: Operand, then: Callable, orelse: Callable) -> tuple[Value, ...]:
        """Records a `cond`; each of the two functions records a region and returns its outputs."""
        regions = {}
        for name, function in (("then", then), ("orelse", orelse)):
            with self.recorder.open_region(name) as region:
                region.outputs = list(function())
            regions[name] = region
        return self.recorder.record(find("cond"), (predicate,), {}, regions)

    def repeat(
        self, more: Operand, starts: Sequence[Operand], iteration: Callable, **options: Any
    ) -> tuple[Value, ...]:
        """Records a `loop`; `iteration` maps its variables to its condition and new values."""
        with self.recorder.open_region("body") as region:
            region.inputs = [
                Value(start.type, start.hint)
                if isinstance(start, Value)
                else Value(PYTHON_TYPES[type(start)])
                for start in starts
            ]
            region.outputs = list(iteration(*region.inputs))
        return self.recorder.record(find("loop"), (more, *starts), options, {"body": region})


def result_value(leaf: ResultLeaf, value: Operand, absent: Operand | None = None) -> Any:
    """A leaf of the result of a transformed function, for its caller; `value` replaces the leaf."""
    recorder = trace.current()
    if leaf.is_list:
        return TraceList.of(handle(value, recorder.region))
    if absent is None:
        return handle(value, recorder.region)
    return MaybeNone(value, recorder.region, Tensor(absent, recorder.region))


def transform_error(what: str, why: str, remedy: str) -> BaseException:
    """An error about the line that is replayed, which a transformation cannot handle."""
    source = trace.current().source
    location = source.location if source is not None else None
    if location is None:
        return staging_error(what, why, remedy, BatchError)
    return staging_error(what, why, remedy, BatchError, where=location.in_message)
