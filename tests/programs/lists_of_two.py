"""Lists that a branch chooses among two, and that code changes by the chosen name."""

import numpy as np
from support.engine_runs import Cases

CASES = Cases()
program = CASES.program
A = np.array([2.0, 3.0, 10.0, 11.0, 25.0])
E = A[:0]
N = -A


@program((A, 5.0), (E, 1.0), (N, 3.0))
def partitioned(x, t):
    low, high = [], []
    for v in x:
        (low if v < t else high).append(v)
    return low, high


@program(A, N)
def appended_twice(x):
    a, b = [1.0], [2.0]
    y = a if x[0] > 0 else b
    y.append(x[1])
    a.append(7.0)
    y.append(x[2])
    return a, b


@program(A, N, refused=True)
def read_after_a_change(x):
    a, b = [1.0], [2.0]
    y = a if x[0] > 0 else b
    y.append(x[1])
    return a, b, y


@program(A, N)
def popped_and_added_to(x):
    a, b = [1.0, 4.0], [2.0, 5.0]
    y = a if x[0] > 0 else b
    q = y.pop()
    y += [3.0]
    return a, b, q


@program(A, N, refused=True)
def chosen_in_a_loop(x):
    a, b = [1.0, 4.0], [2.0, 5.0]
    y = a
    for i in range(int(abs(x[0]))):
        y = b if x[i] > 0 else a
    y.append(3.0)
    return a, b


@program(A, N)
def changed_in_iterations(x):
    a, b = [1.0, 4.0], [2.0, 5.0]
    for i in range(3):
        y = b if x[i] > 2.5 else a
        if x[i] > 0:
            y.append(x[i])
            y[0] = x[i]
    return a, b


@program(A, N)
def sorted_and_shortened(x):
    a, b = [1.0, 4.0], [2.0, 5.0]
    if x[0] > 0:
        y = a
    else:
        y = b
    y.sort(reverse=True)
    y.extend([x[0], x[1]])
    del y[0]
    return a, b


@program(A, N, refused=True)
def one_of_three(x):
    a, b, c = [1.0], [2.0], [3.0]
    y = a if x[0] > 5 else b if x[1] > 0 else c
    y.append(x[0])
    return a, b, c


@program(A, N, refused=True)
def older_or_new(x):
    a = [1.0]
    y = a if x[0] > 0 else [5.0]
    y.append(2.0)
    return a


@program(A, N)
def sides_of_elements(x):
    even, odd = [], []
    for i, v in enumerate(x):
        side = even if i % 2 == 0 else odd
        side.append(v)
        t = even if v > 2.5 else odd
        t.insert(0, v)
    return even, odd


@program(A, N)
def changed_in_a_branch(x):
    a, b = [1.0], [2.0]
    y = a if x[0] > 0 else b
    if x[1] > 0:
        y.append(x[1])
    return a, b


@program(A, N)
def changed_in_a_loop(x):
    a, b = [1.0], [2.0]
    y = a if x[0] > 0 else b
    for v in x:
        if v > 2.5:
            y.append(v)
    return a, b


@program(A, N)
def changed_by_a_function(x):
    a, b = [1.0], [2.0]
    y = a if x[0] > 0 else b

    def add(v):
        y.append(v)

    for i in range(int(abs(x[1]))):
        add(x[i])
    return len(a), b


@program(A, N)
def changed_while(x):
    a, b = [], []
    y = a if x[0] > 0 else b
    n = 0
    while n < 3:
        y.append(n)
        n += 1 if x[n] > 0 else 2
    return a, b


class Bin:
    def __init__(self):
        self.a, self.b = [], []

    def put(self, v):
        (self.a if v > 5 else self.b).append(v)


@program(A, N)
def attributes_of_two(x):
    s = Bin()
    for v in x:
        s.put(v)
    return s.a, s.b


@program(A, N)
def items_of_two(x):
    d = {"lo": [], "hi": []}
    for v in x:
        d["lo" if v < 5 else "hi"].append(v)
    return d


@program(A, N)
def inside_of_a_list(x):
    a, b = [1.0], [2.0]
    y = a if x[0] > 0 else b
    z = [y, a]
    z[0].append(4.0)
    return a, b
