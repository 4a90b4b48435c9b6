"""The elements that a target with a star takes from an iterable, as Python assigns them."""

import functools
from collections.abc import Callable
from typing import Any


@functools.cache
def assigned_parts(before: int, after: int) -> Callable[[Any], tuple[Any, ...]]:
    """A function that returns the first elements of an iterable, a list of the others, and the last
    elements; its errors are those of an assignment."""
    names = [f"part_{i}" for i in range(before + 1 + after)]
    targets = ", ".join([*names[:before], f"*{names[before]}", *names[before + 1 :], ""])
    namespace: dict[str, Any] = {}
    lines = f"def assign(value):\n    ({targets}) = value\n    return ({', '.join(names)},)"
    exec(compile(lines, __file__, "exec"), namespace)
    assign: Callable[[Any], tuple[Any, ...]] = namespace["assign"]
    return assign
