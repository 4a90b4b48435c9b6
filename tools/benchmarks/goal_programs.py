"""Programs of the native engine's goals that the table does not have: models, and their gradients.

`jax_programs()` has those with loops written for JAX: `lax.scan`, with a number of steps that is
known while it is traced.  All others run under `jax.numpy` as they are.
"""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np


def power(a, n):
    product = a
    for _ in range(n):
        product = product @ a
    return product


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def lstm_step(x, h, c, from_input, from_state, bias):
    n = h.shape[1]
    gates = x @ from_input + h @ from_state + bias
    c = sigmoid(gates[:, n : 2 * n]) * c + sigmoid(gates[:, :n]) * np.tanh(gates[:, 2 * n : 3 * n])
    h = sigmoid(gates[:, 3 * n :]) * np.tanh(c)
    return h, c


def network(x, w1, b1, w2, b2, w3, b3):
    hidden = np.maximum(x @ w1 + b1, 0)
    return np.maximum(hidden @ w2 + b2, 0) @ w3 + b3


def cube(x):
    return x * x * x


def branch(x):
    if x > 0.0:
        return x * x
    return -x


def mixture(weights, means, logs, lower, points):
    scales = np.exp(logs)
    centred = points[:, None, :] - means[None]
    turned = scales * centred + np.einsum("ijk,mik->mij", lower, centred)
    inner = weights + np.sum(logs, axis=1) - 0.5 * np.sum(turned * turned, axis=2)
    highest = np.max(inner, axis=1, keepdims=True)
    found = np.log(np.sum(np.exp(inner - highest), axis=1)) + highest[:, 0]
    total = np.log(np.sum(np.exp(weights - np.max(weights)))) + np.max(weights)
    return np.sum(found) - points.shape[0] * total + 0.5 * np.sum(scales**2) + np.sum(lower**2)


def bundle(cameras, points, weights, seen_by, seen, features):
    camera, point = cameras[seen_by], points[seen]
    turn, centre = camera[:, :3], camera[:, 3:6]
    focal, offset, radial = camera[:, 6:7], camera[:, 7:9], camera[:, 9:11]
    shifted = point - centre
    angle = np.sqrt(np.sum(turn * turn, axis=1, keepdims=True))
    axis = turn / angle
    along = np.sum(axis * shifted, axis=1, keepdims=True) * (1 - np.cos(angle))
    turned = shifted * np.cos(angle) + np.cross(axis, shifted) * np.sin(angle) + axis * along
    flat = turned[:, :2] / turned[:, 2:3]
    square = np.sum(flat * flat, axis=1, keepdims=True)
    bent = flat * (1 + radial[:, 0:1] * square + radial[:, 1:2] * square * square)
    errors = weights[:, None] * (bent * focal + offset - features)
    return np.sum(errors * errors) + np.sum((1 - weights * weights) ** 2)


def letters_loss(main, extra, state, sequence, n):
    total = 0.0
    h0, c0, h1, c1 = state[0], state[1], state[2], state[3]
    for i in range(n):
        x = sequence[i] * extra[0]
        c0 = c0 * sigmoid(x * main[0] + main[4]) + sigmoid(h0 * main[1] + main[5]) * np.tanh(
            h0 * main[3] + main[7]
        )
        h0 = sigmoid(x * main[2] + main[6]) * np.tanh(c0)
        c1 = c1 * sigmoid(h0 * main[8] + main[12]) + sigmoid(h1 * main[9] + main[13]) * np.tanh(
            h1 * main[11] + main[15]
        )
        h1 = sigmoid(h0 * main[10] + main[14]) * np.tanh(c1)
        guess = h1 * extra[1] + extra[2]
        guess = guess - np.log(2.0 + np.sum(np.exp(guess)))
        total = total + np.sum(sequence[i + 1] * guess)
    return -total / n


def recurrent_states(x, h, from_input, from_state, bias, n):
    states = []
    for i in range(n):
        h = np.tanh(x[i] @ from_input + h @ from_state + bias)
        states.append(h)
    return np.stack(states)


def recurrent_loss(from_input, from_state, bias, x, h, n):
    states = recurrent_states(x, h, from_input, from_state, bias, n)
    return 0.5 * np.sum(states * states)


