"""Fusion groups: their members, and that each can be computed as one step."""

import random

from budget import random_seeds
from random_graphs import Maker

import runtime as rt
from runtime.analyses.effects import has_effect
from runtime.analyses.fusion import fusion_groups
from runtime.ir.graph import Value, captures


def groups(text):
    """The groups of a graph, as lists of ops."""
    return [[node.op.name for node in group.nodes] for group in fusion_groups(rt.parse(text))]


def test_a_chain_and_the_reduction_after_it_are_one_group():
    assert groups("""
def f(x: f64[None], y: f64[None]):
    v: f64[None] = subtract(x, 1.0)
    w: f64[None] = multiply(v, v)
    s: f64 = sum(w)
    z: f64[None] = divide(v, s)
    q: f64[None] = sqrt(z)
    return q
""") == [["subtract", "multiply", "sum"], ["divide", "sqrt"]]


def test_a_group_names_its_inputs_and_outputs():
    graph = rt.parse("""
def f(x: f64[3], y: f64[3], n: f64):
    v: f64[3] = multiply(x, n)
    w: f64[3] = add(v, y)
    u: f64[3] = sort(v)
    return w, u
""")
    (group,) = fusion_groups(graph)
    assert group.inputs == tuple(graph.inputs[i] for i in (0, 2, 1))
    assert [value.hint for value in group.outputs] == ["v", "w"]


def test_no_path_leaves_a_group_and_returns():
    assert groups("""
def f(x: f64[3]):
    a: f64[3] = sin(x)
    b: f64[3] = cos(a)
    c: f64[3] = sort(a)
    d: f64[3] = add(b, c)
    e: f64[3] = exp(d)
    return e
""") == [["sin", "cos"], ["add", "exp"]]


def test_no_group_spans_an_effect():
    assert groups("""
def f(x: f64[3]):
    a: f64[3] = sin(x)
    b: f64[3] = cos(a)
    print(x, parts=(_0,), sep='', end='')
    c: f64[3] = exp(b)
    d: f64[3] = sqrt(c)
    return d
""") == [["sin", "cos"], ["exp", "sqrt"]]


def test_values_of_different_sizes_are_in_different_groups():
    assert groups("""
def f(x: f64[3], y: f64[2, 3], z: f64[None], u: f64[None]):
    a: f64[3] = sin(x)
    b: f64[3] = cos(a)
    c: f64[2, 3] = add(b, y)
    d: f64[2, 3] = exp(c)
    e: f64[None] = sin(z)
    f: f64[None] = cos(u)
    g: f64[None] = add(e, f)
    h: f64[None] = exp(e)
    return d, g, h
""") == [["sin", "cos"], ["add", "exp"], ["sin", "exp"]]


def test_the_body_of_a_loop_has_its_own_groups():
    assert groups("""
def f(p: b1, x: f64[3]):

    def body(y: f64[3]):
        a: f64[3] = sin(y)
        b: f64[3] = cos(a)
        return False, b
    z: f64[3] = loop(p, x, body=body)
    return z
""") == [["sin", "cos"]]


def used(node):
    return {
        v
        for v in [*node.inputs, *(v for r in node.regions.values() for v in captures(r))]
        if isinstance(v, Value)
    }


def can_be_ordered(graph, found):
    """Whether the groups of a graph, each as one step, and all other nodes have a valid order.

    It computes every value before its uses and keeps the order of effects.
    """
    step = {node: node for node in graph.nodes}
    for group in found:
        step.update(dict.fromkeys(group.nodes, group))
    makers = {value: node for node in graph.nodes for value in node.outputs}
    needs = {one: set() for one in step.values()}
    last_effect, since = None, []
    for node in graph.nodes:
        needs[step[node]] |= {step[makers[v]] for v in used(node) if v in makers}
        if last_effect is not None:
            needs[step[node]].add(step[last_effect])
        if has_effect(node):
            needs[step[node]].update(step[other] for other in since)
            last_effect, since = node, []
        since.append(node)
    for one, others in needs.items():
        others.discard(one)
    while needs:
        ready = {one for one, others in needs.items() if not others}
        if not ready:
            return False
        needs = {one: others - ready for one, others in needs.items() if one not in ready}
    return True


@random_seeds(300)
def test_the_groups_of_a_random_graph_can_be_computed_in_some_order(seed):
    graph = Maker(random.Random(seed), most_nodes=60).graph()
    found = fusion_groups(graph)
    for region in {id(group.graph): group.graph for group in found}.values():
        assert can_be_ordered(region, [group for group in found if group.graph is region])


def test_the_order_check_finds_a_cycle():
    graph = rt.parse("""
def f(x: f64[3]):
    a: f64[3] = sin(x)
    c: f64[3] = sort(a)
    d: f64[3] = add(a, c)
    return d
""")
    first, _, last = graph.nodes
    wrong = type("Wrong", (), {"nodes": (first, last)})()
    assert not can_be_ordered(graph, [wrong])
    assert can_be_ordered(graph, [])
