"""Graphs as TensorBoard's GraphDef: names, edges, shapes, lines, and times of profiles."""

import numpy as np
import pytest
from programs import PROGRAMS

import runtime as rt
from runtime.ir.graph import walk

pytest.importorskip("tensorboard", reason="tensorboard is not installed")

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.compat.proto.config_pb2 import RunMetadata

from runtime.summary.events import graph_summary
from runtime.summary.graph_proto import GraphProto

REGIONS = """
def f(x: f64[batch, 3], p: b1):
    y: f64[batch, 3] = multiply(x, 2.0)  # model.py:7 layer/dense

    def then():
        z: f64[batch, 3] = sin(y)  # model.py:9
        return z, 1

    def orelse():
        print(y, parts=('y', _0), sep=' ', end='')  # model.py:11
        print(y, parts=('y', _0), sep=' ', end='')  # model.py:11
        return x, 2
    a, n = cond(p, then=then, orelse=orelse)  # model.py:8

    def body(b: f64[batch, 3]):
        c: f64[batch, 3] = sin(b)  # model.py:13
        return p, c
    d: f64[batch, 3] = loop(p, a, body=body)  # model.py:12
    return d, n, 7
"""


def inputs(graph):
    return {node.name: list(node.input) for node in GraphProto(graph).definition.node}


def test_regions_are_scopes_that_values_enter_and_leave():
    assert inputs(rt.parse(REGIONS)) == {
        "x": [],
        "p": [],
        "layer/dense/y.multiply": ["x"],
        "cond.1/then/z.sin": ["layer/dense/y.multiply"],
        "cond.1/orelse/print.1": ["layer/dense/y.multiply"],
        "cond.1/orelse/print.2": ["layer/dense/y.multiply", "^cond.1/orelse/print.1"],
        "cond.1": ["p", "cond.1/then/z.sin", "x"],
        "loop.1/body/b": ["cond.1:0", "loop.1/body/c.sin"],
        "loop.1/body/c.sin": ["loop.1/body/b"],
        "loop.1": ["p", "cond.1:0", "loop.1/body/c.sin"],
        "output_0": ["loop.1:0"],
        "output_1": ["cond.1:1"],
        "output_2": [],
    }


def test_a_node_has_its_shapes_its_text_and_its_line():
    nodes = {node.name: node for node in GraphProto(rt.parse(REGIONS)).definition.node}
    node = nodes["layer/dense/y.multiply"]
    assert node.op == "multiply"
    assert node.attr["text"].s == b"y: f64[batch, 3] = multiply(x, 2.0)"
    assert node.attr["line"].s == b"model.py:7"
    assert node.attr["types"].s == b"f64[batch, 3]"
    (shape,) = node.attr["_output_shapes"].list.shape
    assert [size.size for size in shape.dim] == [-1, 3]
    assert nodes["loop.1/body/b"].op == "carried" and nodes["x"].op == "input"
    assert len(nodes["cond.1"].attr["_output_shapes"].list.shape) == 2


def test_a_node_of_a_function_has_the_line_of_its_source(tmp_path):
    fn = rt.function(lambda x: np.tanh(x) + 1.0)
    nodes = GraphProto(fn.get_concrete_function(np.ones(3)).graph).definition.node
    found = next(node for node in nodes if node.op == "tanh")
    assert found.attr["source"].s == b"fn = rt.function(lambda x: np.tanh(x) + 1.0)"
    assert found.attr["line"].s.startswith(b"test_graphs.py:")


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", [n for n, p in PROGRAMS.items() if p.staged])
def test_the_names_of_every_graph_are_unique_and_its_edges_lead_from_nodes(name):
    program = PROGRAMS[name]
    graph = rt.function(program.function).get_concrete_function(*program.staged[0]).graph
    proto = GraphProto(graph)
    names = [node.name for node in proto.definition.node]
    assert len(names) == len(set(names))
    assert set(proto.names) == set(walk(graph))
    known = set(names)
    for node in proto.definition.node:
        for edge in node.input:
            assert edge.removeprefix("^").partition(":")[0] in known, edge


@rt.function
def settled(x):
    while np.sum(x) > 1.0:
        x = np.tanh(x) / 2.0
    return x


def metadata(concrete, profile):
    summary = graph_summary("graph", concrete.compiled.graph, profile)
    return RunMetadata.FromString(summary.value[0].tensor.string_val[0])


def test_the_times_of_a_graph_are_those_of_the_profile():
    x = np.full(3, 9.0)
    concrete = settled.get_concrete_function(x)
    with rt.profile() as profile:
        settled(x)
        settled(x)
    found = metadata(concrete, profile)
    (device,) = found.step_stats.dev_stats
    times = {node.node_name: node.all_end_rel_micros for node in device.node_stats}
    whole = sum(run.end - run.start for run in profile.runs) / 1000
    assert {"loop.1", "loop.1/body/v_1.tanh", "v.sum"} <= times.keys()
    assert min(times.values()) >= 1
    assert sum(times.values()) <= whole + len(times)
    tanh = sum(total.own for name, total in profile.by_op().items() if name.startswith("tanh"))
    assert times["loop.1/body/v_1.tanh"] == -(-tanh // 1000)
    names = {node.name for node in found.function_graphs[0].pre_optimization_graph.node}
    assert times.keys() <= names


def test_a_profile_of_another_graph_is_refused(tmp_path):
    with rt.profile() as profile:
        settled(np.ones(2))
    with pytest.raises(ValueError, match="the profile has no run of this graph of settled"):
        rt.summary.graph(tmp_path, settled, np.ones(3), profile=profile)


def test_a_folder_holds_the_graphs_of_several_functions(tmp_path):
    other = rt.function(lambda x: x + 1, input_signature=[rt.TensorSpec([None])])
    rt.summary.graph(tmp_path, settled, np.ones(3))
    rt.summary.graph(tmp_path, other)
    rt.summary.graph(tmp_path, other.get_concrete_function())
    events = EventAccumulator(str(tmp_path))
    events.Reload()
    assert events.Tags()["tensors"][0] == "graph of settled"
    assert len(events.Tags()["tensors"]) == 2
