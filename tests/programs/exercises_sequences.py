"""Exercises of textbooks and courses: groups, grids, caches, windows, schedules, trees."""

import heapq
import math
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass, field

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
rng = np.random.default_rng(3)
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0, 2.5])
N = np.array([4, 1, 3, 7, 8, 12, 3])
M = rng.integers(0, 9, (5, 6))
F = rng.normal(size=(6, 3))
W = np.array([2, 3, 4, 5])
VAL = np.array([3, 4, 5, 6])


@prog(N, 10)
def two_sum(nums, target):
    seen = {}
    for i, x in enumerate(nums):
        if target - x in seen:
            return seen[target - x], i
        seen[x] = i
    return None


@prog(N)
def group_by_parity(nums):
    groups = {"even": [], "odd": []}
    for x in nums:
        groups["even" if x % 2 == 0 else "odd"].append(x)
    return groups


@prog(N)
def anagram_groups(nums):
    groups = defaultdict(list)
    for x in nums:
        groups[tuple(sorted((int(x) // 10, int(x) % 10)))].append(x)
    return sorted(groups.values())


@prog(W, VAL, 5)
def knapsack_items(w, v, cap):
    n = len(w)
    best = [[0] * (cap + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for c in range(cap + 1):
            best[i][c] = best[i - 1][c]
            if w[i - 1] <= c:
                best[i][c] = max(best[i][c], best[i - 1][c - w[i - 1]] + v[i - 1])
    chosen, c = [], cap
    for i in range(n, 0, -1):
        if best[i][c] != best[i - 1][c]:
            chosen.append(i - 1)
            c -= w[i - 1]
    return best[n][cap], chosen[::-1]


@prog(M)
def flood(grid):
    grid = grid.copy()
    h, w = grid.shape
    target, color = grid[2, 2], 99
    stack = [(2, 2)]
    filled = 0
    while stack:
        r, c = stack.pop()
        if r < 0 or r >= h or c < 0 or c >= w or grid[r, c] != target:
            continue
        grid[r, c] = color
        filled += 1
        for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            stack.append((r + dr, c + dc))
    return grid, filled


@prog(M)
def shortest_grid(grid):
    h, w = grid.shape
    dist = {(0, 0): int(grid[0, 0])}
    heap = [(int(grid[0, 0]), 0, 0)]
    while heap:
        d, r, c = heapq.heappop(heap)
        if d > dist[(r, c)]:
            continue
        if (r, c) == (h - 1, w - 1):
            return d
        for dr, dc in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
            nr, nc = r + dr, c + dc
            if 0 <= nr < h and 0 <= nc < w:
                nd = d + int(grid[nr, nc])
                if nd < dist.get((nr, nc), math.inf):
                    dist[(nr, nc)] = nd
                    heapq.heappush(heap, (nd, nr, nc))
    return -1


class LRU:
    def __init__(self, cap):
        self.cap = cap
        self.data = OrderedDict()

    def get(self, k):
        if k not in self.data:
            return -1
        self.data.move_to_end(k)
        return self.data[k]

    def put(self, k, v):
        if k in self.data:
            self.data.move_to_end(k)
        self.data[k] = v
        if len(self.data) > self.cap:
            self.data.popitem(last=False)


@prog(N)
def lru(keys):
    cache = LRU(3)
    hits = 0
    for k in keys:
        if cache.get(k) == -1:
            cache.put(k, k * 2)
        else:
            hits += 1
    return hits, list(cache.data.items())


@prog(A, 2)
def moving_stats(x, w):
    window = deque(maxlen=w)
    out = []
    for v in x:
        window.append(v)
        if len(window) == w:
            m = sum(window) / w
            out.append((m, max(window) - min(window)))
    return out


@prog(A)
def welford(x):
    n, mean, m2 = 0, 0.0, 0.0
    for v in x:
        n += 1
        d = v - mean
        mean += d / n
        m2 += d * (v - mean)
    return {"n": n, "mean": mean, "std": math.sqrt(m2 / (n - 1)) if n > 1 else float("nan")}


@prog(N)
def histogram_text(nums):
    counts = Counter(int(x) % 4 for x in nums)
    lines = []
    for k in sorted(counts):
        lines.append(f"{k:>2}: {'*' * counts[k]} ({counts[k] / len(nums):.0%})")
    return "\n".join(lines)


@prog(N)
def collatz(nums):
    memo = {1: 1}

    def length(n):
        if n in memo:
            return memo[n]
        memo[n] = 1 + length(n // 2 if n % 2 == 0 else 3 * n + 1)
        return memo[n]

    return max((length(int(n)), int(n)) for n in nums)


@prog(N)
def prime_factors(nums):
    out = {}
    for n in nums:
        n = int(n)
        m, f = n, []
        d = 2
        while d * d <= m:
            while m % d == 0:
                f.append(d)
                m //= d
            d += 1
        if m > 1:
            f.append(m)
        out[n] = f
    return out


@dataclass(order=True)
class Task:
    priority: int
    name: str = field(compare=False)
    cost: float = field(compare=False, default=1.0)


@prog(N)
def scheduler(prio):
    heap = []
    for i, p in enumerate(prio):
        heapq.heappush(heap, Task(int(p), f"t{i}", 0.5 * i))
    order, t = [], 0.0
    while heap:
        task = heapq.heappop(heap)
        t += task.cost
        order.append((task.name, t))
    return order


@prog(N)
def round_robin(burst):
    queue = deque((i, int(b)) for i, b in enumerate(burst))
    t, done = 0, {}
    while queue:
        i, left = queue.popleft()
        run = min(3, left)
        t += run
        if left > run:
            queue.append((i, left - run))
        else:
            done[i] = t
    return [done[i] for i in range(len(burst))], sum(done.values()) / len(done)
