"""The error about a package that only some functions need, and that is not installed."""

from collections.abc import Iterator
from contextlib import contextmanager

from autograph.errors import message
from autograph.staging.errors import users_location


@contextmanager
def needed_by(user: str, extra: str) -> Iterator[None]:
    """Imports in this block are for one function, `rt.to_torch`; `extra` installs their packages.

    Raises `ModuleNotFoundError` that says so if a package is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        raise ModuleNotFoundError(
            message(
                f"{user} needs the package {package}, which is not installed",
                users_location(),
                "",
                f"Install it: pip install 'autograph-numpy[{extra}]'.",
            ),
            name=error.name,
        ) from error
