"""Functions as ONNX models, run by onnxruntime, or by onnx's own interpreter where it has no kernel.

found = run(f, x)          the results of the model of f, in the order of the model
check(f, x)                the same as those of Python: integers and bools exactly, floats within
                           a few units in the last place
"""

import warnings

import numpy as np
import onnxruntime
from onnx.reference import ReferenceEvaluator

import autograph
from runtime.export.exporting import concrete_of
from runtime.export.onnx.model import model_of
from runtime.ir.pytree import flatten

autograph.leave_alone(__file__)
onnxruntime.set_default_logger_severity(4)  # its log; errors are exceptions as well
CLOSE = {np.dtype(np.float16): 2e-3, np.dtype(np.float32): 4e-6, np.dtype(np.float64): 1e-13}


def model_for(function, arguments, specs=None):
    """The model of a function for a call."""
    return model_of(concrete_of(function, arguments if specs is None else specs))


def results(model, arguments, engine="onnxruntime"):
    """The arrays that a model computes for arguments, in the order of its inputs."""
    leaves = flatten(arguments)[0]
    names = [one.name for one in model.graph.input]
    if len(leaves) > len(names):  # the others are constants of the graph
        leaves = [leaf for leaf in leaves if isinstance(leaf, (np.ndarray, np.generic))]
    given = dict(zip(names, map(np.asarray, leaves), strict=True))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        session = _session(model) if engine == "onnxruntime" else None
        if session is None:
            return _arrays(ReferenceEvaluator(model).run(None, given))
        return _arrays(session.run(None, given))


def _session(model):
    """The session of a model; None if onnxruntime has no kernel for a dtype in it."""
    try:
        return onnxruntime.InferenceSession(model.SerializeToString())
    except onnxruntime.capi.onnxruntime_pybind11_state.NotImplemented:
        return None


def _arrays(found):
    return [
        np.asarray(one)
        for value in found
        for one in (value if isinstance(value, list) else [value])
    ]


def run(function, *arguments, specs=None, engine="onnxruntime"):
    """The results of the model of a function for a call."""
    return results(model_for(function, arguments, specs), arguments, engine)


def expected_of(result):
    """The arrays in the result of Python, without None."""
    return [np.asarray(leaf) for leaf in flatten(result)[0] if leaf is not None]


def compare(found, expected):
    """Compares arrays with their dtypes and shapes; floats within a few units."""
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        if other.dtype.kind == "f":
            close = CLOSE[other.dtype]
            np.testing.assert_allclose(one, other, rtol=close, atol=close)
        else:
            np.testing.assert_array_equal(one, other)


def check(function, *arguments, specs=None):
    """Compares the model of a function with Python, for a call."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        expected = expected_of(function(*arguments))
    compare(run(function, *arguments, specs=specs), expected)
