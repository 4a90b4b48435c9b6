"""Packages named in `convert_packages`: their functions are converted, or called by each run."""

import linecache

import numpy as np
import pytest
from installed import installed_module
from loading import load

import autograph
import runtime as rt

X = np.array([3.0, 1.0, 2.0])
SOURCE = """
import numpy as np

log = []


def scaled(x, by=2.0):
    if x.sum() > 0:
        return x * by
    return x - by


def listed(x):
    return np.frombuffer(x.tobytes())


def both(x):
    return listed(x) + scaled(x)


def through(function, x):
    return function(listed(x)) + 1


def told(x):
    log.append(1)
    return bytes(x)


def failing(x):
    raise ValueError("no")


class Scale:
    def __init__(self, by):
        self.by = by

    def of(self, x):
        return np.frombuffer(x.tobytes()) * self.by

    def __call__(self, x):
        return self.of(x) + 1
"""
scales = installed_module("scales", SOURCE)
linecache.cache[scales.__file__] = (len(SOURCE), None, SOURCE.splitlines(True), scales.__file__)
for one in (scales.scaled, scales.listed, scales.both, scales.through, scales.Scale.of):
    rt.pure(one)
rt.pure(scales.Scale.__call__)


def converting(function, **options):
    return rt.function(function, convert_packages=["scales"], **options)


def is_called(function, *arguments):
    return "library_call" in str(function.get_concrete_function(*arguments).graph)


def same(found, expected):
    return type(found) is type(expected) and np.array_equal(found, expected)


def agrees(function, *arguments, called):
    staged = converting(function)
    for given in (arguments, [one * -1 for one in arguments]):
        assert same(staged(*given), function(*given))
    assert is_called(staged, *arguments) is called


def test_what_graphs_can_record_is_converted():
    agrees(lambda x: scales.scaled(x) + 1, X, called=False)
    found = rt.grad(converting(lambda x: np.sum(scales.scaled(x))))(X)
    assert same(found, np.full(3, 2.0))


def test_what_they_cannot_record_is_called_by_each_run():
    agrees(lambda x: scales.listed(x) * 2, X, called=True)
    agrees(lambda x: scales.both(x) * 2, X, called=True)


def test_only_the_function_that_fails_is_called():
    def f(x):
        y = scales.scaled(x, 3.0)
        return scales.listed(y) + scales.scaled(y)

    agrees(f, X, called=True)
    graph = converting(f).get_concrete_function(X).graph
    assert str(graph).count("library_call") == 1


def test_methods_and_objects_that_are_called():
    scale = scales.Scale(3.0)
    agrees(lambda x: scale.of(x) + 1, X, called=True)
    agrees(lambda x: scale(x) + 1, X, called=True)


def test_a_call_in_a_branch_and_in_loops():
    def f(x):
        total = np.zeros(3)
        for i in range(40):
            if x[0] > 0:
                total = total + scales.listed(x * i)
        while total[0] > 100:
            total = scales.listed(total) / 2
        return total

    agrees(f, X, called=True)


def test_a_function_of_the_users_is_called_with_plain_arrays():
    seen = []

    def user(x):
        seen.append(type(x))
        return x * 2

    f = rt.function(lambda x: scales.through(user, x), convert_packages=["scales"])
    with pytest.raises(rt.errors.EffectError, match="user, which scales.through calls, changes"):
        f(X)
    agrees(lambda x: scales.through(lambda y: y if y[0] > 0 else -y, x), X, called=True)


def test_effects_of_the_user_happen_once_although_the_function_is_recorded_again():
    written = []

    def f(x):
        written.append("a")
        y = scales.listed(x)
        written.append("b")
        return y

    assert same(converting(f)(X), X) and written == ["a", "b"]


def test_a_refusal_inside_a_package_names_the_users_line_first():
    source = "def f(x):\n    y = x + 1\n    return scales.told(y)\n"
    staged = converting(load(source, "<asks>", scales=scales).f)
    with pytest.raises(rt.StagingError) as caught:
        staged(X)
    lines = str(caught.value).splitlines()
    assert lines[0] == "bytes is given the staged value `y` (f64[3]) as argument 1"
    assert lines[1:4] == [
        "  <asks>, line 3, in f",
        "      return scales.told(y)",
        "             ^^^^^^^^^^^^^^",
    ]
    assert lines[4].endswith("scales.py, line 27, in told")
    assert lines[5:7] == ["      return bytes(x)", "             ^^^^^^^^"]
    assert str(caught.traceback[-1].path) == "<asks>"


def test_naming_a_package_changes_nothing_for_other_functions():
    converting(lambda x: scales.scaled(x))(X)
    autograph.to_graph(lambda x: scales.scaled(x), convert_packages=["scales"])
    other = rt.function(lambda x: scales.scaled(x) + 1)
    assert same(other(X), X * 2 + 1) and is_called(other, X)


def test_an_error_of_the_package_is_the_users():
    with pytest.raises(ValueError, match="no"):
        converting(lambda x: scales.failing(x))(X)
