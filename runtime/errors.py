"""Errors of the runtime, in the form that `autograph.errors` describes: what, where, why, what to
do."""

from autograph.errors import StagingError, message
from autograph.staging.errors import asked_for as asked_for
from autograph.staging.errors import staging_error as staging_error
from autograph.staging.errors import users_location


def unsupported(what: str, instead: str = "") -> StagingError:
    """An error about a function, or a way to call it, that graphs do not have."""
    why = "No operation of a graph stands for it."
    remedy = instead or "Write it with other functions, or do it outside of the function."
    return StagingError(
        message(f"{what} does not work on staged values", users_location(), why, remedy)
    )


def listed_error(path: str) -> StagingError:
    """The error about an array that is written into, and stands in a staged list."""
    return StagingError(
        message(
            f"{path} is written into, and stands in a list that a staged loop or branch changes",
            users_location(),
            "A graph's list holds the values that its arrays had; Python's would see them change.",
            "Put a copy into the list: z.append(y.copy())",
        )
    )
