"""One training step of a data-parallel LSTM on 1, 8 and 512 devices, by XLA's own cost analysis.

The step is compiled for a mesh of virtual devices, and not run: the figures are those of the
program of one device. XLA counts the body of a loop once, so they are those of one time step, there
and back, of the sequence.
"""

import os
import re

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=512"

import jax  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import Mesh, NamedSharding, PartitionSpec  # noqa: E402

import runtime as rt  # noqa: E402

BATCH, STEPS, SIZE = 4096, 32, 128


def loss(w, xs, y):
    """The mean squared distance of the last state from y; w: f32[2 size, 4 size]."""
    n = y.shape[1]
    state = memory = np.zeros_like(y)
    for t in range(xs.shape[0]):
        gates = np.concatenate([xs[t], state], axis=1) @ w
        keep, write, out = (1.0 / (1.0 + np.exp(-gates[:, i * n : (i + 1) * n])) for i in range(3))
        memory = keep * memory + write * np.tanh(gates[:, 3 * n :])
        state = out * np.tanh(memory)
    return np.mean((state - y) ** 2)


def step(w, xs, y):
    """The weights after one step."""
    return w - 0.1 * jax.grad(rt.to_jax(loss))(w, xs, y)


def compiled(count):
    """The program of one of `count` devices."""
    mesh = Mesh(np.array(jax.devices()[:count]), ("data",))
    whole, rows, batches = (
        NamedSharding(mesh, PartitionSpec(*names)) for names in ((), ("data",), (None, "data"))
    )
    shapes = ((2 * SIZE, 4 * SIZE), (STEPS, BATCH, SIZE), (BATCH, SIZE))
    examples = [jax.ShapeDtypeStruct(shape, np.float32) for shape in shapes]
    sharded = jax.jit(step, in_shardings=(whole, batches, rows), out_shardings=whole)
    return sharded.lower(*examples).compile()


def reduced_bytes(text):
    """The bytes of the arrays that all devices add up."""
    found = re.findall(r"= f32\[([\d,]*)\]\S* all-reduce", text)
    return sum(4 * int(np.prod([int(n) for n in sizes.split(",") if n])) for sizes in found)


def main():
    for count in (1, 8, 512):
        program = compiled(count)
        cost = program.cost_analysis()
        memory = program.memory_analysis()
        reduced = reduced_bytes(program.as_text())
        print(
            f"{count:3} devices: {cost['flops'] / 1e6:.1f} Mflop,"
            f" {cost['bytes accessed'] / 1e6:.1f} MB read and written,"
            f" {reduced / 1e6:.2f} MB all-reduced,"
            f" {memory.temp_size_in_bytes / 1e6:.1f} MB of temporaries"
        )


if __name__ == "__main__":
    main()
