"""Iterators of lists that become staged.

    it = iter(z)
    if x > 0:
        z.append(x)          how many elements `it` has left, only the run knows
    list(it)

The elements of a staged list are in the graph, so an iterator of Python would find none.  A list
keeps its iterators, so that it can ask which of them other code still holds.
"""

import sys
from collections.abc import Callable, Iterator
from typing import Any

from autograph.errors import IterationError
from runtime.errors import staging_error
from runtime.staging.lists.elements import used_unconverted

ITERATORS = (type(iter([])), type(reversed([])))
_ONE = (iter([]),)
REFERENCES = sys.getrefcount(_ONE[0])  # to an element of a tuple, while its references are counted


def refuse_iterators(iterators: tuple[Any, ...]) -> None:
    """Raises `StagingError` if an iterator of a list may still give elements."""
    if any(_has_more(one) for one in still_used(iterators)):
        raise staging_error(
            "a list is changed in a staged branch or loop while an iterator goes through it",
            "Which elements the iterator still gives is known only when the graph runs.",
            "Go through a copy: for v in list(z).",
            IterationError,
        )


def with_iterator(iterators: tuple[Any, ...], found: Any) -> tuple[Any, ...]:
    """The iterators that are still used, and the result of a method, if that is one, too."""
    return (*still_used(iterators), found) if type(found) in ITERATORS else iterators


def still_used(iterators: tuple[Any, ...]) -> Iterator[Any]:
    """The iterators that something besides this tuple refers to."""
    for i in range(len(iterators)):
        if sys.getrefcount(iterators[i]) > REFERENCES:
            yield iterators[i]


def _has_more(iterator: Any) -> bool:
    """Whether an iterator of a list refers to the list: it does until it has said that it ends."""
    return len(iterator.__reduce__()) > 2  # `iter` and an empty list afterwards


def method_of_plain_lists(name: str) -> Callable:
    """A special method of `list`, which refuses lists that are staged: code that is not converted
    has called it."""
    plain = getattr(list, name)

    def method(self, *args, **kwargs):
        if self.value is None:
            found = plain(self, *args, **kwargs)
            self.iterated = with_iterator(self.iterated, found)
            return found
        what = {"__len__": "the length", "__iter__": "an iterator"}.get(name, f"`{name}`")
        raise used_unconverted(what)

    return method
