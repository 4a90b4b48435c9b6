"""Tries the programs of the truth table with another library, and prints the answers as JSON.

    cd tools; python -m truth.peers NAME [PROGRAM]
                                        NAME: jax, jax.jit, torch, tf.function, autograd, drjit

It runs with the interpreter of an environment that has the library, and needs only NumPy beside it.
An answer is a list of numbers, the name of the error that the library raises, "no end", or "abort",
if the process ends: programs of Dr.Jit run in a process each.
"""

import importlib.util
import json
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from truth import branches, loops, writes  # noqa: F401  (their programs register)
from truth.programs import PROGRAMS, Program

SECONDS = 30  # for one program
APART = ("drjit",)  # each program in a process of its own

Peer = Callable[[Program, Any], Any]


def with_jax(compiled: bool) -> tuple[str, Any, Peer]:
    import jax

    jax.config.update("jax_enable_x64", True)

    def derivative(program, function):
        gradient = jax.grad(function)
        if program.kind == "second":
            gradient = jax.grad(lambda x: jax.numpy.sum(jax.grad(function)(x)))
        if program.kind == "batch":
            gradient = jax.vmap(gradient)
        if compiled:
            gradient = jax.jit(gradient)
        return gradient(jax.numpy.array(program.at))

    return jax.__version__, jax.numpy, derivative


def with_torch() -> tuple[str, Any, Peer]:
    import torch

    torch.set_default_dtype(torch.float64)
    torch.copy = torch.clone  # NumPy's name

    def derivative(program, function):
        if program.kind == "batch":
            return torch.func.vmap(torch.func.grad(function))(torch.tensor(program.at)).numpy()
        x = torch.tensor(program.at, requires_grad=True)
        (slope,) = torch.autograd.grad(
            function(x), x, create_graph=program.kind == "second", materialize_grads=True
        )
        if program.kind == "second":
            (slope,) = torch.autograd.grad(slope.sum(), x, materialize_grads=True)
        return slope.numpy()

    return torch.__version__, torch, derivative


def with_tensorflow() -> tuple[str, Any, Peer]:
    import tensorflow as tf

    tf.experimental.numpy.experimental_enable_numpy_behavior()

    def gradient(function, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x, unconnected_gradients="zero")

    def derivative(program, function):
        try:
            return of(program, function, tf.float64)
        except TypeError:  # a Python float in a loop is float32, and cannot become float64
            return of(program, function, tf.float32)

    def of(program, function, dtype):
        converted = tf.function(function)
        x = tf.constant(program.at, dtype=dtype)
        if program.kind == "batch":
            return tf.vectorized_map(lambda row: gradient(converted, row), x).numpy()
        if program.kind == "second":
            return gradient(lambda x: tf.reduce_sum(gradient(converted, x)), x).numpy()
        return gradient(converted, x).numpy()

    return tf.__version__, tf.experimental.numpy, derivative


def with_autograd() -> tuple[str, Any, Peer]:
    from importlib.metadata import version

    import autograd

    # It has no derivative of `copy`.
    autograd.numpy.copy = lambda x: 1.0 * x

    def derivative(program, function):
        if program.kind == "batch":
            return np.array([autograd.grad(function)(x) for x in np.array(program.at)])
        gradient = autograd.grad(function)
        if program.kind == "second":
            gradient = autograd.grad(lambda x: autograd.numpy.sum(autograd.grad(function)(x)))
        return gradient(np.array(program.at))

    return version("autograd"), autograd.numpy, derivative


def with_drjit() -> tuple[str, Any, Peer]:
    import drjit as dr
    from drjit.llvm.ad import Float64

    names = {"where": dr.select, "copy": lambda x: type(x)(x)}
    names |= {"zeros_like": lambda x: dr.zeros(type(x), dr.width(x))}
    module = SimpleNamespace(**{**vars(dr), **names})

    def derivative(program, function):
        if program.kind == "second" or np.ndim(program.at) > 1:
            raise NotImplementedError  # it has first derivatives of flat arrays
        x = Float64(program.at)  # a batch is an array, as its functions work by element
        dr.enable_grad(x)
        y = dr.syntax(function)(x)
        dr.backward(dr.sum(y) if program.kind == "batch" else y)
        return x.grad.numpy()

    return dr.__version__, module, derivative


PEERS: dict[str, Callable[[], tuple[str, Any, Peer]]] = {
    "jax": lambda: with_jax(compiled=False),
    "jax.jit": lambda: with_jax(compiled=True),
    "torch": with_torch,
    "tf.function": with_tensorflow,
    "autograd": with_autograd,
    "drjit": with_drjit,
}


def answer(program: Program, module: Any, peer: Peer, folder: Path) -> Any:
    """The answer to one program; AutoGraph of TensorFlow reads the source of functions in files."""
    path = folder / f"{program.name}.py"
    path.write_text(program.source)
    spec = importlib.util.spec_from_file_location(program.name, path)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    vars(loaded)["np"] = module
    sys.modules[program.name] = loaded
    spec.loader.exec_module(loaded)
    signal.alarm(SECONDS)
    try:
        return [float(one) for one in np.ravel(peer(program, getattr(loaded, program.name)))]
    except TimeoutError:
        return "no end"
    except Exception as error:
        return type(error).__name__
    finally:
        signal.alarm(0)


def main() -> None:
    def stop(*_):
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    warnings.simplefilter("ignore")
    name, *names = sys.argv[1:]
    if name in APART and not names:
        found = [apart(name, one) for one in PROGRAMS]
        version = next(one["version"] for one in found if "version" in one)
        answers = {key: value for one in found for key, value in one["answers"].items()}
    else:
        version, module, peer = PEERS[name]()
        programs = [one for one in PROGRAMS if not names or one.name in names]
        with tempfile.TemporaryDirectory() as folder:
            answers = {one.name: answer(one, module, peer, Path(folder)) for one in programs}
    print(json.dumps({"version": version, "answers": answers}))


def apart(name: str, program: Program) -> Any:
    """The answer to one program, which may end the process that runs it."""
    command = [sys.executable, "-m", "truth.peers", name, program.name]
    done = subprocess.run(command, capture_output=True, text=True)
    ended = {"answers": {program.name: "abort"}}
    return json.loads(done.stdout) if done.returncode == 0 else ended


if __name__ == "__main__":
    main()
