"""`rt.function(engine="xla", device=...)`: one program of XLA, whose arrays stay on the device."""

import re
import threading

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="devices need the extra `jax`")
from jax.sharding import Mesh, NamedSharding, PartitionSpec  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.state import on_devices  # noqa: E402

DEVICE = rt.devices()[0]


def on_device(fn, **options):
    return rt.function(fn, engine="xla", device=DEVICE, **options)


def is_on_device(variable):
    """Whether no array of NumPy has the variable's value."""
    return on_devices.is_on_device(variable)


def test_results_are_arrays_of_jax_with_the_dtypes_of_numpy():
    @on_device
    def scaled(data, factor=0.1):
        return {"y": data["x"] * factor, "rows": len(data["x"])}, np.sum(data["x"])

    x = np.linspace(0, 1, 5)
    found, total = scaled({"x": x, "name": "a"})
    assert isinstance(found["y"], jax.Array) and found["y"].devices() == {DEVICE}
    assert found["rows"] == 5 and type(found["rows"]) is int
    assert found["y"].dtype == total.dtype == np.float64
    np.testing.assert_array_equal(found["y"], x * 0.1)
    np.testing.assert_array_equal(np.from_dlpack(found["y"]), x * 0.1)
    again, _ = scaled({"x": found["y"], "name": "a"}, factor=2.0)
    np.testing.assert_array_equal(again["y"], x * 0.1 * 2)


def test_control_flow_methods_and_other_shapes():
    class Clipped:
        def __init__(self, limit):
            self.limit = np.full(2, limit)

        @on_device
        def sum(self, x):
            total = np.zeros(2)
            for row in x:
                if row[0] > 0:
                    total = np.minimum(total + row, self.limit)
            return total

    one = Clipped(3.0)
    for rows in (2, 4):
        x = np.arange(2.0 * rows).reshape(rows, 2) - 1
        found = one.sum(x)
        assert isinstance(found, jax.Array)
        np.testing.assert_array_equal(found, rt.eager(one.sum)(x))
    one.limit = np.full(2, 1.0)
    np.testing.assert_array_equal(one.sum(x), [1.0, 1.0])


def test_a_variable_stays_on_the_device_until_it_is_read():
    v = rt.Variable(np.zeros(3))

    @on_device
    def add(x):
        v.assign_add(x)
        return v.value

    first = add(np.ones(3))
    assert is_on_device(v)
    held = on_devices.found(v)
    second = add(np.ones(3))
    assert is_on_device(v) and held.is_deleted()  # its memory was given to the program
    np.testing.assert_array_equal(first, [1, 1, 1])
    np.testing.assert_array_equal(second, [2, 2, 2])
    assert repr(v) == "<rt.Variable: array([2., 2., 2.])>" and not is_on_device(v)
    v[0] = 10
    np.testing.assert_array_equal(add(np.ones(3)), [11, 3, 3])
    assert rt.function(lambda: np.sum(v))() == 17
    add(np.ones(3))
    v.assign(np.zeros(3))  # without a read
    np.testing.assert_array_equal(add(np.ones(3)), [1, 1, 1])


def test_threads_find_whole_values():
    v = rt.Variable(np.zeros(1000))

    @on_device
    def add(x):
        v.assign_add(x)

    torn = []

    def read():
        for _ in range(200):
            value = np.asarray(v)
            torn.extend({value[0]} ^ {value[-1]})

    add(np.ones(1000))
    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for _ in range(50):
        add(np.ones(1000))
    for reader in readers:
        reader.join()
    assert v[0] == 51 and not torn


def test_a_run_that_fails_is_that_of_numpy():
    v = rt.Variable(np.zeros(2))

    @on_device
    def item(x, i):
        v.assign(x)
        assert x[0] >= 0, "negative"
        return x[i]

    x = np.array([3.0, 4.0])
    assert float(item(x, np.int64(-1))) == 4
    with pytest.raises(IndexError, match="index 2 is out of bounds") as caught:
        item(2 * x, np.int64(2))
    assert caught.traceback[-1].path.name == "test_placement.py"
    np.testing.assert_array_equal(v, [6, 8])  # as in Python: it was assigned before
    with pytest.raises(AssertionError, match="negative"):
        item(-x, np.int64(0))
    assert float(item(x, np.int64(0))) == 3


