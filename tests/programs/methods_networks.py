"""Layers of networks with their gradients, written by hand.

The file is long because it is a collection of independent programs.
"""

import math

import numpy as np
from support.every_mode import SIZES, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
RNG = np.random.default_rng(17)


def softmax(z):
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


IMAGES = RNG.standard_normal((2, 5, 5))
KERNELS = RNG.standard_normal((2, 3, 3)) * 0.3


@prog(IMAGES, KERNELS, RNG.standard_normal((8, 3)), np.array([0, 2]))
def convolution_forward_backward(images, kernels, w, labels):
    n, f = len(images), len(kernels)
    maps = np.zeros((n, f, 3, 3))
    for i in range(3):
        for j in range(3):
            patch = images[:, None, i : i + 3, j : j + 3]
            maps[:, :, i, j] = np.sum(patch * kernels, axis=(2, 3))
    active = np.maximum(maps, 0)
    pooled = np.zeros((n, f, 2, 2))
    for i in range(2):
        for j in range(2):
            pooled[:, :, i, j] = active[:, :, i : i + 2, j : j + 2].max(axis=(2, 3))
    flat = pooled.reshape(n, -1)
    p = softmax(flat @ w)
    loss = -np.mean(np.log(p[np.arange(n), labels]))
    error = p.copy()
    error[np.arange(n), labels] -= 1
    return loss, flat.T @ error / n, error @ w.T


SEQUENCE = RNG.standard_normal((4, 6))


@prog(SEQUENCE, RNG.standard_normal((3, 6, 6)) * 0.4, 2, refused=SIZES)
def masked_attention(x, weights, heads):
    t, d = x.shape
    size = d // heads
    q, k, v = (x @ w for w in weights)
    outputs = []
    for h in range(heads):
        part = slice(h * size, (h + 1) * size)
        scores = q[:, part] @ k[:, part].T / math.sqrt(size)
        for i in range(t):
            scores[i, i + 1 :] = -np.inf
        outputs.append(softmax(scores) @ v[:, part])
    y = x + np.concatenate(outputs, axis=1)
    return (y - y.mean(axis=1, keepdims=True)) / np.sqrt(y.var(axis=1, keepdims=True) + 1e-5)


class GRU:
    def __init__(self, weights):
        self.weights = weights
        self.h = np.zeros(weights["z"].shape[1])

    def __call__(self, x):
        both = np.concatenate([x, self.h])
        z = 1 / (1 + np.exp(-both @ self.weights["z"]))
        r = 1 / (1 + np.exp(-both @ self.weights["r"]))
        candidate = np.tanh(np.concatenate([x, r * self.h]) @ self.weights["h"])
        self.h = (1 - z) * self.h + z * candidate
        return self.h


@prog(SEQUENCE, RNG.standard_normal((3, 9, 3)) * 0.3)
def gated_units(x, w):
    cell = GRU({"z": w[0], "r": w[1], "h": w[2]})
    outputs = [cell(row).copy() for row in x]
    norm = math.sqrt(sum(float(o @ o) for o in outputs))
    if norm > 1:
        outputs = [o / norm for o in outputs]
    return np.stack(outputs), norm


class BatchNorm:
    def __init__(self, n, momentum=0.9):
        self.gamma, self.beta = np.ones(n), np.zeros(n)
        self.mean, self.var = np.zeros(n), np.ones(n)
        self.momentum = momentum
        self.cache = None

    def forward(self, x, training):
        if training:
            mean, var = x.mean(axis=0), x.var(axis=0)
            self.mean = self.momentum * self.mean + (1 - self.momentum) * mean
            self.var = self.momentum * self.var + (1 - self.momentum) * var
        else:
            mean, var = self.mean, self.var
        scaled = (x - mean) / np.sqrt(var + 1e-5)
        self.cache = scaled, np.sqrt(var + 1e-5)
        return self.gamma * scaled + self.beta

    def backward(self, d):
        scaled, std = self.cache
        dx = d * self.gamma
        return (dx - dx.mean(axis=0) - scaled * (dx * scaled).mean(axis=0)) / std


@prog(SEQUENCE, 3)
def batch_norm_training(x, rounds):
    layer = BatchNorm(x.shape[1])
    losses = []
    for _ in range(rounds):
        y = layer.forward(x, True)
        d = 2 * (y - 1) / len(x)
        losses.append(float(((y - 1) ** 2).sum() / len(x)))
        layer.gamma = layer.gamma - 0.1 * (d * layer.cache[0]).sum(axis=0)
        layer.beta = layer.beta - 0.1 * d.sum(axis=0)
    return losses, layer.backward(d), layer.forward(x, False), layer.mean


@prog(SEQUENCE, RNG.standard_normal((6, 2)) * 0.5, 4)
def tied_autoencoder(x, w, epochs):
    best, patience = np.inf, 0
    for epoch in range(epochs):
        hidden = np.tanh(x @ w)
        rebuilt = hidden @ w.T
        error = rebuilt - x
        loss = np.mean(error**2)
        if loss < best - 1e-4:
            best, patience = loss, 0
        else:
            patience += 1
            if patience > 2:
                break
        back = error @ w * (1 - hidden**2)
        w = w - 0.05 * (x.T @ back + error.T @ hidden) / len(x)
    return w, best, epoch
