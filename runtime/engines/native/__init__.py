"""The native engine: pieces of a graph run as machine code, inside a program of the NumPy engine.

    done, counter = native_1(a)            a piece: its nodes, compiled by LLVM
    if not done:                           it was left: something was unusual
        counter = 0                        the NumPy program of the same nodes
        while a != 1:
            ...

So a node without machine code is no error, and whatever a piece does not do is done by NumPy: big
integers, warnings, exceptions.  `cut` (`pieces.py`) chooses the pieces, `lowering.py` has the table
of ops, `llvm.py` is the only module that knows llvmlite.

Without llvmlite, on other processors than x86-64, and where objects have an unknown layout, the
NumPy engine's programs run, and a warning says so once.
"""

import warnings
from functools import cache, partial

from runtime.engines.executable import Executable
from runtime.engines.numpy import CONTROL
from runtime.engines.numpy import compile_graph as compile_for_numpy
from runtime.engines.registry import Engine, Options, refusal
from runtime.ir.graph import Graph


class NativeEngineWarning(UserWarning):
    """The native engine cannot generate code here; the NumPy engine runs its graphs."""


def unusable() -> str | None:
    """Why no machine code can be generated here."""
    from runtime.engines.native.program import why_unusable

    return why_unusable()


@cache
def _warn(reason: str) -> None:
    warnings.warn(
        f"the native engine is unavailable: {reason}; the NumPy engine runs graphs instead",
        NativeEngineWarning,
        stacklevel=2,
    )


def compile_graph(
    graph: Graph, options: Options, formulas: bool = False, has_run: bool = False
) -> Executable:
    """The executable of a graph; `has_run`: another program has run it, for some time.

    Checks, times and threads belong to programs without pieces.
    """
    observed = options.timer is not None or options.check is not None
    if observed or options.threads > 1:
        return compile_for_numpy(graph, options)
    reason = unusable()
    if reason is not None:
        _warn(reason)
        return compile_for_numpy(graph, options)
    from runtime.engines.native.program import compiled

    return compiled(graph, options, formulas, has_run)


ENGINE = Engine(
    "native",
    "Machine code for scalars, elements and loops, NumPy for all else.",
    compile_graph,
    refusal=refusal(CONTROL),
)

FAST_ENGINE = Engine(
    "native-fast",
    "As native, with vector math for functions of arrays such as exp: within 2 units in the last"
    " place.",
    partial(compile_graph, formulas=True),
    refusal=refusal(CONTROL),
)
