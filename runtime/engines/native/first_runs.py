"""Code for the first runs of a piece, which LLVM emits without passes.

After its second call, a function is machine code as a whole where it can be (`entry.py`), and runs
no pieces.  So the pieces of a small function run twice, and LLVM's passes would take longer than
all that they save.  A piece that runs more often gets the code that other pieces have.

Both codes have the same bits: the text has no flag that lets LLVM reorder, contract or leave out an
operation of floats, and its vectors are written out.
"""

import math
from collections.abc import Callable
from threading import Lock
from typing import Any
from weakref import ref

from runtime.engines.native.machine import Unassembled
from runtime.ir.graph import Graph, Node, operand_type, walk
from runtime.ir.regions import is_repeated
from runtime.ir.types import TensorType, Type

RUNS = 2  # with such code
MOST_ELEMENTS = 100_000  # that the nodes of such a piece compute: about a millisecond


class FirstRuns:
    """A piece in the namespace of a program, until it has run twice.

    Threads may run it at the same time: one of them makes the code of later runs.
    """

    def __init__(self, first: Callable[..., Any], later: Callable[[], Callable[..., Any]]) -> None:
        """`later` makes the code of later runs."""
        self._function, self._runs = first, RUNS
        self._later: Callable[[], Callable[..., Any]] | None = later
        self._program: Callable[[], Any] = lambda: None
        self._lock = Lock()

    def belongs_to(self, program: Any) -> None:
        """The program in whose namespace the code of later runs takes its place."""
        self._program = ref(program)

    def __call__(self, *operands: Any) -> Any:
        """Runs the piece.  Where LLVM fails, the first code stays."""
        if self._runs > 0:
            self._runs -= 1
        elif self._later is not None and self._lock.acquire(blocking=False):
            try:
                self._replace()
            finally:
                self._lock.release()
        return self._function(*operands)

    def _replace(self) -> None:
        """Puts the code of later runs into the namespace of the program."""
        if self._later is None:  # another thread was faster
            return
        try:
            self._function = self._later()
        except RecursionError:  # LLVM is called where the stack is nearly full
            return
        except Unassembled:
            pass
        self._later = None
        program = self._program()
        if program is not None:
            namespace = program.program.namespace
            names = [name for name, one in namespace.items() if one is self]
            namespace.update(dict.fromkeys(names, self._function))


def is_brief(nodes: list[Node]) -> bool:
    """Whether a run of some nodes takes little time in any code: no loops, few elements."""
    inside = list(walk(Graph("", [], nodes)))
    if any(map(is_repeated, inside)):
        return False
    return sum(map(_elements, inside)) <= MOST_ELEMENTS


def _elements(node: Node) -> float:
    """About how many elements a node computes; infinite where sizes are unknown."""
    operands = [operand_type(operand) for operand in node.inputs]
    results = [value.type for value in node.outputs]
    rows = 1 if node.op.traits.elementwise else max(map(_last_size, operands), default=1)
    return sum(map(_size, operands)) + rows * sum(map(_size, results))


def _size(type: Type) -> float:
    if not isinstance(type, TensorType):
        return 1
    known = [size for size in type.shape if isinstance(size, int)]
    return math.prod(known) if len(known) == len(type.shape) else math.inf


def _last_size(type: Type) -> float:
    shape = type.shape if isinstance(type, TensorType) else ()
    return shape[-1] if shape and isinstance(shape[-1], int) else 1
