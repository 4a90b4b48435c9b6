"""Random smooth functions whose control flow depends on staged values.

    source = Writer(random.Random(seed)).module()
    load(source, name).f(*arguments()[0])

Every program defines `f(x, y, a, b, n)`: two NumPy floats, a vector of four elements, a matrix of
three by four, and an integer; it returns one float.  Its operations are analytic, and comparisons
use real parts (`real`), so the derivative of the function in Python is known to the last digits:

    df/dx = Im f(x + ih) / h            Squire and Trapp, 1998, "Using complex variables to estimate
                                        derivatives of real functions"

An expression is a `scalar`, a `vector`, or a `matrix`.  `checkpoint` is `rt.checkpoint` or the
identity.  Values stay small, divisors stay away from zero, and loops count their iterations.
Branches of a `where` that are not taken may be nan.
"""

import numpy as np
from grammar import StagedGrammar, weighted

PRELUDE = """\
import numpy as np

real = np.real


def modulus(v):
    if real(v) < 0:
        return -v
    return v


def damped(v, w):
    while real(v * v) > 0.3:
        v = v * 0.5 + 0.1 * np.sin(w)
    return v


def mixed(v, w):
    for u in w:
        if real(u) > real(v):
            v = np.tanh(v + 0.5 * u)
    return v


def first_above(values, limit):
    for v in values:
        if real(v) > real(limit):
            return v * v
    return limit * 0.5
"""

ARGUMENTS = (
    (0.7, -0.4, [0.3, -0.9, 0.1, 0.6], 3),
    (-0.2, 0.9, [-0.5, 0.25, 0.8, -0.1], 0),
    (0.45, 0.15, [0.05, 0.75, -0.35, -0.65], 7),
)


def arguments():
    """The inputs of every program."""
    for x, y, a, n in ARGUMENTS:
        b = np.sin(np.arange(1.0, 13.0) * (1 + x)).reshape(3, 4)
        yield np.float64(x), np.float64(y), np.array(a), b, np.int64(n)


