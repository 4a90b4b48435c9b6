"""Accounts, schedules, geometry, graphs and state machines, as people write them."""

import heapq
import math
from collections import Counter, defaultdict, deque
from enum import Enum

import numpy as np
from support.every_mode import SIZES, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
I = np.array([3, 1, 2, 5, 4])  # noqa: E741


@prog(A)
def report_lines(x):
    lines = []
    for i, v in enumerate(x):
        mark = "+" if v > 1 else "-" if v < 0 else " "
        lines.append(f"{i:>2}{mark}{v:8.3f}")
    return "\n".join(lines)


@prog(I)
def bar_chart(x):
    out = []
    for v in x:
        out.append("#" * int(v) + f" {v}")
    return out


class Account:
    def __init__(self, balance, rate):
        self.balance, self.rate, self.log = balance, rate, []

    def deposit(self, v):
        if v < 0:
            raise ValueError("negative")
        self.balance += v
        self.log.append(("d", v))

    def withdraw(self, v):
        if v > self.balance:
            self.log.append(("f", v))
            return False
        self.balance -= v
        self.log.append(("w", v))
        return True

    def year(self):
        self.balance *= 1 + self.rate


@prog(A)
def bank(x):
    a = Account(5.0, 0.1)
    failed = 0
    for v in x:
        if not a.withdraw(v):
            failed += 1
        a.year()
    return a.balance, failed, len(a.log)


@prog(A)
def bank_raise(x):
    a = Account(0.0, 0.1)
    for v in x:
        a.deposit(v)
    return a.balance


@prog(A)
def amortize(x):
    principal, rate, pay = abs(x[0]) * 100 + 10, 0.01, 25.0
    months, paid = 0, 0.0
    while principal > 0 and months < 60:
        interest = principal * rate
        payment = min(pay, principal + interest)
        principal = principal + interest - payment
        paid += payment
        months += 1
    return months, round(paid, 2), principal


@prog(A)
def irr(x):
    lo, hi = -0.9, 1.0
    flows = [-10.0] + [abs(v) + 1 for v in x]

    def npv(r):
        return sum(c / (1 + r) ** t for t, c in enumerate(flows))

    for _ in range(60):
        mid = (lo + hi) / 2
        if npv(mid) > 0:
            lo = mid
        else:
            hi = mid
    return (lo + hi) / 2


@prog(A)
def drawdown(x):
    peak, worst, start, at = -np.inf, 0.0, 0, (0, 0)
    for i, p in enumerate(x):
        if p > peak:
            peak, start = p, i
        if peak - p > worst:
            worst, at = peak - p, (start, i)
    return worst, at


@prog(I, refused=SIZES)
def schedule(x):
    jobs = sorted(((int(v), i) for i, v in enumerate(x)), reverse=True)
    loads = [0, 0]
    who = [[], []]
    for d, i in jobs:
        m = loads.index(min(loads))
        loads[m] += d
        who[m].append(i)
    return max(loads), loads, who


@prog(I)
def intervals(x):
    spans = sorted((min(a, b), max(a, b)) for a, b in zip(x, x[1:]))
    merged = []
    for lo, hi in spans:
        if merged and lo <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], hi))
        else:
            merged.append((lo, hi))
    return merged


@prog(A)
def polygon(x):
    pts = [(v * math.cos(i), v * math.sin(i)) for i, v in enumerate(x)]
    area = 0.0
    for (x1, y1), (x2, y2) in zip(pts, pts[1:] + pts[:1]):
        area += x1 * y2 - x2 * y1
    per = sum(math.hypot(a[0] - b[0], a[1] - b[1]) for a, b in zip(pts, pts[1:] + pts[:1]))
    return abs(area) / 2, per


@prog(A)
def hull(x):
    pts = sorted((float(i % 3), v) for i, v in enumerate(x))

    def cross(o, a, b):
        return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])

    h = []
    for p in pts:
        while len(h) >= 2 and cross(h[-2], h[-1], p) <= 0:
            h.pop()
        h.append(p)
    return h


@prog(I)
def dijkstra(x):
    n = 4
    g = defaultdict(list)
    for i, v in enumerate(x):
        g[i % n].append(((i + 1) % n, abs(int(v))))
        g[(i * 2) % n].append(((i + 3) % n, 2))
    dist = {i: math.inf for i in range(n)}
    dist[0] = 0
    pq = [(0, 0)]
    while pq:
        d, u = heapq.heappop(pq)
        if d > dist[u]:
            continue
        for v, w in g[u]:
            if d + w < dist[v]:
                dist[v] = d + w
                heapq.heappush(pq, (d + w, v))
    return dist


@prog(I)
def bfs_grid(x):
    w = 4
    walls = {(abs(int(v)) % 4, i % 4) for i, v in enumerate(x)} - {(0, 0)}
    seen = {(0, 0): 0}
    q = deque([(0, 0)])
    while q:
        r, c = q.popleft()
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            p = (r + dr, c + dc)
            if 0 <= p[0] < w and 0 <= p[1] < w and p not in walls and p not in seen:
                seen[p] = seen[(r, c)] + 1
                q.append(p)
    return len(seen), max(seen.values())


@prog(I)
def tictactoe(x):
    board = [["." for _ in range(3)] for _ in range(3)]
    turn = "X"
    for v in x:
        r, c = divmod(abs(int(v)) % 9, 3)
        if board[r][c] == ".":
            board[r][c] = turn
            turn = "O" if turn == "X" else "X"
    return ["".join(r) for r in board]


class State(Enum):
    IDLE = 0
    RUN = 1
    STOP = 2


@prog(A)
def state_machine(x):
    s = State.IDLE
    trace = []
    for v in x:
        if s is State.IDLE and v > 0:
            s = State.RUN
        elif s is State.RUN and v > 4:
            s = State.STOP
        elif s is State.STOP:
            s = State.IDLE
        trace.append(s.name)
    return s, trace


@prog(A)
def thermostat(x):
    on, switches, temp = False, 0, 18.0
    for v in x:
        temp += (1.5 if on else -0.5) + v * 0.1
        want = temp < 19 if not on else temp < 21
        if want != on:
            on, switches = want, switches + 1
    return temp, on, switches


@prog(A)
def running_stats(x):
    n, mean, m2, lo, hi = 0, 0.0, 0.0, math.inf, -math.inf
    for v in x:
        n += 1
        d = v - mean
        mean += d / n
        m2 += d * (v - mean)
        lo, hi = min(lo, v), max(hi, v)
    return n, mean, m2 / (n - 1), lo, hi


@prog(A)
def quartiles(x):
    s = sorted(x)

    def q(p):
        k = (len(s) - 1) * p
        f = math.floor(k)
        c = math.ceil(k)
        return s[f] if f == c else s[f] * (c - k) + s[c] * (k - f)

    return [q(p) for p in (0.25, 0.5, 0.75)]


@prog(I)
def mode(x):
    c = Counter(x.tolist())
    best = max(c.values())
    return sorted(k for k, v in c.items() if v == best), c.most_common(1)


@prog(I)
def histogram_dict(x):
    h = {}
    for v in x:
        key = "neg" if v < 0 else "low" if v < 3 else "high"
        h[key] = h.get(key, 0) + 1
    return h
