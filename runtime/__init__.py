"""The graph runtime: traces converted code into typed graphs, optimises them and runs them."""

import runtime.operators  # noqa: F401  (gives Tensor its operators)
from autograph.policy import leave_alone
from runtime.errors import StagingError
from runtime.function import Function, function
from runtime.graph import Graph, constant, name_scope, placeholder
from runtime.session import Session
from runtime.tensor import Tensor
from runtime.text import parse, show

leave_alone(__file__)

__all__ = [
    "Function",
    "Graph",
    "Session",
    "StagingError",
    "Tensor",
    "constant",
    "function",
    "name_scope",
    "parse",
    "placeholder",
    "show",
]
