"""Training in graphs, beside NumPy with handwritten gradients; models in graphs or not."""

import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import runtime as rt
from benchmarks.timing import benchmark, compare, shown, timed

ROOT = Path(__file__).parent.parent.parent
RATE = 0.05


class Classifier:
    """784 pixels, 64 hidden units, 10 digits."""

    def __init__(self):
        rng = rt.random.Generator(0)
        self.hidden = rt.nn.Dense(64, rt.nn.relu, inputs=784, generator=rng)
        self.last = rt.nn.Dense(10, inputs=64, generator=rng)

    def __call__(self, images):
        return self.last(self.hidden(images))


@rt.function
def trained(model, optimizer, images, labels, chosen):
    """All steps of stochastic gradient descent; the last loss."""
    loss = 0.0
    for places in chosen:
        with rt.GradientTape() as tape:
            loss = rt.nn.cross_entropy(model(images[places]), labels[places])
        parameters = rt.nn.parameters(model)
        optimizer.apply(tape.gradient(loss, parameters), parameters)
    return loss


def trained_by_hand(parameters, images, labels, chosen):
    """The same in NumPy."""
    for places in chosen:
        loss, gradients = gradients_by_hand(parameters, images[places], labels[places])
        parameters = [p - RATE * g for p, g in zip(parameters, gradients, strict=True)]
    return loss


def trained_in_place(parameters, images, labels, chosen):
    """The same in NumPy, in the memory of the parameters."""
    for places in chosen:
        loss, gradients = gradients_by_hand(parameters, images[places], labels[places])
        for p, g in zip(parameters, gradients, strict=True):
            p -= RATE * g
    return loss


def gradients_by_hand(parameters, x, y):
    """The loss and its gradient."""
    w1, b1, w2, b2 = parameters
    count = len(y)
    rows = np.arange(count)
    before = x @ w1 + b1
    hidden = np.maximum(before, 0)
    logits = hidden @ w2 + b2
    shifted = logits - logits.max(axis=1, keepdims=True)
    exponentials = np.exp(shifted)
    sums = exponentials.sum(axis=1, keepdims=True)
    loss = -np.mean((shifted - np.log(sums))[rows, y])
    d_logits = exponentials / sums
    d_logits[rows, y] -= 1
    d_logits /= count
    d_before = (d_logits @ w2.T) * (before > 0)
    return loss, [x.T @ d_before, d_before.sum(axis=0), hidden.T @ d_logits, d_logits.sum(axis=0)]


@benchmark("sgd")
def sgd(rounds):
    """1,000 steps of a classifier."""
    data = np.random.default_rng(0)
    images, labels = data.uniform(size=(5000, 784)), data.integers(10, size=5000)
    model = Classifier()
    optimizer = rt.optimizers.SGD(RATE, variables=rt.nn.parameters(model))
    start = [variable.value for variable in rt.nn.parameters(model)]
    for batch in (32, 128):
        chosen = data.integers(5000, size=(1000, batch))

        def in_one_call(chosen=chosen):
            for variable, array in zip(rt.nn.parameters(model), start, strict=True):
                variable.assign(array)
            return trained(model, optimizer, images, labels, chosen)

        def by_hand(chosen=chosen):
            return trained_by_hand(start, images, labels, chosen)

        def in_place(chosen=chosen):
            return trained_in_place([array.copy() for array in start], images, labels, chosen)

        losses = [run() for run in (by_hand, in_place, in_one_call)]
        np.testing.assert_allclose(losses, losses[0], rtol=1e-9)
        contestants = {
            "NumPy, handwritten gradients": lambda run=by_hand: run() is None,
            "... that writes into the parameters": lambda run=in_place: run() is None,
            "one call": lambda run=in_one_call: run() is None,
        }
        compare(f"1,000 steps of SGD, {batch} images of 28 x 28", contestants, min(rounds, 7))


@benchmark("lstm")
def lstm(rounds):
    """The whole sample as a process, start and recording included."""
    program = ROOT / "samples" / "character_lstm.py"
    command = [sys.executable, str(program), "1.6"]
    done, seconds = timed(lambda: subprocess.run(command, capture_output=True, text=True))
    reached = [line for line in done.stdout.splitlines() if line.startswith("epoch")][-1]
    print(f"\nan LSTM of 128 units on the sonnets: {shown(seconds)}, {reached}")


class Reader:
    """An LSTM of 64 units that predicts the next letter."""

    def __init__(self):
        self.cell = rt.nn.LSTMCell(64, inputs=32)
        self.guess = rt.nn.Dense(30, inputs=64)


def loss_of_a_step(x, state, label, model):
    """The loss of one step."""
    output, state = model.cell(x, state)
    return rt.nn.cross_entropy(model.guess(output), label)


@benchmark("lstm-step")
def lstm_step(rounds):
    """One step, recorded with its gradient."""
    x, label = np.ones((8, 32)), np.zeros(8, np.int64)
    state = [np.ones((8, 64)), np.ones((8, 64))]
    for name in ("the loss of a step", "its gradient, too"):
        taken = []
        for _ in range(min(rounds, 15)):
            model = Reader()
            fn = rt.function(made(name))
            _, seconds = timed(
                lambda fn=fn, model=model: fn.get_concrete_function(x, state, label, model)
            )
            taken.append(seconds)
        first, *others = taken
        median = shown(statistics.median(others))
        print(f"\n{name}, until it can run: {median} (the first one: {shown(first)})")


def made(name) -> Callable:
    """A function that has not been traced yet."""
    if name == "the loss of a step":

        def step(x, state, label, model):
            return loss_of_a_step(x, state, label, model)

    else:

        def step(x, state, label, model):
            with rt.GradientTape() as tape:
                loss = loss_of_a_step(x, state, label, model)
            return loss, tape.gradient(loss, rt.nn.parameters(model))

    return step


class Layers:
    """Three layers of a number of units each."""

    def __init__(self, *units):
        first, second, third = units
        self.layers = [
            rt.nn.Dense(first, rt.nn.relu),
            rt.nn.Dense(second, rt.nn.relu),
            rt.nn.Dense(third, rt.nn.softmax),
        ]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@benchmark("models")
def models(rounds):
    """A shallow model, a deep one, and a cell."""
    x = np.random.default_rng(0).uniform(size=(60, 28, 28))
    for name, units, number in (
        ("three layers of 10, 20, 30", (10, 20, 30), 10),
        ("three layers of 1000, 2000, 3000", (1000, 2000, 3000), 1),
    ):
        model = Layers(*units)
        in_graph = rt.function(model)
        contestants = {
            "outside of graphs": lambda model=model: model(x),
            "a graph": lambda in_graph=in_graph: in_graph(x),
        }
        compare(
            f"{name}, of [60, 28, 28]", contestants, min(rounds, 25 * number // 10 or 3), number
        )
    cell, x = rt.nn.LSTMCell(10), np.random.default_rng(0).uniform(size=(10, 10))
    in_graph = rt.function(cell)
    contestants = {
        "outside of graphs": lambda: cell(x, [x, x])[0],
        "a graph": lambda: in_graph(x, [x, x])[0],
    }
    compare("LSTMCell(10) of [10, 10]", contestants, rounds, 100)
