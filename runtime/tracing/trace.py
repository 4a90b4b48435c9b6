"""Traces: the graph that is being built, and the regions of it that are open.

    with recording(Trace("f")) as trace:
        x = Tensor(trace.input(type, "x"), trace.graph)
        y = x * 2                         records a node; y is a Tensor

One trace builds one graph.  While a branch of a staged `if` or the body of a staged loop runs, the
innermost region receives the nodes.  A trace has the graph, its regions, and the user's current
line; a module that needs more declares a class for it and calls `Trace.state`.
"""

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import FrameType
from typing import ClassVar, TypeVar

import numpy as np

from autograph.staging.locate import users_frame
from autograph.staging.refusals import Extent, Recording, check_dropped
from runtime.errors import NotStageableError, staging_error
from runtime.ir import unsupported
from runtime.ir.graph import UNNAMED, Graph, Location, Node, Operand, Value, operand_type, walk
from runtime.ir.op import Op
from runtime.ir.types import DTYPE_NAMES, TensorType, Type, has_unknown_size
from runtime.tracing.locate import definition_of, here
from runtime.tracing.union_branches import by_each_type
from runtime.tracing.unions import has_union, settled, with_accepted_types

S = TypeVar("S")


@dataclass(eq=False)
class Trace:
    """A graph that is being built, and its open regions, innermost last."""

    name: str = "graph"
    graph: Graph = field(init=False)
    regions: list[Graph] = field(init=False)
    scopes: list[str] = field(default_factory=list)
    source: Node | None = None  # if set, new nodes get its location and scope
    takes_names: bool = True  # and new values get its name
    caller: FrameType | None = None  # the user's code that requests the graph, outside of it
    definition: Location | None = None  # of the function; nodes of no line in it get this one
    find_line: Callable[[], Location | None] | None = None  # finds the location of new nodes
    transformed: list[Graph] = field(default_factory=list)  # regions of transformed functions
    mapped: list[Graph] = field(default_factory=list)  # of these, those of functions of elements
    taken_under_condition: int = 0  # loops that take an element, although a run may have left them
    _node_count: int = 0
    _states: dict[type, object] = field(default_factory=dict)

    is_eager: ClassVar[bool] = False  # each operation is computed when it is recorded
    takes_feeds: ClassVar[bool] = False  # its values are keys of a session's feed_dict

    def __post_init__(self):
        self.graph = self.new_graph()
        self.regions = [self.graph]

    def new_graph(self) -> Graph:
        """The empty graph that the trace fills."""
        return Graph(self.name)

    def state(self, kind: type[S]) -> S:
        """The state that a module keeps for this trace, created by `kind()` on first use.

        The module that needs the state declares its class, so no other module can depend on it
        without importing that module.
        """
        found = self._states.get(kind)
        if found is None:
            found = self._states[kind] = kind()
        return found  # type: ignore[return-value]

    def set_state(self, state: object) -> None:
        """Takes an object as the state of its class."""
        self._states[type(state)] = state

    def states(self) -> dict[type, object]:
        """The states that modules keep, by class."""
        return self._states

    @property
    def region(self) -> Graph:
        """The graph that receives nodes."""
        return self.regions[-1]

    def input(self, type: Type, hint: str) -> Value:
        """Adds an input to the graph and returns it."""
        value = Value(type, hint)
        self.graph.inputs.append(value)
        return value

    @contextmanager
    def open_region(self, name: str) -> Iterator[Graph]:
        """A new region, which receives the nodes that are recorded while it is open."""
        with self.reopened(Graph(name)) as region:
            yield region

    @contextmanager
    def reopened(self, region: Graph) -> Iterator[Graph]:
        """Makes an existing region the innermost one while it is open."""
        self.regions.append(region)
        try:
            yield region
        finally:
            self.regions.pop()

    @contextmanager
    def on_behalf_of(self, node: Node, takes_names: bool = True) -> Iterator[None]:
        """Nodes recorded while it is open get the location and scope of another node, and its names
        if `takes_names` is true."""
        before = self.source, self.takes_names
        self.source, self.takes_names = node, takes_names
        try:
            yield
        finally:
            self.source, self.takes_names = before

    @contextmanager
    def called_by(self, caller: FrameType | None, function: Callable) -> Iterator[None]:
        """Nodes that no line of `function` has recorded get that of its definition while it is
        open, not that of its caller."""
        self.caller, self.definition = caller, definition_of(function)
        try:
            yield
        finally:
            self.caller = None  # a frame keeps all of its variables alive

    @contextmanager
    def at_line(self, find: Callable[[], Location | None]) -> Iterator[None]:
        """Nodes recorded while it is open get the location that `find` returns, if it finds one."""
        before, self.find_line = self.find_line, find
        try:
            yield
        finally:
            self.find_line = before

    @contextmanager
    def name_scope(self, name: str) -> Iterator[str]:
        """Nodes recorded while it is open get a common prefix in their scope; yields the whole
        scope."""
        self.scopes.append(name)
        try:
            yield "/".join(self.scopes)
        finally:
            self.scopes.pop()

    @property
    def is_staged_block(self) -> bool:
        """Whether a branch or loop body is being recorded, rather than the graph itself."""
        return len(self.regions) > 1

    @property
    def depends_on_run(self) -> bool:
        """Whether it depends on the run how often the current code runs: in a branch or a loop,
        or in an iterator of a loop that a run may have left.

        The region of a transformed function runs as often as the region around it.
        """
        if self.taken_under_condition:
            return True
        return any(region not in self.transformed for region in self.regions[1:])

    @property
    def is_mapped(self) -> bool:
        """Whether the current code runs for each element of a batch."""
        return any(region in self.mapped for region in self.regions)

    def may_run_often(self, since: int) -> bool:
        """Whether the current code may run another number of times than the code around the
        regions from number `since` on."""
        inner = self.regions[since:]
        return any(one in self.mapped or one not in self.transformed for one in inner)

    def record(
        self,
        op: Op,
        inputs: tuple[Operand, ...],
        attributes: dict | None = None,
        regions: dict[str, Graph] | None = None,
        hints: list[str] | None = None,
        location: Location | None = None,
    ) -> tuple[Value, ...]:
        """Records one operation and returns its results.

        The results are named by `hints`, or else after the variable that the user's line binds.
        `location` replaces the user's current line if it is given.
        """
        check_dropped()
        attributes, regions = attributes or {}, regions or {}
        if has_union(inputs):
            inputs = with_accepted_types(self, op, inputs, attributes)
            found = by_each_type(self, op, inputs, attributes)
            if found is not None:
                return found
            op, inputs = settled(self, op, inputs, attributes)
        types = self.checked_types(op, inputs, attributes, regions)
        current_line, name = self.location()
        location = location or current_line
        hints = [
            identifier(hint) if hint else name or UNNAMED[type.dtype == bool]
            for hint, type in zip(hints or [""] * len(types), types, strict=True)
        ]
        outputs = tuple(map(Value, types, hints))
        node = Node(op, inputs, outputs, attributes, regions, location)
        self.append(node)
        for note in RECORDED:
            note(self, node)
        return outputs

    def checked_types(
        self, op: Op, inputs: tuple[Operand, ...], attributes: dict, regions: dict[str, Graph]
    ) -> tuple[Type, ...]:
        """The result types of an operation, after every check in `CHECKS` has accepted it."""
        operands = tuple(map(operand_type, inputs))
        try:
            types = op.infer_types(operands, attributes, regions)
        except (TypeError, ValueError, IndexError) as error:
            if not regions and any(map(has_unknown_size, operands)):
                self.state(FailedOperation).note(error, self.region, op, inputs, attributes)
            raise
        for known in (*types, *attributes.values()):
            if isinstance(known, (TensorType, np.dtype)):
                check_dtype(known if isinstance(known, np.dtype) else known.dtype)
        for check in CHECKS:
            check(op, operands, attributes)
        return types

    def location(self) -> tuple[Location | None, str | None]:
        """The user's current line, and the name that it binds; those of `source` if it is set."""
        source = self.source
        if source is None:
            if self.caller is not None and users_frame() is self.caller:
                return self.definition, None
            line, name = here()
            return (self.find_line and self.find_line()) or line, name
        is_named = self.takes_names and source.outputs
        return source.location, source.outputs[0].hint if is_named else None

    def append(self, node: Node) -> None:
        """Adds a node to the innermost region, in the current name scope."""
        node.scope = "/".join(self.scopes) if self.source is None else self.source.scope
        if self.source is not None and node.op is self.source.op:
            node.bindings = self.source.bindings
        self.region.nodes.append(node)
        self._node_count += 1
        if self._node_count == MANY:
            _warn_of_many(self, node.location)


