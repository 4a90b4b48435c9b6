"""Arrays of drawn numbers that the function writes staged values into, as networks by hand do."""

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
R = np.random.default_rng(0)


@prog(R.normal(size=(6, 2)), np.float64(0.1))
def weights_written(x, rate):
    rng = np.random.default_rng(1)
    w = rng.normal(size=(2, 3)) * 0.5
    b = np.zeros(3)
    for _ in range(3):
        y = np.tanh(x @ w + b)
        w -= rate * x.T @ y
        b -= rate * y.sum(axis=0)
    w[0] = y[0]
    return w, b


@prog(R.normal(size=(6, 2)))
def rows_written(x):
    m = np.random.RandomState(3).rand(6, 2)
    m[1] = x[2]
    m[:, 0] += x[:, 1]
    return m


class Layer:
    def __init__(self, n_in, n_out, rng):
        self.w = rng.normal(size=(n_in, n_out)) * 0.5
        self.b = np.zeros(n_out)

    def forward(self, x):
        self.x = x
        return x @ self.w + self.b

    def backward(self, g, rate):
        d = g @ self.w.T
        self.w -= rate * self.x.T @ g
        self.b -= rate * g.sum(axis=0)
        return d


@prog(R.normal(size=(6, 2)), np.array([0, 1, 1, 0, 1, 0]))
def network(x, labels):
    rng = np.random.default_rng(0)
    layers = [Layer(2, 4, rng), Layer(4, 2, rng)]
    losses = []
    for _ in range(4):
        h = x
        for layer in layers:
            h = np.tanh(layer.forward(h))
        p = np.exp(h) / np.exp(h).sum(axis=1, keepdims=True)
        losses.append(-np.log(p[range(len(labels)), labels]).mean())
        g = p.copy()
        g[range(len(labels)), labels] -= 1
        g /= len(labels)
        for layer in reversed(layers):
            g = layer.backward(g, 0.1)
    return losses, layers[0].w
