"""Random functions whose loops are left through `try`, `finally` and context managers.

    Writer(random.Random(seed)).module()       the source of a module with the function f(x, n, a)

Exceptions of the run are raised from others, re-raised, replaced in handlers, swallowed by context
managers, and met by `break`, `continue` and `return` in `finally` and `else`.
"""

import numpy as np
from grammar import ProgramGrammar, weighted

PRELUDE = """
import contextlib

import numpy as np


class Low(ValueError):
    pass


class Coded(Exception):
    def __init__(self, code, *rest):
        super().__init__(code, *rest)
        self.code = code

    def __str__(self):
        return f"code {self.code}"


class Swallowing:
    def __init__(self, kind):
        self.kind = kind

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, self.kind)


@contextlib.contextmanager
def translated(code):
    try:
        yield code * 2.0
    except KeyError as error:
        raise Coded(code) from error


def checked(value, limit):
    if value > limit:
        raise Coded(value, "high")
    if value < -limit:
        raise Low(f"low {value:.2f}")
    return value * 0.5
"""

RAISED = (
    *("Coded(x)", "Coded(n, x)", "Low(f'{x} low')", "KeyError('k')", "ValueError", "Low(n)"),
    *("ZeroDivisionError('z')", "IndexError(x, n)"),
)
KINDS = ("Coded", "Low", "ValueError", "KeyError", "(Low, Coded)", "Exception", "LookupError")
TESTS = ("x > 1.0", "x < y", "n > 2", "a[0] > 1.0", "y < 0.0", "k > 1", "x + y > 3.0")
VALUES = ("x + 1.0", "y * 0.5", "x - y", "a[0] + 0.5", "-x", "a.sum() % 5.0")


def arguments():
    """The inputs of every program."""
    for x, n in ((2.0, 3), (-1.5, 1), (0.25, 0), (6.0, 4)):
        yield np.float64(x), np.int64(n), np.array([x * 0.5, 1.0, -2.0])


class Writer(ProgramGrammar):
    """Writes a function; every call of it ends."""

    PRELUDE = PRELUDE
    SIMPLE = weighted(assign=5, write=2, call=2, show=1)
    COMPOUND = weighted(leave=3, branch=1, handled=4, with_=2, loop=3)

    def __init__(self, rng):
        super().__init__(rng, 3)
        self.caught: list[str] = []

    def module(self) -> str:
        """The source of the module."""
        self.emit(0, "def f(x, n, a):")
        self.emit(1, "y, k = x * 0.5, n")
        self.block(1, 0, 4)
        self.emit(1, "return x, y, k, a")
        return self.source()

    def test(self, depth=0):
        return self.pick(*TESTS)

    def elifs(self):
        return range(0)

    def assign(self, indent, depth):
        """Writes an assignment."""
        names = f"{self.pick(*'xy')} = {self.pick(*VALUES)}"
        self.emit(indent, self.pick(names, names, "k += 1", "x, y = y, x"))

    def write(self, indent, depth):
        """Writes into the array."""
        self.emit(indent, f"a[{self.pick('0', '1', 'n % 3')}] {self.pick('=', '+=')} x")

    def call(self, indent, depth):
        """Calls a function that may raise."""
        self.emit(indent, f"y = checked({self.pick('x', 'y', 'a[0]')}, {self.pick(1.0, 2.5)})")

    def show(self, indent, depth):
        """Writes an effect."""
        self.emit(indent, f"print('at', {self.pick('x', 'y', 'k + n')})")

    def jumps(self):
        """Statements that leave a block."""
        return ["return x, y, k, a", *(["break", "continue"] * 2 if self.loops else [])]

    def leave(self, indent, depth):
        """Writes a `raise` or a jump under a condition."""
        self.emit(indent, f"if {self.test()}:")
        cause = f" from {self.pick('None', *self.caught)}" if self.chance(0.3) else ""
        raised = [f"raise {self.pick(*RAISED)}{cause}"] * 3
        self.emit(indent + 1, self.pick(*raised, *self.jumps()))

    def handled(self, indent, depth):
        """Writes a `try` statement."""
        handlers = self.try_with_handlers(indent, depth, (0, 1, 1, 2))
        if not handlers or self.chance(0.35):
            self.emit(indent, "finally:")
            self.block(indent + 1, depth + 2, 1)

    def handler(self, indent, depth):
        """Writes an `except` clause."""
        name = self.fresh("error")
        self.emit(indent, f"except {self.pick(*KINDS)} as {name}:")
        self.caught.append(name)
        ends = self.pick(
            "raise",
            f"raise {self.pick(*RAISED)}",
            f"raise {self.pick(*RAISED)} from {name}",
            f"y = y + len({name}.args)",
            f"print(type({name}).__name__, str({name}), {name}.args, x)",
            *self.jumps(),
        )
        if self.chance(0.5):
            self.block(indent + 1, depth + 2, 2)
        self.emit(indent + 1, ends)
        self.caught.pop()

    def with_(self, indent, depth):
        """Writes a `with` statement."""
        manager = self.pick(
            f"Swallowing({self.pick(*KINDS)})",
            f"contextlib.suppress({self.pick('Low', 'Coded, KeyError', 'Exception')})",
            f"translated({self.pick('x', 'n')}) as y",
        )
        self.emit(indent, f"with {manager}:")
        self.block(indent + 1, depth + 1)

    def loop(self, indent, depth):
        """Writes a loop of at most four iterations."""
        self.bounded_loop(indent, depth, "range(n)", "range(3)", "a")
        if self.chance(0.2):
            self.emit(indent, "else:")
            self.block(indent + 1, depth + 2, 1)
