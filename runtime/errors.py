"""Errors of the runtime, in the form that `autograph.errors` describes: what, where, why, what to
do."""

from autograph.errors import Place, message
from autograph.reports.diagnosis import why_asked
from autograph.staging.locate import position_in, users_frame


class StagingError(TypeError):
    """The user's code asks of a staged value what only a run of the graph can tell, or what graphs
    cannot do."""


def users_place(depth: int = 2) -> Place | None:
    """The place in the user's source that is running, with the columns of the expression."""
    frame = users_frame(depth)
    if frame is None:
        return None
    found = position_in(frame.f_code, frame.f_lasti)
    start, end = found.columns or (None, None)
    return Place(found.filename, found.lineno, found.function, start, end)


def staging_error(what: str, why: str, remedy: str) -> StagingError:
    """An error about the line of the user's that is running."""
    return StagingError(message(what, users_place(3), why, remedy))


def unsupported(what: str, instead: str = "") -> StagingError:
    """An error about a function, or a way to call it, that graphs do not have."""
    why = "No operation of a graph stands for it."
    remedy = instead or "Write it with other functions, or do it outside of the function."
    return StagingError(
        message(f"{what} does not work on staged values", users_place(3), why, remedy)
    )


def asked_for(what: str) -> StagingError:
    """An error about code that stays Python and asks for the value of something staged."""
    frame, place = users_frame(2), users_place(3)
    if frame is None:
        return StagingError(what)
    column = position_in(frame.f_code, frame.f_lasti).columns
    why, remedy = why_asked(frame, place.lineno, column and column[0])
    why = f"It has no value while the graph is recorded.  {why}"
    return StagingError(message(what, place, why, remedy))


def listed_error(path: str) -> StagingError:
    """The error about an array that is written into, and stands in a staged list."""
    return StagingError(
        message(
            f"{path} is written into, and stands in a list that a staged loop or branch changes",
            users_place(3),
            "A graph's list holds the values that its arrays had; Python's would see them change.",
            "Put a copy into the list: z.append(y.copy())",
        )
    )
