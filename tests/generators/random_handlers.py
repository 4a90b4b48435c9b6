"""Random functions whose `try` statements handle what `raise` and `assert` raise in a run.

    Writer(random.Random(seed)).module()       the source of a module with the function f(x, y, a, n)

`x` and `y` are numbers, `a` is an array that is written into, `n` is the length of loops.
"""

from grammar import ProgramGrammar, module_source, weighted

PRELUDE = """
class Own(Exception):
    def __init__(self, value):
        super().__init__("own", value)
        self.value = value


def check(value):
    if value < 0:
        raise ValueError(f"bad {value}")
    return value * 2.0
"""

VALUES = ("x + 1.0", "y - 1.0", "z * 0.5", "x - y", "y + z", "-x", "z + 2.0")
RAISED = ("ValueError('v')", "KeyError('k')", "Own(x)", "ZeroDivisionError", "IndexError(1, x)")
HANDLED = (
    *("ValueError", "KeyError", "Own", "ArithmeticError", "LookupError", "Exception"),
    *("(ValueError, Own)", "(Own, LookupError)"),
)


class Writer(ProgramGrammar):
    """Writes a function; every call of it ends."""

    PRELUDE = PRELUDE
    SIMPLE = weighted(assign=6, show=1, write=1, call=1, claim=1)
    COMPOUND = weighted(leave=4, branch=1, handled=5, loop=2)

    def __init__(self, rng):
        super().__init__(rng, 4)

    def module(self) -> str:
        """The source of the module."""
        self.emit(0, "def f(x, y, a, n):")
        self.emit(1, "z = x - y")
        self.block(1, 0, 4)
        self.emit(1, "return x, y, z")
        return module_source(self.PRELUDE, "\n".join(self.lines))

    def test(self, depth=0):
        operator = self.pick("<", ">", "<=", ">=")
        return f"{self.pick(*'xyz')} {operator} {self.pick('0.0', '1.0', '2.5', '-1.0', 'x', 'y')}"

    def elifs(self):
        return range(0)

    def assign(self, indent, depth):
        """Writes an assignment."""
        self.emit(indent, f"{self.pick(*'xyz')} = {self.pick(*VALUES)}")

    def show(self, indent, depth):
        """Writes an effect."""
        self.emit(indent, f"print('value', {self.pick(*'xyz')})")

    def write(self, indent, depth):
        """Writes into the array."""
        self.emit(indent, f"a[{self.pick(0, 1)}] = {self.pick(*VALUES)}")

    def call(self, indent, depth):
        """Calls a function that may raise."""
        self.emit(indent, f"y = check({self.pick(*'xyz')})")

    def claim(self, indent, depth):
        """Writes an assertion."""
        self.emit(indent, f"assert {self.test()}, 'no'")

    def leave(self, indent, depth):
        """Writes a `raise` or a jump under a condition."""
        self.emit(indent, f"if {self.test()}:")
        jumps = ["break", "continue"] if self.loops else []
        raising = [f"raise {self.pick(*RAISED)}"] * 3
        self.emit(indent + 1, self.pick(*raising, *jumps, f"return x, {self.pick(*'xyz')}, z"))

    def handled(self, indent, depth):
        """Writes a `try` statement."""
        handlers = self.try_with_handlers(indent, depth, (0, 1, 1, 1, 2))
        if not handlers or self.chance(0.25):
            self.emit(indent, "finally:")
            self.assign(indent + 1, depth)

    def handler(self, indent, depth):
        """Writes an `except` clause."""
        is_named = self.chance(0.4)
        self.emit(indent, f"except {self.pick(*HANDLED)}{' as error' if is_named else ''}:")
        if is_named:
            self.emit(indent + 1, "print(type(error).__name__, error.args, x)")
        if self.chance(0.2):
            self.emit(indent + 1, self.pick("raise", f"raise {self.pick(*RAISED)} from None"))
        elif self.chance(0.2):
            self.leave(indent + 1, depth)
        else:
            self.block(indent + 1, depth + 2, 2)

    def loop(self, indent, depth):
        """Writes a loop of at most three iterations."""
        self.bounded_loop(indent, depth, "range(2)", "range(3)", "range(n)")
