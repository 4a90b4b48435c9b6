"""`rt.compile_library`: a loop over an array, and its gradient, called from C without Python."""

import subprocess
import tempfile
from pathlib import Path

import numpy as np

import runtime as rt


def heat(u, rate, steps):
    """The temperatures of a rod after some steps; `u` is changed in place."""
    for _ in range(steps):
        u[1:-1] = u[1:-1] + rate * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.max(u), np.mean(u)


def roughness(u):
    """How much neighbours differ."""
    return np.sum((u[1:] - u[:-1]) ** 2)


ROD = rt.TensorSpec(("n",))
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    rod = rt.compile_library(heat, folder / "heat", ROD, rt.TensorSpec(()), rt.TensorSpec((), int))
    slope = rt.compile_library(
        rt.grad(roughness), folder / "slope", rt.TensorSpec((5,)), name="slope"
    )
    declared = [line for line in rod.header.read_text().splitlines() if line.startswith("int")]
    print("# the header\n", *declared, sep="\n")
    main = Path(__file__).with_suffix(".c")
    command = ["cc", "-I", folder, main, rod.static, slope.static, "-lm", "-o", folder / "main"]
    subprocess.run(command, check=True)
    print("\n# from C\n", flush=True)
    subprocess.run([folder / "main"], check=True)

print("\n# from Python\n")
u = np.array([0.0, 0.0, 100.0, 0.0, 0.0])
largest, mean = heat(u, 0.25, 10)
print(f"largest {largest:.6f}, mean {mean:.6f}")
print("u    ", *(f"{one:10.6f}" for one in u))
print("slope", *(f"{one:10.6f}" for one in rt.grad(roughness)(u)))
