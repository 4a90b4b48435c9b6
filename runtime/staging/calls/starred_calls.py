"""Calls with a star before an iterable of which only a run knows the length.

print(*z)            print(" ".join(map(str, z)))
max(*z)              max(z), after a check that there are as many as Python needs
xs, ys = zip(*z)     a staged tuple for each place of the elements of z
f(*z)                as many elements as f has parameters; a run with another number of them
                     leaves the call to the Python function
def f(*v): ...       v is a staged tuple
"""

import functools
import inspect
import itertools
import math
import string
from collections.abc import Callable
from types import CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from autograph.constructs.ternary import if_expr
from autograph.functions.calls import converted_call
from autograph.functions.rebuild import MADE
from autograph.staging.lazy_elements import LazyElements
from runtime.errors import IterationError, LibraryResultError, staging_error
from runtime.ir.types import TensorType, TupleType, Type
from runtime.staging.calls.formatting import string_method, string_of
from runtime.staging.calls.gate import Gate
from runtime.staging.calls.iterables import mapped
from runtime.staging.calls.iteration import StagedCombined
from runtime.staging.calls.run_errors import check
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.calls.starred import extended
from runtime.staging.containers import StagedContainer, StagedView
from runtime.staging.control_flow.recursive_calls import entered
from runtime.staging.lists.staged_tuple import StagedTuple
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.tracing.tensor import Tensor

OTHER = "a call with a star has another number of arguments than the function takes"
ITERATORS = (StagedContainer, StagedView, StagedCombined, StagedRange, LazyElements)


class Spread:
    """The elements after a star, of which only a run knows the number."""

    def __init__(self, items: TraceList):
        self.items = items


def spread(iterable: Any) -> Any:
    """The iterable after a star; if only a run knows the number of its elements, one `Spread`."""
    kind = type(iterable)
    if kind is StagedTuple or is_staged_list(iterable):
        return (Spread(iterable.items if kind is StagedTuple else iterable),)
    if isinstance(iterable, Tensor):
        if not iterable.type.shape or isinstance(iterable.type.shape[0], int):
            return iterable
    elif not issubclass(kind, ITERATORS):
        return iterable
    made = converted_call(list)(iterable)
    return (Spread(made),) if is_staged_list(made) else made


class StarredCall:
    """A call with a star; `found` is used in place of `function`."""

    __slots__ = ("function", "found")

    def __init__(self, function: Any, found: Callable):
        self.function, self.found = function, found

    def __call__(self, /, *args: Any, **options: Any) -> Any:
        return call_with_star(self.function, self.found, *args, **options)

    __str__ = Gate.__str__  # for errors about the value after the star


def call_with_star(function: Any, found: Callable, /, *args: Any, **options: Any) -> Any:
    """A call of `found`, which is used in place of `function`."""
    places = [i for i, one in enumerate(args) if type(one) is Spread]
    if not places:
        return found(*args, **options)
    rule = _rule_of(function)
    if rule is not None:
        return rule(found, args, **options)
    if len(places) > 1:
        raise _refused(function)
    before, items, after = args[: places[0]], args[places[0]].items, args[places[0] + 1 :]
    if type(getattr(function, "__self__", None)) is str and function.__name__ == "format":
        return _formatted(function, whole(args), options)
    low, high = _counts(function, options)
    if high is None:
        return _with_tuple(function, found, (before, items, after), options)
    return _by_count(found, (before, items, after), options, (low, high))


def whole(args: Any) -> TraceList:
    """A list of all arguments."""
    made: Any = []
    for one in args:
        made = extended(made, one.items if type(one) is Spread else (one,))
    return made


def _refused(function):
    name = getattr(function, "__name__", type(function).__name__)
    return staging_error(
        f"{name} is called with a star before a staged list",
        "The number of its elements, and so of the arguments, is known only at run time.",
        "Pass the list itself, or as many elements of it as are needed: z[0], z[1].",
        IterationError,
    )


# -- functions that take any number of arguments ---------------------------------------------------


def _rule_of(function):
    try:
        return RULES.get(function)
    except TypeError:  # an object without a hash
        return None


def _extreme(name: str) -> Callable:
    def rule(found, args, **options):
        items = whole(args)
        count = items.length()
        check(count > 0, TypeError, f"{name} expected at least 1 argument, got 0")
        if "default" in options:
            check(count == 1, LibraryResultError, OTHER)
        return if_expr(
            count == 1, lambda: found(items[0], **options), lambda: found(items, **options)
        )

    return rule


