"""Faults of the library itself, which are no exceptions of the program that is being staged.

A block that raises is recorded as one that raises in the run.  An exception that arises in the
library's own working, such as a missing key of one of its tables, must not be: it is raised at
once, with its whole traceback.  The library also computes for the program,
`container[key]` for instance, and raises Python's exceptions; so only these are faults:

    a name that is not bound, or an `assert` that fails, anywhere in the library
    an operation, other than a call or `raise`, in a module that never computes for the program
"""

from pathlib import Path
from types import CodeType

from autograph.errors import Explained
from autograph.functions.bytecode import opname_at
from autograph.functions.code_tables import MADE
from autograph.functions.policy import is_left_alone

_WORKINGS: set[str] = set()
RAISES = ("RAISE", "RERAISE")
# Where Python calls the handlers of signals, besides calls; a handler may raise.
INTERRUPTED = ("RESUME", "JUMP_BACKWARD")
NOTE = "This is a fault of the library, and not of the program that it converts: please report it."


def register_workings(*paths: Path) -> None:
    """Registers modules, or folders of them, that never compute for the program."""
    for path in paths:
        _WORKINGS.update(map(str, path.rglob("*.py") if path.is_dir() else [path]))


def is_accident(error: BaseException) -> bool:
    """Whether an exception is a fault of the library."""
    entry = error.__traceback__
    if entry is None or isinstance(error, (RecursionError, MemoryError)):
        return False  # these arise wherever the program's own need meets a limit
    if not isinstance(error, Exception):
        return False  # such as KeyboardInterrupt, which a signal raises anywhere
    if isinstance(error, Explained):
        return False  # these are raised on purpose
    while entry.tb_next is not None:
        entry = entry.tb_next
    code = entry.tb_frame.f_code
    if code in MADE or not is_left_alone(code.co_filename):
        return False
    operation = opname_at(code, entry.tb_lasti)
    if isinstance(error, NameError) and not operation.startswith(RAISES):
        return True
    if isinstance(error, AssertionError):
        return operation == "RAISE_VARARGS" and _is_assertion(code, entry.tb_lasti)
    is_simple = not operation.startswith((*RAISES, *INTERRUPTED, "CALL", "PRECALL", "SEND"))
    return code.co_filename in _WORKINGS and is_simple


def _is_assertion(code: CodeType, offset: int) -> bool:
    """Whether an instruction raises the exception of an `assert` statement without a message."""
    return opname_at(code, offset - 2) in ("LOAD_ASSERTION_ERROR", "LOAD_COMMON_CONSTANT")


_here = Path(__file__).parents[1]
register_workings(*(_here / name for name in ("analyses", "conversion", "syntax", "pipeline.py")))
_comparison = ("accessors.py", "heap_diff.py", "memory.py", "mutations.py")
register_workings(*(_here / "staging" / name for name in _comparison))
