"""Gives `Tensor` its operators, subscripts, methods and NumPy protocols.

Each of the modules below sets the attributes that it implements, so that `tensor.py` depends on
none of them.
"""

import runtime.tracing.exits
import runtime.tracing.numpy_api.complex_parts
import runtime.tracing.numpy_api.dispatch
import runtime.tracing.numpy_api.flat
import runtime.tracing.numpy_api.methods
import runtime.tracing.numpy_api.operators
import runtime.tracing.numpy_api.subscripts  # noqa: F401
