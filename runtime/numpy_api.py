"""NumPy's functions on staged values: an allow-list, never a catch-all.

A NumPy function is answered where an op stands for it; its arguments are bound as NumPy's signature
says, the first ones are operands, the rest attributes.  Anything else is an error that names the
function and the nearest supported one.  A catch-all would be wrong: functions that write into their
argument, or that draw random numbers, would seem to work.
"""

import difflib
import inspect
from functools import cache

import numpy as np

from runtime import op as ops
from runtime.composed import COMPOSED
from runtime.errors import staging_error, unsupported
from runtime.op import Op, find
from runtime.ops.index import Slot
from runtime.ops.library import AT, LIBRARY, structure_of_results
from runtime.structure import unflatten
from runtime.tensor import Tensor, apply, cast, staged, staged_type
from runtime.types import PYTHON_TYPES, PythonType, TensorType


@cache
def _functions() -> dict:
    """The NumPy functions that ops stand for."""
    return {record.numpy: record for record in ops.records() if record.numpy is not None}


def _unsupported(name):
    known = [f.__name__ for f in (*_functions(), *LIBRARY, *COMPOSED)]
    near = difflib.get_close_matches(name, known, 1)
    instead = f"The nearest function that does is np.{near[0]}." if near else ""
    return unsupported(f"np.{name}", instead)


# -- ufuncs ----------------------------------------------------------------------------------------


def call_ufunc(ufunc, method, inputs, out, options):
    """A ufunc called with a staged argument."""
    op = _functions().get(ufunc)
    if method == "at" and ufunc in AT and isinstance(inputs[0], Tensor):
        places = (np.asarray(i) if isinstance(i, list) else i for i in inputs)
        return inputs[0]._assign(call_library(AT[ufunc], tuple(places), options))
    if method != "__call__" or ufunc in LIBRARY:
        called = ufunc if method == "__call__" else getattr(ufunc, method)
        if called not in LIBRARY:
            raise unsupported(f"np.{ufunc.__name__}.{method}")
        result = call_library(LIBRARY[called], inputs, options)
        return result if out is None else _write(out, result)
    if op is None:
        raise _unsupported(ufunc.__name__)
    if options:
        named = ", ".join(f"{name}=" for name in options)
        raise unsupported(f"np.{ufunc.__name__}({named})")
    if all(isinstance(staged_type(value), PythonType) for value in inputs):
        # Where `+` adds numbers of Python's, `np.add` makes NumPy numbers of them.
        first = staged(inputs[0])
        inputs = (cast(first, TensorType(first.type.dtype)), *inputs[1:])
    result = apply(op, *inputs)
    return result if out is None else _write(out, result)


def _write(out, result):
    """`out=x`: makes `x` stand for the result."""
    (target,) = out
    if not isinstance(target, Tensor):
        raise staging_error(
            "a staged result is to be written into an array that is not staged (out=)",
            "That array was made outside of the code that is recorded, and no run would change it.",
            "Make it in the function, or pass it as an argument.",
        )
    target._assign(cast(result, target.type))
    return target


# -- functions -------------------------------------------------------------------------------------


def call_function(function, args, kwargs):
    """A NumPy function called with a staged argument somewhere in its arguments."""
    if function is np.where and len(args) == 1 and not kwargs:
        function = np.nonzero
    if function in COMPOSED:
        return COMPOSED[function](*args, **kwargs)
    if function in LIBRARY:
        return call_library(LIBRARY[function], args, kwargs)
    op = _functions().get(function)
    if op is None:
        raise _unsupported(function.__name__)
    operands, attributes, out = _binding(op)(args, kwargs)
    result = apply(op, *operands, **attributes)
    return result if out is None else _write((out,), result)


def call_library(op: Op, args, kwargs):
    """A function that graphs call as it is; see `ops/library.py`."""
    args, kwargs, out = _without_output(op.numpy, args, kwargs)
    operands, given, named = templates(args, kwargs, op.numpy.__name__)
    types = tuple(map(staged_type, operands))
    found = apply(op, *operands, given=given, named=named)
    structure = structure_of_results(op, types, given, named)
    result = unflatten(structure, found if isinstance(found, tuple) else (found,))
    return result if out is None else _write((out,), result)


