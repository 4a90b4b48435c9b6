"""The same LSTM saved and loaded: by rt.save, and by other libraries that are installed.

Each library writes the model once, and loads it in a process of its own, which reports the time of
the load alone, of the load with the first call, and of the import.  The results agree.  The
libraries are imported by the interpreters in BENCH_PYTHONS (separated by `:`), or by this one:

    python -m venv others && others/bin/pip install tensorflow-cpu jax torch
    BENCH_PYTHONS=others/bin/python python tools/bench.py saved-models
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.timing import benchmark, shown

ROOT = Path(__file__).parents[2]
STEPS, BATCH, INPUTS, UNITS = 20, 8, 32, 64

COMMON = """\
import json, os, sys, time
import numpy as np
folder, act = sys.argv[1:3]
data = np.load(sys.argv[3])
x, kernel, recurrent, bias = (data[n] for n in ("x", "kernel", "recurrent", "bias"))
N = recurrent.shape[0]
start = time.perf_counter()
"""
REPORT = """
if act == "load":
    imported = time.perf_counter()
    loaded = load()
    done = time.perf_counter()
    result = np.asarray(call(loaded))
    called = time.perf_counter()
    print(json.dumps([imported - start, done - imported, called - imported, float(result.sum())]))
else:
    save()
"""
RT = """
import runtime as rt
rt.load  # the first public name imports the rest of the package
def save():
    kernel_, recurrent_, bias_ = rt.Variable(kernel), rt.Variable(recurrent), rt.Variable(bias)
    sigmoid = rt.nn.sigmoid
    @rt.function
    def lstm(x, steps):
        h = np.zeros((x.shape[0], N), np.float32)
        c = h
        for step in range(steps):
            gates = x[:, step] @ kernel_ + h @ recurrent_ + bias_
            i, f = sigmoid(gates[:, :N]), sigmoid(gates[:, N:2 * N])
            c = f * c + i * np.tanh(gates[:, 2 * N:3 * N])
            h = sigmoid(gates[:, 3 * N:]) * np.tanh(c)
        return h
    rt.save(folder + "/model.zip", lstm.get_concrete_function(x, np.int64(x.shape[1])))
load = lambda: rt.load(folder + "/model.zip")
call = lambda model: model(x, np.int64(x.shape[1]))
"""
TENSORFLOW = """
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf
def save():
    class Model(tf.Module):
        def __init__(self):
            self.kernel, self.recurrent = tf.Variable(kernel), tf.Variable(recurrent)
            self.bias = tf.Variable(bias)
        @tf.function(input_signature=[tf.TensorSpec(x.shape, tf.float32)])
        def __call__(self, x):
            h = tf.zeros((x.shape[0], N))
            c = h
            for step in tf.range(x.shape[1]):
                gates = x[:, step] @ self.kernel + h @ self.recurrent + self.bias
                i, f, g, o = tf.split(gates, 4, axis=1)
                c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
                h = tf.sigmoid(o) * tf.tanh(c)
            return h
    tf.saved_model.save(Model(), folder + "/model")
