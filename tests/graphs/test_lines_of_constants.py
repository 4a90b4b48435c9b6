"""Constants that branches and loops start or end with have the line that binds them.

A comment on a line of the programs is the outcome of a line that only binds a constant.
"""

import inspect
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import runtime as rt
from runtime.engines.numpy import compile_graph
from runtime.ir.bindings import bound_constants
from runtime.ir.graph import copy, walk
from runtime.ir.text import ValueNames, lines_of


def counted(x):
    counter = 0  # counter starts with it in the loop of line 2
    while np.sum(x) > 1.0:
        x = x / 2
        counter += 1
    return counter


def restarted(x):
    steps = 0  # steps starts with it in the loop of line 2
    while np.sum(x) > 1.0:
        x = x / 2
        if x[0] > 3.0:
            steps = 9  # steps ends with it in the branch of line 4
        else:
            steps = steps + 1
    return steps


def levels(x):
    if x[0] > 0:
        level = 2  # level ends with it in the branch of line 1
    elif x[1] > 0:
        level = 3  # level ends with it in the branch of line 3
    else:
        level = 4  # level ends with it in the branch of line 3
    return level


def inner(x):
    total = 0.0
    while np.sum(x) > 1.0:
        k = 1  # k starts with it in the loop of line 4
        while k * x[0] < 2.0:
            k = k + 2
        x = x / 2
        total = total + k * x[1]
    return total


def unused(x):
    name = "a"
    scale = 3.0
    while np.sum(x) > scale:
        x = x / 2
    return x


def chosen_before(x, is_large=True):
    if is_large:  # start starts with it in the loop of line 5
        start = 1
    else:
        start = 0
    while np.sum(x) > 1.0:
        x = x / 2
        start = start + 1
    return start


PROGRAMS = [counted, restarted, levels, inner, unused, chosen_before]


def constants_of(program):
    """The comments of a program: the uses of the constant, by the number of the line."""
    lines, first = inspect.getsourcelines(program)
    return {
        first + i: line.split("  # ")[1].strip() for i, line in enumerate(lines) if "  # " in line
    }


def shown(outcome, first):
    """The detail of an outcome, with the numbers of lines counted from the `def`."""
    before, _, line = outcome.detail.rpartition(" ")
    return f"{before} {int(line) - first}"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_line_that_binds_a_constant_says_which_branch_or_loop_has_it(program):
    first = inspect.getsourcelines(program)[1]
    outcomes = rt.function(program).get_concrete_function(np.ones(3)).explain()
    found = {o.lineno: shown(o, first) for o in outcomes.lines if o.kind == "constant"}
    assert found == constants_of(program)


def test_transformed_and_optimised_graphs_keep_the_lines():
    def loss(x):
        return np.sum(x * counted(x))

    (line,) = constants_of(counted)
    for made in (rt.grad(loss), lambda x: rt.jvp(loss, (x,), (x,))):
        concrete = rt.function(made).get_concrete_function(np.ones(3))
        for graph in (concrete.graph, copy(concrete.graph), concrete.optimized):
            found = [one for node in walk(graph) for one in bound_constants(node)]
            assert line in {one.location.lineno for one in found}, made
            assert {one.name for one in found} == {"counter"}


def test_a_constant_that_a_pass_computes_or_removes_is_not_shown_elsewhere():
    def folded(x):
        k = 1
        k = k + 1
        while np.sum(x) > k:
            x = x / 2
            k = k + 1
        return k

    concrete = rt.function(folded).get_concrete_function(np.ones(3))
    first = inspect.getsourcelines(folded)[1]
    (found,) = [one for node in walk(concrete.graph) for one in bound_constants(node)]
    assert (found.constant, found.location.lineno) == (2, first + 2)
    node = next(node for node in walk(concrete.graph) if node.bindings)
    node.inputs = (node.inputs[0], *[concrete.graph.inputs[0]] * (len(node.inputs) - 1))
    assert list(bound_constants(node)) == []


def test_the_picture_the_text_and_the_program_show_the_line():
    (line,) = constants_of(counted)
    graph = rt.function(counted).get_concrete_function(np.ones(3)).optimized
    picture = ElementTree.fromstring(graph.to_svg())
    boxes = [box for box in picture.iter() if box.get("class") == "constant"]
    assert [(box.get("data-line"), box[2].text) for box in boxes] == [(str(line), "counter = 0")]
    assert 'label="counter = 0"' in graph.to_dot()
    linked = [one.text.strip() for one in lines_of(graph, ValueNames()) if one.constants]
    assert len(linked) == 1 and "loop(" in linked[0]
    program = compile_graph(graph).program.lines
    assert [
        one.text.strip() for one in program if one.location and one.location.lineno == line
    ] == ["counter = 0"]


def test_the_results_of_branches_have_the_lines_of_their_constants():
    graph = rt.function(levels).get_concrete_function(np.ones(3)).graph
    picture = ElementTree.fromstring(graph.to_svg())
    boxes = [box for box in picture.iter() if box.get("class") == "result"]
    found = {box[2].text: int(box.get("data-line")) for box in boxes if box.get("data-line")}
    lines = list(constants_of(levels))
    assert found == dict(zip("234", lines, strict=True))
