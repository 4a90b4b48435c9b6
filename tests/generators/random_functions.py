"""Random programs of closures, helpers, generators, small classes and contexts, with staged values.

def f(x, y, n):
    ...
    g = (lambda v: v + x) if x > y else half
    for i in range(n):
        x = g(x) if i % 2 else clipped(x, high=y)
        with Scaled(acc) as s:
            y = y + s.take(x)
    return x, y, ...
"""

import random

import numpy as np

HEADER = """import contextlib
import functools

import numpy as np


def half(v):
    return v / 2


def clipped(v, low=-3.0, high=3.0):
    if v < low:
        return low
    if v > high:
        return high
    return v


def first_above(values, limit, *, default=-1.0):
    for v in values:
        if v > limit:
            return v
    return default


def doubled(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return 2 * function(*args, **kwargs)

    return inner


@doubled
def shifted(v, by=1.0):
    if v > 0:
        v = v - by
    return v


def evens(values, limit):
    for i, v in enumerate(values):
        if i % 2:
            continue
        if v > limit:
            return
        yield v


def running(values, start):
    total = start
    for v in values:
        total = total + v
        yield total
    yield total * 2


def counter(start):
    count = start

    def step(by=1):
        nonlocal count
        if by > 1:
            count = count + by
        else:
            count = count - 1
        return count

    return step


class Account:
    limit = 5.0

    def __init__(self, held):
        self.held, self.moves = held, 0

    def take(self, v):
        if v > self.held:
            return self.held
        self.held = self.held - v
        self.moves += 1
        return v

    @property
    def is_rich(self):
        return self.held > self.limit

    @staticmethod
    def fee(v):
        return v * 0.1 if v > 1 else 0.1

    @classmethod
    def of(cls, v):
        return cls(v + cls.limit)

    def __add__(self, other):
        return Account(self.held + (other.held if isinstance(other, Account) else other))

    def __lt__(self, other):
        return self.held < other.held

    def __len__(self):
        return 3

    def __getitem__(self, i):
        return self.held * i

    def __call__(self, v):
        return self.take(v) + self.fee(v)


class Saver(Account):
    limit = 2.0

    def take(self, v):
        found = super().take(v)
        return found if found > 0 else 0.5


class Scaled:
    def __init__(self, account):
        self.account, self.before = account, account.held

    def __enter__(self):
        self.account.held = self.account.held * 2
        return self.account

    def __exit__(self, kind, error, traceback):
        self.account.held = self.before + 1.0
        return None


@contextlib.contextmanager
def raised_by(account, v):
    account.held = account.held + v
    try:
        yield account.held
    finally:
        account.held = account.held - v


def f(x, y, n, xs):
    acc, sav, step, seen, g, w = Account(x + 3), Saver.of(y), counter(2), [], half, 0
"""

STATEMENTS = """
g = (lambda v: v + {b}) if {t} else half
g = clipped if {t} else shifted
g = functools.partial(clipped, high={b})
g = lambda v, k={a}: v * 0.5 + k
{v} = g({a})
{v} = clipped({a}, high={b})
{v} = clipped(*({a}, {b} - 9), **{{'high': 2.0}})
{v} = first_above(xs, {a})
{v} = first_above([{a}, {b}, 2.5], {b}, default={a})
{v} = shifted({a})
{v} = shifted({a}, by={b})
{v} = sum(evens(xs, {a}))
{v} = max(running(xs[:3], {a}))
{v} = {a} + sum(v for v in running([x, y], {b}) if v > {a})
{v} = acc.take({a})
{v} = sav.take({a}) - sav.fee({b})
{v} = acc({a})
{v} = acc[2] + len(acc) * 0.25
{v} = (acc + sav).held + (acc + {a}).held
{v} = {a} if acc.is_rich else {b}
{v} = {a} if acc and acc.is_rich else {b}
{v} = {a} if acc < sav else {b}
{v} = min(acc, sav, key=lambda one: one.held).held
acc.held, sav.held = sav.held, acc.held
acc = Account({a})
acc.held += {a}
w = step(w)
w = step() if {t} else step(by=2)
w += 1
seen.append({a})
seen = [v * 0.5 for v in seen if v > {a}]
x, y = y, x
(x, *rest), y = (y, {a}, {b}), x
{v} = {a} if {t} else {b}
{v} = ({a} or {b}) if {t} else ({a} and {b})
{v} = float(min(max({a}, -2.0), 2.0))
{v} = abs({a}) ** 0.5
{v} = [{a}, {b}][w % 2]
{v} = {{'p': {a}, 'q': {b}}}['p' if w % 2 else 'q']
{v} = (lambda *args: sum(args))({a}, {b}, 1.0)
{v} = functools.reduce(lambda p, q: p * 0.5 + q, [x, y, {a}])
{v} = sorted([x, y, {a}], key=lambda v: -abs(v))[0]
{v} = [*map(half, [x, y])][-1]
{v} = any(v > {a} for v in xs) + {b}
{v} = (z := {a} * 0.5) + z
assert {v} == {v} or True, 'never'
""".strip().splitlines()

