"""Functions of the standard library that are written in C and have a twin in Python.

    bisect.bisect_left(z, x)       with staged elements: the function of the same name in
                                   `bisect.py`, converted like the user's own

On plain values the C function runs.  The modules are loaded again, without their C part.
"""

import functools
import importlib.util
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from autograph import to_graph
from runtime.staging.calls.registry import register_call
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing.tensor import Tensor

SOURCES = {
    "bisect": ("_bisect", ("bisect_left", "bisect_right")),
}


@functools.cache
def _python_module(name: str) -> ModuleType:
    """A module of the standard library without the functions of its C part."""
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.loader is not None
    made, part = importlib.util.module_from_spec(spec), SOURCES[name][0]
    own = sys.modules.get(part)
    sys.modules[part] = None  # type: ignore[assignment]  # its import fails, as on other Pythons
    try:
        spec.loader.exec_module(made)
    finally:
        if own is None:
            del sys.modules[part]
        else:
            sys.modules[part] = own
    return made


@functools.cache
def _converted(name: str, function: str) -> Callable:
    return to_graph(getattr(_python_module(name), function))


def _answer(module: str, function: Callable) -> Callable:
    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        if not any(map(_is_staged, (*args, *options.values()))):
            return function(*args, **options)
        return _converted(module, function.__name__)(*args, **options)

    return call


def _is_staged(value):
    return isinstance(value, (Tensor, TraceList))


for _module, (_, _names) in SOURCES.items():
    for _name in _names:
        _function = getattr(importlib.import_module(_module), _name)
        register_call(_function, _answer(_module, _function))
