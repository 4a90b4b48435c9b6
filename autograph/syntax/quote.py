"""Code as values: templates with holes, positions, fresh names, and printing.

    stmts("(names,) = vars_", at, names=...)      a list of statements
    expr("ag__.not_(test)", at, test=node.test)   an expression

A hole is a name in the template.  It is filled by a string (another name), an expression, or, if it
is a statement of its own, by a list of statements.  Every node made from a template has the
position `at`: the header of the user's statement that it comes from, so that tracebacks, debuggers
and coverage point into the user's file.

Elsewhere: the meaning of templates (`constructs/`), and compiling them (`functions/rebuild.py`).
"""

import ast
import functools
import warnings
from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import gast

from autograph.syntax.trees import to_ast


class Span(namedtuple("Span", "lineno col_offset end_lineno end_col_offset")):
    """A range of the user's source: lines count from 1, columns are UTF-8 bytes from 0."""

    __slots__ = ()

    def place(self, node: gast.AST) -> gast.AST:
        """Gives `node` this position."""
        node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = self
        return node


def span(node: gast.AST) -> Span:
    """The position of an expression, or of a statement's header, kept within one line.

    A statement such as `while test:` spans its whole body; generated code must not, or coverage
    would count those lines.  The header ends where its test (iterable, ...) ends.  A header of
    several lines is cut at its first: Python reports a method call at the line where the attribute
    ends.
    """
    kind = node.__class__
    last = getattr(node, _HEADERS[kind], None) if kind in _HEADERS else node
    line, column = node.lineno, node.col_offset
    if last is None or last.end_lineno != line:
        return Span(line, column, line, column + 1)
    return Span(line, column, line, last.end_col_offset)


# The last part of a statement's header; that of a definition is cut at its start.
_HEADERS = {gast.If: "test", gast.While: "test", gast.For: "iter", gast.AsyncFor: "iter"}
_HEADERS |= dict.fromkeys((gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef), "")


def position_of(node: gast.AST) -> tuple[int, int, int, int]:
    """The position of an expression, in the order of `CodeType.co_positions`."""
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


def stmts(template: str, at: gast.AST | Span, **holes) -> list[gast.stmt]:
    """The statements of a template, its holes filled, every new node at the position of `at`."""
    where = at if isinstance(at, Span) else span(at)
    return _fill_block(_parsed(template), where, holes)


def expr(template: str, at: gast.AST | Span, **holes) -> gast.expr:
    """The one expression of a template; see `stmts`."""
    where = at if isinstance(at, Span) else span(at)
    return _fill_block(_parsed(template), where, holes)[0].value


@functools.cache
def _parsed(template):
    return [_Statement.of(statement) for statement in gast.parse(template).body]


def _fill_block(statements, where, holes):
    filled = []
    for statement in statements:
        hole = holes.get(statement.hole)
        if isinstance(hole, list):
            filled += hole
        else:
            filled.append(statement.fill(where, holes))
    return filled


class _Statement(NamedTuple):
    """A statement of a template: a function that fills it, and its name if it may be a hole."""

    fill: Callable[[Span, dict], gast.AST]
    hole: str | None

    @classmethod
    def of(cls, node):
        is_name = isinstance(node, gast.Expr) and isinstance(node.value, gast.Name)
        return cls(_filler(node), node.value.id if is_name else None)


def _filler(node):
    """A function of a position and of holes that returns a copy of `node`, with its holes
    filled."""
    kind = type(node)
    if not kind._fields and not kind._attributes:
        return lambda where, holes: node  # a context or an operator
    is_placed = bool(kind._attributes)
    fixed, names, parts, blocks = {}, [], [], []
    for field in kind._fields:
        value = fixed[field] = getattr(node, field)
        if isinstance(value, gast.AST):
            if value._fields or value._attributes:  # else a context or an operator
                parts.append((field, _filler(value)))
        elif isinstance(value, list) and field in ("body", "orelse", "finalbody"):
            blocks.append((field, [_Statement.of(statement) for statement in value]))
        elif isinstance(value, list):
            parts.append((field, _list_filler(value)))
        elif field in ("id", "name") and isinstance(value, str):
            names.append((field, value))

    def fill(where, holes):
        if kind is gast.Name:
            hole = holes.get(node.id)
            if isinstance(hole, gast.AST):
                return hole
        new = kind.__new__(kind)
        values = new.__dict__
        values.update(fixed)
        if is_placed:
            (
                values["lineno"],
                values["col_offset"],
                values["end_lineno"],
                values["end_col_offset"],
            ) = where
        for field, identifier in names:
            hole = holes.get(identifier)
            if hole.__class__ is str:
                values[field] = hole
        for field, part in parts:
            values[field] = part(where, holes)
        for field, statements in blocks:
            values[field] = _fill_block(statements, where, holes)
        return new

    return fill


