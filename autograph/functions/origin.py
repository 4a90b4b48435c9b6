"""From a function object to its syntax tree: finds the definition in its file by code positions.

A code object has its file, first line and name.  Only one `def` of a name can begin on a line: its
lines are parsed, not the file (`written_at`).  For lambdas, and definitions that are not found like
this, the file is parsed once.  Its tree is not kept, only the places of its functions: the
statement with the function that is looked for is parsed again.  If there are several candidates
(two lambdas on one line), the columns of its instructions decide.
"""

import ast
import inspect
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import NamedTuple

from autograph.errors import ConversionError, NoSource, SourceLocation, StaleSourceError
from autograph.functions.bytecode import instructions
from autograph.syntax import quote, sources
from autograph.syntax.walk import children, walk

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass
class Origin:
    """The definition of a function."""

    node: ast.AST  # FunctionDef, AsyncFunctionDef or Lambda
    private_to: str | None  # the class whose `__names` are mangled in it
    filename: str
    imported: tuple[str, ...] = ()  # names that the module imports, if it reads them


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
    found = _found(lines, function)
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


def written_at(function: FunctionType, lines: list[str]) -> Origin | None:
    """The `def` statement at a function's line in a source, or None if that is not certain.

    The class around it and the imports of the module are taken from the function; if the source is
    not what the function was compiled from, they may be wrong.
    """
    code = function.__code__
    first = code.co_firstlineno
    if not 1 <= first <= len(lines):
        return None
    text = lines[first - 1]
    start = text.lstrip()
    if not start.startswith(("def ", "@", "async ")):
        return None
    indent = text[: -len(start)]
    block = lines[first - 1 : _end_of_block(lines, _last_line(code), indent)]
    try:
        body = quote.parsed(_above(first, bool(indent)) + "".join(block)).body
    except SyntaxError:
        return None
    found = body[0].body if indent and len(body) == 1 and isinstance(body[0], ast.If) else body
    if len(found) != 1 or not isinstance(found[0], DEFINITIONS):
        return None
    node = found[0]
    if node.name != code.co_name or first != min(
        [node.lineno, *(one.lineno for one in node.decorator_list)]
    ):
        return None
    return Origin(node, _class_around(code.co_qualname), code.co_filename, _imports(function))


def _last_line(code):
    """The last line on which an instruction of a code object begins, or of one inside it."""
    last = max((line for _, _, line in code.co_lines() if line), default=code.co_firstlineno)
    return max([last, *(_last_line(one) for one in code.co_consts if isinstance(one, CodeType))])


def _end_of_block(lines, last, indent):
    """The number of lines up to the end of a definition, of whose body line `last` is a part."""
    while last < len(lines):
        text = lines[last].lstrip()
        if text and not text.startswith("#"):
            is_inside = lines[last].startswith(indent) and lines[last][len(indent)].isspace()
            if not is_inside:
                break
        last += 1
    return last


def _class_around(qualname):
    """The class whose `__names` are mangled in a function: `C` in `f.<locals>.C.g.<locals>.h`."""
    parts = qualname.split(".")
    for name, after in reversed(list(itertools.pairwise(parts))):
        if "<locals>" not in (name, after):
            return name
    return None


def _names_in(code):
    nested = [_names_in(one) for one in code.co_consts if isinstance(one, CodeType)]
    return {*code.co_names}.union(*nested)


def _imports(function):
    """The names among those that a function reads that the module probably imports."""
    names, defined_in = function.__globals__, function.__globals__.get("__name__")
    found = []
    for name in _names_in(function.__code__):
        value = names.get(name)
        kind = type(value)
        if kind is ModuleType or (
            (kind is FunctionType or issubclass(kind, type)) and value.__module__ != defined_in
        ):
            found.append(name)
    return tuple(found)


class Place(NamedTuple):
    """Where a file has a function."""

    line: int  # of its definition
    column: int
    first: int  # lines of the statement that contains it
    last: int
    private_to: str | None


# file name -> (hash of its text, the places of its functions, names that it imports)
_indexes: sources.Recent[tuple] = sources.Recent()


