"""Stacks, particles, accounts, boards and graphs, as people write them."""

import itertools
import math
from collections import Counter, deque, namedtuple
from dataclasses import dataclass

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.array([4, 1, 3, 7, 8, 12, 3])
E = np.array([])


class Stack:
    def __init__(self):
        self.items = []

    def push(self, v):
        self.items.append(v)

    def pop(self):
        if not self.items:
            raise IndexError("empty stack")
        return self.items.pop()

    def peek(self):
        return self.items[-1] if self.items else None

    def __len__(self):
        return len(self.items)


@program(
    (np.array([3, 4, -1, 5, -2]),), (np.array([7]),), (np.array([1.5, 2.0, -2]),), (np.array([-1]),)
)
def rpn(tokens):
    stack = Stack()
    for t in tokens:
        if t == -1:
            b, a = stack.pop(), stack.pop()
            stack.push(a + b)
        elif t == -2:
            b, a = stack.pop(), stack.pop()
            stack.push(a * b)
        else:
            stack.push(t)
    return stack.peek(), len(stack)


@dataclass
class Particle:
    x: float
    v: float
    alive: bool = True


@program((A, 0.1, 5), (N, 0.5, 3), (A[:0], 1.0, 2), (A[:1], 1, 1))
def particles(x0, dt, steps):
    ps = [Particle(x, 1.0) for x in x0]
    for _ in range(steps):
        for p in ps:
            if not p.alive:
                continue
            p.x += p.v * dt
            if p.x > 4:
                p.alive = False
            elif p.x < 1.5:
                p.v = -p.v
    return [p.x for p in ps if p.alive], sum(1 for p in ps if not p.alive)


class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("deposit must be positive")
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        if amount > self.balance:
            self.history.append(("refused", amount))
            return False
        self.balance -= amount
        self.history.append(("withdraw", amount))
        return True


@program((np.array([100, -30, -100, 50]),), (np.array([1.5, -0.5]),), (np.array([], int),))
def account(moves):
    acc = Account("ann")
    ok = 0
    for m in moves:
        if m > 0:
            acc.deposit(m)
            ok += 1
        elif acc.withdraw(-m):
            ok += 1
    return acc.balance, acc.history, ok


@program(
    (np.array([[0, 1, 0], [0, 1, 0], [0, 1, 0]]), 2),
    (np.zeros((3, 4), int), 3),
    (np.ones((2, 2), bool), 1),
)
def life_on_a_torus(board, steps):
    for _ in range(steps):
        new = np.zeros_like(board)
        rows, cols = board.shape
        for i in range(rows):
            for j in range(cols):
                total = 0
                for di in range(-1, 2):
                    for dj in range(-1, 2):
                        if (di, dj) != (0, 0):
                            total += board[(i + di) % rows, (j + dj) % cols]
                if board[i, j] and total in (2, 3):
                    new[i, j] = 1
                elif not board[i, j] and total == 3:
                    new[i, j] = 1
        board = new
    return board


@program((np.array([3, 2, 2, 1]), 4), (np.array([5]), 4), (np.array([1.5, 2.5, 1.0]), 4))
def first_fit(sizes, capacity):
    bins = []
    where = []
    for s in sizes:
        for i, b in enumerate(bins):
            if sum(b) + s <= capacity:
                b.append(s)
                where.append(i)
                break
        else:
            bins.append([s])
            where.append(len(bins) - 1)
    return bins, where


@program(
    (np.array([[1, 2, 3], [4, 5, 6]]),),
    (np.array([[1.5]]),),
    (np.zeros((0, 0)),),
    (np.arange(12).reshape(4, 3),),
)
def spiral(m):
    out = []
    top, bottom = 0, m.shape[0] - 1
    left, right = 0, m.shape[1] - 1
    while top <= bottom and left <= right:
        for j in range(left, right + 1):
            out.append(m[top, j])
        top += 1
        for i in range(top, bottom + 1):
            out.append(m[i, right])
        right -= 1
        if top <= bottom:
            for j in range(right, left - 1, -1):
                out.append(m[bottom, j])
            bottom -= 1
        if left <= right:
            for i in range(bottom, top - 1, -1):
                out.append(m[i, left])
            left += 1
    return out


@program((N, 2), (A, 3), (N[:1], 1))
def moving_stats(xs, k):
    window = deque(maxlen=k)
    means, spreads = [], []
    for x in xs:
        window.append(x)
        means.append(sum(window) / len(window))
        spreads.append(max(window) - min(window))
    return means, spreads


