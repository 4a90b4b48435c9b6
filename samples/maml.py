"""Learning to learn (Finn et al., 2017, "MAML"): a network is trained so that a few gradient steps
on ten points of a sine wave fit that wave.  The gradient of the outer loss goes through the
gradients of the inner steps, which a staged loop makes."""

import numpy as np

import runtime as rt


def network(weights, x):
    (w1, b1), (w2, b2), (w3, b3) = weights
    hidden = np.tanh(x @ w1 + b1)
    hidden = np.tanh(hidden @ w2 + b2)
    return hidden @ w3 + b3


def loss(weights, x, y):
    return np.mean(np.square(network(weights, x) - y))


def stepped(weights, gradients, rate):
    return [
        (w - rate * dw, b - rate * db) for (w, b), (dw, db) in zip(weights, gradients, strict=True)
    ]


def adapted(weights, x, y, steps):
    for _ in range(steps):
        weights = stepped(weights, rt.grad(loss)(weights, x, y), 0.05)
    return weights


def loss_after_adapting(weights, task, inner_steps):
    x, y, new_x, new_y = task
    return loss(adapted(weights, x, y, inner_steps), new_x, new_y)


@rt.function
def train(weights, tasks, inner_steps, rate=0.02):
    total = 0.0
    for i, task in enumerate(zip(*tasks, strict=True)):
        value, gradients = rt.value_and_grad(loss_after_adapting)(weights, task, inner_steps)
        weights = stepped(weights, gradients, rate)
        total += value
        if (i + 1) % 500 == 0:
            print("task", i + 1, "mean loss after adapting:", f"{total / 500:.3f}")
            total = 0.0
    return weights


def sine_waves(generator, count, points=10):
    amplitude = generator.uniform(0.5, 2.0, (count, 1, 1))
    phase = generator.uniform(0, np.pi, (count, 1, 1))
    x, new_x = generator.uniform(-3, 3, (2, count, points, 1))
    return x, amplitude * np.sin(x + phase), new_x, amplitude * np.sin(new_x + phase)


generator = np.random.default_rng(0)
sizes = [(1, 20), (20, 20), (20, 1)]
weights = [
    (generator.normal(size=shape) / np.sqrt(shape[0]), np.zeros(shape[1])) for shape in sizes
]
weights = train(weights, sine_waves(generator, 3000), inner_steps=np.int64(3))
