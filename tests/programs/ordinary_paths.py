"""Paths that are followed back through lists in which None ends them."""

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program
N = np.array([4, 1, 3, 7, 8, 12, 3])
P = [None, 0, None, 1, 2]


@program((N,), (N[:1],))
def path_fixed(a):
    n = len(a)
    prev = [None] * n
    for i in range(1, n):
        if a[i] > a[i - 1]:
            prev[i] = i - 1
    k = n - 1
    path = []
    while k is not None:
        path.append(a[k])
        k = prev[k]
    return path


@program((N,), (N[:1],))
def path_staged_start(a):
    n = len(a)
    prev = [None] * n
    for i in range(1, n):
        if a[i] > a[i - 1]:
            prev[i] = i - 1
    k = int(np.argmax(a))
    path = []
    while k is not None:
        path.append(a[k])
        k = prev[k]
    return path


@program((N,), (N[:1],))
def path_index(a):
    n = len(a)
    prev = [None] * n
    for i in range(1, n):
        if a[i] > a[i - 1]:
            prev[i] = i - 1
    k = int(np.argmax(a))
    path = []
    while k is not None:
        path.append(k)
        k = prev[k]
    return path


@program((N,), (N[:1],))
def path_true(a):
    n = len(a)
    prev = [None] * n
    for i in range(1, n):
        if a[i] > a[i - 1]:
            prev[i] = i - 1
    k = int(np.argmax(a))
    path = []
    while True:
        if k is None:
            break
        path.append(a[k])
        k = prev[k]
    return path


@program((N,), (N[:1],))
def path_max(a):
    n = len(a)
    best = max(range(n), key=lambda i: a[i])
    prev = [None] * n
    for i in range(1, n):
        if a[i] > a[i - 1]:
            prev[i] = i - 1
    k = best
    path = []
    while k is not None:
        path.append(a[k])
        k = prev[k]
    return path


@program((N,), (N[:1],))
def path_double(a):
    n = len(a)
    prev = [None] * n
    for i in range(n):
        for j in range(i):
            if a[j] < a[i]:
                prev[i] = j
    k = n - 1
    path = []
    while k is not None:
        path.append(a[k])
        k = prev[k]
    return path


@program((N, 3), (N[:1], 1))
def wrong_assumption(a, stop):
    n = len(a)
    prev = [None] * n
    for i in range(1, n):
        if a[i] > a[i - 1]:
            prev[i] = i - 1
    k = prev[n - 1]
    seen = 0
    m = 0
    while k is not None and m < stop:
        seen += a[k]
        k = prev[k]
        m += 1
    j = prev[n - 1]
    m = 0
    while j is not None or m < stop:
        if j is None:
            seen += 100
            m += 1
        else:
            seen += a[j]
            j = prev[j]
    return seen, k, j


@program((N, 3), (N[:1], 1), (N[:3], 0))
def assumption_of_the_start_only(a, stop):
    n = len(a)
    prev = [None] * n
    for i in range(1, n):
        if a[i] > a[i - 1]:
            prev[i] = i - 1
    k = prev[n - 1]
    go = k is not None
    m = 0
    seen = []
    while go:
        seen.append(k is None)
        m += 1
        go = m < stop
        k = prev[k] if k is not None else None
    return seen, k


class Node:
    def __init__(self, v, next=None):
        self.v, self.next = v, next


@program((N, 3), (N[:1], 1), (N[:3], 5))
def linked(a, limit):
    head = None
    for v in a:
        if v > limit:
            head = Node(v, head)
    out = []
    node = head
    while node is not None:
        out.append(node.v)
        node = node.next
    return out
