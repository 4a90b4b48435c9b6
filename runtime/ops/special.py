"""The ufuncs of `scipy.special`, if the user's program has imported it.

    scipy.special.erf(x)       calls the SciPy function; its result type is found by calling it

Nothing here imports SciPy: a program that calls one of its functions has done so.
"""

import sys
from collections.abc import Callable

import numpy as np

from runtime.ir.op import Op, add_family, find
from runtime.ops.adjoints.mathematics import special_rule
from runtime.ops.library import LibraryFunction

PREFIX = "scipy_special_"


def special_function(function: Callable) -> Op | None:
    """The op that calls a ufunc of `scipy.special`; None for other functions."""
    module = sys.modules.get("scipy.special")
    name = getattr(function, "__name__", None)
    if not isinstance(function, np.ufunc) or getattr(module, str(name), None) is not function:
        return None
    return find(PREFIX + function.__name__)


def _made(name):
    module = sys.modules.get("scipy.special")
    function = getattr(module, name.removeprefix(PREFIX), None)
    if not isinstance(function, np.ufunc):
        raise KeyError(name)
    path, doc = f"scipy.special.{function.__name__}", "A function of `scipy.special`."
    LibraryFunction(path, name).record(function, doc, special_rule(function.__name__))


add_family(PREFIX, _made)
