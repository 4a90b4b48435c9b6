"""The engines: each is a record, found by its name.

    register(Engine("numpy", "Python programs over NumPy.", compile_graph, refusal))

    engine = find("numpy")                     ValueError, with the known names, for any other
    run = engine.compiled(graph, Options())    an `Executable` (`executable.py`)
    outputs = run(x, y)

`docs/engines.md` shows how to add one; `eager.py` is the example.
"""

import os
from collections.abc import Callable, Container
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from autograph.errors import message
from runtime.engines.executable import Executable
from runtime.engines.loop_replacement import Replaces
from runtime.engines.nan_checks import NanCheck
from runtime.engines.timing import Timer
from runtime.ir.graph import Graph, Node, walk

# The engine that runs graphs unless a setting or a function names another one.
DEFAULT = os.environ.get("AUTOGRAPH_ENGINE", "auto")


@dataclass(frozen=True)
class Options:
    """How a graph is compiled.

    timer     records when operations start and end, if there is one
    check     looks at the result of each operation, if there is one
    threads   how many parts of one run may be computed at the same time; an engine may use fewer
    store     `store(array, new)` writes into an input when an exception ends a run early
    cache     the directory in which machine code is kept, if it is
    replaces  how loops that run long are replaced (`loop_replacement.py`), if they are
    """

    timer: Timer | None = None
    check: NanCheck | None = None
    threads: int = 1
    store: Callable[[Any, Any], None] = np.copyto
    cache: str | None = None
    replaces: Replaces | None = None


Refusal = Callable[[Node], str | None]


def refusal(control: Container[str]) -> Refusal:
    """The predicate of an engine that evaluates ops by their records, and has code of its own for
    the ops called `control`."""

    def reason(node: Node) -> str | None:
        op = node.op
        if op.eval is not None or op.inline is not None or op.name in control:
            return None
        return "It has a meaning for transformations alone, which replace it before a graph runs."

    return reason


@dataclass(frozen=True, eq=False)
class Engine:
    """A way to compile graphs into executables.

    compile    (graph, options) -> executable; the graph is not changed
    refusal    (node) -> why the engine cannot lower this node, None if it can; of a node with
               regions the op alone is meant, as the nodes inside come one by one
    needs      the packages that the engine imports; it is unavailable if one is missing
    """

    name: str
    doc: str
    compile: Callable[[Graph, Options], Executable]
    refusal: Refusal
    needs: tuple[str, ...] = ()

    @property
    def unavailable(self) -> str | None:
        """Why the engine cannot be used here, None if it can."""
        missing = [package for package in self.needs if find_spec(package) is None]
        if not missing:
            return None
        are = "packages that are" if len(missing) > 1 else "a package that is"
        return f"it needs {are} not installed: {', '.join(missing)}"

    def compiled(self, graph: Graph, options: Options) -> Executable:
        """The executable of a graph.

        Raises `ImportError` if the engine is unavailable, `CannotLower` if the graph has a node
        that the engine cannot lower.
        """
        if self.unavailable is not None:
            raise ImportError(f"the engine {self.name!r} is unavailable: {self.unavailable}")
        for node in walk(graph):
            reason = self.refusal(node)
            if reason is not None:
                raise CannotLower(self._refused(node, reason))
        return self.compile(graph, options)

    def _refused(self, node: Node, reason: str) -> str:
        place = node.location and node.location.in_message
        what = f"the engine {self.name!r} cannot run {node.op.name.strip('_')}"
        others = ", ".join(repr(name) for name in names() if name != self.name)
        return message(what, place, reason, f"Choose another engine: {others}.")


class CannotLower(NotImplementedError):
    """A graph has a node that an engine cannot run; the message names the user's line."""


_engines: dict[str, Engine] = {}


def register(engine: Engine) -> None:
    """Makes an engine known.  Raises `ValueError` if there is one of that name."""
    if _engines.setdefault(engine.name, engine) is not engine:
        raise ValueError(f"there is an engine called {engine.name!r} already")


def names() -> list[str]:
    """The names of all engines, available or not."""
    return list(_engines)


def find(name: str) -> Engine:
    """The engine of that name.

    Raises `TypeError` if the name is not a string, and `ValueError`, which lists the engines, if
    there is none of that name.
    """
    if not isinstance(name, str):
        raise TypeError(f"an engine is given by its name, a string, not {name!r}")
    if name not in _engines:
        known = ", ".join(map(repr, _engines))
        raise ValueError(f"there is no engine {name!r}; the engines are {known}")
    return _engines[name]


def available(name: str) -> Engine:
    """The engine of that name.

    Raises what `find` raises, and `ImportError`, with the reason, if it is unavailable.
    """
    engine = find(name)
    if engine.unavailable is not None:
        raise ImportError(f"the engine {name!r} is unavailable: {engine.unavailable}")
    return engine
