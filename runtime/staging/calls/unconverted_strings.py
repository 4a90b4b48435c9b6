"""Strings of staged values in code that is not converted: they are refused.

    "{}".format(x)         refused: the text is known when the graph runs
    repr(x)                a description, for debuggers and errors

Converted code makes strings by `formatting.py`.
"""

import sys

from autograph.constructs import fstring
from autograph.functions.policy import is_skipped, is_users_file
from runtime.staging.calls import formatting
from runtime.tracing import trace
from runtime.tracing.needed import is_elsewhere
from runtime.tracing.tensor import Tensor


def _format_unconverted(tensor, spec=""):
    """`str` and `format` of a staged value in code that is not converted."""
    if tensor.is_eager:
        return format(tensor.eager_value(), spec)
    if trace.current() is None and not is_elsewhere(tensor._region):
        return format(tensor.described(), spec)
    raise formatting.refusal(tensor)


def _shown(tensor):
    """The `repr` of a staged value, for debuggers and errors; it is refused in the user's
    strings."""
    recorder, asking = trace.current(), sys._getframe(1).f_code
    is_users = is_users_file(asking.co_filename) or asking is fstring.percent.__code__
    if is_users and is_elsewhere(tensor._region):
        raise formatting.refusal(tensor)
    if recorder is not None and not tensor.is_eager:
        asking_file = asking.co_filename
        in_text = recorder.state(formatting.Formatting).is_active and not is_skipped(asking_file)
        if is_users_file(asking_file) or in_text or asking_file == formatting.__file__:
            raise formatting.refusal(tensor)
    return tensor.described()


Tensor.__repr__ = _shown  # type: ignore[method-assign,assignment]
Tensor.__str__ = Tensor.__format__ = _format_unconverted  # type: ignore[method-assign,assignment]
