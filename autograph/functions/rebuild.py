"""From a converted tree back to a function that differs from the original only in its code.

The tree is compiled with the user's file name and positions, so tracebacks, breakpoints, coverage
and profilers show the user's file.  The new function has the original's globals (live), cells,
defaults, name and attributes.  The operators are a constant of its code: no closure, namespace or
list of free variables shows them.

    def outer(x):                  x: the free variables of the original
        class C:                   only where names like `__x` are mangled
            def f(...): ...        the converted tree, without decorators, defaults and annotations

Functions made from blocks have the name of the user's function, and blocks are removed from names
like `f.<locals>.if_body.<locals>.g`.
"""

import __future__

import ast
import functools
import itertools
import linecache
import operator
import os
import sys
import weakref
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType, ModuleType

import gast

from autograph.functions.code_tables import BLOCKS
from autograph.functions.code_tables import MADE as MADE
from autograph.functions.versions import converted_version
from autograph.syntax import quote
from autograph.syntax.trees import become_ast, become_gast


def made_code(function: FunctionType) -> CodeType | None:
    """The converted code of a function, or None if the function was not converted."""
    code = function.__code__
    return code if code in MADE else converted_version(function)


@dataclass(frozen=True)
class Operators:
    """The operators that converted code calls, and their name in its tree."""

    name: str
    module: ModuleType


def compiled(
    tree: gast.AST,
    blocks: Container[str],
    function: FunctionType,
    operators: Operators,
    private_to: str | None,
) -> CodeType:
    """The code of a converted function.

    `blocks` has the names of the functions that were made from blocks.
    """
    node, original = compilable(tree, operators.name), function.__code__
    return converted_code(
        node, original.co_freevars, original, private_to, blocks, operators=operators
    )


def compiled_text(
    tree: gast.AST,
    blocks: Container[str],
    function: FunctionType,
    operators: Operators,
    private_to: str | None,
) -> CodeType:
    """The same, compiled from the printed source: debuggers step through the generated code.

    The source has its own file name, which `linecache` knows as long as the code exists.
    """
    text = quote.source(tree) + "\n"
    name = f"<converted {function.__qualname__}, {next(_texts)}>"
    statement = ast.parse(text).body[0]
    node = statement.value if isinstance(statement, ast.Expr) else statement
    node = compilable(become_gast(node), operators.name)
    original = function.__code__.replace(co_filename=name)
    code = converted_code(node, original.co_freevars, original, private_to, (), operators)
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    weakref.finalize(code, linecache.cache.pop, name, None)
    return code


_texts = itertools.count(1)


def converted_code(
    node: ast.AST,
    free: Iterable[str],
    original: CodeType,
    private_to: str | None,
    blocks: Container[str],
    operators: Operators,
) -> CodeType:
    """The code of a converted definition, which is `compilable`."""
    return code_of(node, free, original, private_to, blocks, operators=operators.module)


def compilable(tree: gast.AST, operators: str) -> ast.AST:
    """The tree of a converted definition, which becomes one to compile; it names the operators
    `operators`."""
    return become_ast(tree, {operators: _PLACE})


# Marks the place of the operators in code that is compiled; equal to no constant of the user.
_PLACE = ("autograph.operators", os.urandom(16))


def with_operators(code: CodeType, operators: ModuleType) -> CodeType:
    """Converted code that calls these operators instead of others."""

    def completed(constant):
        if isinstance(constant, CodeType):
            return with_operators(constant, operators)
        is_place = isinstance(constant, ModuleType) or constant == _PLACE
        return operators if is_place else constant

    constants = tuple(map(completed, code.co_consts))
    return code.replace(co_consts=constants if code in MADE else (*constants, MADE))


def operators_of(code: CodeType) -> ModuleType | None:
    """The operators that converted code calls, or None if it calls none."""
    for constant in code.co_consts:
        if isinstance(constant, ModuleType):
            return constant
        found = operators_of(constant) if isinstance(constant, CodeType) else None
        if found is not None:
            return found
    return None


def code_of(
    node: ast.AST,
    free: Iterable[str],
    original: CodeType,
    private_to: str | None,
    blocks: Container[str] = (),
    level: int = -1,
    imported: Iterable[str] = (),
    operators: ModuleType | None = None,
) -> CodeType:
    """The code of a definition with `free` variables, with the names in the `original`.

    It is compiled under the original's `from __future__` imports, at an optimisation level, in a
    module that imports the names `imported`.  If it calls `operators`, it is marked as converted.
    """
    node, free = _bare(node), dict.fromkeys(free)
    if not isinstance(node, ast.stmt):
        node = ast.copy_location(ast.Expr(value=node), node)
    at = {name: getattr(node, name) for name in _POSITION}
    body = [node]
    if private_to is not None:
        body = [_class(private_to, body, at)]
        if private_to not in free:
            # The class must not become a variable of `outer`: the function may read the global.
            body.insert(0, ast.Global(names=[private_to], **at))
    module = ast.Module(body=[_function(_OUTER, free, body, at)], type_ignores=[])
    if imported:
        aliases = [ast.alias(name=name, **at) for name in imported]
        module.body.append(ast.Import(names=aliases, **at))
    options = {"dont_inherit": True, "flags": _future(original), "optimize": level}
    with quote.no_second_warning():
        code = compile(module, original.co_filename, "exec", **options)
    name = _DEFINITION if isinstance(node, _DEFINITIONS) else "<lambda>"
    for step in (_OUTER, *([private_to] if private_to is not None else []), name):
        code = next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == step)
    return _Finished(code.co_qualname, original, blocks, operators).code(code, original.co_name)


