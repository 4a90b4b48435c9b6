"""The graph runtime: traces converted code into typed graphs, optimises them and runs them."""

import os

import runtime.operators  # noqa: F401  (gives Tensor its operators)
import runtime.subscripts  # noqa: F401  (and its subscripts)
from autograph.policy import leave_alone
from runtime import config, nn, optimizers, random
from runtime.concrete import ConcreteFunction
from runtime.errors import StagingError
from runtime.function import Function, eager, function
from runtime.graph import Graph, constant, name_scope, placeholder
from runtime.profiles import Profile, profile
from runtime.retraces import RetracingWarning
from runtime.session import Session
from runtime.signature import TensorSpec
from runtime.tensor import Tensor
from runtime.text import parse, show
from runtime.trace import TracingWarning
from runtime.transforms.batches.batching import vmap
from runtime.transforms.forward import jvp
from runtime.transforms.gradients import grad, hessian, jacobian, value_and_grad, vjp
from runtime.transforms.rules import checkpoint, custom_gradient, stop_gradient
from runtime.transforms.tape import GradientTape
from runtime.variable import Variable

leave_alone(__file__, ordinary=(os.path.join("nn", ""), "optimizers.py"))

__all__ = [
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
    "checkpoint",
    "Variable",
    "config",
    "constant",
    "custom_gradient",
    "eager",
    "function",
    "grad",
    "hessian",
    "jacobian",
    "jvp",
    "name_scope",
    "nn",
    "optimizers",
    "parse",
    "placeholder",
    "profile",
    "random",
    "show",
    "stop_gradient",
    "value_and_grad",
    "vjp",
    "vmap",
]
