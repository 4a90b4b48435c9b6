"""From a function object to its syntax tree: parses the whole file once, matches code positions.

A code object has its file, first line and name.  If there are several candidates (two lambdas on
one line), the columns of its instructions decide.
"""

import ast
import inspect
from dataclasses import dataclass
from types import CodeType, FunctionType

from autograph.errors import ConversionError, NoSource, SourceLocation, StaleSourceError
from autograph.syntax import quote, sources
from autograph.syntax.walk import children, walk

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass
class Origin:
    """The definition of a function."""

    node: ast.AST  # FunctionDef, AsyncFunctionDef or Lambda
    private_to: str | None  # the class whose `__names` are mangled in it
    filename: str
    imported: tuple[str, ...] = ()  # names that the module imports


def origin(function: FunctionType, lines: list[str] | None = None) -> Origin:
    """The definition of a function in the source that it was compiled from.

    `lines` are the source, by default those of its file.  Raises `ConversionError` if the source is
    not available, or does not contain the function.
    """
    code = function.__code__
    if lines is None:
        lines = sources.file_of(function)
        if not lines:
            raise no_source(function)
    index = _index(lines, function)
    found = index.get((code.co_name, code.co_firstlineno), ())
    if len(found) > 1:
        found = _by_columns([one for one in found if _takes(one.node.args, code)], code)
    if len(found) == 1:
        return found[0]
    name = function.__qualname__
    where = SourceLocation(code.co_filename, code.co_firstlineno)
    if not found:
        raise StaleSourceError.about(
            f"{name} cannot be converted: its definition is not where it was compiled from",
            where,
            "The file was edited after it was imported, or a tool generated the function.",
            "Import it again, or exclude it with @autograph.do_not_convert.",
        )
    raise ConversionError.about(
        f"{name} cannot be converted: there are {len(found)} functions on this line",
        where,
        "Python runs without column positions, so they cannot be distinguished.",
        "Write them on separate lines.",
    )


_indexes = {}  # file name -> (lines, index)


def _index(lines, function):
    """The functions of a file, by name and first line."""
    filename = function.__code__.co_filename
    known = _indexes.get(filename)
    if known is None or known[0] is not lines:
        try:
            tree = quote.parsed("".join(lines), filename)
        except SyntaxError as error:
            raise no_source(function, f"Its recorded source is not Python: {error.msg}.") from None
        _indexes[filename] = known = (lines, definitions(tree, filename))
    return known[1]


def no_source(
    function: FunctionType,
    why: str = "Its source was typed at a prompt or passed to exec, so it cannot be read back.",
) -> NoSource:
    """The error that the source of a function is not available."""
    name = function.__qualname__
    given = f"to_graph({name}, source=...)" if name.isidentifier() else "to_graph(..., source=...)"
    code = function.__code__
    return NoSource.about(
        f"{name} cannot be converted: its source is not available",
        SourceLocation(code.co_filename, code.co_firstlineno, text=""),
        why,
        f"Write it in a file, pass the source: {given}, or exclude it with "
        "@autograph.do_not_convert.",
    )


def definitions(tree: ast.Module, filename: str) -> dict[tuple[str, int], list[Origin]]:
    """The functions and lambdas of a file, by name and first line (that of the first decorator)."""
    found, imported = [], []
    pending = [(tree, None, True)]
    while pending:
        node, private_to, at_top = pending.pop()
        if isinstance(node, ast.Lambda):
            found.append((("<lambda>", node.lineno), node, private_to))
            at_top = False
        elif isinstance(node, DEFINITIONS):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            found.append(((node.name, first), node, private_to))
            at_top = False
        elif isinstance(node, ast.ClassDef):
            private_to, at_top = node.name, False
        elif at_top:
            imported += _imported(node)
        pending += [(child, private_to, at_top) for child in children(node)]
    index, names = {}, tuple(imported)
    for key, node, private_to in found:
        index.setdefault(key, []).append(Origin(node, private_to, filename, names))
    return index


def _imported(node):
    """The names that a statement imports, and `super` if it mentions that.

    Python compiles calls of names that a module imports, and of `super` if the module mentions it,
    to other instructions.
    """
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        names = [alias.asname or alias.name.partition(".")[0] for alias in node.names]
        return [name for name in names if name != "*"]
    return ["super"] if isinstance(node, ast.Name) and node.id == "super" else []


def _takes(args, code):
    """Whether a code object has these parameters."""
    names = [p.arg for p in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    names += [p.arg for p in (args.vararg, args.kwarg) if p is not None]
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return tuple(names) == code.co_varnames[:count]


def _by_columns(candidates, code: CodeType):
    """The innermost candidates whose nodes cover every position of the code's instructions."""
    positions = {
        (line, column)
        for line, end_line, column, end_column in code.co_positions()
        if line and column is not None and (line, column) != (end_line, end_column)
    }
    if not positions:
        return candidates

    def covers(candidate):
        body = candidate.node.body
        nodes = body if isinstance(body, list) else [body]
        starts = {
            (node.lineno, node.col_offset)
            for part in nodes
            for node in walk(part)
            if hasattr(node, "lineno")
        }
        return positions <= starts

    found = [candidate for candidate in candidates if covers(candidate)]
    nodes = {one.node for one in found}
    return [one for one in found if not any(n in nodes for n in _inside(one.node))]


def _inside(node):
    return (inner for inner in walk(node) if inner is not node)
