"""Random functions whose control flow depends on staged values, and that always end.

    source = Writer(random.Random(seed)).module()
    load(source, name).f(*copy.deepcopy(ARGUMENTS[0]))

Every program defines `f(n, m, x, y, a, b, k)`: two NumPy integers and two NumPy floats, an array
of each, and a Python int.  An expression has one kind, and a variable keeps its kind:

    whole    np.int64       n, m, elements of a and of the list `items`
    real     np.float64     x, y, elements of b, and `best`, which may be None
    count    int            k, c, d, indices, lengths: Python ints, which a graph may stage
    text     str            word

so a graph must return exactly what Python returns.  Printed values are staged, since constants
would be printed while tracing.  With `mixed`, reals may be assigned whole numbers and counts, and
whole numbers may be assigned counts: then only the run knows the types of some scalars.
Products and sums are reduced modulo some number, divisors are not zero, and loops count their
iterations.
"""

import numpy as np
from grammar import StagedGrammar, weighted

PRELUDE = """\
import numpy as np


def within(v, low, high):
    if v < low:
        return low
    if v > high:
        return high
    return v


def first_above(values, limit):
    for v in values:
        if v > limit:
            return v
    return limit


def summed(v):
    if v <= 0:
        return v
    return summed(v - 2) + v


def halvings(v):
    turns = 0
    while v > 1:
        v = v // 2
        turns += 1
    else:
        turns += 100
    return turns
"""

RESULT = "n, m, x, y, c, d, best, items, word"
EARLY_RESULT = "n, m, x, y, c, d, best, len(items), word"  # a list is returned at one place only

ARGUMENTS = (
    (3, 7, 1.5, -2.25, [4, 0, -3, 11], [0.5, -1.0, 6.75], 2),
    (0, -4, -0.0, 0.5, [1, 1, 2, 0], [3.0, 3.0, -0.25], 2),
    (-12, 5, 6.5, 6.5, [-9, 8, 8, 5], [-7.0, 0.0, 2.5], 2),
    (40, 1, 0.25, 3.0, [0, 2, 60, -1], [1.0, 1.25, 1.5], 2),
)


def arguments():
    """The inputs of every program, with NumPy values."""
    for n, m, x, y, a, b, k in ARGUMENTS:
        scalars = (np.int64(n), np.int64(m), np.float64(x), np.float64(y))
        yield (*scalars, np.array(a), np.array(b), k)


