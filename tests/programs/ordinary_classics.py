"""Graphs, tables, queues and sorting, as people write them."""

import heapq
from collections import defaultdict, deque

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.array([4, 1, 3, 7, 8, 12, 3])
E = np.array([])
EDGES = np.array([[0, 1, 4], [1, 2, 2], [0, 2, 7], [3, 2, 1]])


@program((EDGES, 4, 0, 2), (EDGES.astype(float), 4, 3, 0), (EDGES[:0], 2, 0, 1), (EDGES, 4, 0, 3))
def dijkstra_path(edges, n, source, target):
    graph = defaultdict(list)
    for u, v, w in edges:
        graph[int(u)].append((int(v), w))
        graph[int(v)].append((int(u), w))
    dist = {source: 0}
    prev = {}
    heap = [(0, source)]
    while heap:
        d, u = heapq.heappop(heap)
        if u == target:
            break
        if d > dist.get(u, float("inf")):
            continue
        for v, w in graph[u]:
            nd = d + w
            if nd < dist.get(v, float("inf")):
                dist[v] = nd
                prev[v] = u
                heapq.heappush(heap, (nd, v))
    if target not in dist:
        return None
    path = [target]
    while path[-1] != source:
        path.append(prev[path[-1]])
    return dist[target], path[::-1]


@program((EDGES, 4), (EDGES[:, ::-1], 5), (EDGES[:0], 2))
def topological(edges, n):
    indegree = [0] * n
    out = [[] for _ in range(n)]
    for u, v, *_ in edges:
        out[u % n].append(v % n)
        indegree[v % n] += 1
    ready = [i for i in range(n) if indegree[i] == 0]
    order = []
    while ready:
        u = ready.pop(0)
        order.append(u)
        for v in out[u]:
            indegree[v] -= 1
            if indegree[v] == 0:
                ready.append(v)
    if len(order) != n:
        raise ValueError("graph has a cycle")
    return order


@program((N, 3), (A, 2), (N[:1], 1), (N[:0], 1))
def top_k(xs, k):
    heap = []
    for i, x in enumerate(xs):
        if len(heap) < k:
            heapq.heappush(heap, (x, i))
        elif x > heap[0][0]:
            heapq.heapreplace(heap, (x, i))
    return sorted(heap, reverse=True)


