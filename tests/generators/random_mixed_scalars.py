"""Random loops over numbers whose kinds only the run knows: integers, floats, and bools.

def f(x, n):
    a, b, c, held = 0, 1.5, False, [0] * 4
    for i in range(n):
        v = x[i]
        if v > a:
            a = v
        held[i % 4] = held[i % 4] + a
    return a, b, c, held
"""

import random

import numpy as np

STARTS = (
    "0",
    "1",
    "-3",
    "0.5",
    "-2.0",
    "True",
    "False",
    "n",
    "x[0]",
    "float('inf')",
    "np.int64(2)",
)
ATOMS = ("a", "b", "c", "v", "i", "1", "2", "0.5", "-1", "held[i % 4]", "held[0]", "True")
OPERATORS = ("+", "-", "*", "+", "-", "*", "//", "%", "/")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
EXPRESSIONS = (
    "{0}",
    "{0} {op} {1}",
    "({0} {op} {1}) {op2} {2}",
    "-{0}",
    "abs({0})",
    "min({0}, {1})",
    "max({0}, {1})",
    "({0} if {t} else {1})",
    "float({0})",
    "int({0})",
    "bool({0})",
    "({0} and {1})",
    "({0} or {1})",
    "min(max({0}, -50), 50)",
)
TESTS = (
    "{0} {cmp} {1}",
    "{0} {cmp} {1}",
    "{0} {cmp} {1} {cmp2} {2}",
    "{0}",
    "not {0}",
    "isinstance({0}, int)",
    "isinstance({0}, float)",
    "isinstance({0}, np.floating)",
    "{0} {cmp} {1} and {2} {cmp2} {3}",
    "i % 3 == 0",
)


class Writer:
    """Writes a program."""

    def __init__(self, source: random.Random) -> None:
        self.random = source

    def fields(self) -> dict:
        pick = self.random.choice
        return {
            "op": pick(OPERATORS),
            "op2": pick(OPERATORS),
            "cmp": pick(COMPARISONS),
            "cmp2": pick(COMPARISONS),
        }

    def atoms(self) -> list[str]:
        return [self.random.choice(ATOMS) for _ in range(4)]

    def test(self) -> str:
        return self.random.choice(TESTS).format(*self.atoms(), **self.fields())

    def expression(self) -> str:
        fields = {**self.fields(), "t": self.test()}
        return self.random.choice(EXPRESSIONS).format(*self.atoms(), **fields)

    def statements(self, indent: str, depth: int) -> list[str]:
        found: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.random()
            if kind < 0.35 and depth:
                found.append(f"{indent}if {self.test()}:")
                found += self.statements(indent + "    ", depth - 1)
                if self.random.random() < 0.5:
                    found.append(f"{indent}else:")
                    found += self.statements(indent + "    ", depth - 1)
            elif kind < 0.42 and depth:
                found.append(f"{indent}if {self.test()}:")
                found.append(f"{indent}    {self.random.choice(('break', 'continue'))}")
            elif kind < 0.6:
                place = self.random.choice(("i % 4", "0", "-1", "i % 2"))
                sign = self.random.choice(("=", "=", "+=", "-="))
                found.append(f"{indent}held[{place}] {sign} {self.expression()}")
            elif kind < 0.66:
                found.append(f"{indent}more.append({self.expression()})")
            else:
                name, sign = self.random.choice("abc"), self.random.choice(("=", "=", "=", "+="))
                found.append(f"{indent}{name} {sign} {self.expression()}")
        return found

    def module(self) -> str:
        starts = [self.random.choice(STARTS) for _ in range(4)]
        loop = self.random.choice(("for i in range(n):", "for i in range(len(x)):"))
        return "\n".join(
            [
                "import numpy as np",
                "",
                "",
                "def f(x, n):",
                f"    a, b, c, held = {starts[0]}, {starts[1]}, {starts[2]}, [{starts[3]}] * 4",
                "    more = []",
                f"    {loop}",
                "        v = x[i]",
                *self.statements("        ", 2),
                "    return a, b, c, held, more",
                "",
            ]
        )


def arguments() -> list[tuple]:
    """Arrays of several dtypes, and the number of iterations."""
    floats = np.random.default_rng(5).normal(size=12) * 3
    whole = np.random.default_rng(6).integers(-4, 5, 12)
    return [
        (floats, np.int64(12)),
        (whole, np.int64(12)),
        (floats, np.int64(0)),
        (np.array([0.5, np.nan, -np.inf, 2.0]), np.int64(4)),
        (whole.astype("f4"), np.int64(9)),
        (whole.astype("i4") * 100_000_000, np.int64(12)),
    ]