def _found(lines, function):
    """The definitions in a file that have the name and first line of a function."""
    code = function.__code__
    filename = code.co_filename
    text = "".join(lines)
    known = _indexes.get(filename)
    if known is None or known[0] != hash(text):
        try:
            tree = quote.parsed(text, filename)
        except SyntaxError as error:
            raise no_source(function, f"Its recorded source is not Python: {error.msg}.") from None
        known = (hash(text), *_places(tree))
        _indexes.add(filename, known)
    _, places, imported = known
    chosen = places.get((code.co_name, code.co_firstlineno), ())
    parts = {(place.first, place.last) for place in chosen}
    nodes = {part: _functions_in(lines, *part, chosen) for part in parts}
    return [
        Origin(nodes[p.first, p.last][p.line, p.column], p.private_to, filename, imported)
        for p in chosen
    ]


def _functions_in(lines: list[str], first: int, last: int, places: Iterable[Place]):
    """The functions in the statement on some lines of a file, by position.

    If the lines are not a statement of their own (`else: f = lambda: 0`), the file is parsed.
    """
    wanted = {
        (place.line, place.column) for place in places if (place.first, place.last) == (first, last)
    }
    is_indented = lines[first - 1][:1].isspace()
    above = _above(first, is_indented)
    try:
        found = _by_position(quote.parsed(above + "".join(lines[first - 1 : last])))
    except SyntaxError:
        found = {}
    if not wanted <= found.keys():
        return _by_position(quote.parsed("".join(lines)))
    return found


def _above(first, is_indented):
    """A text that makes a statement begin on this line, with its indentation."""
    return "\n" * (first - 2) + "if 1:\n" if is_indented and first > 1 else "\n" * (first - 1)


def _by_position(tree):
    """The functions in a tree, by position."""
    kinds = (*DEFINITIONS, ast.Lambda)
    return {(n.lineno, n.col_offset): n for n in walk(tree) if isinstance(n, kinds)}


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


def definitions(tree: ast.Module, filename: str) -> list[Origin]:
    """The functions and lambdas of a file."""
    found, imported = _functions(tree)
    return [Origin(node, private_to, filename, imported) for _, node, private_to, _ in found]


def _places(tree):
    """The places of the functions in a tree, by name and first line (that of the first decorator),
    and the names that the module imports."""
    places = {}
    found, imported = _functions(tree)
    for key, node, private_to, statement in found:
        first = min([statement.lineno, *(d.lineno for d in _decorators(statement))])
        place = Place(node.lineno, node.col_offset, first, statement.end_lineno, private_to)
        places[key] = (*places.get(key, ()), place)
    return places, imported


def _decorators(node):
    return getattr(node, "decorator_list", ())


def _functions(tree):
    """The functions in a tree: name and first line, node, class whose names are private in it, and
    the statement that contains it; and the names that the module imports."""
    found, imported = [], []
    pending = [(tree, None, True, None)]
    while pending:
        node, private_to, at_top, statement = pending.pop()
        if isinstance(node, ast.stmt):
            statement = node
        if isinstance(node, ast.Lambda):
            found.append((("<lambda>", node.lineno), node, private_to, statement))
            at_top = False
        elif isinstance(node, DEFINITIONS):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            found.append(((node.name, first), node, private_to, statement))
            at_top = False
        elif isinstance(node, ast.ClassDef):
            private_to, at_top = node.name, False
        elif at_top:
            imported += _imported(node)
        pending += [(child, private_to, at_top, statement) for child in children(node)]
    return found, tuple(imported)


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
        return _by_constant(candidates, code)

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


def _by_constant(candidates, code):
    """The lambda that returns the same constant as a code object, which 3.12 gives no columns."""
    if not {step.opname for step in instructions(code)} <= _RETURNS_CONSTANT:
        return candidates

    def is_same(node):
        body = getattr(node, "body", None)
        return isinstance(body, ast.Constant) and any(
            type(body.value) is type(one) and repr(body.value) == repr(one)
            for one in code.co_consts
        )

    return [one for one in candidates if is_same(one.node)][:1] or candidates


_RETURNS_CONSTANT = {"RESUME", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE"}


def _inside(node):
    return (inner for inner in walk(node) if inner is not node)
