"""Containers of which only the run knows the keys (`dicts/`), for modules that need no more."""

import sys
from dataclasses import dataclass
from typing import Any

from autograph.functions.policy import is_users_file
from autograph.staging.pytree import Container, register_container
from runtime.tracing.matching import reads_class
from runtime.tracing.unconverted_texts import text_outside


class _Attributes:
    """The attributes of an object, where its class has a `__dict__` of its own."""


class StagedContainer(_Attributes):
    """A dict or a set that the function has made: `held` are the lists of its parts."""

    kind: type  # of which it is an object for the user's code
    held: dict[str, Any]

    @property
    def __class__(self) -> Any:
        """The class that code reads."""
        return self.kind if reads_class(sys._getframe(1)) else type(self)

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

    def form(self) -> Any:
        """Which kind of container it is, and the names of its lists (`lists/forms.py`)."""
        raise NotImplementedError

    def element_form(self) -> Any:
        """The same, for a container that becomes an element of a staged list."""
        raise NotImplementedError

    def with_lists(self, lists: Any) -> Any:
        """Another container that consists of these lists."""
        raise NotImplementedError

    @classmethod
    def joined(cls, form: Any, lists: Any, ends: tuple = ()) -> Any:
        """The container of these lists that a variable holds after a branch or iteration, where it
        is one of `ends`, if these are known."""
        raise NotImplementedError


@dataclass(eq=False)
class OpenedContainer:
    """Such a container as its lists: a variable that may hold one of two is joined list by list."""

    form: Any
    lists: list


def _adapted(value, keys):
    if isinstance(value, StagedContainer) and value.form() == keys[0]:
        return OpenedContainer(keys[0], list(value.held.values()))
    return value


register_container(
    OpenedContainer,
    Container(
        lambda one: list(one.lists),
        lambda one: (one.form,),
        lambda keys, lists: OpenedContainer(keys[0], list(lists)),
        _adapted,
        close=lambda one: one.form.staged.joined(one.form, one.lists),
    ),
)


class StagedView:
    """The keys, values or items of such a dict."""

    def __repr__(self) -> str:
        return text_outside("a staged view", "<staged view>")
