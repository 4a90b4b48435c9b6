"""Containers of which only the run knows the keys (`dicts/`), for modules that need no more."""

import sys
from typing import Any

from autograph.functions.policy import is_users_file


class _Attributes:
    """The attributes of an object, where its class has a `__dict__` of its own."""


class StagedContainer(_Attributes):
    """A dict or a set that the function has made: `held` are the lists of its parts."""

    kind: type  # of which it is an object for the user's code
    held: dict[str, Any]

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        """The attributes; the user's code, which expects those of a dict, may not see them."""
        if is_users_file(sys._getframe(1).f_code.co_filename):
            raise self.refused("`__dict__`")
        return vars(_Attributes)["__dict__"].__get__(self)

    def text(self) -> Any:
        """Its `repr`: a string, or a staged one if only the run knows it."""
        raise NotImplementedError

    def refused(self, what: str) -> BaseException:
        """The error about a use that needs the keys while the graph is being built."""
        raise NotImplementedError

    def length(self) -> Any:
        """The number of keys."""
        raise NotImplementedError
