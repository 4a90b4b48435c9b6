"""Texts of staged values that no converted code makes: they are refused.

    "{}".format(x)           in code that is not converted
    pprint.pformat(point)    the `repr` of an object with a staged attribute
    "%s" % partial(g, x)     an object of Python, whose text contains that of `x`
    p x                      in a debugger: a description

A text that has the description of a staged value in it, instead of the value that each run has,
would be silently wrong.  Converted code makes strings by `staging/calls/formatting.py`.
"""

import os
import sys
from types import FrameType
from typing import Any

from autograph.functions.policy import is_users_file
from runtime.errors import ValueNeededError, staging_error
from runtime.tracing import trace
from runtime.tracing.needed import is_elsewhere
from runtime.tracing.tensor import Tensor

# Files and folders of debuggers and of tools that show variables.
DEBUGGERS = frozenset(
    ["bdb.py", "pdb.py", "code.py", "traceback.py", "cgitb.py", "IPython", "ipykernel"]
    + ["debugpy", "pydevd", "_pydevd_bundle", "pudb", "_pytest", "rich"]
)


def refusal(words: str, region: Any = None) -> BaseException:
    """The error about a staged value, named by `words`, whose text is needed where it is not
    known."""
    return staging_error(
        f"{words} is formatted by code that is not converted",
        "Its string is known only when the graph runs.",
        "Print it, or write an f-string of it, in converted code.",
        ValueNeededError,
        region=region,
    )


def text_outside(words: str, description: str, region: Any = None) -> str:
    """The `repr` of a staged value: a description after the recording, and for debuggers.

    Raises `StagingError` while the graph is recorded, and in another thread.
    """
    recorder = trace.current()
    is_recorded = recorder is not None and not recorder.is_eager
    if (is_recorded or is_elsewhere(region)) and not _is_for_a_debugger(sys._getframe(1)):
        raise refusal(words, region)
    return description


def _is_for_a_debugger(frame: FrameType | None) -> bool:
    """Whether a debugger needs a text, itself or by other functions of libraries."""
    while frame is not None:
        filename = frame.f_code.co_filename
        if not DEBUGGERS.isdisjoint(filename.split(os.sep)):
            return True
        if is_users_file(filename) and not filename.startswith("<"):
            return False
        frame = frame.f_back
    return False


# -- tensors ---------------------------------------------------------------------------------------


def _repr(tensor: Tensor) -> str:
    if tensor.is_eager:
        return tensor.described()
    return text_outside(tensor.staged_value, tensor.described(), tensor._region)


def _format(tensor: Tensor, spec: str = "") -> str:
    """`str` and `format` of a staged value."""
    if tensor.is_eager:
        return format(tensor.eager_value(), spec)
    if trace.current() is None and not is_elsewhere(tensor._region):
        return format(tensor.described(), spec)
    raise refusal(tensor.staged_value, tensor._region)


Tensor.__repr__ = _repr  # type: ignore[method-assign,assignment]
Tensor.__str__ = Tensor.__format__ = _format  # type: ignore[method-assign,assignment]
