"""The graph runtime: traces converted code into typed graphs, optimises them and runs them."""

from autograph.policy import leave_alone
from runtime import config
from runtime.errors import StagingError
from runtime.function import Function, eager, function
from runtime.graph import Graph, constant, name_scope, placeholder
from runtime.profiles import Profile, profile
from runtime.session import Session
from runtime.tensor import Tensor
from runtime.text import parse, show

leave_alone(__file__)

__all__ = [
    "Function",
    "Graph",
    "Profile",
    "Session",
    "StagingError",
    "Tensor",
    "config",
    "constant",
    "eager",
    "function",
    "name_scope",
    "parse",
    "placeholder",
    "profile",
    "show",
]
