"""Deques that staged branches and loops change."""

from collections import deque

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
X = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
N = np.int64(4)
A = np.array([[0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]])


@PROGRAMS.program(A, np.int64(0))
def bfs(a, s):
    n = len(a)
    dist = [-1] * n
    dist[s] = 0
    q = deque([s])
    while q:
        u = q.popleft()
        for v in range(n):
            if a[u, v] != 0 and dist[v] < 0:
                dist[v] = dist[u] + 1
                q.append(v)
    return dist


@PROGRAMS.program(X)
def moving(x):
    q = deque(maxlen=3)
    out = []
    for v in x:
        q.append(v)
        out.append(sum(q) / len(q))
    return out


@PROGRAMS.program(X)
def moving2(x):
    q = deque(maxlen=3)
    t = 0.0
    for v in x:
        if v > 1.5:
            q.append(v)
        if len(q) == 3:
            t += max(q) - min(q)
    return t, q[0], q[-1]


@PROGRAMS.program(X, N)
def ret(x, n):
    q = deque(maxlen=2)
    for i in range(n):
        q.append(x[i])
    return q


@PROGRAMS.program(X, N)
def ret2(x, n):
    q = deque()
    for i in range(n):
        if x[i] > 1:
            q.appendleft(x[i])
    return q, list(q), np.array(q), sorted(q), sum(q)


@PROGRAMS.program(X, N)
def rot(x, n):
    q = deque(x)
    for i in range(n):
        q.rotate(i)
    q.rotate(-2)
    return list(q)


@PROGRAMS.program(X, N)
def rot2(x, n):
    q = deque()
    for i in range(n):
        q.append(x[i])
    q.rotate(n + 2)
    q.rotate()
    q.extendleft([1.0, 2.0])
    q.extend([7.0])
    return list(q), q.index(7.0), q.count(1.0), 7.0 in q, len(q), q.pop(), q.popleft()


@PROGRAMS.program(X, N)
def window(x, n):
    q = deque()
    out = []
    for i in range(5):
        while q and x[q[-1]] <= x[i]:
            q.pop()
        q.append(i)
        if q[0] <= i - 3:
            q.popleft()
        if i >= 2:
            out.append(x[q[0]])
    return out


@PROGRAMS.program(X, N)
def empty(x, n):
    q = deque()
    for i in range(n):
        if x[i] > 1:
            q.append(x[i])
    while True:
        q.pop()


@PROGRAMS.program(X, N)
def josephus(x, n):
    q = deque()
    for i in range(n):
        q.append(i)
    while len(q) > 1:
        q.rotate(-2)
        q.popleft()
    return q[0]


@PROGRAMS.program(X, N)
def isin(x, n):
    q = deque()
    for i in range(n):
        q.append(x[i])
    return isinstance(q, deque), isinstance(q, list), type(q) is deque, q == [1], q.maxlen, bool(q)


@PROGRAMS.program(X, N)
def loopover(x, n):
    q = deque(maxlen=3)
    t = 0.0
    for i in range(n):
        q.append(x[i])
        for v in q:
            t = t * 2 + v
        for i, v in enumerate(reversed(q)):
            t += i * v
    return t


@PROGRAMS.program(X, N, refused=STAGED)
def levels(x, n):
    cur = deque([1])
    t = 0
    while cur:
        nxt = deque()
        for v in cur:
            t += v
            if 2 * v < n * 3:
                nxt.append(2 * v)
                nxt.append(2 * v + 1)
        cur = nxt
    return t


@PROGRAMS.program(X, N, refused=STAGED)
def rebound(x, n):
    q = deque(maxlen=2)
    t = 0.0
    for i in range(n):
        q.append(x[i])
        if x[i] > 2:
            q = deque(maxlen=3)
        t += len(q)
    return t


@PROGRAMS.program(X, N)
def copies(x, n):
    q = deque(maxlen=2)
    for i in range(n):
        q.append(x[i])
    r = q.copy()
    r.append(9.0)
    s = deque(q)
    s.append(8.0)
    return list(q), list(r), list(s)


class Buf:
    def __init__(self):
        self.q = deque(maxlen=3)

    def push(self, v):
        self.q.append(v)
        return sum(self.q)


@PROGRAMS.program(X)
def inobject(x):
    b = Buf()
    t = 0.0
    for v in x:
        if v > 1:
            t += b.push(v)
    return t, b.q


@PROGRAMS.program(X, N)
def zipq(x, n):
    q = deque()
    for i in range(n):
        q.append(x[i])
    return (
        sum(a * b for a, b in zip(q, x)),
        [v * 2 for v in q],
        [v for v in q if v > 1],
        max(q, key=lambda v: -v),
        ",".join(str(v) for v in q),
    )


@PROGRAMS.program(X, N)
def tuples(x, n):
    q = deque([(0, 1.0)])
    t = 0.0
    while q:
        i, w = q.popleft()
        t += w * x[i]
        if i + 1 < n:
            q.append((i + 1, w * 0.5))
        if i + 2 < n:
            q.appendleft((i + 2, w * 0.25))
    return t
