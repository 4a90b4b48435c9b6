"""Detects stale sources: a function's file may be edited after it was imported.

To convert the new source for the old function would be silently wrong, so the source is compiled
again and compared with the code that runs.  If the module's loader may have rewritten its code (as
pytest does with `assert`), properties that such tools preserve are compared: arguments, names of
nested functions, and the lines of statements other than `assert`.
"""

import ast
import inspect
import sys
from dataclasses import replace
from importlib import machinery
from types import CodeType, FunctionType

from autograph.errors import ConversionError, SourceLocation, StaleSourceError
from autograph.functions import rebuild
from autograph.functions.bytecode import instructions
from autograph.functions.origin import Origin, no_source, origin, written_at
from autograph.syntax import sources
from autograph.syntax.walk import walk

LOADERS = (machinery.SourceFileLoader, machinery.SourcelessFileLoader)
LEVELS = (-1, 0, 1, 2)  # of optimisation: the interpreter's own first


def current_origin(function: FunctionType, source: str | None = None) -> Origin:
    """The definition that a function was compiled from: in its file, or in `source`.

    A `source` is kept for the functions that the function calls.  Raises `ConversionError` if the
    file was edited, or has no source.
    """
    if source is not None:
        return _given_origin(function, source)
    found = _find(function)
    if found is None:
        sources.forget_old(function.__code__.co_filename)
        found = _find(function)
    if found is None and function.__code__.co_filename in sources.SHARED_NAMES:
        raise no_source(function)
    if found is None:
        origin(function)  # raises if there is no definition
        raise _stale_source(
            function,
            "The file was edited after it was imported, so its source is not what runs.",
            "Import it again, or exclude it with @autograph.do_not_convert.",
            "its file has changed",
        )
    return found


def _given_origin(function, source):
    if not isinstance(source, str):
        raise TypeError(
            f"source takes the source of a function as a string, not {type(source).__name__}"
        )
    try:
        ast.parse(source)
        found = origin(function, source.splitlines(True))
    except (ConversionError, SyntaxError, ValueError):
        found = None
    if found is None or not _is_current(found, function):
        raise _stale_source(
            function,
            "The `source` argument is not the source that it was compiled from.",
            "Pass exactly the string that was passed to compile or exec.",
            "it was compiled from another source",
        )
    sources.give(source, function.__code__)
    return found


def _find(function):
    """The definition in one of the known sources, None if none of them contains it."""
    for lines in sources.texts_of(function):
        found = written_at(function, lines)
        if found is not None and _is_current(found, function):
            return found
        try:
            found = origin(function, lines)
        except ConversionError:
            continue
        if _is_current(found, function):
            return found
    return None


def _stale_source(function, why, remedy, what):
    code = function.__code__
    place = SourceLocation(code.co_filename, code.co_firstlineno)
    if code.co_filename.startswith("<"):
        place = replace(place, text="")
    what = f"{function.__qualname__} cannot be converted: {what}"
    return StaleSourceError.about(what, place, why, remedy)


def _is_current(found, function):
    code = function.__code__
    about = found.node, code.co_freevars, code, found.private_to
    # A notebook compiles each statement of a cell by itself: functions do not know its imports.
    for imported in dict.fromkeys((found.imported, ())):
        for level in LEVELS:
            new = rebuild.code_of(*about, level=level, imported=imported)
            if _is_equal(new, code) or _same_code(new, code):
                return True
    return _may_be_rewritten(function) and _same_outline(found.node, code)


def _is_equal(new: CodeType, code: CodeType) -> bool:
    """Whether Python calls the code objects equal, apart from the flag that the new one is nested.

    The comparison reads no `co_code`, of which every code object would keep a copy.
    """
    differs = new.co_flags ^ code.co_flags
    return not differs & ~inspect.CO_NESTED and new.replace(co_flags=code.co_flags) == code


def _same_code(one: CodeType, other: CodeType) -> bool:
    """Whether two code objects are the same, apart from positions."""
    has_same_names = (
        one.co_names == other.co_names
        and one.co_varnames == other.co_varnames
        and one.co_freevars == other.co_freevars
        and one.co_cellvars == other.co_cellvars
    )
    if not has_same_names or len(one.co_consts) != len(other.co_consts):
        return has_same_names and _same_instructions(one, other)
    return one.co_code == other.co_code and all(map(_same_constant, one.co_consts, other.co_consts))


def _same_instructions(one, other):
    """Whether two code objects do the same.  Their tables of constants may differ, because a class
    and a string of the user may have had the same name."""
    steps, others = instructions(one), instructions(other)
    return len(steps) == len(others) and all(
        step.opcode == same.opcode and _same_constant(step.argval, same.argval)
        for step, same in zip(steps, others, strict=True)
    )


def _same_constant(one, other):
    if isinstance(one, CodeType) and isinstance(other, CodeType):
        return _same_code(one, other)
    return type(one) is type(other) and (one == other or repr(one) == repr(other))


def _may_be_rewritten(function):
    """Whether the module's loader may rewrite the code that it loads."""
    module = sys.modules.get(function.__module__)
    loader = getattr(module, "__loader__", None)
    return loader is not None and type(loader) not in LOADERS


def _same_outline(node, code):
    """Whether the properties agree that tools which rewrite code preserve."""
    args = node.args
    names = [p.arg for p in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    names += [p.arg for p in (args.vararg, args.kwarg) if p is not None]
    nested = {n.name for n in walk(node) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    nested -= {getattr(node, "name", None)}
    compiled = {c.co_name for c in _nested(code) if not c.co_name.startswith("<")}
    return (
        tuple(names) == code.co_varnames[: len(names)]
        and compiled <= nested | {n.name for n in walk(node) if isinstance(n, ast.AsyncFunctionDef)}
        and _lines(code) <= _statement_lines(node)
    )


def _nested(code):
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _nested(constant)


def _lines(code):
    return {line for _, _, line in code.co_lines() if line}


def _statement_lines(node):
    """The lines that contain code of a function."""
    lines = {d.lineno for d in getattr(node, "decorator_list", ())}
    for part in walk(node):
        if hasattr(part, "lineno"):
            lines.update((part.lineno, part.end_lineno))
        if isinstance(part, ast.Assert):
            lines.update(range(part.lineno, part.end_lineno + 1))
    return lines
