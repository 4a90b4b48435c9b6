"""Mathematical functions as LLVM IR, for any number of lanes: no library is called.

    text = library([("exp", "f64", 8), ("tanh", "f32", 16)], fma=True)
    symbol("exp", "f64", 8)             vector_exp_f64x8, a function of <8 x double>

Results are within 2 units in the last place.  A lane has the same bits for any number of lanes,
and sets the floating-point flags that its result deserves (`invalid`, `divide by zero`,
`overflow`, `underflow`) and no others; `inexact` says nothing.  A result below the normal
numbers, other than 0, may lack `underflow`: its last multiplication can be exact.  Results in
single precision are computed in single precision by the formulas of `short.py`, and otherwise in
double precision and rounded once.
"""

from collections.abc import Iterable

from runtime.engines.native.vector_math.functions import ARITIES, FORMULAS
from runtime.engines.native.vector_math.rendering import definition, symbol
from runtime.engines.native.vector_math.short import SHORT

__all__ = ["ARITIES", "FORMULAS", "SHORT", "definition", "library", "symbol"]


def library(requests: Iterable[tuple[str, str, int]], fma: bool) -> str:
    """LLVM IR with the functions for some requests: name, kind (`f32` or `f64`) and lanes.

    `fma` says whether the target multiplies and adds in one instruction.  Raises `KeyError` for a
    name that has no formula.
    """
    texts: dict[str, None] = {}
    declarations: set[str] = set()
    for name, kind, lanes in requests:
        found = definition(name, kind, lanes, fma)
        texts |= dict.fromkeys(found.texts)
        declarations |= found.declarations
    return "\n".join([*sorted(declarations), *texts, '!0 = !{!"branch_weights", i32 1, i32 1000}'])
