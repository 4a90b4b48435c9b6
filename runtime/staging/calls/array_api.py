"""The array API namespace of staged values: the result of `x.__array_namespace__()`.

    xp = x.__array_namespace__()
    xp.sum(x), xp.linalg.inv(x)            NumPy functions, which support staged values
    xp.zeros(3), xp.asarray(x)             replacements of functions that do not

It is NumPy's main namespace, which follows the standard since NumPy 2.  Code that is not converted
may use it as well, such as packages that are written for any array library.
"""

import sys
from typing import Any

import numpy as np

from runtime.staging.calls.registry import replacement
from runtime.tracing.numpy_api.methods import METHODS
from runtime.tracing.tensor import Tensor

OF_THE_STANDARD = ("__array_api_version__", "__array_namespace_info__")


def __getattr__(name: str) -> Any:
    if name.startswith("__") and name not in OF_THE_STANDARD:
        raise AttributeError(f"the array namespace has no attribute {name!r}")
    found = getattr(np, name)
    return found if isinstance(found, type) else replacement(found)


def __dir__():
    return dir(np)


def _array_namespace(tensor: Tensor, *, api_version: str | None = None) -> Any:
    """The namespace for array-API code.  Raises `ValueError` for a version that NumPy lacks."""
    np.empty(0).__array_namespace__(api_version=api_version)
    return sys.modules[__name__]


METHODS["__array_namespace__"] = _array_namespace
