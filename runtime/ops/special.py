"""The ufuncs of `scipy.special`, and some other functions, if the user's program has imported it.

    scipy.special.erf(x)       calls the SciPy function; its result type is found by calling it
    scipy.special.zeta(x, q)   is written in Python, and calls a ufunc of `scipy.special._ufuncs`

Nothing here imports SciPy: a program that calls one of its functions has done so.
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ir.derivative import Composition
from runtime.ir.op import Op, add_family, find
from runtime.ops.adjoints.mathematics import special_rule
from runtime.ops.adjoints.scipy_functions import COMPOSITIONS
from runtime.ops.library import LibraryFunction

PREFIX = "scipy_special_"


def special_function(function: Callable) -> Op | None:
    """The op that calls a ufunc of `scipy.special`; None for other functions."""
    name = getattr(function, "__name__", None)
    is_known = isinstance(function, np.ufunc) or name in COMPOSITIONS
    if not is_known or _found(str(name))[1] is not function:
        return None
    return find(PREFIX + function.__name__)


def _found(name: str) -> tuple[str, Any]:
    """The path of a function of `scipy.special`, and the function; None if there is none."""
    for path in ("scipy.special", "scipy.special._ufuncs"):
        found = getattr(sys.modules.get(path), name, None)
        if found is not None:
            return f"{path}.{name}", found
    return "", None


def _made(name):
    path, function = _found(name.removeprefix(PREFIX))
    composition = COMPOSITIONS.get(getattr(function, "__name__", ""))
    if composition is None and not isinstance(function, np.ufunc):
        raise KeyError(name)
    doc = "A function of `scipy.special`."
    rule = special_rule(function.__name__) if composition is None else Composition(composition)
    LibraryFunction(path, name).record(function, doc, rule)


add_family(PREFIX, _made)
