"""Graphs after each pass, with names that stay; and what has become of each line."""

import random

import numpy as np
import pytest
from budget import random_seeds
from random_graphs import Maker

import runtime as rt
from runtime.ir.graph import copy, verify, walk
from runtime.passes import PIPELINE, optimized
from runtime.passes.dead_code import remove_dead_code
from runtime.passes.snapshots import history, snapshots

FOLDED = """
def f(x: f64[2]):
    v: int = add(1, 2)  # model.py:3
    y: f64[2] = multiply(x, v)  # model.py:4
    z: f64[2] = multiply(x, v)  # model.py:5
    w: f64[2] = add(y, z)  # model.py:6
    return w
"""


def test_a_snapshot_has_the_lines_that_its_pass_has_removed_and_changed():
    found = {snapshot.name: snapshot for snapshot in snapshots(rt.parse(FOLDED))}
    assert list(found) == ["recorded", *(step.name for step in PIPELINE)]
    assert found["recorded"].changes == {}
    assert str(found["constant_folding"]).splitlines() == [
        "-- constant_folding: 3 operations, 2 changed, 1 removed",
        "  def f(x: f64[2]):",
        "-     v: int = add(1, 2)  # model.py:3",
        "~     y: f64[2] = multiply(x, 3)  # model.py:4",
        "~     z: f64[2] = multiply(x, 3)  # model.py:5",
        "      w: f64[2] = add(y, z)  # model.py:6",
        "      return w",
    ]
    assert found["common_subexpressions"].changes == {"~": 1, "-": 1}
    assert found["dead_code"].operations == 2
    assert found["algebra"].changes == {} and found["algebra"].purpose != ""


def test_a_snapshot_tells_which_value_is_read_in_place_of_another():
    taken = snapshots(rt.parse(FOLDED))
    found = {snapshot.name: snapshot.replaced for snapshot in taken if snapshot.replaced}
    assert found == {"constant_folding": {"v": ("3",)}, "common_subexpressions": {"z": ("y",)}}
    assert history(taken, "z") == [
        ("recorded", "z: f64[2] = multiply(x, v)  # model.py:5"),
        ("constant_folding", "z: f64[2] = multiply(x, 3)  # model.py:5"),
        ("common_subexpressions", "replaced by y, removed"),
    ]
    assert history(taken, "w")[1:] == [
        ("common_subexpressions", "w: f64[2] = add(y, y)  # model.py:6")
    ]


LOOP = """
def f(x: f64[2], p: b1):

    def body(x_1: f64[2]):
        one: f64 = constant(value=array([1.0], f64, ()))  # model.py:3
        x_2: f64[2] = subtract(x_1, one)  # model.py:3
        unused: f64[2] = negative(x_1)  # model.py:4
        v: f64 = sum(x_2)  # model.py:2
        p_1: b1 = greater(v, 1.0)  # model.py:2
        return p_1, x_2
    x_3: f64[2] = loop(p, x, body=body)  # model.py:2
    return x_3
"""


def test_a_history_has_moved_and_unused_values():
    taken = snapshots(rt.parse(LOOP))
    assert history(taken, "one")[1:] == [("loop_invariant_motion", "moved")]
    assert history(taken, "unused")[1:] == [("dead_code", "removed")]
    assert history(taken, "nothing") == []


@random_seeds(15)
def test_snapshots_are_the_graphs_of_the_pipeline_and_keep_names(seed):
    graph = remove_dead_code(Maker(random.Random(seed)).graph())
    text = str(graph)
    found = snapshots(graph)
    assert str(graph) == text == found[0].text
    last = rt.parse(found[-1].text)
    verify(last)
    expected = optimized(copy(graph))
    assert [node.op for node in walk(last)] == [node.op for node in walk(expected)]
    for before, after in zip(found, found[1:], strict=False):
        names = {name for line in after.lines for name in line.names}
        gone = {name for line in after.lines for name in line.names if line.sign == "-"}
        values = {one for others in after.replaced.values() for one in others}
        assert {one for one in values if one in names}.isdisjoint(gone), after
        kept = [line.text for line in after.lines if line.sign in " -~"]
        assert len(kept) == len(before.text.split("\n"))


@rt.function
def settled(x, scales):
    total = 0.0
    for scale in scales:
        total = total + scale
    for i in range(100):
        total = total + x[0] * i
    while np.sum(x) > 1.0:
        if x[0] > 2:
            x = np.tanh(x)
        else:
            x = x / 2
    label = "settled"
    rt.host_call(print, label, x)
    return total * x


def test_each_line_has_what_has_become_of_it():
    concrete = settled.get_concrete_function(np.ones(3), (1.0, 2.0))
    found = concrete.explain()
    assert found.name == "settled" and found.filename == __file__
    outcomes = {line.code: (line.kind, line.detail) for line in found.lines}
    assert outcomes["total = 0.0"] == ("Python", "no operation comes from it")
    assert outcomes['label = "settled"'][0] == "Python"
    assert outcomes["for scale in scales:"][0] == "unrolled"
    staged = ("staged", "100 iterations, the first 1 of them unrolled")
    assert outcomes["for i in range(100):"] == staged
    assert outcomes["while np.sum(x) > 1.0:"] == ("staged", "a loop; sum, greater")
    assert outcomes["if x[0] > 2:"] == ("staged", "a branch; getitem, greater")
    assert outcomes["x = np.tanh(x)"] == ("operations", "tanh")
    assert outcomes["rt.host_call(print, label, x)"] == ("host call", "print")
    assert "total = 0.0                          Python: no operation" in str(found)


def test_the_optimised_graph_is_a_copy_of_the_one_that_runs():
    concrete = settled.get_concrete_function(np.ones(3), (1.0, 2.0))
    copied, program = concrete.optimized, concrete.source
    copied.nodes.clear()
    assert concrete.optimized.nodes and concrete.source == program
    assert concrete.passes()[-1].operations == sum(1 for _ in walk(concrete.optimized))


def test_a_concrete_function_tells_the_history_of_a_value():
    def doubled(x):
        y = np.sin(x) + np.sin(x)
        return y * (2.0 + 1.0)

    concrete = rt.function(doubled).get_concrete_function(np.ones(2))
    name = next(name for one in concrete.passes() for name in one.replaced)
    (first, _), *rest = concrete.history(name)
    assert first == "recorded"
    assert [effect for _, effect in rest] == ["replaced by v, removed"]
    with pytest.raises(ValueError, match="no value 'absent'"):
        concrete.history("absent")


def test_a_transformed_function_is_explained_by_its_own_lines():
    slope = rt.function(rt.grad(lambda x: np.sum(x * x)))
    found = slope.get_concrete_function(np.ones(2)).explain()
    assert any(line.kind == "operations" for line in found.lines)