@program(("hello world hello",), ("",), ("a b a c",))
def words(text):
    counts = {}
    for w in text.split():
        counts[w] = counts.get(w, 0) + 1
    return sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))


@program((np.array([72, 101, 122, 32, 97]), 3), (np.array([65]), 30), (np.array([], int), 1))
def caesar_shift(codes, shift):
    out = []
    for c in codes:
        if 97 <= c <= 122:
            out.append((c - 97 + shift) % 26 + 97)
        elif 65 <= c <= 90:
            out.append((c - 65 + shift) % 26 + 65)
        else:
            out.append(c)
    return "".join(chr(c) for c in out)


@program((np.array([1, 2, 3]), 4), (np.array([5]), 4), (np.array([2, 5]), 11), (np.array([2]), 3))
def coins_used(coins, amount):
    dp = [0] + [math.inf] * amount
    used = [None] * (amount + 1)
    for a in range(1, amount + 1):
        for c in coins:
            if c <= a and dp[a - c] + 1 < dp[a]:
                dp[a] = dp[a - c] + 1
                used[a] = c
    if dp[amount] == math.inf:
        return None
    out = []
    while amount > 0:
        out.append(used[amount])
        amount -= used[amount]
    return out


@program(
    (np.array([[1, 1, 0], [0, 1, 0], [1, 0, 1]]),),
    (np.zeros((2, 2), int),),
    (np.ones((1, 3), int),),
)
def islands(grid):
    rows, cols = grid.shape
    seen = np.zeros((rows, cols), dtype=bool)
    sizes = []
    for r in range(rows):
        for c in range(cols):
            if grid[r, c] == 1 and not seen[r, c]:
                stack = [(r, c)]
                seen[r, c] = True
                size = 0
                while stack:
                    y, x = stack.pop()
                    size += 1
                    for ny, nx in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                        if (
                            0 <= ny < rows
                            and 0 <= nx < cols
                            and grid[ny, nx] == 1
                            and not seen[ny, nx]
                        ):
                            seen[ny, nx] = True
                            stack.append((ny, nx))
                sizes.append(size)
    return len(sizes), sorted(sizes, reverse=True)


@program(
    (np.array([0.2, 0.5, 0.3]), np.array([0.1, 0.6, 0.95])),
    (np.array([1.0]), np.array([0.0])),
    (np.array([2, 3]), np.array([0.5, 0.1, 0.9])),
)
def sample_from(weights, draws):
    cum = list(itertools.accumulate(weights))
    total = cum[-1]
    counts = Counter()
    for u in draws:
        for i, c in enumerate(cum):
            if u * total < c:
                counts[i] += 1
                break
    return counts.most_common(), counts.total()


Edge = namedtuple("Edge", "u v w")


@program(
    (np.array([[0, 1, 4], [1, 2, -2], [0, 2, 5]]), 3),
    (np.array([[0, 1, 1], [1, 0, -3]]), 2),
    (np.zeros((0, 3), int), 2),
)
def bellman_ford(rows, n):
    edges = [Edge(*row) for row in rows]
    dist = [math.inf] * n
    dist[0] = 0
    for _ in range(n - 1):
        changed = False
        for e in edges:
            if dist[e.u] + e.w < dist[e.v]:
                dist[e.v] = dist[e.u] + e.w
                changed = True
        if not changed:
            break
    for e in edges:
        if dist[e.u] + e.w < dist[e.v]:
            return "negative cycle"
    return dist


@program(
    (np.array([1, 2, 4, 7]), 9),
    (np.array([1.0, 3.0]), 4.0),
    (np.array([2]), 4),
    (np.array([], int), 0),
)
def pair_by_index(nums, target):
    seen = {}
    for i, v in enumerate(nums):
        if target - v in seen:
            return seen[target - v], i
        seen[v] = i
    return None


@program(
    (np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.1, 3.9, 6.2, 7.8])),
    (np.array([1, 1]), np.array([1, 2])),
    (np.array([0, 2, 5]), np.array([1, 0, 1])),
)
def fit_with_r2(x, y):
    n = len(x)
    mx, my = sum(x) / n, sum(y) / n
    sxx = sum((a - mx) ** 2 for a in x)
    sxy = sum((a - mx) * (b - my) for a, b in zip(x, y))
    if sxx == 0:
        return {"slope": None, "intercept": my, "r2": None}
    slope = sxy / sxx
    intercept = my - slope * mx
    ss_res = sum((b - (slope * a + intercept)) ** 2 for a, b in zip(x, y))
    ss_tot = sum((b - my) ** 2 for b in y)
    return {"slope": slope, "intercept": intercept, "r2": 1 - ss_res / ss_tot if ss_tot else None}
