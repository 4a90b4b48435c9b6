"""Generators that are suspended while a graph is recorded.

    for v in numbers(x):         a run may leave the loop here: then it closes the generator, whose
        if v > 0:                `finally` runs in that run, and not in others
            break

The code of a `finally` or `with` around the `yield` is not in the graph, so such a loop is refused.
In the next recording, a generator calls the code that consumes its elements (`generators.py`).

A recording that is given up, or a part of it, closes the generators that it has made, before what
it has changed is put back, and their clean-up makes no call.  Otherwise Python would close them
later, and nothing would undo what their clean-up does.
"""

import contextlib
from collections.abc import Iterable, Iterator
from types import GeneratorType
from typing import Any

from autograph.staging import refusals
from runtime.errors import IterationError, staging_error
from runtime.staging.generators import Generators
from runtime.tracing import trace
from runtime.tracing.trace import Trace


def refuse_left(iterators: Iterable[Any]) -> None:
    """Raises `StagingError` if a generator among some iterators would clean up after itself in the
    runs that take no further element."""
    known = trace.current().state(Generators).known
    for one in iterators:
        started = known.get(one) if isinstance(one, GeneratorType) else None
        if started is not None and one.gi_suspended and started.cleans_up(one.gi_frame.f_lineno):
            raise staging_error(
                f"a loop may have left {started.title}, which cleans up after itself",
                "A `break` or `return` under a staged condition has left the loop in some runs, "
                "and the `finally` or `with` around its `yield` ends there.",
                "Make a list before the loop: items = list(generator).",
                IterationError,
            )


def suspended(recorder: Trace) -> Iterator[GeneratorType]:
    """The generators of a recording that have begun, and have not ended."""
    for one in list(recorder.state(Generators).known):
        if one.gi_suspended:
            yield one


def close_suspended(recorder: Trace, before: Iterable[GeneratorType] = ()) -> None:
    """Closes the generators of a recording that is given up; those in `before` belong to an earlier
    part of it."""
    kept, recording = set(map(id, before)), refusals.current()
    with contextlib.nullcontext() if recording is None else recording.given_up():
        for one in suspended(recorder):
            if id(one) not in kept:
                with contextlib.suppress(BaseException):
                    one.close()
