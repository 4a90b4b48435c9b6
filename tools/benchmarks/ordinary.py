"""Ordinary programs over dicts, lists and numbers, as people write them: one call, and later ones.

`python tools/bench.py ordinary`
"""

import copy
import heapq
import math
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import runtime as rt
from benchmarks.timing import benchmark, shown

# -- programs --------------------------------------------------------------------------------------


def count_values(xs):
    counts = {}
    for x in xs:
        if x in counts:
            counts[x] += 1
        else:
            counts[x] = 1
    return counts


def collatz_memo(n):
    memo = {1: 1}
    best, where = 0, 0
    for start in range(1, n):
        steps, a = 0, start
        while a not in memo:
            a = a // 2 if a % 2 == 0 else 3 * a + 1
            steps += 1
        total = steps + memo[a]
        memo[start] = total
        if total > best:
            best, where = total, start
    return best, where


def fib_memo(n):
    memo = {0: 0, 1: 1}
    for i in range(2, n):
        memo[i] = (memo[i - 1] + memo[i - 2]) % 1000007
    return memo[n - 1]


def grid_paths(n):
    table = {}
    for i in range(n):
        for j in range(n):
            if i == 0 or j == 0:
                table[i, j] = 1
            else:
                table[i, j] = (table[i - 1, j] + table[i, j - 1]) % 1000007
    return table[n - 1, n - 1]


def distinct(xs):
    seen = set()
    for x in xs:
        if x % 7 != 3:
            seen.add(x * x % 1009)
    return len(seen)


