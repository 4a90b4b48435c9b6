"""Random functions that mix views, writes in place, containers, closures, helpers and effects.

    source = Writer(random.Random(seed)).module()
    load(source, name, function=rt.function).f(*arguments(module)[0])

Every program defines `f(n, x, v, m, r, o, d)`: a NumPy integer and float, an array of four and one of
three rows of four, and a list, an object and a dict that hold arrays of four.  Names and places share
these arrays or views of them; statements write into them in branches and loops that depend on the
arguments.  With `pure`, `f(n, x, v, m)` makes its own containers, has no effects, and returns arrays
and floats only, so that it can be mapped and differentiated.

The file is long because a grammar is one class: a method for each kind of statement.
"""

import numpy as np
from grammar import StagedGrammar, weighted

PRELUDE = """\
import dataclasses

import numpy as np

LOG = []


@dataclasses.dataclass
class Box:
    h: object
    w: object
    items: list

    def bump(self, s):
        if s > 1.0:
            self.h[0] += s
            return self.h[1]
        self.w = self.w + 1.0
        return self.w

    def scaled(self, s):
        return self.h * 0.5 if s > self.w else self.h


STATE = Box(np.zeros(4), 0.0, [])


@function
def scaled(a, s):
    if s > 1.0:
        a = a * 0.5
    return a


@function
def written(a, s):
    if a[0] < s:
        a[1] = s
    return a.sum()


def remember(s, seen=[]):
    seen.append(s)
    return len(seen)


def above(a, limit):
    for e in a:
        if e > limit:
            yield e * 0.5


def first_row(rows, limit):
    for row in rows:
        if row[0] > limit:
            return row
    return rows[-1]


def folded(a, n):
    if n <= 0:
        return a.sum()
    a[n % 4] += 0.5
    return folded(a[::-1], n - 1) * 0.5
"""

NAMES = ("u", "w", "v")
PLACES = ("r[0]", "r[-1]", "o.h", "d['a']")


def arguments(box, pure=False):
    """The inputs of every program: other branches, and loops of 0, 1, 3 and 5 iterations."""
    for n, x, shift in ((3, 2.0, 0.0), (0, -1.0, 1.5), (1, 0.5, -3.0), (5, 6.5, 0.25)):
        v = np.array([0.5, -1.0, 3.0, 1.25]) + shift
        m = np.arange(12.0).reshape(3, 4)[:, ::-1].copy() - 2.0 * shift
        held = [v + 1.0, v * 2.0, v - 2.0, v * 0.25]
        values = np.int64(n), np.float64(x), v, m
        yield (
            values
            if pure
            else (*values, held[:2], box(held[2], np.float64(1.5), []), {"a": held[3]})
        )


