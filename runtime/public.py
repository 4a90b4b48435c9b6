"""The public names, and the modules that complete classes and fill tables.

This module imports all wings.  It is imported when the first public name of `runtime` is used, so
that `import runtime` costs little.
"""

import runtime.observability.explain  # noqa: F401  (gives graphs `explain`)
import runtime.observability.graph_def  # noqa: F401  (and `as_graph_def`)
import runtime.observability.notebooks  # noqa: F401  (and the views in notebooks)
import runtime.observability.pictures.dot  # noqa: F401  (and `to_dot`)
import runtime.observability.pictures.svg  # noqa: F401  (and `to_svg`)
import runtime.tracing.tensor_methods  # noqa: F401  (gives Tensor its methods)
import runtime.transforms.libraries  # noqa: F401  (derivatives of functions of packages)
from runtime import array_api, config, errors, nn, optimizers, random, saved, summary
from runtime.errors import StagingError
from runtime.export.exporting import compile_library, export_onnx
from runtime.frameworks.conversion import devices, from_jax, to_jax, to_torch
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.decorator import eager, function
from runtime.function.function import Function
from runtime.graph_api.graph import Graph, constant, name_scope, placeholder
from runtime.graph_api.session import Session
from runtime.ir.records import register_pytree
from runtime.ir.text import parse, show
from runtime.observability.profiles import Profile, profile
from runtime.saved.checkpoint import Checkpoint
from runtime.saved.loading import load
from runtime.saved.saving import save
from runtime.staging.calls.host_calls import host_call
from runtime.staging.calls.library_calls import library_call
from runtime.staging.calls.natures import effect, pure
from runtime.state.variable import Variable
from runtime.tracing.retracing import RetracingWarning
from runtime.tracing.signature import TensorSpec
from runtime.tracing.tensor import Tensor
from runtime.tracing.trace import TracingWarning
from runtime.transforms.forward.jvp import jvp
from runtime.transforms.gradient_tape import GradientTape
from runtime.transforms.gradients import grad, hessian, jacobian, value_and_grad, vjp
from runtime.transforms.markers import checkpoint, custom_gradient, stop_gradient
from runtime.transforms.vmap.vmap import vmap

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