@program(
    (np.array([1, 3, 2]), np.array([4, 2, 1]), 5),
    (np.array([2]), np.array([1.5]), 1),
    (np.array([1, 1, 1]), np.array([1, 2, 3]), 2),
)
def knapsack_with_items(weights, values, capacity):
    n = len(weights)
    table = [[0] * (capacity + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for c in range(capacity + 1):
            table[i][c] = table[i - 1][c]
            if weights[i - 1] <= c:
                v = table[i - 1][c - weights[i - 1]] + values[i - 1]
                if v > table[i][c]:
                    table[i][c] = v
    chosen = []
    c = capacity
    for i in range(n, 0, -1):
        if table[i][c] != table[i - 1][c]:
            chosen.append(i - 1)
            c -= weights[i - 1]
    return table[n][capacity], chosen[::-1]


@program(
    (np.array([1, 2, 3, 2, 1]), np.array([3, 2, 1])),
    (np.array([1]), np.array([2])),
    (np.array([1.0, 2.0]), np.array([1.0, 2.0])),
)
def lcs(a, b):
    m, n = len(a), len(b)
    dp = np.zeros((m + 1, n + 1), dtype=int)
    for i in range(m):
        for j in range(n):
            if a[i] == b[j]:
                dp[i + 1, j + 1] = dp[i, j] + 1
            else:
                dp[i + 1, j + 1] = max(dp[i, j + 1], dp[i + 1, j])
    out = []
    i, j = m, n
    while i > 0 and j > 0:
        if a[i - 1] == b[j - 1]:
            out.append(a[i - 1])
            i, j = i - 1, j - 1
        elif dp[i - 1, j] >= dp[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return list(reversed(out))


class Inventory:
    def __init__(self):
        self.stock = {}
        self.log = []

    def add(self, item, qty):
        self.stock[item] = self.stock.get(item, 0) + qty
        self.log.append(f"+{qty} of {item}")

    def remove(self, item, qty):
        have = self.stock.get(item, 0)
        if have < qty:
            self.log.append(f"short of {item}")
            return False
        self.stock[item] = have - qty
        if self.stock[item] == 0:
            del self.stock[item]
        return True


@program(
    (np.array([[1, 5], [2, 3], [1, -2], [2, -3], [3, -1]]),),
    (np.array([[7, -7]]),),
    (np.zeros((0, 2), int),),
)
def stock_of_items(orders):
    inv = Inventory()
    failed = 0
    for item, q in orders:
        if q >= 0:
            inv.add(item, q)
        elif not inv.remove(item, -q):
            failed += 1
    return inv.stock, inv.log, failed


@program((4,), (1,), (np.int64(6),), (5,))
def n_queens(n):
    solutions = []

    def place(row, cols):
        if row == n:
            solutions.append(list(cols))
            return
        for c in range(n):
            ok = True
            for r, cc in enumerate(cols):
                if cc == c or abs(cc - c) == row - r:
                    ok = False
                    break
            if ok:
                cols.append(c)
                place(row + 1, cols)
                cols.pop()

    place(0, [])
    return len(solutions), solutions[:1]


@program((np.array([5, 3, 8, 1, 9]),), (A,), (N[:1],), (N[:0],))
def quicksort(xs):
    def sort(v):
        if len(v) <= 1:
            return v
        pivot = v[len(v) // 2]
        left = [q for q in v if q < pivot]
        middle = [q for q in v if q == pivot]
        right = [q for q in v if q > pivot]
        return sort(left) + middle + sort(right)

    return sort(list(xs))


@program((np.array([5, 3, 8, 1, 9]),), (A,), (N[:1],), (N[:0],), refused=True)
def merge_sort_count(xs):
    a = list(xs)
    buf = [0] * len(a)
    inversions = 0
    width = 1
    while width < len(a):
        for lo in range(0, len(a), 2 * width):
            mid = min(lo + width, len(a))
            hi = min(lo + 2 * width, len(a))
            i, j, k = lo, mid, lo
            while i < mid or j < hi:
                if j >= hi or (i < mid and a[i] <= a[j]):
                    buf[k] = a[i]
                    i += 1
                else:
                    buf[k] = a[j]
                    inversions += mid - i
                    j += 1
                k += 1
        a, buf = buf, a
        width *= 2
    return a, inversions


@program(
    (np.array([101, 205, 101, 300]), np.array([5.0, 7.5, 2.5, 1.0])),
    (np.array([1]), np.array([2])),
    (np.array([], int), E),
    refused=True,
)
def ledger(ids, amounts):
    totals = {}
    first = {}
    last = {}
    for i, (k, a) in enumerate(zip(ids, amounts)):
        if k not in totals:
            totals[k] = 0.0
            first[k] = i
        totals[k] += a
        last[k] = i
    report = []
    for k in sorted(totals):
        report.append({"id": k, "total": totals[k], "span": last[k] - first[k]})
    best = max(report, key=lambda r: r["total"]) if report else None
    return report, best


@program(
    (np.array([40, 49, 43, 50]),),
    (np.array([40, 41, 91, 93]),),
    (np.array([40, 93]),),
    (np.array([], int),),
)
def balanced(codes):
    pairs = {41: 40, 93: 91}
    stack = []
    for pos, c in enumerate(codes):
        if c in (40, 91):
            stack.append((c, pos))
        elif c in pairs:
            if not stack:
                return False, pos
            opened, where = stack.pop()
            if opened != pairs[c]:
                return False, where
    return not stack, -1


@program(("3 + 4 * 2", np.array([1.0])), ("10 / 4 - 1", np.array([2])), ("x * x", np.array([3.5])))
def calculator_of_words(text, x):
    prec = {"+": 1, "-": 1, "*": 2, "/": 2}
    out, ops = [], []

    def apply():
        op = ops.pop()
        b = out.pop()
        a = out.pop()
        out.append(a + b if op == "+" else a - b if op == "-" else a * b if op == "*" else a / b)

    for tok in text.split():
        if tok in prec:
            while ops and prec[ops[-1]] >= prec[tok]:
                apply()
            ops.append(tok)
        elif tok == "x":
            out.append(x[0])
        else:
            out.append(float(tok))
    while ops:
        apply()
    return out[0]


@program((np.array([[3, 1], [1, 2]]),), (np.array([[0.5, 0.5], [0.2, 0.8]]),), (np.array([[2.0]]),))
def power_method(a):
    v = np.ones(a.shape[0])
    lam = 0
    for k in range(200):
        w = a @ v
        norm = np.linalg.norm(w)
        w = w / norm
        new = w @ a @ w
        if k > 0 and abs(new - lam) < 1e-12:
            break
        v, lam = w, new
    else:
        return None
    return lam, v, k


@program(
    (np.array([5, 1, 4]), np.array([2, 2, 3])),
    (np.array([1]), np.array([1])),
    (np.array([2.5, 0.5]), np.array([1.0, 3.0])),
)
def gantt(duration, deadline):
    tasks = sorted(zip(duration, deadline), key=lambda t: t[1])
    t = 0
    late = []
    plan = {}
    for name, (d, due) in zip("abcdef", tasks):
        start, t = t, t + d
        plan[name] = (start, t)
        if t > due:
            late.append((name, t - due))
    return plan, late, max((l for _, l in late), default=0)


@program((np.array([2, 3, 5]), 30), (np.array([7]), 20), (np.array([2, 4]), 10))
def sum_multiples(factors, limit):
    found = set()
    for f in factors:
        m = f
        while m < limit:
            found.add(m)
            m += f
    return sum(found), len(found), max(found, default=None)


@program((np.array([3, 1, 4, 1, 5, 9, 2, 6]), 3), (A, 2), (N[:1], 1))
def sliding_max(xs, k):
    dq = deque()
    out = []
    for i, x in enumerate(xs):
        while dq and xs[dq[-1]] <= x:
            dq.pop()
        dq.append(i)
        if dq[0] <= i - k:
            dq.popleft()
        if i >= k - 1:
            out.append(xs[dq[0]])
    return out


@program((60.0, 3), (5, 1), (np.float32(2.5), 2))
def heron_digits(x, n):
    guess = x / 2
    seen = []
    while len(seen) < n:
        guess = (guess + x / guess) / 2
        seen.append(round(guess, 3))
    return seen, f"{guess:.4f}"
