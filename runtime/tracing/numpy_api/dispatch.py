"""Calls of NumPy functions with a staged argument.

    np.tanh(x)               has an op of its own
    np.percentile(x, 50)     is called unchanged by the graph (`ops/library.py`)
    np.put(x, 0, 1.0)        writes: x gets the changed copy as its new value (`ops/updates.py`)
    np.vstack((x, y))        is decomposed into other functions (`decompositions.py`)

Any other function raises an error that names it and the nearest supported one (`registry.py`).
"""

import inspect
import sys
from functools import cache

import numpy as np

from autograph.functions.bytecode import opname_at
from runtime.errors import UnknownTypeError, staging_error, unsupported
from runtime.ir.op import Op, find
from runtime.ir.types import PythonType, TensorType, UnionType
from runtime.ir.unions import is_scalar, options_of
from runtime.ops.library import BESIDE, LIBRARY, PATHS
from runtime.ops.special import special_function
from runtime.ops.ufunc_calls import OPS as UFUNC_CALLS
from runtime.ops.ufuncs import COMPLEX_AND_F64
from runtime.ops.updates import AFTER
from runtime.tracing import trace
from runtime.tracing.array_like import ArrayLike
from runtime.tracing.conversion import cast, staged_type
from runtime.tracing.foreign_operands import holds_foreign, recorded
from runtime.tracing.numpy_api import view_decompositions  # noqa: F401  (fills COMPOSED)
from runtime.tracing.numpy_api.constants import with_constants
from runtime.tracing.numpy_api.foreign_calls import call_into, record_call, record_write, write
from runtime.tracing.numpy_api.registry import COMPOSED, functions_with_ops, unsupported_function
from runtime.tracing.read_as_array import ReadAsArray
from runtime.tracing.tensor import Tensor, apply, is_staged, staged
from runtime.tracing.unions import Unions

# -- ufuncs ----------------------------------------------------------------------------------------


def call_ufunc(ufunc, method, inputs, out, options, is_operator=False):
    """Records a call of a ufunc with a staged argument; `is_operator` if it is written `x * y`."""
    if method == "at":
        return record_write(ufunc, tuple(map(_as_array, inputs)), options)
    if out is not None and all(target is None for target in out):
        out = None
    if method != "__call__":
        return call_library(getattr(ufunc, method), inputs, options, out)
    op = functions_with_ops().get(ufunc)
    if op is None or options:
        if out is None and options.get("where", True) is not True:
            raise staging_error(
                f"np.{ufunc.__name__}(where=) is called without out=",
                "Where the condition is false, its result has arbitrary elements.",
                "Give it an array of such elements: out=np.zeros_like(x).",
                UnknownTypeError,
            )
        return call_library(ufunc, inputs, options, out)
    inputs = tuple(map(_as_scalar, inputs))
    kinds = tuple(map(staged_type, inputs))
    if ufunc in UFUNC_CALLS and not is_operator and _are_complex_scalars(kinds):
        op = find(UFUNC_CALLS[ufunc])
    elif all(isinstance(kind, PythonType) for kind in kinds) or kinds == COMPLEX_AND_F64:
        # `+` adds Python scalars, but `np.add` converts them to NumPy scalars.
        first = staged(inputs[0])
        inputs = (cast(first, TensorType(first.type.dtype)), *inputs[1:])
    elif hasattr(op.infer, "ufunc"):  # computed by an operator
        inputs = _with_numpys(inputs, kinds)
    result = apply(op, *inputs)
    return result if out is None else _written(ufunc, inputs, {}, out, result)


def _are_complex_scalars(kinds):
    """Whether all operands are scalars, and one is or may be complex."""
    options = [option for kind in kinds for option in options_of(kind)]
    return all(map(is_scalar, kinds)) and any(option.dtype.kind == "c" for option in options)


def _with_numpys(inputs, kinds):
    """The operands of a ufunc, if only the run knows the types of some scalars among them.

    If all may be Python's, the first of them becomes a scalar of NumPy: then the operators that
    compute ufuncs have the meaning of these.
    """
    found = [option for kind in kinds for option in options_of(kind)]
    if any(isinstance(kind, TensorType) for kind in kinds) or not any(
        isinstance(option, PythonType) for option in found
    ):
        return inputs
    first = next(i for i, kind in enumerate(kinds) if isinstance(kind, UnionType))
    return tuple(apply(find("numpys"), x) if i == first else x for i, x in enumerate(inputs))


