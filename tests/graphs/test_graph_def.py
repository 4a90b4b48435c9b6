"""Graphs as dictionaries, and explanations of their values."""

import json
import linecache

import language_lists  # noqa: F401  (programs with lists of tuples)
import numpy as np
import pytest
from programs import PROGRAMS

import runtime as rt
from runtime.ir.graph import walk

BRANCHES = """
def f(x: f64[batch, 3], p: b1):
    y: f64[batch, 3] = multiply(x, 2.0)  # model.py:7 layer/dense

    def then():
        z: f64[batch, 3] = sin(y)  # model.py:9
        return z, 1

    def orelse():
        print(y, parts=('y', _0), sep=' ', end='')  # model.py:11
        return x, 2
    a, n = cond(p, then=then, orelse=orelse)  # model.py:8
    b: f64[3] = getitem(a, n, at=(_0, ...))  # model.py:12
    c: f64 = constant(value=array([nan], f64, ()))
    return b, n, c, 7
"""


def by_name(function):
    return {node["name"]: node for node in function["node"]}


def test_a_graph_def_has_nodes_with_inputs_types_scopes_and_lines():
    shown = rt.parse(BRANCHES).as_graph_def()
    assert shown["name"] == "f"
    assert [node["name"] for node in shown["node"]] == [
        "x",
        "p",
        "layer/dense/y",
        "cond_1",
        "b",
        "c",
    ]
    assert by_name(shown)["x"] == {
        "name": "x",
        "op": "placeholder",
        "input": [],
        "attr": {"_output_dtypes": ["float64"], "_output_shapes": [["batch", 3]]},
    }
    assert by_name(shown)["layer/dense/y"] == {
        "name": "layer/dense/y",
        "op": "multiply",
        "input": ["x", 2.0],
        "attr": {"_output_dtypes": ["float64"], "_output_shapes": [["batch", 3]]},
        "source": {"file": "model.py", "line": 7, "function": ""},
    }
    assert shown["output"] == ["b", "cond_1:1", "c", 7]


def test_regions_are_functions_of_the_library():
    shown = rt.parse(BRANCHES).as_graph_def()
    attributes = by_name(shown)["cond_1"]["attr"]
    library = {function["name"]: function for function in shown["library"]["function"]}
    then, orelse = library[attributes["then"]["func"]], library[attributes["orelse"]["func"]]
    assert then["captures"] == ["layer/dense/y"]
    assert then["node"][0]["input"] == ["layer/dense/y"]
    assert then["output"] == ["z", 1]
    assert orelse["captures"] == ["layer/dense/y", "x"]
    assert orelse["node"][0]["op"] == "print"
    assert orelse["node"][0]["attr"]["parts"] == ["y", {"text": "_0"}]
    assert orelse["output"] == ["x", 2]
    assert attributes["_output_dtypes"] == ["float64", "int"]
    assert attributes["_output_shapes"] == [["batch", 3], []]


def test_values_without_a_json_form_are_strings():
    nodes = by_name(rt.parse(BRANCHES).as_graph_def())
    assert nodes["b"]["attr"]["at"] == [{"text": "_0"}, {"text": "Ellipsis"}]
    assert nodes["c"]["attr"]["value"] == {
        "dtype": "float64",
        "shape": [],
        "value": [{"text": "nan"}],
    }


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", [n for n, p in PROGRAMS.items() if p.staged])
def test_every_graph_is_a_dictionary_that_json_can_hold(name):
    graph = (
        rt.function(PROGRAMS[name].function).get_concrete_function(*PROGRAMS[name].staged[0]).graph
    )
    shown = json.loads(json.dumps(graph.as_graph_def(), allow_nan=False))
    functions = [shown, *shown["library"]["function"]]
    nodes = [node for function in functions for node in function["node"]]
    names = [node["name"] for node in nodes]
    assert len(names) == len(set(names))
    inputs = len(graph.inputs) + sum(len(r.inputs) for n in walk(graph) for r in n.regions.values())
    assert len(names) == inputs + len(list(walk(graph)))
    made = {result for node in nodes for result in results(node)}
    for used in [o for f in functions for o in f["output"]] + [
        o for n in nodes for o in n["input"]
    ]:
        assert not isinstance(used, str) or used in made


def results(node):
    count = len(node["attr"]["_output_dtypes"])
    return [node["name"]] if count == 1 else [f"{node['name']}:{i}" for i in range(count)]


# -- explain ---------------------------------------------------------------------------------------


@pytest.fixture
def no_source(monkeypatch):
    """Makes `model.py` unknown: another test may have a file of that name."""
    monkeypatch.setattr(linecache, "cache", {})


def test_a_value_is_explained_by_name(no_source):
    assert (
        rt.parse(BRANCHES).explain("y")
        == """\
y: f64[batch, 3] = multiply(x, 2.0)
  multiply   Product.
  line       model.py, line 7
  scope      layer/dense
  operands   x: f64[batch, 3]   an input of f
             2.0                a scalar
  used by    z: f64[batch, 3] = sin(y)   model.py, line 9
             print(y, parts=('y', _0), sep=' ', end='')   model.py, line 11
  region     f"""
    )


def test_an_explanation_names_the_region_of_a_value(no_source):
    assert (
        rt.parse(BRANCHES).explain("z")
        == """\
z: f64[batch, 3] = sin(y)
  sin        Sine.
  line       model.py, line 9
  operands   y: f64[batch, 3]   the result of multiply, model.py, line 7
  used by    the result of `then` of the cond (line 8), in f
  region     `then` of the cond (line 8), in f"""
    )


def test_an_input_is_explained_too():
    assert (
        rt.parse(BRANCHES).explain("p")
        == """\
p: b1
             an input of f
  used by    a, n = cond(p, then=..., orelse=...)   model.py, line 8
  region     f"""
    )


def test_an_explanation_shows_the_line_of_the_source():
    def area(radius):
        return 3.1415 * radius**2

    graph = rt.function(area).get_concrete_function(np.float64(1.0)).graph
    name = next(iter(graph.nodes)).output
    text = graph.explain(str(graph).split(": f64 = pow")[0].split()[-1])
    assert "return 3.1415 * radius**2" in text
    assert "in area" in text
    assert name.hint == "v"


def test_the_error_about_an_unknown_name_names_the_nearest():
    with pytest.raises(ValueError, match="no value of f is called 'zz'; there is z"):
        rt.parse(BRANCHES).explain("zz")
