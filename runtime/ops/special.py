"""The ufuncs of `scipy.special`, and some other functions, if the user's program has imported it.

    scipy.special.erf(x)       calls the SciPy function; its result type is found by calling it

Nothing here imports SciPy: a program that calls one of its functions has done so.
"""

import sys
from collections.abc import Callable

import numpy as np

from runtime.ir.derivative import Composition
from runtime.ir.op import Op, add_family, find
from runtime.ops.adjoints.mathematics import special_rule
from runtime.ops.adjoints.scipy_functions import COMPOSITIONS
from runtime.ops.library import LibraryFunction

PREFIX = "scipy_special_"


def special_function(function: Callable) -> Op | None:
    """The op that calls a ufunc of `scipy.special`; None for other functions."""
    module = sys.modules.get("scipy.special")
    name = getattr(function, "__name__", None)
    is_known = isinstance(function, np.ufunc) or name in COMPOSITIONS
    if not is_known or getattr(module, str(name), None) is not function:
        return None
    return find(PREFIX + function.__name__)


def _made(name):
    module = sys.modules.get("scipy.special")
    function = getattr(module, name.removeprefix(PREFIX), None)
    composition = COMPOSITIONS.get(getattr(function, "__name__", ""))
    if composition is None and not isinstance(function, np.ufunc):
        raise KeyError(name)
    path, doc = f"scipy.special.{function.__name__}", "A function of `scipy.special`."
    rule = special_rule(function.__name__) if composition is None else Composition(composition)
    LibraryFunction(path, name).record(function, doc, rule)


add_family(PREFIX, _made)