class FailedOperation:
    """The last operation whose type rule has raised, for operands of unknown sizes.

    Only a run knows the shapes that NumPy's exception would name: if the exception leaves the
    block, the run computes the operation (op `failing`).
    """

    def __init__(self) -> None:
        self._noted: tuple | None = None

    def note(self, error: Exception, region: Graph, *operation: object) -> None:
        """Notes an operation: its op, operands and attributes."""
        self._noted = error, region, operation

    def of(self, error: BaseException, region: Graph) -> tuple | None:
        """The operation that has raised an exception in a region; None if none has."""
        if self._noted is None or self._noted[0] is not error or self._noted[1] is not region:
            return None
        return self._noted[2]


class TracingWarning(UserWarning):
    """Tracing does something that the user may not expect."""


MANY = 2_000  # operations; recording them takes some tenths of a second


class UnrolledLoops(dict[tuple[str, int], str]):
    """Why loops are unrolled, by the file and the line of each."""

    def around(self, location: Location) -> str:
        """A sentence about the last loop that begins before a line; empty if there is none."""
        lines = [n for file, n in self if file == location.filename and n <= location.lineno]
        if not lines:
            return ""
        why = self[location.filename, max(lines)]
        return f"The loop in line {max(lines)} is unrolled: {why}.  "


