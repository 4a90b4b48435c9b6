"""The graph runtime: traces converted code into typed graphs, optimises them and runs them.

`import runtime` imports no wing that makes graphs.  The first use of a public name imports them all
(`public.py`); from then on the names are ordinary attributes of this module.  A module that is
public itself, like `config`, is imported without the others.
"""

# ruff: noqa: F405  (checkers see the names of `public.py`)

import gc
import os
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

import autograph

if not hasattr(autograph, "to_graph"):  # a file of the user, found before the package
    place = getattr(autograph, "__file__", None) or next(iter(autograph.__path__))
    raise ImportError(
        f"{place} hides the package `autograph` of autograph-numpy: `import autograph` imports "
        "that file.  Rename it, or move it to another directory.",
        name="autograph",
        path=place,
    )

# isort: split
import runtime.function  # noqa: F401  (see the end of this file)
from autograph import __version__ as __version__
from autograph.backend.completion import register_late
from autograph.functions.policy import leave_alone
from autograph.spellings import module_getattr
from runtime.spellings.modules import RT, of_numpy

if TYPE_CHECKING:
    from runtime.public import *  # noqa: F403

leave_alone(__file__, ordinary=(os.path.join("nn", ""), "optimizers.py"))

__all__ = [
    "Checkpoint",
    "ConcreteFunction",
    "Function",
    "GradientTape",
    "Graph",
    "Profile",
    "RetracingWarning",
    "Session",
    "StagingError",
    "Tensor",
    "TensorSpec",
    "TracingWarning",
    "array_api",
    "checkpoint",
    "Variable",
    "compile_library",
    "config",
    "constant",
    "custom_gradient",
    "devices",
    "eager",
    "effect",
    "errors",
    "export_onnx",
    "from_jax",
    "function",
    "grad",
    "hessian",
    "host_call",
    "jacobian",
    "jvp",
    "library_call",
    "load",
    "name_scope",
    "nn",
    "optimizers",
    "parse",
    "placeholder",
    "profile",
    "register_pytree",
    "pure",
    "random",
    "save",
    "saved",
    "show",
    "stop_gradient",
    "summary",
    "to_jax",
    "to_torch",
    "value_and_grad",
    "vjp",
    "vmap",
]

_MODULES = ("array_api", "config", "errors", "nn", "optimizers", "random", "saved", "summary")


def __dir__() -> list[str]:
    """The public names, for completion."""
    return [*__all__, *(name for name in globals() if name.startswith("__"))]


def _opened() -> ModuleType:
    """The module of the public names; threads that ask at the same time wait for one another.

    The garbage collector pauses: modules stay, and it would walk through them again and again.
    At the end, it counts them among its old objects; the next two collections would do that else.
    """
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        return import_module("runtime.public")
    finally:
        if is_collecting:
            gc.enable()
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()  # into the oldest generation, without a walk


def _late(name: str) -> object:
    """A public name that is used for the first time; None if there is no such name."""
    if name in _MODULES:
        return import_module(f"runtime.{name}")
    if name not in __all__:
        return None
    public = _opened()
    globals().update((one, getattr(public, one)) for one in __all__)
    return globals()[name]


register_late(_opened)
if not TYPE_CHECKING:
    # The wing `runtime.function` is an attribute from its import on, which is now: from here on
    # `rt.function` is the decorator, whatever is imported later.
    del globals()["function"]
    __getattr__ = module_getattr(__name__, "rt", RT, of_numpy, _late)
