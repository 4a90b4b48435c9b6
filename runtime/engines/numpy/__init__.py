"""The NumPy engine: a graph becomes a Python program over NumPy.  It is the reference for others.

run = compile_graph(graph)
run(x, y)          a tuple of the graph's outputs
run.source         the program
"""

import ast
import cmath
import itertools
import math
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from runtime.engines.executable import Definition, Executable, NodePosition
from runtime.engines.numpy.closure_lifting import lifted
from runtime.engines.numpy.codegen import Writer
from runtime.engines.numpy.codegen_replacement import Replacements
from runtime.engines.numpy.instrumentation import CheckedStatements, Instrument, TimedStatements
from runtime.engines.numpy.parallel import ParallelWriter
from runtime.engines.numpy.source_map import Program, failing_node, program_name
from runtime.engines.numpy.untyped import typed_nodes, without_option_nodes
from runtime.engines.registry import Engine, Options, refusal
from runtime.engines.run_warnings import FINDERS, PROGRAM, namespace_of
from runtime.ir.graph import Graph, Location, Value, walk
from runtime.ir.syntax import parsed
from runtime.ops.host import closing_contexts, opens_contexts

_serial = itertools.count(1)
_compiled: WeakValueDictionary[str, "Compiled"] = WeakValueDictionary()  # by file name


class Compiled(Executable):
    """A graph as a generated Python function."""

    def __init__(self, graph: Graph, options: Options):
        super().__init__(options.store)
        self.program = _program(graph, options)
        self._filename = f"{PROGRAM}{graph.name} {next(_serial)}>"
        _compiled[self._filename] = self
        code = compile(self.source, self._filename, "exec")
        exec(code, self.program.namespace)
        self.function = self._defined()
        if any(node.op.name == "enter_errors" for node in walk(graph)):
            self.function = _with_own_errors(self.function)
        if opens_contexts(graph):
            self.function = closing_contexts(self.function)

    @property
    def source(self) -> str:
        return self.program.text

    def definition(self, longest: int) -> Definition | None:
        """The program, unless it runs in a context of its own."""
        if len(self.program.lines) > longest or self.function is not self._defined():
            return None
        tree = parsed(self.source)
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        main = next(node for node in functions if node.name == self.program.name)
        return Definition(main, self.program.namespace, self._filename)

    def _defined(self) -> Callable[..., tuple[Any, ...]]:
        function: Callable[..., tuple[Any, ...]] = self.program.namespace[self.program.name]
        return function

    def position(self, entry: TracebackType) -> NodePosition | None:
        """The line of the program, and the node whose expression raised."""
        frame, program = entry.tb_frame, self.program
        if frame.f_code.co_filename != self._filename:
            return None
        line = program.lines[entry.tb_lineno - 1]
        node = failing_node(program, line, entry)
        return NodePosition(
            node, line.location, lambda value: _value_in(frame, program, value), program.deferred
        )

    def pending_writes(self, error: BaseException) -> Iterator[tuple[Any, Any]]:
        """The contents that op `written` has recorded in the program's frames, innermost first."""
        if not self.program.written:
            return
        frames = []
        entry = error.__traceback__
        while entry is not None:
            if entry.tb_frame.f_code.co_filename == self._filename:
                frames.append(entry.tb_frame)
            entry = entry.tb_next
        constants = list(self.program.namespace.values())
        for frame in reversed(frames):
            variables = frame.f_locals
            for given, now in self.program.written.get(frame.f_code.co_name, {}).items():
                if now in variables and not any(variables[given] is c for c in constants):
                    yield variables[given], variables[now]


def _value_in(frame: FrameType, program: Program, value: Value) -> Any:
    """The value of a graph's value in a frame of the program."""
    deferred = program.deferred.get(value)
    text = program.names[value] if deferred is None else deferred.text
    try:
        return eval(text, frame.f_globals, dict(frame.f_locals))
    except Exception as error:
        raise LookupError(f"{value!r} is not known any more") from error


def _program(graph: Graph, options: Options) -> Program:
    """The program of a graph; functions that call themselves come before it."""
    typed = graph
    graph, functions = lifted(without_option_nodes(typed))
    if options.timer is not None and not functions:
        options.timer.sources, _ = typed_nodes(typed, graph)
    instruments = _instruments(options)
    filename = next((n.location.filename for n in walk(graph) if n.location is not None), "")
    whole = Program(
        program_name(graph),
        namespace={"np": np, "math": math, "cmath": cmath, **namespace_of(filename)},
    )
    names = [whole.name, *functions]
    replacements = None
    if options.replaces is not None and not functions:
        replacements = Replacements(*typed_nodes(typed, graph), options.replaces)
    for function in functions.values():
        whole.append(Writer(function, instruments, whole.namespace, names).write())
    if options.threads == 1 or instruments:
        whole.append(Writer(graph, instruments, whole.namespace, names, replacements).write())
    else:
        whole.append(ParallelWriter(graph, options.threads, whole.namespace, names).write())
    return whole


def _instruments(options: Options) -> list[Instrument]:
    instruments: list[Instrument] = []
    if options.timer is not None:
        instruments.append(TimedStatements(options.timer))
    if options.check is not None:
        instruments.append(CheckedStatements(options.check))
    return instruments


def _with_own_errors(function: Callable[..., tuple[Any, ...]]) -> Callable[..., tuple[Any, ...]]:
    """A function that restores NumPy's error settings when it returns or raises."""

    def run(*inputs: Any) -> tuple[Any, ...]:
        with np.errstate():
            return function(*inputs)

    return run


def _users_line(frame: FrameType) -> Location | None:
    """The user's line that a frame of a program is running."""
    made = _compiled.get(frame.f_code.co_filename)
    lines = [] if made is None else made.program.lines
    return lines[frame.f_lineno - 1].location if 0 < frame.f_lineno <= len(lines) else None


FINDERS.append(_users_line)


def compile_graph(graph: Graph, options: Options | None = None) -> Compiled:
    """The executable of a graph."""
    return Compiled(graph, options or Options())


# op names: the structural ops that generated programs have statements for
CONTROL = frozenset({"cond", "loop", "recursive", "again", "unreachable"})
ENGINE = Engine(
    "numpy", "Generated Python programs over NumPy.", compile_graph, refusal=refusal(CONTROL)
)
