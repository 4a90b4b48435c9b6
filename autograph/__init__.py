"""AutoGraph for NumPy-style Python: ordinary functions become readable functional code."""

from autograph.backend import Backend, register_backend, register_call
from autograph.converter import convert, do_not_convert, to_code, to_graph
from autograph.directives import set_element_type, set_loop_options, stack
from autograph.errors import ConversionError

__all__ = [
    "Backend",
    "ConversionError",
    "convert",
    "do_not_convert",
    "register_backend",
    "register_call",
    "set_element_type",
    "set_loop_options",
    "stack",
    "to_code",
    "to_graph",
]
