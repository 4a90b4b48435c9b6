"""A control-flow op defined only in this file passes analyses and passes by its record.

a, b = run_twice(a_0, b_0, body=body)         a, b = body(*body(a_0, b_0)): exactly twice
"""

import textwrap

import numpy as np
import pytest

import runtime as rt
from runtime.analyses.escape import escaping_values
from runtime.analyses.intervals import Interval, Ranges
from runtime.analyses.liveness import Uses
from runtime.engines import eager, registry
from runtime.engines.registry import Engine
from runtime.ir import op as ops
from runtime.ir.graph import InvalidGraph, Value, copy, operand_type, verify, walk
from runtime.ir.op import Op
from runtime.ir.regions import ControlFlow, RegionFlow, carried
from runtime.ir.text import parse, show
from runtime.observability.graph_def import graph_def
from runtime.passes.branch_simplification import simplify_branches
from runtime.passes.common_subexpressions import eliminate_common_subexpressions
from runtime.passes.constant_folding import fold_constants
from runtime.passes.dead_code import remove_dead_code
from runtime.passes.loop_invariant_motion import move_loop_invariants
from runtime.passes.loop_state import reduce_loop_state
from runtime.tracing import trace
from runtime.tracing.tensor import handle, operand, staged
from runtime.transforms.reverse.activity import ActiveValues, useful


def _rule(*starts, body):
    inputs = tuple(value.type for value in body.inputs)
    outputs = tuple(map(operand_type, body.outputs))
    if starts != inputs or outputs != inputs:
        raise TypeError("a region that is repeated has outputs like its inputs")
    return outputs


@pytest.fixture(autouse=True)
def run_twice():
    """The op, registered while a test runs."""
    flow = ControlFlow({"body": RegionFlow((2, 2), inputs=0, results=0, carried=0)})
    yield Op("run_twice", "A region that runs twice.", _rule, None, arity=None, control_flow=flow)
    del ops._registry["run_twice"]


TEXT = """
def f(x: f64[3], w: f64[3], n: i64):

    def body(a: f64[3], b: f64[3], i: i64, c: f64[3]):
        s: f64[3] = sin(w)
        s_1: f64[3] = sin(w)
        a_1: f64[3] = multiply(a, s)
        b_1: f64[3] = add(b, s_1)
        three: int = add(1, 2)
        i_1: i64 = add(i, n)
        return a_1, b_1, i_1, c
    a_2, b_2, i_2, c_1 = run_twice(x, w, n, x, body=body)
    y: f64[3] = add(a_2, c_1)
    return y
"""


def parsed(text):
    graph = parse(textwrap.dedent(text).strip())
    verify(graph)
    return graph


def changed(change, text):
    """The text of a graph after a pass."""
    graph = change(parsed(text))
    verify(graph)
    return show(graph).strip()


def values(graph):
    """The values of a graph by name, including those of regions."""
    made = [value for node in walk(graph) for value in node.outputs]
    inside = [v for node in walk(graph) for r in node.regions.values() for v in r.inputs]
    return {value.hint: value for value in [*graph.inputs, *inside, *made]}


def test_its_text_is_parsed_and_printed_and_its_copy_is_independent():
    graph = parsed(TEXT)
    assert show(parse(show(graph))) == show(graph)
    other = copy(graph)
    verify(other)
    assert show(other) == show(graph)
    assert not set(values(other).values()) & set(values(graph).values())


def test_its_rule_is_verified():
    graph = parsed(TEXT)
    graph.nodes[0].regions["body"].outputs[0] = 0.0
    with pytest.raises((InvalidGraph, TypeError), match="outputs like its inputs"):
        verify(graph)


def test_a_region_that_the_record_does_not_declare_is_invalid():
    graph = parsed(TEXT)
    graph.nodes[1].regions["body"] = graph.nodes[0].regions["body"]
    with pytest.raises(InvalidGraph, match="add .* has a region 'body' that its op does not"):
        verify(graph)


