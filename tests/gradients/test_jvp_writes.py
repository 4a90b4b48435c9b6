"""In forward mode a function writes outside of it as in Python: once, and in order."""

import numpy as np
import pytest

import runtime as rt

POINTS = (np.float64(2.0), np.float64(-1.0))


class Model:
    def __init__(self):
        self.state = 0.0
        self.log = []
        self.known = {}

    def step(self, t):
        self.state = t * 2
        self.log.append(t)
        self.known["t"] = t
        return t * self.state


def in_an_object(x, apply):
    model = Model()
    return apply(model.step, x), model.state, model.log, model.known


def through_a_view(x, apply):
    a = np.zeros(3)
    v = a[1:]

    def g(t):
        v[0] = t
        a[0] += 1
        return t * v[0]

    return apply(g, x), a, v


def under_a_condition(x, apply):
    a = np.zeros(3)

    def g(t):
        if t > 0:
            a[0] = t
        for i in range(3):
            a[i] += t
        return t * a[0]

    return apply(g, x), a


def in_a_loop(x, apply):
    a, total = np.zeros(2), 0.0

    def g(t):
        a[0] = a[0] + t
        return t * a[0]

    for _ in range(np.int64(3)):
        total = total + apply(g, x)
    return total, a


def in_a_list(x, apply):
    z = []

    def g(t):
        z.append(t)
        z.append(t * 2)
        return t * len(z)

    return apply(g, x), z


def in_a_variable_of_the_function_around(x, apply):
    best, count = None, 0

    def g(t):
        nonlocal best, count
        count += 1
        if t > 0:
            best = t
        return t

    return apply(g, x), best, count


def before_an_exception(x, apply):
    a = np.zeros(2)

    def g(t):
        a[0] = t
        if t < 0:
            raise ValueError("negative")
        return t

    return apply(g, x), a


PROGRAMS = (
    *(in_an_object, through_a_view, under_a_condition, in_a_loop, in_a_list),
    *(in_a_variable_of_the_function_around, before_an_exception),
)


def observed(function, *given):
    try:
        return repr(function(*given))
    except ValueError as error:
        return repr(error)


def name(value):
    return getattr(value, "__name__", "")


@pytest.mark.parametrize("program", PROGRAMS, ids=name)
@pytest.mark.parametrize("make", [rt.function, lambda fn: fn], ids=["graph", "plain"])
def test_writes_outside_are_those_of_python(program, make):
    in_forward_mode = make(lambda x: program(x, lambda g, t: rt.jvp(g, (t,), (1.0,))[0]))
    for x in POINTS:
        wanted = observed(program, x, lambda g, t: g(t))
        assert observed(in_forward_mode, x) == wanted


def test_derivatives_flow_through_written_values():
    def f(x):
        a = np.zeros(3)

        def g(t):
            a[0] = t * t
            for i in range(3):
                a[i] += t
            return t * a[0]

        return rt.jvp(g, (x,), (1.0,))[1]

    assert rt.function(f)(np.float64(2.0)) == 16.0  # of t ** 3 + t ** 2
    assert rt.grad(f)(np.float64(2.0)) == 14.0


def test_global_arrays_are_written_by_each_call():
    counts = np.zeros(2)

    def g(t):
        counts[0] += t
        return t

    pushed = rt.function(lambda x: rt.jvp(g, (x,), (1.0,))[1])
    for x in (1.0, 2.0):
        assert pushed(np.float64(x)) == 1.0
    assert counts.tolist() == [3.0, 0.0]


def test_a_mapped_function_is_refused():
    def f(x):
        a = np.zeros(1)

        def g(t):
            a[0] = t
            return t

        return rt.vmap(g)(x), a

    with pytest.raises(rt.StagingError, match="writes into a, which is outside"):
        rt.function(f)(np.arange(3.0))
