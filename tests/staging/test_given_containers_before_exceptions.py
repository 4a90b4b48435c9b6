"""Lists and dicts among the arguments hold what Python has put into them before an exception.

Recording changes copies of them, so an exception that recording meets has to be one of the run.
"""

import numpy as np
import pytest

import runtime as rt
from tests.support.outcomes import check_same, outcome, same_exactly


def raised(x, d, z):
    d["b"] = "on"
    raise ValueError("end")


def raised_in_a_loop(x, d, z):
    for i in [1, 2]:
        z.append(i)
        if i == 2:
            raise ValueError("end")


def changed_while_iterated(x, d, z):
    for key in d:
        d[key + "s"] = 1


def changed_items(x, d, z):
    for key, _ in d.items():
        del d[key]
        d["b"] = z


def changed_in_a_comprehension(x, d, z):
    return [d.setdefault("b", 3) for key in d]


def changed_in_a_generator(x, d, z):
    return sum(d.setdefault("b", 3) for key in d)


def without_a_key(x, d, z):
    z[0] = d.pop("a")
    return d["a"] + x


def outside_of_a_list(x, d, z):
    d["inner"] = [z.pop(), {"deep": 3}]
    return z[5]


def of_a_nested_list(x, d, z):
    z[1].append("more")
    return int("no number")


def staged_as_well(x, d, z):
    d["x"] = x * 2
    z.clear()
    raise KeyError("end")


def caught_outside(x, d, z):
    try:
        d["b"] = 1
        raise ValueError("end")
    except ValueError:
        z.append("caught")
    return z[9]


FUNCTIONS = (
    *(raised, raised_in_a_loop, changed_while_iterated, changed_items),
    *(changed_in_a_comprehension, changed_in_a_generator, without_a_key, outside_of_a_list),
    *(of_a_nested_list, staged_as_well, caught_outside),
)


@pytest.mark.parametrize("engine", ["numpy", "auto", "native"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_the_arguments_are_pythons_after_an_exception(function, engine):
    staged = rt.function(function, engine=engine)
    for x in (1.0, 1.0, -2.0):
        arguments = np.float64(x), {"a": 1}, [2, ["inner"]]
        wanted = outcome(function, arguments)
        assert wanted.error is not None
        check_same(outcome(staged, arguments), wanted, same_exactly)
