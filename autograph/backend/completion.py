"""Backends that register late: when something asks for what they register, not when imported.

`import runtime` has to be fast, so it imports little.  Whoever needs the calls, the types and the
meanings that backends register says so first:

    complete()
"""

from collections.abc import Callable

_late: list[Callable[[], object]] = []


def register_late(load: Callable[[], object]) -> None:
    """Makes `complete` call `load`, which registers a backend; it may be called many times."""
    _late.append(load)


def complete() -> None:
    """Returns when all backends are registered."""
    for load in _late:
        load()
