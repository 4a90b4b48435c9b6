"""A loaded function or model goes where the original goes: it is saved again, exported, compiled, and
a part of other models."""

import ctypes

import numpy as np
import pytest

import runtime as rt
from runtime.errors import SaveError, SignatureError

ROW = rt.TensorSpec((3,))
X = np.array([1.0, -2.0, 0.5])


def again(target, signatures=None):
    return rt.saved.from_bytes(rt.saved.as_bytes(target, signatures))


def new_model():
    """An object of a class of its own: each class has its graphs."""

    class Model:
        def __init__(self):
            self.w = rt.Variable(np.ones(3))
            self.offset = np.arange(3.0)

        @rt.function
        def predict(self, x):
            return x * self.w + self.offset

        @rt.function
        def step(self, x):
            self.w.assign(self.w + x)
            self.offset[0] += 1.0
            return self.w * 1.0

    return Model()


@pytest.fixture
def pair():
    model = new_model()
    return model, again(model, {"predict": [(ROW,)], "step": [(ROW,)]})


def test_a_model_is_saved_with_the_states_of_now(pair, tmp_path):
    model, loaded = pair
    for one in pair:
        one.step(X)
    rt.save(tmp_path / "model", loaded)
    later = rt.load(tmp_path / "model")
    for one in (model, later):
        one.step(2 * X)
    assert np.array_equal(later.predict(X), model.predict(X))
    assert np.array_equal(loaded.predict(X), (X + 1.0) * X + [1.0, 1.0, 2.0])  # is not changed
    assert list(later.variables) == ["w"]
    assert np.array_equal(later.variables["w"].value, model.w.value)


def test_equal_states_make_equal_files(pair):
    _, loaded = pair
    assert rt.saved.as_bytes(again(loaded)) == rt.saved.as_bytes(loaded)


def test_one_method_is_saved_without_the_graphs_of_the_others(pair):
    model, loaded = pair
    loaded.step(X)
    model.step(X)
    predict = again(loaded.predict)
    assert np.array_equal(predict(X), model.predict(X))
    assert repr(predict) == "<loaded function predict(f64[3])>"
    assert len(rt.saved.as_bytes(loaded.predict)) < len(rt.saved.as_bytes(loaded))


def test_other_signatures_are_refused(pair):
    _, loaded = pair
    with pytest.raises(SaveError, match="Model cannot be saved with other signatures"):
        again(loaded, {"predict": [(rt.TensorSpec((None,)),)]})
    with pytest.raises(SaveError, match="predict cannot be saved with other signatures"):
        again(loaded.predict, [(rt.TensorSpec((None,)),)])


def test_a_part_of_another_model_keeps_its_names(pair):
    model, loaded = pair

    class Whole:
        def __init__(self, part):
            self.part = part

        @rt.function
        def predict(self, x):
            self.part.step(x)
            return 2.0 * self.part.predict(x)

    saved = again(Whole(loaded), {"predict": [(ROW,)]})
    whole = Whole(model)
    for _ in range(2):
        assert np.array_equal(saved.predict(X), whole.predict(X))
    assert set(saved.variables) == {"part.w", "part.self.offset"}
    assert np.array_equal(saved.variables["part.w"].value, model.w.value)


def test_a_checkpoint_of_the_original_restores_a_loaded_model(pair, tmp_path):
    model, loaded = pair
    model.step(X)
    rt.Checkpoint(model=model).save(tmp_path, step=1)
    rt.Checkpoint(model=loaded).restore(tmp_path)
    assert np.array_equal(loaded.variables["w"].value, model.w.value)


def test_a_loaded_function_has_a_graph_for_tools(pair):
    _, loaded = pair
    concrete = loaded.predict.get_concrete_function()
    assert np.array_equal(concrete(X), loaded.predict(X))
    given = loaded.predict.get_concrete_function(ROW)
    assert np.array_equal(given(X), loaded.predict(X))
    with pytest.raises(SignatureError, match="was saved for other arguments"):
        loaded.predict.get_concrete_function(rt.TensorSpec((4,)))


def test_numbers_of_python_are_arguments_of_the_graph():
    def scaled(x, times, name="ok"):
        return x * times if name == "ok" else x

    staged = rt.function(scaled)
    expected = staged(X, 3)
    concrete = again(staged).get_concrete_function()
    assert np.array_equal(concrete(X, 3), expected)


def test_several_graphs_need_arguments():
    staged = rt.function(lambda x: x + 1)
    staged(X), staged(X.astype(np.float32))
    loaded = again(staged)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        loaded.get_concrete_function()
    single = rt.TensorSpec((3,), np.float32)
    assert loaded.get_concrete_function(single)(np.float32(X)).dtype == np.float32


def test_a_loaded_function_becomes_a_library(pair, tmp_path):
    pytest.importorskip("llvmlite")
    _, loaded = pair
    library = rt.compile_library(loaded.predict, tmp_path / "predict")
    if library.shared is None:
        pytest.skip("there is no C compiler")
    compiled = ctypes.CDLL(str(library.shared))
    assert compiled.predict


def test_a_loaded_function_becomes_a_model_of_onnx(pair, tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    _, loaded = pair
    rt.export_onnx(loaded.predict, tmp_path / "predict.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "predict.onnx")
    (result,) = session.run(None, {"x": X})
    assert np.array_equal(result, loaded.predict(X))


def test_a_gradient_of_a_loaded_function_is_saved(pair):
    _, loaded = pair
    slope = rt.grad(lambda x: np.sum(loaded.predict(x) ** 2))
    expected = slope(X)
    assert np.array_equal(again(slope)(X), expected)
