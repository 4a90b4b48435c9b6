"""Random functions of dicts and sets whose keys are known only in the run.

def f(xs, ys, n):
    counts, seen, groups = {}, set(), defaultdict(list)
    for i in range(n):
        k = xs[i] % 4
        if k in seen:
            counts[k] = counts.get(k, 0) + 1
        seen.add(k)
    return counts, seen, ...
"""

import random

import numpy as np

HEADER = """import numpy as np
from collections import Counter, defaultdict, deque


def f(xs, ys, n):
    counts, seen, groups, tally = {}, set(), defaultdict(list), Counter()
    order, total, last = [], 0.0, 0
"""

STATEMENTS = """
counts[{k}] = counts.get({k}, 0) + 1
counts[{k}] = {v}
counts.setdefault({k}, {v})
counts.pop({k}, None)
counts.update({{{k}: {v}}})
counts = {{a: b for a, b in counts.items() if a != {k}}}
seen.add({k})
seen.discard({k})
seen = seen | {{{k}, {k}}}
seen -= {{{k}}}
seen.update([{k}, {k}])
groups[{k}].append({v})
groups[{k}].append(len(groups[{k}]))
groups[{k}] = [{v}]
groups.pop({k}, None)
tally[{k}] += 1
tally.update([{k}, {k}])
tally[{k}] -= 2
order.append({k})
order.append(last)
order = sorted(set(order))
order = order[-3:]
total += counts.get({k}, 0.5)
total += len(seen) + 0.5 * len(counts)
total = total + tally[{k}]
total += sum(groups[{k}]) if {k} in groups else 1.0
total += sum(groups.get({k}, []))
total += max(counts.values(), default=0)
total += len(tally)
last = {k}
last = len(order)
last = min(seen, default=7)
last = max(counts, default=3)
last = tally.most_common(1)[0][0] if tally else 9
""".strip().splitlines()

TESTS = """
{k} in seen
{k} not in counts
{k} in groups
counts.get({k}, 0) > 1
len(seen) > 2
tally[{k}] > 1
total > 3.0
{k} > 1
not order
{k} in order
""".strip().splitlines()

LOOPS = """
for a in sorted(seen):
for a, b in sorted(counts.items()):
for a in list(counts):
for a, b in list(groups.items()):
for a in order[:4]:
for a in xs[:3]:
""".strip().splitlines()


def arguments():
    """Arguments of the programs: an array of integers, one of floats, and a number of iterations."""
    xs, ys = (
        np.array([3, 1, 4, 1, 5, 9, 2, 6]),
        np.array([0.5, 1.5, -2.0, 4.0, 0.25, 3.0, 2.0, 8.0]),
    )
    return [(xs, ys, np.int64(n)) for n in (0, 1, 5, 8)] + [(xs[::-1] * 0, ys, np.int64(4))]


class Writer:
    """Writes one program."""

    def __init__(self, source: random.Random):
        self.source = source
        self.lines: list[str] = []
        self.loop_indent = 9  # jumps are deeper: outside of the loop, there are none
        self.statements = source.sample(STATEMENTS, 9)

    def module(self) -> str:
        """The source of a module with a function `f(xs, ys, n)`."""
        self.lines = [HEADER.rstrip()]
        self.put(1, "i, k = 1, xs[0] % 3")
        self.block(1, self.source.randint(0, 2), [])
        self.loop_indent = 2
        self.put(1, "for i in range(n):")
        self.put(
            2, f"k = {self.source.choice(['xs[i] % 4', 'xs[i] // 2', 'int(xs[i]) % 3', 'i % 3'])}"
        )
        self.block(2, self.source.randint(2, 5), [], depth=0)
        self.loop_indent = 9
        self.block(1, self.source.randint(0, 2), [])
        self.put(1, "return counts, seen, dict(groups), tally, order, total, last")
        return "\n".join(self.lines) + "\n"

    def put(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def key(self, names) -> str:
        return self.source.choice(["k", "k", "k", "i % 3", "xs[1] % 5", "2", "k + 1", *names])

    def value(self) -> str:
        return self.source.choice(["ys[i]", "1.0", "total", "ys[i] * 2"])

    def filled(self, text: str, names) -> str:
        return text.format(k=self.key(names), v=self.value())

    def block(self, indent: int, count: int, names, depth: int = 1) -> None:
        """Statements, branches and inner loops."""
        for _ in range(count):
            chance = self.source.random()
            if chance < 0.3 and depth < 3:
                self.put(indent, f"if {self.filled(self.source.choice(TESTS), names)}:")
                self.block(indent + 1, self.source.randint(1, 2), names, depth + 1)
                if self.source.random() < 0.4:
                    self.put(indent, "else:")
                    self.block(indent + 1, 1, names, depth + 1)
            elif chance < 0.4 and depth < 2:
                self.put(indent, self.source.choice(LOOPS))
                self.block(indent + 1, 1, [*names, "a"], depth + 2)
            elif chance < 0.45 and indent > self.loop_indent:
                self.put(indent, self.source.choice(["continue", "break"]))
                return
            else:
                self.put(indent, self.filled(self.source.choice(self.statements), names))