def lstm_states(x, h, c, from_input, from_state, bias, n):
    states = []
    for i in range(n):
        h, c = lstm_step(x[i], h, c, from_input, from_state, bias)
        states.append(h)
    return np.stack(states)


def lstm_loss(from_input, from_state, bias, x, h, c, n):
    states = lstm_states(x, h, c, from_input, from_state, bias, n)
    return 0.5 * np.sum(states * states)


def product_and_mean(a, b):
    return np.mean(a @ b)


def quicksort(x):
    x = x.copy()
    stack = np.zeros((64, 2), np.int64)
    stack[0, 1] = x.shape[0] - 1
    top = 1
    while top > 0:
        top -= 1
        low, high = stack[top, 0], stack[top, 1]
        while low < high:
            pivot = x[(low + high) // 2]
            i, j = low, high
            while i <= j:
                while x[i] < pivot:
                    i += 1
                while pivot < x[j]:
                    j -= 1
                if i <= j:
                    x[i], x[j] = x[j], x[i]
                    i += 1
                    j -= 1
            if j - low < high - i:
                stack[top, 0], stack[top, 1] = i, high
                high = j
            else:
                stack[top, 0], stack[top, 1] = low, j
                low = i
            top += 1
    return x


def letters_for_jax(jnp: Any, lax: Any, logistic: Callable[..., Any]) -> Callable[..., Any]:
    """`letters_loss` for JAX."""

    def of_letters(main, extra, state, sequence, n):
        def layer(x, h, c, m):
            c = c * logistic(x * m[0] + m[4]) + logistic(h * m[1] + m[5]) * jnp.tanh(
                h * m[3] + m[7]
            )
            return logistic(x * m[2] + m[6]) * jnp.tanh(c), c

        def step(state, pair):
            h0, c0, h1, c1 = state
            h0, c0 = layer(pair[0] * extra[0], h0, c0, main[:8])
            h1, c1 = layer(h0, h1, c1, main[8:])
            guess = h1 * extra[1] + extra[2]
            guess = guess - jnp.log(2.0 + jnp.sum(jnp.exp(guess)))
            return (h0, c0, h1, c1), jnp.sum(pair[1] * guess)

        pairs = sequence[:n], sequence[1 : n + 1]
        return -jnp.sum(lax.scan(step, tuple(state), pairs)[1]) / n

    return of_letters


def jax_programs() -> dict[Callable[..., Any], Callable[..., Any]]:
    """The programs with loops, for JAX."""
    jnp = importlib.import_module("jax.numpy")
    lax = importlib.import_module("jax").lax
    logistic = importlib.import_module("jax").nn.sigmoid

    def cell(x, h, c, from_input, from_state, bias):
        n = h.shape[1]
        gates = x @ from_input + h @ from_state + bias
        c = logistic(gates[:, n : 2 * n]) * c + logistic(gates[:, :n]) * jnp.tanh(
            gates[:, 2 * n : 3 * n]
        )
        return logistic(gates[:, 3 * n :]) * jnp.tanh(c), c

    def of_power(a, n):
        return lax.fori_loop(0, n, lambda _, product: product @ a, a)

    def of_branch(x):
        return lax.cond(x > 0.0, lambda x: x * x, lambda x: -x, x)

    def of_recurrent(x, h, from_input, from_state, bias, n):
        def step(h, row):
            h = jnp.tanh(row @ from_input + h @ from_state + bias)
            return h, h

        return lax.scan(step, h, x[:n])[1]

    def of_recurrent_loss(from_input, from_state, bias, x, h, n):
        return 0.5 * jnp.sum(of_recurrent(x, h, from_input, from_state, bias, n) ** 2)

    def of_lstm(x, h, c, from_input, from_state, bias, n):
        def step(state, row):
            h, c = cell(row, *state, from_input, from_state, bias)
            return (h, c), h

        return lax.scan(step, (h, c), x[:n])[1]

    def of_lstm_loss(from_input, from_state, bias, x, h, c, n):
        return 0.5 * jnp.sum(of_lstm(x, h, c, from_input, from_state, bias, n) ** 2)

    return {
        power: of_power,
        branch: of_branch,
        recurrent_states: of_recurrent,
        recurrent_loss: of_recurrent_loss,
        lstm_states: of_lstm,
        lstm_loss: of_lstm_loss,
        letters_loss: letters_for_jax(jnp, lax, logistic),
    }
