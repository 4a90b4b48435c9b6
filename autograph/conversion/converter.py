"""Converting functions: the pipeline, the cache of converted code, and the public entry points.

    to_graph(fn)      the converted function
    to_code(fn)       its source
    convert()         the same as a decorator

A function's code is converted once; every function object made from that code shares the result.
"""

import functools
import inspect
import sys
import threading
import weakref
from collections.abc import Callable, Iterable
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import CodeType, FunctionType, MethodType

import gast

from autograph import pipeline
from autograph.constructs.assert_ import Assert
from autograph.constructs.block_functions import Blocks
from autograph.constructs.boolean import Boolean
from autograph.constructs.call import BUILTINS, Call
from autograph.constructs.compare import Compare
from autograph.constructs.comprehension import Collection, remember, remember_loops
from autograph.constructs.comprehension_scopes import Comprehension
from autograph.constructs.fstring import Text
from autograph.constructs.item import Item
from autograph.constructs.jumps import Jumps
from autograph.constructs.list_ import List
from autograph.constructs.match_ import Match
from autograph.constructs.ternary import Ternary
from autograph.constructs.unconvertible import fence
from autograph.conversion.context import FUNCTIONS, Conversion
from autograph.conversion.policy import USERS_OWN, Policy, policy_of
from autograph.errors import ConversionError, message
from autograph.functions import debugging, rebuild
from autograph.functions.callables import converted_entity, functions_in
from autograph.functions.origin import Origin
from autograph.functions.staleness import current_origin
from autograph.pipeline import Pass
from autograph.syntax import quote
from autograph.syntax.walk import children, walk

PIPELINE = (
    Pass("match", Match.rewrite, "what it becomes has branches, which the others look at"),
    Pass("fence", fence, "the others ask it what stays Python"),
    Pass("originals", remember, "what a graph makes of a comprehension is made of its own text"),
    Pass(
        "comprehension",
        Comprehension.rewrite,
        "before the code around a comprehension becomes a function of its own",
    ),
    Pass(
        "jumps",
        Jumps.rewrite,
        "a block that becomes a function cannot be jumped out of",
        removes=(gast.Continue,),
    ),
    Pass(
        "blocks",
        Blocks.rewrite,
        "sees the user's own expressions, so that what is live and what is bound can be told",
        removes=(gast.If, gast.While, gast.For, gast.Break),
    ),
    Pass("assert", Assert.rewrite, "copies a message, so before anything in it is rewritten"),
    Pass("collection", Collection.rewrite, "before the lists, which leave wrapped ones alone"),
    Pass("list", List.rewrite, "any place among the expressions"),
    Pass("item", Item.rewrite, "any place among the expressions"),
    Pass("compare", Compare.rewrite, "chains become conjunctions of their own"),
    Pass(
        "boolean",
        Boolean.rewrite,
        "also the conditions that jumps has written",
        removes=(gast.BoolOp,),
    ),
    Pass("ternary", Ternary.rewrite, "any place among the expressions", removes=(gast.IfExp,)),
    Pass("text", Text.rewrite, "any place among the expressions"),
    Pass("call", Call.rewrite, "last: it tells the user's calls from generated ones"),
)


def converted_tree(tree: gast.AST, conversion: Conversion, passes=PIPELINE, after=None) -> gast.AST:
    """Sends the tree of a function or lambda through the pipeline; it is changed in place."""
    with deep_recursion():
        tree = pipeline.run(passes, tree, conversion, after)
        fault = _left_behind(tree, conversion, {kind for step in passes for kind in step.removes})
        if fault is not None:
            raise pipeline.BrokenContract(fault)
        return tree


def _left_behind(tree, conversion, removed):
    """A node of a type that the passes remove, or None.

    What stays Python does not count, nor what is evaluated elsewhere (the defaults of the function
    that is converted) or never (annotations).
    """
    kept = conversion.kept
    pending = [tree.body] if isinstance(tree, gast.Lambda) and tree not in kept else [tree]
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind in removed and node not in kept:
            return f"a {kind.__name__} in line {node.lineno} is left"
        if kind in FUNCTIONS:
            pending += [] if node in kept else node.body
        elif kind is gast.ClassDef:
            pending += [part for part in walk(node) if isinstance(part, FUNCTIONS)]
        elif kind is gast.AnnAssign:
            pending += [node.target] + ([] if node.value is None else [node.value])
        elif kind is not gast.TypeAlias and (kind is not gast.Lambda or node not in kept):
            pending += children(node)
    return None


