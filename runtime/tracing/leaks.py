"""The error about a staged value that is used where it does not exist."""

from typing import Any

from autograph.staging.refusals import is_recorded
from runtime.errors import LeakedValueError, staging_error
from runtime.tracing import trace


def leaked(tensor: Any) -> BaseException:
    """The error about a Tensor that is used outside of its graph, or in another thread."""
    if trace.current() is None and is_recorded(tensor._region):
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
