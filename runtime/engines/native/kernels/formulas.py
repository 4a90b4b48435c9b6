"""Functions that a kernel computes by the vector math, many lanes at once, without NumPy's loops.

    exp(x: f64)      %3 = call <8 x double> @vector_exp_f64x8(<8 x double> %2)

Only ops that NumPy's inner loops would compute are looked up here: exact ones (`x ** 2`, roots,
roundings) are instructions in `elements.py`.
"""

from functools import partial
from typing import Any

from runtime.engines.native.kernels.elements import Element, selected
from runtime.engines.native.kernels.inner_loops import InnerLoop
from runtime.engines.native.kinds import Kind, kind_of_dtype
from runtime.engines.native.machine import has_fma
from runtime.engines.native.text import Text, literal
from runtime.engines.native.vector_math import FORMULAS, SHORT
from runtime.ir.graph import Node
from runtime.ir.op import names as names_of_ops

# op names: the formula of another name
NAMES = {"power": "pow"}
# op names: functions that are 0 or far from it
NEVER_TINY = {"log", "log2", "log10", "cos", "cosh", "arccos", "arccosh"}


def names_of(dtype: Any) -> list[str]:
    """The names of the ops that have a formula for arrays of a dtype."""
    known = names_of_ops()
    names = [name for name in (*FORMULAS, *NAMES) if name in known]
    return [name for name in names if _has_formula(name, kind_of_dtype(dtype))]


def _has_formula(name: str, kind: Kind) -> bool:
    found = NAMES.get(name, name)
    if found not in FORMULAS:
        return False
    # NumPy's loops for `float32` use vectors, as only formulas in single precision do.
    return kind.bits == 64 or is_short(found, kind) or name not in SHORT["f32"]


def formula_of(node: Node, loop: InnerLoop) -> Element | None:
    """How the vector math computes a node instead of a loop; None if it has no formula for it."""
    name = node.op.name
    if len(set(loop.kinds)) > 1 or not _has_formula(name, loop.kinds[0]):
        return None
    write = partial(_write, NAMES.get(name, name))
    return Element(lambda node: list(loop.kinds[:-1]), write, is_formula=True)


def _write(name: str, text: Text, kind: Kind, given: list[str]) -> str:
    result = text.formula(name, kind, given, has_fma())
    if name not in NEVER_TINY and not is_short(name, kind):
        _flag_if_tiny(text, kind, result)
    return result


def is_short(name: str, kind: Kind) -> bool:
    """Whether a function has a short formula, which sets the flag of underflow."""
    return has_fma() and name in SHORT[f"f{kind.bits}"]


def _flag_if_tiny(text: Text, kind: Kind, result: str) -> None:
    """Sets the flag of underflow for a result below the normal numbers, other than 0: NumPy may
    warn, and formulas do not always set it."""
    whole = Kind("i", kind.bits, kind.lanes)
    size = text.intrinsic(f"llvm.fabs.{kind.suffix}", kind.register, (kind.register, result))
    bits = text.register(f"bitcast {kind.register} {size} to {whole.register}")
    before = text.register(f"sub {whole.register} {bits}, {literal(whole, 1)}")
    least = 1 << (52 if kind.bits == 64 else 23)  # the bits of the least normal number
    tiny = text.register(f"icmp ult {whole.register} {before}, {literal(whole, least - 1)}")
    ones = literal(kind, 1.0)
    small = literal(kind, 2.0 ** (-1000 if kind.bits == 64 else -120))
    factor = selected(text, kind, tiny, small, ones)
    text.float("fmul", kind, factor, factor)
