"""The error about a staged value that is used where it does not exist."""

from typing import Any

from autograph.staging.refusals import is_recorded
from runtime.errors import LeakedValueError, staging_error
from runtime.tracing import trace
from runtime.tracing.recording_lock import RECORDING


def leaked(tensor: Any) -> BaseException:
    """The error about a Tensor that is used outside of its graph, or in another thread."""
    if trace.current() is None and is_recorded(tensor._region):
        if not RECORDING.is_elsewhere():
            return staging_error(
                f"{tensor.staged_value} is used by a function that remembers its results",
                "Its cache would keep a value that only this run of the graph has.",
                "Call the function without its cache: f.__wrapped__(...), or pass it plain values.",
                LeakedValueError,
                region=tensor._region,
            )
        return staging_error(
            f"{tensor.staged_value} is used in another thread",
            "A graph records the operations of the thread that calls the function.",
            "Compute with it in that thread, or start the thread outside of the function.",
            LeakedValueError,
            region=tensor._region,
        )
    return staging_error(
        f"{tensor.staged_value} is used outside of the code that computes it",
        f"It belongs to `{tensor._region.name}`, which is complete: it was stored where graphs do "
        "not see it.",
        "Return it from the function, or assign it to a variable of the function.",
        LeakedValueError,
        region=tensor._region,
    )


def hash_outside(tensor: Any) -> int:
    """The hash of a Tensor where no graph is recorded: that of the object, which feeds are found
    by.

    Raises `StagingError` if another thread records the graph: the program there would see the
    object in place of its value.
    """
    if trace.current() is None and RECORDING.is_elsewhere() and is_recorded(tensor._region):
        raise leaked(tensor)
    return object.__hash__(tensor)