def test_unused_results_and_variables_are_removed():
    assert (
        changed(remove_dead_code, TEXT)
        == textwrap.dedent(
            """
def f(x: f64[3], w: f64[3], n: i64):

    def body(a: f64[3], c: f64[3]):
        s: f64[3] = sin(w)
        a_1: f64[3] = multiply(a, s)
        return a_1, c
    a_2, c_1 = run_twice(x, x, body=body)
    y: f64[3] = add(a_2, c_1)
    return y
"""
        ).strip()
    )


def test_a_variable_used_by_iterations_is_kept():
    text = """
def f(x: f64[3], w: f64[3]):

    def body(a: f64[3], b: f64[3]):
        b_1: f64[3] = sin(b)
        return b, b_1
    a_1, b_2 = run_twice(x, w, body=body)
    return a_1
"""
    assert changed(remove_dead_code, text) == text.strip()


def test_variables_that_do_not_change_are_not_carried():
    text = changed(reduce_loop_state, TEXT)
    assert "run_twice(x, w, n, body=body)" in text
    assert "y: f64[3] = add(a_2, x)" in text


def test_a_variable_that_each_iteration_sets_to_one_value_is_replaced_by_it():
    text = """
def f(x: f64[3], w: f64[3]):

    def body(a: f64[3], b: f64[3]):
        b_1: f64[3] = sin(b)
        return w, b_1
    a_1, b_2 = run_twice(x, w, body=body)
    return a_1, b_2
"""
    assert changed(reduce_loop_state, text).endswith("return w, b_2")


def test_invariants_of_an_op_that_always_iterates_are_hoisted_without_a_guard():
    text = changed(move_loop_invariants, TEXT)
    assert text.index("s: f64[3] = sin(w)") < text.index("def body")
    assert "cond" not in text


def test_repetition_and_constants_in_its_region_are_found():
    assert changed(eliminate_common_subexpressions, TEXT).count("sin(w)") == 1
    assert "three" in TEXT and "three" not in changed(fold_constants, TEXT)


def test_branches_in_its_region_are_decided():
    text = """
def f(x: f64[3]):

    def body(a: f64[3]):

        def then():
            b: f64[3] = sin(a)
            return b

        def orelse():
            return a
        a_1: f64[3] = cond(True, then=then, orelse=orelse)
        return a_1
    a_2: f64[3] = run_twice(x, body=body)
    return a_2
"""
    assert "cond" not in changed(simplify_branches, text)


def test_initial_and_final_values_escape_to_the_caller_with_the_result():
    graph = parsed(
        """
def f(x: f64[3], w: f64[3]):

    def body(a: f64[3], b: f64[3]):
        c: f64[3] = sin(b)
        return c, a
    a_1, b_1 = run_twice(x, w, body=body)
    return a_1, b_1
"""
    )
    # b_1 is `a` of the last iteration, which could be x; w is only read.
    names = {value.hint for value in escaping_values(graph)}
    assert names == {"a_1", "b_1", "c", "a", "x"}


def test_the_next_iteration_uses_a_value_from_outside_again():
    graph = parsed(TEXT)
    uses, found = Uses(graph), values(graph)
    body = graph.nodes[0].regions["body"]
    assert uses.is_live_after(found["w"], body.nodes[-1])
    assert not uses.is_live_after(found["b"], body.nodes[-1])


def test_the_intervals_of_its_variables_hold_for_all_iterations():
    graph = parsed(
        """
def f(x: f64):

    def body(i: int, k: int):
        i_1: int = add(i, 1)
        return i_1, k
    i_2, k_1 = run_twice(3, 7, body=body)
    return i_2, k_1
"""
    )
    ranges, found = Ranges(graph), values(graph)
    assert ranges[found["k_1"]] == Interval(7, 7)
    assert ranges[found["i"]].low == 3 and ranges[found["i"]].high > 4
    assert ranges[found["i_2"]].low == 4


