"""Layers, cells, losses and their gradients equal their formulas, in graphs and outside."""

import numpy as np
import pytest

import runtime as rt
from runtime import nn

X = np.random.default_rng(0).normal(size=(4, 3))


def logistic(x):
    return 1 / (1 + np.exp(-x))


def held(variable):
    return np.asarray(variable)


# -- functions -------------------------------------------------------------------------------------

FORMULAS = {
    nn.relu: lambda x: np.maximum(x, 0),
    nn.sigmoid: logistic,
    nn.softplus: lambda x: np.log(1 + np.exp(x)),
    nn.softmax: lambda x: np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True),
    nn.log_softmax: lambda x: np.log(np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)),
}


@pytest.mark.parametrize("function", FORMULAS, ids=lambda f: f.__name__)
def test_an_activation_equals_its_formula(function):
    np.testing.assert_allclose(function(X), FORMULAS[function](X), rtol=1e-12)
    assert np.array_equal(rt.function(function)(X), function(X))


@pytest.mark.parametrize("function", [*FORMULAS, nn.gelu], ids=lambda f: f.__name__)
def test_an_activation_keeps_float32(function):
    assert function(X.astype(np.float32)).dtype == np.float32
    assert rt.function(function)(X.astype(np.float32)).dtype == np.float32


def test_gelu_is_near_x_times_the_normal_distribution_function():
    from math import erf

    exact = [x * (1 + erf(x / np.sqrt(2))) / 2 for x in X.ravel()]
    np.testing.assert_allclose(nn.gelu(X).ravel(), exact, atol=1e-3)


@pytest.mark.parametrize("function", [nn.sigmoid, nn.softplus, nn.softmax, nn.log_softmax])
def test_an_activation_of_large_numbers_neither_overflows_nor_is_nan(function):
    with np.errstate(over="raise", invalid="raise"):
        assert np.isfinite(function(np.array([-1e4, 0.0, 1e4]))).all()


def test_the_derivative_of_relu_at_zero_is_zero():
    slope = rt.grad(lambda x: np.sum(nn.relu(x)))(np.array([-1.0, 0.0, 2.0]))
    assert slope.tolist() == [0.0, 0.0, 1.0]


def test_cross_entropy_accepts_classes_or_probabilities():
    labels = np.array([0, 2, 1, 1])
    expected = -np.mean(np.log(FORMULAS[nn.softmax](X))[np.arange(4), labels])
    for given in (labels, nn.one_hot(labels, 3)):
        assert nn.cross_entropy(X, given) == pytest.approx(expected, rel=1e-12)
        assert rt.function(nn.cross_entropy)(X, given) == nn.cross_entropy(X, given)


def test_the_gradient_of_cross_entropy_is_the_difference_of_the_probabilities():
    labels = np.array([0, 2, 1, 1])
    expected = (FORMULAS[nn.softmax](X) - np.eye(3)[labels]) / 4
    np.testing.assert_allclose(rt.grad(nn.cross_entropy)(X, labels), expected, atol=1e-15)


def test_labels_of_another_rank_are_refused():
    with pytest.raises(ValueError, match="classes have one less"):
        nn.cross_entropy(X, np.zeros((4, 3, 1)))


def test_the_other_losses_equal_their_formulas():
    y = (X > 0).astype(float)
    assert nn.mean_squared_error(X, y) == np.mean((X - y) ** 2)
    p = logistic(X)
    expected = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
    assert nn.binary_cross_entropy(X, y) == pytest.approx(expected, rel=1e-12)


# -- layers ----------------------------------------------------------------------------------------


def built(kind, *sizes, **options):
    return kind(*sizes, generator=rt.random.Generator(0), **options)


def test_a_dense_layer_equals_its_formula():
    layer = built(nn.Dense, 5, nn.relu, inputs=3)
    layer.bias.assign(np.arange(5.0))
    expected = np.maximum(X @ held(layer.kernel) + held(layer.bias), 0)
    assert np.array_equal(layer(X), expected)
    assert np.array_equal(rt.function(layer)(X), expected)


def test_parameters_start_within_the_bounds_of_glorot_and_bengio():
    kernel = held(built(nn.Dense, 50, inputs=40).kernel)
    assert np.abs(kernel).max() <= np.sqrt(6 / 90) and np.abs(kernel).max() > 0.9 * np.sqrt(6 / 90)


