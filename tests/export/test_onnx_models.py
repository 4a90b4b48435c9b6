"""ONNX models of whole functions: control flow, lists, subscripts, gradients, names and refusals."""

import os
from collections import Counter

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ExportError

pytest.importorskip("onnxruntime", reason="the `test` extra installs it")
import onnx  # noqa: E402
from onnx_runs import check, compare, expected_of, model_for, results, run  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
X = np.array([1.5, -2.0, 0.5])
N = rt.TensorSpec(("n",))


def settle(x):
    steps = 0
    while np.sum(x * x) > 0.1:
        if x[0] > 1:
            x = x / 2
        else:
            x = np.tanh(x) * 0.5
        steps += 1
    return x, steps


def nodes_of(graph):
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from nodes_of(attribute.g)


def test_branches_and_loops():
    check(rt.function(settle), X)
    kinds = {node.op_type for node in nodes_of(model_for(rt.function(settle), (X,)).graph)}
    assert {"Loop", "If"} <= kinds


def test_named_dimensions_take_any_size():
    model = model_for(rt.function(settle), (), (N,))
    (given,) = model.graph.input
    assert (given.name, given.type.tensor_type.shape.dim[0].dim_param) == ("x", "n")
    for size in (1, 2, 7):
        x = np.linspace(1.2, -3, size)
        compare(results(model, (x,)), expected_of(settle(x)))


def test_loops_over_elements_and_lists():
    def running(x):
        found, total = [], np.float64(0.0)
        for value in x:
            total = total + value
            if total > 0:
                found.append(total)
        if len(found) > 2:
            found[0] = found[-1]
            found.pop()
        return np.array(found), len(found)

    function = rt.function(running)
    model = model_for(function, (), (N,))
    for x in (X, -X, np.arange(6.0), np.zeros(1)):
        compare(results(model, (x,)), expected_of(running(x)))


def test_products_of_transposed_matrices_and_vectors():
    matrix = np.cos(np.arange(12.0)).reshape(3, 4)

    def products(a, x, y):
        return a.T @ x, x @ a, a @ y, y @ a.T, x @ x, np.dot(a.T, x), np.outer(x, y), a.T @ a

    check(rt.function(products), matrix, X, np.arange(4.0))


def test_gradients():
    def loss(x):
        y, _ = settle(x)
        return np.sum(y**3) + np.max(x) + x[1] * np.exp(x[0])

    check(rt.grad(loss), X)
    check(rt.value_and_grad(loss), X)


def test_a_gradient_of_an_affine_layer():
    weights, bias = np.arange(6.0).reshape(3, 2) / 7, np.array([0.5, -0.25])

    def loss(weights, bias, x):
        return np.mean(np.tanh(x @ weights + bias) ** 2)

    gradient = rt.grad(loss, argnums=(0, 1))
    specs = rt.TensorSpec((3, 2)), rt.TensorSpec((2,)), rt.TensorSpec(("batch", 3))
    for size in (1, 4):
        x = np.cos(np.arange(3.0 * size)).reshape(size, 3)
        check(gradient, weights, bias, x, specs=specs)


@pytest.mark.parametrize(
    "read",
    [
        lambda x, i: x[1], lambda x, i: x[-1, 2], lambda x, i: x[i], lambda x, i: x[:, i],
        lambda x, i: x[::2, ::-1], lambda x, i: x[5:0:-2], lambda x, i: x[-100:2, 1:-1],
        lambda x, i: x[None, :, 1], lambda x, i: x[..., None], lambda x, i: x[i, i],
        lambda x, i: x[i, 1], lambda x, i: x[x[:, 0] > 4], lambda x, i: x[x > 7],
        lambda x, i: x[i[:, None], i], lambda x, i: x[i[0] : i[1]], lambda x, i: x[i[0], ::-1],
        lambda x, i: np.take(x, i), lambda x, i: np.take(x, i, axis=1), lambda x, i: x[1:1],
        lambda x, i: x.reshape(2, 2, 4)[:, i - 1, i], lambda x, i: x.reshape(2, 2, 4)[0, :, i],
    ],
)  # fmt: skip
def test_reading_at_subscripts(read):
    check(rt.function(read), np.arange(16.0).reshape(4, 4), np.array([1, 2, -3]) % 3)


def write(x, i, at, value):
    x = x.copy()
    x[at(x, i)] = value(x)
    return x


@pytest.mark.parametrize("value", [lambda x: 1.5, lambda x: x[0, :1], lambda x: x[1, 1] + 100])
@pytest.mark.parametrize(
    "at",
    [
        lambda x, i: 1, lambda x, i: (slice(None), 2), lambda x, i: i, lambda x, i: (i, i),
        lambda x, i: x > 3, lambda x, i: (slice(1, 3), slice(None, None, -2)), lambda x, i: ...,
    ],
)  # fmt: skip
def test_writing_at_subscripts(at, value):
    def written(x, i):
        return write(x, i, at, value)

    check(rt.function(written), np.arange(16.0).reshape(4, 4), np.array([1, 2, 1]))


def test_of_several_writes_to_an_element_the_last_one_remains():
    def written(x, i, v):
        x = x.copy()
        x[i] = v
        return x

    check(rt.function(written), np.zeros(4, int), np.array([1, 2, 1, -1, 1]), np.arange(5) + 10)


def test_an_index_out_of_bounds_ends_the_run():
    model = model_for(rt.function(lambda x, i: x[i]), (X, np.int64(0)))
    compare(results(model, (X, np.int64(-3))), [X[0]])
    for index in (3, -4):
        with pytest.raises(Exception, match="out of data bounds"):
            results(model, (X, np.int64(index)))


