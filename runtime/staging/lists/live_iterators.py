"""Iterators of lists that become staged.

    it = iter(z)
    if x > 0:
        z.append(x)          how many elements `it` has left, only the run knows
    list(it)

The elements of a staged list are in the graph, so an iterator of Python would find none.
"""

import gc
from typing import Any

from autograph.errors import IterationError
from runtime.errors import staging_error

ITERATORS = (type(iter([])), type(reversed([])))


def refuse_iterators(items: list[Any]) -> None:
    """Raises `StagingError` if an iterator of the list may still give elements.  It holds the list
    until it has given the last one."""
    if any(type(one) in ITERATORS for one in gc.get_referrers(items)):
        raise staging_error(
            "a list is changed in a staged branch or loop while an iterator goes through it",
            "Which elements the iterator still gives is known only when the graph runs.",
            "Go through a copy: for v in list(z).",
            IterationError,
        )
