"""Replacements of builtins in converted code.

    print(x)                          printed when the graph runs
    range(n), len(x), float(x)        staged if the argument is

They are used only while a graph is being built (`registry.py`).
"""

import builtins
import functools
import math
import warnings
from typing import Any

import numpy as np

from autograph.constructs.boolean import and_
from autograph.constructs.ternary import if_expr
from autograph.functions.policy import is_users_class
from autograph.staging.lazy_elements import LazyElements
from runtime.errors import unsupported
from runtime.ir.op import find
from runtime.ir.pytree import is_dict
from runtime.ir.slot import Slot
from runtime.ir.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    PYTHON_TYPES,
    PythonType,
    StringType,
    UnionType,
    is_array,
)
from runtime.ir.unions import options_of, without_options
from runtime.ops.library import LIBRARY
from runtime.staging.calls.attributes import STAND_INS, known_class
from runtime.staging.calls.first_elements import first_of
from runtime.staging.calls.formatting import string_of
from runtime.staging.calls.host_values import RECORDERS, HostValue, asked
from runtime.staging.calls.iteration import StagedCombined, take
from runtime.staging.calls.made_calls import MadeCalls
from runtime.staging.calls.registry import answers, register_call
from runtime.staging.calls.run_errors import check
from runtime.staging.calls.staged_range import StagedRange, as_integer
from runtime.staging.calls.texts import float_of, integer_of
from runtime.staging.calls.union_uses import each_type
from runtime.staging.calls.users_conversions import by_users_method
from runtime.staging.dicts.dict_view import DictView
from runtime.staging.generators import is_consumable
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.loop_trials import LoopTrials
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.staging.outside_iterators import refuse_outside_iterator
from runtime.staging.staged_values import shows_staged
from runtime.staging.truth import truth
from runtime.tracing import trace
from runtime.tracing.axis_errors import not_rounded
from runtime.tracing.conversion import cast
from runtime.tracing.known_truth import known_truth
from runtime.tracing.matching import CLASSES
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.numpy_api.dispatch import call_library
from runtime.tracing.strings import StagedString
from runtime.tracing.tensor import Tensor, apply, is_staged, staged
from runtime.tracing.unions import Unions

# -- builtins --------------------------------------------------------------------------------------


@answers(print)
def staged_print(*values, sep=" ", end="\n", file=None, flush=False):
    """Prints when the graph runs, if a value is staged or the call is in a staged block."""
    recorder = trace.current()
    in_graph = recorder is not None and (
        recorder.is_staged_block
        or recorder.taken_under_condition
        or recorder.state(LoopTrials).effects_wait
    )
    texts = [string_of(value, "", "s") if _is_users_object(value) else value for value in values]
    if not in_graph and not any(map(shows_staged, (*texts, file))):
        options = {"sep": sep, "end": end, "file": file, "flush": flush}
        calls = MadeCalls() if recorder is None else recorder.state(MadeCalls)
        calls.once(builtins.print, lambda: builtins.print(*texts, **options))
        return
    if file is not None or flush:
        shown = [string_of(value, "", "s") for value in texts]
        options = {"sep": sep, "end": end, "file": file, "flush": flush}
        RECORDERS[0](builtins.print, tuple(shown), options, ())
        return
    operands, parts = [], []
    for value in texts:
        if not isinstance(value, Tensor) or isinstance(value, MaybeNone):
            value = string_of(value, "", "s")
        if isinstance(value, Tensor):
            parts.append(Slot(len(operands)))
            operands.append(value)
        else:
            parts.append(value)
    sep, end = " " if sep is None else sep, "\n" if end is None else end
    apply(find("print"), *operands, parts=tuple(parts), sep=sep, end=end)


def _is_users_object(value):
    return is_users_class(type(value)) and not isinstance(value, type)


@answers(range)
def staged_range(*bounds):
    """A range; a `StagedRange` if a bound is staged."""
    return StagedRange(*bounds) if any(isinstance(b, Tensor) for b in bounds) else range(*bounds)


