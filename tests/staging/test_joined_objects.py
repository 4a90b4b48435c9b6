"""Variables that hold one of two objects, or None on one path, behave as in Python."""

import copy
import dataclasses
from collections import namedtuple

import numpy as np
import pytest

import runtime as rt


@dataclasses.dataclass
class State:
    w: object
    b: object


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def norm(self):
        return self.x * self.x + self.y * self.y

    def moved(self, d):
        return Point(self.x + d, self.y - d)


Pair = namedtuple("Pair", "a b")


def attributes_chosen(x, n):
    a, b = State(x, 1.0), State(1.0, x)
    s = a if x > 2 else b
    return s.w * 10 + s.b


def write_seen_by_both_names(x, n):
    a, b = State(x, 1.0), State(1.0, x)
    s = a if x > 2 else b
    s.w = 7.0
    return a.w, b.w, s.w, s is a, s is b


def write_seen_by_the_choice(x, n):
    a, b = State(x, 1.0), State(1.0, x)
    s = a if x > 2 else b
    a.w = 7.0
    return a.w, b.w, s.w


def nested_choices(x, n):
    a, b, c = Point(x, 1.0), Point(1.0, x), Point(0.0, 0.0)
    s = c
    if n > 1:
        s = a if x > 2 else b
    s.x = 9.0
    return [p.x for p in (a, b, c)]


def replaced_in_a_loop(x, n):
    s = State(x, x + 1)
    for i in range(n):
        s = dataclasses.replace(s, w=s.w * 2)
    return s.w + s.b


def moved_in_a_while(x, n):
    p = Point(x, 0.0)
    while p.norm() < 100:
        p = p.moved(1.0)
    return p.norm(), p.x, type(p) is Point


def two_names_after_a_loop(x, n):
    s = t = State(x, 1.0)
    for i in range(n):
        s = State(s.w + 1, s.b)
    t.b = 5.0
    return s.b, t.b


def best_of_several(x, n):
    points = [Point(x * k, k) for k in (3.0, 1.0, 2.0)]
    best = points[0]
    for p in points[1:]:
        if p.x < best.x:
            best = p
    for p in points:
        p.x = p.x + best.x
    return [p.x for p in points]


def arrays_keep_their_aliases(x, n):
    y, z = np.arange(3.0) * x, np.ones(3) * x
    s = State(y, 1.0) if x > 2 else State(z, 2.0)
    s.w[0] = 9.0
    return y, z, s.w


def changed_and_left(x, n):
    a, b = State(x, 1.0), State(1.0, x)
    if x > 2:
        a.w = 50.0
        s = a
    else:
        s = b
        b.b = 9.0
    return s.w, s.b, a.w, b.b


def tuple_or_none(x, n):
    r = (x, x + 1) if x > 2 else None
    if r is None:
        return -1.0
    a, b = r
    return a + b


def returned_or_none(x, n):
    return [(x, 1.0) if x > 2 else None, {"k": x} if x > 5 else None]


def object_or_none(x, n):
    best = None
    for i in range(n):
        p = Point(x - i, i * 1.0)
        if best is None or p.x < best.x:
            best = p
    return -1.0 if best is None else best.y


def none_is_subscripted(x, n):
    r = (x, 1.0) if x > 2 else None
    return r[0]


def none_is_unpacked(x, n):
    r = (x, 1.0) if x > 2 else None
    a, b = r
    return a


def write_through_an_optional(x, n):
    a = State(x, 1.0)
    s = a if x > 2 else None
    if s is not None:
        s.w = 70.0
    return a.w


def named_tuples(x, n):
    s = Pair(x, 1.0) if x > 2 else Pair(1.0, x)
    for i in range(n):
        s = s._replace(a=s.a + s.b)
    return s


EXACT = [f for f in list(globals().values()) if getattr(f, "__module__", None) == __name__]
EXACT = [f for f in EXACT if not isinstance(f, type)]


def outcome(function, x, n):
    try:
        return function(np.float64(x), np.int64(n))
    except rt.StagingError:
        raise
    except TypeError as error:
        return str(error)


@pytest.mark.parametrize("function", EXACT, ids=lambda f: f.__name__)
def test_a_program_has_the_results_of_python(function):
    staged = rt.function(function)
    for x, n in ((3.0, 2), (0.5, 0), (7.0, 3)):
        assert repr(outcome(staged, x, n)) == repr(outcome(function, x, n))


def test_the_object_of_the_caller_is_returned():
    @rt.function
    def larger(a, b, x):
        return a if x > 2 else b

    a, b = State(1.0, 2.0), State(3.0, 4.0)
    assert larger(a, b, np.float64(3)) is a
    assert larger(a, b, np.float64(1)) is b


def test_the_class_is_unchanged_after_the_recording():
    before = dict(vars(Point))
    rt.function(best_of_several)(np.float64(3), np.int64(1))
    assert dict(vars(Point)) == before


def test_a_write_in_an_iteration_that_another_name_may_see_is_refused():
    @rt.function
    def lost(x, n):
        s = t = State(x, 1.0)
        for i in range(n):
            s.w = s.w + 1
            s = State(s.w * 2, s.b)
        return s.w, t.w

    with pytest.raises(rt.StagingError, match="may be one of several objects"):
        lost(np.float64(3), np.int64(2))


def test_a_gradient_passes_through_a_state():
    def loss(x, n):
        s = State(x, x * x)
        for i in range(n):
            s = dataclasses.replace(s, w=s.w * s.b)
        s = s if x > 1 else State(x, 0.0)
        return s.w

    slope = rt.function(rt.grad(loss))
    assert slope(np.float64(2), np.int64(3)) == pytest.approx(7 * 2.0**6)
    assert slope(np.float64(0.5), np.int64(3)) == 1.0


def test_a_state_is_mapped_over_a_batch():
    def settle(x):
        s = State(x, 0.0)
        s = State(x * 2, 1.0) if x > 2 else s
        return s.w + s.b

    x = np.array([1.0, 3.0, 5.0])
    expected = np.array([settle(one) for one in copy.copy(x)])
    assert np.array_equal(rt.function(rt.vmap(settle))(x), expected)


def last_of_rows(rows):
    state = State(rows[0], 0.0)
    for row in rows:
        state = State(row + state.w, 0.0)
    state.w = rows[0]
    state.b = state.w[1] + 1.0
    return state.w, state.b


def chosen_of_two(rows):
    state = State(rows[0], 0.0)
    if rows[0, 1] > 0.0:
        state = State(rows[1], 1.0)
    state.w = rows[2]
    return state.w, state.b


@pytest.mark.parametrize("function", [last_of_rows, chosen_of_two])
def test_writes_into_an_object_made_in_a_block_are_read_again(function):
    staged = rt.function(function)
    for rows in (np.arange(12.0).reshape(3, 4), -np.ones((3, 4))):
        for found, wanted in zip(staged(rows), function(rows), strict=True):
            np.testing.assert_array_equal(found, wanted)
