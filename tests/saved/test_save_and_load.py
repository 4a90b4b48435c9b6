"""Functions and models that are saved run as before, without their code."""

import collections
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import runtime as rt
from runtime.errors import LoadError, SaveError, SignatureError


def again(target, signatures=None, **options):
    return rt.saved.from_bytes(rt.saved.as_bytes(target, signatures), **options)


def same(one, other):
    """Whether two results are equal in every bit, and of the same classes."""
    assert type(one) is type(other)
    if isinstance(one, (list, tuple)):
        assert len(one) == len(other)
        return all(map(same, one, other))
    if isinstance(one, dict):
        assert list(one) == list(other)
        return all(map(same, one.values(), other.values()))
    if isinstance(one, (np.ndarray, np.generic)):
        assert one.dtype == other.dtype and one.shape == other.shape
        return one.tobytes() == other.tobytes()
    return repr(one) == repr(other)


def settle(x, times=2):
    while np.sum(x) > 1.0:
        x = np.tanh(x)
    return {"x": x * times, "rest": [x, "ok", times, None, (x.sum(), -0.0)]}


def sizes(x, y):
    return x @ y, np.concatenate([x.sum(0), y])


def appended(x):
    z = []
    for i in range(x.shape[0]):
        if x[i] > 0:
            z.append(x[i])
    return z


def power(x, n):
    return x if n <= 0 else x * power(x, n - 1)


def checked(x):
    assert x != 0, "Do not pass zero!"
    return 1 / x


def containers(x):
    return collections.OrderedDict(a=x), collections.deque([x, 1], maxlen=3), {1, 2}, slice(1, None)


def writes(x):
    x[0] = 7.0
    return x


def maybe(x):
    return x if x > 0 else None


TALL = np.random.default_rng(0).normal(size=(41, 40))
CALLS = [
    (settle, (np.array([2.0, 1.0]),)),
    (settle, (np.array([2.0, 1.0]), 3)),
    (sizes, (np.ones((2, 3)), np.arange(3.0))),
    (appended, (np.array([1.0, -2.0, 3.0]),)),
    (power, (np.float64(2.0), np.int64(5))),
    (checked, (np.float32(4.0),)),
    (containers, (np.arange(3, dtype=np.int8),)),
    (maybe, (np.float64(-1.0),)),
    (maybe, (np.float64(2.0),)),
    (lambda x: np.array([1 + 2j, -0.0]) * x, (np.complex128(1j),)),
    (lambda a: [a["x"], *a["y"]], ({"x": np.ones(2), "y": (1, np.bool_(True))},)),
    (lambda *rows, k=1: sum(rows) * k, (np.ones(2), np.ones(2))),
    (lambda x: f"{x:.3f}", (np.float64(0.5),)),
]


@pytest.mark.parametrize(("function", "arguments"), CALLS)
def test_a_loaded_function_returns_the_same(function, arguments):
    staged = rt.function(function)
    expected = staged(*arguments)
    loaded = again(staged)
    assert same(loaded(*arguments), expected)
    assert same(again(loaded)(*arguments), expected)


def test_arguments_are_written_into_as_before():
    staged = rt.function(writes)
    staged(np.zeros(2))
    given = np.zeros(2)
    assert again(staged)(given) is given and given[0] == 7.0
    memory = np.zeros(3)
    both = rt.function(lambda x, y: (writes(x), y * 1)[1])
    both(np.zeros(2), np.zeros(2))
    with pytest.raises(SignatureError, match="share memory"):
        again(both)(memory[:2], memory[1:])


def test_each_signature_has_its_graph_and_no_other_is_traced():
    staged = rt.function(settle)
    signatures = [(rt.TensorSpec(("n",)), 2), (rt.TensorSpec((2, 2), np.float32), 3)]
    loaded = again(staged, signatures)
    assert same(loaded(np.ones(5), 2), staged(np.ones(5), 2))
    assert same(loaded(np.ones((2, 2), np.float32), 3), staged(np.ones((2, 2), np.float32), 3))
    with pytest.raises(SignatureError, match=r"f32\[2, 2\], 3"):
        loaded(np.ones(2), 4)
    with pytest.raises(TypeError, match="missing"):
        loaded()


def test_sizes_of_one_name_are_equal():
    loaded = again(rt.function(lambda x, y: x + y), [(rt.TensorSpec(("n",)),) * 2])
    assert same(loaded(np.ones(3), np.ones(3)), np.full(3, 2.0))
    with pytest.raises(SignatureError):
        loaded(np.ones(3), np.ones(1))


def test_errors_keep_their_class_and_message():
    staged = rt.function(checked)
    staged(np.float64(1.0))
    with pytest.raises(AssertionError, match="Do not pass zero!"):
        again(staged)(np.float64(0.0))


