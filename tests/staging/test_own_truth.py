"""Objects of the user's classes as conditions: their methods may return staged truths."""

import numpy as np
import pytest
from outcomes import check_same, outcome, quiet, same_exactly

import autograph
import runtime as rt

GIVEN = [np.array(one) for one in ([2.0, 0.5], [0.0, 3.0], [1.0, 1.0], [2.0, 2.0], [0.5, 0.0])]


class Large:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return bool(self.value > 1)


class Sized:
    def __init__(self, value):
        self.value = value

    def __len__(self):
        return int(self.value)


class Raising:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        if self.value > 1:
            raise ValueError("large")
        return True


def ternary(x):
    return 1 if Large(x[0]) else 2


def negated(x):
    one = Large(x[0])
    return (not one), bool(one), [1 if Large(v) else 0 for v in x]


def loop(x):
    n = 0
    while Large(x[0] - n):
        n += 1
    return n


def early_return(x):
    if not Large(x[0]):
        return x[0]
    return x[1]


def sized(x):
    if Sized(x[0]):
        return 1
    return 0


def raising(x):
    return 1 if Raising(x[0]) else 2


def chain(x):
    total = 0
    for v in x:
        if Large(v):
            total += v
        elif Sized(v):
            total -= v
    return total


def changed_inside(x):
    one = Large(x[0])
    if one:
        one.value = 5.0
    return one.value


def connected(x):
    return x[0] if Large(x[0]) and x[1] > 1 else x[1]


def connected_last(x):
    return x[0] if x[1] > 1 and Large(x[0]) else x[1]


def two_objects(x):
    if Large(x[0]) and Large(x[1]):
        return 1
    return 2


def either_object(x):
    if Large(x[0]) or Large(x[1]):
        return 1
    return 2


PROGRAMS = [
    ternary, negated, loop, early_return, sized, raising, chain, changed_inside,
    connected, connected_last, two_objects, either_object,
]  # fmt: skip


@pytest.mark.parametrize("mode", ["converted", "auto", "numpy", "native"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_objects_are_true_as_in_python(program, mode):
    if mode == "converted":
        function = autograph.to_graph(program)
    else:
        function = rt.function(program, engine=mode)
    with quiet():
        for x in GIVEN:
            wanted = outcome(program, (x,))
            for _ in range(2):
                check_same(outcome(function, (x,)), wanted, same_exactly)


def test_a_truth_that_is_no_bool_is_refused_where_python_raises():
    class Other:
        def __init__(self, value):
            self.value = value

        def __bool__(self):
            return self.value > 1

    with pytest.raises(rt.StagingError, match="__bool__"):
        rt.function(lambda x: 1 if Other(x) else 2)(np.float64(2.0))
