"""Programs on a mesh of 8 virtual devices; each prints its name, and its distance from one device.

XLA_FLAGS=--xla_force_host_platform_device_count=8 python mesh_programs.py

With a rank and a port it is one of two processes with 4 devices each, which train together
(`jax.distributed`).
"""

import sys

import jax
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import autograph
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
    whole = multihost_utils.process_allgather(found, tiled=True)
    pairs = zip(jax.tree.leaves(whole), jax.tree.leaves(expected), strict=True)
    return max(float(np.max(np.abs(a - b)) / np.max(np.abs(b))) for a, b in pairs)


def train(w, x, y):
    """Twenty steps of gradient descent; the whole loop is one graph."""
    losses = []
    for _ in range(20):
        error = np.tanh(x @ w) - y
        losses.append(np.mean(error * error))
        w = w - 0.5 * x.T @ (error * (1.0 - np.tanh(x @ w) ** 2)) / len(x)
    return w, np.stack(losses)


def training_data():
    rng = np.random.default_rng(0)
    w, x = rng.normal(size=(5, 2)), rng.normal(size=(64, 5))
    return w, x, np.tanh(x @ rng.normal(size=(5, 2)))


def data_parallel():
    """The rows are divided; the weights and losses are whole on each device."""
    mesh, rows = mesh_of("data"), PartitionSpec("data")
    step = rt.function(
        train, engine="xla", mesh=mesh, in_shardings=(WHOLE, rows, rows), out_shardings=WHOLE
    )
    given = training_data()
    found = step(*map(placed, given, shardings(mesh, WHOLE, rows, rows)))
    assert all(isinstance(one, jax.Array) and len(one.devices()) == 8 for one in found)
    return distance(found, train(*given))


def data_parallel_by_jax():
    """The same, where `jax.jit` has the shardings."""
    mesh, rows = mesh_of("data"), PartitionSpec("data")
    over = shardings(mesh, WHOLE, rows, rows)
    step = jax.jit(rt.to_jax(train), in_shardings=over, out_shardings=shardings(mesh, WHOLE, WHOLE))
    given = tuple(map(placed, training_data(), over))
    assert "all-reduce" in step.lower(*given).compile().as_text()
    return distance(step(*given), train(*training_data()))


def layers(x, a, b):
    return np.maximum(x @ a, 0.0) @ b


def tensor_parallel():
    """The weights of two layers are divided, the first by columns and the second by rows."""
    rng = np.random.default_rng(1)
    x, a, b = (rng.normal(size=size) for size in ((4, 16), (16, 32), (32, 8)))
    mesh, rows = mesh_of("data", "model"), PartitionSpec("data")
    specs = rows, PartitionSpec(None, "model"), PartitionSpec("model")
    step = rt.function(layers, engine="xla", mesh=mesh, in_shardings=specs, out_shardings=rows)
    found = step(*map(placed, (x, a, b), shardings(mesh, *specs)))
    assert found.sharding.spec == rows
    return distance(found, layers(x, a, b))


def cell(w, x, state, memory):
    """One step of an LSTM: f64[..., batch, n] twice."""
    gates = np.concatenate([x, state], axis=-1) @ w
    n = state.shape[-1]
    keep, write, out = (1.0 / (1.0 + np.exp(-gates[..., i * n : (i + 1) * n])) for i in range(3))
    memory = keep * memory + write * np.tanh(gates[..., 3 * n :])
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


def pipelined(weights, xs):
    """The same with the layers side by side: in tick t layer i computes time t - i, of the state
    that layer i - 1 had after the tick before."""
    count, (times, batch, n) = weights.shape[0], xs.shape
    state = memory = np.zeros((count, batch, n))
    layer = np.arange(count).reshape(count, 1, 1)
    states = []
    for t in range(times + count - 1):
        given = np.concatenate([xs[min(t, times - 1)][None], state[:-1]])
        state_1, memory_1 = cell(weights, given, state, memory)
        is_due = (layer <= t) & (t < layer + times)
        state, memory = np.where(is_due, state_1, state), np.where(is_due, memory_1, memory)
        states.append(state[-1])
    return np.stack(states)[count - 1 :]


def sequences():
    rng = np.random.default_rng(2)
    return rng.normal(size=(8, 8, 16)) / 2, rng.normal(size=(6, 3, 4))


def pipelined_lstm():
    """Each device has one layer, and passes its state on to the next."""
    mesh, stages = mesh_of("stage"), PartitionSpec("stage")
    run = rt.function(
        pipelined, engine="xla", mesh=mesh, in_shardings=(stages, WHOLE), out_shardings=WHOLE
    )
    weights, xs = sequences()
    found = run(*map(placed, (weights, xs), shardings(mesh, stages, WHOLE)))
    return distance(found, lstm(weights, xs))


def principal(a):
    """The first singular value of a matrix, until it changes no more."""
    v = np.ones(a.shape[1])
    before, value, count = 0.0, 1.0, 0
    while abs(value - before) > 1e-13 * value and count < 400:
        product = a.T @ (a @ v)
        before, value = value, np.sqrt(np.sqrt(np.sum(product * product)))
        v = product / np.sqrt(np.sum(product * product))
        count += 1
    return value, count


