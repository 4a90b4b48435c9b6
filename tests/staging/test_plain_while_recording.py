"""Programs on plain values run alike while a graph is recorded."""

import numpy as np
import pytest
from outcomes import check_same, outcome, same_exactly
from plain_comprehensions import PLAIN
from while_recording import outcome_while_recording

import autograph
import runtime as rt


@pytest.mark.parametrize("name", PLAIN)
def test_a_comprehension_of_plain_values_is_pythons_while_a_graph_is_recorded(name):
    wanted = outcome(PLAIN[name], ())
    check_same(outcome_while_recording(PLAIN[name], ()), wanted, same_exactly)


@pytest.mark.parametrize("name", PLAIN)
def test_a_converted_comprehension_of_plain_values_is_pythons(name):
    wanted = outcome(PLAIN[name], ())
    check_same(outcome(autograph.to_graph(PLAIN[name]), ()), wanted, same_exactly)


# -- a staged value is met after plain ones --------------------------------------------------------


def said(value, seen):
    """The value; `seen` counts it."""
    seen["values"] += 1
    return value


def total(x, seen):
    return sum(said(v, seen) for v in [1.0, 2.0, x, -3.0] if v > 0), seen["values"]


def greatest(x, seen):
    return max((v * said(w, seen) for v in [1.0, x] if v != 2 for w in [2, 3]), key=abs), seen[
        "values"
    ]


def listed(x, seen):
    return list((v, said(w, seen)) for w in [1, 2] for v in [w, x] if v < 2.5), seen["values"]


def found(x, seen):
    return any(said(v, seen) > 1 for v in [0.5, x, 3.0]), all(v for v in [1, x, said(0, seen)])


def stopped(x, seen):
    return any(said(v, seen) > 1 for v in [0.5, 2.0, x]), seen["values"]


def closures(x, seen):
    fs = list((lambda: v) for v in [1.0, 2.0, x, 4.0])
    return [f() for f in fs], sum((lambda: v)() for v in [1.0, x] if v > said(0, seen))


def walrus(x, seen):
    return sum((last := v) for v in [1.0, x, 5.0] if v > 0), last


MIXED = [total, greatest, listed, found, stopped, closures, walrus]


@pytest.mark.parametrize("value", [-1.5, 0.0, 2.25, 7.0])
@pytest.mark.parametrize("function", MIXED, ids=lambda function: function.__name__)
def test_a_generator_expression_is_taken_one_by_one_until_a_staged_value_decides(function, value):
    wanted = function(value, {"values": 0})
    staged = rt.function(lambda x: function(x, {"values": 0}))
    assert staged(np.float64(value)) == wanted