class Writer(StagedGrammar):
    """Writes one random program."""

    PRELUDE = PRELUDE
    SIMPLE = weighted(assign=3, write=2, grow=1, improve=1, tell=2, check=1, leave=1)
    COMPOUND = weighted(branch=3, while_=1, endless=1, for_=3, match_=1)
    COUNTER = "count"

    def __init__(self, rng, mixed=False, depth=2):
        names = {"whole": ["n", "m"], "real": ["x", "y"], "count": ["c", "d", "k"]}
        super().__init__(rng, depth, names)
        self.mixed = mixed
        self.targets = {"whole": ["n", "m"], "real": ["x", "y"], "count": ["c", "d"]}
        self.functions = {"whole": [], "real": []}
        self.returns = self.chance(0.4)
        self.result = EARLY_RESULT if self.returns else RESULT

    # -- text --------------------------------------------------------------------------------------

    def module(self):
        """The source of a whole module, which defines `f`."""
        self.emit(0, "def f(n, m, x, y, a, b, k):")
        self.emit(1, "c, d = 0, 1")
        self.emit(1, "best = None")
        self.emit(1, self.pick("items = []", "items = [n]", "items = [m, n]"))
        self.emit(1, "word = 'w'")
        for _ in range(self.pick(0, 0, 1, 2)):
            self.inner_function()
        self.block(1, 0, most=4)
        self.emit(1, f"return {self.result}")
        return self.source()

    # -- expressions -------------------------------------------------------------------------------

    def whole(self, depth=0):
        """An expression whose value is an `np.int64`."""
        if self.mixed and self.chance(0.1):
            return self.count(depth + 1)
        if depth > 2 or self.chance(0.3):
            return self.pick(*self.names["whole"])
        e = lambda: self.whole(depth + 1)  # noqa: E731
        either = lambda: self.pick(self.whole, self.count)(depth + 1)  # noqa: E731
        match self.rng.randint(0, 13):
            case 0 | 1 | 2:
                return f"({e()} {self.pick('+', '-', '*')} {either()}) % {self.pick(97, 13, 5)}"
            case 3:
                return f"({e()} if {self.test(depth + 1)} else {e()})"
            case 4:
                return f"a[{either()} % 4]"
            case 5:
                return f"{e()} // (abs({e()}) + 1)"
            case 6:
                return self.pick(f"abs({e()})", f"(-{e()})", f"np.abs({e()})")
            case 7:
                return f"{self.pick('max', 'min')}({e()}, {e()})"
            case 8:
                return f"({e()} {self.pick('and', 'or')} {e()})"
            case 9:
                return self.pick("a.sum() % 89", "a.max()", "np.sum(a[1:]) % 31")
            case 10:
                return f"first_above({self.pick('a', 'a[::-1]', 'items')}, {e()})"
            case 11:
                return self.pick(f"summed({e()} % 7)", f"within({e()}, {e()}, {e()})")
            case 12 if self.functions["whole"]:
                return f"{self.pick(*self.functions['whole'])}({e()})"
            case _:
                return f"(items[{either()} % len(items)] if items else {e()})"

    def real(self, depth=0):
        """An expression whose value is an `np.float64`."""
        if self.mixed and self.chance(0.15):
            return self.pick(self.count, self.whole)(depth + 1)
        if depth > 2 or self.chance(0.3):
            return self.pick(*self.names["real"])
        e = lambda: self.real(depth + 1)  # noqa: E731
        match self.rng.randint(0, 12):
            case 0 | 1 | 2:
                other = self.pick(self.real, self.whole, self.count)(depth + 1)
                return f"({e()} {self.pick('+', '-', '*')} {other}) % {self.pick(7.5, 31)}"
            case 3:
                return f"({e()} if {self.test(depth + 1)} else {e()})"
            case 4:
                return f"b[{self.pick(self.whole, self.count)(depth + 1)} % 3]"
            case 5:
                return f"{e()} / (abs({e()}) + 1)"
            case 6:
                return self.pick(f"np.sqrt(abs({e()}))", f"abs({e()})", f"(-{e()})")
            case 7:
                return self.pick("b.sum()", "b.min()", "np.mean(b)", "(a * 0.5).sum()")
            case 8:
                return self.pick(f"first_above(b, {e()})", f"within({e()}, {e()}, {e()})")
            case 9 if self.functions["real"]:
                return f"{self.pick(*self.functions['real'])}({e()})"
            case 10:
                return f"(best if best is not None else {e()})"
            case _:
                return f"{self.whole(depth + 1)} {self.pick('* 0.5', '/ 4', '* 1.0')}"

    def count(self, depth=0):
        """An expression whose value is a Python int."""
        if depth > 2 or self.chance(0.4):
            return self.pick(str(self.number()), *self.names["count"])
        e = lambda: self.count(depth + 1)  # noqa: E731
        match self.rng.randint(0, 7):
            case 0 | 1 | 2:
                return f"({e()} {self.pick('+', '-', '*')} {e()}) % {self.pick(13, 5, 3)}"
            case 3:
                return f"({e()} if {self.test(depth + 1)} else {e()})"
            case 4:
                return self.pick("len(items)", "len(a)")
            case 5:
                return f"int({self.pick(self.whole, self.real)(depth + 1)}) % 7"
            case 6:
                return f"halvings({self.whole(depth + 1)} % 16)"
            case _:
                return f"{self.pick('max', 'min')}({e()}, {e()})"

    def test(self, depth=0):
        """A condition, which is staged most of the time."""
        kind = self.pick(self.whole, self.whole, self.real, self.real, self.count)
        e = lambda: kind(depth + 1)  # noqa: E731
        match self.rng.randint(0, 9):
            case 0 | 1 | 2 | 3:
                return f"{e()} {self.pick('<', '>', '==', '!=', '<=')} {e()}"
            case 4:
                return f"{e()} {self.pick('<', '<=')} {e()} {self.pick('<', '!=')} {e()}"
            case 5:
                return f"not {e()} > {self.number()}"
            case 6 if depth < 2:
                joined = self.pick("and", "or")
                return f"({self.test(depth + 1)} {joined} {self.test(depth + 1)})"
            case 7:
                return f"{self.whole(depth + 1)} in ({self.number()}, {self.whole(depth + 1)}, 1)"
            case 8:
                return f"(best is None or {self.real(depth + 1)} > best)"
            case _:
                return f"{self.whole(depth + 1)} % 2 == {self.pick(0, 1)}"

    # -- simple statements -------------------------------------------------------------------------

    def assign(self, indent, depth):
        kind = self.pick("whole", "real", "count")
        target, e = self.pick(*self.targets[kind]), getattr(self, kind)
        modulus = {"whole": 101, "real": 15.5, "count": 17}[kind]
        match self.rng.randint(0, 5):
            case 0 | 1:
                self.emit(indent, f"{target} {self.pick('+', '-')}= {e()}")
                self.emit(indent, f"{target} %= {modulus}")
            case 2:
                first, second = self.targets[kind][:2]
                self.emit(indent, f"{first}, {second} = {e()}, {e()}")
            case 3:
                first, second = self.targets[kind][:2]
                self.emit(indent, f"{first}, {second} = {second}, {first}")
            case _:
                self.emit(indent, f"{target} = {e()}")

    def write(self, indent, depth):
        i = self.pick(self.whole, self.count)()
        match self.rng.randint(0, 19):
            case 0 | 1 | 8 | 9 | 10:
                self.emit(indent, f"a[{i} % 4] = {self.whole()}")
            case 2:
                self.emit(indent, f"a[{i} % 4] {self.pick('+', '-')}= {self.whole()}")
            case 3 | 4 | 11 | 12 | 13 | 14 | 15:
                self.emit(indent, f"b[{i} % 3] {self.pick('', '+')}= {self.real()}")
            case 5:
                self.emit(indent, self.pick("a[1:] = a[:-1]", "b[::-1] = b", "a[a > 3] = n"))
            case 6:
                self.emit(indent, self.pick("a = a + 1", "b = b * 0.5", "a = a[::-1]", "b = -b"))
            case _:
                self.emit(indent, self.pick("a += 1", "b *= 0.5", "a -= n % 3", "b += x % 2"))

    def grow(self, indent, depth):
        if self.chance(0.25):
            self.emit(indent, "if items:")
            self.emit(indent + 1, self.pick("items.pop()", "n = items.pop()", "items[-1] += 1"))
        else:
            self.emit(indent, f"items.append({self.whole()})")

    def improve(self, indent, depth):
        self.emit(indent, f"y = {self.real()}")
        self.emit(indent, f"if best is None or y {self.pick('<', '>')} best:")
        self.emit(indent + 1, "best = y")

    def tell(self, indent, depth):
        match self.rng.randint(0, 5):
            case 0:
                self.emit(indent, f"print({self.whole()}, {self.real()})")
            case 1:
                self.emit(indent, f"print(f'{{{self.whole()}}} and {{x:.3f}}', end=';')")
            case 2:
                self.emit(indent, f"print(n, {self.pick('a', 'b', 'c', 'word', 'best')})")
            case 3:
                self.emit(indent, f"word = f'{{n}}{{{self.pick('x', 'y')}:8.2f}}'")
            case 4:
                self.emit(indent, f"word = {self.pick(repr('u'), repr('v'))}")
            case _:
                self.emit(indent, f"print({self.pick('c', 'd', 'len(items)')}, x, sep='')")

    def check(self, indent, depth):
        match self.rng.randint(0, 3):
            case 0:
                self.emit(indent, f"assert {self.test()}")
            case 1:
                self.emit(indent, f"assert {self.whole()} < {self.pick(60, 90)}, 'too large'")
            case 2:
                self.emit(indent, f"if {self.whole()} == {self.number()}:")
                self.emit(indent + 1, f"raise ValueError('found', {self.whole()})")
            case _:
                self.emit(indent, f"if {self.real()} > {self.pick(6, 30)}:")
                self.emit(indent + 1, "raise KeyError('a key')")

    def early_return(self):
        if not self.returns:
            return None
        values = f"{self.whole()}, m, {self.real()}, y, {self.count()}, d, best, 3, 'left'"
        return f"return {self.pick(EARLY_RESULT, values)}"

    # -- compound statements -----------------------------------------------------------------------

    def elifs(self):
        return range(self.pick(0, 0, 1, 2))

    def headers(self, i, v, w):
        return (
            (f"{i} in range({self.whole()} % 5)", {"count": [i]}),
            (f"{i} in range({self.count()} % 5)", {"count": [i]}),
            (f"{i} in range({self.whole()} % 9, 1, -2)", {"count": [i]}),
            (f"{v} in a", {"whole": [v]}),
            (f"{v} in b", {"real": [v]}),
            (f"{v} in a[:n % 4]", {"whole": [v]}),
            (f"{i}, {v} in enumerate(b)", {"count": [i], "real": [v]}),
            (f"{v}, {w} in zip(a, b)", {"whole": [v], "real": [w]}),
            (f"{i}, ({v}, {w}) in enumerate(zip(b, a))", {"count": [i], "real": [v], "whole": [w]}),
            (f"{v} in reversed(a)", {"whole": [v]}),
            (f"{v} in ({self.whole()}, {self.whole()})", {"whole": [v]}),
        )

    def match_(self, indent, depth):
        name, other = self.fresh("v"), self.fresh("v")
        whole = self.chance(0.7)
        self.emit(indent, f"match {self.whole() if whole else f'({self.whole()}, {self.real()})'}:")
        first, second = ("0", "1 | 2 | -3") if whole else ("(0, _)", f"(1 | 2, {other})")
        self.emit(indent + 1, f"case {first}:")
        self.block(indent + 2, depth + 1)
        if self.chance(0.5):
            self.emit(indent + 1, f"case {second}:")
            self.block(indent + 2, depth + 1)
        if self.chance(0.6):
            self.emit(indent + 1, f"case {name if whole else f'({name}, _)'} if {self.test()}:")
            self.emit(indent + 2, f"n = {name} % 50")
            self.block(indent + 2, depth + 1)
        if self.chance(0.5):
            self.emit(indent + 1, "case _:")
            self.block(indent + 2, depth + 1)

    def inner_function(self):
        """A nested function that writes variables of the outer one."""
        kind = self.pick("whole", "real")
        name = self.fresh("inner")
        self.emit(1, f"def {name}(v):")
        self.emit(2, "nonlocal n, x, d")
        before = self.names
        self.names = {**before, kind: [*before[kind], "v", "v"]}
        e = getattr(self, kind)
        for _ in range(self.pick(1, 2)):
            self.emit(2, f"if {self.test()}:")
            changed = self.pick("whole", "real", "count")
            self.emit(
                3,
                f"{self.targets[changed][-1 if changed == 'count' else 0]} = "
                f"{getattr(self, changed)()}",
            )
            if self.chance(0.4):
                self.emit(3, f"return {e()}")
        self.emit(2, f"return {e()}")
        self.names = before
        self.functions[kind].append(name)