def _printed(found, args, sep=" ", **options):
    texts = whole(
        [
            Spread(mapped(string_of, one.items)) if type(one) is Spread else string_of(one)
            for one in args
        ]
    )
    sep = " " if sep is None else sep
    return found(string_method(sep.join)(texts) if type(sep) is str else sep.join(texts), **options)


def _columns(found, args, **options):
    """The tuples that `zip(*rows)` has, if there is a row."""
    rows = whole(args)
    count = _size_of(rows.value.type.element)
    if count is None:
        raise _refused(zip)
    check(rows.length() > 0, LibraryResultError, OTHER)
    return iter([StagedTuple(mapped(_item(i), rows)) for i in range(count)])


def _item(i: int) -> Callable:
    def item(row):
        return row[i]

    return item


def _size_of(element: Type) -> int | None:
    """The number of elements in each of some rows, if it is known."""
    if isinstance(element, TupleType):
        return len(element.places)
    size = element.shape[0] if isinstance(element, TensorType) and element.shape else None
    return size if isinstance(size, int) else None


def _chained(found, args):
    return converted_call(itertools.chain.from_iterable)(whole(args))


def _folded(plain: Callable) -> Callable:
    def rule(found, args):
        return converted_call(functools.reduce)(plain, whole(args), plain())

    return rule


RULES: dict[Any, Callable] = {
    max: _extreme("max"),
    min: _extreme("min"),
    print: _printed,
    zip: _columns,
    itertools.chain: _chained,
    math.gcd: _folded(math.gcd),
    math.lcm: _folded(math.lcm),
}


# -- functions with parameters ---------------------------------------------------------------------


def _counts(function, options):
    """How few and how many positional arguments a function takes; no upper bound is None.

    Raises `StagingError` if it does not say it.
    """
    if isinstance(function, np.ufunc):
        return function.nin, function.nin
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise _refused(function) from None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    given = [one for one in parameters if one.kind in kinds and one.name not in options]
    if any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in parameters):
        return len(given), None
    return sum(one.default is inspect.Parameter.empty for one in given), len(given)


def _by_count(found, given, options, bounds):
    """A call with as many elements as there are: of each number that the function takes."""
    before, items, after = given
    low, high = (max(0, one - len(before) - len(after)) for one in bounds)
    count = items.length()

    def called(number):
        taken = [items[i] for i in range(number)]
        return found(*before, *taken, *after, **options)

    def from_number(number):
        if number == high:
            check(count == high, LibraryResultError, OTHER)
            return called(high)
        return if_expr(count == number, lambda: called(number), lambda: from_number(number + 1))

    return from_number(low)


def _formatted(function, items, options):
    """`text.format(*items)`"""
    fields = [field for _, field, _, _ in string.Formatter().parse(function.__self__)]
    numbers = [field for field in fields if field is not None]
    count = len(numbers) if all(one == "" for one in numbers) else None
    if count is None:
        raise _refused(function)
    check(items.length() >= count, LibraryResultError, OTHER)
    return string_method(function)(*(items[i] for i in range(count)), **options)


def _with_tuple(function, found, given, options):
    """A call of a function with a parameter `*v`, which is a staged tuple."""
    before, items, after = given
    method = found if isinstance(found, MethodType) else None
    written = method.__func__ if method is not None else found
    written = getattr(written, "__wrapped__", written)
    if not isinstance(written, FunctionType) or written.__code__ not in MADE:
        raise _refused(function)
    before = before if method is None else (method.__self__, *before)
    missing = max(0, written.__code__.co_argcount - len(before))
    check(items.length() >= missing, LibraryResultError, OTHER)
    fixed = [*before, *(items[i] for i in range(missing))]
    count = written.__code__.co_argcount
    rest = extended(extended(list(fixed[count:]), items[missing:]), after)
    name = written.__code__.co_varnames[count + written.__code__.co_kwonlyargcount]
    target = entered(function, _with_keyword(written))
    return target(*fixed[:count], **options, **{name: StagedTuple(rest)})


def _with_keyword(function: FunctionType) -> FunctionType:
    """A function whose parameter `*v` is one that is given by its name."""
    code = _code_with_keyword(function.__code__)
    made = FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__ = function.__qualname__
    return made


@functools.lru_cache(maxsize=256)
def _code_with_keyword(code: CodeType) -> CodeType:
    """The variables of a code object begin with its parameters, `*v` after those with names."""
    return code.replace(
        co_flags=code.co_flags & ~inspect.CO_VARARGS,
        co_kwonlyargcount=code.co_kwonlyargcount + 1,
    )
