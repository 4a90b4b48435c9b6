"""The automatic engine: the NumPy engine's program at first, machine code for graphs that run long.

    runs of a graph     1, 2, 3 ... k        k + 1 ... k + 8        later ones
                        its NumPy program    a trial                machine code, or NumPy's program

Machine code takes some hundredths of a second and more to make, and a run of a graph may take
microseconds.  So the NumPy program runs until its runs together have taken about as long as making
the machine code will take; the next run makes it.  A graph therefore never costs much more than
that time above the NumPy engine.

Machine code that is left (`piece_calls.py`) costs the time until then, in each run.  So a few runs
are a trial: if most pieces were left in them, the NumPy program runs from then on.

Results do not depend on it: the native engine's have the same bits.

Where no machine code can be generated, and in programs with checks, times and threads, this is the
NumPy engine.
"""

from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
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
# About how many a call takes besides the run, with guard and times; machine code has its own guard.
SECONDS_OF_CALL = 1e-6
TRIALS = 8  # runs


class AutomaticProgram(Executable):
    """A graph that runs as a NumPy program for some seconds, and as machine code afterwards."""

    is_provisional = True

    def __init__(self, graph: Graph, options: Options, seconds: float) -> None:
        super().__init__(options.store)
        self._graph, self._options, self._seconds = graph, options, seconds
        self._numpy: Executable = compile_for_numpy(graph, options)
        # A `NativeProgram` and its `Leaving`; their module is imported when it is needed.
        self._trial: tuple[Any, Any] | None = None
        self._trials = TRIALS  # that are left
        self._chosen: Executable | None = None
        self.source = self._numpy.source

    def function(self, *inputs: Any) -> tuple[Any, ...]:
        """The outputs for some inputs, by the program that is due, with its time taken."""
        if self._seconds <= 0:
            return self._tried(inputs)
        begun = perf_counter()
        try:
            return self._numpy.function(*inputs)
        finally:
            self._seconds -= perf_counter() - begun + SECONDS_OF_CALL

    def _tried(self, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """The outputs by machine code, and a choice after the last trial."""
        found = self._machine_code()
        if found is None:
            self._choose(self._numpy)
            return self._numpy.function(*inputs)
        program, leaving = found
        try:
            return program.function(*inputs)  # type: ignore[no-any-return]
        finally:
            self._trials -= 1
            if self._trials <= 0 and self._chosen is None:
                leaving.end()
                is_left = 2 * leaving.left > leaving.calls
                self._choose(self._numpy if is_left else program)

    def _choose(self, program: Executable) -> None:
        self._chosen, self.is_superseded = program, True
        self.source = program.source

    def _machine_code(self) -> tuple[Any, Any] | None:
        """The program with machine code, and how often it is left; None where there is none."""
        if self._trial is None and native.unusable() is None:
            program: Any = native.compile_graph(self._graph, self._options)
            if self._trial is None:  # or another thread was faster
                self._trial = program, program.counted()
                self.source = program.source
        return self._trial

    def __call__(self, *inputs: Any) -> tuple[Any, ...]:
        """The outputs for some inputs, by the program that is due."""
        return super().__call__(*inputs) if self._chosen is None else self._chosen(*inputs)

    def successor(self) -> Executable:
        """The program that runs from now on: this one, until another is chosen."""
        return self._chosen or self

    def native(self, what: str) -> str | None:
        """What it runs as machine code, which is made now."""
        found = self._machine_code()
        return None if found is None else found[0].native(what)

    def position(self, entry: TracebackType) -> NodePosition | None:
        """The position in the program that has run."""
        programs = self._programs()
        return next((found for one in programs if (found := one.position(entry))), None)

    def pending_writes(self, error: BaseException) -> Iterable[tuple[Any, Any]]:
        """What a run had written."""
        for one in self._programs():
            yield from one.pending_writes(error)

    def _programs(self) -> list[Executable]:
        return [self._numpy] if self._trial is None else [self._numpy, self._trial[0]]


@cache
def _has_compiler() -> bool:
    """Whether llvmlite is installed; `native.unusable` says more, but imports the native engine."""
    return find_spec("llvmlite") is not None


def compile_graph(graph: Graph, options: Options) -> Executable:
    """The executable of a graph."""
    observed = options.timer is not None or options.check is not None
    if observed or options.threads > 1 or not _has_compiler():
        return compile_for_numpy(graph, options)
    nodes = sum(1 for _ in walk(graph))
    return AutomaticProgram(graph, options, SECONDS + SECONDS_OF_NODE * nodes)


ENGINE = Engine(
    "auto",
    "The NumPy engine's programs, then machine code for graphs that run long.",
    compile_graph,
    refusal=refusal(CONTROL),
)