@contextmanager
def deep_recursion():
    """Lets the conversion recurse into code that nests deeper than Python's default limit allows.

    A chain of a thousand `elif`s is a thousand levels of tree.  CPython runs Python-to-Python calls
    without using the C stack, so the limit can be raised for as long as the conversion runs.
    """
    limit = sys.getrecursionlimit()
    with _lock:
        try:
            sys.setrecursionlimit(max(limit, 100_000))
            yield
        finally:
            sys.setrecursionlimit(limit)


_lock = threading.RLock()


# -- converted code, once for each code object -----------------------------------------------------


@dataclass
class Converted:
    """What became of a function's code: the new code, or None where nothing was to be converted."""

    code: CodeType | None
    operators: str


_converted: dict[tuple[int, bool], tuple[weakref.ref, Converted]] = {}


def converted_code(function: FunctionType, recursive: bool = True) -> Converted:
    """The converted code of a function.  Raises `ConversionError` where it cannot be converted."""
    code = function.__code__
    key = id(code), recursive
    known = _converted.get(key)
    if known is None:
        with _lock:
            forget = functools.partial(_forget, _converted, key)
            known = weakref.ref(code, forget), _convert(function, recursive)
            _converted[key] = known
    return known[1]


def _forget(table, key, _):
    table.pop(key, None)


def origin_of(function: FunctionType, source: str | None = None) -> Origin:
    """The definition that a function was compiled from, in its text as it is now or in `source`."""
    with deep_recursion():
        return current_origin(function, source)


def _convert(function, recursive):
    found = origin_of(function)
    tree, conversion = converted_definition(found, function, recursive)
    if not conversion.changed:
        return Converted(None, conversion.operators)
    blocks = {node.name for node in conversion.blocks if isinstance(node, gast.FunctionDef)}
    make = rebuild.compiled_text if debugging.steps_through_text() else rebuild.compiled
    if make is rebuild.compiled and debugging.is_looked_at(tree):
        debugging.show_variables(conversion)
    with deep_recursion():
        code = make(tree, blocks, function, conversion.operators, found.private_to)
    remember_loops(code, conversion, found.private_to)
    return Converted(code, conversion.operators)


def converted_definition(
    found: Origin, function: FunctionType, recursive: bool, passes=PIPELINE, after=None
) -> tuple[gast.AST, Conversion]:
    """The converted tree of a definition, and the conversion that made it."""
    with deep_recursion():
        tree = gast.ast_to_gast(found.node)
        outside = [name for name in BUILTINS if name in function.__globals__]
        outside += function.__code__.co_freevars
        conversion = Conversion.of(tree, recursive, outside=outside)
        tree = converted_tree(tree, conversion, passes, after)
    return tree, conversion


# What a printed file may call the operators: `ag__`, or the first of these that it does not use.
ALIASES = ("ag__", *(f"ag___{i}" for i in range(1, 10)))


def is_converted(function: FunctionType) -> bool:
    """Whether a function is the result of a conversion, here or in a printed file."""
    from autograph import operators

    if function.__code__ in rebuild.MADE:
        return True
    return any(function.__globals__.get(name) is operators for name in ALIASES)


def converted_function(
    function: FunctionType, recursive: bool = True, policy: Policy = USERS_OWN
) -> FunctionType:
    """The converted function, or `function` itself where there is nothing to convert."""
    from autograph.functions.calls import operators_under

    if is_kept(function):
        return function
    if is_converted(function):
        if policy == USERS_OWN or function.__code__ not in rebuild.MADE:
            return function
        return rebuild.with_operators(function, operators_under(policy))
    found = converted_code(function, recursive)
    if found.code is None:
        return function
    return rebuild.function_of(found.code, function, found.operators, operators_under(policy))