# Names that no user can have written.  They begin the qualified names that the compiler makes, so
# these differ from every string of the user; and the definition binds no name that it may read.
_MARK = os.urandom(16).hex()
_OUTER, _DEFINITION = f"<outer {_MARK}>", f"<definition {_MARK}>"
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_POSITION = ("lineno", "col_offset", "end_lineno", "end_col_offset")


def _bare(node):
    """A function without decorators, defaults and annotations, which the original has."""
    args = _like(node.args)
    args.defaults = []
    args.kw_defaults = [None] * len(args.kwonlyargs)
    for kind in ("posonlyargs", "args", "kwonlyargs"):
        setattr(args, kind, list(map(_without_annotation, getattr(args, kind))))
    args.vararg = args.vararg and _without_annotation(args.vararg)
    args.kwarg = args.kwarg and _without_annotation(args.kwarg)
    node = _like(node)
    node.args = args
    if isinstance(node, ast.stmt):
        node.name = _DEFINITION
        node.decorator_list = []
        node.returns = None
        if sys.version_info >= (3, 12):
            node.type_params = []
    return node


def _like(node):
    """A copy of a node; `copy.copy` takes ten times as long."""
    new = node.__class__.__new__(node.__class__)
    new.__dict__.update(node.__dict__)
    return new


def _without_annotation(parameter):
    if parameter.annotation is not None:
        parameter = _like(parameter)
        parameter.annotation = None
    return parameter


def _function(name, parameters, body, at):
    args = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(arg=p, **at) for p in parameters],
        kwonlyargs=[],
        kw_defaults=[],
        defaults=[],
    )
    return ast.FunctionDef(name=name, args=args, body=body, decorator_list=[], type_params=[], **at)


def _class(name, body, at):
    return ast.ClassDef(
        name=name, bases=[], keywords=[], body=body, decorator_list=[], type_params=[], **at
    )


_FUTURES = functools.reduce(
    operator.or_,
    (getattr(__future__, feature).compiler_flag for feature in __future__.all_feature_names),
)


def _future(code):
    """The compiler flags of the `from __future__` imports of a code object."""
    return code.co_flags & _FUTURES


class _Finished:
    """Gives compiled code, and all code nested in it, the names of the user's functions.

    It shares its texts with the original (documentation, messages), and equal tables with the code
    around it.
    """

    def __init__(self, prefix, original, blocks, operators):
        self.prefix, self.original, self.blocks = prefix, original, blocks
        self.parameters = {(name,) for name in blocks}
        self.operators = operators
        self.thunks: list[str] = []  # the qualified names of lambdas around the code
        self.texts = {text: text for text in _texts_in(original)}
        self.shared = {}

    def code(self, code, function_name):
        """The code with its names; blocks have the name of the function around them."""
        name = code.co_name
        is_block = name in self.blocks
        if is_block or name == _DEFINITION:
            name = function_name
        is_thunk = name == "<lambda>" and code.co_varnames[: code.co_argcount] in self.parameters
        self.thunks += [code.co_qualname] * is_thunk
        constants = [self.constant(one, name) for one in code.co_consts]
        if is_thunk:
            self.thunks.pop()
        if is_block:
            constants.append(BLOCKS)
        elif self.operators is not None:
            constants.append(MADE)
        share = self.shared.setdefault
        return code.replace(
            co_name=name,
            co_qualname=self.qualified(code.co_qualname),
            co_consts=share(tuple(map(id, constants)), tuple(constants)),
            co_names=share(code.co_names, code.co_names),
            co_linetable=share(code.co_linetable, code.co_linetable),
        )

    def constant(self, constant, function_name):
        kind = type(constant)
        if kind is CodeType:
            return self.code(constant, function_name)
        if kind is str:
            if constant.startswith(self.prefix + "."):
                constant = self.qualified(constant)
            return self.texts.get(constant, constant)
        return self.operators if kind is tuple and constant == _PLACE else constant

    def qualified(self, name):
        """`outer.<locals>.f.<locals>.if_body.<locals>.g` -> `f.<locals>.g`, as in the original."""
        if name != self.prefix and not name.startswith(self.prefix + "."):
            return name
        for thunk in reversed(self.thunks):
            if name.startswith(inside := f"{thunk}.<locals>."):
                name = thunk.removesuffix("<lambda>") + name[len(inside) :]
        rest = name[len(self.prefix) :].split(".<locals>")
        kept = [part for part in rest if part[1:] not in self.blocks]
        new = self.original.co_qualname + ".<locals>".join(kept)
        return self.shared.setdefault(new, new)


def _texts_in(code):
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _texts_in(constant)
        elif type(constant) is str:
            yield constant


def function_of(
    code: CodeType, original: FunctionType, added: Mapping[str, CellType] | None = None
) -> FunctionType:
    """A function with this code, cells that are `added`, and all else from `original`."""
    cells = dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
    cells.update(added or {})
    closure = tuple(cells[name] for name in code.co_freevars)
    new = FunctionType(
        code, original.__globals__, original.__name__, original.__defaults__, closure
    )
    new.__kwdefaults__ = original.__kwdefaults__
    new.__qualname__ = original.__qualname__
    new.__module__ = original.__module__
    new.__doc__ = original.__doc__
    new.__annotations__ = original.__annotations__
    attributes = object.__getstate__(original)  # `__dict__` would make a dict if there is none
    if attributes:
        new.__dict__.update(attributes)
    if sys.version_info >= (3, 12):
        new.__type_params__ = original.__type_params__
    return new
