"""Tracing: operations on staged values are recorded into the graph that is being built.

    with tracing(Trace("f")) as trace:
        x = trace.input(type, "x")
        y = x * 2                         records a node; y is a Tensor

One trace builds one graph; while the branches of a staged `if` or the body of a staged loop run,
the innermost region receives the nodes.  A staged value remembers its trace, so that using it
elsewhere is noticed.
"""

import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from runtime.ir.graph import Graph, Location, Node, Operand, Value, operand_type
from runtime.ir.op import Op
from runtime.ir.types import Type
from runtime.tracing.locate import here


@dataclass(eq=False)
class Trace:
    """A graph that is being built, and the regions of it that are open."""

    name: str = "graph"
    graph: Graph = field(init=False)
    regions: list[Graph] = field(init=False)
    scopes: list[str] = field(default_factory=list)
    loops: list[Any] = field(default_factory=list)
    # What stands for the caller's arrays, and the inputs that they are, by identity.
    given: dict[int, tuple[Any, Value]] = field(default_factory=dict)
    generators: list[Any] = field(default_factory=list)  # that the function itself makes
    calls: list[Any] = field(default_factory=list)  # of functions that may call themselves
    recursive_names: dict[str, int] = field(default_factory=dict)
    is_eager: bool = False  # operations run as they are recorded (`transforms/eager.py`)
    recorded: int = 0  # how many operations
    takes_feeds: bool = False  # its values are keys of what sessions are fed with
    classes: set[type] | None = None  # of the user's, whose methods are converted meanwhile
    made: dict[int, tuple] = field(default_factory=dict)  # objects of the user's: id -> it, region
    joined: dict[Any, tuple] = field(default_factory=dict)  # what became of them
    listed: dict[int, Any] = field(default_factory=dict)  # arrays that staged lists hold, by id
    spoiled: Exception | None = None  # why what these lists hold is no more what Python's would
    is_formatting: bool = False  # whether a text is being made, in which no repr may stand
    answers: Any = None  # to questions for the truth of staged values (`staging/choices.py`)
    widened: list[str] = field(
        default_factory=list
    )  # where types were widened (`staging/control_flow/type_widening.py`)
    refusal: Exception | None = None  # an error that the user's own handlers must not hide
    source: Node | None = None  # the nodes that are recorded are of its line
    takes_names: bool = True  # and are called as it is
    lent: set[Value] = field(default_factory=set)  # inputs of regions that are arrays of others
    mapping: int = 0  # how many functions that are mapped over a batch are being recorded
    variables: dict[int, Any] = field(default_factory=dict)  # that it reads or writes, by identity
    created: list[Any] = field(default_factory=list)  # variables, and where the function made them
    may_create: bool = True  # whether it may make any
    inputs: dict[int, tuple[Any, Value]] = field(init=False)  # `given`, whatever is recorded now

    def __post_init__(self):
        self.graph = Graph(self.name)
        self.regions = [self.graph]
        self.inputs = self.given

    @property
    def region(self) -> Graph:
        """The graph that receives nodes."""
        return self.regions[-1]

    def input(self, type: Type, hint: str) -> Value:
        """A new input of the graph."""
        value = Value(type, hint)
        self.graph.inputs.append(value)
        return value

    @contextmanager
    def open_region(self, name: str) -> Iterator[Graph]:
        """A region that receives the nodes recorded while it is open."""
        with self.reopened(Graph(name)) as region:
            yield region

    @contextmanager
    def reopened(self, region: Graph) -> Iterator[Graph]:
        """Lets a region receive further nodes."""
        self.regions.append(region)
        try:
            yield region
        finally:
            self.regions.pop()

    @contextmanager
    def inside_loop(self, loop) -> Iterator[None]:
        """Makes a loop the one that `set_loop_options` speaks of."""
        self.loops.append(loop)
        try:
            yield
        finally:
            self.loops.pop()

    @contextmanager
    def on_behalf_of(self, node: Node, takes_names: bool = True) -> Iterator[None]:
        """Makes the nodes recorded while it is open ones of another node's line and scope, and of
        its names, if they are to be called so."""
        before = self.source, self.takes_names
        self.source, self.takes_names = node, takes_names
        try:
            yield
        finally:
            self.source, self.takes_names = before

    @contextmanager
    def name_scope(self, name: str) -> Iterator[str]:
        """Gives the nodes recorded while it is open a common prefix."""
        self.scopes.append(name)
        try:
            yield "/".join(self.scopes)
        finally:
            self.scopes.pop()

    @property
    def is_staged_block(self) -> bool:
        """Whether a branch or loop is being recorded, rather than the graph itself."""
        return len(self.regions) > 1

    def record(
        self,
        op: Op,
        inputs: tuple[Operand, ...],
        attributes: dict | None = None,
        regions: dict[str, Graph] | None = None,
        hints: list[str] | None = None,
        location: Location | None = None,
    ) -> tuple[Value, ...]:
        """Records one operation, and returns the values that it makes.

        They are called by `hints`, or else by the variable that the user's line is about to bind.
        `location` is that of the user's line that is running, unless it is given.
        """
        attributes, regions = attributes or {}, regions or {}
        given = tuple(map(operand_type, inputs))
        types = op.infer_types(given, attributes, regions)
        for watch in WATCHERS:
            watch(op, given, attributes)
        source = self.source
        if source is None:
            running, name = here()
        else:
            is_named = self.takes_names and source.outputs
            running, name = source.location, source.outputs[0].hint if is_named else None
        location = location or running
        hints = [
            identifier(hint) if hint else name or ("p" if type.dtype == bool else "v")
            for hint, type in zip(hints or [""] * len(types), types, strict=True)
        ]
        outputs = tuple(map(Value, types, hints))
        scope = "/".join(self.scopes) if source is None else source.scope
        self.region.nodes.append(Node(op, inputs, outputs, attributes, regions, location, scope))
        self.recorded += 1
        if self.recorded == MANY:
            _warn_of_many(location)
        return outputs


class TracingWarning(UserWarning):
    """Something happens while a graph is recorded that the user may not expect."""


MANY = 20_000  # operations, which take a second or more


def _warn_of_many(location):
    """Tells of a graph that grows by turns of Python's loops."""
    if location is not None:
        text = (
            f"{MANY} operations have been recorded, and the graph is not done: a loop over numbers "
            "of Python's is unrolled, turn by turn.  Loop over range(np.int64(n)) or over an "
            "array: such a turn is recorded once."
        )
        warnings.warn_explicit(text, TracingWarning, location.filename, location.lineno)


def identifier(path: str) -> str:
    """A name for what the user writes as `path`: `self.count` -> `self_count`."""
    return re.sub(r"\W+", "_", path).strip("_") or "v"


# What looks at each operation that is recorded: called with the op, the types of its operands, and
# its attributes.
WATCHERS: list[Callable[[Op, tuple[Type, ...], dict], None]] = []

_current: ContextVar[Trace | None] = ContextVar("trace", default=None)


def current() -> Trace | None:
    """The trace that is being built, None where nothing is staged."""
    return _current.get()


@contextmanager
def recording(trace: Trace) -> Iterator[Trace]:
    """Makes a trace the one that operations are recorded into."""
    token = _current.set(trace)
    try:
        yield trace
    finally:
        _current.reset(token)
