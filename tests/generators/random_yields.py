"""Random generator functions, and functions that consume them in staged loops and conditions.

Writer(random.Random(seed)).module()       the source of a module with the function f(x, n, a)
"""

import numpy as np
from grammar import StagedGrammar, weighted

PRELUDE = """
import functools
import itertools

import numpy as np
"""

FLOATS = ("x", "y", "v", "1.5", "a[0]", "a[-1]", "a[n % 3]")


def arguments():
    """The inputs of every program."""
    for x, n, a in (
        (2.0, 3, [0.5, -1.0, 2.5]),
        (-1.5, 0, [3.0, 1.0, -2.0]),
        (0.25, 1, [-1.0, -2.0, -0.5]),
        (6.0, 4, [2.0, 2.0, 0.0]),
        (2.0, 3, [0.5, -1.0, 2.5]),
    ):
        yield np.float64(x), np.int64(n), np.array(a)


class Writer(StagedGrammar):
    """Writes generator functions, and a function that consumes them; every call of it ends."""

    PRELUDE = PRELUDE
    SIMPLE = weighted(assign=3, consume=7, leave=1, log=1)
    COMPOUND = weighted(branch=3, while_=1, for_=2, over=6, stepped=2)
    IN_GENERATOR = (weighted(assign=3, give=7, end=1, log=1), weighted(branch=4, while_=2, for_=4))
    LOOP_ELSE = 0.15

    def __init__(self, rng):
        super().__init__(rng, 1, {"whole": ["n"]})
        self.made: list[str] = []  # the generator functions that can be called
        self.sent: list[str] = []  # those to which values can be sent
        self.is_generator = False

    def module(self) -> str:
        """The source of the module."""
        for _ in range(self.rng.randint(1, 2)):
            self.generator()
        if self.chance(0.3):
            self.receiver()
        self.emit(0, "def f(x, n, a):")
        self.emit(1, "y, v, k, found, log = x * 0.5, a[1], 0, [], []")
        for _ in range(self.rng.randint(1, 2)):
            self.statement(1, 0)
        self.emit(1, "return x, y, v, k, found, log")
        return self.source()

    # -- generator functions -----------------------------------------------------------------------

    def generator(self):
        """Writes a generator function."""
        name = self.fresh("g")
        self.emit(0, f"def {name}(x, n, a, log):")
        self.emit(1, "y, v, k = x + 1.0, x, 0")
        self.is_generator, simple, compound = True, self.SIMPLE, self.COMPOUND
        self.SIMPLE, self.COMPOUND = self.IN_GENERATOR
        is_guarded = self.chance(0.2)
        if is_guarded:
            self.emit(1, "try:")
        for _ in range(self.rng.randint(1, 2)):
            self.statement(1 + is_guarded, 0)
        self.give(1 + is_guarded, 0)
        if is_guarded:
            self.emit(1, self.pick("finally:", "finally:", "except ZeroDivisionError:"))
            self.emit(2, "log.append(y)")
        if self.chance(0.3):
            self.emit(1, f"return {self.real()}")
        self.emit(0, "")
        self.emit(0, "")
        self.is_generator, self.SIMPLE, self.COMPOUND = False, simple, compound
        self.made.append(name)

    def receiver(self):
        """Writes a generator function to which values are sent."""
        name = self.fresh("r")
        self.emit(0, f"def {name}(x, n, a, log):")
        self.emit(1, "total = x * 0.0")
        self.emit(1, self.pick("while True:", "while True:", "for v in a:"))
        self.emit(2, "got = yield total")
        self.emit(
            2, self.pick("if got is None:", "if got is None:", "if got is None or total > 9.0:")
        )
        self.emit(
            3,
            self.pick(
                "break", "return total", "continue" if "while" not in self.lines[-3] else "break"
            ),
        )
        self.emit(2, self.pick("total += got", "total = max(total, got)", "log.append(got)"))
        self.emit(0, "")
        self.emit(0, "")
        self.sent.append(name)

    def give(self, indent, depth):
        """Yields."""
        if self.made and self.chance(0.25):
            self.emit(indent, self.pick("", "", "y = ") + f"yield from {self.call()}")
            return
        self.emit(
            indent,
            self.pick(
                f"yield {self.real()}",
                f"yield {self.real()}",
                f"yield {self.real()}",
                "yield from a",
                f"yield from [{self.real()}, {self.real()}]",
                f"yield from (w * 2.0 for w in a if {self.pick('w > x', 'w != v', 'x > 0')})",
            ),
        )

    def end(self, indent, depth):
        """Ends the generator under a condition."""
        self.emit(indent, f"if {self.test()}:")
        self.emit(indent + 1, f"return{self.pick('', '', f' {self.real()}')}")

    def call(self):
        """A call of a generator function, or another iterator."""
        name = self.pick(*self.made)
        return f"{name}({self.real()}, {self.pick('n', 'n', '2', 'n - 1')}, a, log)"

    # -- expressions -------------------------------------------------------------------------------

    def real(self):
        """An expression for a float."""
        one = self.pick(*FLOATS)
        return self.pick(one, one, f"{one} * 0.5", f"{one} + 1.0", f"{one} - v", f"abs({one})")

    def test(self, depth=0):
        return self.pick(
            f"{self.pick(*FLOATS)} {self.pick('>', '<=')} {self.pick(*FLOATS, '1.0')}",
            "n > 1",
            "k < n",
            "v > 0",
        )

    def elifs(self):
        return range(self.pick(0, 0, 1))

    def headers(self, i, v, w):
        return (
            (f"{i} in range(n)", {"whole": [i]}),
            ("v in a", {}),
            (f"{i} in range(2)", {"whole": [i]}),
            ("k, v in enumerate(a)", {}),
        )

    def source_of(self):
        """An iterable that runs a generator."""
        call = self.call()
        return self.pick(
            *[call] * 9,
            f"(w + 1.0 for w in {call})",
            f"(w for w in {call} if {self.pick('w > x', 'w > 1.0', 'w != 0.5')})",
            f"map({self.pick('abs', 'lambda w: w * 2.0', 'lambda w: w + x')}, {call})",
            f"filter(lambda w: {self.pick('w > x', 'w > 0')}, {call})",
            f"itertools.chain({call}, a)",
            f"itertools.islice({call}, {self.pick('2', '3', 'n')})",
            f"itertools.takewhile(lambda w: w {self.pick('< 3.0', '!= x', '> y')}, {call})",
            f"itertools.accumulate({call})",
            f"(w * u for w in {call} for u in {self.pick('a', '(1.0, 2.0)')})",
        )

    def early_return(self):
        if self.is_generator:
            return self.pick("return", f"return {self.real()}")
        return self.pick(None, None, "return x, y, v, k, found, log")

    # -- statements --------------------------------------------------------------------------------

    def assign(self, indent, depth):
        name = self.pick("y", "y", "v", "k", "x")
        value = self.pick("k + 1", "n", "k + n") if name == "k" else self.real()
        self.emit(indent, f"{name} {self.pick('=', '=', '+=') if name != 'k' else '='} {value}")

    def log(self, indent, depth):
        """Writes to a list, or prints."""
        self.emit(
            indent,
            self.pick("log.append(y)", "log.append(v)", "print('at', a[0], x)", "log.append(k)"),
        )

    def consume(self, indent, depth):
        """Gives all or some elements to a function."""
        some = self.source_of()
        self.emit(
            indent,
            self.pick(
                f"y = sum({some})",
                f"y = sum({some}, {self.pick('0.0', 'x')})",
                f"y = {self.pick('max', 'min')}({some}, default=0.0)",
                f"y = {self.pick('max', 'min')}({some})",
                f"found = list({some})",
                f"found = sorted({some})",
                f"found = [w * 2.0 for w in {some}]",
                f"found = [w for w in {some} if {self.pick('w > 0', 'w > x')}]",
                f"found += {some}",
                f"found.extend({some})",
                f"found = [*{some}, y]",
                f"k = {self.pick('any', 'all')}(w > {self.pick('x', '1.0')} for w in {some})",
                f"k = len(list({some}))",
                f"k = len(tuple({some}))",
                f"k = {self.pick('x', '0.5')} in {some}",
                f"y = next({some}, {self.pick('0.0', 'x')})",
                f"y = next(w for w in {some} if w > {self.pick('0', 'x')})",
                f"y = next((w for w in {some} if w > {self.pick('0', 'x')}), -1.0)",
                f"y = next({some})",
                f"y = functools.reduce(lambda p, q: p * 0.5 + q, {some}, 0.0)",
                f"for k, y in enumerate({some}): found.append(y)",
                f"found = dict(enumerate({some})) and found",
                f"y, *found = {some}",
                f"v = np.array(list({some}) + [0.0]).sum()",
                f"k = sum(1 for w in {some} if w > 0)",
            ),
        )

    def over(self, indent, depth):
        """Writes a loop over a generator."""
        some = self.source_of()
        header, bound = self.pick(
            (f"v in {some}", {}),
            (f"v in {some}", {}),
            (f"k, v in enumerate({some})", {}),
            (f"v, y in zip({some}, {self.pick('a', 'range(n)', 'found', self.call())})", {}),
            (f"y, v in zip({self.pick('a', 'itertools.count()', 'range(3)')}, {some})", {}),
        )
        self.emit(indent, f"for {header}:")
        self.loop(indent, depth, bound)

    def stepped(self, indent, depth):
        """Takes elements of a generator one by one."""
        it = self.fresh("it")
        if self.sent and self.chance(0.6):
            self.emit(indent, f"{it} = {self.pick(*self.sent)}(x, n, a, log)")
            self.emit(indent, f"y = next({it})")
            self.emit(indent, "for v in a:")
            self.emit(indent + 1, "try:")
            self.emit(indent + 2, f"y = {it}.send({self.pick('v', 'v + x', 'None')})")
            self.emit(indent + 1, "except StopIteration as stop:")
            self.emit(indent + 2, self.pick("found.append(stop.value)", "break"))
            self.emit(indent, self.pick(f"{it}.close()", "pass"))
            return
        self.emit(indent, f"{it} = {self.source_of() if self.chance(0.4) else self.call()}")
        for _ in range(self.rng.randint(1, 2)):
            self.emit(indent, f"{self.pick('y', 'v')} = next({it}, {self.pick('0.0', 'x')})")
        match self.rng.randint(0, 4):
            case 0 if ".c" not in self.lines[-1]:
                self.emit(indent, f"found.extend({it})")
            case 1:
                self.emit(indent, f"for v in {it}:")
                self.loop(indent, depth, {})
            case 2:
                self.emit(indent, f"y = sum({it})")
            case 3:
                self.emit(indent, f"while (w := next({it}, None)) is not None:")
                self.emit(indent + 1, self.pick("y += w", "found.append(w)"))
            case _:
                self.emit(indent, f"k = next({it}, k)")
