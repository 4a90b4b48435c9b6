"""Failures of the command line: a message, and an exit status."""

import difflib
import re

from autograph.conversion.files import NoSuchFunction
from autograph.errors import SourceLocation, message

DONE, NOT_CONVERTED, WRONG_CALL = 0, 1, 2


class Failure(Exception):
    """Ends the work on a file, or the program, with a message and an exit status."""

    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status = status


def cannot_be_written(error: OSError) -> str:
    """Why an output cannot be written."""
    return f"cannot be written: {error.strerror}"


def syntax_error(error: SyntaxError, text: str, filename: str) -> Failure:
    """The failure for a file that is not Python, with its line and a caret."""
    lines = re.split(r"\r\n|\r|\n", text)
    line = min(error.lineno or 1, len(lines))
    start = max(error.offset or 1, 1) - 1
    end = start + 1
    if error.end_lineno == error.lineno and error.end_offset is not None:
        end = max(end, error.end_offset - 1)
    where = SourceLocation(filename, line, "", start, end, lines[line - 1])
    shown = message(f"not Python: {error.msg}", where)
    return Failure(NOT_CONVERTED, f"{filename}:{line}:{start + 1}: {shown}")


def no_such_function(error: NoSuchFunction, function: str, filename: str) -> Failure:
    """The failure for a function that a file does not have, with names that are close."""
    near = difflib.get_close_matches(function, error.known, 3) or error.known[:5]
    hint = f"; did you mean {' or '.join(near)}?" if near else "; it has no functions"
    return Failure(WRONG_CALL, f"there is no function {function} in {filename}{hint}")
