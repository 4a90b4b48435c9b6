"""A whole training loop is one call, and has the same effects as the loop in Python."""

import numpy as np
import pytest

import autograph
import runtime as rt

RNG = np.random.default_rng(0)
IMAGES = RNG.normal(size=(40, 6))
LABELS = RNG.integers(3, size=40)


class Model:
    """Two layers, of which the second is in a list."""

    def __init__(self):
        rng = rt.random.Generator(1)
        self.hidden = rt.nn.Dense(5, np.tanh, inputs=6, generator=rng)
        self.others = [rt.nn.Dense(3, inputs=5, generator=rng)]

    def __call__(self, x):
        return self.others[0](self.hidden(x))


def arrays_of(model):
    return [v.value for v in rt.nn.parameters(model)]


def by_hand(parameters, chosen, rate):
    """Stochastic gradient descent in NumPy, with gradients written by hand."""
    w1, b1, w2, b2 = parameters
    losses = []
    for places in chosen:
        x, y = IMAGES[places], LABELS[places]
        h = np.tanh(x @ w1 + b1)
        logits = h @ w2 + b2
        shifted = logits - logits.max(axis=1, keepdims=True)
        p = np.exp(shifted) / np.exp(shifted).sum(axis=1, keepdims=True)
        losses.append(-np.mean(np.log(p[np.arange(len(y)), y])))
        d = (p - np.eye(3)[y]) / len(y)
        d_h = (d @ w2.T) * (1 - h * h)
        w2, b2 = w2 - rate * (h.T @ d), b2 - rate * d.sum(axis=0)
        w1, b1 = w1 - rate * (x.T @ d_h), b1 - rate * d_h.sum(axis=0)
    return losses, [w1, b1, w2, b2]


def train(model, optimizer, chosen):
    """Runs all steps; returns the loss of each."""
    losses = []
    autograph.set_element_type(losses, np.float64)
    for places in chosen:
        with rt.GradientTape() as tape:
            loss = rt.nn.cross_entropy(model(IMAGES[places]), LABELS[places])
        parameters = rt.nn.parameters(model)
        optimizer.apply(tape.gradient(loss, parameters), parameters)
        losses.append(loss)
    return autograph.stack(losses)


CHOSEN = RNG.integers(40, size=(25, 8))


def test_one_call_trains_the_same_parameters_as_hand_written_gradients():
    model = Model()
    losses, expected = by_hand(arrays_of(model), CHOSEN, 0.5)
    optimizer = rt.optimizers.SGD(0.5, variables=rt.nn.parameters(model))
    found = rt.function(train)(model, optimizer, CHOSEN)
    np.testing.assert_allclose(found, losses, rtol=1e-11)
    for array, by_hand_array in zip(arrays_of(model), expected, strict=True):
        np.testing.assert_allclose(array, by_hand_array, rtol=1e-11)
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("make", [rt.optimizers.SGD, rt.optimizers.Adam])
def test_one_call_trains_like_the_same_function_in_python(make):
    losses, arrays = [], []
    for run in (rt.function(train), train):
        model = Model()
        optimizer = make(0.1, variables=rt.nn.parameters(model))
        losses.append(run(model, optimizer, CHOSEN))
        arrays.append(arrays_of(model))
    np.testing.assert_allclose(*losses, rtol=1e-11)
    for one, other in zip(*arrays, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11)


def test_training_continues_where_another_call_stopped():
    model, other = Model(), Model()
    once = rt.optimizers.Adam(0.1, variables=rt.nn.parameters(model))
    rt.function(train)(model, once, CHOSEN)
    twice = rt.optimizers.Adam(0.1, variables=rt.nn.parameters(other))
    step = rt.function(train)
    step(other, twice, CHOSEN[:10])
    step(other, twice, CHOSEN[10:])
    assert once.steps.value == twice.steps.value == 25
    for one, two in zip(arrays_of(model), arrays_of(other), strict=True):
        np.testing.assert_array_equal(one, two)


def descend(x, y, steps, goal):
    w = np.zeros(x.shape[1])
    done = 0
    for step in range(steps):
        loss, slope = rt.value_and_grad(lambda w: np.mean(np.square(x @ w - y)))(w)
        if loss < goal:
            break
        if step % 3 == 0:
            print("step", step, f"{loss:.3f}")
        w = w - 0.1 * slope
        done = step + 1
    return w, done


def test_training_stops_early_and_prints_as_in_python(capsys):
    x = RNG.normal(size=(30, 2))
    y = x @ np.array([1.0, -2.0])

    def expected(steps, goal):
        w = np.zeros(2)
        for step in range(steps):
            error = x @ w - y
            loss = np.mean(error * error)
            if loss < goal:
                break
            if step % 3 == 0:
                print("step", step, f"{loss:.3f}")
            w = w - 0.1 * (2 / 30) * (x.T @ error)
            done = step + 1
        return w, done

    for goal in (0.05, 0.0):
        w, done = expected(40, goal)
        printed = capsys.readouterr().out
        found, steps = rt.function(descend)(x, y, np.int64(40), goal)
        assert capsys.readouterr().out == printed
        assert steps == done
        np.testing.assert_allclose(found, w, rtol=1e-10)
    assert done == 40