def _warn_of_many(trace, location):
    """Warns about a graph that grows because a loop is unrolled.

    Some line is recorded again and again then; in a program of many lines none is.
    """
    lines = Counter(node.location for region in trace.regions for node in walk(region))
    if location is not None and max(lines.values()) * 100 >= MANY:
        loop = trace.state(UnrolledLoops).around(location)
        message = (
            f"{MANY} operations have been recorded, and the graph is not complete: a loop is "
            f"unrolled, iteration by iteration.  {loop}"
            "Keep the counter out of keys, shapes and lists of objects, and call functions outside "
            "of the loop, or loop over range(np.int64(n)): then the body is recorded once."
        )
        warnings.warn_explicit(message, TracingWarning, location.filename, location.lineno)


def check_dtype(dtype: np.dtype) -> None:
    """Raises `StagingError` for a dtype that graphs do not support: None is that of a text."""
    dtype = np.dtype(str) if dtype is None else dtype
    if dtype not in DTYPE_NAMES:
        raise staging_error(
            f"arrays of {unsupported.named(dtype)} cannot be staged",
            unsupported.SUPPORTED,
            unsupported.remedy(dtype, "x"),
            NotStageableError,
        )


def identifier(path: str) -> str:
    """A name for a path in the user's code: `self.count` -> `self_count`."""
    name = re.sub(r"\W+", "_", path).strip("_")
    return f"v_{name}" if name[:1].isdigit() else name or "v"


# Each is called before an operation is recorded, with the op, the types of its operands, and its
# attributes; it may raise to refuse the operation.
CHECKS: list[Callable[[Op, tuple[Type, ...], dict], None]] = []

_current: ContextVar[Trace | None] = ContextVar("trace", default=None)


# The current trace; None if no graph is being built.
current: Callable[[], Trace | None] = _current.get


def restore(trace: Trace | None) -> None:
    """Makes a trace the current one again, or none, where a block may not have ended in order."""
    _current.set(trace)


@contextmanager
def suspended() -> Iterator[None]:
    """No graph is being built while it is open: arrays that are replaced by staged values are
    arrays."""
    before = _current.get()
    _current.set(None)
    try:
        yield
    finally:
        _current.set(before)


class _Openings:
    """How many blocks record into a trace now."""

    count = 0


@contextmanager
def recording(trace: Trace, extent: Extent = Extent.FUNCTION) -> Iterator[Trace]:
    """Makes a trace the current one: operations are recorded into it.

    A refusal while it is open is raised at its end at the latest.
    """
    with Recording(trace.regions.__contains__, extent):
        before = _current.get()
        _current.set(trace)
        opened = trace.state(_Openings)
        opened.count += 1
        try:
            yield trace
        finally:
            opened.count -= 1
            # A block in a suspended generator ends at any time; functions end in order.
            if extent is Extent.FUNCTION or _current.get() is trace:
                is_open = before is not None and before.state(_Openings).count
                _current.set(before if is_open else None)


# Each is called after an operation has been recorded, with the trace and the node.
RECORDED: list[Callable[["Trace", Node], None]] = []