def test_an_int_beyond_64_bits_is_that_of_python():
    @rt.function(engine="xla", device=DEVICE, input_signature=[int])
    def power(n):
        result = 1
        for _ in range(n):
            result = result * 10
        return result, np.arange(2.0)

    assert int(power(18)[0]) == 10**18
    found, other = power(30)
    assert found == 10**30 and isinstance(other, jax.Array)


def test_training_on_the_device():
    def loss(w, x, y):
        return np.mean((np.tanh(x @ w) - y) ** 2)

    w, optimizer = rt.Variable(np.zeros((3, 1))), rt.optimizers.Adam(0.1)

    @on_device
    def step(x, y):
        value, gradient = rt.value_and_grad(loss)(w.value, x, y)
        optimizer.apply([gradient], [w])
        return value

    rng = np.random.default_rng(0)
    x = rng.normal(size=(20, 3))
    y = np.tanh(x @ np.array([[1.0], [-2.0], [0.5]]))
    losses = [step(x, y) for _ in range(40)]
    assert all(isinstance(one, jax.Array) for one in losses) and is_on_device(w)
    assert float(losses[-1]) < 0.1 * float(losses[0])


def test_random_numbers_have_the_bits_of_numpy():
    def drawing(**options):
        generator = rt.random.Generator(7)

        @rt.function(**options)
        def draw():
            total = np.zeros(3)
            for _ in range(4):
                total = total + generator.random(3)
            others = generator.random((3, 3), dtype=np.float32), generator.uniform(1, 4, 5)
            return total, *others, generator.normal(size=2), generator.bernoulli(0.3, 9)

        return draw

    ours, theirs = drawing(engine="xla", device=DEVICE), drawing(engine="numpy")
    for _ in range(2):
        for one, other in zip(ours(), theirs(), strict=True):
            assert one.dtype == other.dtype and np.asarray(one).tobytes() == other.tobytes()


def refused(**options):
    with pytest.raises(ValueError) as caught:
        rt.function(lambda x, y: x + y, **options)(np.ones(2), np.ones(2))
    return str(caught.value)


def test_placements_that_contradict_themselves_are_refused():
    mesh = Mesh(np.array([DEVICE]), ("data",))
    rows = PartitionSpec("data")
    assert "Add engine='xla'." in refused(device=DEVICE)
    assert "engine 'native'" in refused(device=DEVICE, engine="native")
    assert "Leave out device=" in refused(device=DEVICE, mesh=mesh, engine="xla")
    assert "Add in_shardings=" in refused(mesh=mesh, engine="xla")
    assert "there is no mesh=" in refused(in_shardings=rows, engine="xla")
    text = refused(in_shardings=(rows,), mesh=mesh, engine="xla")
    assert "has (P('data',),) in place of (*, *)" in text and "test_placement.py" in text
    whole = NamedSharding(mesh, PartitionSpec())
    found = rt.function(lambda x: {"y": x}, engine="xla", out_shardings={"y": whole})(np.ones(2))
    assert found["y"].sharding == whole


def test_programs_that_a_device_cannot_run_are_refused_with_their_line():
    def positive(x):
        return x[x > 0]

    def written(x):
        x[0] = 0
        return x

    for fn, why in ((positive, "selected elements"), (written, "writes into")):
        with pytest.raises(rt.errors.ExportError) as caught:
            on_device(fn)(np.ones(3))
        assert re.search(why, str(caught.value))


def test_jax_records_another_form():
    double = on_device(lambda x: 2 * x)
    with pytest.raises(TypeError, match=r"Call rt\.to_jax"):
        jax.jit(double)(np.ones(2, np.float32))
    assert jax.jit(rt.to_jax(double))(np.float32(2)) == 4


def test_another_function_records_its_operations():
    double = on_device(lambda x: 2 * x)
    found = rt.function(lambda x: double(x) + 1)(np.ones(2))
    assert type(found) is np.ndarray and found.tolist() == [3, 3]
    assert rt.grad(lambda x: np.sum(double(x)))(np.ones(2)).tolist() == [2, 2]


def test_to_jax_keeps_the_64_bits_of_numpy():
    x = np.array([0.1])
    found = rt.to_jax(lambda x: x * 3)(x)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, x * 3)