def test_a_metric_is_printed_before_the_next_step(capsys):
    w = rt.Variable(1.0)

    @rt.function
    def steps(n):
        for step in range(n):
            with rt.GradientTape() as tape:
                loss = w * w
            print("loss", loss)
            w.assign_sub(0.25 * tape.gradient(loss, w))
            print("w", w.value)

    steps(np.int64(2))
    assert capsys.readouterr().out == "loss 1.0\nw 0.5\nloss 0.25\nw 0.25\n"


def test_counts_in_variables_are_kept_after_an_early_return():
    w, count = rt.Variable(8.0), rt.Variable(np.int64(0), trainable=False)

    @rt.function
    def halve(limit):
        while True:
            if w < limit:
                return w.value
            w.assign(w / 2)
            count.assign_add(1)

    assert halve(1.5) == 1.0
    assert (w.value, count.value) == (1.0, 3)


def test_optimizer_state_without_variables_is_carried_through_the_loop():
    optimizer = rt.optimizers.Adam(0.1)

    def loss(parameters):
        return np.sum(np.square(parameters["w"] - 1)) + parameters["b"] ** 2

    def trained(parameters, steps):
        state = optimizer.init(parameters)
        for _ in range(steps):
            parameters, state = optimizer.update(rt.grad(loss)(parameters), state, parameters)
        return parameters, state[0]

    start = {"w": np.zeros(3), "b": np.float64(2)}
    found, count = rt.function(trained)(start, np.int64(30))
    expected, steps = trained(start, 30)
    assert count == steps == 30
    for name in start:
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-12)
    assert loss(found) < loss(start)


def test_the_gradient_of_a_loss_after_inner_steps_equals_that_of_unrolled_steps():
    def inner(w, x, y, steps):
        for _ in range(steps):
            w = w - 0.1 * rt.grad(lambda w: np.mean(np.square(np.tanh(x @ w) - y)))(w)
        return w

    def outer(w, x, y, steps):
        return np.mean(np.square(np.tanh(x @ inner(w, x, y, steps)) - y))

    x, y, w = RNG.normal(size=(5, 2)), RNG.normal(size=5), RNG.normal(size=2)
    looped = rt.grad(outer)(w, x, y, np.int64(4))
    np.testing.assert_allclose(looped, rt.grad(outer)(w, x, y, 4), rtol=1e-11)
    for place in range(2):
        step = 1e-6 * np.eye(2)[place]
        ends = [rt.function(outer)(w + sign * step, x, y, np.int64(4)) for sign in (1, -1)]
        assert looped[place] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6)


@pytest.mark.slow
def test_a_recurrent_network_is_trained_in_one_call():
    text = np.array([0, 1, 2, 1] * 12)

    class Reader:
        def __init__(self):
            rng = rt.random.Generator(0)
            self.cell = rt.nn.LSTMCell(6, inputs=3, generator=rng)
            self.guess = rt.nn.Dense(3, inputs=6, generator=rng)

    def train(model, optimizer, letters, epochs):
        total = 0.0
        for _ in range(epochs):
            with rt.GradientTape() as tape:
                state = model.cell.zero_state(1)
                total = 0.0
                for letter, following in zip(letters[:-1], letters[1:], strict=True):
                    output, state = model.cell(rt.nn.one_hot(letter.reshape(1), 3), state)
                    total += rt.nn.cross_entropy(model.guess(output), following.reshape(1))
            parameters = rt.nn.parameters(model)
            gradients = tape.gradient(total, parameters)
            optimizer.apply(rt.optimizers.clip_by_global_norm(gradients, 1.0), parameters)
        return total / (len(letters) - 1)

    found = []
    for run, epochs in ((rt.function(train), np.int64(5)), (train, 5)):
        model = Reader()
        optimizer = rt.optimizers.Adam(0.05, variables=rt.nn.parameters(model))
        found.append((run(model, optimizer, text, epochs), arrays_of(model)))
    np.testing.assert_allclose(found[0][0], found[1][0], rtol=1e-9)
    for one, other in zip(found[0][1], found[1][1], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-7)
    assert found[0][0] < np.log(3)


def test_the_error_about_a_variable_created_in_an_iteration_names_the_line():
    model = rt.nn.Dense(2)

    @rt.function
    def steps(x, n):
        total = 0.0
        for _ in range(n):
            total += np.sum(model(x))
        return total

    with pytest.raises(rt.StagingError, match="created in a staged"):
        steps(np.ones((2, 3)), np.int64(2))
