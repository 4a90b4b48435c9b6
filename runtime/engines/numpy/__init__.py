"""The NumPy engine: the reference, and the fallback of every other engine.

    run = compile_graph(graph)
    run(x, y)          a tuple of the graph's outputs
    run.source         the program that does it

An exception that an op raises is shown where the user wrote it (`failures.py`).
"""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from runtime.engines.numpy.failures import explain
from runtime.engines.numpy.instruments import Instrument
from runtime.engines.numpy.lines import Program
from runtime.engines.numpy.parallel import ParallelWriter
from runtime.engines.numpy.program import Writer
from runtime.ir import Graph

_serial = itertools.count(1)


class Compiled:
    """A graph as a Python function of its inputs, which returns a tuple of its outputs.

    Its program has instruments, or parts that run in several threads, or neither.
    """

    def __init__(self, graph: Graph, instruments: Sequence[Instrument] = (), threads: int = 1):
        writer = Writer(graph, instruments) if threads == 1 else ParallelWriter(graph, threads)
        self.program: Program = writer.write()
        self._filename = f"<graph {graph.name} {next(_serial)}>"
        code = compile(self.program.text, self._filename, "exec")
        exec(code, self.program.namespace)
        self._function: Callable[..., tuple] = self.program.namespace[self.program.name]

    @property
    def source(self) -> str:
        """The generated program."""
        return self.program.text

    def __call__(self, *inputs: Any) -> tuple:
        try:
            return self._function(*inputs)
        except Exception as error:
            explain(error, self.program, self._filename)
            raise


def compile_graph(graph: Graph) -> Compiled:
    """The function that a graph stands for."""
    return Compiled(graph)
