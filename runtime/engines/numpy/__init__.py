"""The NumPy engine: the reference, and the fallback of every other engine.

    run = compile_graph(graph)
    run(x, y)          a tuple of the graph's outputs
    run.source         the program that does it

An exception that an op raises is shown where the user wrote it (`error_translation.py`).
"""

import itertools
from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import Any

import numpy as np

from runtime.engines.numpy.closure_lifting import lifted
from runtime.engines.numpy.codegen import Writer
from runtime.engines.numpy.error_translation import explain, write_back
from runtime.engines.numpy.instrumentation import Instrument
from runtime.engines.numpy.parallel import ParallelWriter
from runtime.engines.numpy.source_map import Program, program_name
from runtime.ir.graph import Graph, walk

_serial = itertools.count(1)


class Compiled:
    """A graph as a Python function of its inputs, which returns a tuple of its outputs.

    Its program has instruments, or parts that run in several threads, or neither.
    """

    def __init__(
        self,
        graph: Graph,
        instruments: Sequence[Instrument] = (),
        threads: int = 1,
        keep: Callable[[Any, Any], None] = np.copyto,
    ):
        """`keep` is called with an input that is written into, and what it holds, where a run ends
        by an exception."""
        self._keep = keep
        self.program = _program(graph, instruments, threads)
        self._filename = f"<graph {graph.name} {next(_serial)}>"
        code = compile(self.program.text, self._filename, "exec")
        exec(code, self.program.namespace)
        self._function: Callable[..., tuple] = self.program.namespace[self.program.name]
        if any(node.op.name == "enter_errors" for node in walk(graph)):
            self._function = _in_a_context(self._function)

    @property
    def source(self) -> str:
        """The generated program."""
        return self.program.text

    def __call__(self, *inputs: Any) -> tuple:
        try:
            return self._function(*inputs)
        except BaseException as error:
            if self.program.written:
                write_back(error, self.program, self._filename, self._keep)
            explain(error, self.program, self._filename)
            raise


def _program(graph, instruments, threads) -> Program:
    """The program of a graph; functions that call themselves stand in front of it."""
    graph, functions = lifted(graph)
    whole = Program(program_name(graph), namespace={"np": np})
    names = [whole.name, *functions]
    for function in functions.values():
        whole.append(Writer(function, instruments, whole.namespace, names).write())
    if threads == 1:
        whole.append(Writer(graph, instruments, whole.namespace, names).write())
    else:
        whole.append(ParallelWriter(graph, threads, whole.namespace, names).write())
    return whole


def _in_a_context(function):
    """A function that leaves NumPy's way to judge errors as it was, also when it raises."""
    return lambda *inputs: copy_context().run(function, *inputs)


def compile_graph(graph: Graph) -> Compiled:
    """The function that a graph stands for."""
    return Compiled(graph)
