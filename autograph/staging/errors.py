"""Errors about staged values, with the user's line that is running.

StagingError: the truth of `x` is needed, but it is staged
  model.py, line 12, in clip
      if x > limit: yield x
         ^^^^^^^^^
This `if` stays Python: it contains `yield`.
Move the `yield` out of the `if`, or compute the value with np.where.
"""

from autograph.errors import SourceLocation, StagingError, message
from autograph.reports.diagnosis import why_asked
from autograph.staging.locate import position_in, users_frame


def users_location() -> SourceLocation | None:
    """The location in the user's source that is running, with the columns of the expression."""
    frame = users_frame()
    if frame is None:
        return None
    found = position_in(frame.f_code, frame.f_lasti)
    start, end = found.columns or (None, None)
    return SourceLocation(found.filename, found.lineno, found.function, start, end)


def staging_error(what: str, why: str, remedy: str) -> StagingError:
    """An error about the user's line that is running."""
    return StagingError(message(what, users_location(), why, remedy))


def asked_for(what: str) -> StagingError:
    """An error about code that needs the value of something staged while it is being staged."""
    frame, location = users_frame(), users_location()
    if frame is None or location is None:
        return StagingError(what)
    columns = position_in(frame.f_code, frame.f_lasti).columns
    why, remedy = why_asked(frame, location.lineno, columns and columns[0])
    why = f"Its value is not known while the graph is being built.  {why}"
    return StagingError(message(what, location, why, remedy))
