"""The automatic engine: the NumPy engine's program at first, machine code for graphs that run long.

    runs of a graph     1, 2, 3 ... k        k + 1 ... k + 8        later ones
                        its NumPy program    a trial                machine code, or NumPy's program

Machine code takes some hundredths of a second and more to make, and a run of a graph may take
microseconds.  So the NumPy program runs until its runs together have taken about as long as making
the machine code will take; the next run makes it.  A graph therefore never costs much more than
that time above the NumPy engine.  A run that takes longer itself, or whose loop will, goes on as
machine code at the next iteration of its loop (`loop_replacement.py`).

A few runs are a trial, unless the machine code leaves a loop to NumPy while loops of the NumPy
program go on as machine code.  Machine code that is left (`piece_calls.py`) costs the time until
then, in each run: if most pieces were left, the NumPy program runs from then on.  It also does if
it was faster in some more runs, one with it and one with machine code in turn; these are made where
its fastest run was faster than those of the trial, with inputs that may have been smaller.

Results do not depend on it: the native engine's have the same bits.

Where no machine code can be generated, and in programs with checks, times and threads, this is the
NumPy engine.
"""

import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, partial
from importlib.util import find_spec
from time import perf_counter
from types import TracebackType
from typing import Any

from runtime.engines import native
from runtime.engines.executable import Executable, NodePosition
from runtime.engines.loop_replacement import Deadline, LoopReplacement
from runtime.engines.numpy import CONTROL
from runtime.engines.numpy import compile_graph as compile_for_numpy
from runtime.engines.registry import Engine, Options, refusal
from runtime.ir.graph import Graph, Node, walk
from runtime.ir.regions import is_loop

# About how many seconds it takes to make machine code of a graph, and of each of its nodes; and how
# many of them to import the compiler.
SECONDS, SECONDS_OF_NODE, SECONDS_OF_IMPORT = 0.1, 0.002, 0.08
# About how many a call takes besides the run, with guard and times; machine code has its own guard.
SECONDS_OF_CALL = 1e-6
TRIALS = 8  # runs
PAIRS = 3  # of runs, with the NumPy program and with machine code


class AutomaticProgram(Executable):
    """A graph that runs as a NumPy program for some seconds, and as machine code afterwards."""

    is_provisional = True

    def __init__(self, graph: Graph, options: Options, seconds: float) -> None:
        super().__init__(options.store)
        self._graph, self._options, self._seconds = graph, options, seconds
        self._cost = seconds  # of machine code; `_seconds` counts down
        self._deadline = Deadline()
        self._loops: list[LoopReplacement] = []
        replaces = partial(_replacement, options, self._deadline, self._loops)
        self._first = compile_for_numpy(graph, replace(options, replaces=replaces))
        self._plain: Executable | None = None  # the same without replacement
        # A `NativeProgram` and its `Leaving`; their module is imported when it is needed.
        self._trial: tuple[Any, Any] | None = None
        self._trials, self._pairs = TRIALS, 2 * PAIRS  # runs that are left
        self._fastest = {"numpy": float("inf"), "native": float("inf")}
        self._sums = {"numpy": 0.0, "native": 0.0}
        self._chosen: Executable | None = None

    @property
    def source(self) -> str:
        """The program that is due, without its looks at the time."""
        shown = self._chosen or (self._trial and self._trial[0])
        return self._without_looks().source if shown in (None, self._first) else shown.source

    def _without_looks(self) -> Executable:
        """The NumPy program that never becomes another one."""
        if self._plain is None:
            self._plain = compile_for_numpy(self._graph, self._options)
        return self._plain

    def _numpy(self) -> Executable:
        """The NumPy program for runs from now on; with machine code for loops that have some."""
        if not self._has_replacements():
            return self._without_looks()
        self._deadline.time = float("-inf")
        return self._first

    def _has_replacements(self) -> bool:
        """Whether loops of the NumPy program go on as machine code."""
        return any(any(loop.programs.values()) for loop in self._loops)

    def function(self, *inputs: Any) -> tuple[Any, ...]:
        """The outputs for some inputs, by the program that is due, with its time taken."""
        if self._seconds <= 0:
            return self._tried(inputs)
        begun = perf_counter()
        self._deadline.time = begun + self._seconds
        self._deadline.cost = self._cost - (SECONDS_OF_IMPORT if _has_imported_it() else 0)
        try:
            return self._first.function(*inputs)
        finally:
            self._seconds -= self._took("numpy", begun) + SECONDS_OF_CALL

    def _took(self, name: str, begun: float) -> float:
        """The seconds of a run, kept if none was faster."""
        seconds = perf_counter() - begun
        self._fastest[name] = min(self._fastest[name], seconds)
        return seconds

    def _tried(self, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """The outputs by machine code, and a choice after the last trial."""
        found = self._machine_code()
        if found is None:
            return self._choose(self._numpy()).function(*inputs)
        program, leaving = found
        if any(map(is_loop, (node for node, _ in program.left))) and self._has_replacements():
            return self._choose(self._numpy()).function(*inputs)
        if self._trials <= 0:
            return self._compared(program, inputs)
        begun = perf_counter()
        try:
            return program.function(*inputs)  # type: ignore[no-any-return]
        finally:
            self._trials -= 1
            self._took("native", begun)
            if self._trials <= 0 and self._chosen is None:
                leaving.end()
                if 2 * leaving.left > leaving.calls:
                    self._choose(self._numpy())
                elif self._fastest["native"] <= self._fastest["numpy"]:
                    self._choose(program)

    def _compared(self, program: Executable, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """The outputs by the program whose turn it is, and a choice after the last pair."""
        name, turn = ("native", program) if self._pairs % 2 else ("numpy", self._numpy())
        begun = perf_counter()
        try:
            return turn.function(*inputs)
        finally:
            self._pairs -= 1
            self._sums[name] += self._took(name, begun)
            if self._pairs <= 0 and self._chosen is None:
                is_faster = self._sums["native"] <= self._sums["numpy"]
                self._choose(program if is_faster else self._numpy())

    def _choose(self, program: Executable) -> Executable:
        self._chosen, self.is_superseded = program, True
        return program

    def _machine_code(self) -> tuple[Any, Any] | None:
        """The program with machine code, and how often it is left; None where there is none."""
        if self._trial is None and native.unusable() is None:
            program: Any = native.compile_graph(self._graph, self._options, has_run=True)
            if self._trial is None:  # or another thread was faster
                self._trial = program, program.counted()
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
        replaced = [one for loop in self._loops for one in loop.programs.values()]
        others = [self._plain, self._trial and self._trial[0], *replaced]
        return [self._first, *(one for one in others if one is not None)]


def _replacement(
    options: Options,
    deadline: Deadline,
    loops: list[LoopReplacement],
    loop: Node,
    around: LoopReplacement | None,
) -> LoopReplacement:
    """The replacement of a loop, which is added to those of a program."""
    loops.append(LoopReplacement(loop, around, deadline, partial(_all_native, options)))
    return loops[-1]


def _all_native(options: Options, graph: Graph) -> Executable | None:
    """The machine code of a graph, None if not all of it has some."""
    if native.unusable() is not None:
        return None
    program: Any = native.compile_graph(graph, options, has_run=True)
    return None if program.left else program


@cache
def _has_compiler() -> bool:
    """Whether llvmlite is installed; `native.unusable` says more, but imports the native engine."""
    return find_spec("llvmlite") is not None


def _has_imported_it() -> bool:
    return "llvmlite.binding" in sys.modules


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
