"""Optimizers follow their formulas, with variables and without, in graphs and outside."""

import numpy as np
import pytest

import runtime as rt
from runtime.optimizers import SGD, Adam, clip_by_global_norm

START = np.array([1.0, -2.0, 3.0])
GRADIENTS = np.random.default_rng(0).normal(size=(5, 3))


def descent(w, gradients, rate=0.1, momentum=0.0, nesterov=False):
    v = np.zeros_like(w)
    for g in gradients:
        v = momentum * v + g
        w = w - rate * (g + momentum * v if nesterov else v)
    return w


def adam(w, gradients, rate=0.1, b1=0.9, b2=0.999, epsilon=1e-8):
    m, s = np.zeros_like(w), np.zeros_like(w)
    for t, g in enumerate(gradients, 1):
        m = b1 * m + (1 - b1) * g
        s = b2 * s + (1 - b2) * g**2
        w = w - rate * (m / (1 - b1**t)) / (np.sqrt(s / (1 - b2**t)) + epsilon / np.sqrt(1 - b2**t))
    return w


CASES = {
    "sgd": (lambda **o: SGD(0.1, **o), descent),
    "momentum": (lambda **o: SGD(0.1, 0.9, **o), lambda w, g: descent(w, g, momentum=0.9)),
    "nesterov": (
        lambda **o: SGD(0.1, 0.9, nesterov=True, **o),
        lambda w, g: descent(w, g, momentum=0.9, nesterov=True),
    ),
    "adam": (lambda **o: Adam(0.1, **o), adam),
}


@pytest.fixture(params=CASES)
def case(request):
    return CASES[request.param]


def test_eager_steps_follow_the_formula(case):
    make, formula = case
    w, optimizer = rt.Variable(START), make()
    for gradient in GRADIENTS:
        optimizer.apply([gradient], [w])
    np.testing.assert_allclose(w.value, formula(START, GRADIENTS), rtol=1e-12)


def test_steps_in_calls_of_a_graph_follow_the_formula(case):
    make, formula = case
    w, optimizer = rt.Variable(START), make()

    @rt.function
    def step(gradient):
        optimizer.apply([gradient], [w])

    for gradient in GRADIENTS:
        step(gradient)
    np.testing.assert_allclose(w.value, formula(START, GRADIENTS), rtol=1e-12)


def test_steps_in_a_staged_loop_follow_the_formula(case):
    make, formula = case
    w = rt.Variable(START)
    optimizer = make(variables=[w])

    @rt.function
    def steps(gradients):
        for gradient in gradients:
            optimizer.apply([gradient], [w])

    steps(GRADIENTS[:3])
    steps(GRADIENTS[3:])
    np.testing.assert_allclose(w.value, formula(START, GRADIENTS), rtol=1e-12)


def test_steps_without_variables_follow_the_formula(case):
    make, formula = case
    optimizer = make()

    def steps(parameters, gradients):
        state = optimizer.init(parameters)
        for g in gradients:
            parameters, state = optimizer.update({"w": [g], "b": 2 * g[0]}, state, parameters)
        return parameters

    start = {"w": [START], "b": np.float64(0.5)}
    for called in (steps, rt.function(steps)):
        found = called(start, GRADIENTS)
        np.testing.assert_allclose(found["w"][0], formula(START, GRADIENTS), rtol=1e-12)
        expected = formula(np.float64(0.5), 2 * GRADIENTS[:, 0])
        np.testing.assert_allclose(found["b"], expected, rtol=1e-12)


def test_float32_stays_float32(case):
    make, _ = case
    start, gradients = START.astype(np.float32), GRADIENTS.astype(np.float32)
    w = rt.Variable(start)
    optimizer = make(variables=[w])
    rt.function(lambda g: optimizer.apply([g], [w]))(gradients[0])
    optimizer = make()
    found, (_, kept) = optimizer.update([gradients[0]], optimizer.init([start]), [start])
    assert found[0].dtype == np.float32
    assert {array.dtype for slots in kept for array in slots} <= {np.dtype(np.float32)}
    assert np.array_equal(found[0], w.value)


def test_a_learning_rate_may_be_a_variable_that_changes():
    w, rate = rt.Variable([1.0]), rt.Variable(0.5)
    optimizer = SGD(rate)
    step = rt.function(lambda: optimizer.apply([np.array([1.0])], [w]))
    step()
    rate.assign(0.25)
    step()
    assert w.value.tolist() == [0.25]


def test_a_variable_without_a_gradient_is_unchanged():
    w, b = rt.Variable([1.0]), rt.Variable([2.0])
    Adam(0.1).apply([None, np.array([1.0])], [w, b])
    assert w.value.tolist() == [1.0] and b.value[0] < 2.0


def test_variables_other_than_those_of_the_first_step_are_refused():
    w, b = rt.Variable([1.0]), rt.Variable([2.0])
    optimizer = SGD(0.1, variables=[w])
    with pytest.raises(ValueError, match=r"SGD\(0.1\) is applied to other variables than before"):
        optimizer.apply([np.ones(1), np.ones(1)], [w, b])


def test_variables_of_another_shape_or_order_are_refused():
    w, b = rt.Variable([1.0]), rt.Variable([2.0, 3.0])
    optimizer = Adam(0.1, variables=[w, b])
    with pytest.raises(ValueError, match="is applied to other variables than before"):
        optimizer.apply([np.ones(2), np.ones(1)], [b, w])


def test_gradients_are_scaled_down_to_a_norm():
    gradients = [np.array([3.0]), np.array([[0.0, 4.0]])]
    for limit, factor in ((1.0, 0.2), (10.0, 1.0)):
        for called in (clip_by_global_norm, rt.function(clip_by_global_norm)):
            found = called(gradients, limit)
            assert [x.tolist() for x in found] == [[3 * factor], [[0, 4 * factor]]]


def test_gradients_that_are_none_do_not_count_in_the_norm():
    found = clip_by_global_norm([None, np.array([3.0, 4.0])], 1.0)
    assert found[0] is None and found[1].tolist() == pytest.approx([0.6, 0.8])


def test_scaled_gradients_of_float32_stay_float32():
    for limit in (1.0, np.float32(1)):
        assert clip_by_global_norm([np.ones(9, np.float32)], limit)[0].dtype == np.float32


def test_gradients_that_do_not_match_the_variables_are_refused():
    variable = rt.Variable(np.zeros(2))
    optimizer = SGD(0.1, variables=[variable])
    with pytest.raises(ValueError, match="0 gradients are applied to 1 variable\n"):
        optimizer.apply([], [variable])
    with pytest.raises(ValueError, match="a gradient of shape \\(\\)"):
        optimizer.apply([np.float64(1)], [variable])


def test_the_error_about_a_loss_that_depends_on_no_variable_explains_it():
    w = rt.Variable(np.ones(2))
    with rt.GradientTape() as tape:
        x = tape.watch(np.ones(2))
        y = x * 2
    with pytest.raises(ValueError, match="Compute the loss in it"):
        rt.optimizers.SGD(0.1).apply([tape.gradient(y, w)], [w])
