"""Which code a converted function runs: the user's own, while nothing can be staged.

    nothing can be staged        the code object that Python compiled
    a backend may be staging     the converted code

Converted code has the meaning of the original on plain values, so a function that can only meet
plain values runs the original: at its speed, with its frames.  Both code objects have the same free
variables; a switch replaces `__code__`.  The code of a call that is running does not change.
Therefore a function that opens a context (`with graph:`) always runs converted code, unless the
context is Python's or NumPy's own: values may become staged in the middle of its call.  With
AUTOGRAPH_CONVERTED=1 in the environment, all do.
"""

import os
import weakref
from types import CodeType, FunctionType

from autograph import backend
from autograph.functions.debugging import steps_through_text

_versions: "weakref.WeakKeyDictionary[FunctionType, tuple[CodeType, CodeType]]"
_versions = weakref.WeakKeyDictionary()


def run_original_where_plain(function: FunctionType, original: CodeType) -> None:
    """Makes a converted function run `original` while no value can be staged: none can become so
    in the middle of a call."""
    converted = function.__code__
    if original.co_freevars != converted.co_freevars:
        return
    if os.environ.get("AUTOGRAPH_CONVERTED", "0") not in ("", "0") or steps_through_text():
        return
    with backend.counting:
        _versions[function] = original, converted
        if not backend.reasons_to_stage:
            function.__code__ = original


def converted_version(function: FunctionType) -> CodeType | None:
    """The converted code of a function with two versions, or None if it has one."""
    found = _versions.get(function)
    return None if found is None else found[1]


def original_version(function: FunctionType) -> CodeType | None:
    """The user's own code of a function with two versions, or None if it has one."""
    found = _versions.get(function)
    return None if found is None else found[0]


def _switch(may_stage):
    for function, (original, converted) in list(_versions.items()):
        old, new = (original, converted) if may_stage else (converted, original)
        if function.__code__ is old:  # else other code was assigned to it
            function.__code__ = new


backend.when_staging_changes(_switch)
