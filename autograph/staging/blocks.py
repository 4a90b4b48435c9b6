"""Runs blocks while they are staged, and tells a `raise` of the program from an error of staging.

    result, raised = run_block(if_body, backend.raised)

An exception that leaves a block is part of the program if a backend says so (`Backend.raised`); the
staged program will raise it then.  `comes_from_raise` tells whether a `raise` or `assert` of the
user's own code raised it, rather than something that the code called.
"""

from collections.abc import Callable
from types import TracebackType
from typing import Any

from autograph.errors import SourceLocation
from autograph.functions.accidents import is_accident
from autograph.functions.bytecode import opname_at
from autograph.functions.interruptions import is_interruption
from autograph.functions.policy import is_skipped
from autograph.staging.refusals import is_refusal


class Diverged(BaseException):
    """Leaves staged code that can never be reached, because every path to it raises."""


def run_block(
    block: Callable[[], Any], raised: Callable[[BaseException], bool]
) -> tuple[Any, bool]:
    """Runs a block that is being staged: its result, and whether it always raises.

    `raised(error)` returns whether the staged program will raise the exception; if not, it is an
    error of staging and is raised here.  So is a refusal.
    """
    try:
        return block(), False
    except Diverged:
        return None, True
    except BaseException as error:
        if not is_of_program(error) or not raised(error):
            raise
        return None, True


def is_of_program(error: BaseException) -> bool:
    """Whether the program raises an exception, and not its surroundings: a refusal, a fault of the
    library, an interruption, the end of a generator."""
    if is_refusal(error) or is_accident(error) or is_interruption(error):
        return False
    return isinstance(error, (Exception, SystemExit)) or comes_from_raise(error)


def comes_from_raise(error: BaseException) -> bool:
    """Whether a `raise` or `assert` statement of the user's code raised an exception."""
    entry = _innermost(error)
    if entry is None:
        return False
    code = entry.tb_frame.f_code
    is_raise = opname_at(code, entry.tb_lasti) in ("RAISE_VARARGS", "RERAISE")
    return is_raise and not is_skipped(code.co_filename)


def is_from(error: BaseException, folder: str) -> bool:
    """Whether code of the package in a folder raised an exception."""
    entry = _innermost(error)
    return entry is not None and entry.tb_frame.f_code.co_filename.startswith(folder)


def raised_at(error: BaseException) -> SourceLocation | None:
    """The user's line that raised an exception; None if code of a library did."""
    entry = _innermost(error)
    code = entry and entry.tb_frame.f_code
    if entry is None or code is None or is_skipped(code.co_filename):
        return None
    return SourceLocation(code.co_filename, entry.tb_lineno, code.co_name)


def _innermost(error: BaseException) -> TracebackType | None:
    entry = error.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    return entry
