"""The error about Python code that needs the value of something staged.

    float(x), if x > 0: ...         in code that is not converted

What to do depends on who records: a session runs a graph that is built by hand.
"""

from typing import Any

from autograph.functions.code_tables import MADE
from autograph.staging.locate import users_frame
from autograph.staging.refusals import is_recorded
from runtime.errors import ValueNeededError, asked_for, staging_error
from runtime.tracing import trace


def value_needed(what: str, region: Any) -> BaseException:
    """The error that says `what` is needed, of a value in a region."""
    recorder, frame = trace.current(), users_frame()
    is_by_hand = recorder is not None and recorder.takes_feeds
    if not is_by_hand or frame is None or frame.f_code in MADE:
        return asked_for(what, region)
    return staging_error(
        what,
        "Its value is known only when a session runs the graph.",
        "Write `rt.Session(graph=graph).run(value)` for the value; np.where and other functions on "
        "staged values compute in the graph.",
        ValueNeededError,
        region=region,
    )


def is_elsewhere(region: Any) -> bool:
    """Whether another thread records the values of a region."""
    return trace.current() is None and is_recorded(region)


def refuse_elsewhere(what: str, region: Any) -> None:
    """Raises `StagingError` if another thread records the values of a region: `what` is used."""
    if is_elsewhere(region):
        raise staging_error(
            f"{what} is used in another thread than the one in which the graph is being built",
            "The graph has the operations of one thread.",
            "Start the thread outside of the function, with the result of the function.",
            ValueNeededError,
            region=region,
        )
