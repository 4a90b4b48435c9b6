"""Random functions that call themselves and change places outside of themselves.

    def f(x, k):
        held = [x, 0, 1.5]
        n = 3
        def step(a, d):
            nonlocal n
            if d > 0 and held[0] < 40.0:
                held[1] = held[1] + 1
                n = n - step(a * 0.5, d - 1)
                ...
            return ...
        found = step(x, k)
        return found, held, n, ...

Every function ends after a few calls: `d` gets smaller in each.
"""

import random

import numpy as np

PLACES = ["held[0]", "held[1]", "held[2]", "table['a']", "table['b']", "o.p", "o.q", "m", "n"]
PLACES += ["array[0]", "array[1]"]


def arguments():
    """Arguments of the program: `x`, and the number of calls."""
    return [(np.float64(x), np.int64(k)) for x in (1.5, -2.0, 60.0) for k in (0, 1, 3)]


class Writer:
    """Writes one program."""

    def __init__(self, source: random.Random):
        self.source = source
        count = source.randint(1, 4)
        self.places = source.sample(PLACES, count)
        self.counts = [p for p in self.places if p in ("held[1]", "table['b']", "o.q", "n")]
        self.has_result = source.random() < 0.6
        self.is_method = source.random() < 0.2
        self.lines: list[str] = []

    def module(self) -> str:
        """The source of a module with a function `f(x, k)`."""
        put, pick = self.lines.append, self.source.choice
        put("import numpy as np")
        put("class Holder:\n    pass")
        put("def f(x, k):")
        put("    held, table = [x, 0, 1.5], {'a': x, 'b': 2}")
        put("    o, m, n, array = Holder(), 0.5, 3, np.array([x, 2.0])")
        put("    o.p, o.q, grown = x + 1, 0, []")
        put("    def step(a, d):")
        put("        nonlocal m, n")
        self.block(2, self.source.randint(0, 2), calls=False)
        put(f"        if {self.condition()}:")
        self.block(3, self.source.randint(1, 3), calls=False)
        self.calls(3)
        self.block(3, self.source.randint(0, 2), calls=True)
        if self.has_result and self.source.random() < 0.5:
            put(f"            return {self.number()}")
        if self.source.random() < 0.4:
            put("        else:")
            self.block(3, self.source.randint(1, 2), calls=False)
        self.block(2, self.source.randint(0, 1), calls=False)
        if self.has_result:
            put(f"        return {self.number()}")
        put(f"    found = step({pick(['x', 'x * 2', 'held[0]'])}, k)")
        if self.source.random() < 0.3:
            put("    found = found, step(x, 1)")
        put("    return found, held, table, o.p, o.q, m, n, array, grown")
        return "\n".join(self.lines) + "\n"

    def condition(self) -> str:
        """Always false where `d` is 0."""
        others = ["a < 50.0", "held[0] < 40.0", "o.p < 30", "n < 9", "m > -50", "table['b'] < 20"]
        others += ["held[1] < 6", "len(grown) < 5", "array[0] < 99.0"]
        chosen = self.source.sample(others, self.source.randint(0, 2))
        return " and ".join(["d > 0", *chosen])

    def block(self, depth: int, count: int, calls: bool) -> None:
        """Statements that change places."""
        for _ in range(count):
            self.lines.append("    " * depth + self.statement())
            if calls and self.source.random() < 0.3:
                self.calls(depth)

    def statement(self) -> str:
        """A change of a place."""
        if self.source.random() < 0.08:
            return f"grown.append({self.source.choice(['a', 'd', 'held[0]'])})"
        place = self.source.choice(self.places)
        if place in self.counts:
            change = self.source.choice(["+= 1", "-= 1", "= {p} * 2 - 1", "= 7", "+= d"])
        else:
            change = self.source.choice(["*= 0.5", "+= 1.0", "= {p} + a", "= {q} - 0.25", "= a"])
        return f"{place} {change}".format(p=place, q=self.source.choice(self.places))

    def number(self) -> str:
        """A value to return."""
        return self.source.choice(
            ["a + 1.0", "a * 0.5", f"{self.source.choice(self.places)} + 0.5"]
        )

    def calls(self, depth: int) -> None:
        """A call, or two, of the function itself."""
        for _ in range(self.source.choice([1, 1, 2])):
            given = self.source.choice(["a", "a * 0.5", "a + 1", *self.places])
            call = f"step({given}, d - 1)"
            if self.has_result:
                call = self.source.choice([call, f"m = {call}", f"a = {call}", f"o.p = {call}"])
            indent = "    " * depth
            if self.source.random() < 0.2:
                self.lines.append(f"{indent}if {self.source.choice(['a > 0', 'held[0] > a'])}:")
                indent += "    "
            self.lines.append(indent + call)
