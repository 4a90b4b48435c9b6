"""The runtime's errors: problem, location, reason and remedy, as in `autograph.errors`."""

from autograph.errors import StagingError as StagingError
from autograph.staging.errors import asked_for as asked_for
from autograph.staging.errors import staging_error as staging_error
from autograph.staging.errors import users_location as users_location


def unsupported(what: str, instead: str = "") -> BaseException:
    """An error about a function, or a way to call it, that graphs do not have."""
    why = "Graphs have no operation for it."
    remedy = instead or "Write it with other functions, or do it outside of the function."
    return staging_error(f"{what} does not work on staged values", why, remedy)


def listed_error(path: str) -> BaseException:
    """The error about a write into an array that is an element of a staged list."""
    return staging_error(
        f"{path} is written into, and is in a list that a staged loop or branch changes",
        "The graph's list holds the old value of the array; a Python list would see the write.",
        "Put a copy into the list: z.append(y.copy())",
    )


class TapeError(StagingError):
    """A GradientTape is used where it has no recording."""

    is_misuse = True
