"""Iterators of the user's classes of which only a run knows where they end.

    def __next__(self):
        if self.i >= len(self.x):       staged: the length of x is not known
            raise StopIteration         refused: the loop over the object would not end

A graph goes on as if nothing was raised, so Python would take elements forever.
"""

import dis
import sys
from types import FrameType

from autograph.functions.policy import is_skipped
from runtime.errors import IterationError, staging_error

ENDS = {"__next__": StopIteration, "__getitem__": IndexError}
ITERATING = {"FOR_ITER", "LIST_EXTEND", "SET_UPDATE", "UNPACK_SEQUENCE", "UNPACK_EX", "CONTAINS_OP"}
ASKING = ("get_item", "__getitem__")


def refuse_end_of_iteration(error: BaseException) -> None:
    """Raises `StagingError` for an exception that ends an iteration, if a run would raise it."""
    if not isinstance(error, tuple(ENDS.values())):
        return
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        kind = ENDS.get(frame.f_code.co_name)
        if (
            kind is not None
            and isinstance(error, kind)
            and not is_skipped(frame.f_code.co_filename)
        ):
            if frame.f_back is not None and _iterates(frame.f_back):
                raise _unknown_end(kind, frame)
            return
        frame = frame.f_back


def _iterates(caller: FrameType) -> bool:
    """Whether a frame takes elements until there are none."""
    code = caller.f_code
    if not is_skipped(code.co_filename):
        return dis.opname[code.co_code[caller.f_lasti]] in ITERATING
    if code.co_name == "staged_next":
        return bool(caller.f_locals["default"])
    return code.co_name not in ASKING


def _unknown_end(kind, frame):
    owner = type(next(iter(frame.f_locals.values()), None)).__name__
    return staging_error(
        f"{kind.__name__} ends the elements of {owner}, which only a run can raise",
        "The condition around the `raise` is staged, so the number of elements is not known.",
        "Loop over a range, `for i in range(n):`, and compute the elements in its body.",
        IterationError,
    )