class Writer(StagedGrammar):
    """Writes one random program."""

    PRELUDE = PRELUDE
    SIMPLE = weighted(assign=3, write=2, grow=1, improve=1, leave=1)
    COMPOUND = weighted(branch=2, while_=1, endless=1, for_=3)
    LOOP_ELSE = 0.2

    def __init__(self, rng, depth=2):
        names = {"scalar": ["x", "y"], "vector": ["a", "c"], "whole": ["n", "k"]}
        super().__init__(rng, depth, names)
        self.functions = []
        self.returns = self.chance(0.3)

    # -- text --------------------------------------------------------------------------------------

    def module(self):
        """The source of a whole module, which defines `f`."""
        self.emit(0, "def f(x, y, a, b, n):")
        self.emit(
            1, f"k, best, c = 1, None, {self.pick('a', 'b[1]', 'b[0] * y', 'np.zeros_like(a)')}"
        )
        self.emit(1, f"items = [{self.pick('x', 'x, y')}]")
        self.emit(1, f"rows = [{self.pick('a', 'b[2]', 'a, b[0]')}]")
        for _ in range(self.pick(0, 0, 1, 2)):
            self.inner_function()
        self.block(1, 0, most=5)
        self.emit(1, "best = x if best is None else best")
        parts = ["x", "0.7 * y", "best", "a @ np.cos(a)", "np.sum(c * c[::-1])"]
        self.emit(1, "for v in items:")
        self.emit(2, "y = y + 0.3 * v * v")
        self.emit(1, f"c = {self.pick('c + np.stack(rows).sum(axis=0)', 'c + rows[-1] * rows[0]')}")
        self.emit(1, f"return {' + '.join(parts)} + np.sum(np.sin(b))")
        return self.source()

    # -- expressions -------------------------------------------------------------------------------

    def whole(self):
        i = self.some("whole")
        return self.pick(i, i, f"({i} + {self.pick(1, 2)})", "len(items)")

    def scalar(self, depth=0):
        """An expression whose value is a float."""
        x = self.some("scalar")
        if depth > 1 or self.chance(0.2):
            return self.pick(x, x, "a[0]", f"a[{self.whole()} % 4]", f"b[{self.whole()} % 3, 1]")
        s = lambda: self.scalar(depth + 1)
        v = lambda: self.vector(depth + 1)
        return getattr(self, self.pick("plain", "plain", "plain", "reduced", "chosen", "called"))(
            s, v
        )

    def plain(self, s, v):
        match self.rng.randint(0, 9):
            case 0 | 1:
                return f"({s()} {self.pick('+', '-')} {s()})"
            case 2 | 3:
                return f"{self.pick(0.5, 0.8, 1.1)} * {s()} * {self.some('scalar')}"
            case 4:
                return f"{s()} / (1.5 + {self.some('scalar')} ** 2)"
            case 5:
                return f"np.{self.pick('sin', 'cos', 'tanh', 'arctan')}({s()})"
            case 6:
                return f"np.exp(-({s()}) ** 2)"
            case 7:
                return f"np.sqrt(1 + ({s()}) ** 2)"
            case 8:
                return f"np.sin({s()}) ** {self.pick(2, 3)}"
            case _:
                return f"np.log(2 + np.sin({s()}))"

    def reduced(self, s, v):
        return self.pick(
            f"({v()}).sum()",
            f"np.mean({v()})",
            f"(({v()}) @ ({v()}))",
            f"np.prod({v()} * 0.5)",
            f"(b @ ({v()}))[{self.whole()} % 3]",
            f"({v()})[{self.whole()} % 4]",
            f"np.cumsum({v()})[-2]",
            "items[-1]",
            f"items[{self.whole()} % len(items)]",
            f"rows[-1][{self.whole()} % 4]",
            f"np.linalg.solve(b[:, :3] * 0.1 + 2 * np.eye(3), ({v()})[1:])[0]",
        )

    def chosen(self, s, v):
        x = self.some("scalar")
        return self.pick(
            f"({s()} if {self.test()} else {s()})",
            f"np.where({self.test()}, {s()}, {s()})",
            f"np.where(real({x}) > 0, np.sqrt(np.where(real({x}) > 0, {x}, 1)), {s()})",
            f"np.where(real({x}) > 0.1, np.log({x}), {s()})",
            f"np.where(real({x}) > 0, 0.1 * {x} ** 0.5, {s()})",
        )

    def called(self, s, v):
        functions = [f"modulus({s()})", f"damped({s()}, {s()})", f"mixed({s()}, {v()})"]
        functions += [f"first_above({v()}, {s()})", f"checkpoint(damped)({s()}, {s()})"]
        functions += [f"{name}({s()})" for name in self.functions] * 2
        return self.rng.choice(functions)

    def vector(self, depth=0):
        """An expression whose value is a vector of four floats."""
        a = self.some("vector")
        if depth > 1 or self.chance(0.3):
            return self.pick(a, a, "b[0]", f"b[{self.whole()} % 3]", "rows[0]")
        s = lambda: self.scalar(depth + 1)
        v = lambda: self.vector(depth + 1)
        match self.rng.randint(0, 12):
            case 0 | 1:
                return f"({v()} {self.pick('+', '-')} {v()})"
            case 2:
                return f"0.8 * {v()} * {self.some('vector')}"
            case 3:
                return f"{v()} * {s()}"
            case 4:
                return f"np.{self.pick('sin', 'tanh')}({v()})"
            case 5:
                return f"({v()})[::-1]"
            case 6:
                return f"np.where(real({a}) > {self.pick(0, 0.2)}, np.sqrt({a}), {v()})"
            case 7:
                return f"({self.some('vector')} @ b.T @ b) * 0.2"
            case 8:
                return f"np.concatenate([({v()})[2:], ({v()})[:2]])"
            case 9:
                return f"np.cumsum({v()}) * 0.5"
            case 10:
                return f"({v()} if {self.test()} else {v()})"
            case 11:
                return f"({v()})[[0, 1, 1, 3]]"
            case _:
                return f"rows[{self.whole()} % len(rows)]"

    def test(self):
        """A condition, most often on real parts."""
        s = self.pick(*self.names["scalar"], f"a[{self.whole()} % 4]")
        match self.rng.randint(0, 7):
            case 0 | 1 | 2:
                return f"real({s}) {self.pick('<', '>')} {self.pick(-0.3, 0.0, 0.2, 0.5)}"
            case 3:
                return f"real({s}) < real({self.some('scalar')})"
            case 4:
                return f"{self.whole()} % 3 == {self.pick(0, 1)}"
            case 5:
                return f"(real({s}) > 0 and {self.whole()} < 5)"
            case 6:
                return f"(real({s}) > 0.4 or {self.test()})"
            case _:
                return f"np.any(real({self.some('vector')}) > {self.pick(0.5, 0.8)})"

    # -- statements --------------------------------------------------------------------------------

    def statement(self, indent, depth):
        kinds = self.SIMPLE if depth >= self.most else self.SIMPLE + self.COMPOUND
        self.any_of(kinds)(indent, depth)

    def assign(self, indent, depth):
        match self.rng.randint(0, 5):
            case 0 | 1 | 2:
                self.emit(indent, f"{self.pick('x', 'y')} = np.tanh({self.scalar()})")
            case 3 | 4:
                self.emit(indent, f"{self.pick('a', 'c')} = np.tanh({self.vector()})")
            case _:
                self.emit(
                    indent,
                    self.pick("x, y = y, x", "a, c = c, a", "k = k + 1", "b = b * np.sin(y)"),
                )

    def write(self, indent, depth):
        i = self.whole()
        match self.rng.randint(0, 7):
            case 0 | 1:
                self.emit(indent, "a = a * 1.0")
                self.emit(indent, f"a[{i} % 4] {self.pick('', '', '+')}= np.tanh({self.scalar()})")
            case 2:
                self.emit(indent, "b = np.sin(b)")
                self.emit(indent, f"b[{i} % 3] = {self.vector()}")
            case 3:
                self.emit(indent, "b = b + 0.1")
                self.emit(indent, f"b[{i} % 3, 1:] *= np.cos({self.scalar()})")
            case 4:
                self.emit(indent, "c = c + 0")
                self.emit(indent, self.pick("c[1:] = c[:-1]", "c[real(c) > 0] = x", "c[::2] = y"))
            case 5:
                self.emit(indent, "a = a.copy()")
                self.emit(indent, self.pick("a *= 0.9", "a += c", "a -= x * c", "a[[0, 2]] += y"))
            case 6:
                self.emit(indent, "c = c.copy()")
                self.emit(indent, "part = c[1:3]")
                self.emit(indent, f"part {self.pick('*', '+')}= np.sin({self.scalar()})")
            case _:
                self.emit(indent, "b = b.copy()")
                self.emit(indent, f"b[:, {i} % 4] += np.sin({self.scalar()})")

    def grow(self, indent, depth):
        match self.rng.randint(0, 5):
            case 0 | 1:
                self.emit(indent, f"items.append({self.scalar()})")
            case 2:
                self.emit(indent, f"rows.append({self.vector()})")
            case 3:
                self.emit(indent, f"items[{self.whole()} % len(items)] = {self.scalar()}")
            case 4:
                self.emit(indent, "if len(items) > 1:")
                self.emit(indent + 1, "x = x + 0.5 * items.pop()")
            case _:
                self.emit(indent, f"rows[-1] = {self.vector()}")

    def improve(self, indent, depth):
        value = self.fresh("s")
        self.emit(indent, f"{value} = {self.scalar()}")
        self.emit(indent, f"if best is None or real({value}) {self.pick('<', '>')} real(best):")
        self.emit(indent + 1, f"best = {value}")

    def early_return(self):
        return f"return {self.scalar()} + x * y" if self.returns else None

    # -- compound statements -----------------------------------------------------------------------

    def elifs(self):
        return range(self.chance(0.3))

    def headers(self, i, v, w):
        return (
            (f"{i} in range({self.whole()} % 5)", {"whole": [i]}),
            (f"{i} in range({self.whole()} % 9, 1, -2)", {"whole": [i]}),
            (f"{i} in range(n)", {"whole": [i]}),
            (f"{v} in {self.pick('a', 'c')}", {"scalar": [v]}),
            (f"{v} in b", {"vector": [v]}),
            (f"{v} in items", {"scalar": [v]}),
            (f"{v} in a[:n % 4]", {"scalar": [v]}),
            (f"{i}, {v} in enumerate(c)", {"whole": [i], "scalar": [v]}),
            (f"{v}, {w} in zip(a, c)", {"scalar": [v, w]}),
            (f"{v} in ({self.scalar()}, {self.scalar()})", {"scalar": [v]}),
        )

    def loop(self, indent, depth, bound):
        header = self.lines[-1]
        if header.endswith(" in items:"):  # the list must not grow during the loop
            (v,) = bound["scalar"]
            self.emit(indent + 1, f"x = np.tanh(x + {v} * {self.scalar()})")
            return
        super().loop(indent, depth, bound)

    def inner_function(self):
        """A nested function that writes variables of the outer one; some are checkpoints."""
        name = self.fresh("inner")
        self.emit(1, f"def {name}(v):")
        self.emit(2, "nonlocal x, c")
        before, self.names = self.names, {**self.names, "scalar": [*self.names["scalar"], "v", "v"]}
        self.emit(2, f"if {self.test()}:")
        self.emit(3, self.pick("x = x * v", f"c = c * {self.scalar(1)}", f"v = {self.scalar()}"))
        if self.chance(0.5):
            self.emit(2, f"for u in {self.pick('a', 'c')}:")
            self.emit(3, f"v = np.sin(v * u) + {self.scalar(1)}")
        self.emit(2, f"return {self.scalar()}")
        self.names = before
        self.functions.append(f"checkpoint({name})" if self.chance(0.4) else name)
