"""Error translation: exceptions of a run show the user's code.

    Traceback (most recent call last):
      File "model.py", line 7, in attend
        scores = q @ k
                 ~~^~~
    ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0 ...
    This is matmul of q: f64[2, 3] and k: f64[2, 3].

The exception keeps its type, its arguments and its message.  In the traceback a frame for the
user's line replaces the engine's frames; a note names the operation and the types of its operands.
Exceptions of `raise` and `assert` get no note.

Nothing here depends on the engine: an executable maps a traceback entry to a node.
"""

import ast
import linecache
import os
from collections.abc import Callable, Container, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from runtime.ir.graph import Location, Node, Operand, Value, operand_type
from runtime.ir.op import find
from runtime.ir.types import TensorType, type_of
from runtime.ops.library_call import name_of

_OWN = os.path.join(str(Path(__file__).parents[1]), "")


# -- the operation ---------------------------------------------------------------------------------


def add_note(
    error: BaseException,
    node: Node,
    value_of: Callable[[Value], Any],
    unnamed: Container[Value],
) -> None:
    """Adds a note with the operation that failed, and the types of its operands."""
    op = find(node.attributes["op"]) if node.op is find("failing") else node.op
    name = op.users_name
    if node.regions or name == "":
        return
    operands = [_described(operand, value_of, unnamed) for operand in node.inputs]
    function = node.attributes.get("function")
    if function is not None and not isinstance(function, str):
        name = name_of(function)
    if name is not None:
        error.add_note(f"This is {name} of {_listed(operands)}.")
    elif any(isinstance(one, Value) and one not in unnamed for one in node.inputs):
        noun = "operand is" if len(operands) == 1 else "operands are"
        error.add_note(f"The {noun} {_listed(operands)}.")


def _described(operand: Operand, value_of: Any, unnamed: Any) -> str:
    """An operand by the user's name for it, and its type in this run."""
    kind = operand_type(operand)
    if not isinstance(operand, Value):
        return repr(operand)
    if isinstance(kind, TensorType) and not all(isinstance(size, int) for size in kind.shape):
        kind = _type_in_run(operand, value_of) or kind
    return str(kind) if operand in unnamed else f"{operand.hint}: {kind}"


def _type_in_run(operand: Operand, value_of: Any) -> Any:
    """The type of an operand with the sizes that it had; None if it is not known any more."""
    try:
        return type_of(value_of(operand))
    except LookupError:
        return None


def _listed(parts: Any) -> Any:
    *first, last = parts or ["nothing"]
    return f"{', '.join(first)} and {last}" if first else last


# -- the user's line -------------------------------------------------------------------------------


def users_traceback(
    location: Location | None, inside: Iterable[TracebackType]
) -> TracebackType | None:
    """A traceback of the user's line, and the frames that the failing operation has called there.

    `inside` are the entries of these frames, the innermost first; those of this package are left
    out.
    """
    following = None
    for entry in inside:
        if not entry.tb_frame.f_code.co_filename.startswith((_OWN, "<graph ")):
            following = TracebackType(following, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return following if location is None else _entry_at(location, following)


def _entry_at(location: Location, following: TracebackType | None) -> TracebackType:
    """A traceback entry for a line of the user's file, as template engines make them."""
    linecache.checkcache(location.filename)
    text = linecache.getline(location.filename, location.lineno).rstrip("\n")
    start, end = location.columns or (len(text) - len(text.lstrip()), len(text.encode()))
    place: Any = {
        "lineno": location.lineno,
        "end_lineno": location.lineno,
        "col_offset": start,
        "end_col_offset": end,
    }
    statement = ast.Raise(exc=ast.Name("_error", ast.Load(), **place), **place)
    code = compile(ast.Module([statement], []), location.filename, "exec")
    name = location.function or "<module>"
    code = code.replace(co_name=name, co_qualname=name)
    try:
        exec(code, {"_error": _Marker()})
    except _Marker as marker:
        assert marker.__traceback__ is not None and marker.__traceback__.tb_next is not None
        entry = marker.__traceback__.tb_next
        return TracebackType(following, entry.tb_frame, entry.tb_lasti, location.lineno)
    raise AssertionError("a statement that raises did not")


class _Marker(Exception):
    pass