def singular_value():
    """The rows are divided; all devices decide together when the loop ends."""
    mesh, rows = mesh_of("data"), PartitionSpec("data")
    a = np.random.default_rng(4).normal(size=(32, 6)) + 1.0
    run = rt.function(principal, engine="xla", mesh=mesh, in_shardings=(rows,), out_shardings=WHOLE)
    value, count = run(placed(a, *shardings(mesh, rows)))
    assert 3 < int(count) < 400
    return max(distance(value, np.linalg.svd(a)[1][0]), distance(value, principal(a)[0]))


def clustered(points, centers):
    """K-means until no point changes its cluster; a cluster without points keeps its center."""
    nearest = np.full(len(points), -1)
    for _ in range(50):
        distances = np.sum((points[:, None] - centers) ** 2, axis=2)
        found = np.argmin(distances, axis=1)
        if np.all(found == nearest):
            break
        nearest = found
        belongs = nearest[:, None] == np.arange(len(centers))
        sizes = np.sum(belongs, axis=0)
        sums = belongs.astype(np.float64).T @ points
        centers = np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], centers)
    return centers, nearest


def clusters():
    """The points are divided, and so are the numbers of their clusters, which are integers."""
    rng, (mesh, rows) = np.random.default_rng(5), (mesh_of("data"), PartitionSpec("data"))
    points = np.concatenate([rng.normal(size=(20, 2)) + 4 * i for i in range(4)])
    given = points, np.array([[0.0, 0.0], [3.0, 5.0], [9.0, 9.0], [-50.0, -50.0]])
    run = rt.function(
        clustered,
        engine="xla",
        mesh=mesh,
        in_shardings=(rows, WHOLE),
        out_shardings=(WHOLE, rows),
    )
    centers, nearest = run(*map(placed, given, shardings(mesh, rows, WHOLE)))
    expected = clustered(*given)
    whole = multihost_utils.process_allgather(nearest, tiled=True)
    assert np.array_equal(whole, expected[1]) and whole.dtype == np.int64
    return distance(centers, expected[0])


def loss(w, x, y):
    """Of logistic regression."""
    z = x @ w
    return np.mean(np.logaddexp(0.0, z) - y * z) + 0.05 * np.sum(w * w)


def newton(w, x, y):
    """The weights after Newton's steps with a step size that is halved until the loss falls."""
    for _ in range(5):
        slope = rt.grad(loss)(w, x, y)
        p = 1.0 / (1.0 + np.exp(-(x @ w)))
        curvature = (x * (p * (1.0 - p))[:, None]).T @ x / len(x) + 0.1 * np.eye(len(w))
        step, size = np.linalg.solve(curvature, slope), 1.0
        while size > 0.01 and loss(w - size * step, x, y) > loss(w, x, y) + 1e-9:
            size = size / 2
        w = w - size * step
    return w


def regression():
    """A gradient, the solution of a system and a search in a loop, of rows that are divided."""
    rng, (mesh, rows) = np.random.default_rng(6), (mesh_of("data"), PartitionSpec("data"))
    x = rng.normal(size=(64, 4))
    given = rng.normal(size=4) * 3, x, (x[:, 0] - x[:, 1] > 0).astype(np.float64)
    run = rt.function(
        newton, engine="xla", mesh=mesh, in_shardings=(WHOLE, rows, rows), out_shardings=WHOLE
    )
    return distance(run(*map(placed, given, shardings(mesh, WHOLE, rows, rows))), newton(*given))


def pipelined_by_shard_map():
    """The same, where `jax.shard_map` runs one program on each device, with `rt.to_jax` in it."""
    weights, xs = sequences()
    devices, (times, batch, n) = 8, xs.shape
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


def smoothed(x):
    """Staged control flow around JAX's own functions."""
    total = jax.numpy.zeros(())
    for value in x:
        if value > 0:
            total = 0.5 * total + value
    while total > 1:
        total = total / 2
    return total[None]


def control_flow_in_shard_map():
    """`autograph.to_graph` inside of `jax.shard_map`: each device has its own branches."""
    x = np.random.default_rng(3).normal(size=48)
    mesh, along = mesh_of("data"), PartitionSpec("data")
    each = jax.shard_map(autograph.to_graph(smoothed), mesh=mesh, in_specs=along, out_specs=along)
    expected = np.array([float(smoothed(part)[0]) for part in x.reshape(8, 6)])
    return distance(jax.jit(each)(x), expected)


BY_OPTIONS = (data_parallel, tensor_parallel, pipelined_lstm, singular_value, clusters, regression)
BY_JAX = (data_parallel_by_jax, pipelined_by_shard_map, control_flow_in_shard_map)


def main():
    jax.config.update("jax_enable_x64", True)
    programs = BY_OPTIONS + BY_JAX
    if len(sys.argv) > 1:
        rank, port = map(int, sys.argv[1:])
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(f"127.0.0.1:{port}", 2, rank)
        programs = BY_OPTIONS
    assert len(jax.devices()) == 8
    for program in programs:
        print(f"\nprogram {program.__name__}: {program()}")


if __name__ == "__main__":
    sys.exit(main())