def _list_filler(items):
    fillers = [_filler(item) if isinstance(item, gast.AST) else item for item in items]

    def fill(where, holes):
        return [filler(where, holes) if callable(filler) else filler for filler in fillers]

    return fill


# -- small nodes -----------------------------------------------------------------------------------


def name(identifier: str, at: gast.AST | Span, ctx: type = gast.Load) -> gast.Name:
    """A name that is read (or, with `ctx=gast.Store`, bound)."""
    where = at if isinstance(at, Span) else span(at)
    return where.place(gast.Name(id=identifier, ctx=ctx(), annotation=None, type_comment=None))


def constant(value, at: gast.AST | Span) -> gast.Constant:
    """A literal."""
    where = at if isinstance(at, Span) else span(at)
    return where.place(gast.Constant(value=value, kind=None))


def tuple_of(items: list, at: gast.AST | Span, ctx: type = gast.Load) -> gast.Tuple:
    """A tuple display (or, with `ctx=gast.Store`, a target to unpack into)."""
    where = at if isinstance(at, Span) else span(at)
    return where.place(gast.Tuple(elts=items, ctx=ctx()))


def thunk(body: gast.expr, parameters=()) -> gast.Lambda:
    """`body` -> `lambda parameters: body`: an operand that is evaluated lazily."""
    where = span(body)
    return where.place(gast.Lambda(args=_parameters(parameters, where), body=body))


def _parameters(names, where):
    return gast.arguments(
        args=[name(p, where, gast.Param) for p in names],
        posonlyargs=[],
        vararg=None,
        kwonlyargs=[],
        kw_defaults=[],
        kwarg=None,
        defaults=[],
    )


def function(identifier: str, body: list, at: gast.AST | Span, parameters=()) -> gast.FunctionDef:
    """`def identifier(parameters): body`."""
    where = at if isinstance(at, Span) else span(at)
    new = gast.FunctionDef(
        name=identifier,
        args=_parameters(parameters, where),
        body=body or [where.place(gast.Pass())],
        decorator_list=[],
        returns=None,
        type_comment=None,
        type_params=[],
    )
    return where.place(new)


# -- names -----------------------------------------------------------------------------------------


class FreshNames:
    """Generates identifiers that a piece of code does not use: `stop`, `stop_1`, `stop_2`..."""

    def __init__(self, taken):
        self.taken = set(taken)
        self._count = {}

    def fresh(self, stem: str) -> str:
        """`stem`, with a number if it is taken."""
        candidate = stem
        while candidate in self.taken:
            self._count[stem] = self._count.get(stem, 0) + 1
            candidate = f"{stem}_{self._count[stem]}"
        self.taken.add(candidate)
        return candidate


# -- printing --------------------------------------------------------------------------------------


def source(tree: gast.AST) -> str:
    """The Python source of a tree.

    Printed by `ast.unparse`, because astunparse 1.6.3 supports neither `match` nor `except*` nor
    `x[1:2, ::3]`.
    """
    return ast.unparse(to_ast(tree))


def dump(tree: gast.AST) -> str:
    """The tree itself, one node per line, as `autograph --ast` shows it."""
    import astunparse

    return astunparse.dump(gast.gast_to_ast(tree))


# -- the user's source -----------------------------------------------------------------------------


def parsed(text: str, filename: str = "<unknown>") -> ast.Module:
    """The tree of a file.  Raises `SyntaxError`."""
    with no_second_warning():
        return _tree(text, filename)


def _tree(text, filename):
    for _ in range(10):
        try:
            return ast.parse(text, filename)
        except SystemError:
            continue  # CPython 3.11: threads that parse at the same time disturb a count they share
    return ast.parse(text, filename)


def checked(text: str) -> ast.Module:
    """The tree of a file that Python would compile.  Raises `SyntaxError`."""
    with no_second_warning():
        compile(text, "<unknown>", "exec", dont_inherit=True)
        return _tree(text, "<unknown>")


@contextmanager
def no_second_warning() -> Iterator[None]:
    """Suppresses warnings of the compiler, which were issued when the file was imported."""
    with warnings.catch_warnings():
        for category in (SyntaxWarning, DeprecationWarning):
            warnings.simplefilter("ignore", category)
        yield
