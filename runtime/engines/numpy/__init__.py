"""The NumPy engine: the reference, and the fallback of every other engine.

    run = compile(graph)
    run(x, y)          a tuple of the graph's outputs
    run.source         the program that does it

An exception that an op raises is shown where the user wrote it: its traceback gets a frame with the
user's file, function and line.
"""

import ast
import itertools
import linecache
import os
from collections.abc import Callable
from contextvars import copy_context
from types import TracebackType
from typing import Any

from runtime.engines.numpy.program import Program, program
from runtime.ir import Graph, Location, walk

_serial = itertools.count(1)
_OWN = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), ""
)


class Compiled:
    """A graph as a Python function of its inputs, which returns a tuple of its outputs."""

    def __init__(self, graph: Graph):
        self.program: Program = program(graph)
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
        except Exception as error:
            error.__traceback__ = self._users_traceback(error.__traceback__)
            raise

    def _users_traceback(self, traceback):
        """The traceback with the frames of the program replaced by the user's."""
        entries = []
        while traceback is not None:
            entries.append(traceback)
            traceback = traceback.tb_next
        following = None
        for entry in reversed(entries):
            filename = entry.tb_frame.f_code.co_filename
            if filename == self._filename:
                location = self.program.locations[entry.tb_lineno - 1]
                return following if location is None else _frame_at(location, following)
            if not filename.startswith(_OWN):
                following = TracebackType(
                    following, entry.tb_frame, entry.tb_lasti, entry.tb_lineno
                )
        return following


def _in_a_context(function):
    """A function that leaves NumPy's way to judge errors as it was, also when it raises."""
    return lambda *inputs: copy_context().run(function, *inputs)


def compile_graph(graph: Graph) -> Compiled:
    """The function that a graph stands for."""
    return Compiled(graph)


def _frame_at(location: Location, following: TracebackType | None) -> TracebackType:
    """A traceback entry that shows a line of the user's, as template engines make them."""
    linecache.checkcache(location.filename)
    text = linecache.getline(location.filename, location.lineno).rstrip("\n")
    start, end = location.columns or (len(text) - len(text.lstrip()), len(text.encode()))
    place = {
        "lineno": location.lineno,
        "end_lineno": location.lineno,
        "col_offset": start,
        "end_col_offset": end,
    }
    statement = ast.Raise(exc=ast.Name("_error", ast.Load(), **place), **place)
    code = compile(ast.Module([statement], []), location.filename, "exec")
    name = location.function or "<module>"
    code = code.replace(co_name=name, co_qualname=name)
    try:
        exec(code, {"_error": _Marker()})
    except _Marker as marker:
        entry = marker.__traceback__.tb_next
        return TracebackType(following, entry.tb_frame, entry.tb_lasti, location.lineno)
    raise AssertionError("a statement that raises did not")


class _Marker(Exception):
    pass
