"""Objects of classes with an `__iter__`, which a loop or a function iterates over."""

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])


class Bag:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        for v in self.x:
            if v > 0:
                yield v


class Four:
    def __init__(self, x):
        self.x, self.i = x, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.i == 3:
            raise StopIteration
        self.i += 1
        return self.x[self.i - 1]


class Pairs:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        return iter([self.x[0], self.x[1]])


@prog(A)
def bag_sum(x):
    return sum(Bag(x))


@prog(A)
def bag_list(x):
    return list(Bag(x))


@prog(A)
def bag_for(x):
    t = 0.0
    for v in Bag(x):
        t = t * 2 + v
    return t


@prog(A)
def bag_max(x):
    return max(Bag(x), default=0.0)


@prog(A)
def bag_sorted(x):
    return sorted(Bag(x))


@prog(A)
def bag_any(x):
    return any(v > 2 for v in Bag(x))


@prog(A)
def bag_comp(x):
    return [v * 2 for v in Bag(x)]


@prog(A)
def bag_enum(x):
    t = 0.0
    for i, v in enumerate(Bag(x)):
        t = t * 2 + v * i
    return t


@prog(A)
def four_max(x):
    return max(Four(x)), sum(Four(x)), sorted(Four(x)), list(Four(x))


@prog(A)
def four_for(x):
    t = 0.0
    for v in Four(x):
        if v > 0:
            t += v
    return t


@prog(A)
def pairs_all(x):
    return max(Pairs(x)), min(Pairs(x)), sum(Pairs(x)), sorted(Pairs(x)), tuple(Pairs(x))


@prog(A)
def max_map(x):
    return (
        max(map(lambda v: v * 2, [x[0], x[1]])),
        min(map(abs, x)),
        max(filter(lambda v: v > -5, [x[0], x[1]])),
    )


@prog(A)
def max_dict(x):
    d = {"a": x[0], "b": x[1]}
    return (
        max(d),
        max(d.values()),
        max(d, key=d.get),
        max(d.items(), key=lambda kv: kv[1]),
        min(d.values()),
    )


@prog(A)
def max_tuple_pairs(x):
    return max((x[0], 1), (x[1], 2)), min(zip(x, [1, 2, 3])), max([x[0], x[2]], [x[1], x[2]])


class Leaf:
    def __init__(self, value):
        self.value, self.left, self.right = value, None, None

    def __iter__(self):
        if self.left is not None:
            yield from self.left
        yield self.value
        if self.right is not None:
            yield from self.right


@prog(A)
def tree_iterated(x):
    root = Leaf(x[0])
    root.left, root.right = Leaf(x[1]), Leaf(x[2])
    root.left.right = Leaf(x[3])
    total = 0.0
    for v in root:
        if v > 1:
            total = total * 3 + v
    return total, max(root), sorted(root), [v * 2 for v in root if v > 2]


class Counted:
    def __init__(self, x):
        self.x, self.calls = x, 0

    def __iter__(self):
        self.calls += 1
        return iter(self.x)


@prog(A)
def iterated_once_each(x):
    c = Counted(x)
    total = 0.0
    for v in c:
        total += v
    a, b = list(c)[:2]
    found = max(c), sum(c), list(zip(c, [1, 2])), any(v > 3 for v in c)
    return total, a, b, found, c.calls
