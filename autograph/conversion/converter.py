"""Converting functions: the pipeline, the cache of converted code, and the public entry points.

    to_graph(fn)      the converted function
    to_code(fn)       its source
    convert()         the same as a decorator

A function's code is converted once; every function object made from that code shares the result.
"""

import functools
import inspect
import threading
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from textwrap import indent
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, TypeVar, cast, overload

import gast

from autograph import operators
from autograph.constructs.call import BUILTINS
from autograph.constructs.context import FUNCTIONS, Conversion
from autograph.conversion.comprehension_loops import copy_loops, remember_loops
from autograph.conversion.passes import PIPELINE, converted_tree, deep_recursion
from autograph.errors import ConversionError
from autograph.functions import calls, contexts, debugging, rebuild, versions
from autograph.functions.callables import converted_callable, functions_in
from autograph.functions.origin import Origin, origin
from autograph.functions.policy import USERS_OWN, Policy, policy_of
from autograph.functions.staleness import current_origin
from autograph.functions.versions import original_version
from autograph.functions.written import written_function, written_methods
from autograph.syntax import quote
from autograph.syntax.trees import become_gast, to_gast

F = TypeVar("F", bound=Callable[..., Any])

# -- converted code, once for each code object -----------------------------------------------------


@dataclass(slots=True)
class Converted:
    """The converted code of a function, or None if there was nothing to convert."""

    code: CodeType | None
    contexts: tuple[str, ...] = ()  # the names of those that it opens
    others: dict[Policy, CodeType] | None = None

    def under(self, policy: Policy) -> CodeType | None:
        """The code that converts the functions it calls under this policy."""
        if policy == USERS_OWN or self.code is None:
            return self.code
        if self.others is None:
            self.others = {}
        if policy not in self.others:
            self.others[policy] = code_under(policy, self.code)
        return self.others[policy]


class _Known(weakref.ref):
    """A code object whose functions were converted, and the result.  Weak; forgotten with it."""

    __slots__ = ("key", "result")


_lock = threading.RLock()
_converted: dict[bool, dict[int, _Known]] = {True: {}, False: {}}


def converted_code(function: FunctionType, recursive: bool = True) -> Converted:
    """The converted code of a function.  Raises `ConversionError` if it cannot be converted."""
    code, table = function.__code__, _converted[bool(recursive)]
    key = id(code)
    known = table.get(key)
    if known is None:
        with _lock:
            known = _Known(code, _FORGET[bool(recursive)])
            known.key, known.result = key, _convert(function, recursive)
            table[key] = known
    return known.result


def _forgetting(table):
    return lambda known: table.pop(known.key, None)


_FORGET = {recursive: _forgetting(table) for recursive, table in _converted.items()}


def origin_of(function: FunctionType, source: str | None = None) -> Origin:
    """The definition that a function was compiled from, in its file or in `source`."""
    with deep_recursion():
        return current_origin(function, source)


def _convert(function, recursive):
    found = origin_of(function)
    with deep_recursion():
        tree, conversion = _rewritten(become_gast(found.node), function, recursive)
    if not conversion.changed and not conversion.has_any((gast.Try, gast.TryStar)):
        return Converted(None)  # a `try` is looked for in converted code (`staging/try_blocks.py`)
    blocks = conversion.block_names()
    make = rebuild.compiled_text if debugging.steps_through_text() else rebuild.compiled
    if make is rebuild.compiled and debugging.is_inspected(conversion.survey):
        debugging.show_variables(conversion.variables)
    with deep_recursion():
        called = rebuild.Operators(conversion.operators, operators)
        code = make(tree, blocks, function, called, found.private_to)
    remember_loops(code, conversion, found.private_to)
    opened = ()
    if conversion.has_any((gast.With, gast.AsyncWith)):
        opened = contexts.names_of_contexts(origin_of(function).node, conversion.bound)
    return Converted(code, opened)


def converted_definition(
    found: Origin, function: FunctionType, recursive: bool, passes=PIPELINE, after=None
) -> tuple[gast.AST, Conversion]:
    """The converted tree of a definition, and the conversion that made it."""
    with deep_recursion():
        return _rewritten(to_gast(found.node), function, recursive, passes, after)


