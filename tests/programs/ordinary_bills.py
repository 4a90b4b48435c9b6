"""Bills, schedules, runs, matrices and machines, as people write them."""

from collections import Counter

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.array([4, 1, 3, 7, 8, 12, 3])
E = np.array([])


@program((np.array([1, 2, 3, 4, 5, 6, 7, 8]), 3), (A, 2), (N[:1], 5), (N[:0], 2))
def chunked_means(x, size):
    out = []
    for i in range(0, len(x), size):
        part = x[i : i + size]
        out.append((i, float(np.mean(part)), part.max() - part.min()))
    return out


@program(
    (np.array([5.0, 3.0, 8.0]), np.array([2, 1, 1])),
    (np.array([1.0]), np.array([3])),
    (E, np.array([], int)),
)
def receipt(prices, counts):
    lines = []
    total = 0
    for i, (p, c) in enumerate(zip(prices, counts), start=1):
        cost = p * c
        total += cost
        lines.append(f"{i:>2}. {c} x {p:6.2f} = {cost:7.2f}")
    lines.append("-" * 20)
    lines.append(f"total {total:.2f}" if total else "nothing")
    return "\n".join(lines)


@program((np.array([3, 5, 1, 4]),), (np.array([2]),), (np.array([1.5, 2.5]),))
def merge_stones(xs):
    stones = sorted(xs)
    cost = 0
    while len(stones) > 1:
        a = stones.pop(0)
        b = stones.pop(0)
        s = a + b
        cost += s
        i = 0
        while i < len(stones) and stones[i] < s:
            i += 1
        stones.insert(i, s)
    return cost


@program(
    (np.array([[1, 2], [3, 4]]), 5),
    (np.array([[1, 1], [1, 0]]), 10),
    (np.array([[0.5]]), 3),
    (np.eye(2), 0),
)
def matrix_power(m, n):
    result = np.eye(len(m), dtype=m.dtype)
    base = m.copy()
    while n > 0:
        if n % 2 == 1:
            result = result @ base
        base = base @ base
        n //= 2
    return result


@program((np.int64(5), np.int64(3)), (np.int64(0), np.int64(0)), (7, 2))
def pascal(n, k):
    row = [1]
    for i in range(n):
        row = [1] + [row[j] + row[j + 1] for j in range(len(row) - 1)] + [1]
    return row, row[k] if k < len(row) else 0


@program((np.array([100, 4, 200, 1, 3, 2]),), (np.array([5]),), (np.array([], int),))
def longest_streak(nums):
    s = set(nums)
    best = 0
    for v in s:
        if v - 1 not in s:
            n = 1
            while v + n in s:
                n += 1
            best = max(best, n)
    return best


@program((np.array([7, 1, 5, 3, 6, 4]), 1), (np.array([1.0, 2.0]), 0.5), (np.array([3]), 0))
def stock_fee(prices, fee):
    cash, hold = 0, -prices[0]
    for p in prices[1:]:
        cash, hold = max(cash, hold + p - fee), max(hold, cash - p)
    return cash


@program((np.array([1, 0, 1, 1, 0, 1, 1, 1]),), (np.array([0]),), (np.array([], int),))
def lengths_of_runs(bits):
    runs = []
    for b in bits:
        if runs and runs[-1][0] == b:
            runs[-1][1] += 1
        else:
            runs.append([b, 1])
    longest = max((n for v, n in runs if v == 1), default=0)
    return runs, longest


@program(
    (np.array([0.5, 1.5, 2.5]), np.array([1.0, 2.0, 0.5])),
    (np.array([1, 2]), np.array([3, 4])),
    (np.array([1.0]), np.array([5.0])),
)
def lagrange(xs, ys):
    def p(t):
        total = 0
        for i in range(len(xs)):
            term = ys[i]
            for j in range(len(xs)):
                if i != j:
                    term = term * (t - xs[j]) / (xs[i] - xs[j])
            total += term
        return total

    return [p(t) for t in (0, 0.5, 2)]


@program((np.array([1.0, 2.0, 4.0, 8.0]), 0.5), (N, 0.3), (N[:1], 0.9))
def smooth_twice(x, alpha):
    level = x[0]
    trend = x[1] - x[0] if len(x) > 1 else 0
    fitted = []
    errors = 0
    for t, v in enumerate(x):
        guess = level + trend
        fitted.append(guess)
        errors += abs(v - guess)
        last = level
        level = alpha * v + (1 - alpha) * guess
        trend = alpha * (level - last) + (1 - alpha) * trend
    return fitted, errors / len(x), {"level": level, "trend": trend}


@program((np.array([[1, 2, 0], [0, 3, 1]]),), (np.zeros((2, 2), int),), (np.array([[5]]),))
def sparse_coordinates(m):
    coo = [(i, j, m[i, j]) for i in range(m.shape[0]) for j in range(m.shape[1]) if m[i, j] != 0]
    rows = {}
    for i, j, v in coo:
        rows.setdefault(i, []).append((j, v))
    dense = np.zeros_like(m)
    for i, pairs in rows.items():
        for j, v in pairs:
            dense[i, j] = v
    return coo, rows, (dense == m).all()


@program(
    (np.array([5, 3, 9]), np.array([1, 4, 2]), 6),
    (np.array([1]), np.array([1]), 2),
    (np.array([], int), np.array([], int), 1),
)
def greedy_tasks(values, weights, capacity):
    items = sorted(zip(values, weights), key=lambda t: t[0] / t[1], reverse=True)
    total, used, picked = 0, 0, []
    for v, w in items:
        if used + w <= capacity:
            used += w
            total += v
            picked.append((v, w))
        else:
            part = (capacity - used) / w
            total += v * part
            if part > 0:
                picked.append((v * part, capacity - used))
            break
    return total, picked


@program((np.array([1, 2, 2, 3, 3, 3]),), (np.array([1.5, 1.5]),), (np.array([4]),))
def modes(x):
    counts = Counter(x)
    top = max(counts.values())
    return sorted(k for k, c in counts.items() if c == top), top, len(counts)


@program((np.array([2, 7, 11]), np.array([1, 0, 2])), (np.array([1]), np.array([0])))
def permute(x, order):
    out = [None] * len(x)
    for i, j in enumerate(order):
        out[j] = x[i]
    inverse = [0] * len(order)
    for i, j in enumerate(order):
        inverse[j] = i
    return out, inverse


class Matrix:
    def __init__(self, rows):
        self.rows = [list(r) for r in rows]

    def __matmul__(self, other):
        return Matrix(
            [[sum(a * b for a, b in zip(r, c)) for c in zip(*other.rows)] for r in self.rows]
        )

    def trace(self):
        return sum(self.rows[i][i] for i in range(len(self.rows)))

    def transpose(self):
        return Matrix(zip(*self.rows))


@program((np.array([[1, 2], [3, 4]]),), (np.array([[0.5]]),))
def matrix_of_rows(m):
    a = Matrix(m)
    b = a @ a.transpose()
    return b.rows, b.trace()


@program((np.array([0, 1, 1, 0, 1]), "ab"), (np.array([0]), "xy"))
def turing(tape, names):
    rules = {
        ("a", 0): (1, 1, "b"),
        ("a", 1): (0, 1, "a"),
        ("b", 0): (1, -1, "a"),
        ("b", 1): (1, 1, "b"),
    }
    cells = {i: v for i, v in enumerate(tape)}
    pos, state = 0, "a"
    for _ in range(12):
        write, move, state = rules[(state, cells.get(pos, 0))]
        cells[pos] = write
        pos += move
    return sorted(cells.items()), pos, state
