"""Where a generator runs the user's code if it is closed.

    def lines(path):
        file = open(path)
        try:
            yield from file          closed here, it closes the file
        finally:
            file.close()
        yield ""                     closed here, it does nothing

Python closes a generator that a loop has left, as soon as nothing refers to it.
"""

import builtins
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import gast

from autograph.constructs.unconvertible import within
from autograph.constructs.yield_ import YIELDS
from autograph.conversion.converter import origin_of_any
from autograph.conversion.passes import deep_recursion
from autograph.errors import ConversionError
from autograph.functions.code_tables import CodeTable
from autograph.syntax.trees import to_gast

_known: CodeTable[tuple[range, ...]] = CodeTable()


def cleans_up(function: FunctionType, line: int) -> bool:
    """Whether closing a generator of a function runs code, if it is suspended in a line."""
    lines = _known.get(function.__code__)
    if lines is None:
        lines = _known[function.__code__] = tuple(_lines(function))
    return any(line in one for one in lines)


def _lines(function: FunctionType) -> Iterator[range]:
    """The lines of each `yield` at which closing a generator runs code."""
    try:
        found = origin_of_any(function, None)
    except ConversionError:
        return
    with deep_recursion():
        tree = to_gast(found.node)
        for node in within(tree.body):
            for part in _guarded(node, _finder(function)):
                for inner in within(part):
                    if isinstance(inner, YIELDS):
                        yield range(inner.lineno, (inner.end_lineno or inner.lineno) + 1)


def _guarded(node: gast.AST, find: Callable[[str], Any]) -> list[list]:
    """The blocks of a statement which an exception leaves through other code of it."""
    match node:
        case gast.With() | gast.AsyncWith():
            return [node.body]
        case gast.Try(finalbody=[_, *_]):
            parts = [handler.body for handler in node.handlers]
            return [node.body, node.orelse, *parts]
        case gast.Try() | gast.TryStar():
            if any(_may_catch(handler.type, find) for handler in node.handlers):
                return [node.body]
    return []


def _may_catch(kind: Any, find: Callable[[str], Any]) -> bool:
    """Whether a handler may catch the exception by which a generator is closed."""
    match kind:
        case gast.Name(id=name):
            found = find(name)
            return not isinstance(found, type) or issubclass(GeneratorExit, found)
        case gast.Tuple(elts=kinds):
            return any(_may_catch(one, find) for one in kinds)
    return True


def _finder(function: FunctionType) -> Callable[[str], Any]:
    """The values of names that are not variables of a function; None for others."""
    own = {*function.__code__.co_varnames, *function.__code__.co_freevars}
    outside = function.__globals__

    def find(name):
        return None if name in own else outside.get(name, getattr(builtins, name, None))

    return find
