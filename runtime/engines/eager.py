"""The eager engine: interprets a graph, one operation after the other.

It generates no code and saves no time.  It is the example of how to add an engine
(`docs/engines.md`), and a second opinion on what a graph means: the tests compare it with the NumPy
engine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FrameType, TracebackType
from typing import Any

import numpy as np

from runtime.engines.executable import Executable, NodePosition
from runtime.engines.registry import Engine, Options, refusal
from runtime.engines.run_warnings import FINDERS
from runtime.ir.graph import Graph, Location, Node, Operand, Value, walk
from runtime.ops.control_flow import iterations_left
from runtime.ops.host import closing_contexts, opens_contexts


@dataclass(eq=False)
class _Frame:
    """The state of one call: values, functions, and the contents of inputs that it has written."""

    values: dict[Operand, Any] = field(default_factory=dict)
    functions: dict[str, tuple[Graph, "_Frame"]] = field(default_factory=dict)
    written: dict[Value, Any] = field(default_factory=dict)

    def read(self, operand: Operand) -> Any:
        return self.values[operand] if isinstance(operand, Value) else operand

    def inner(self) -> "_Frame":
        """A frame for a call of a function that is defined here."""
        return replace(self, values=dict(self.values), written={})


class Interpreter(Executable):
    """Runs a graph by `Op.evaluate`; `source` is the graph as text."""

    def __init__(self, graph: Graph, options: Options) -> None:
        super().__init__(options.store)
        self._graph = graph
        self.function = closing_contexts(self._run) if opens_contexts(graph) else self._run

    @property
    def source(self) -> str:
        return str(self._graph)

    def _run(self, *inputs: Any) -> tuple[Any, ...]:
        with np.errstate():  # ops may change NumPy's error settings
            return self._region(self._graph, inputs, _Frame())

    def _region(self, region: Graph, inputs: tuple[Any, ...], frame: _Frame) -> tuple[Any, ...]:
        frame.values.update(zip(region.inputs, inputs, strict=True))
        for node in region.nodes:
            results = self._results(node, tuple(map(frame.read, node.inputs)), frame)
            frame.values.update(zip(node.outputs, results, strict=True))
        return tuple(map(frame.read, region.outputs))

    def _results(self, node: Node, operands: tuple[Any, ...], frame: _Frame) -> tuple[Any, ...]:
        match node.op.name:
            case "cond":
                return self._region(node.regions["then" if operands[0] else "orelse"], (), frame)
            case "loop":
                left = node.attributes.get("max_iterations")
                test, *carried = operands
                while test:
                    left = left if left is None else iterations_left(left)
                    test, *carried = self._region(node.regions["body"], tuple(carried), frame)
                return tuple(carried)
            case "recursive" | "again" as name:
                called = node.attributes["name"]
                if name == "recursive":
                    frame.functions[called] = node.regions["body"], frame
                body, outer = frame.functions[called]
                return self._region(body, operands, outer.inner())
            case "written":
                given = node.inputs[0]
                assert isinstance(given, Value)
                frame.written[given] = operands[1]
                return ()
            case "unreachable":
                return (None,)
            case "constant":  # an array of its own, as the caller may write into it
                return (np.array(node.attributes["value"])[()],)
        result = node.op.evaluate(np, operands, node.attributes)
        return (result,) if len(node.outputs) == 1 else tuple(result or ())

    def position(self, entry: TracebackType) -> NodePosition | None:
        variables = entry.tb_frame.f_locals
        if entry.tb_frame.f_code is not _RESULTS or variables["self"] is not self:
            return None
        node = variables["node"]
        return NodePosition(node, node.location, variables["frame"].values.__getitem__)

    def pending_writes(self, error: BaseException) -> Iterator[tuple[Any, Any]]:
        entry = error.__traceback__
        frames: dict[_Frame, None] = {}
        while entry is not None:
            if self.position(entry) is not None:
                frames[entry.tb_frame.f_locals["frame"]] = None
            entry = entry.tb_next
        for frame in reversed(frames):
            for given, new in frame.written.items():
                yield frame.values[given], new


class ObservedInterpreter(Interpreter):
    """One that calls a timer and a check."""

    def __init__(self, graph: Graph, options: Options) -> None:
        super().__init__(graph, options)
        self._timer, self._check = options.timer, options.check
        self._spans: dict[Node | Graph, int] = {}
        self._checked: dict[Node, int | None] = {}
        for node in walk(graph):
            if self._check is not None:
                self._checked[node] = self._check.number(node)
            if self._timer is not None and self._timer.times(node):
                self._spans[node] = self._timer.number(node)
                for name, region in node.regions.items():
                    self._spans[region] = self._timer.number(node, name)

    def _region(self, region: Graph, inputs: tuple[Any, ...], frame: _Frame) -> tuple[Any, ...]:
        with self._span(region):
            return super()._region(region, inputs, frame)

    def _results(self, node: Node, operands: tuple[Any, ...], frame: _Frame) -> tuple[Any, ...]:
        with self._span(node):
            results = super()._results(node, operands, frame)
        number = self._checked.get(node)
        if self._check is not None and number is not None:
            self._check.check(number, results if len(results) > 1 else results[0], *operands)
        return results

    def position(self, entry: TracebackType) -> NodePosition | None:
        """The node that is checked, too; the check's own message says all about it."""
        found = super().position(entry)
        if found is None and entry.tb_frame.f_code is _OBSERVED:
            node = entry.tb_frame.f_locals["node"]
            nothing: dict[Value, Any] = {}
            return NodePosition(None, node.location, nothing.__getitem__)
        return found

    @contextmanager
    def _span(self, timed: Node | Graph) -> Iterator[None]:
        number = self._spans.get(timed)
        if self._timer is None or number is None:
            yield
            return
        enter, leave = self._timer.clock()
        enter(number)
        yield
        leave()


_RESULTS = Interpreter._results.__code__


def _users_line(frame: FrameType) -> Location | None:
    """The user's line of the operation that a frame is computing."""
    return frame.f_locals["node"].location if frame.f_code is _RESULTS else None


FINDERS.append(_users_line)
_OBSERVED = ObservedInterpreter._results.__code__


def compile_graph(graph: Graph, options: Options) -> Interpreter:
    """The executable of a graph; threads are not used."""
    is_observed = options.timer is not None or options.check is not None
    return (ObservedInterpreter if is_observed else Interpreter)(graph, options)


# op names: the structural ops that this engine executes itself
CONTROL = frozenset({"cond", "loop", "recursive", "again", "unreachable"})
ENGINE = Engine(
    "eager", "Operations one by one, by `Op.evaluate`.", compile_graph, refusal=refusal(CONTROL)
)
