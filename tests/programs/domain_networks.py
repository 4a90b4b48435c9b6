"""Neural networks and optimisation by hand."""

import numpy as np
from collection import Collection

PROGRAMS = Collection()
example = PROGRAMS.example

rng = np.random.default_rng(9)
X = rng.standard_normal((16, 5))
Y = rng.integers(0, 3, 16)
W1, B1 = rng.standard_normal((5, 8)) * 0.5, np.zeros(8)
W2, B2 = rng.standard_normal((8, 3)) * 0.5, np.zeros(3)
SEQUENCE = rng.standard_normal((10, 5))
W_H = rng.standard_normal((8, 8)) * 0.3
IMAGES = rng.standard_normal((2, 8, 8, 3))
FILTERS = rng.standard_normal((3, 3, 3, 4))


def softmax(z):
    e = np.exp(z - np.max(z, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def relu(z):
    return np.maximum(z, 0)


@example(X, W1, B1, W2, B2)
def forward(x, w1, b1, w2, b2):
    return softmax(relu(x @ w1 + b1) @ w2 + b2)


@example(X, Y, W1, B1, W2, B2, 12)
def train(x, y, w1, b1, w2, b2, epochs):
    losses = []
    for epoch in range(epochs):
        h = relu(x @ w1 + b1)
        p = softmax(h @ w2 + b2)
        losses.append(-np.log(p[np.arange(len(y)), y]).mean())
        d = p.copy()
        d[np.arange(len(y)), y] -= 1
        d /= len(y)
        dw2, db2 = h.T @ d, d.sum(axis=0)
        dh = d @ w2.T
        dh[h <= 0] = 0
        dw1, db1 = x.T @ dh, dh.sum(axis=0)
        w1 = w1 - 0.5 * dw1
        b1 = b1 - 0.5 * db1
        w2 = w2 - 0.5 * dw2
        b2 = b2 - 0.5 * db2
        if epoch > 5 and losses[-1] > losses[-2]:
            break
    return w1, b1, w2, b2, np.array(losses)


@example(SEQUENCE, W1, W_H, B1)
def recurrent(x, w_x, w_h, b):
    h = np.zeros(w_h.shape[0])
    states = np.zeros((x.shape[0], h.size))
    for t in range(x.shape[0]):
        h = np.tanh(x[t] @ w_x + h @ w_h + b)
        states[t] = h
    return states


@example(SEQUENCE, rng.standard_normal((13, 32)) * 0.3, np.zeros(32))
def lstm(x, w, b):
    n = w.shape[1] // 4
    h, c = np.zeros(n), np.zeros(n)
    for t in range(len(x)):
        z = np.concatenate([x[t], h]) @ w + b
        i, f, o, g = sigmoid(z[:n]), sigmoid(z[n : 2 * n]), sigmoid(z[2 * n : 3 * n]), z[3 * n :]
        c = f * c + i * np.tanh(g)
        h = o * np.tanh(c)
    return h, c


@example(SEQUENCE, [W1, W_H.copy(), W_H.T.copy()])
def gru(x, weights):
    w, u, v = weights
    h = np.zeros(8)
    for row in x:
        z = sigmoid(row @ w + h @ u)
        r = sigmoid(row @ w + h @ v)
        h = (1 - z) * h + z * np.tanh(row @ w + (r * h) @ u)
    return h


@example(IMAGES, FILTERS)
def convolution(images, filters):
    n, h, w, _ = images.shape
    k, _, _, out_channels = filters.shape
    out = np.zeros((n, h - k + 1, w - k + 1, out_channels))
    for i in range(h - k + 1):
        for j in range(w - k + 1):
            out[:, i, j, :] = np.sum(
                images[:, i : i + k, j : j + k, :, np.newaxis] * filters[np.newaxis], axis=(1, 2, 3)
            )
    return out


@example(IMAGES)
def max_pool(images):
    n, h, w, c = images.shape
    out = np.empty((n, h // 2, w // 2, c))
    for i in range(h // 2):
        for j in range(w // 2):
            out[:, i, j, :] = np.max(
                images[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :], axis=(1, 2)
            )
    return out


@example(X, np.ones(5), np.zeros(5))
def batch_norm(x, gamma, beta):
    mean = x.mean(axis=0, keepdims=True)
    std = np.std(x, axis=0, keepdims=True)
    return gamma * (x - mean) / (std + 1e-5) + beta


@example(SEQUENCE)
def attention(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    n = len(x)
    for i in range(n):
        for j in range(i + 1, n):
            scores[i, j] = -1e9
    return softmax(scores) @ x


@example([W1, W2], [B1, B2], X)
def layers_in_lists(weights, biases, x):
    for w, b in zip(weights[:-1], biases[:-1], strict=True):
        x = np.tanh(x @ w + b)
    return x @ weights[-1] + biases[-1]


@example({"w1": W1, "w2": W2}, X)
def parameters_in_a_dict(parameters, x):
    for name in sorted(parameters):
        x = np.maximum(0.1 * (x @ parameters[name]), x @ parameters[name])
    return x


def rosenbrock(x):
    return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2


@example(np.array([-1.2, 1.0]))
def adam(x):
    m, v = np.zeros(2), np.zeros(2)
    for t in range(1, 61):
        g = np.array([-2 * (1 - x[0]) - 400 * x[0] * (x[1] - x[0] ** 2), 200 * (x[1] - x[0] ** 2)])
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g**2
        x = x - 0.05 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        if np.linalg.norm(g) < 1e-3:
            break
    return x, t


@example(np.array([[-1.2, 1.0], [-1.0, 1.2], [-1.4, 0.8]]))
def nelder_mead(simplex):
    simplex = simplex.copy()
    values = np.array([rosenbrock(p) for p in simplex])
    for _ in range(40):
        order = np.argsort(values)
        simplex, values = simplex[order], values[order]
        center = simplex[:-1].mean(axis=0)
        reflected = center + (center - simplex[-1])
        fr = rosenbrock(reflected)
        if fr < values[0]:
            expanded = center + 2 * (center - simplex[-1])
            fe = rosenbrock(expanded)
            if fe < fr:
                simplex[-1], values[-1] = expanded, fe
            else:
                simplex[-1], values[-1] = reflected, fr
        elif fr < values[-2]:
            simplex[-1], values[-1] = reflected, fr
        else:
            contracted = center + 0.5 * (simplex[-1] - center)
            fc = rosenbrock(contracted)
            if fc < values[-1]:
                simplex[-1], values[-1] = contracted, fc
            else:
                for i in range(1, len(simplex)):
                    simplex[i] = simplex[0] + 0.5 * (simplex[i] - simplex[0])
                    values[i] = rosenbrock(simplex[i])
    return simplex, values


@example(2.0)
def newton_root(x):
    for i in range(50):
        f, slope = x**3 - 2 * x - 5, 3 * x**2 - 2
        if abs(slope) < 1e-12:
            raise ValueError("the slope is zero")
        new = x - f / slope
        if abs(new - x) < 1e-12:
            return new, i
        x = new
    return x, 50


@example(0.0, 3.0)
def bisection(low, high):
    def f(x):
        return np.cos(x) - x

    assert f(low) * f(high) < 0, "the signs must differ"
    while high - low > 1e-10:
        middle = (low + high) / 2
        if f(low) * f(middle) <= 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


@example(0.0, 2.0, 100)
def simpson(a, b, n):
    h = (b - a) / n
    s = np.exp(-a * a) + np.exp(-b * b)
    for i in range(1, n):
        x = a + i * h
        if i % 2 == 0:
            s += 2 * np.exp(-x * x)
        else:
            s += 4 * np.exp(-x * x)
    return s * h / 3


@example(0.0, 1.0, 1e-6)
def adaptive_step(t, y, tolerance):
    h, steps, rejected = 0.1, 0, 0
    while t < 2.0:
        if t + h > 2.0:
            h = 2.0 - t
        k1 = -2 * y + t
        k2 = -2 * (y + h * k1) + t + h
        error = abs(h * (k2 - k1) / 2)
        if error < tolerance or h < 1e-4:
            t += h
            y += h * (k1 + k2) / 2
            steps += 1
        else:
            rejected += 1
        h *= min(2.0, max(0.3, 0.9 * (tolerance / (error + 1e-15)) ** 0.5))
        if steps + rejected > 5000:
            break
    return y, steps, rejected


@example(np.array([4.0, -3.0]))
def line_search(x):
    a = np.array([[3.0, 1.0], [1.0, 2.0]])
    for k in range(100):
        g = a @ x
        if np.linalg.norm(g) < 1e-8:
            break
        step = 1.0
        fx = 0.5 * x @ a @ x
        while 0.5 * (x - step * g) @ a @ (x - step * g) > fx - 1e-4 * step * (g @ g):
            step *= 0.5
        x = x - step * g
    return x, k


@example(np.array([-1.2, 1.0]))
def quasi_newton(x):
    def gradient(x):
        return np.array(
            [-2 * (1 - x[0]) - 400 * x[0] * (x[1] - x[0] ** 2), 200 * (x[1] - x[0] ** 2)]
        )

    h = np.eye(2)
    g = gradient(x)
    for _ in range(60):
        p = -h @ g
        alpha = 1.0
        while rosenbrock(x + alpha * p) > rosenbrock(x) + 1e-4 * alpha * (g @ p):
            alpha *= 0.5
            if alpha < 1e-10:
                break
        s = alpha * p
        x = x + s
        g_new = gradient(x)
        y = g_new - g
        rho = 1.0 / (y @ s + 1e-12)
        left = np.eye(2) - rho * np.outer(s, y)
        h = left @ h @ left.T + rho * np.outer(s, s)
        g = g_new
        if np.linalg.norm(g) < 1e-6:
            break
    return x
