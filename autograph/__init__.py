"""AutoGraph for NumPy-style Python: ordinary functions become readable functional code."""

from autograph.backend import Backend, register_backend, register_call
from autograph.conversion.converter import convert, do_not_convert, to_code, to_graph
from autograph.directives import set_element_type, set_loop_options, stack
from autograph.errors import ConversionError

TYPE_CHECKING = False  # but type checkers take it to be true, as they do typing's
if TYPE_CHECKING:
    from autograph.reports.report import explain

__all__ = [
    "Backend",
    "ConversionError",
    "convert",
    "do_not_convert",
    "explain",
    "register_backend",
    "register_call",
    "set_element_type",
    "set_loop_options",
    "stack",
    "to_code",
    "to_graph",
]


def __getattr__(name: str) -> object:
    """Reports are imported when somebody asks for one: conversion does not need them."""
    if name == "explain":
        from autograph.reports.report import explain

        return explain
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
