"""Random programs of nested loops whose iterations are known while a graph is recorded.

    source = loop_program(seed)        the source of `def f(x)`, for an array of five numbers

Two to four loops are nested or follow each other.  Their bodies change numbers, arrays, aliases,
attributes, lists and dicts, print, and end iterations or loops early.
"""

import random

HEADERS = (
    "for {i} in range({n}):",
    "for {i} in range({n}):",
    "for {i} in range({m}, {n}):",
    "for {i} in range({n}, 0, -1):",
    "for {i} in ({numbers}):",
    "for {i} in [{numbers}]:",
    "for {i}, e in enumerate([{floats}]):",
    "for {i}, e in zip(range({n}), ({floats})):",
    "for {i} in reversed(range({n})):",
    "for {i} in x:",
)
INNER = ("for {j} in range({i}):", "for {j} in range({i}, {n}):")
STATEMENTS = (
    "s = s * 0.5 + {value}",
    "s = {value}",
    "n += 1",
    "n = n + {i}",
    "n = {i} * 2 - n",
    "t = t + {value}",
    "t, s = s, t",
    "a[{at}] = {value}",
    "a[{at}] += {value}",
    "a[1:3] = a[2:4] * 0.5",
    "a = a * 0.5",
    "b = a",
    "b = b + {value}",
    "b[{at}] = {value}",
    "m[{at}, {at}] = {value}",
    "o.v = o.v * 0.5 + {value}",
    "o.k += 1",
    "d['p'] = d['p'] + {value}",
    "d['q'] = {i}",
    "z.append({value})",
    "z.append({i})",
    "c = {i}",
    "h = {value} if h is None else h * 0.5",
    "k = {value}",
    "print({i}, n)",
    "print('s', s)",
    "n = n % 7 + abs({i})",
    "w = w // 2 + {i}",
    "s = s + helper({value}, {i})",
)
VALUES = (
    "x[{at}]",
    "{i}",
    "s",
    "1.5",
    "a[{at}]",
    "t",
    "n",
    "{i} * 0.5",
    "x[{at}] * {i}",
    "b[{at}]",
)
CONDITIONS = ("x[{at}] > 1.0", "{i} % 2 == 0", "s > 2.0", "n > 3", "a[{at}] < 0.5", "{i} == 1")
START = """\
def f(x):
    a, b, m = x.copy(), x * 2.0, np.zeros((5, 5))
    s, t, n, w, c, h, k = {s}, {t}, 0, 3, None, None, 0
    o, d, z = Box(0.5, 0), {{'p': {p}, 'q': 0}}, [{z}]
"""
END = "    return s, t, n, w, c, h, k, a, b, m, o.v, o.k, d, z\n"


class LoopProgram:
    """One random program."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.loops = 0

    def source(self) -> str:
        """The source of the program."""
        start = {"s": "0 0.0 x[0]", "t": "1 0.5 x[1]", "p": "0 x[2]", "z": ", 1, 0.5, x[0]"}
        parts = {
            name: self.random.choice(v.split(", " if name == "z" else " "))
            for name, v in start.items()
        }
        if self.random.random() < 0.5:
            parts["z"] = ""
        for _ in range(self.random.choice((1, 1, 2))):
            self.loop("    ", ["3"], 1)
        if self.random.random() < 0.3:
            self.lines.append(f"    s = s + {self.random.choice(('n', 'w', 't'))}")
        return START.format(**parts) + "\n".join(self.lines) + "\n" + END

    def pick(self, choices, counters):
        """One of the choices, with its holes filled."""
        found = self.random.choice(choices)
        at = self.random.choice((f"{counters[-1]} % 5", f"{counters[0]} % 5", "2"))
        value = self.random.choice(VALUES).format(i=self.random.choice(counters), at=at)
        return found.format(i=self.random.choice(counters), at=at, value=value)

    def loop(self, indent, counters, depth):
        """A loop with its body."""
        self.loops += 1
        name = f"i{self.loops}"
        numbers = ", ".join(
            str(self.random.randint(-2, 9)) for _ in range(self.random.randint(4, 5))
        )
        floats = ", ".join(
            str(self.random.randint(1, 9) / 4) for _ in range(self.random.randint(4, 5))
        )
        holes = {"i": name, "n": self.random.randint(4, 6), "m": self.random.randint(0, 2)}
        if depth > 1 and counters[-1] != "3" and self.random.random() < 0.3:
            header = self.random.choice(INNER).format(j=name, i=counters[-1], n=holes["n"])
            element = name
        elif self.random.random() < 0.15:
            self.lines.append(f"{indent}{name} = 0")
            header, element = f"while {name} < {holes['n'] + (9 if depth == 1 else 0)}:", name
        else:
            header = self.random.choice(HEADERS)
            element = name if " in x:" not in header else counters[-1]
            header = header.format(numbers=numbers, floats=floats, **holes)
        self.lines.append(indent + header)
        inside = indent + "    "
        if header.startswith("while"):
            self.lines.append(f"{inside}{name} += 1")
        self.body(inside, [*counters, element], depth)

    def body(self, indent, counters, depth):
        """The statements of a loop."""
        for _ in range(self.random.randint(1, 3)):
            roll = self.random.random()
            if roll < 0.3 and depth < 3 and self.loops < 3:
                self.loop(indent, counters, depth + 1)
            elif roll < 0.5:
                self.lines.append(f"{indent}if {self.pick(CONDITIONS, counters)}:")
                jump = self.random.choice(("break", "continue", "", "", "", ""))
                self.lines.append(f"{indent}    {jump or self.pick(STATEMENTS, counters)}")
                if not jump and self.random.random() < 0.4:
                    self.lines.append(f"{indent}else:")
                    self.lines.append(f"{indent}    {self.pick(STATEMENTS, counters)}")
            self.lines.append(indent + self.pick(STATEMENTS, counters))


def loop_program(seed: int) -> str:
    """The source of a random program."""
    return LoopProgram(seed).source()
