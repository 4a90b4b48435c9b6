"""Parsers, machines, objects and geometry, as people write them.

The file is long because it is a collection of independent programs.
"""

import math
from dataclasses import dataclass

import numpy as np
from support.engine_runs import Cases
from support.small_arrays import A, E, N

CASES = Cases()
program = CASES.program
NAN = np.array([1.0, np.nan, 2.0])


@program(("3 + 4 * (2 - 1)", A), ("2 * x", A), ("", A), ("1 +", A), ("x - x * 2", E))
def calculator(text, x):
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()
    precedence = {"+": 1, "-": 1, "*": 2, "/": 2}
    output, operators = [], []
    for t in tokens:
        if t in precedence:
            while operators and operators[-1] != "(" and precedence[operators[-1]] >= precedence[t]:
                output.append(operators.pop())
            operators.append(t)
        elif t == "(":
            operators.append(t)
        elif t == ")":
            while operators[-1] != "(":
                output.append(operators.pop())
            operators.pop()
        else:
            output.append(t)
    output += reversed(operators)
    stack = []
    for t in output:
        if t in precedence:
            b, a = stack.pop(), stack.pop()
            stack.append({"+": a + b, "-": a - b, "*": a * b}[t])
        else:
            stack.append(np.sum(x) if t == "x" else float(t))
    return stack[-1] if stack else None


@program(np.array([1, 2, -1, 3, -1, 4]), np.array([-1]), np.array([], int), np.array([5, 6]))
def rpn_codes(codes):
    stack = []
    for c in codes:
        if c >= 0:
            stack.append(int(c))
        elif len(stack) < 2:
            return "underflow", stack
        else:
            b = stack.pop()
            a = stack.pop()
            stack.append(a * b + 1)
    if len(stack) != 1:
        return "leftover", stack
    return "ok", stack[0]


@program(np.array([40, 41, 40, 91, 93, 41]), np.array([40, 93]), np.array([], int), np.array([41]))
def brackets(codes):
    pairs = {")": "(", "]": "["}
    stack = []
    for i, c in enumerate(codes):
        ch = chr(c)
        if ch in "([":
            stack.append(ch)
        elif not stack or stack.pop() != pairs[ch]:
            return False, i
    return not stack, len(codes)


@dataclass
class Account:
    owner: str
    balance: float = 0.0

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount

    def withdraw(self, amount):
        if amount > self.balance:
            return False
        self.balance -= amount
        return True


@program(np.array([100.0, -30.0, -90.0, 50.0]), E, np.array([0.0]), NAN)
def bank(amounts):
    account = Account("ann")
    refused = []
    for i, a in enumerate(amounts):
        try:
            if a < 0:
                if not account.withdraw(-a):
                    refused.append(i)
            else:
                account.deposit(a)
        except ValueError as error:
            refused.append((i, str(error)))
    return account.balance, refused


@program((np.array([1, 0, 0, 1, 1]), 4), (np.array([], int), 2), (np.array([1, 1]), 1))
def automaton(cells, steps):
    rule = {
        (1, 1, 1): 0,
        (1, 1, 0): 0,
        (1, 0, 1): 0,
        (1, 0, 0): 1,
        (0, 1, 1): 1,
        (0, 1, 0): 1,
        (0, 0, 1): 1,
        (0, 0, 0): 0,
    }
    rows = ["".join("#" if c else "." for c in cells)]
    for _ in range(steps):
        n = len(cells)
        cells = np.array(
            [rule[int(cells[i - 1]), int(cells[i]), int(cells[(i + 1) % n])] for i in range(n)],
            dtype=int,
        )
        rows.append("".join("#" if c else "." for c in cells))
    return rows


@program((np.array([0.3, 0.8, 0.1, 0.6, 0.95]), 10), (E, 5), (np.array([np.nan]), 2))
def snakes(rolls, goal):
    jumps = {3: 7, 5: 1, 8: 2}
    position, path = 0, [0]
    for r in rolls:
        step = min(6, int(r * 6) + 1) if r == r else 1
        if position + step > goal:
            continue
        position += step
        if position in jumps:
            position = jumps[position]
        path.append(position)
        if position == goal:
            return "won", path
    return "open", path


@program(
    np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 3.0]]),
    np.zeros((0, 2)),
    np.array([[1.0, 1.0]]),
    np.array([[0.0, np.nan], [1.0, 1.0]]),
)
def polygon_facts(points):
    if len(points) < 3:
        return {"kind": "degenerate", "count": len(points)}
    area = 0.0
    perimeter = 0.0
    for (x0, y0), (x1, y1) in zip(points, np.roll(points, -1, axis=0)):
        area += x0 * y1 - x1 * y0
        perimeter += math.hypot(x1 - x0, y1 - y0)
    return {"kind": "polygon", "area": abs(area) / 2, "perimeter": perimeter, "ccw": bool(area > 0)}


@program((np.array([2.0, 9.0, 4.0]), 0.5), (E, 0.5), (NAN, 0.5), (N, 0.0))
def smoothing(x, alpha):
    level, trend = None, 0.0
    out = []
    for v in x:
        if level is None:
            level = v
        else:
            last = level
            level = alpha * v + (1 - alpha) * (level + trend)
            trend = 0.5 * (level - last) + 0.5 * trend
        out.append((round(float(level), 4), round(float(trend), 4)))
    return out


@program(
    (np.array([2.0, 0.0, -1.0, 3.0]), 1e-8),
    (np.array([1.0, 0.0, 1.0]), 1e-8),
    (np.array([0.0]), 1e-8),
)
def newton_root(coefficients, tol):
    def value(x):
        total = 0.0
        for c in coefficients:
            total = total * x + c
        return total

    x = -2.0
    for i in range(100):
        f = value(x)
        slope = (value(x + 1e-6) - value(x - 1e-6)) / 2e-6
        if abs(slope) < 1e-12:
            return None
        step = f / slope
        x -= step
        if abs(step) < tol:
            return round(x, 6), i
    return round(x, 6), -1