def test_derivatives_are_followed_through_its_variables():
    graph = parsed(
        """
def f(x: f64, w: f64):

    def body(a: f64, b: f64):
        c: f64 = sin(b)
        return b, c
    a_1, b_1 = run_twice(x, w, body=body)
    return a_1
"""
    )
    found = values(graph)
    active = ActiveValues([found["w"]])
    active.visit(graph.nodes)
    names = {name for name, value in found.items() if value in active}
    assert names == {"w", "a", "b", "c", "a_1", "b_1"}
    wanted = useful(graph, {found["a_1"]}, active)
    assert found["w"] in wanted and found["b"] in wanted


def test_its_region_is_a_function_of_the_library_of_a_graph_def():
    shown = graph_def(parsed(TEXT))
    assert shown["node"][3]["op"] == "run_twice"
    (body,) = shown["library"]["function"]
    assert shown["node"][3]["attr"]["body"] == {"func": body["name"]}
    assert body["captures"] == ["w", "n"]


def test_its_variables_follow_its_record():
    graph = parsed(TEXT)
    variable = carried(graph.nodes[0])[0]
    names = [value.hint for value in variable]
    assert names == ["x", "a", "a_1", "a_2"]


# -- transformations -------------------------------------------------------------------------------


class Interpreter(eager.Interpreter):
    """The eager engine, which knows the op."""

    def _results(self, node, operands, frame):
        if node.op.name != "run_twice":
            return super()._results(node, operands, frame)
        once = self._region(node.regions["body"], operands, frame)
        return self._region(node.regions["body"], once, frame)


@pytest.fixture
def run_eagerly(monkeypatch):
    """Functions of graphs that may hold the op."""
    engine = Engine("twice", "The eager engine with run_twice.", Interpreter, lambda node: None)
    monkeypatch.setitem(registry._engines, "twice", engine)
    return rt.function(engine="twice")


def staged_twice(x, w):
    """a of: a, b = x, w; twice: a, b = sin(b) * a * w, a."""
    recorder = trace.current()
    starts = [operand(staged(value), recorder) for value in (x, w)]
    with recorder.open_region("body") as body:
        body.inputs = [Value(start.type, hint) for start, hint in zip(starts, "ab", strict=True)]
        a, b = (handle(value, body) for value in body.inputs)
        made = np.sin(b) * a * w
        body.outputs = [operand(made, recorder), body.inputs[0]]
    results = recorder.record(ops.find("run_twice"), tuple(starts), {}, {"body": body})
    return handle(results[0], recorder.region)


def plain_twice(x, w):
    a, b = x, w
    for _ in range(2):
        a, b = np.sin(b) * a * w, a
    return a


X, W = np.float64(0.7), np.float64(1.3)


@pytest.mark.parametrize(
    "transformed",
    [
        lambda f: lambda x, w: rt.grad(f, argnums=(0, 1))(x, w),
        lambda f: lambda x, w: rt.jvp(f, (x, w), (2.0, None)),
        lambda f: lambda x, w: rt.jvp(f, (x, w), (None, 3.0)),
        lambda f: lambda x, w: rt.grad(lambda x: rt.grad(f)(x, w))(x),
        lambda f: lambda x, w: rt.vmap(f)(np.stack([x, w, x]), np.stack([w, w, x])),
        lambda f: lambda x, w: rt.vmap(f, in_axes=(None, 0))(x, np.stack([w, x])),
        lambda f: lambda x, w: rt.vmap(rt.grad(f))(np.stack([x, w]), np.stack([w, x])),
    ],
    ids=["grad", "jvp by x", "jvp by w", "second derivative", "vmap", "one vmap", "vmap of grad"],
)
def test_it_is_differentiated_and_batched_like_the_equivalent_loop(transformed, run_eagerly):
    found = run_eagerly(transformed(staged_twice))(X, W)
    expected = rt.function(transformed(plain_twice))(X, W)
    leaves, structure = rt.ir.pytree.flatten(found)
    wanted, its_structure = rt.ir.pytree.flatten(expected)
    assert structure == its_structure
    for one, other in zip(leaves, wanted, strict=True):
        assert other is None if one is None else np.allclose(one, other, rtol=1e-12)