def test_loaded_functions_are_differentiated_mapped_and_called_by_others():
    def smooth(x):
        total = np.float64(0.0)
        for row in x:
            total = total + np.sum(np.sin(row) * row)
        return total

    staged = rt.function(smooth)
    x = np.linspace(0.0, 1.0, 6).reshape(3, 2)
    loaded = again(staged, [(rt.TensorSpec((3, 2)),)])
    assert same(rt.grad(loaded)(x), rt.grad(smooth)(x))
    assert same(rt.grad(lambda x: np.sum(rt.grad(loaded)(x)))(x),
                rt.grad(lambda x: np.sum(rt.grad(smooth)(x)))(x))  # fmt: skip
    assert same(rt.jvp(loaded, (x,), (x,)), rt.jvp(smooth, (x,), (x,)))
    rows = np.stack([x, 2 * x])
    assert same(rt.vmap(loaded)(rows), rt.vmap(smooth)(rows))
    assert same(rt.function(lambda x: loaded(x) * 2)(x), staged(x) * 2)
    resaved = again(rt.function(lambda x: loaded(x) * 2), [(rt.TensorSpec((3, 2)),)])
    assert same(resaved(x), staged(x) * 2)


class Model:
    def __init__(self):
        generator = rt.random.Generator(0)
        self.layer = rt.nn.Dense(2, np.tanh, inputs=3, generator=generator)
        self.calls = rt.Variable(np.int64(0), trainable=False)
        self.offset = np.ones(2, np.float32)
        self.random = rt.random.Generator(1)

    @rt.function
    def predict(self, x):
        self.calls.assign_add(1)
        return self.layer(x) + self.offset

    @rt.function
    def count(self):
        return self.calls.value

    @rt.function
    def noise(self, x):
        return x + self.random.normal(size=2)

    @rt.function
    def train(self, x, rate):
        with rt.GradientTape() as tape:
            loss = np.mean(self.predict(x) ** 2)
        for variable, slope in zip(
            rt.nn.parameters(self.layer),
            tape.gradient(loss, rt.nn.parameters(self.layer)),
            strict=True,
        ):
            variable.assign_sub(rate * slope)
        return loss


ROWS = rt.TensorSpec((None, 3))
SIGNATURES = {
    "predict": [(ROWS,)],
    "count": [()],
    "noise": [(rt.TensorSpec((2,)),)],
    "train": [(ROWS, rt.TensorSpec(()))],
}


@pytest.mark.parametrize("name", ["model", "model.zip"])
def test_a_model_keeps_its_variables_which_methods_share(tmp_path, name):
    model = Model()
    rt.save(tmp_path / name, model, SIGNATURES)
    loaded = rt.load(tmp_path / name)
    x, rate = np.arange(6.0).reshape(2, 3), np.float64(0.1)
    for _ in range(3):
        assert same(loaded.train(x, rate), model.train(x, rate))
        assert same(loaded.noise(x[0, :2]), model.noise(x[0, :2]))
    assert same(loaded.predict(x), model.predict(x))
    assert loaded.count() == model.count() == 4
    assert same(loaded.variables["layer.kernel"].value, model.layer.kernel.value)
    loaded.variables["calls"].assign(40)
    loaded.predict(x)
    assert loaded.count() == 41 and model.count() == 4
    rt.save(tmp_path / name, model, SIGNATURES)  # in place of the old one
    assert rt.load(tmp_path / name).count() == 4
    assert sorted(os.listdir(tmp_path)) == [name]


TABLE = np.arange(3.0)


def test_an_array_that_a_function_writes_into_is_a_state():
    def bump():
        TABLE[1] += 1
        return TABLE.sum()

    staged = rt.function(bump)
    staged()
    loaded = again(staged)
    before = TABLE.copy()
    assert loaded() == before.sum() + 1 and loaded() == before.sum() + 2
    assert same(TABLE, before)


# -- refusals --------------------------------------------------------------------------------------


class Recording:
    def __init__(self):
        self.last = np.zeros(2)

    @rt.function
    def keep(self, x):
        self.last = x
        return x


def test_what_needs_python_is_refused_with_the_line():
    seen = []

    def hosted(x):
        rt.host_call(seen.append, x)
        return x

    staged = rt.function(hosted)
    staged(np.ones(2))
    with pytest.raises(SaveError, match=r"append(?s:.*)rt\.host_call\(seen\.append, x\)"):
        rt.saved.as_bytes(staged)
    recording = Recording()
    recording.keep(np.ones(2))
    with pytest.raises(SaveError, match="it changes a Recording"):
        rt.saved.as_bytes(recording)
    with pytest.raises(SaveError, match="no graph yet"):
        rt.saved.as_bytes(rt.function(settle))
    with pytest.raises(SaveError, match="no rt.function 'predikt'"):
        rt.saved.as_bytes(Model(), {"predikt": []})


