"""The table of the vector math: NumPy's names, formulas, and numbers of arguments."""

from collections.abc import Callable

from runtime.engines.native.vector_math import (
    error_function,
    exponentials,
    inverse_trigonometry,
    logarithms,
    powers,
    trigonometry,
)
from runtime.engines.native.vector_math.expressions import Value

# op names: a formula for each
FORMULAS: dict[str, Callable[..., Value]] = {
    "exp": exponentials.exp,
    "exp2": exponentials.exp2,
    "expm1": exponentials.expm1,
    "sinh": exponentials.sinh,
    "cosh": exponentials.cosh,
    "tanh": exponentials.tanh,
    "sigmoid": exponentials.sigmoid,
    "log": logarithms.log,
    "log1p": logarithms.log1p,
    "log2": logarithms.log2,
    "log10": logarithms.log10,
    "arcsinh": logarithms.arcsinh,
    "arccosh": logarithms.arccosh,
    "arctanh": logarithms.arctanh,
    "sin": trigonometry.sin,
    "cos": trigonometry.cos,
    "tan": trigonometry.tan,
    "arcsin": inverse_trigonometry.arcsin,
    "arccos": inverse_trigonometry.arccos,
    "arctan": inverse_trigonometry.arctan,
    "arctan2": inverse_trigonometry.arctan2,
    "pow": powers.pow,
    "cbrt": powers.cbrt,
    "hypot": powers.hypot,
    "erf": error_function.erf,
}
# op names: the formulas of two arguments
TWO_ARGUMENTS = ("arctan2", "hypot", "pow")
ARITIES = {name: 2 if name in TWO_ARGUMENTS else 1 for name in FORMULAS}
