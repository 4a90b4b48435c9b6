"""What reading a file may do to its process: raise one class of errors, and nothing else."""

from collections.abc import Callable
from typing import Any

from runtime.errors import LoadError
from runtime.saved.limits import OverLimit

AGAIN = "Save the program again with rt.save, and copy the file unchanged."
LARGER = "If you trust the file, allow more: rt.load(path, limits=rt.saved.Limits(...))."


def guarded(shown: str, work: Callable[[], Any]) -> Any:
    """The result of reading a file; every failure is a `LoadError`."""
    try:
        return work()
    except LoadError:
        raise
    except OSError as error:
        why = f"{error.strerror or error}."
        raise LoadError.about(
            f"{shown} cannot be read", None, why, "Check the path, and that you may read it."
        ) from error
    except (Exception, RecursionError, MemoryError) as error:
        why = str(error) or type(error).__name__
        raise LoadError.about(
            f"{shown} cannot be loaded",
            None,
            f"{why[0].upper()}{why[1:400]}.",
            LARGER if isinstance(error, OverLimit) else AGAIN,
        ) from error
