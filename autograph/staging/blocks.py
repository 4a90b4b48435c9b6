"""Runs blocks while they are staged, and tells a `raise` of the program from an error of staging.

    result, raised = run_block(if_body, backend.raised)

An exception that leaves a block is part of the program if a backend says so (`Backend.raised`); the
staged program will raise it then.  `comes_from_raise` tells whether a `raise` or `assert` of the
user's own code raised it, rather than something that the code called.
"""

from collections.abc import Callable
from typing import Any

from autograph.functions.bytecode import opname_at
from autograph.functions.policy import is_skipped
from autograph.staging.refusals import is_refusal


class Diverged(BaseException):
    """Leaves staged code that can never be reached, because every path to it raises."""


def run_block(block: Callable[[], Any], raised: Callable[[Exception], bool]) -> tuple[Any, bool]:
    """Runs a block that is being staged: its result, and whether it always raises.

    `raised(error)` returns whether the staged program will raise the exception; if not, it is an
    error of staging and is raised here.  So is a refusal.
    """
    try:
        return block(), False
    except Diverged:
        return None, True
    except Exception as error:
        if is_refusal(error) or not raised(error):
            raise
        return None, True


def comes_from_raise(error: BaseException) -> bool:
    """Whether a `raise` or `assert` statement of the user's code raised an exception."""
    entry = error.__traceback__
    if entry is None:
        return False
    while entry.tb_next is not None:
        entry = entry.tb_next
    code = entry.tb_frame.f_code
    is_raise = opname_at(code, entry.tb_lasti) in ("RAISE_VARARGS", "RERAISE")
    return is_raise and not is_skipped(code.co_filename)
