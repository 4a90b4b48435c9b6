"""Scalars of which the run decides the type, with the types that are possible."""

import language_classes  # noqa: F401  (fills PROGRAMS, like those that follow)
import language_lists  # noqa: F401
import language_match  # noqa: F401
import numpy as np
import pytest
from programs import PROGRAMS

import runtime as rt
from runtime.engines.loop_replacement import inputs_of, rest_of
from runtime.engines.union_narrowing import narrow_unions
from runtime.ir.graph import copy, verify, walk
from runtime.ir.regions import is_loop
from runtime.ir.types import FLOAT, INT, UnionType, type_of
from runtime.ir.unions import options_of

F64 = type_of(np.float64(0))


def positive(x):
    total = 0
    for value in x:
        if value > 0:
            total += value
    return total


def divisor(a, b):
    while b:
        a, b = b, a % b
    return a


def mean_or_zero(x, n):
    total, count = 0, 0
    for i in range(n):
        if x[i] > 0.5:
            total, count = total + x[i], count + 1
    return total / count if count else 0


def graph_of(function, *arguments):
    return rt.function(function).get_concrete_function(*arguments).compiled.graph


def rest(function, arguments, *types):
    (loop,) = [node for node in walk(graph_of(function, *arguments)) if is_loop(node)]
    return rest_of(loop, inputs_of(loop), types)


def unions(graph):
    """How many results have a type that the run decides, without those of ops `option`."""
    nodes = [node for node in walk(graph) if node.op.name != "option"]
    return sum(isinstance(value.type, UnionType) for node in nodes for value in node.outputs)


def names(graph):
    return [node.op.name for node in walk(graph)]


def test_a_variable_has_the_type_that_reaches_it():
    narrow = rest(positive, (np.arange(9.0),), F64)
    assert not unions(narrow)
    assert "add" in names(narrow) and not {"option", "dynamic_add"} & {*names(narrow)}
    verify(narrow)


def test_a_variable_that_changes_its_type_keeps_both():
    narrow = rest(positive, (np.arange(9.0),), INT)
    assert unions(narrow) and "dynamic_add" in names(narrow)
    verify(narrow)


def test_a_type_that_is_no_option_has_no_graph():
    assert rest(positive, (np.arange(9.0),), FLOAT) is None


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (positive, (np.arange(9.0) - 3,)),
        (positive, (np.arange(9) - 3,)),
        (divisor, (np.int64(987), 610)),
        (mean_or_zero, (np.arange(9.0) / 9, np.int64(9))),
    ],
)
def test_the_rest_of_a_loop_has_its_results_for_each_type(function, arguments):
    loops = [n for n in walk(graph_of(function, *arguments)) if is_loop(n)]
    for loop in loops:
        inputs = inputs_of(loop)
        (union,) = [v for v in inputs if isinstance(v.type, UnionType)]
        for kind in options_of(union.type):
            wide = rest_of(loop, inputs, (kind,))
            verify(wide)
            assert {*names(wide)} >= {"loop"}


def staged_programs():
    return sorted(name for name, program in PROGRAMS.items() if program.staged)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=() if i % 4 == 0 else pytest.mark.thorough)
        for i, n in enumerate(staged_programs())
    ],
)
def test_narrowed_programs_are_the_same(name):
    """Graphs keep their results, and every node its type rule."""
    program = PROGRAMS[name]
    for arguments in program.staged:
        try:
            graph = graph_of(program.function, *arguments)
        except Exception:
            continue  # it is refused, or raises while it is recorded
        narrow = narrow_unions(copy(graph))
        verify(narrow)
        assert unions(narrow) <= unions(graph)
