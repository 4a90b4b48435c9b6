"""Calls of NumPy functions with a staged argument.

    np.tanh(x)               an op stands for it
    np.percentile(x, 50)     graphs call it as it is (`ops/library.py`)
    np.put(x, 0, 1.0)        x stands for what the function makes of a copy (`ops/written.py`)
    np.vstack((x, y))        made of other functions (`decompositions.py`)

Anything else is an error that names the function and the nearest supported one (`registry.py`).
"""

import inspect
from functools import cache

import numpy as np

from runtime.errors import staging_error, unsupported
from runtime.ir.op import Op
from runtime.ir.types import PythonType, TensorType
from runtime.ops.library import BESIDE, LIBRARY, PATHS
from runtime.ops.special import special_function
from runtime.ops.ufuncs import COMPLEX_AND_F64
from runtime.ops.updates import AFTER
from runtime.tracing.array_like import ArrayLike
from runtime.tracing.conversion import cast, staged_type
from runtime.tracing.numpy_api import view_decompositions  # noqa: F401  (fills COMPOSED)
from runtime.tracing.numpy_api.foreign_calls import call_into, called, change, write
from runtime.tracing.numpy_api.registry import COMPOSED, functions_with_ops, unsupported_function
from runtime.tracing.tensor import Tensor, apply, staged

# -- ufuncs ----------------------------------------------------------------------------------------


def call_ufunc(ufunc, method, inputs, out, options):
    """A ufunc called with a staged argument."""
    if method == "at":
        return change(ufunc, tuple(map(_as_array, inputs)), options)
    if out is not None and all(target is None for target in out):
        out = None
    if method != "__call__":
        return call_library(getattr(ufunc, method), inputs, options, out)
    op = functions_with_ops().get(ufunc)
    if op is None or options:
        if out is None and options.get("where", True) is not True:
            raise staging_error(
                f"np.{ufunc.__name__}(where=) is called without out=",
                "What its result holds where the condition is false is whatever memory held.",
                "Give it an array of such elements: out=np.zeros_like(x).",
            )
        return call_library(ufunc, inputs, options, out)
    inputs = tuple(map(_as_scalar, inputs))
    kinds = tuple(map(staged_type, inputs))
    if all(isinstance(kind, PythonType) for kind in kinds) or kinds == COMPLEX_AND_F64:
        # Where `+` adds numbers of Python's, `np.add` makes NumPy numbers of them.
        first = staged(inputs[0])
        inputs = (cast(first, TensorType(first.type.dtype)), *inputs[1:])
    result = apply(op, *inputs)
    return result if out is None else _written(ufunc, inputs, {}, out, result)


def _as_array(value):
    return np.asarray(value) if isinstance(value, list) else value


def _as_scalar(value):
    """The NumPy scalar in an array without dimensions; NumPy makes such arrays of the scalars that
    it compares."""
    return value[()] if isinstance(value, np.ndarray) and not value.shape else value


def _written(function, args, options, out, result):
    """`out=`: the result is written into arrays, where it is not just what they hold then."""
    results = result if isinstance(result, tuple) else (result,)
    if all(
        isinstance(target, Tensor) and target.type == new.type and _sizes_are_known(new.type)
        for target, new in zip(out, results, strict=False)
    ):
        return write(out, results)
    return call_library(function, args, options, out)


def _sizes_are_known(kind):
    return all(isinstance(size, int) for size in kind.shape)


# -- functions -------------------------------------------------------------------------------------


def call_function(function, args, kwargs):
    """A NumPy function called with a staged argument somewhere in its arguments."""
    if function is np.where and len(args) == 1 and not kwargs:
        function = np.nonzero
    if function in COMPOSED:
        return COMPOSED[function](*args, **kwargs)
    if function is np.nan_to_num and kwargs.get("copy", True) is False:
        change(function, args, {k: v for k, v in kwargs.items() if k != "copy"})
        return args[0]
    if function in AFTER and function is not np.nan_to_num:
        return change(function, args, kwargs)
    op = functions_with_ops().get(function)
    if op is None:
        return call_library(function, args, kwargs)
    bound = _binding(op)(args, kwargs)
    if bound is None:
        return call_library(function, args, kwargs)
    operands, attributes, out = bound
    result = apply(op, *operands, **attributes)
    if out is None:
        return result
    arguments = {k: v for k, v in kwargs.items() if k != "out"}
    return _written(function, args, arguments, (out,), result)


