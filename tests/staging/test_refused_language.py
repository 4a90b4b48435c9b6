"""Language features that staged values do not support: errors name place, reason and remedy."""

import numpy as np
import pytest

import runtime as rt


class Box:
    """Its truth value, length and members depend on its contents."""

    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return True if self.value > 0 else False

    def __repr__(self):
        return f"Box({self.value})"


def member_of_a_set(x):
    return frozenset((x, 1.0))


def hashed(x):
    return hash(f"{x}")


def pattern(x):
    import re

    return re.sub("a", "b", f"{x}")


def template_of_a_variable(x):
    template = "%r"
    return template % [x]


def unconverted_text(x):
    import json

    return json.dumps({"x": x})


def truth_of_an_object(x):
    return 1 if any([Box(x)]) else 2


def list_in_an_exception(x):
    if x > 0:
        raise ValueError([x])
    return x


def lists_with_an_alias(x):
    z = [1.0]
    w = [x] if x > 0 else z
    w.append(2.0)
    return z, w


def merged_lists_of_a_staged_loop(x):
    import heapq

    found = []
    for y in np.stack([x, x + 1]):
        if y > 1:
            found.append(y)
    return list(heapq.merge(found, [x], [x]))


REFUSED = {
    merged_lists_of_a_staged_loop: "an iterator of a staged list is used by code that is not",
    member_of_a_set: "cannot be an element of a set",
    hashed: "hash is given the staged value",
    pattern: "re.sub is given the staged value",
    template_of_a_variable: "is formatted by code that is not converted",
    unconverted_text: "json.dumps is given",
    truth_of_an_object: "`Box.__bool__` returns a staged value",
    list_in_an_exception: "a list with staged values inside is an argument of an exception",
    lists_with_an_alias: "one of several lists is changed by `append`",
}


@pytest.mark.parametrize("fn", REFUSED, ids=lambda fn: fn.__name__)
def test_uses_that_need_the_value_are_refused_with_the_line_and_a_remedy(fn):
    with pytest.raises(rt.StagingError, match=REFUSED[fn]) as caught:
        rt.function(fn)(np.float64(2.0))
    assert __file__ in str(caught.value)
    assert len(str(caught.value).splitlines()) >= 4


def test_a_class_is_unchanged_after_tracing():
    class Counter:
        def __add__(self, other):
            return 1 if other > 0 else 2

        @property
        def sign(self):
            return 3 if self else 4

    held = vars(Counter)["__add__"], vars(Counter)["sign"]
    assert rt.function(lambda x: Counter() + x)(np.float64(-1.0)) == 2
    assert (vars(Counter)["__add__"], vars(Counter)["sign"]) == held

    def fails(x):
        return Counter() + x if frozenset((x,)) else 0

    with pytest.raises(rt.StagingError):
        rt.function(fails)(np.float64(1.0))
    assert (vars(Counter)["__add__"], vars(Counter)["sign"]) == held


def test_an_object_that_both_branches_bind_to_two_names_stays_one_object():
    class Cell:
        def __init__(self, value):
            self.value = value

    def f(x):
        first = second = None
        if x > 0:
            first = second = Cell(x)
        else:
            first = second = Cell(-x)
        first.value = first.value + 1
        return second.value

    assert rt.function(f)(np.float64(2.0)) == f(np.float64(2.0)) == 3.0
    assert rt.function(f)(np.float64(-5.0)) == 6.0


def test_python_strings_are_formatted_while_tracing_and_staged_ones_in_each_run(capsys):
    @rt.function
    def f(x):
        print(f"{'traced':>8}")
        print(f"{x:.1f}")

    f(np.float64(1.0))
    f(np.float64(2.0))
    assert capsys.readouterr().out == "  traced\n1.0\n2.0\n"
