"""Errors about staged values, with the user's line that is running.

StagingError: the truth of `x` is needed, but it is staged
  model.py, line 12, in clip
      if x > limit: yield x
         ^^^^^^^^^
This `if` stays Python: it contains `yield`.
Move the `yield` out of the `if`, or compute the value with np.where.
"""

from types import FrameType
from typing import Any

from autograph.errors import SourceLocation, StagingError, ValueNeededError
from autograph.reports.diagnosis import why_asked
from autograph.staging.locate import own_frame, package_frame, position_in, users_frame
from autograph.staging.refusals import refused


def users_location() -> SourceLocation | None:
    """The location in the user's source that is running, with the columns of the expression."""
    frame = own_frame()
    return None if frame is None else _location(frame, package_frame(frame))


def _location(frame: FrameType, within: FrameType | None = None) -> SourceLocation:
    found = position_in(frame.f_code, frame.f_lasti)
    start, end = found.columns or (None, None)
    inner = None if within is None else _location(within)
    return SourceLocation(found.filename, found.lineno, found.function, start, end, inner=inner)


HERE: Any = object()  # the user's line that is running


def staging_error(
    what: str,
    why: str,
    remedy: str,
    kind: type[StagingError] = StagingError,
    *,
    where: SourceLocation | str | None = HERE,
    region: Any = None,
) -> BaseException:
    """The exception that refuses the user's code, at the line that is running unless `where` is
    given.

    `region` is that of the staged value concerned, if its code may run in another thread.
    """
    where = users_location() if where is HERE else where
    return refused(kind.about(what, where, why, remedy), region)


def asked_for(what: str, region: Any = None) -> BaseException:
    """An error about code that needs the value of something staged while it is being staged."""
    frame, location = users_frame(), users_location()
    if frame is None or location is None:
        return refused(ValueNeededError.about(what, None), region)
    asking = position_in(frame.f_code, frame.f_lasti)
    why, remedy = why_asked(frame, asking.lineno, asking.columns and asking.columns[0])
    why = f"Its value is not known while the graph is being built.  {why}"
    return staging_error(what, why, remedy, ValueNeededError, where=location, region=region)
