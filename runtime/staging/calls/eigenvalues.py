"""NumPy functions whose results are real or complex depending on the elements.

    w, v = np.linalg.eig(a)         w: f64[3], v: f64[3, 3], as in the call that is recorded
    np.linalg.eigvals(a)            a run with complex results calls the Python function instead
    np.roots(p)
    np.poly(z)                      real for real z; for complex z as in the call that is recorded

A graph has one dtype: the one of the call for which it is recorded.  A run with another dtype is
ended, and the Python function computes the result of that call (`function/concrete_function.py`).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.errors import LibraryResultError
from runtime.ir.graph import Graph, operand_type, walk
from runtime.ir.host import Host, Watched
from runtime.ir.pytree import flatten
from runtime.ir.types import TensorType, TupleType
from runtime.ops.dict_keys import key_place
from runtime.ops.effects import assert_
from runtime.ops.library_call import template_of
from runtime.ops.lists import all_present
from runtime.staging.calls.library_calls import LibraryCall
from runtime.staging.calls.registry import register_call
from runtime.tracing import trace
from runtime.tracing.call_values import CallValues
from runtime.tracing.numpy_api.registry import unsupported_function
from runtime.tracing.tensor import Tensor, operand, staged

BY_VALUE = (np.linalg.eig, np.linalg.eigvals, np.poly, np.roots)


def has_dtype_of_run(graph: Graph) -> bool:
    """Whether a graph calls such a function, or has a check that may leave a run to Python."""
    return any(_is_by_value(node) for node in walk(graph))


def _is_by_value(node):
    if node.op is all_present or node.op is key_place and _may_be_nan(node):
        return True
    if node.op is assert_ and node.attributes["error"] is LibraryResultError:
        return True  # two NaN are compared (`staging/comparisons.py`)
    function = node.attributes.get("function") if node.op.name == "library_call" else None
    while isinstance(function, Watched):
        function = function.function
    return isinstance(function, Host) and function.value in BY_VALUE


def _may_be_nan(node):
    """Whether a key of a dict may be a NaN."""
    kinds = [node.inputs[0].type.element]
    for kind in kinds:
        kinds += kind.places if isinstance(kind, TupleType) else ()
    dtypes = [getattr(kind, "dtype", None) for kind in kinds]
    return any(dtype is not None and dtype.kind in "fc" for dtype in dtypes)


def _answer(function: Callable) -> Callable[[Any], Any]:
    def call(given: Any) -> Any:
        recorder = trace.current()
        if recorder is None or recorder.is_eager or not isinstance(given, Tensor):
            return function(given)
        return call_by_value(function, given)

    call.__name__ = function.__name__
    return call


for _function in BY_VALUE:
    register_call(_function, _answer(_function))


def call_by_value(function: Callable, given: Any) -> Any:
    """Records a call; the dtype of the results is that of the call that is being recorded.

    Raises `StagingError` in a branch, a loop or a batch, and where the argument is not known.
    """
    recorder, given = trace.current(), staged(given)
    kind = operand_type(operand(given, recorder))
    values = recorder.state(CallValues).of((given._value,), recorder)
    if not isinstance(kind, TensorType) or kind.ndim == 0:
        raise unsupported_function(function)
    if (kind.dtype.kind == "c") != (function is np.poly):  # the dtype of the results is known
        found = function(np.eye(2, dtype=kind.dtype) if kind.ndim > 1 else np.ones(2, kind.dtype))
    elif values is None or recorder.depends_on_run or recorder.is_mapped:
        raise unsupported_function(function)
    else:
        found = function(*values)
    types, structure = _types(function, found, kind)
    return LibraryCall(function, (given,), {}).record(types, structure, True, True)


def _types(function, found, kind):
    """The types of the results, and their structure."""
    leaves, structure = flatten(found)
    shapes = {
        np.linalg.eig: [kind.shape[:-1], kind.shape],
        np.linalg.eigvals: [kind.shape[:-1]],
        np.poly: [(_one_more(kind.shape[-1]),)],
        np.roots: [(None,)],
    }[function]
    types = tuple(TensorType(one.dtype, tuple(s)) for one, s in zip(leaves, shapes, strict=True))
    return types, template_of(structure, types)


def _one_more(size):
    return size + 1 if isinstance(size, int) else None