def test_layer_norm_equals_its_formula():
    layer = nn.LayerNorm(3)
    layer.scale.assign([1.0, 2.0, 3.0])
    layer.offset.assign([0.5, 0.0, 0.0])
    scores = (X - X.mean(-1, keepdims=True)) / np.sqrt(X.var(-1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(layer(X), scores * [1, 2, 3] + [0.5, 0, 0], rtol=1e-12)
    assert np.array_equal(rt.function(layer)(X), layer(X))


def test_an_embedding_returns_rows_of_its_table():
    layer = built(nn.Embedding, 6, 2)
    chosen = np.array([[1, 5], [0, 1]])
    assert np.array_equal(layer(chosen), held(layer.table)[chosen])
    assert np.array_equal(rt.function(layer)(chosen), held(layer.table)[chosen])


def test_an_lstm_cell_equals_its_formula():
    cell = built(nn.LSTMCell, 2, inputs=3)
    h, c = np.ones((4, 2)), np.full((4, 2), 0.5)
    gates = X @ held(cell.kernel) + h @ held(cell.recurrent) + held(cell.bias)
    let_in, forget, new, let_out = np.split(gates, 4, axis=1)
    memory = logistic(forget) * c + logistic(let_in) * np.tanh(new)
    for called in (cell, rt.function(cell)):
        output, (next_h, next_c) = called(X, [h, c])
        np.testing.assert_allclose(next_c, memory, rtol=1e-12)
        np.testing.assert_allclose(output, logistic(let_out) * np.tanh(memory), rtol=1e-12)
        assert np.array_equal(output, next_h)


def test_a_gru_cell_equals_its_formula():
    cell = built(nn.GRUCell, 2, inputs=3)
    h = np.full((4, 2), 0.5)
    w, u, b = map(held, (cell.kernel, cell.recurrent, cell.bias))
    z = logistic(X @ w[:, :2] + h @ u[:, :2] + b[:2])
    r = logistic(X @ w[:, 2:4] + h @ u[:, 2:4] + b[2:4])
    new = np.tanh(X @ w[:, 4:] + (r * h) @ u[:, 4:] + b[4:])
    for called in (cell, rt.function(cell)):
        output, state = called(X, h)
        np.testing.assert_allclose(output, z * h + (1 - z) * new, rtol=1e-12)
        assert np.array_equal(output, state)


LAYERS = {
    "dense": lambda **o: nn.Dense(5, np.tanh, inputs=3, **o),
    "lstm": lambda **o: nn.LSTMCell(2, inputs=3, **o),
    "gru": lambda **o: nn.GRUCell(2, inputs=3, **o),
    "norm": lambda dtype=float, generator=None: nn.LayerNorm(3, dtype=dtype),
}


def result_of(layer, x):
    """The output of a layer; of a cell, the output of its second step."""
    if not hasattr(layer, "zero_state"):
        return layer(x)
    output, state = layer(x, layer.zero_state(len(x)))
    return layer(output @ np.ones((2, 3), x.dtype), state)[0]


@pytest.mark.parametrize("kind", LAYERS)
def test_a_layer_of_float32_keeps_float32(kind):
    layer = LAYERS[kind](dtype=np.float32)
    assert {v.dtype for v in nn.parameters(layer)} == {np.dtype(np.float32)}
    x = X.astype(np.float32)
    assert result_of(layer, x).dtype == np.float32
    assert rt.function(result_of)(layer, x).dtype == np.float32


@pytest.mark.parametrize("kind", LAYERS)
def test_the_gradients_of_a_layer_agree_with_central_differences(kind):
    layer = LAYERS[kind](generator=rt.random.Generator(3))

    def loss():
        return np.sum(np.sin(result_of(layer, X)))

    @rt.function
    def gradients():
        with rt.GradientTape() as tape:
            value = loss()
        return tape.gradient(value, nn.parameters(layer))

    for variable, gradient in zip(nn.parameters(layer), gradients(), strict=True):
        start = held(variable)
        for place in np.ndindex(start.shape):
            around = []
            for step in (1e-6, -1e-6):
                moved = start.copy()
                moved[place] += step
                variable.assign(moved)
                around.append(loss())
            variable.assign(start)
            assert gradient[place] == pytest.approx((around[0] - around[1]) / 2e-6, abs=1e-8)


# -- training or not -------------------------------------------------------------------------------


def test_dropout_does_nothing_except_in_training():
    layer = nn.Dropout(0.5, rt.random.Generator(0))
    assert layer(X) is X
    assert np.array_equal(rt.function(layer)(X), X)


def test_dropout_drops_some_elements_and_preserves_the_mean():
    layer = nn.Dropout(0.25, rt.random.Generator(0))
    ones = np.ones(100_000)
    for called in (layer, rt.function(layer)):
        found = called(ones, True)
        assert set(np.unique(found)) == {0.0, 1 / 0.75}
        assert np.mean(found == 0) == pytest.approx(0.25, abs=0.01)


def test_the_training_flag_may_be_staged():
    layer = nn.Dropout(0.5, rt.random.Generator(0))
    called = rt.function(layer)
    assert np.array_equal(called(X, np.bool_(False)), X)
    assert np.sum(called(X, np.bool_(True)) == 0) > 0
    graphs = [called.get_concrete_function(X, np.bool_(flag)) for flag in (False, True)]
    assert graphs[0] is graphs[1]


def test_a_graph_drops_the_same_elements_as_python():
    drawn = [
        called(X, True)
        for make in (lambda f: f, rt.function)
        for called in [make(nn.Dropout(0.5, rt.random.Generator(7)))]
    ]
    assert np.array_equal(*drawn)


def test_a_dropout_rate_of_one_is_refused():
    with pytest.raises(ValueError, match="below 1, not 1"):
        nn.Dropout(1)


# -- models ----------------------------------------------------------------------------------------


class Model:
    def __init__(self, *units):
        self.layers = [nn.Dense(n, nn.relu) for n in units[:-1]]
        self.ends = {"last": nn.Dense(units[-1], nn.softmax)}
        self.dropout = nn.Dropout(0.5)

    def __call__(self, x, training=False):
        for layer in self.layers:
            x = layer(x)
        if training:
            x = self.dropout(x)
        return self.ends["last"](x)


def test_layers_create_their_parameters_in_the_first_call_of_a_graph():
    model = Model(10, 20, 30)
    found = rt.function(model)(np.ones((60, 28, 28)))
    assert found.shape == (60, 28, 30)
    shapes = [v.shape for v in nn.parameters(model)]
    assert shapes == [(28, 10), (10,), (10, 20), (20,), (20, 30), (30,)]
    np.testing.assert_array_equal(found, model(np.ones((60, 28, 28))))


def test_a_deep_model_has_the_right_shape_and_a_training_flag():
    model = rt.function(Model(1000, 2000, 3000))
    x = np.ones((6, 28, 28))
    assert model(x).shape == (6, 28, 3000)
    assert model(x, training=True).shape == (6, 28, 3000)


def test_a_cell_accepts_its_input_as_its_state_if_sizes_agree():
    x = rt.random.Generator(0).uniform(size=(10, 10))
    cell = nn.LSTMCell(10)
    output, state = rt.function(cell)(x, [x, x])
    assert output.shape == (10, 10) and [s.shape for s in state] == [(10, 10)] * 2


def test_parameters_are_found_in_attributes_lists_and_dicts_each_once():
    model = Model(4, 5, 6)
    model(np.ones((2, 3)))
    model.again = model.layers
    model.counter = rt.Variable(0, trainable=False)
    assert len(nn.parameters(model)) == 6
    assert len(nn.variables(model)) == 7
    assert nn.parameters(model)[0] is model.layers[0].kernel


def test_a_model_that_refers_to_itself_has_its_parameters_once():
    model = Model(4, 5)
    model(np.ones((2, 3)))
    model.own = model
    assert len(nn.parameters([model, (model,)])) == 4


def test_the_repr_of_a_layer_names_its_sizes():
    assert [repr(x) for x in (nn.Dense(3), nn.Dropout(0.5), nn.LSTMCell(2), nn.LayerNorm())] == [
        "Dense(3)",
        "Dropout(0.5)",
        "LSTMCell(2)",
        "LayerNorm()",
    ]


def test_the_second_derivatives_of_cross_entropy_agree_with_central_differences():
    labels = np.array([0, 2, 1, 1])
    slope, found = rt.grad(nn.cross_entropy), rt.hessian(nn.cross_entropy)(X, labels)
    for place in np.ndindex(X.shape):
        step = np.zeros_like(X)
        step[place] = 1e-6
        expected = (slope(X + step, labels) - slope(X - step, labels)) / 2e-6
        np.testing.assert_allclose(found[(..., *place)], expected, atol=1e-9)


@pytest.mark.parametrize("loss", [nn.mean_squared_error, nn.binary_cross_entropy])
def test_predictions_in_a_column_are_not_compared_with_all_targets(loss):
    with pytest.raises(ValueError, match="predictions have 2 dimensions"):
        loss(np.ones((4, 1)), np.ones(4))
    assert loss(np.ones(4), 1.0) == loss(np.ones(4), np.ones(4))