def _rewritten(tree, function, recursive, passes=PIPELINE, after=None):
    """The tree of a function, which is changed, and its conversion."""
    outside = [name for name in BUILTINS if name in function.__globals__]
    outside += function.__code__.co_freevars
    conversion = Conversion.of(tree, recursive, outside=outside)
    return converted_tree(tree, conversion, passes, after), conversion


# Names of the operators in a printed file: the first of these that the file does not use.
ALIASES = ("ag__", *(f"ag___{i}" for i in range(1, 10)))


def is_converted(function: FunctionType) -> bool:
    """Whether a function is the result of a conversion, here or in a printed file."""
    return rebuild.made_code(function) is not None or is_printed(function)


def is_printed(function: FunctionType) -> bool:
    """Whether a function is converted code in a file."""
    return any(function.__globals__.get(name) is operators for name in ALIASES)


def converted_function(
    function: FunctionType, recursive: bool = True, policy: Policy = USERS_OWN
) -> FunctionType:
    """The converted function, or `function` itself if there is nothing to convert."""
    if is_excluded(function):
        return function
    if is_converted(function):
        code = rebuild.made_code(function)
        if policy == USERS_OWN or code is None:
            return function
        return rebuild.function_of(code_under(policy, code), function)
    code = converted_code(function, recursive).under(policy)
    return function if code is None else rebuild.function_of(code, function)


calls.register_converter(converted_function)


def code_under(policy: Policy, code: CodeType) -> CodeType:
    """Converted code with the operators of another policy."""
    new = rebuild.with_operators(code, operators_under(policy))
    copy_loops(code, new)
    return new


@functools.cache
def operators_under(policy: Policy) -> ModuleType:
    """The operators that converted code calls under a policy."""
    if policy == USERS_OWN:
        return operators
    under = ModuleType(operators.__name__, operators.__doc__)
    callees = calls.callees_under(policy)
    vars(under).update(vars(operators), converted_call=callees.converted_call)
    vars(under).update(starred_call=callees.starred_call)
    return under


# -- the public entry points -----------------------------------------------------------------------

_do_not_convert = weakref.WeakSet()


def do_not_convert(function: F) -> F:
    """Excludes a function, or all methods of a class, from conversion; a decorator.

    A graph that calls such a function records it as it is written, or lets each run call it, with
    plain arrays.  One that is itself transformed or traced, `rt.function(f)`, sees staged values.

    Raises `TypeError` for anything else.
    """
    if isinstance(function, type):
        functions = [f for member in vars(function).values() for f in functions_in(member)]
    else:
        functions = [_underlying(function)]
    if None in functions:
        raise TypeError(f"do_not_convert takes a function, method or class, not {function!r}")
    _do_not_convert.update(functions)
    return function


def is_excluded(function: FunctionType) -> bool:
    """Whether a function is excluded from conversion."""
    return function in _do_not_convert


def is_kept(entity: object) -> bool:
    """Whether a callable is a function, method, class or object excluded from conversion."""
    if not _do_not_convert:
        return False
    function = _underlying(entity)
    if function is None:
        kind = entity if isinstance(entity, type) else type(entity)
        name = "__init__" if kind is entity else "__call__"
        function = next((vars(one)[name] for one in kind.__mro__ if name in vars(one)), None)
    return isinstance(function, FunctionType) and function in _do_not_convert


def _underlying(entity):
    """The Python function of a function, method, staticmethod or classmethod, else None."""
    while isinstance(entity, (MethodType, staticmethod, classmethod)):
        entity = entity.__func__
    return entity if isinstance(entity, FunctionType) else None


def to_graph(
    fn: F,
    recursive: bool = True,
    *,
    source: str | None = None,
    convert_packages: Iterable[str] = (),
) -> F:
    """A function equivalent to `fn` that can also be called with staged values.

    `fn` is a function, lambda, method, property or another wrapper from the standard library around
    one, or an object with a `__call__` written in Python; methods stay bound, wrappers stay
    wrappers.  A class is converted in place, with all its methods, and returned.  On plain values
    the result behaves exactly like `fn`.

    With `recursive`, user functions that it calls are converted too, and functions of the packages
    named in `convert_packages`; the standard library and other installed packages are not. `source`
    is the source of `fn` if that is in no file: the whole string that was passed to `exec`.

    Raises `ConversionError` if the source is not available or has changed, `TypeError` if `fn` is
    not callable, `ValueError` if a name in `convert_packages` is no package.

    >>> def relu(x):
    ...     return x if x > 0 else 0
    >>> to_graph(relu)(-3)
    0
    """
    return cast("F", _converter(recursive, convert_packages, source)(fn))


