"""Counters with staged elements: sums, differences and comparisons of counts."""

from collections import Counter

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program

Z = np.array([3, 1, 3, 2, 1, 3, 0, 5, 1])


def counted(z):
    found = Counter()
    for v in z:
        found[int(v)] += 1
    return found


def halves(z):
    return counted(z[:5]), counted(z[4:])


@prog(Z)
def sums_of_counters(z):
    a, b = halves(z)
    return a + b, list(a + b), list((b + a).items())


@prog(Z)
def differences_of_counters(z):
    a, b = halves(z)
    return a - b, b - a, list((a - b).items())


@prog(Z)
def greater_and_lesser_counts(z):
    a, b = halves(z)
    return a | b, list(a | b), a & b, list(b & a)


@prog(Z)
def negative_counts(z):
    a, b = halves(z)
    a.subtract(b)
    a[9] = -2
    return a - b, b - a, a + b, a | b, a & b, list((b - a).items())


@prog(Z)
def equal_counters(z):
    a, b = halves(z)
    c = Counter(a)
    c[77] = 0
    return a == b, a != b, a == c, c == a, a != c, a == halves(z)[0]


@prog(Z)
def a_counter_with_a_known_one(z):
    a, _ = halves(z)
    k = Counter([3, 3, 1])
    return a + k, k + a, a - k, k - a, k | a, k & a, k == a, a != k


@prog(Z)
def a_counter_is_no_dict(z):
    a, _ = halves(z)
    return a == 3, a != {}, a == {1: 2}


@prog(Z)
def counters_that_grow(z):
    total = Counter()
    for v in z:
        total += Counter([int(v) % 3])
    same = total
    total -= Counter([0, 0])
    return total, same is total, list(same.items())


@prog(Z)
def counts_that_are_removed(z):
    a, b = halves(z)
    c = a
    a += b
    a[3] -= 10
    a += Counter()
    a += a
    return a, c is a, list(c.items())


@prog(Z)
def the_same_letters(z):
    words = z[:3], z[[2, 0, 1]], z[3:6]
    counts = [counted(word) for word in words]
    return [one == other for one in counts for other in counts]


@prog(Z, refused=STAGED)
def counters_in_order(z):
    a, b = halves(z)
    return a <= b


@prog(Z, refused=STAGED)
def a_counter_and_a_number(z):
    a, _ = halves(z)
    return a + 3
