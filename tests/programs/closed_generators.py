"""Generators that are left before their end: elements that no run takes, and their clean-up."""

import heapq
import itertools

import numpy as np
from support.every_mode import SIZES, STAGED, Programs

PROGRAMS = Programs()
program = PROGRAMS.program
ABOVE, BELOW = np.array([0.5, -1.0, 2.0]), np.array([-1.0, -3.0])


def noting(a, log):
    """Notes in a list when an element is taken."""
    for v in a:
        log.append("taken")
        yield v


def closing(a, log):
    try:
        for v in a:
            yield v
    finally:
        log.append("closed")
        print("closed", a[0])


def around(a, log):
    yield a[0] - 1.0
    yield from closing(a, log)
    yield 2.0


class Noted:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("entered")

    def __exit__(self, *error):
        self.log.append("left")


def in_a_context(a, log):
    with Noted(log):
        yield from a


def handling(a, log):
    try:
        for v in a:
            yield v
    except ZeroDivisionError:
        log.append("handled")


# -- elements that no run takes --------------------------------------------------------------------


@program(ABOVE)
@program(BELOW, name="any_below")
def any_(a):
    log = []
    return any(v > 0 for v in noting(a, log)), log


@program(ABOVE)
@program(BELOW, name="all_below")
def all_(a):
    log = []
    return all(v < 0 for v in (w * 1.0 for w in noting(a, log))), log


@program(ABOVE)
@program(BELOW, name="next_below")
def next_(a):
    log = []
    return next((v for v in noting(a, log) if v > 0), None), log


@program(ABOVE)
@program(BELOW, name="mapped_below")
def mapped(a):
    log = []
    return next((v for v in map(abs, noting(a, log)) if v > 0.7), 0.0), log


@program(ABOVE)
@program(BELOW, name="contains_below")
def contains(a):
    log = []
    return 0.5 in noting(a, log), -3.0 in (v for v in noting(a, log)), log


@program(ABOVE)
def left_loop(a):
    log = []
    for v in (w for w in noting(a, log)):
        if v > 0:
            break
    return v, log


# -- clean-up --------------------------------------------------------------------------------------


@program(ABOVE)
@program(BELOW, name="broken_off_below")
def broken_off(a):
    log = []
    for v in closing(a, log):
        if v > 0:
            break
    return v, log


@program(ABOVE)
@program(BELOW, name="returned_below")
def returned(a):
    log = []
    for v in closing(a, log):
        if v > 0:
            return v, log[:]
    return None, log


@program(ABOVE)
@program(BELOW, name="delegated_below")
def delegated(a):
    log = []
    for i, v in enumerate(around(a, log)):
        if v > 0:
            break
    return i, v, log


@program(ABOVE)
@program(BELOW, name="repeated_below")
def repeated(a):
    log = []
    for _ in range(6):
        for v in closing(a, log):
            if v > 0:
                break
    return v, log


@program(ABOVE)
@program(BELOW, name="any_closing_below")
def any_closing(a):
    log = []
    return any(v > 0 for v in closing(a, log)), 0.5 in closing(a, log), log


@program(ABOVE)
def known_end(a):
    log = []
    for v in closing(a, log):
        break
    it = closing(a, log)
    y = next(it)
    it.close()
    return v, y, next(closing(a, log)), log


@program(ABOVE, refused=STAGED)
def left_context(a):
    log = []
    for v in in_a_context(a, log):
        if v > 0:
            break
    return v, log


@program(ABOVE, refused=SIZES)
def ended_context(a):
    log = []
    for v in in_a_context(a, log):
        log.append(v)
    return v, log


@program(ABOVE, refused=SIZES)
@program(BELOW, name="handled_below", refused=SIZES)
def handled(a):
    log = []
    for v in handling(a, log):
        if v > 0:
            break
    return v, log


def ended(a):
    if a[0] > 100:
        yield a[0]
    return a[1]


@program(ABOVE, refused=STAGED)
def value_of_the_end(a):
    return next(filter(None, ended(a)))


@program(ABOVE)
def no_value_of_the_end(a):
    return next(ended(a), None)


# -- elements that a graph would take at once ------------------------------------------------------


def positive(a, log):
    for v in a:
        log.append(v)
        if v > 0:
            yield v


@program(ABOVE)
def accumulated(a):
    log = []
    for v in itertools.accumulate(positive(a, log)):
        if v > 1:
            break
        log.append(v * 2)
    return v, log


@program(ABOVE)
def accumulated_without_use(a):
    log = []
    itertools.accumulate(positive(a, log))
    return log, list(itertools.accumulate(positive(a, []), max, initial=0.0))


def adding(log):
    def add(p, q):
        log.append(q)
        return p + q

    return add


@program(ABOVE, refused=STAGED)
def accumulated_with_effects(a):
    log = []
    for v in itertools.accumulate(a, adding(log)):
        if v > 1:
            break
    return v, log


@program(ABOVE, refused=STAGED)
def merged(a):
    log = []
    for _ in heapq.merge(positive(a, log), positive(a + 1, log)):
        log.append(0.0)
    return log


@program(ABOVE, refused=STAGED)
def grouped(a):
    log = []
    for _, group in itertools.groupby(positive(a, log), key=lambda v: v > 1):
        log.append(len(list(group)))
    return log


def pure(a):
    for v in a:
        if v > 0:
            yield v


@program(ABOVE)
def without_effects(a):
    groups = itertools.groupby(pure(a), key=lambda v: v > 1)
    both = heapq.merge(pure(a), pure(a + 1))
    return [(key, len(list(group))) for key, group in groups], list(both)


@program(ABOVE)
def first_of_an_expression(a):
    log = []
    y = next(v for v in closing(a, log))
    log.append("after")
    return y, log, next((v for v in closing(a[:0], log)), None)