def test_a_graph_that_is_not_valid_any_more_is_refused():
    options = {"rate": 2.0}
    staged = rt.function(lambda x: x * options["rate"])
    staged(np.ones(2))
    options["rate"] = 3.0
    with pytest.raises(SaveError, match="not valid any more(?s:.*)rate"):
        rt.saved.as_bytes(staged)


def test_functions_of_packages_run_if_they_are_allowed():
    linalg = pytest.importorskip("scipy.linalg")
    staged = rt.function(lambda x: linalg.expm(x))
    x = np.eye(2) * 0.5
    expected, data = staged(x), rt.saved.as_bytes(staged)
    if "library_call" not in str(staged.get_concrete_function(x).graph):
        pytest.skip("the function is an op of this version")
    with pytest.raises(LoadError, match="allow=") as error:
        rt.saved.from_bytes(data)
    name = str(error.value).split("allow=['")[1].split("'")[0]
    assert same(rt.saved.from_bytes(data, allow=[name])(x), expected)


# -- files -----------------------------------------------------------------------------------------


def test_the_files_are_those_of_the_documentation(tmp_path):
    rt.save(tmp_path / "m", Model(), {"count": [()]}, source=True)
    assert sorted(os.listdir(tmp_path / "m")) == [
        "graph_0.txt", "manifest.json", "source.py", "weights.safetensors"
    ]  # fmt: skip
    manifest = json.loads((tmp_path / "m" / "manifest.json").read_text())
    assert manifest["version"] == 1 and set(manifest["members"]) == {
        "graph_0.txt", "source.py", "weights.safetensors"
    }  # fmt: skip
    assert "def count(self)" in (tmp_path / "m" / "source.py").read_text()


def test_a_folder_with_other_files_is_not_replaced(tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "one.jpg").write_bytes(b"1")
    with pytest.raises(FileExistsError):
        rt.save(tmp_path / "photos", Model(), {"count": [()]})
    assert (tmp_path / "photos" / "one.jpg").exists()


def test_the_weights_are_in_the_format_of_safetensors(tmp_path):
    numpy = pytest.importorskip("safetensors.numpy")
    rt.save(tmp_path / "m", Model(), SIGNATURES)
    found = numpy.load_file(tmp_path / "m" / "weights.safetensors")
    assert sorted(str(array.dtype) for array in found.values()) == [
        "float32", "float64", "float64", "int64", "uint64"
    ]  # fmt: skip


def test_another_process_needs_no_code(tmp_path):
    code = tmp_path / "code.py"
    code.write_text(
        textwrap.dedent("""
        import numpy as np
        import runtime as rt

        def collatz(n):
            steps = 0
            while n != 1:
                n = n // 2 if n % 2 == 0 else 3 * n + 1
                steps += 1
            return steps

        staged = rt.function(collatz)
        rt.save("collatz.zip", staged, [(rt.TensorSpec((), np.int64),)])
    """)
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(rt.__file__).parents[1])}
    subprocess.run([sys.executable, code], cwd=tmp_path, env=environment, check=True)
    code.unlink()
    run = (
        "import numpy as np, runtime as rt; f = rt.load('collatz.zip'); print(f(np.int64(27)));"
        "import sys; assert 'code' not in sys.modules"
    )
    found = subprocess.run(
        [sys.executable, "-c", run], cwd=tmp_path, env=environment, check=True, capture_output=True
    )
    assert found.stdout.strip() == b"111"


@pytest.mark.parametrize("table", [TALL.T, TALL[:, ::2], TALL[::-1], TALL[:, 3:4], TALL[5:]])
def test_arrays_keep_the_layout_on_which_the_bits_of_sums_depend(table):
    def products(z):
        return table @ table.T * z, (table * z).sum(0), table.sum(1), table[:, 0] @ table * z

    staged, z = rt.function(products), np.float64(1.5)
    staged(z)
    for function in (staged, again(staged), again(again(staged))):
        assert same(function(z), products(z))


def test_a_function_in_place_of_the_path_is_named(tmp_path):
    @rt.function
    def double(x):
        return 2 * x

    with pytest.raises(
        TypeError, match="rt.save is given an object of type Function as its path"
    ) as e:
        rt.save(double, tmp_path / "double.zip")
    assert 'Write rt.save("model.zip", f)' in str(e.value) and not list(tmp_path.iterdir())
