"""What a program of the truth table is: a small function, the place at which it is differentiated,
and how.

The programs are written for NumPy's names, as `np`.  A library that is tried runs the same source
with `np` bound to its own module of these names (`peers.py`).  So a program uses only functions
that all of them have, and no NumPy array inside.
"""

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

PROGRAMS: list["Program"] = []


@dataclass(frozen=True, eq=False)
class Program:
    """A function of one argument whose result is a scalar.

    group   the section of the table
    at      the argument: a float, or a list of floats
    kind    "gradient", "second" (the sum of the gradient, differentiated again), or "batch" (the
            gradient for each element of `at`)
    true    the derivative, where differences do not converge to it: at the border of a domain
    """

    function: Callable[..., Any]
    group: str
    at: Any
    kind: str = "gradient"
    true: Any = None

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def source(self) -> str:
        """The function, without the decorator that puts it into the table."""
        lines = textwrap.dedent(inspect.getsource(self.function)).splitlines(keepends=True)
        first = next(i for i, line in enumerate(lines) if line.startswith("def "))
        return "".join(lines[first:])


def program(group: str, at: Any, kind: str = "gradient", true: Any = None) -> Callable[..., Any]:
    """Puts the decorated function into the table."""

    def register(function):
        assert function.__name__ not in {known.name for known in PROGRAMS}, function.__name__
        PROGRAMS.append(Program(function, group, at, kind, true))
        return function

    return register
