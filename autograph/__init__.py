"""AutoGraph for NumPy-style Python: ordinary functions become readable functional code."""

from autograph.backend import Backend, register_backend
from autograph.converter import convert, do_not_convert, to_code, to_graph
from autograph.errors import ConversionError

__all__ = [
    "Backend",
    "ConversionError",
    "convert",
    "do_not_convert",
    "register_backend",
    "to_code",
    "to_graph",
]