def test_shapes_that_numpy_refuses_end_the_run():
    def assigned(x, y):
        x = x.copy()
        x[:] = y
        return x

    specs = N, rt.TensorSpec(("m",))
    for function in (assigned, lambda x, y: x + y, lambda x, y: x[y > 0]):
        model = model_for(rt.function(function), (), specs)
        compare(results(model, (X, -X)), [function(X, -X)])
        with pytest.raises(Exception, match="(?i)fail|error|bounds"):
            results(model, (X, np.ones(2)))


def test_arrays_and_variables_are_constants():
    table, scale = np.arange(3.0), rt.Variable(np.full(3, 2.0))

    @rt.function
    def scaled(x):
        return {"product": x * scale, "sum": (x + table, 3)}

    model = model_for(scaled, (X,))
    assert [one.name for one in model.graph.input] == ["x"]
    assert [one.name for one in model.graph.output] == [
        "result['product']", "result['sum'][0]", "result['sum'][1]",
    ]  # fmt: skip
    compare(results(model, (X,)), expected_of(scaled(X)))


def test_the_lines_of_the_user_are_in_the_model():
    texts = [node.doc_string for node in nodes_of(model_for(rt.function(settle), (X,)).graph)]
    assert any(text.endswith(": x = np.tanh(x) * 0.5") for text in texts)
    assert any(text.endswith(": while np.sum(x * x) > 0.1:") for text in texts)


class Layer:
    def __init__(self):
        self.dense = rt.nn.Dense(2, np.tanh, inputs=3)

    @rt.function
    def __call__(self, x):
        return self.dense(x)

    @rt.function
    def predict(self, x):
        return self.dense(x)


def test_a_method_of_a_model(tmp_path):
    layer, path = Layer(), tmp_path / "layer.onnx"
    rt.export_onnx(layer.predict, path, rt.TensorSpec(("batch", 3)))
    compare(results(onnx.load(path), (np.ones((4, 3)),)), [layer.predict(np.ones((4, 3)))])


# -- refusals --------------------------------------------------------------------------------------


def printing(x):
    print(x)
    return x + 1


def asserting(x):
    assert np.sum(x) > 0, "no"
    return x + 1


def sorting(x):
    return np.linalg.inv(x)


def calling_itself(n):
    return n if n < 2 else calling_itself(n - 1) + calling_itself(n - 2)


def writing(x):
    x[0] = 1
    return x + 1


COUNTER = rt.Variable(0.0)


def counting(x):
    COUNTER.assign_add(1.0)
    return x + 1


def keyed(x):
    counts = Counter()
    counts[int(x)] += 1
    return counts


@pytest.mark.parametrize(
    "function, argument, words",
    [
        (printing, X, ["it uses print", "print(x)"]),
        (asserting, X, ["it raises AssertionError", 'assert np.sum(x) > 0, "no"', "drop_asserts"]),
        (sorting, np.eye(2), ["it uses linalg.inv", "return np.linalg.inv(x)"]),
        (calling_itself, np.int64(3), ["calls itself", "Write it as a loop"]),
        (writing, X, ["it writes into an array of the caller"]),
        (counting, X, ["it writes into a variable"]),
        (lambda x: x * 1j, X, ["c128"]),
        (lambda x: {"given": x}["given"], [X], ["result is an argument"]),
        (keyed, np.int64(3), ["only a run knows its keys"]),
        (lambda x: np.random.random() + x, X, ["cannot be exported"]),
    ],
)  # fmt: skip
def test_refusals_name_the_operation_and_the_line(function, argument, words):
    with pytest.raises(ExportError) as error:
        run(rt.function(function), argument)
    message = str(error.value)
    assert all(word in message for word in words), message
    assert message.endswith("[AG803]")


def test_assertions_are_dropped_if_the_caller_says_so(tmp_path):
    path = tmp_path / "model.onnx"
    rt.export_onnx(asserting, path, X, drop_asserts=True)
    compare(results(onnx.load(path), (X,)), [X + 1])


def test_nothing_is_written_for_a_refused_function(tmp_path):
    with pytest.raises(ExportError):
        rt.export_onnx(printing, tmp_path / "model.onnx", X)
    assert not list(tmp_path.iterdir())


def test_a_note_counts_the_other_operations_that_are_refused(tmp_path):
    def several(x):
        print(x)
        y = np.sort(x)
        for v in x:
            if v > 0:
                y = np.linalg.inv(np.outer(y, y))[0]
            y = np.cumprod(y) + np.cumprod(x)
        return y

    with pytest.raises(ExportError, match="it uses print") as error:
        rt.export_onnx(several, tmp_path / "several.onnx", np.ones(3))
    (note,) = error.value.__notes__
    title, *rows = note.splitlines()
    assert title == "4 more operations are refused:"
    first = several.__code__.co_firstlineno
    assert rows == [
        f"  it uses sort, {__file__}, line {first + 2}",
        f"  it uses linalg.inv, {__file__}, line {first + 5}",
        f"  it uses cumprod, {__file__}, line {first + 6} (2 times)",
    ]

    def one(x):
        return np.sort(x)

    with pytest.raises(ExportError) as error:
        rt.export_onnx(one, tmp_path / "one.onnx", np.ones(3))
    assert not hasattr(error.value, "__notes__")


def test_a_model_that_cannot_be_written_leaves_the_old_one(tmp_path, monkeypatch):
    path = tmp_path / "double.onnx"
    rt.export_onnx(lambda x: 2 * x, path, np.ones(3))
    before = path.read_bytes()

    def full(descriptor):
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        rt.export_onnx(lambda x: 3 * x, path, np.ones(3))
    assert path.read_bytes() == before and [one.name for one in tmp_path.iterdir()] == [path.name]
