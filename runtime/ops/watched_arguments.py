"""The arguments of a host call after it: the function must not change its copies, nor keep some.

host_call(fill, y)           fill writes into a copy of y: the program would not see it
queue.put(items)             the queue keeps a copy: it would not see items.append(x) after that
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograph.errors import GivenArgumentError, with_article
from autograph.staging.object_state import attributes
from runtime.ir.host import Made, Watched, described
from runtime.ir.slot import Slot


@contextmanager
def watching(
    watched: Watched, called: Any, parts: tuple, values: tuple, operands: Sequence[Any]
) -> Iterator[None]:
    """Compares the arguments `values`, made from templates, before and after a call of `called`.

    Raises `GivenArgumentError` if the call has changed one, or keeps one that the program changes.
    """
    given = [one for pair in zip(parts, values, strict=True) for one in _objects(*pair, operands)]
    before = [sys.getrefcount(value) for value, _ in given]
    yield
    function = described(called)
    for (value, contents), count in zip(given, before, strict=True):
        kind = type(value).__name__
        if watched.may_change and _is_changed(value, contents):
            raise GivenArgumentError.about(
                f"{function} has changed its argument, {with_article(kind)}",
                watched.place,
                "Each run gives it a copy, so the program would not see the change.",
                "Let the function return the new value: y = rt.host_call(f, y, like=y).",
            )
        if watched.later and sys.getrefcount(value) > count:
            raise GivenArgumentError.about(
                f"{function} keeps its argument, {with_article(kind)}, and the program changes "
                f"{watched.later[0]} after that",
                watched.place,
                "Each run gives it a copy, which would not change.",
                "Give it a copy: list(items), x.copy(); or change it before the call.",
            )


def _objects(template: Any, value: Any, operands: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """The arrays and containers in an argument that were made for the call, with their contents."""
    if isinstance(template, Slot):
        if isinstance(value, np.ndarray):
            yield value, operands[template.index]
        elif isinstance(value, list):
            yield value, tuple(value)
        return
    if not isinstance(template, Made) or template.kind is slice:
        return
    held = _contents(value)
    if not isinstance(value, (tuple, frozenset)):
        yield value, held
    if not isinstance(value, (set, frozenset, bytearray)):
        for part, item in zip(template.parts, held.values(), strict=True):
            yield from _objects(part, item, operands)


def _contents(value: Any) -> dict:
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, (list, tuple)):
        return dict(enumerate(value))
    if isinstance(value, bytearray):
        return {"": bytes(value)}
    if isinstance(value, (set, frozenset)):
        return {id(one): one for one in value}
    return attributes(value)


def _is_changed(value: Any, before: Any) -> bool:
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "fc":
            return not np.array_equal(value, before, equal_nan=True)
        return not np.array_equal(value, before)
    if type(value) is bytearray:
        return bool(value != before[""])
    if isinstance(before, tuple):
        before = dict(enumerate(before))
    now = _contents(value)
    return now.keys() != before.keys() or any(now[key] is not before[key] for key in now)