def _conversion(kind):
    """The replacement of `int`, `float` and `complex`."""

    def convert(*args, **kwargs):
        if kind is int and args and isinstance(args[0], StagedString):
            return integer_of(kind, *args, **kwargs)
        if kind is float and len(args) == 1 and isinstance(args[0], StagedString) and not kwargs:
            return float_of(args[0])
        if len(args) == 1 and isinstance(args[0], Tensor) and not kwargs:
            return cast(_single(args[0]), PYTHON_TYPES[kind])
        is_called_so = len(args) <= 2 and kwargs.keys() <= {"real", "imag"}
        if kind is complex and is_called_so and is_staged((*args, *kwargs.values())):
            return _complex_of(*args, **kwargs)
        found = NotImplemented
        if len(args) == 1 and not kwargs:
            found = by_users_method(kind, args[0])
        return kind(*args, **kwargs) if found is NotImplemented else found

    convert.__name__ = kind.__name__
    return convert


def _complex_of(real=0.0, imag=0.0):
    """`complex(real, imag)`"""
    parts = [_single(part) if isinstance(part, Tensor) else part for part in (real, imag)]
    if any(isinstance(staged(part).type, StringType) for part in parts):
        raise TypeError("complex() can't take second arg if first is a string")
    if any(staged(part).dtype.kind == "c" for part in parts):
        raise unsupported("complex() of a complex number and another one", "Write a + b * 1j.")
    return apply(find("of_parts"), *(cast(part, FLOAT) for part in parts))


def _single(tensor):
    """The only element of an array, for a conversion to a Python scalar.

    Raises the `TypeError` of the installed NumPy: from 2.4 on, only arrays without axes have one.
    """
    if isinstance(tensor, StagedString):
        raise unsupported(
            "the conversion of a string to a complex number",
            "Convert the number before it becomes a string.",
        )
    if any(size != 1 for size in tensor.type.shape):
        raise TypeError("only length-1 arrays can be converted to Python scalars")
    if tensor.type.shape:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            float(np.ones(tensor.type.shape))
    return tensor.reshape(()) if tensor.type.shape else tensor


for _kind in (INT, FLOAT, COMPLEX):
    register_call(_kind.kind, _conversion(_kind.kind))


MODULES = ("math", "cmath")
OF_LISTS = (math.dist, math.prod, math.fsum)  # `math_calls.py`


def mathematical(function: Any) -> Any:
    """The replacement of a function of `math` or `cmath`: the graph calls it on staged values."""

    @functools.wraps(function)
    def call(*args, **options):
        if any(map(is_staged, args)):
            return call_library(function, args, options)
        return function(*args, **options)

    return call


for _function in [f for f in LIBRARY if getattr(f, "__module__", None) in MODULES]:
    if _function not in OF_LISTS:
        register_call(_function, mathematical(_function))


# -- methods of lists, and functions that change lists ---------------------------------------------


def call_method_of_list(method: Any, items: Any, *args, **kwargs) -> Any:
    """`list.append(items, x)`, which works on staged lists, too."""
    if isinstance(items, TraceList):
        return getattr(items, method.__name__)(*args, **kwargs)
    return method(items, *args, **kwargs)


@answers(type)
def staged_type_of(*args):
    """The type of a value; for a staged value, the type that it has at run time."""
    if len(args) == 1 and isinstance(args[0], (MaybeNone, MaybeNoneObject)):
        return _class_if_none(args[0])
    if len(args) == 1 and is_dict(type(args[0])):
        return dict
    if len(args) == 1 and isinstance(args[0], (DictView, *STAND_INS)):
        return known_class(args[0])
    if len(args) != 1 or not isinstance(args[0], (Tensor, TraceList)):
        return type(*args)
    if isinstance(args[0], TraceList):
        return args[0].__class__
    kind = args[0].type
    return each_type(args[0], staged_type_of) if isinstance(kind, UnionType) else _class_of(kind)


def _class_if_none(value):
    """The class of a value that may be None."""
    is_none = staged(value.__is_none__)
    known = known_truth(is_none._value)
    if known is None:
        present = value.__unchecked__()
        return if_expr(is_none, lambda: type(None), lambda: staged_type_of(present))
    return type(None) if known else staged_type_of(value.__unchecked__())


def _class_read(value):
    """`x.__class__`, where x is staged."""
    return asked(type, value) if isinstance(value, HostValue) else staged_type_of(value)


