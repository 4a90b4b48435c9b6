"""Objects with a state that calls of the code being recorded have made: each run may need its own.

jobs = queue.Queue()            a class of the standard library
dice = Dice(3)                  a class in the program that derives from `random.Random`
"""

from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack
from typing import Any

from runtime.staging.calls.made_objects import MadeObjects
from runtime.staging.calls.recorded_effects import MadeWhileRecording
from runtime.tracing import trace


def note_made(recorder: Any, made: Any) -> None:
    """Notes a new object with a state, which each run may have to make.  A stack of contexts is
    not made by runs: code inside has to see what the contexts change."""
    recorder.state(MadeWhileRecording)[id(made)] = made
    if not isinstance(made, (ExitStack, AsyncExitStack)):
        recorder.state(MadeObjects).note_own(made)


def made_own(kind: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """An object of a class in the program that derives from one with a state."""
    made, recorder = kind(*args, **kwargs), trace.current()
    if recorder is not None and not recorder.is_eager:
        note_made(recorder, made)
    return made
