"""Loops that bind a name to new containers or objects in each iteration, as training loops do."""

import dataclasses

import numpy as np
from support.every_mode import Programs

import runtime as rt

PROGRAMS = Programs()
ROW = np.array([0.1, 0.2])


@dataclasses.dataclass
class State:
    x: np.ndarray
    v: np.ndarray
    t: float = 0.0


@PROGRAMS.program(ROW)
def replaced_objects(x):
    s = State(x, x * 2)
    for _ in range(100):
        s = dataclasses.replace(s, x=s.x + 0.01 * s.v, t=s.t + 0.01)
    return s.x, s.v, s.t


@PROGRAMS.program(ROW)
def objects_replaced_in_a_branch(x):
    s = State(x, x * 2)
    for _ in range(100):
        s = State(s.x + 0.1 * s.v, s.v, s.t + 0.1)
        if s.x[0] > 1:
            s = State(s.x - 1, -s.v, s.t)
    return s.x, s.v, s.t


@PROGRAMS.program(ROW)
def objects_changed_after_the_loop(x):
    s = first = State(x, x * 2)
    for _ in range(100):
        s = State(s.x + 0.1 * s.v, s.v, s.t + 0.1)
        if s.x[0] > 1:
            s = State(s.x - 1, -s.v, s.t)
    s.t = 100.0
    return s.x, s.t, first.t, s is first


@PROGRAMS.program(ROW)
def pairs_in_a_list(x):
    layers = [(x, 1.0), (x * 2, 2.0)]
    for _ in range(60):
        layers = [(w * 0.5, b + 1) for w, b in layers]
    return layers


@PROGRAMS.program(ROW)
def pairs_that_are_appended(x):
    layers, state = [(x, x), (x, x)], [(np.zeros_like(x), 0.0)] * 2
    for _ in range(60):
        new, after = [], []
        for (w, b), (m, k) in zip(layers, state, strict=True):
            new.append((w * 0.5, b + w[0]))
            after.append((m + w, k + 1))
        layers, state = new, after
    return layers, state


@PROGRAMS.program(ROW)
def dicts_in_a_tuple(x):
    layers = ({"w": x}, [{"w": x + 1, "b": 0.5}])
    for _ in range(60):
        first, (second,) = layers
        layers = ({"w": first["w"] * 0.5}, [{"w": second["w"] + first["w"], "b": second["b"] / 2}])
    return layers


@PROGRAMS.program(ROW)
def trained_by_gradients(x):
    def loss(layers):
        (w, b), (v, c) = layers
        return ((np.tanh(x * w + b) * v + c - 1) ** 2).sum()

    layers = [(np.float64(0.5), np.float64(0.0)), (np.float64(0.25), np.float64(0.5))]
    gradient = rt.grad(loss)
    for _ in range(50):
        layers = [
            tuple(p - 0.1 * d for p, d in zip(layer, part, strict=True))
            for layer, part in zip(layers, gradient(layers), strict=True)
        ]
    return layers


@PROGRAMS.program(ROW)
def lists_that_grow_by_one_only_at_first(x):
    layers = [x]
    for _ in range(60):
        layers = [layers[0] * 0.5, x]
    return layers