CLASSES.append(_class_read)


@answers(round)
def staged_round(number, ndigits=None):
    """The nearest Python int, or the number rounded to `ndigits` decimals."""
    if not isinstance(number, Tensor):
        return round(number) if ndigits is None else round(number, ndigits)
    if number.type.shape or not isinstance(number.type, UnionType) and not _is_rounded(number.type):
        raise not_rounded(number.type)
    if isinstance(number.type, UnionType) and trace.current().state(Unions).are_kept:
        return each_type(number, lambda one: staged_round(one, ndigits))
    if isinstance(number.type, PythonType) and number.type.kind is bool:
        number = cast(number, INT)
    if ndigits is None:
        return cast(number if number.dtype.kind in "iu" else np.rint(number), INT)
    return cast(np.round(number, ndigits), without_options(number.type))


def _is_rounded(kind):
    """Whether scalars of a type have a method `__round__`."""
    return hasattr(_class_of(kind), "__round__")


def _options(tensor, accepts):
    """The types that a value may have in a run and that a function accepts."""
    return tuple(filter(accepts, options_of(tensor.type)))


@answers(chr)
def staged_chr(i):
    """The character of a code."""
    if not isinstance(i, Tensor):
        return chr(i)
    if i.type.shape:
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    code = as_integer(i)
    is_code = and_(code >= 0, lambda: code < 0x110000)
    check(is_code, ValueError, "chr() arg not in range(0x110000)")
    return string_of(code, "c")


@answers(bool)
def staged_bool(value=False):
    """The truth of a value."""
    found = by_users_method(bool, value)
    if found is not NotImplemented:
        return found
    found = truth(value)
    return cast(found, BOOL) if isinstance(found, Tensor) else found


@answers(str)
def staged_str(*args, **options):
    """The string of a value."""
    return string_of(args[0], "", "s") if len(args) == 1 and not options else str(*args, **options)


@answers(repr)
def staged_repr(value):
    """The `repr` of a value."""
    return string_of(value, "", "r")


@answers(ascii)
def staged_ascii(value):
    """The `ascii` of a value."""
    return string_of(value, "", "a")


@answers(format)
def staged_format(value, spec=""):
    """The string of a value in a format."""
    return string_of(value, spec)


@answers(isinstance)
def staged_isinstance(value, kinds):
    """Whether a value has a type; a staged value has the type that it has at run time."""
    if not isinstance(value, (Tensor, MaybeNoneObject, TraceList, *STAND_INS)):
        return isinstance(value, kinds)
    isinstance(None, kinds)  # it raises Python's exception if they are no classes
    if isinstance(value, TraceList):
        return issubclass(value.__class__, kinds)
    if isinstance(value, STAND_INS):
        return issubclass(value.kind, kinds)
    if isinstance(value, (MaybeNone, MaybeNoneObject)):
        holds, for_none = staged_isinstance(value.__unchecked__(), kinds), isinstance(None, kinds)
        return (
            holds
            if holds is for_none
            else if_expr(value.__is_none__, lambda: for_none, lambda: holds)
        )
    if isinstance(value.type, UnionType):
        chosen = _options(value, lambda option: issubclass(_class_of(option), kinds))
        if chosen in ((), value.type.options):
            return bool(chosen)
        return apply(find("has_type"), value, types=chosen)
    return issubclass(_class_of(value.type), kinds)


def _class_of(kind):
    """The class of the values of a type."""
    if isinstance(kind, (PythonType, StringType)):
        return kind.kind
    return np.ndarray if is_array(kind) else kind.dtype.type


@answers(next)
def staged_next(iterator, *default):
    """The next element; raises `StagingError` in a staged block if the iterator is from outside."""
    refuse_outside_iterator(iterator)
    if isinstance(iterator, LazyElements):
        found = iterator.first()
        if found or not iterator.has_rest:
            return next(iter(found), *default)
        made = TraceList()
        iterator.rest(made)
        return first_of(made, *default)
    if is_consumable(iterator):
        return first_of(iterator, *default)
    if isinstance(iterator, StagedCombined):
        return take(iterator, *default)
    return next(iterator, *default)
