"""Random programs over objects of user classes, lists and None, which names share.

a = P(x, [x, 1.0])
b = a if x > 1.0 else P(2.0, [x])
a.w = 5.0
for i in range(n):
    b = P(b.w + 1.0, b.items)
return b.w, len(b.items), a.w, ...
"""

import random

HEADER = """import dataclasses

import numpy as np


class P:
    def __init__(self, w, items):
        self.w = w
        self.items = items

    def moved(self, d):
        return P(self.w + d, self.items)

    def bump(self):
        self.w = self.w + 1.0
        return self


@dataclasses.dataclass
class Q:
    p: object
    z: object


"""
NAMES = ("a", "b", "c")


class Writer:
    """Writes one program."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.lines: list[str] = []

    def module(self) -> str:
        """The source of a module with the function `f(x, n, v)`."""
        self.line(1, "a, b, c = P(x, [x]), P(1.0, [x]), P(x * 2.0, [x])")
        self.line(1, "q, r, items = Q(a, x), None, [x]")
        self.block(1, self.rng.randint(3, 6), 2)
        if self.rng.random() < 0.3:
            self.line(1, "return a, b, c, q, r, items, v")
        else:
            self.line(1, "found = [(p.w, p.items[0], len(p.items)) for p in (a, b, c, q.p)]")
            self.line(1, "last = r.w if isinstance(r, P) else -1.0")
            self.line(1, "return found, items[0], q.z, last, a is b, b is c, v")
        return HEADER + "def f(x, n, v):\n" + "\n".join(self.lines) + "\n"

    def line(self, depth, text):
        self.lines.append("    " * depth + text)

    def block(self, depth, count, nesting):
        for _ in range(count):
            self.statement(depth, nesting)

    def statement(self, depth, nesting):
        pick = self.rng.random()
        if nesting and pick < 0.3:
            self.line(depth, f"if {self.condition()}:")
            self.block(depth + 1, self.rng.randint(1, 2), nesting - 1)
            if self.rng.random() < 0.5:
                self.line(depth, "else:")
                self.block(depth + 1, self.rng.randint(1, 2), nesting - 1)
        elif nesting and pick < 0.4:
            self.line(depth, "for i in range(n):")
            self.block(depth + 1, self.rng.randint(1, 2), nesting - 1)
        elif pick < 0.65:
            self.line(depth, self.write())
        else:
            self.line(depth, f"{self.rng.choice(NAMES)} = {self.obj()}")

    def condition(self):
        return self.rng.choice(
            ["x > 1.0", "x > 5.0", "v[0] < 0.5", f"{self.name()}.w > 2.0", "n > 1"]
        )

    def name(self):
        return self.rng.choice(NAMES)

    def obj(self):
        name = self.name()
        forms = [name, f"({name} if {self.condition()} else {self.name()})"]
        forms += [f"P({self.number()}, {name}.items)", f"P({self.number()}, [{name}.w])"]
        forms += [f"{name}.moved(1.0)", "q.p"]
        return self.rng.choice(forms)

    def number(self):
        return self.rng.choice(["x", "1.5", f"{self.name()}.w + 1.0", "float(x)"])

    def write(self):
        name = self.name()
        return self.rng.choice(
            [
                f"{name}.w = {self.number()}",
                f"{name}.bump()",
                f"{name}.items[0] = {self.number()}",
                f"{name}.items = items",
                f"items[0] = {self.number()}",
                f"q.p = {self.obj()}",
                f"q = dataclasses.replace(q, p={name})",
                f"q = Q({name}, {self.number()})",
                f"r = {name} if {self.condition()} else None",
                f"r = ({name}.w, x) if {self.condition()} else None",
                "c = r if isinstance(r, P) else c",
                f"if r is not None and isinstance(r, P): r.w = {self.number()}",
                "v[0] = x",
            ]
        )


def arguments() -> list[tuple]:
    """Arguments that take different paths."""
    import numpy as np

    return [
        (np.float64(x), np.int64(n), np.array([v, 1.0]))
        for x, n, v in ((3.0, 2, 0.0), (0.5, 0, 1.0), (7.0, 1, 0.25))
    ]