def dijkstra(starts, targets, costs, n):
    dist = [math.inf] * n
    dist[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for k in range(starts[u], starts[u + 1]):
            v = targets[k]
            nd = d + costs[k]
            if nd < dist[v]:
                dist[v] = nd
                heapq.heappush(heap, (nd, v))
    return dist


def union_find(pairs, n):
    parent = list(range(n))
    groups = n
    for a, b in pairs:
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        if a != b:
            parent[a] = b
            groups -= 1
    return groups


def knapsack(weights, values, capacity):
    best = [0] * (capacity + 1)
    for i in range(len(weights)):
        for c in range(capacity, weights[i] - 1, -1):
            best[c] = max(best[c], best[c - weights[i]] + values[i])
    return best[capacity]


def sieve(n):
    flags = [True] * (n + 1)
    flags[0] = flags[1] = False
    i = 2
    while i * i <= n:
        if flags[i]:
            for j in range(i * i, n + 1, i):
                flags[j] = False
        i += 1
    primes = []
    for i in range(n + 1):
        if flags[i]:
            primes.append(i)
    return primes


def queens(n):
    columns = [0] * n
    count, row = 0, 0
    columns[0] = -1
    while row >= 0:
        columns[row] += 1
        if columns[row] == n:
            row -= 1
            continue
        ok = True
        for r in range(row):
            if columns[r] == columns[row] or abs(columns[r] - columns[row]) == row - r:
                ok = False
                break
        if ok:
            if row == n - 1:
                count += 1
            else:
                row += 1
                columns[row] = -1
    return count


def mandel(n):
    total = 0
    for i in range(n):
        for j in range(n):
            c = complex(-2 + 3 * i / n, -1.5 + 3 * j / n)
            z = 0j
            k = 0
            while k < 50 and abs(z) <= 2:
                z = z * z + c
                k += 1
            total += k
    return total


def bits(n):
    total = 0
    for i in range(n):
        x = i
        while x:
            x &= x - 1
            total += 1
    return total


def complex_walk(n):
    z, best, where, s = 0j, 0, None, 1
    for i in range(n):
        s = (s * 1103515245 + 12345) % 2147483648
        d = s >> 16 & 3
        if d == 0:
            z += 1
        elif d == 1:
            z -= 1
        elif d == 2:
            z += 1j
        else:
            z -= 1j
        if abs(z) > best:
            best, where = abs(z), i
    return best, where


def longest_common(a, b, m, n):
    table = [[0] * (n + 1) for _ in range(m + 1)]
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            if a[i - 1] == b[j - 1]:
                table[i][j] = table[i - 1][j - 1] + 1
            else:
                table[i][j] = max(table[i - 1][j], table[i][j - 1])
    return table[m][n]


def distances(edges, n):
    graph = [[] for _ in range(n)]
    for a, b in edges:
        graph[a].append(b)
        graph[b].append(a)
    dist = [-1] * n
    dist[0] = 0
    queue = [0]
    head = 0
    while head < len(queue):
        u = queue[head]
        head += 1
        for v in graph[u]:
            if dist[v] < 0:
                dist[v] = dist[u] + 1
                queue.append(v)
    return dist


def best_profit(prices):
    low, best = float("inf"), 0
    for price in prices:
        low = min(low, price)
        best = max(best, price - low)
    return best


def balance(values):
    total = 0
    for v in values:
        if v > 0.5:
            total += v * v
        else:
            total -= 1
    return total


def shortest(edges, weights, n):
    far = [float("inf")] * n
    far[0] = 0
    for _ in range(n - 1):
        changed = False
        for k in range(len(edges)):
            u, v = edges[k]
            if far[u] + weights[k] < far[v]:
                far[v] = far[u] + weights[k]
                changed = True
        if not changed:
            break
    return far


def eliminated(a):
    a = a.copy()
    for k in range(len(a)):
        a[k + 1 :, k] /= a[k, k]
        for j in range(k + 1, len(a)):
            a[k + 1 :, j] -= a[k + 1 :, k] * a[k, j]
    return a


# -- their arguments, and the benchmark ------------------------------------------------------------


def _graph(draw: np.random.Generator, nodes: int, degree: int) -> tuple[Any, ...]:
    edges = nodes * degree
    starts, targets = np.arange(0, edges + 1, degree), draw.integers(0, nodes, edges)
    return starts, targets, draw.random(edges), np.int64(nodes)


def pi_by_points(n):
    random.seed(1)
    inside = 0
    for _ in range(n):
        x, y = random.random(), random.random()
        if x * x + y * y <= 1:
            inside += 1
    return 4 * inside / n


def random_walk(n):
    random.seed(1)
    place = far = 0
    for _ in range(n):
        place += random.choice([-1, 1])
        if abs(place) > far:
            far = abs(place)
    return place, far


def option_price(n):
    rng = np.random.default_rng(1)
    total = 0.0
    for _ in range(n):
        price = 100.0 * math.exp(0.2 * rng.normal() - 0.02)
        total += max(price - 105.0, 0.0)
    return total / n


def programs() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """The programs by their descriptions, with arguments."""
    draw = np.random.default_rng(1)
    pairs = draw.integers(0, 50_000, (50_000, 2)), np.int64(50_000)
    words = draw.integers(0, 4, 300), draw.integers(0, 4, 280), np.int64(300), np.int64(280)
    sack = draw.integers(1, 51, 100), draw.integers(0, 99, 100), np.int64(2000)
    return {
        "counts of 200,000 numbers in a dict": (count_values, (draw.integers(0, 500, 200_000),)),
        "longest Collatz chain, memo in a dict": (collatz_memo, (np.int64(20_000),)),
        "Fibonacci numbers in a dict of 100,000": (fib_memo, (np.int64(100_000),)),
        "paths in a grid, keys are pairs": (grid_paths, (np.int64(200),)),
        "a set of 100,000 numbers": (distinct, (draw.integers(0, 100_000, 100_000),)),
        "Dijkstra with heapq, 5,000 nodes": (dijkstra, _graph(draw, 5000, 5)),
        "union-find, 50,000 pairs": (union_find, pairs),
        "knapsack, 100 x 2,000": (knapsack, sack),
        "sieve to 500,000 with lists": (sieve, (np.int64(500_000),)),
        "eight queens": (queens, (np.int64(8),)),
        "Mandelbrot, 80 x 80, complex": (mandel, (np.int64(80),)),
        "bits of 100,000 numbers": (bits, (np.int64(100_000),)),
        "walk of complex numbers, 400,000 steps": (complex_walk, (np.int64(400_000),)),
        "longest common subsequence, 300 x 280": (longest_common, words),
        "breadth-first search, 20,000 edges": (
            distances,
            (draw.integers(0, 5000, (20_000, 2)), np.int64(5000)),
        ),
        "largest rise of 200,000 prices": (best_profit, (draw.random(200_000),)),
        "balance of ints and floats, 200,000": (balance, (draw.random(200_000),)),
        "Bellman-Ford in a list, 3,000 edges": (
            shortest,
            (draw.integers(0, 300, (3000, 2)), draw.random(3000), np.int64(300)),
        ),
        "LU of 100 x 100 by columns in place": (
            eliminated,
            (draw.random((100, 100)) + 9 * np.eye(100),),
        ),
        "pi by 200,000 random points": (pi_by_points, (np.int64(200_000),)),
        "random walk of 200,000 steps": (random_walk, (np.int64(200_000),)),
        "price by 100,000 normal numbers": (option_price, (np.int64(100_000),)),
    }


def cpu(fn: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[float, Any]:
    """The seconds of CPU time of a call, and its result."""
    given = copy.deepcopy(arguments)
    start = time.process_time()
    found = fn(*given)
    return time.process_time() - start, found


@benchmark("ordinary")
def ordinary(rounds: int) -> None:
    """Prints the first call by the default engine and by the native one, and later calls."""
    warm = np.arange(3.0)  # imports, and LLVM's start
    rt.function(lambda x: x + 1, engine="native")(warm)
    rt.function(bits)(np.int64(30))
    heading = f"{'Python':>12}{'first, auto':>13}{'first, native':>15}{'later':>12}"
    print(f"\nordinary programs: CPU time, the least of {rounds} calls\n  {'':<40}{heading}")
    for name, (fn, arguments) in programs().items():
        plain, wanted = min((cpu(fn, arguments) for _ in range(rounds)), key=lambda pair: pair[0])
        automatic, first = cpu(rt.function(fn), arguments)
        compiled = rt.function(fn, engine="native")
        native, second = cpu(compiled, arguments)
        later = [cpu(compiled, arguments) for _ in range(rounds + 1)][1:]
        for found in (first, second, later[-1][1]):
            if repr(found) != repr(wanted):
                raise SystemExit(f"{name}: {found!r} is not {wanted!r}")
        least = min(seconds for seconds, _ in later)
        ratio = f"x{plain / least:.1f}"
        times = f"{shown(plain):>12}{shown(automatic):>13}{shown(native):>15}{shown(least):>12}"
        print(f"  {name:<40}{times}   {ratio}", flush=True)
