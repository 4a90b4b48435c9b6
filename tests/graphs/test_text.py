"""The text of graphs: all printed graphs parse, all parsed graphs run, errors are reported."""

import numpy as np
import pytest
from golden import CASES, Case

import runtime as rt
from runtime.engines.numpy import compile_graph
from runtime.ir.graph import InvalidGraph, verify

GRAPHS = {
    case.path.stem: case.sections["graph"]
    for case in map(Case.read, sorted(CASES.glob("*.py")))
    if "graph" in case.sections
}


@pytest.mark.parametrize("name", GRAPHS)
def test_a_parsed_text_prints_as_before(name):
    assert rt.show(rt.parse(GRAPHS[name])) == GRAPHS[name]


def test_a_parsed_text_runs():
    assert compile_graph(rt.parse(GRAPHS["collatz"]))(np.int64(27)) == (111,)


@pytest.mark.parametrize(
    "number",
    ["0", "-1", "0.1", "-0.0", "inf", "-inf", "nan", "True", "complex(1.0, -0.0)", "1e+300"],
)
def test_every_scalar_survives_printing_and_parsing(number):
    text = f"def f(x: c128):\n    y: c128 = add(x, {number})\n    return y"
    assert rt.show(rt.parse(text)) == text


def test_constants_keep_dtype_shape_and_every_bit():
    arrays = [
        np.array([[0.1, -0.0], [np.inf, 5e-324]]),
        np.array([1, -128], np.int8),
        np.array([True, False]),
        np.array([1 + 2j], np.complex64),
        np.array(3.5, np.float32),
        np.zeros((0, 3)),
    ]
    for array in arrays:
        with rt.Graph().as_default() as graph:
            value = rt.constant(array, name="value") + rt.constant(array)
        graph.graph.outputs.append(value._value)
        again = rt.parse(rt.show(graph.graph))
        (result,) = compile_graph(again)()
        expected = array + array
        np.testing.assert_array_equal(result, expected)
        assert result.dtype == expected.dtype and np.shape(result) == array.shape
        assert np.array_equal(np.signbit(result.real), np.signbit(expected.real))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def f(x: f64):\n    y: f64 = tangent(x)\n    return y", "tangent"),
        ("def f(x: f99):\n    return x", "f99"),
        ("def f(x: f64):\n    y: i64 = add(x, 1)\n    return y", "add returns f64"),
        ("def f(x: f64):\n    return y", "y"),
        ("def f(x: f64[2], y: f64[3]):\n    z: f64[2] = add(x, y)\n    return z", "broadcast"),
        ("x = 1", "def"),
        ("def f(x: f64)\n    return x", "line 1"),
    ],
)
def test_the_error_about_an_invalid_text_names_the_line(text, words):
    with pytest.raises((SyntaxError, ValueError)) as caught:
        rt.parse(text)
    assert words in str(caught.value) and "line" in str(caught.value)


def test_the_verifier_finds_a_value_used_before_its_definition():
    graph = rt.parse("def f(x: f64):\n    y: f64 = add(x, 1)\n    z: f64 = add(y, 1)\n    return z")
    graph.nodes.reverse()
    with pytest.raises(ValueError, match="y"):
        verify(graph)


def test_the_verifier_finds_a_type_that_contradicts_the_op():
    graph = rt.parse("def f(x: f64):\n    y: f64 = add(x, 1)\n    return y")
    graph.nodes[0].output.type = graph.inputs[0].type.__class__(np.dtype("i8"), ())
    with pytest.raises(ValueError, match="add"):
        verify(graph)


REGION = """
def f(p: b1, x: f64):

    def then():
        y: f64 = sin(x)
        return y

    def orelse():
        return x
    z: f64 = cond(p, then=then, orelse=orelse)
    w: f64 = cos(z)
    return w
"""


def uses_what_a_region_makes(graph):
    graph.nodes[1].inputs = (graph.nodes[0].regions["then"].nodes[0].output,)


def uses_what_comes_later(graph):
    graph.nodes.reverse()


def makes_a_value_twice(graph):
    graph.nodes.append(graph.nodes[1])


def makes_another_type(graph):
    graph.nodes[1].output.type = graph.inputs[0].type


def gives_something_that_is_no_value(graph):
    graph.outputs = ["w"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (uses_what_a_region_makes, "cos .* uses <y: f64>, which is not defined there"),
        (uses_what_comes_later, "cos .* uses <z: f64>, which is not defined there"),
        (makes_a_value_twice, "cos .* defines <w: f64>, which is already defined"),
        (makes_another_type, "cos .* returns b1, but its rule infers f64"),
        (gives_something_that_is_no_value, "the result of f uses 'w', which is neither a value"),
    ],
)
def test_the_verifier_finds_violations_of_type_rules(change, message):
    graph, known = rt.parse(REGION), {}
    verify(graph, known)
    change(graph)
    for again in (known, None):
        with pytest.raises(InvalidGraph, match=message):
            verify(graph, again)


WRITTEN_OTHERWISE = {
    "in one line each": "y: f64[2] = tanh(x)  # model.py:3\n    return y",
    "without spaces": "y:f64[2]=tanh(x)# model.py:3\n    return y",
    "two in a line": "y: f64[2] = tanh(x); z: f64[2] = tanh(y)  # model.py:3\n    return z",
    "over two lines": "y: f64[2] = tanh(  # model.py:3\n        x)\n    return y",
    "in parentheses": "y: f64[2] = (tanh(x))  # model.py:3\n    return y",
    "after a backslash": "y: f64[2] = \\\n        tanh(x)  # model.py:3\n    return y",
    "with a carriage return": "y: f64[2] = tanh(x)  # model.py:3\r\n    return y",
    "with a sign in a string": "y: f64[2] = tanh(x)  # model.py:3\n    p: str = text(parts=('# é',))\n"
    "    return y",
}


@pytest.mark.parametrize("written", WRITTEN_OTHERWISE)
def test_the_line_of_a_node_is_read_however_the_text_is_written(written):
    graph = rt.parse(f"def f(x: f64[2]):\n    {WRITTEN_OTHERWISE[written]}\n")
    assert str(graph.nodes[0].location) == "model.py:3"
    assert str(graph.nodes[0].output.type) == "f64[2]"


def test_types_that_are_written_in_two_ways_are_one():
    graph = rt.parse(
        "def f(x: f64[2,3], y: f64[2, 3]):\n    z: (f64[2,  3]) = add(x, y)\n    return z"
    )
    assert len({str(value.type) for value in (*graph.inputs, *graph.outputs)}) == 1
