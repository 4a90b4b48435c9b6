"""Backends that register late: when their registrations are needed, not when they are imported.

`import runtime` has to be fast, so it imports little.  Code that needs the calls, the types and the
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
