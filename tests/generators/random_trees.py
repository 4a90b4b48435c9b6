"""Random functions that transform trees: dicts, lists, tuples and objects of dataclasses in loops.

Writer(random.Random(seed)).module()       a module with f(x, n, t), and with loss(t, x, n), the sum
                                           of all leaves of the result
"""

import numpy as np
from grammar import StagedGrammar, weighted

PRELUDE = """
import dataclasses
import functools

import numpy as np


@dataclasses.dataclass
class State:
    w: object
    b: object
    step: int = 0


@dataclasses.dataclass(frozen=True)
class Pair:
    m: object
    v: object


def mapped(function, *trees):
    first = trees[0]
    if isinstance(first, dict):
        return {key: mapped(function, *(t[key] for t in trees)) for key in first}
    if isinstance(first, (list, tuple)):
        return type(first)(mapped(function, *parts) for parts in zip(*trees))
    if dataclasses.is_dataclass(first):
        names = [field.name for field in dataclasses.fields(first) if field.name != "step"]
        new = {name: mapped(function, *(getattr(t, name) for t in trees)) for name in names}
        return dataclasses.replace(first, **new)
    return function(*trees)


def leaves(tree):
    if isinstance(tree, dict):
        return [leaf for part in tree.values() for leaf in leaves(part)]
    if isinstance(tree, (list, tuple)):
        return [leaf for part in tree for leaf in leaves(part)]
    if dataclasses.is_dataclass(tree):
        fields = [field for field in dataclasses.fields(tree) if field.name != "step"]
        return [leaf for field in fields for leaf in leaves(getattr(tree, field.name))]
    return [tree]
"""
LOSS = """

def loss(t, x, n):
    _, y, t, m, v, w, b, _, q = f(x, n, t)
    return sum(np.sum(np.tanh(leaf)) for leaf in leaves([y, t, m, v, w, b, q]))
"""

FLOATS = ("x", "y", "t['b']", "q[0]", "p.m", "s.b", "t['opt']['m']", "t['l'][1]")
ARRAYS = ("t['w']", "s.w", "p.v", "t['l'][0]", "q[1]", "t['opt']['v']")
FUNCTIONS = (
    "lambda v: v * 0.5",
    "lambda v: v + x",
    "np.tanh",
    "lambda v: v * v - y",
    "lambda v: np.where(v > 0.3, v, -v) * 1.0",
    "lambda v: v + 0.0",
)
PAIRS = ("lambda a, b: a - 0.1 * b", "lambda a, b: a * b", "lambda a, b: 0.9 * a + 0.1 * b")


def arguments():
    """The inputs of every program."""
    for x, n in ((1.7, 3), (-0.6, 1), (0.25, 0), (1.7, 3), (2.3, 4)):
        w = np.array([x * 0.5, 1.1, -0.7])
        yield (
            np.float64(x),
            np.int64(n),
            {
                "w": w,
                "b": np.float64(x - 0.21),
                "l": [w * 0.9, np.float64(0.45)],
                "opt": {"m": np.float64(-0.35), "v": w[::-1].copy()},
            },
        )