def _converter(recursive, convert_packages, source=None):
    """The function that converts a callable and the functions that it wraps."""
    policy = policy_of(convert_packages)
    calls.forget_what_changed()

    def convert_entity(entity):
        if not isinstance(entity, FunctionType):
            if source is not None and isinstance(entity, type):
                _give(source, entity)
            return converted_callable(entity, convert_entity)
        if source is not None and not is_converted(entity):
            origin_of(entity, source)
        converted = converted_function(entity, recursive, policy)
        if (
            converted is not entity
            and not is_converted(entity)
            and not contexts.may_stage(entity, converted_code(entity, recursive).contexts)
        ):
            versions.run_original_where_plain(converted, entity.__code__)
        return converted

    return convert_entity


def _give(source, kind):
    """Registers `source` for the methods of a class that were compiled from it."""
    for member in vars(kind).values():
        for function in functions_in(member):
            with suppress(ConversionError):
                origin_of(function, source)


def to_code(fn: Callable[..., Any], recursive: bool = True, *, source: str | None = None) -> str:
    """The source of `to_graph(fn)`; of a class, that of its methods.

    The function may be inside of another object: a method, a partial, an `rt.function`.  Raises
    `ConversionError` if none is written in Python.

    >>> def relu(x):
    ...     return x if x > 0 else 0
    >>> print(to_code(relu))
    def relu(x):
        return ag__.if_expr(x > 0, lambda: x, lambda: 0)
    """
    if isinstance(fn, type):
        texts = [to_code(method, recursive, source=source) for method in methods_in(fn)]
        return "\n\n".join([f"class {fn.__name__}:", *(indent(text, "    ") for text in texts)])
    function = function_in(fn)
    if is_printed(function) or is_excluded(function):
        return inspect.getsource(function)
    tree, _ = converted_definition(origin_of_any(function, source), function, recursive)
    if isinstance(tree, FUNCTIONS):
        tree.decorator_list = []
    with deep_recursion():
        return quote.source(tree)


def origin_of_any(function: FunctionType, source: str | None = None) -> Origin:
    """The definition of a function, which may be converted already."""
    original = original_version(function)
    if original is not None:
        function = rebuild.function_of(original, function)
    elif rebuild.made_code(function) is not None:
        with deep_recursion():
            return origin(function)
    return origin_of(function, source)


def methods_in(kind: type) -> list[FunctionType]:
    """The methods of a class.  Raises `ConversionError` if none is written in Python."""
    methods = written_methods(kind)
    if not methods:
        raise ConversionError.about(
            f"the class {kind.__qualname__} has no methods written in Python",
            None,
            "It inherits or generates all of them.",
            "Pass one of its methods, or the class that defines them.",
        )
    return methods


def function_in(fn: Callable) -> FunctionType:
    """The function that is written in Python in a callable object.

    Raises `ConversionError` if there is none.
    """
    function = written_function(fn)
    if function is None:
        named = getattr(fn, "__qualname__", None)
        raise ConversionError.about(
            f"{named or repr(fn)} has no source in Python",
            None,
            "It is not a function written in Python, and has no `__call__` written in Python.",
            "Pass a function, a method, or the function that it wraps.",
        )
    return function


@overload
def convert(fn: F, *, recursive: bool = True, convert_packages: Iterable[str] = ()) -> F: ...


@overload
def convert(
    fn: None = None, *, recursive: bool = True, convert_packages: Iterable[str] = ()
) -> Callable[[F], F]: ...


def convert(
    fn: Callable[..., Any] | None = None,
    *,
    recursive: bool = True,
    convert_packages: Iterable[str] = (),
) -> Callable[..., Any]:
    """A decorator that converts a function in place; see `to_graph`.

    >>> @convert
    ... def sign(x):
    ...     return 1 if x > 0 else -1
    >>> sign(-0.5)
    -1
    """
    if fn is None:
        return functools.partial(convert, recursive=recursive, convert_packages=convert_packages)
    return _converter(recursive, convert_packages)(fn)