def _as_array(value):
    return np.asarray(value) if isinstance(value, list) else value


def _as_scalar(value):
    """The scalar in a 0-d array; NumPy creates such arrays from the scalars that it compares."""
    return value[()] if isinstance(value, np.ndarray) and not value.shape else value


def _written(function, args, options, out, result):
    """Writes a result into the arrays of `out=`."""
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
    """Records a call of a NumPy function that has a staged argument, possibly inside a
    container."""
    if function is np.where and len(args) == 1 and not kwargs:
        function = np.nonzero
    if function in COMPOSED:
        return _composed(COMPOSED[function], args, kwargs)
    if function is np.nan_to_num and kwargs.get("copy", True) is False:
        record_write(function, args, {k: v for k, v in kwargs.items() if k != "copy"})
        return args[0]
    if function in AFTER and function is not np.nan_to_num:
        return record_write(function, args, kwargs)
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


def _composed(function, args, kwargs):
    """The result of a function that reads the types of its arguments: of a scalar of which only
    the run knows the type, a branch for each type."""
    place = next((i for i, one in enumerate(args) if _has_several_types(one)), None)
    if place is None or not trace.current().state(Unions).are_kept:
        return function(*args, **kwargs)
    before, after = args[:place], args[place + 1 :]
    return args[place].each_type(lambda one: _composed(function, (*before, one, *after), kwargs))


def _has_several_types(value):
    return isinstance(value, Tensor) and isinstance(value.type, UnionType)


def call_library(function, args, kwargs, out=None):
    """Records a call of a function that graphs call unchanged; see `ops/library.py`."""
    op = LIBRARY.get(function) or BESIDE.get(function) or special_function(function)
    if op is None and _is_of_package(function) and out is None and "out" not in kwargs:
        return recorded(function, *args, **kwargs)
    if op is None:
        raise unsupported_function(function)
    args, kwargs, given_out = _without_output(function, args, kwargs)
    out = given_out if out is None else out
    if out is None:
        return record_call(op, args, kwargs)
    return call_into(PATHS[op], args, kwargs, out if isinstance(out, tuple) else (out,))


def _is_of_package(function):
    """Whether a function is a ufunc that a package has made, of numbers."""
    is_ufunc = isinstance(function, np.ufunc) and getattr(np, function.__name__, None) is None
    return is_ufunc and not any("O" in kinds for kinds in function.types)


_signature = cache(inspect.signature)


def _without_output(function, args, kwargs):
    """The arguments without `out`, and the value of `out`; no run may write into an operand."""
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
    """A function that splits the arguments of a NumPy function into operands, attributes and `out`.

    It returns None if the op does not support an argument.
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
                value = with_constants(value)
                if is_staged(value):
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
    if any(isinstance(value, (ArrayLike, ReadAsArray)) for value in (*inputs, *(out or ()))):
        return NotImplemented  # it reads the array, and calls the ufunc again
    if holds_foreign(inputs, options):
        return _of_foreign(getattr(ufunc, method), inputs, out, options)
    return call_ufunc(ufunc, method, inputs, out, options, _is_operator(inputs, sys._getframe(1)))


def _is_operator(operands, frame):
    """Whether a frame applies an operator: NumPy scalars call ufuncs for theirs."""
    if not isinstance(operands[0], np.generic):
        return False
    return opname_at(frame.f_code, frame.f_lasti) in ("BINARY_OP", "COMPARE_OP")


def _array_function(self, function, types, args, kwargs):
    if any(issubclass(kind, (ArrayLike, ReadAsArray)) for kind in types):
        return NotImplemented
    if holds_foreign(args, kwargs):
        named = {name: value for name, value in kwargs.items() if name != "out"}
        return _of_foreign(function, args, kwargs.get("out"), named)
    return call_function(function, args, kwargs)


def _of_foreign(function, args, out, kwargs):
    """Records a call with an operand of another package, which answers it in each run."""
    if out is not None or function in AFTER:
        raise unsupported(
            f"np.{function.__name__}, if it writes, with an operand of another package",
            "Give it an array: np.asarray(operand).",
        )
    return recorded(function, *args, **kwargs)


Tensor.__array_ufunc__ = _array_ufunc  # type: ignore[attr-defined]
Tensor.__array_function__ = _array_function  # type: ignore[attr-defined]
