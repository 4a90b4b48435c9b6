"""Containers of which only the run knows the keys (`dicts/`), for modules that need no more."""

from typing import Any


class StagedContainer:
    """A dict or a set that the function has made: `held` are the lists of its parts."""

    kind: type  # of which it is an object for the user's code
    held: dict[str, Any]

    def refuse_text(self) -> None:
        """Raises `StagingError` if only the run knows its text."""
        raise NotImplementedError

    def refused(self, what: str) -> BaseException:
        """The error about a use that needs the keys while the graph is being built."""
        raise NotImplementedError

    def length(self) -> Any:
        """The number of keys."""
        raise NotImplementedError