TESTS = """
x > y
x > {a}
n > 2
w > 3
w % 2 == 0
acc.is_rich
acc
acc < sav
not sav
xs[w % 4] > {a}
-1 < x < {a} + 2
x > 0 or y > {a}
len(seen) > 2
g is half
isinstance(acc, Saver)
""".strip().splitlines()


def arguments():
    """Arguments of the programs: two floats, a count, and an array of four."""
    xs = np.array([0.5, -1.0, 3.5, 2.0])
    pairs = [(1.5, -0.5), (-2.0, 4.0), (0.0, 0.25)]
    return [(np.float64(x), np.float64(y), np.int64(n), xs) for x, y in pairs for n in (0, 1, 4)]


class Writer:
    """Writes one program."""

    def __init__(self, source: random.Random):
        self.source = source
        self.lines: list[str] = []
        self.statements = source.sample(STATEMENTS, 10)
        self.loops = 0

    def module(self) -> str:
        """The source of a module with a function `f(x, y, n, xs)`."""
        self.lines = [HEADER.rstrip()]
        self.block(1, self.source.randint(4, 7), 0)
        self.put(1, "return x, y, w, seen, acc.held, acc.moves, sav.held")
        return "\n".join(self.lines) + "\n"

    def put(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def atom(self) -> str:
        return self.source.choice(["x", "y", "x", "y", "1.0", "x * 0.5", "y + 1", "acc.held"])

    def filled(self, text: str) -> str:
        v = self.source.choice(["x", "y"])
        return text.format(a=self.atom(), b=self.atom(), v=v, t=self.test())

    def test(self) -> str:
        return self.source.choice(TESTS).format(a=self.atom())

    def block(self, indent: int, count: int, depth: int) -> None:
        """Statements, branches, loops, contexts and handlers."""
        for _ in range(count):
            chance = self.source.random()
            if chance < 0.25 and depth < 3:
                self.branch(indent, depth)
            elif chance < 0.37 and depth < 2:
                self.loop(indent, depth)
            elif chance < 0.43 and depth < 3:
                opened = ["with Scaled(acc) as s:", "with raised_by(acc, x) as s:"]
                self.put(indent, self.source.choice(opened))
                self.block(indent + 1, self.source.randint(1, 2), depth + 1)
            elif chance < 0.47 and depth < 3:
                self.put(indent, "try:")
                self.block(indent + 1, 1, depth + 1)
                self.put(indent, "finally:")
                self.put(indent + 1, "w += 1")
            elif chance < 0.5 and depth:
                self.leave(indent)
                return
            else:
                self.put(indent, self.filled(self.source.choice(self.statements)))

    def branch(self, indent, depth):
        self.put(indent, f"if {self.test()}:")
        self.block(indent + 1, self.source.randint(1, 2), depth + 1)
        if self.source.random() < 0.5:
            self.put(indent, self.source.choice(["else:", f"elif {self.test()}:"]))
            self.block(indent + 1, self.source.randint(1, 2), depth + 1)

    def loop(self, indent, depth):
        name = self.source.choice("ij")
        heads = [f"for {name} in range(n):", f"for {name} in range(3):", "for v in xs:"]
        heads += [f"for {name}, v in enumerate(xs[:n]):", "for v in evens(xs, x):"]
        self.put(indent, self.source.choice(heads))
        self.loops += 1
        self.block(indent + 1, self.source.randint(1, 3), depth + 1)
        self.loops -= 1
        if self.source.random() < 0.2:
            self.put(indent, "else:")
            self.put(indent + 1, "y = y + 1.0")

    def leave(self, indent):
        jumps = ["return x, y, w, seen, acc.held, acc.moves, sav.held"]
        if self.loops:
            jumps += ["break", "continue"]
        self.put(indent, self.source.choice(jumps))