def call_library(function, args, kwargs, out=None):
    """A function that graphs call as it is; see `ops/library.py`."""
    op = LIBRARY.get(function) or BESIDE.get(function) or special_function(function)
    if op is None:
        raise unsupported_function(function)
    args, kwargs, given_out = _without_output(function, args, kwargs)
    out = given_out if out is None else out
    if out is None:
        return called(op, args, kwargs)
    return call_into(PATHS[op], args, kwargs, out if isinstance(out, tuple) else (out,))


_signature = cache(inspect.signature)


def _without_output(function, args, kwargs):
    """Arguments without `out`, and what was given for it; no run may write into an operand."""
    try:
        given = _signature(function).bind(*args, **kwargs)
    except (TypeError, ValueError):  # some functions have no signature; NumPy judges the call
        return args, {k: v for k, v in kwargs.items() if k != "out"}, kwargs.get("out")
    for name, harmless in (("overwrite_input", False), ("copy", True)):
        found = given.arguments.get(name, harmless)
        if found is not harmless and found is not None:
            raise unsupported(f"{function.__name__}({name}={given.arguments[name]})")
    out = given.arguments.pop("out", None)
    if out is None or "out" in kwargs or isinstance(function, np.ufunc):
        return args, {k: v for k, v in kwargs.items() if k != "out"}, kwargs.get("out", out)
    place = list(inspect.signature(function).parameters).index("out")
    names = list(inspect.signature(function).parameters)[place + 1 :]
    behind = dict(zip(names, args[place + 1 :], strict=False))
    return args[:place], {**behind, **kwargs}, out


@cache
def _binding(op: Op):
    """A function that sorts the arguments of a NumPy function: operands, attributes, `out`.

    It gives None where the op does not know an argument.
    """
    signature = inspect.signature(op.numpy)
    names = list(signature.parameters)
    accepted = set(inspect.signature(op.infer).parameters)
    defaults = {p.name: p.default for p in signature.parameters.values()}

    def bind(args, kwargs):
        given = signature.bind(*args, **kwargs).arguments
        count = 1 if op.arity is None else op.arity
        operands = [given.pop(name) for name in names[:count] if name in given]
        if op.arity is None:
            (operands,) = operands
        elif len(operands) < count:
            raise unsupported(f"np.{op.numpy.__name__} of one argument")
        out = given.pop("out", None)
        attributes = {}
        for name, value in given.items():
            if name in accepted:
                if isinstance(value, Tensor):
                    return None
                attributes[name] = _attribute(name, value)
            elif value is not defaults[name] and value is not np._NoValue:
                return None
        return operands, attributes, out

    return bind


def _attribute(name, value):
    if name == "dtype" and value is not None:
        return np.dtype(value)
    if isinstance(value, list):
        return tuple(value)
    return value


# -- the protocols (NEP 13, NEP 18) ----------------------------------------------------------------


def _array_ufunc(self, ufunc, method, *inputs, out=None, **options):
    if any(isinstance(value, ArrayLike) for value in (*inputs, *(out or ()))):
        return NotImplemented  # it reads the array, and calls the ufunc again
    return call_ufunc(ufunc, method, inputs, out, options)


def _array_function(self, function, types, args, kwargs):
    if any(issubclass(kind, ArrayLike) for kind in types):
        return NotImplemented
    return call_function(function, args, kwargs)


Tensor.__array_ufunc__ = _array_ufunc  # type: ignore[attr-defined]
Tensor.__array_function__ = _array_function  # type: ignore[attr-defined]