class Writer(StagedGrammar):
    """Writes a function; every call of it ends."""

    PRELUDE = PRELUDE
    SIMPLE = weighted(assign=2, place=4, tree=5, record=3, unpack=2, merge=2, leave=1)
    COMPOUND = weighted(branch=4, while_=1, for_=5)

    def __init__(self, rng):
        super().__init__(rng, 2, {"whole": ["n"]})

    def module(self) -> str:
        """The source of the module."""
        self.emit(0, "def f(x, n, t):")
        self.emit(1, "y, s = x * 0.5, State(t['w'] * 2.0, x - 1.3)")
        self.emit(1, "p, q = Pair(x * 0.7, t['w'] + 0.1), (x + 0.4, s.w * 0.5)")
        for _ in range(self.rng.randint(2, 5)):
            self.statement(1, 0)
        self.emit(1, "return x, y, t, p.m, p.v, s.w, s.b, s.step, q")
        return self.source() + LOSS

    # -- expressions -------------------------------------------------------------------------------

    def real(self):
        """An expression for a float."""
        one = self.pick(*FLOATS)
        return self.pick(one, f"{one} * 0.5", f"{one} + 0.6", f"np.sum({self.pick(*ARRAYS)})")

    def array(self):
        """An expression for an array of three."""
        one = self.pick(*ARRAYS)
        return self.pick(one, f"{one} * 0.5", f"{one} + {self.pick(*FLOATS)}", f"{one}.copy()")

    def test(self, depth=0):
        return self.pick(
            f"{self.pick(*FLOATS)} > {self.pick(*FLOATS, '1.05')}",
            "n > 1",
            "s.step < 2",
            f"{self.pick(*ARRAYS)}[0] > 0.33",
        )

    def elifs(self):
        return range(self.pick(0, 0, 1))

    def headers(self, i, v, w):
        return (
            (f"{i} in range(n)", {"whole": [i]}),
            (f"{i} in range(n)", {"whole": [i]}),
            (f"{i} in range(3)", {"whole": [i]}),
            ("y in t['w']", {}),
            (f"{v} in list(t)", {}),
            (f"{v}, {w} in t['opt'].items()", {}),
            (f"{v}, {w} in enumerate(leaves(s))", {}),
        )

    def early_return(self):
        return self.pick(None, None, None, "return x, y, t, p.m, p.v, s.w, s.b, s.step, q")

    # -- statements --------------------------------------------------------------------------------

    def assign(self, indent, depth):
        self.emit(indent, f"{self.pick('x', 'y')} = {self.real()}")

    def place(self, indent, depth):
        """Writes into a part of a tree."""
        self.emit(
            indent,
            self.pick(
                f"t['b'] {self.pick('=', '+=')} {self.real()}",
                f"t['opt']['m'] {self.pick('=', '-=')} {self.real()}",
                f"t['opt']['v'] = {self.array()}",
                f"t['l'][{self.pick('1', '-1')}] = {self.real()}",
                f"t['l'][0] = {self.array()}",
                f"t['w'] = {self.array()}",
                f"s.w = {self.array()}",
                f"s.b {self.pick('=', '*=')} {self.real()}",
                "s.step += 1",
                f"{self.pick(*ARRAYS)}[{self.pick('0', '-1')}] += {self.real()}",
                f"t.update(b={self.real()})",
            ),
        )

    def tree(self, indent, depth):
        """Maps a function over a tree, or over a part of one."""
        one, pair = self.pick(*FUNCTIONS), self.pick(*PAIRS)
        self.emit(
            indent,
            self.pick(
                f"t = mapped({one}, t)",
                f"s = mapped({one}, s)",
                f"p = mapped({one}, p)",
                f"t = mapped({pair}, t, mapped({one}, t))",
                f"q = mapped({pair}, q, q)",
                f"t['opt'] = mapped({one}, t['opt'])",
                f"t['opt'] = {{k: ({one})(v) for k, v in t['opt'].items()}}",
                f"t['l'] = [({one})(v) for v in t['l']]",
                f"q = tuple(({one})(v) for v in q)",
                f"q = tuple(map({one}, q))",
                "y = sum(np.sum(leaf) for leaf in leaves(t)) * 0.1",
                "y = functools.reduce(lambda a, b: a + np.sum(b), leaves(s), y) * 0.1",
                "y = max(np.max(leaf) for leaf in leaves(p))",
                f"t = dict(zip(t, mapped({one}, list(t.values()))))",
            ),
        )

    def merge(self, indent, depth):
        """Builds a dict from others; in a block, where a write into one of two dicts is refused, it
        writes instead."""
        if depth and self.chance(0.8):
            self.place(indent, depth)
            return
        self.emit(
            indent,
            self.pick(
                f"t = {{**t, 'b': {self.real()}}}",
                f"t = t | {{'w': {self.array()}}}",
                f"t |= {{'b': {self.real()}}}",
                f"t = {{**t, 'opt': {{**t['opt'], 'm': {self.real()}}}}}",
                "t = {k: t[k] for k in sorted(t)}",
                "t = {k: v for k, v in t.items()}",
                "t = {k: ({**v, 'm': x} if k == 'opt' else v) for k, v in t.items()}",
                f"t['b'], t['opt']['m'] = t['opt']['m'], {self.real()}",
                "t = {'w': t.pop('w'), **t}",
                f"t['l'] = [*t['l'][:1], {self.real()}]",
                f"t['l'] = t['l'][:1] + [{self.real()}]",
                "t = dict(t, b=y)",
            ),
        )

    def record(self, indent, depth):
        """Binds a name to a new object."""
        self.emit(
            indent,
            self.pick(
                f"p = Pair({self.real()}, {self.array()})",
                f"p = dataclasses.replace(p, m={self.real()})",
                f"p = dataclasses.replace(p, v={self.array()})",
                f"s = State({self.array()}, {self.real()}, s.step)",
                f"s = dataclasses.replace(s, w={self.array()}, step=s.step + 1)",
                f"q = ({self.real()}, {self.array()})",
                "p = Pair(**{'m': p.m * 0.5, 'v': p.v})",
            ),
        )

    def unpack(self, indent, depth):
        """Takes a tree apart."""
        self.emit(
            indent,
            self.pick(
                "x, w = q",
                "w, y, *_ = t.values()",
                "(_, y), s.w = t['l'], q[1]",
                "y, t['w'] = q",
                "y, _ = dataclasses.astuple(p)",
                "x, v = [getattr(p, name) for name in ('m', 'v')]",
                "a, *_, opt = t.values(); y = opt['m'] if isinstance(opt, dict) else y",
            ),
        )