def templates(args, kwargs, name: str) -> tuple[list, tuple, tuple]:
    """The operands among the arguments of a function called `name`, and the arguments with slots
    in their places.  Raises `StagingError` for objects that graphs do not hold."""
    operands: list = []

    def part(value):
        if isinstance(value, (Tensor, np.ndarray, np.generic)):
            operands.append(value)
            return Slot(len(operands) - 1)
        if isinstance(value, (list, tuple)):
            return tuple(map(part, value))
        if isinstance(value, type) and issubclass(value, (np.generic, bool, int, float, complex)):
            return np.dtype(value)
        if value is None or isinstance(value, (bool, int, float, complex, str, np.dtype)):
            return value
        raise unsupported(f"{name} of {type(value).__name__} objects")

    given = tuple(map(part, args))
    return operands, given, tuple((name, part(value)) for name, value in kwargs.items())


_signature = cache(inspect.signature)


def _without_output(function, args, kwargs):
    """Arguments without `out`, and what was given for it; no run may write into an operand."""
    try:
        given = _signature(function).bind(*args, **kwargs)
    except (TypeError, ValueError):  # some functions have no signature; NumPy judges the call
        return args, {k: v for k, v in kwargs.items() if k != "out"}, kwargs.get("out")
    for name, harmless in (("overwrite_input", False), ("copy", True)):
        if given.arguments.get(name, harmless) is not harmless:
            raise unsupported(f"{function.__name__}({name}={given.arguments[name]})")
    out = given.arguments.get("out")
    if out is not None:
        given.arguments["out"] = None
    return given.args, given.kwargs, out


@cache
def _binding(op: Op):
    """A function that sorts the arguments of a NumPy function: operands, attributes, `out`."""
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
                attributes[name] = _attribute(name, value)
            elif value is not defaults[name] and value is not np._NoValue:
                raise unsupported(f"np.{op.numpy.__name__}({name}=)")
        return operands, attributes, out

    return bind


def _attribute(name, value):
    if name == "dtype" and value is not None:
        return np.dtype(value)
    if isinstance(value, list):
        return tuple(value)
    return value


# -- methods and attributes of arrays --------------------------------------------------------------

METHODS = {
    "sum", "prod", "mean", "max", "min", "any", "all", "var", "std", "argmax", "argmin",
    "cumsum", "cumprod", "clip", "round", "transpose", "swapaxes", "squeeze", "ravel",
    "argsort", "take", "dot", "argpartition", "choose", "compress", "diagonal", "nonzero", "repeat",
    "searchsorted", "trace",
}  # fmt: skip


def method(tensor: Tensor, name: str):
    """The attribute of a staged array that is not defined on Tensor itself."""
    if name in METHODS:
        function = getattr(np, name)
        return lambda *args, **kwargs: call_function(function, (tensor, *args), kwargs)
    match name:
        case "astype":
            return lambda dtype: cast(tensor, TensorType(np.dtype(dtype), tensor.type.shape))
        case "copy":
            return lambda: apply(find("copy"), tensor)
        case "reshape":
            return lambda *shape, **options: call_function(
                np.reshape, (tensor, shape[0] if len(shape) == 1 else shape), options
            )
        case "flatten":
            return lambda: apply(find("ravel"), tensor)
        case "item":
            return lambda *at: _item(tensor, at)
        case "tolist":
            return lambda: _to_list(tensor)
        case "real" | "imag":
            return getattr(np, name)(tensor)
        case "conj" | "conjugate":
            return lambda: np.conjugate(tensor)
        case "fill":
            return lambda value: tensor.__setitem__(Ellipsis, value)
        case "sort":
            return lambda axis=-1: tensor.__setitem__(Ellipsis, np.sort(tensor, axis=axis))
    if name.startswith("__") or not hasattr(np.ndarray, name):
        raise AttributeError(f"'numpy.ndarray' object has no attribute {name!r}")
    raise unsupported(f"the attribute {name!r} of arrays")


def _to_list(tensor):
    """`x.tolist()`: nested lists of numbers of Python's."""
    if not tensor.type.shape:
        return _item(tensor, ())
    if not isinstance(tensor.type.shape[0], int):
        raise unsupported("tolist of an array whose size only a run can tell")
    return [_to_list(tensor[i]) for i in range(tensor.type.shape[0])]


def _item(tensor, at):
    """`x.item()`, `x.item(3)`, `x.item(1, 2)`: an element as a number of Python's."""
    if len(at) == 1 and isinstance(at[0], int):
        tensor = np.ravel(tensor)
    if at:
        tensor = tensor[at[0] if isinstance(at[0], tuple) else at]
    return cast(tensor, PYTHON_TYPES[type(tensor.dtype.type(0).item())])
