"""Functions that change a place, call themselves, and restore it: each call sees the change."""

import copy

import numpy as np
import pytest

import runtime as rt


class Search:
    def __init__(self):
        self.depth = 0
        self.path = []

    def visit(self, n, k):
        if n <= 0:
            return self.depth + k
        self.depth += 2
        found = self.visit(n - 1, k) + self.visit(n - 2, k)
        self.depth -= 2
        return found


def attribute(n, x):
    return Search().visit(n, 1)


def of_a_list(n, x):
    def visit(n, taken, found):
        if n <= 0:
            found.append(len(taken))
            return
        for step in (1, 2):
            taken.append(n)
            visit(n - step, taken, found)
            taken.pop()

    taken, found = [], []
    visit(n, taken, found)
    return found, taken


def of_an_empty_list(n, x):
    def visit(n, taken, found):
        if n <= 0:
            found.append(taken[:])
            return
        taken.append(n)
        visit(n - 1, taken, found)
        taken.pop()

    found = []
    visit(n, [], found)
    return found


def of_a_dict(n, x):
    def visit(n, state):
        if n <= 0:
            return state["sum"]
        state["sum"] += n
        found = visit(n - 1, state) + visit(n - 2, state)
        state["sum"] -= n
        return found

    return visit(n, {"sum": 0})


def of_an_array(n, x):
    def visit(n, board):
        if n <= 0:
            return board.sum() + board[0]
        board[1] += 2.0
        found = visit(n - 1, board) + visit(n - 2, board)
        board[1] -= 2.0
        return found

    return visit(n, x), x


def of_a_variable(n, x):
    depth = 0

    def visit(n):
        nonlocal depth
        if n <= 0:
            return depth * 1.5
        depth += 1
        found = visit(n - 1) + visit(n - 2)
        depth -= 1
        return found

    return visit(n), depth


def read_in_a_loop(n, x):
    def visit(n, taken):
        s = 0
        for v in taken:
            s = s + v
        if n <= 0:
            return s
        taken.append(n)
        s = s + visit(n - 1, taken)
        taken.pop()
        return s

    return visit(n, [])


PROGRAMS = (
    attribute,
    of_a_list,
    of_an_empty_list,
    of_a_dict,
    of_an_array,
    of_a_variable,
    read_in_a_loop,
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_call_sees_the_change(program):
    staged, x = rt.function(program), np.array([1.0, 2.0])
    for n in (0, 1, 2, 5):
        wanted = program(np.int64(n), copy.deepcopy(x))
        found = staged(np.int64(n), copy.deepcopy(x))
        np.testing.assert_equal(found, wanted)
    assert "recursive(" in str(staged.get_concrete_function(np.int64(5), x).graph)
