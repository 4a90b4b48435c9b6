"""Pieces of a program that has not run yet: the code of a piece is made when it first runs.

    a call of the program         1, 2                            later ones
    a brief piece                 code made in the least time     the code that other pieces have
    another one                   the code at once

After its second call, a function is machine code as a whole where it can be (`entry.py`), and a
function whose run may take long after its first call; then no piece runs.  So a piece that no call
needs is not compiled, and the last code of one that takes little time is made in its third run.

Both codes have the same bits: the text has no flag that lets LLVM reorder, contract or leave out an
operation of floats, and its vectors are written out.
"""

from collections.abc import Callable
from threading import RLock
from typing import Any
from weakref import ref

from runtime.engines.native.machine import Assembled, Unassembled
from runtime.engines.native.work import elements
from runtime.ir.graph import Graph, Node, walk
from runtime.ir.regions import is_repeated

RUNS = 2  # with code without passes
MOST_ELEMENTS = 100_000  # that the nodes of a brief piece compute: about a millisecond

# Makes machine code, and the Python function that runs it.
Maker = Callable[[], tuple[Assembled, Callable[..., Any]]]


class FirstRuns:
    """A piece in the namespace of a program, until it has its last code.

    Threads may run it at the same time: one of them makes the code, and the others wait.
    """

    def __init__(self, first: Maker | None, last: Maker, results: int) -> None:
        """`first` makes the code of a brief piece, of which `last` makes the last code; `results`:
        how many values the piece returns."""
        self.is_brief = first is not None
        self._first = first
        self._last: Maker | None = last
        self._runs = RUNS if self.is_brief else 0  # of the first code, that are left
        self._code: Assembled | None = None
        self._function: Callable[..., Any] | None = None
        self._left = (False, *[None] * results)
        self._program: Callable[[], Any] = lambda: None
        self._lock = RLock()  # reentrant: a signal's handler may call the function

    def belongs_to(self, program: Any) -> None:
        """The program in whose namespace the last code takes its place."""
        self._program = ref(program)

    @property
    def code(self) -> Assembled | None:
        """The code of the next run, which is made now; None if LLVM has refused its text."""
        self._prepare()
        return self._code

    def __call__(self, *operands: Any) -> Any:
        """Runs the piece; it is left where there is no code."""
        self._prepare()
        self._runs -= 1
        return self._left if self._function is None else self._function(*operands)

    def _prepare(self) -> None:
        """Makes the code of the next run."""
        if self._last is None or (self._function is not None and self._runs > 0):
            return
        with self._lock:
            is_first = self._function is None
            first = self._first if self._runs > 0 else None
            if self._last is None or (first is not None and not is_first):
                return  # another thread was faster
            try:
                self._code, self._function = (first or self._last)()
            except RecursionError:
                return  # a later run may have more of the stack
            except Unassembled as error:
                if is_first:
                    self._give_up(str(error))
                first = None
            if first is None:
                self._last = None
                self._replace()

    def _replace(self) -> None:
        """Puts the last code into the namespace of the program."""
        program = self._program()
        if program is not None and self._function is not None:
            namespace = program.program.namespace
            names = [name for name, one in namespace.items() if one is self]
            namespace.update(dict.fromkeys(names, self._function))

    def _give_up(self, reason: str) -> None:
        """Leaves the nodes of the piece to the NumPy program."""
        program = self._program()
        if program is not None:
            program.give_up(self, reason)


def is_brief(nodes: list[Node]) -> bool:
    """Whether a run of some nodes takes little time in any code: no loops, few elements."""
    inside = list(walk(Graph("", [], nodes)))
    if any(map(is_repeated, inside)):
        return False
    return sum(map(elements, inside)) <= MOST_ELEMENTS
