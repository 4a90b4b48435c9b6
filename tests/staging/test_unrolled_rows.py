"""Loops over known rows that are unrolled: each element is read in its own iteration."""

import exact_outcomes
import numpy as np
import pytest


class Node:
    def __init__(self, value, rest):
        self.value, self.rest = value, rest


def chained(head):
    found = []
    while head is not None:
        found.append(head.value)
        head = head.rest
    return found


def written_ahead(a, b):
    head = None
    for v in a:
        head = Node(v, head)
        a[1:] += v
    return chained(head)


def written_through_a_view(a, b):
    for u, v in zip(b, a):
        a = a[::-1]
        a[1:] = a[-1] + u
        if v:
            break
    return a


def written_in_an_enumerated_zip(a, b):
    head = None
    for i, (u, v) in enumerate(zip(b, a)):
        head = Node(u + v, head)
        a[(i + 1) % 3] = -v
    return chained(head)


def written_in_a_branch(a, b):
    head = None
    for u, v in zip(a, b):
        head = Node(u, head)
        if v > 2:
            a[2] = v * 10
    return chained(head)


def rows_written_ahead(a, b):
    table, head = np.stack([a, a + 1, a + 2]), None
    for row in table:
        head = Node(row.sum(), head)
        table[1:] *= 2
        row[0] = 5
    return chained(head), table


def mapped_late(a, b):
    log, head = [], None

    def told(v):
        log.append(v)
        return v + len(log)

    for v in map(told, a):
        head = Node(v, head)
        log.append(-v)
    return chained(head), log


def left_early(a, b):
    head, pairs = None, zip(a, b)
    for u, v in pairs:
        head = Node(u, head)
        if v > 1:
            break
    return chained(head)


PROGRAMS = [written_ahead, written_through_a_view, written_in_an_enumerated_zip]
PROGRAMS += [written_in_a_branch, rows_written_ahead, mapped_late, left_early]


@pytest.mark.parametrize("engine", ["native", "numpy"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_an_element_is_read_in_its_iteration(program, engine):
    arrays = [[0, 2, 60, -1], [3, 1, 4, 1], [0, 0, 0, 7]]
    given = [(np.array(a), np.array([1, 2, 3, 5])) for a in arrays]
    assert not exact_outcomes.is_refused(program, given, engine, program.__name__)
