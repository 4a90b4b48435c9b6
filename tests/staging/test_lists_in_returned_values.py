"""Lists that loops fill, inside of what the loop returns or keeps: they stay the same lists."""

import exact_outcomes
import numpy as np
import pytest

import runtime as rt


def with_the_value(x, n, k):
    history = []
    for i in range(n):
        history.append(x * i)
        x = x * 0.5
        if i == k:
            return x, history
    return x, history


def of_the_counter(x, n, k):
    seen = []
    for i in range(n):
        seen.append(i)
        if i == k:
            return {"x": x, "seen": seen}
    return {"x": x, "seen": seen}


def changed_before_the_return(x, n, k):
    seen = []
    for i in range(n):
        seen.append(x * i)
        if i == k:
            seen.append(100.0)
            return x, seen
        seen.append(50.0)
    return x, seen


def from_the_inner_loop(x, n, k):
    seen = []
    for i in range(n):
        seen.append(x * i)
        for j in range(n):
            seen.append(-1.0 * j)
            if i + j == k:
                return {"x": x, "seen": seen}, i
    return {"x": x, "seen": seen}, -1


def with_a_dict(x, n, k):
    seen = {}
    for i in range(n):
        seen[i] = x * i
        if i == k:
            return x, seen
    return x, seen


def from_a_while(x, n, k):
    losses = []
    while len(losses) < n:
        losses.append(x)
        x = x * 0.5
        if len(losses) > k:
            return losses, x, "early"
    return losses, x, "late"


class Fit:
    def __init__(self, x, losses):
        self.x, self.losses = x, losses


def in_an_object(x, n, k):
    losses = []
    for i in range(n):
        losses.append(x)
        x = x * 0.5
        if i == k:
            return Fit(x, losses).losses, i
    return losses, n


def kept(x, n, k):
    seen, found = [], None
    for i in range(n):
        seen.append(x * i)
        if i == k:
            found = x, seen
    return found, seen, found is not None and found[1] is seen


def kept_alone(x, n, k):
    seen, found = [], None
    for i in range(n):
        seen.append(x * i)
        if i == k:
            found = seen
    return found, seen


def kept_and_changed(x, n, k):
    seen, found = [], None
    for i in range(n):
        seen.append(x * i)
        if i == k:
            found = x, seen
    if found is not None:
        found[1].append(7.0)
    return found, seen


def kept_if_bound(x, n, k):
    seen = []
    for i in range(n):
        seen.append(x * i)
        if i == k:
            found = x, seen
    seen.append(3.0)
    return found, seen


def from_a_loop_in_a_branch(x, n, k):
    if x > k:
        for i in range(n):
            x = x * 0.5
            if x < 1:
                return x, ["early", "out"]
    return x, ["late"]


def alone_from_a_loop_in_a_branch(x, n, k):
    if n > k:
        for i in range(n):
            x = x * 0.5
            if x < 1:
                return [i, 2 * i]
    return [1]


def a_dict_from_a_loop_in_a_branch(x, n, k):
    if n > k:
        for i in range(n):
            x = x * 0.5
            if i == k:
                return {"x": x, "seen": [x, x + 1]}
    elif x > 1:
        return {"x": x, "seen": [x]}
    return {"x": x, "seen": []}


def an_object_from_a_loop_in_a_branch(x, n, k):
    if n > k:
        for i in range(n):
            x = x * 0.5
            if i == k:
                return Fit(x, [x]).losses, Fit(x, [i]).x
    return [x], x


PROGRAMS = [with_the_value, of_the_counter, changed_before_the_return, from_the_inner_loop]
PROGRAMS += [with_a_dict, from_a_while, in_an_object, kept, kept_alone, kept_and_changed]
PROGRAMS += [kept_if_bound, from_a_loop_in_a_branch, alone_from_a_loop_in_a_branch]
PROGRAMS += [a_dict_from_a_loop_in_a_branch, an_object_from_a_loop_in_a_branch]
COUNTS = [(0, 0), (3, 0), (3, 1), (5, 3), (3, 7)]


@pytest.mark.parametrize("engine", ["native", "numpy"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_list_is_the_one_that_the_loop_fills(program, engine):
    given = [(np.float64(1.5), np.int64(n), np.int64(k)) for n, k in COUNTS]
    assert not exact_outcomes.is_refused(program, given, engine, program.__name__)


@pytest.mark.parametrize("program", [with_the_value, from_a_while], ids=lambda p: p.__name__)
def test_gradients_through_lists_that_are_returned_early(program):
    def of_the_list(x, n, k):
        found = program(x, n, k)
        return sum(found[1] if program is with_the_value else found[0])

    step = 1e-6
    for n, k in COUNTS:
        slope = rt.grad(of_the_list)(np.float64(1.5), np.int64(n), np.int64(k))
        ends = [of_the_list(np.float64(1.5 + d), n, k) for d in (step, -step)]
        assert np.isclose(slope, (ends[0] - ends[1]) / (2 * step), atol=1e-6)
