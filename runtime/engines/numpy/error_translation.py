"""What is told about an exception that an operation of a program raises.

    Traceback (most recent call last):
      File "model.py", line 7, in attend
        scores = q @ k
                 ~~^~~
    ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0 ...
    This is matmul of q: f64[2, 3] and k: f64[2, 3].

The exception stays as NumPy raised it: its type, its arguments, its text.  In its traceback the
frames of the program are replaced by the user's; a note names the operation, and the types that its
operands had.  What the user raises (`raise`, `assert`) gets no note.
"""

import ast
import linecache
import os
from collections.abc import Callable
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from runtime.engines.numpy.source_map import Line, Program
from runtime.ir.graph import Location, Value, operand_type
from runtime.ir.types import TensorType, type_of

_OWN = os.path.join(str(Path(__file__).parents[2]), "")
WITHOUT_NOTE = {"assert_", "raise_", "print", "cond", "loop", "again"}


def explain(error: BaseException, program: Program, filename: str) -> None:
    """Tells about an exception of a program, which was compiled under a file name of its own."""
    entries = []
    entry = error.__traceback__
    while entry is not None:
        entries.append(entry)
        entry = entry.tb_next
    following = None
    for entry in reversed(entries):
        if entry.tb_frame.f_code.co_filename == filename:
            line = program.lines[entry.tb_lineno - 1]
            note = _note(program, line, entry)
            if note is not None:
                error.add_note(note)
            if line.location is not None:
                following = _frame_at(line.location, following)
            break
        if not entry.tb_frame.f_code.co_filename.startswith(_OWN):
            following = TracebackType(following, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    error.__traceback__ = following


def write_back(
    error: BaseException, program: Program, filename: str, keep: Callable[[Any, Any], None]
) -> None:
    """Writes into the arrays that functions were given (by `keep`) what they had written when an
    exception stopped them, the innermost first."""
    frames = []
    entry = error.__traceback__
    while entry is not None:
        if entry.tb_frame.f_code.co_filename == filename:
            frames.append(entry.tb_frame)
        entry = entry.tb_next
    for frame in reversed(frames):
        held = frame.f_locals
        for given, now in program.written.get(frame.f_code.co_name, {}).items():
            if now in held and not any(held[given] is c for c in program.namespace.values()):
                keep(held[given], held[now])


# -- the operation ---------------------------------------------------------------------------------


def _note(program: Program, line: Line, entry: TracebackType) -> str | None:
    """The operation that failed, and the types of its operands."""
    node = _failed(program, line, entry)
    if node is None or node.op.name in WITHOUT_NOTE:
        return None
    operands = [_described(program, operand, entry.tb_frame) for operand in node.inputs]
    return f"This is {node.op.name.strip('_')} of {_listed(operands)}."


def _failed(program, line, entry):
    """The node whose text is the shortest around the code that raised."""
    place = list(entry.tb_frame.f_code.co_positions())[entry.tb_lasti // 2]
    written = line.text.encode()
    start, end = place[2] or 0, len(written) if place[3] is None else place[3]
    found = None
    for text, node in program.computed_in(line):
        part = text.encode()
        if (found is None or len(part) < found[0]) and _encloses(written, part, start, end):
            found = len(part), node
    return found and found[1]


def _encloses(line, part, start, end):
    """Whether `part` stands in a line so that it holds the columns from `start` to `end`."""
    place = line.find(part)
    while 0 <= place <= start:
        if place + len(part) >= end:
            return True
        place = line.find(part, place + 1)
    return False


def _described(program: Program, operand, frame: FrameType) -> str:
    """An operand by the user's name for it, and its type at the time."""
    kind = operand_type(operand)
    if not isinstance(operand, Value):
        return repr(operand)
    if isinstance(kind, TensorType) and not all(isinstance(size, int) for size in kind.shape):
        kind = _type_at_the_time(program, operand, frame) or kind
    return str(kind) if operand in program.deferred else f"{operand.hint}: {kind}"


def _type_at_the_time(program, operand, frame):
    """The type of an operand with the sizes that it had; None where it is not there any more."""
    waiting = program.deferred.get(operand)
    text = program.names[operand] if waiting is None else waiting.text
    try:
        return type_of(eval(text, frame.f_globals, dict(frame.f_locals)))
    except Exception:
        return None


def _listed(parts):
    *first, last = parts or ["nothing"]
    return f"{', '.join(first)} and {last}" if first else last


# -- the user's line -------------------------------------------------------------------------------


def _frame_at(location: Location, following: TracebackType | None) -> TracebackType:
    """A traceback entry that shows a line of the user's, as template engines make them."""
    linecache.checkcache(location.filename)
    text = linecache.getline(location.filename, location.lineno).rstrip("\n")
    start, end = location.columns or (len(text) - len(text.lstrip()), len(text.encode()))
    place = {
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
        entry = marker.__traceback__.tb_next
        return TracebackType(following, entry.tb_frame, entry.tb_lasti, location.lineno)
    raise AssertionError("a statement that raises did not")


class _Marker(Exception):
    pass
