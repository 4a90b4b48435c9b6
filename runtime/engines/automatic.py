"""The automatic engine: the NumPy engine's program at first, machine code for graphs that run long.

    runs of a graph     1, 2, 3 ... k           k + 1 ...
                        its NumPy program       machine code, where the graph has some

Machine code takes some hundredths of a second and more to make, and a run of a graph may take
microseconds.  So the NumPy program runs until its runs together have taken about as long as making
the machine code will take; the next run makes it.  A graph therefore never costs much more than
that time above the NumPy engine.

Results do not depend on it: the native engine's have the same bits.

Where no machine code can be generated, and in programs with checks, times and threads, this is the
NumPy engine.
"""

from collections.abc import Iterable
from time import perf_counter
from types import TracebackType
from typing import Any

from runtime.engines import native
from runtime.engines.executable import Executable, NodePosition
from runtime.engines.numpy import CONTROL
from runtime.engines.numpy import compile_graph as compile_for_numpy
from runtime.engines.registry import Engine, Options, refusal
from runtime.ir.graph import Graph, walk

# About how many seconds it takes to make machine code of a graph, and of each of its nodes.
SECONDS, SECONDS_OF_NODE = 0.1, 0.002


class AutomaticProgram(Executable):
    """A graph that runs as a NumPy program for some seconds, and as machine code afterwards."""

    is_provisional = True

    def __init__(self, graph: Graph, options: Options, seconds: float) -> None:
        super().__init__(options.store)
        self._graph, self._options, self._seconds = graph, options, seconds
        self._first: Executable = compile_for_numpy(graph, options)
        self._second: Executable | None = None
        self.source = self._first.source
        self.function = self._timed

    def _timed(self, *inputs: Any) -> tuple[Any, ...]:
        begun = perf_counter()
        try:
            return self._first.function(*inputs)
        finally:
            self._seconds -= perf_counter() - begun
            self.is_superseded = self._seconds < 0

    def __call__(self, *inputs: Any) -> tuple[Any, ...]:
        """The outputs for some inputs, by the program that is due."""
        return self.successor()(*inputs) if self.is_superseded else super().__call__(*inputs)

    def successor(self) -> Executable:
        """Itself until the seconds are over, then the program with machine code."""
        return self._native() if self.is_superseded else self

    def _native(self) -> Executable:
        if self._second is None:
            self._second = native.compile_graph(self._graph, self._options)
            self.source, self.is_superseded = self._second.source, True
        return self._second

    def native(self, what: str) -> str | None:
        """What it runs as machine code, which is made now."""
        return self._native().native(what)

    def position(self, entry: TracebackType) -> NodePosition | None:
        """The position in the NumPy program."""
        return self._first.position(entry)

    def pending_writes(self, error: BaseException) -> Iterable[tuple[Any, Any]]:
        """What a run of the NumPy program had written."""
        return self._first.pending_writes(error)


def compile_graph(graph: Graph, options: Options) -> Executable:
    """The executable of a graph."""
    observed = options.timer is not None or options.check is not None
    if observed or options.threads > 1 or native.unusable() is not None:
        return compile_for_numpy(graph, options)
    nodes = sum(1 for _ in walk(graph))
    return AutomaticProgram(graph, options, SECONDS + SECONDS_OF_NODE * nodes)


ENGINE = Engine(
    "auto",
    "The NumPy engine's programs, then machine code for graphs that run long.",
    compile_graph,
    refusal=refusal(CONTROL),
)
