"""Programs of the NumPy engine that call pieces of machine code."""

from collections.abc import Callable, Container
from functools import cache, partial
from importlib.util import find_spec
from typing import Any

from runtime.engines.entry import Entry, Request
from runtime.engines.native import (
    arithmetic,
    arrays,
    complex_numbers,
    control_flow,
    cross_products,
    draws,
    float_errors,
    kernels,
    key_index,
    lists,
    machine,
    mathematics,
    numpy_calls,
    python_objects,
    recursion,
    tuples,
    ufunc_loops,
)
from runtime.engines.native.entry import entry, gains_as_a_whole, is_short
from runtime.engines.native.first_runs import FirstRuns
from runtime.engines.native.pieces import Cut, cut
from runtime.engines.native.view import Pieces, shown
from runtime.engines.numpy import Compiled
from runtime.engines.registry import Options
from runtime.ir.graph import Graph

LOWERINGS = (
    arithmetic,
    arrays,
    complex_numbers,
    control_flow,
    cross_products,
    float_errors,
    kernels,
    key_index,
    lists,
    mathematics,
    draws,
    numpy_calls,
    recursion,
    tuples,
    ufunc_loops,
)  # they fill the table


class Leaving:
    """How often the pieces of a program are called, and how often they are left."""

    def __init__(self, namespace: dict[str, Any], functions: Container[int]) -> None:
        """`functions` are the identities of the pieces in the namespace of the program."""
        self.calls = self.left = 0
        self._namespace = namespace
        self._pieces = {name: one for name, one in namespace.items() if id(one) in functions}
        for name, piece in self._pieces.items():
            namespace[name] = partial(self._called, piece)

    def _called(self, piece: Callable[..., Any], *operands: Any) -> Any:
        found = piece(*operands)
        self.calls += 1
        self.left += not found[0]
        return found

    def end(self) -> None:
        """Counts no more."""
        self._namespace.update(self._pieces)


class NativeProgram(Compiled):
    """A program of the NumPy engine that calls pieces."""

    has_entries = True

    def __init__(self, graph: Graph, found: Cut, options: Options, formulas: bool = False) -> None:
        super().__init__(found.graph, options)
        self.whole, self.cache, self.formulas = graph, options.cache, formulas
        self.pieces = found.pieces
        self.left = found.left
        first = [one.function for one in found.pieces if isinstance(one.function, FirstRuns)]
        for function in first:
            function.belongs_to(self)
        are_brief = all(function.is_brief for function in first)
        is_whole = not self.left or gains_as_a_whole(graph)
        self.enters_at_once = bool(first) and is_whole and (not are_brief or is_short(graph))

    def give_up(self, function: FirstRuns, reason: str) -> None:
        """Leaves the nodes of a piece to the NumPy program, since LLVM refuses its text."""
        for piece in [piece for piece in self.pieces if piece.function is function]:
            self.pieces.remove(piece)
            self.left += [(node, reason) for node in piece.nodes]

    def counted(self) -> "Leaving":
        """Counts, from now on, how often its pieces are called, and how often they are left."""
        functions = {id(piece.function) for piece in self.pieces}
        return Leaving(self.program.namespace, functions)

    def entry(self, request: Request) -> Entry | None:
        """The machine code of a whole call, if all of it has some."""
        return entry(self.whole, request, self.cache, self.formulas)

    def native(self, what: str) -> str:
        """What runs as machine code, and what does not (`view.py`)."""
        return shown(Pieces(self.pieces, self.left), what)


def compiled(
    graph: Graph, options: Options, formulas: bool, has_run: bool = False
) -> NativeProgram:
    """The program of a graph; `formulas`: kernels compute functions by the vector math.

    `has_run`: another program has run the graph, for some time.
    """
    found = cut(graph, options.cache, formulas, not has_run)
    return NativeProgram(graph, found, options, formulas)


@cache
def why_unusable() -> str | None:
    """Why no machine code can be generated here."""
    if find_spec("llvmlite") is None:
        return "llvmlite is not installed (pip install 'autograph-numpy[native]')"
    if not machine.is_supported():
        return "this processor is none that it generates code for"
    if not python_objects.layout_is_known():
        return "this Python or NumPy has objects of an unknown layout"
    return None
