"""Loops over rows in ONNX models: `Scan` where it is exact, with the results of Python."""

import collections

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="the `test` extra installs it")
from onnx_runs import compare, expected_of, model_for, results  # noqa: E402

import runtime as rt  # noqa: E402

RNG = np.random.default_rng(5)
SQUARE = RNG.normal(size=(3, 3))
NAMED, ROWS = rt.TensorSpec(("n",)), rt.TensorSpec(("n", 3))


def total(xs):
    s = 0.0
    for x in xs:
        s = s + x
    return s


def recurrent(xs, w):
    h = np.zeros(3)
    out = []
    for x in xs:
        h = np.tanh(w @ h + x)
        out.append(h)
    return h, np.stack(out)


def two_arrays(xs, ys):
    s = np.zeros(3)
    found, others = [], []
    for x, y in zip(xs, ys):  # noqa: B905
        s = s * 0.5 + x * y
        found.append(s[0])
        others.append(np.float32(2) * (x - y))
    return s, np.stack(found), np.stack(others)


def with_branches(xs):
    s, n = np.float64(0), 0
    for i, x in enumerate(xs):
        if x > 0:
            s = s + x * i
        else:
            n = n + 1
    return s, n


def in_each_other(xs):
    t = np.zeros(3)
    for row in xs:
        a = 0.0
        for v in row:
            a = a + v * v
        t = t + a * row
    return t


def left_early(xs):
    s = np.float64(0)
    for x in xs:
        if x < -1:
            break
        s = s + x
    return s


def list_returned(xs):
    out = []
    for x in xs:
        out.append(x * 2)
    return out


def list_read(xs):
    out = [np.float64(0.5)]
    for x in xs:
        out.append(x + out[-1])
    return np.stack(out)


def shape_grows(xs):
    found = np.zeros(0)
    for x in xs:
        found = np.concatenate([found, np.reshape(x, (1,))])
    return found


def other_length(xs, ys):
    s = np.float64(0)
    for i in range(len(ys)):
        s = s + xs[i] * ys[i]
    return s


def written(xs):
    out = np.zeros_like(xs)
    for i in range(len(xs)):
        out[i] = xs[i] * 2
    return out


PROGRAMS = {
    total: ((NAMED,), True),
    recurrent: ((ROWS, rt.TensorSpec((3, 3))), True),
    two_arrays: ((ROWS, ROWS), True),
    with_branches: ((NAMED,), True),
    in_each_other: ((ROWS,), True),
    left_early: ((NAMED,), False),
    list_returned: ((NAMED,), False),
    list_read: ((NAMED,), False),
    shape_grows: ((NAMED,), False),
    other_length: ((NAMED, rt.TensorSpec(("m",))), True),
    written: ((NAMED,), False),
}


def operators(graph):
    found = collections.Counter(node.op_type for node in graph.node)
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                found += operators(attribute.g)
    return found


def arguments(specs, length):
    return tuple(
        SQUARE if spec.shape == (3, 3) else RNG.normal(size=(length, *spec.shape[1:]))
        for spec in specs
    )


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_arrays_of_any_length(program):
    specs, is_scan = PROGRAMS[program]
    model = model_for(program, (), specs)
    assert (operators(model.graph)["Scan"] > 0) is is_scan
    for length in (1, 2, 7):
        given = arguments(specs, length)
        compare(results(model, given), expected_of(program(*given)))
        compare(results(model, given, "reference"), expected_of(program(*given)))


@pytest.mark.parametrize("program", [total, with_branches, in_each_other])
def test_no_rows(program):
    specs, _ = PROGRAMS[program]
    given = arguments(specs, 0)
    compare(results(model_for(program, (), specs), given), expected_of(program(*given)))


@pytest.mark.parametrize("program", [recurrent, two_arrays])
def test_no_rows_to_stack_end_the_run(program):
    specs, _ = PROGRAMS[program]
    given = arguments(specs, 0)
    with pytest.raises(ValueError, match="need at least one array"):
        program(*given)
    with pytest.raises(Exception):
        results(model_for(program, (), specs), given)


@pytest.mark.parametrize("program", [total, recurrent, two_arrays, with_branches])
def test_arrays_of_a_known_length(program):
    specs, _ = PROGRAMS[program]
    given = arguments(specs, 100)
    model = model_for(program, given)
    assert operators(model.graph)["Scan"] == 1
    assert not operators(model.graph)["If"] or program is with_branches
    compare(results(model, given), expected_of(program(*given)))


def test_the_gradient_of_a_loop_is_a_model():
    slope = rt.grad(lambda w, xs: np.sum(recurrent(xs, w)[0]))
    given = SQUARE, RNG.normal(size=(5, 3))
    model = model_for(slope, (), (rt.TensorSpec((3, 3)), ROWS))
    compare(results(model, given), expected_of(slope(*given)))
