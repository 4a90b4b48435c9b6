"""Executables: graphs that an engine has compiled.

    run = engine.compiled(graph, options)
    run(x, y)             a tuple of the graph's outputs; exceptions name the user's line
    run.function(x, y)    the same without that: a plain function, for callers that count time
    run.translate(e)      makes an exception of `run.function` name the user's line

A subclass supplies `function`, and says which node of the graph a traceback entry belongs to.
"""

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np

from runtime.engines.entry import Entry, Request
from runtime.engines.errors import add_note, users_traceback
from runtime.ir.graph import Location, Node, Value


@dataclass(frozen=True)
class NodePosition:
    """The position in a graph that a run had reached when an exception was raised.

    node        the operation that failed, None if no operation did
    location    the user's line
    value_of    (value of the graph) -> its value in this run; raises `LookupError` if unknown
    unnamed     values that have no name at run time; notes give their types alone
    """

    node: Node | None
    location: Location | None
    value_of: Callable[[Value], Any]
    unnamed: Container[Value] = ()


@dataclass(frozen=True)
class Definition:
    """An executable's function as a syntax tree that a caller may inline.

    `body` runs first, then `outputs` are evaluated in order.  The positions in the tree are those
    in `filename`, which `position` knows.
    """

    function: ast.FunctionDef
    namespace: dict[str, Any]  # its global variables
    filename: str

    @property
    def parameters(self) -> list[str]:
        """The names of the inputs."""
        return [argument.arg for argument in self.function.args.args]

    @property
    def body(self) -> list[ast.stmt]:
        """The statements before the one that returns."""
        return self.function.body[:-1]

    @property
    def outputs(self) -> list[ast.expr]:
        """The expressions for the outputs."""
        last = self.function.body[-1]
        assert isinstance(last, ast.Return) and isinstance(last.value, ast.Tuple)
        return last.value.elts


class Executable(ABC):
    """A graph that an engine has compiled: a function of its inputs that returns its outputs."""

    function: Callable[..., tuple[Any, ...]]
    has_entries = False  # whether `entry` may return one
    enters_at_once = False  # whether its first run had better be a whole call (`entry`)
    is_provisional = False  # whether another executable may take its place between two runs
    is_superseded = False  # whether that one is due (`successor`)

    def __init__(self, store: Callable[[Any, Any], None] = np.copyto) -> None:
        """`store(array, new)` writes into an input when an exception ends a run early."""
        self._store = store

    def __call__(self, *inputs: Any) -> tuple[Any, ...]:
        """The outputs for some inputs.  Raises the exceptions of the user's function."""
        try:
            return self.function(*inputs)
        except BaseException as error:
            self.translate(error)
            raise

    @property
    @abstractmethod
    def source(self) -> str:
        """The generated program, or another text that shows what runs."""

    def successor(self) -> "Executable":
        """The executable that runs the graph from now on: for most engines this one."""
        return self

    def definition(self, longest: int) -> Definition | None:
        """Its function as a syntax tree, if it is a Python function of at most `longest` lines."""
        return None

    def entry(self, request: Request) -> Entry | None:
        """The machine code of a whole call, if the engine has some."""
        return None

    def native(self, what: str) -> str | None:
        """What it runs as machine code: `pieces`, `ir` or `assembly`; None for an engine that
        has none."""
        return None

    @abstractmethod
    def position(self, entry: TracebackType) -> NodePosition | None:
        """The position that a traceback entry stands for; None if its frame is not one of this
        executable's."""

    def pending_writes(self, error: BaseException) -> Iterable[tuple[Any, Any]]:
        """Input arrays that a run has written into before an exception, each with its new
        contents, in the order in which they must be stored.

        Graphs have no memory that changes: op `written` says what an input holds from then on.
        """
        return ()

    def translate(self, error: BaseException) -> None:
        """Stores what the run had written, and makes the exception's traceback and notes show the
        user's lines."""
        for array, new in self.pending_writes(error):
            self._store(array, new)
        entries = []
        entry = error.__traceback__
        while entry is not None:
            entries.append(entry)
            entry = entry.tb_next
        inside = []  # the frames that the failing operation has called, innermost first
        position = None
        for entry in reversed(entries):
            position = self.position(entry)
            if position is not None:
                break
            inside.append(entry)
        if position is not None and position.node is not None:
            add_note(error, position.node, position.value_of, position.unnamed)
        error.__traceback__ = users_traceback(position.location if position else None, inside)
