"""The graph runtime: traces converted code into typed graphs, optimises them and runs them."""

import runtime.operators  # noqa: F401  (gives Tensor its operators)
from autograph.policy import leave_alone
from runtime import config, random
from runtime.concrete import ConcreteFunction
from runtime.errors import StagingError
from runtime.function import Function, eager, function
from runtime.graph import Graph, constant, name_scope, placeholder
from runtime.profiles import Profile, profile
from runtime.retraces import RetracingWarning
from runtime.session import Session
from runtime.signature import TensorSpec
from runtime.staging.outside import TracingWarning
from runtime.tensor import Tensor
from runtime.text import parse, show
from runtime.variable import Variable

leave_alone(__file__)

__all__ = [
    "ConcreteFunction",
    "Function",
    "Graph",
    "Profile",
    "RetracingWarning",
    "Session",
    "StagingError",
    "Tensor",
    "TensorSpec",
    "TracingWarning",
    "Variable",
    "config",
    "constant",
    "eager",
    "function",
    "name_scope",
    "parse",
    "placeholder",
    "profile",
    "random",
    "show",
]
