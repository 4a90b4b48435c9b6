"""AutoGraph for NumPy-style Python: converts functions to readable functional code."""

from autograph.backend import Backend, register_ambient, register_backend, register_call
from autograph.backends import load_when_imported
from autograph.conversion.converter import convert, do_not_convert, to_code, to_graph
from autograph.directives import set_element_type, set_loop_options, stack
from autograph.errors import ConversionError, ConversionWarning
from autograph.functions.policy import leave_alone
from autograph.functions.shadowing import warn_of_hidden_runtime
from autograph.spellings import AUTOGRAPH, module_getattr

__version__ = "0.1.0"  # of the distribution, whose metadata are made from it

TYPE_CHECKING = False  # but type checkers assume True, as for the one of `typing`
if TYPE_CHECKING:
    from autograph.reports.code_lines import code_lines
    from autograph.reports.report import explain

__all__ = [
    "Backend",
    "ConversionError",
    "ConversionWarning",
    "code_lines",
    "convert",
    "do_not_convert",
    "explain",
    "leave_alone",
    "register_ambient",
    "register_backend",
    "register_call",
    "set_element_type",
    "set_loop_options",
    "stack",
    "to_code",
    "to_graph",
]


def _late(name: str) -> object:
    """Imports reports and the extension of IPython on first use: conversion needs neither."""
    if name == "explain":
        from autograph.reports.report import explain

        return explain
    if name == "code_lines":
        from autograph.reports.code_lines import code_lines

        return code_lines
    if name in ("load_ipython_extension", "unload_ipython_extension"):
        from autograph.reports import notebook

        return getattr(notebook, name)
    return None


def __dir__() -> list[str]:
    """The public names, for completion."""
    return [*__all__, *(name for name in globals() if name.startswith("__"))]


warn_of_hidden_runtime()
load_when_imported()
if not TYPE_CHECKING:
    __getattr__ = module_getattr(__name__, __name__, AUTOGRAPH, late=_late)
