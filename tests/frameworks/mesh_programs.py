"""Programs on a mesh of 8 virtual devices; each prints its name, and its distance from one device.

XLA_FLAGS=--xla_force_host_platform_device_count=8 python mesh_programs.py

With a rank and a port it is one of two processes with 4 devices each, which train together
(`jax.distributed`).
"""

import sys

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import runtime as rt

WHOLE = PartitionSpec()


def mesh_of(*names):
    """A mesh of all devices: along one axis, or 2 by 4 along two."""
    shape = (8,) if len(names) == 1 else (2, 4)
    return Mesh(np.array(jax.devices()).reshape(shape), names)


def shardings(mesh, *specs):
    return tuple(NamedSharding(mesh, spec) for spec in specs)


def placed(array, sharding):
    """An array on the devices of all processes, each of which has the parts of its own."""
    return jax.make_array_from_callback(array.shape, sharding, lambda index: array[index])


def distance(found, expected):
    """The greatest difference, relative to the greatest element."""
    pairs = zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True)
    return max(float(np.max(np.abs(a - b)) / np.max(np.abs(b))) for a, b in pairs)


def train(w, x, y):
    """Twenty steps of gradient descent; the whole loop is one graph."""
    losses = []
    for _ in range(20):
        error = np.tanh(x @ w) - y
        losses.append(np.mean(error * error))
        w = w - 0.5 * x.T @ (error * (1.0 - np.tanh(x @ w) ** 2)) / len(x)
    return w, np.stack(losses)


def data_parallel():
    rng = np.random.default_rng(0)
    w, x = rng.normal(size=(5, 2)), rng.normal(size=(64, 5))
    y = np.tanh(x @ rng.normal(size=(5, 2)))
    mesh = mesh_of("data")
    rows, whole = PartitionSpec("data"), WHOLE
    over = shardings(mesh, whole, rows, rows)
    step = jax.jit(rt.to_jax(train), in_shardings=over, out_shardings=shardings(mesh, whole, whole))
    given = tuple(map(placed, (w, x, y), over))
    assert "all-reduce" in step.lower(*given).compile().as_text()
    return distance(jax.tree.map(np.asarray, step(*given)), train(w, x, y))


def layers(x, a, b):
    return np.maximum(x @ a, 0.0) @ b


def tensor_parallel():
    rng = np.random.default_rng(1)
    x, a, b = (rng.normal(size=size) for size in ((4, 16), (16, 32), (32, 8)))
    mesh = mesh_of("data", "model")
    step = jax.jit(
        rt.to_jax(layers),
        in_shardings=shardings(
            mesh, PartitionSpec("data"), PartitionSpec(None, "model"), PartitionSpec("model")
        ),
        out_shardings=NamedSharding(mesh, PartitionSpec("data")),
    )
    found = step(x, a, b)
    assert found.sharding.spec == PartitionSpec("data")
    assert "all-reduce" in step.lower(x, a, b).compile().as_text()
    return distance(found, layers(x, a, b))


def cell(w, x, state, memory):
    """One step of an LSTM: f64[batch, n] twice."""
    gates = np.concatenate([x, state], axis=1) @ w
    n = state.shape[1]
    keep, write, out = (1.0 / (1.0 + np.exp(-gates[:, i * n : (i + 1) * n])) for i in range(3))
    memory = keep * memory + write * np.tanh(gates[:, 3 * n :])
    return out * np.tanh(memory), memory


def lstm(weights, xs):
    """Eight layers over a sequence: f64[time, batch, n]."""
    for layer in range(weights.shape[0]):
        state = memory = np.zeros((xs.shape[1], xs.shape[2]))
        states = []
        for t in range(xs.shape[0]):
            state, memory = cell(weights[layer], xs[t], state, memory)
            states.append(state)
        xs = np.stack(states)
    return xs


def pipelined_lstm():
    """Device i has layer i; in tick t it computes time t - i, and passes its state to the next."""
    rng = np.random.default_rng(2)
    devices, times, batch, n = 8, 6, 3, 4
    weights = rng.normal(size=(devices, 2 * n, 4 * n)) / 2
    xs = rng.normal(size=(times, batch, n))
    step = rt.to_jax(cell)

    def stage(weights, xs):
        here = jax.lax.axis_index("stage")

        def tick(carried, t):
            given, state, memory = carried
            x = jax.numpy.where(here == 0, xs[jax.numpy.clip(t, 0, times - 1)], given)
            is_mine = (t >= here) & (t < here + times)
            state_1, memory_1 = step(weights[0], x, state, memory)
            state = jax.numpy.where(is_mine, state_1, state)
            memory = jax.numpy.where(is_mine, memory_1, memory)
            onward = [(i, i + 1) for i in range(devices - 1)]
            return (jax.lax.ppermute(state, "stage", onward), state, memory), state

        zero = jax.lax.pcast(jax.numpy.zeros((batch, n)), "stage", to="varying")
        _, states = jax.lax.scan(tick, (zero, zero, zero), jax.numpy.arange(times + devices - 1))
        return states[None, devices - 1 :]

    mesh, along = mesh_of("stage"), PartitionSpec("stage")
    pipeline = jax.jit(jax.shard_map(stage, mesh=mesh, in_specs=(along, WHOLE), out_specs=along))
    assert "collective-permute" in pipeline.lower(weights, xs).compile().as_text()
    return distance(pipeline(weights, xs)[-1], lstm(weights, xs))


PROGRAMS = (data_parallel, tensor_parallel, pipelined_lstm)


def main():
    jax.config.update("jax_enable_x64", True)
    programs = PROGRAMS
    if len(sys.argv) > 1:
        rank, port = map(int, sys.argv[1:])
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(f"127.0.0.1:{port}", 2, rank)
        programs = (data_parallel,)
    assert len(jax.devices()) == 8
    for program in programs:
        print(f"\nprogram {program.__name__}: {program()}")


if __name__ == "__main__":
    sys.exit(main())