class Writer(StagedGrammar):
    """Writes one random program."""

    PRELUDE = PRELUDE
    SIMPLE = weighted(
        bind=4, write=7, swap=1, total=3, store=3, grow=3, call=3, effect=2, leave=1, inner_call=2
    )
    COMPOUND = weighted(branch=4, while_=1, endless=1, for_=4)

    def __init__(self, rng, pure=False, depth=2):
        super().__init__(rng, depth, {"array": [*NAMES], "whole": ["n"]})
        self.pure = pure
        self.inner: list[str] = []
        self.returns = self.chance(0.15)
        self.joins = self.chance(0.2)  # blocks may bind names to arrays that have other names
        self.outside = self.chance(0.2)  # blocks may change the lengths of outside containers
        result = "y, u, w, v, m, o.h, o.w, d['a'], r[0], r[-1], t[0]"
        more = ", n, r, o, d, len(r), list(d), own, rows"
        self.result = result if pure else result + more

    def module(self):
        """The source of a whole module, which defines `f`."""
        self.emit(0, f"def f({'n, x, v, m' if self.pure else 'n, x, v, m, r, o, d'}):")
        if self.pure:
            self.emit(1, "r, o, d = [v + 1.0, v * 2.0], Box(v - 2.0, x * 0.5, []), {'a': v * 0.25}")
        self.emit(1, f"y = {self.pick('x', '1.0', '0.5 * x')}")
        self.emit(1, f"u, w = {self.start()}, {self.start()}")
        self.emit(1, f"t = ({self.start()}, x)")
        self.emit(1, "own, rows = [x], [v * 1.0]")
        for _ in range(self.pick(0, 0, 1, 1, 2)):
            self.inner_function()
        for _ in range(self.rng.randint(2, 5)):
            self.statement(1, 0)
        self.emit(1, f"return {self.result}")
        return self.source()

    # -- expressions -------------------------------------------------------------------------------

    def start(self):
        return self.pick("v", "v * 2.0", "m[0]", "m[1]", "v[::-1]", "m.reshape(-1)[4:8]", "o.h")

    def array(self, depth=0):
        """An expression for an array of four that other names may hold."""
        if depth > 1:
            return self.some("array")
        match self.rng.randint(0, 15):
            case 0 | 1:
                return self.pick("m[0]", "m[2]", "m[-1]", f"m[{self.whole()} % 3]")
            case 2:
                return self.pick("m.ravel()[2:6]", "m.reshape(-1)[::3]", "m.reshape(4, 3).T[1]")
            case 3:
                return self.pick("m.reshape(2, 6)[:, 1:3].reshape(-1)", "m.T.reshape(-1)[:4]")
            case 4:
                return f"{self.array(2)}[::-1]"
            case 5 | 6 | 7:
                return self.pick(*PLACES, "t[0]")
            case 8:
                return f"({self.array(2)} if {self.test()} else {self.array(2)})"
            case 9:
                return self.pick(
                    f"scaled({self.array(2)}, x)",
                    "o.scaled(x)",
                    "first_row(m, x)",
                    "first_row(r, y)",
                    f"d.get('b', {self.array(2)})",
                )
            case _:
                return self.some("array")

    def new(self):
        """An expression for a new array."""
        a, b = self.array(1), self.array(1)
        return self.pick(
            f"{a} * 0.5",
            f"{a} * 0.5 + {b} * 0.25",
            f"{a}.copy()",
            f"np.abs({a})",
            f"np.sort({a})",
            f"np.where({a} > {b}, {a}, 1.0)",
            f"np.clip({a}, -2.0, 2.0)",
            f"np.array([e * 0.5 for e in {a}])",
            f"np.stack(({a}, {b})).T.reshape(-1)[::2]",
            f"np.concatenate(({a}[2:], {b}[:2]))",
            "m.sum(axis=0) * 0.25",
        )

    def real(self):
        """An expression for a float."""
        a = self.array(1)
        return self.pick(
            "x",
            "y",
            "x * 0.5",
            "1.5",
            f"{a}[{self.index()}]",
            f"{a}.sum() % 31.0",
            f"{a}.max()",
            f"{a}[1] * 0.5 + y * 0.25",
            "o.w",
            f"m[{self.pick('0', '1', self.whole() + ' % 3')}, {self.index()}]",
            f"({a}[0] if {self.test()} else y)",
        )

    def whole(self):
        return self.some("whole")

    def index(self):
        return self.pick("0", "1", "3", "-1", f"{self.whole()} % 4")

    def test(self, depth=0):
        a = self.array(2)
        return self.pick(
            "n > 1",
            "x > 1.0",
            f"{a}[0] > 1.5",
            f"{a}[1] < {a}[2]",
            "y > 2.0",
            f"{self.whole()} % 2 == 0",
            f"x > 0.0 and {a}[3] > 0.5",
            f"not {a}[2] > y",
            "o.w < 3.0",
        )

    def elifs(self):
        return range(self.pick(0, 0, 1))

    def headers(self, i, v, w):
        whole, array = {"whole": [i]}, {"array": [v]}
        return (
            (f"{i} in range(n)", whole),
            (f"{i} in range(n % 3)", whole),
            (f"{i} in range({self.whole()} % 4)", whole),
            (f"{i} in range(n, 0, -2)", whole),
            (f"{v} in m", array),
            (f"{v} in m[::-1]", array),
            (f"{v} in m[:n % 3]", array),
            (f"{i}, {v} in enumerate(m)", {**whole, **array}),
            (f"{v}, {w} in zip(m, m[1:])", {"array": [v, w]}),
            (f"{w} in {self.array(1)}", {}),
            (f"{v}, {w} in zip(m, {self.array(1)})", array),
            (f"{v} in r[:2]", array),
            (f"{v} in list(r)", array),
            (f"{v} in list(d.values())", array),
            (f"{v} in (u, w)", array),
        )

    # -- statements --------------------------------------------------------------------------------

    def assign(self, indent, depth):
        self.bind(indent, depth)

    def early_return(self):
        return f"return {self.result}" if self.returns else None

    def bind(self, indent, depth):
        target = self.pick("u", "w", "u", "w", "v")
        self.emit(indent, f"{target} = {self.held(depth)}")

    def held(self, depth):
        """An expression for the array that a name or a place is bound to."""
        return self.pick(self.array, self.new)() if self.joins or not depth else self.new()

    def write(self, indent, depth):
        a, b, i, e = self.array(), self.array(1), self.index(), self.real()
        if "else" in a or "(" in a.replace("m.r", ""):
            a = self.pick("u", "w", *PLACES)
        name = self.pick("u", "w", "v", "r[0]", "o.h", "d['a']", "m[1]")
        self.emit(
            indent,
            self.pick(
                f"{a}[{i}] = {e}",
                f"{name}[{i}] = {e}",
                f"{name}[{i}] -= {e}",
                f"{name}[::2] = {e}",
                f"{a}[{i}] += {self.real()}",
                f"{a}[1:3] *= 0.5",
                f"{a}[:] = {b}",
                f"{a}[1:] = {b}[:3]",
                f"np.copyto({a}, {b})",
                f"np.copyto({a}, {b}, where={b} > 1.0)",
                f"np.add({a}, {b}, out={a})",
                f"np.multiply({b}, 0.5, out={a})",
                f"u = np.maximum({b}, 0.0, out={a})",
                f"{a}.sort()",
                f"{a}.fill({e})",
                f"{name} += {b}",
                f"{name} *= 0.5",
                f"{a}[{b} > 1.0] = {e}",
                f"m[:, {self.whole()} % 4] = {e}",
                f"m[{self.whole()} % 3] = {b}",
                f"m[1:, 2] += {e}",
                f"m.T[{self.pick('0', '3')}] = {b}[1:]",
                "m[:, ::2] *= 0.5",
                "m *= 0.5",
                "m.sort(axis=0)",
                f"m.flat[{i}] = {e}",
                f"np.add.at({a}, [0, 2, 0], {e})",
                f"np.fill_diagonal(m, {e})",
                f"{a}.put([1, 2], {e})",
                f"np.put({a}, 3, {e})",
                f"{a}[0], {a}[3] = {a}[3], {a}[0]",
                f"({a})[[1, 2]] = {b}[[2, 0]]",
            ),
        )

    def swap(self, indent, depth):
        if depth and not self.joins:
            return self.write(indent, depth)
        one, other = self.rng.sample(("u", "w", *PLACES), 2)
        self.emit(indent, f"{one}, {other} = {other}, {one}")

    def total(self, indent, depth):
        e = self.real()
        self.emit(indent, self.pick(f"y = {e}", f"y = y * 0.5 + {e}", f"y += {e}"))

    def store(self, indent, depth):
        a = self.held(depth)
        self.emit(
            indent,
            self.pick(
                f"r[0] = {a}",
                f"r[-1] = {a}",
                f"o.h = {a}",
                f"d['a'] = {a}",
                f"t = ({a}, {self.real()})",
                f"o.w = {self.real()}",
                "o.w += 0.5",
                f"o = Box({a}, {self.real()}, [])",
                f"r = [{a}, u * 0.5]",
                f"r = [e * 0.5 for e in {self.pick('r', 'm')}]",
                f"d = {{'a': {a}}}",
                "d = dict(d)",
                "u, w = r[0] * 0.5, r[1] + 1.0",
            ),
        )

    def grow(self, indent, depth):
        if depth and not self.outside:
            return self.grow_own(indent)
        a = self.held(depth)
        match self.rng.randint(0, 7):
            case 0 | 1:
                self.emit(indent, f"r.append({a})")
            case 2:
                self.emit(indent, "if len(r) > 2:")
                self.emit(indent + 1, self.pick("r.pop()", "u = r.pop()", "w = r.pop(0)"))
            case 3:
                self.emit(indent, self.pick(f"r.insert(0, {a})", "r.reverse()", f"r += [{a}]"))
            case 4:
                self.emit(indent, "if 'b' in d:")
                self.emit(indent + 1, self.pick("u = d['b']", "w = d.pop('b')", "d['b'][0] = x"))
            case 5:
                self.emit(indent, self.pick(f"w = d.setdefault('b', {a})", f"d.update(b={a})"))
            case 6:
                self.emit(indent, f"o.items.append({self.real()})")
            case _:
                self.emit(indent, "for e in o.items:")
                self.emit(indent + 1, "y = y * 0.5 + e")

    def grow_own(self, indent):
        """Changes a list that the function has made."""
        e, a = self.real(), self.new()
        self.emit(
            indent,
            self.pick(
                f"own.append({e})",
                f"own[-1] = {e}",
                f"own = [*own, {e}, x]",
                f"y = own[{self.whole()} % len(own)]",
                "own.reverse()",
                "own = [e * 0.5 for e in own]",
                "y = sum(own) % 31.0",
                f"if len(own) > 1:\n{'    ' * (indent + 1)}y = own.pop()",
                f"rows.append({a})",
                f"rows.append({self.array()})",
                f"rows[-1] = {a}",
                f"rows[-1][1] = {e}",
                f"rows[-1] += {self.array()}",
                f"y = rows[{self.whole()} % len(rows)][0]",
                "y = np.sum([row[0] for row in rows]) % 31.0",
                "u = np.stack(rows).sum(axis=0) * 0.5",
            ),
        )

    def call(self, indent, depth):
        a = self.array()
        self.emit(
            indent,
            self.pick(
                f"y = o.bump({self.real()})",
                f"y = written({a}, {self.real()})",
                f"written({a}, x)",
                f"y = sum(above({a}, x), 0.0) + y * 0.5",
                f"y = max(above({a}, x), default=y)",
                f"y = folded({a}, n % 3)",
                f"u = scaled({a}, y)",
                f"w = first_row(m, {self.real()})",
                f"y = float(sum(e for e in {a} if e > x))",
                "u, w = (lambda p, q: (q, p))(u, w)",
            ),
        )

    def effect(self, indent, depth):
        if self.pure or not depth:
            return self.total(indent, depth)
        e = self.real()
        if self.outside:
            lines = f"LOG.append({e})", f"remember({e})", "STATE.items.append(n)"
            return self.emit(indent, self.pick(*lines))
        self.emit(
            indent,
            self.pick(
                f"print({e}, {self.some('array')})",
                f"print(f'{{y + x:.3f}}', n, {e})",
                f"STATE.w = {e}",
                f"STATE.w += {e}",
                f"STATE.h = {self.array()}",
                "STATE.h[1] += x",
            ),
        )

    # -- closures ----------------------------------------------------------------------------------

    def inner_function(self):
        """A nested function that writes variables of the outer one."""
        name = self.fresh("inner")
        self.emit(1, f"def {name}(p):")
        self.emit(2, "nonlocal u, w, v, y, t, r, o, d, own")
        before, inner = self.names, self.inner
        self.names, self.inner = {**before, "array": [*before["array"], "p", "p"]}, []
        returns, self.returns = self.returns, False
        self.block(2, 1)
        self.emit(2, f"return {self.pick(self.array, self.new)()}")
        self.names, self.inner, self.returns = before, [*inner, name], returns

    def inner_call(self, indent, depth):
        if not self.inner:
            return self.write(indent, depth)
        call = f"{self.pick(*self.inner)}({self.array()})"
        self.emit(indent, self.pick(call, f"w = {call}", f"y = {call}[0]"))