# -- the public entry points -----------------------------------------------------------------------

_do_not_convert = weakref.WeakSet()


def do_not_convert(function: Callable) -> Callable:
    """Leaves a function, or all methods of a class, as they are; a decorator.

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


def is_kept(function: FunctionType) -> bool:
    """Whether a function is to stay as it is."""
    return function in _do_not_convert


def _underlying(entity):
    """The Python function behind a function, method, staticmethod or classmethod, else None."""
    while isinstance(entity, (MethodType, staticmethod, classmethod)):
        entity = entity.__func__
    return entity if isinstance(entity, FunctionType) else None


def to_graph(
    fn: Callable,
    recursive: bool = True,
    *,
    source: str | None = None,
    convert_packages: Iterable[str] = (),
) -> Callable:
    """A function that does what `fn` does, and that can be staged.

    `fn` is a function, lambda, method, property or another wrapper of the standard library's around
    one, or an object with a `__call__` written in Python; methods stay bound, wrappers wrap.  A
    class is converted in place, with all its methods, and returned.  On plain values the result
    cannot be told from `fn`.

    With `recursive`, functions of the user's that it calls are converted too, and functions of the
    packages named in `convert_packages`; the standard library and installed packages are left as
    they are otherwise.  `source` is the text that `fn` was compiled from, where it is in no file:
    all of what was given to `exec`.

    Raises `ConversionError` where the source is not available or another one, `TypeError` where
    `fn` is not callable, `ValueError` where `convert_packages` names no package.

    >>> def relu(x):
    ...     return x if x > 0 else 0
    >>> to_graph(relu)(-3)
    0
    """
    from autograph.functions.calls import forget_what_changed

    policy = policy_of(convert_packages)
    forget_what_changed()

    def convert_entity(entity):
        if not isinstance(entity, FunctionType):
            if source is not None and isinstance(entity, type):
                _give(source, entity)
            return converted_entity(entity, convert_entity)
        if source is not None and not is_converted(entity):
            origin_of(entity, source)
        return converted_function(entity, recursive, policy)

    return convert_entity(fn)


def _give(source, kind):
    """Makes `source` the text of the methods of a class that were compiled from it."""
    for member in vars(kind).values():
        for function in functions_in(member):
            with suppress(ConversionError):
                origin_of(function, source)


def to_code(fn: Callable, recursive: bool = True, *, source: str | None = None) -> str:
    """The source of `to_graph(fn)`.

    >>> def relu(x):
    ...     return x if x > 0 else 0
    >>> print(to_code(relu))
    def relu(x):
        return ag__.if_expr(x > 0, lambda: x, lambda: 0)
    """
    function = function_in(fn)
    if is_converted(function) or is_kept(function):
        return inspect.getsource(function)
    tree, _ = converted_definition(origin_of(function, source), function, recursive)
    if isinstance(tree, FUNCTIONS):
        tree.decorator_list = []
    with deep_recursion():
        return quote.source(tree)


def function_in(fn: Callable) -> FunctionType:
    """The function whose source is that of `fn`: its own, or that of its `__call__`.

    Raises `ConversionError` where it is not written in Python.
    """
    function = _underlying(fn)
    if function is None:
        function = _underlying(inspect.getattr_static(type(fn), "__call__", None))
    if function is None:
        raise ConversionError(
            message(
                f"{fn!r} has no source in Python",
                None,
                "It is not a function that is written in Python, and has no such `__call__`.",
                "Ask for one of its methods, or for the function that it wraps.",
            )
        )
    return function


def convert(
    fn: Callable | None = None, *, recursive: bool = True, convert_packages: Iterable[str] = ()
) -> Callable:
    """A decorator that converts a function in place; see `to_graph`.

    >>> @convert
    ... def sign(x):
    ...     return 1 if x > 0 else -1
    >>> sign(-0.5)
    -1
    """
    if fn is None:
        return functools.partial(convert, recursive=recursive, convert_packages=convert_packages)
    return to_graph(fn, recursive, convert_packages=convert_packages)