load = lambda: tf.saved_model.load(folder + "/model")
call = lambda model: model(x)
"""
JAX = """
import jax
from jax import export, lax, numpy as jnp
def save():
    def lstm(x, kernel, recurrent, bias):
        def step(state, now):
            h, c = state
            i, f, g, o = jnp.split(now @ kernel + h @ recurrent + bias, 4, axis=1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None
        zero = jnp.zeros((x.shape[0], N))
        return lax.scan(step, (zero, zero), jnp.swapaxes(x, 0, 1))[0][0]
    exported = export.export(jax.jit(lambda x: lstm(x, kernel, recurrent, bias)))(x)
    open(folder + "/model.bin", "wb").write(exported.serialize())
load = lambda: export.deserialize(open(folder + "/model.bin", "rb").read())
call = lambda model: model.call(x)
"""
TORCH = """
import torch
def save():
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.kernel, self.recurrent, self.bias = (
                torch.nn.Parameter(torch.tensor(a)) for a in (kernel, recurrent, bias))
        def forward(self, x):
            h = torch.zeros(x.shape[0], N)
            c = h
            for step in range(x.shape[1]):
                gates = x[:, step] @ self.kernel + h @ self.recurrent + self.bias
                i, f, g, o = gates.chunk(4, 1)
                c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
                h = torch.sigmoid(o) * torch.tanh(c)
            return h
    torch.export.save(torch.export.export(Model(), (torch.tensor(x),)), folder + "/model.pt2")
load = lambda: torch.export.load(folder + "/model.pt2").module()
call = lambda model: model(torch.tensor(x)).detach()
"""
PROGRAMS = {
    "rt.save": ("runtime", RT),
    "TensorFlow SavedModel": ("tensorflow", TENSORFLOW),
    "jax.export": ("jax", JAX),
    "torch.export": ("torch", TORCH),
}


@benchmark("saved-models")
def saved_models(rounds: int) -> None:
    """Prints size, time of the load, and of the load with the first call, of each library."""
    pythons = [sys.executable, *filter(None, os.environ.get("BENCH_PYTHONS", "").split(":"))]
    print(
        f"\nan LSTM of {UNITS} units, {STEPS} steps, f32: size, load, load and first call, import"
    )
    with tempfile.TemporaryDirectory() as folder:
        data = _weights(Path(folder))
        models = {}
        for name, (module, text) in PROGRAMS.items():
            python = next((p for p in pythons if _has(p, module)), None)
            if python is None:
                print(f"  {name:<22} is not installed")
            else:
                models[name] = _Model(Path(folder, module), python, text, data)
        for _ in range(rounds):
            for model in models.values():
                model.load()
    sums = {name: model.total for name, model in models.items()}
    if not np.allclose(list(sums.values()), sums["rt.save"], rtol=1e-3, atol=1e-3):
        raise SystemExit(f"the models differ: {sums}")
    for name, model in models.items():
        model.show(name, models["rt.save"])


def _weights(folder: Path) -> str:
    generator = np.random.default_rng(0)
    arrays = {
        "x": generator.normal(size=(BATCH, STEPS, INPUTS)),
        "kernel": generator.normal(size=(INPUTS, 4 * UNITS)) * 0.1,
        "recurrent": generator.normal(size=(UNITS, 4 * UNITS)) * 0.1,
        "bias": np.zeros(4 * UNITS),
    }
    path = folder / "weights.npz"
    np.savez(path, **{name: array.astype(np.float32) for name, array in arrays.items()})
    return str(path)


def _has(python: str, module: str) -> bool:
    found = f"import importlib.util, sys; sys.exit(importlib.util.find_spec('{module}') is None)"
    if module == "runtime":
        return python == sys.executable
    return subprocess.run([python, "-c", found], env=os.environ).returncode == 0


class _Model:
    """The model as one library has saved it, and the times of its loads."""

    def __init__(self, folder: Path, python: str, text: str, data: str) -> None:
        folder.mkdir()
        program = folder.parent / f"{folder.name}_model.py"
        program.write_text(COMMON + text + REPORT)
        self.command = [python, str(program), str(folder)]
        self.environment = {**os.environ, "PYTHONPATH": str(ROOT)} if text is RT else None
        self.data, self.found = data, []
        _output([*self.command, "save", data], self.environment)
        self.size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())

    def load(self) -> None:
        printed = _output([*self.command, "load", self.data], self.environment)
        self.found.append(json.loads(printed.splitlines()[-1]))

    @property
    def times(self) -> list[float]:
        """The medians of the times of import, load, and load with the first call."""
        return [statistics.median(one) for one in list(zip(*self.found, strict=True))[:3]]

    @property
    def total(self) -> float:
        return self.found[-1][3]

    def show(self, name: str, ours: "_Model") -> None:
        """Prints a row; the times also as multiples of ours."""
        imported, *times = self.times
        cells = [
            f"{shown(one):>12} x{one / own:<6.3g}"
            for one, own in zip(times, ours.times[1:], strict=True)
        ]
        print(f"  {name:<22}{self.size / 1024:>8.1f} KiB{''.join(cells)}{shown(imported):>12}")


def _output(command: list[str], environment: dict[str, str] | None) -> str:
    """What a process prints.  Ends the benchmark with the errors of a process that fails."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return done.stdout
