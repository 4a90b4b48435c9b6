"""A function whose optional package is not installed says so, with the line and the remedy."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
for package in ("jax", "torch", "onnx", "tensorboard", "PIL", "llvmlite"):
    sys.modules[package] = None  # hides the package

import numpy as np
import runtime as rt

def f(x):
    return x + 1.0

{call}
"""
CALLS = {
    "rt.to_jax(f)": ("rt.to_jax", "jax", "jax"),
    "rt.from_jax(f)": ("rt.from_jax", "jax", "jax"),
    "rt.to_torch(f)": ("rt.to_torch", "torch", "torch"),
    "rt.export_onnx(f, 'f.onnx', np.ones(2))": ("rt.export_onnx", "onnx", "onnx"),
    "rt.compile_library(f, 'f', np.ones(2))": ("rt.compile_library", "llvmlite", "native"),
    "rt.summary.Writer('logs')": ("rt.summary", None, "tensorboard"),
    "rt.summary.graph('logs', f, np.ones(2))": ("rt.summary", None, "tensorboard"),
}


@pytest.mark.parametrize("call", CALLS)
def test_the_error_names_the_function_the_package_and_the_extra(call, tmp_path):
    user, package, extra = CALLS[call]
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(call=call))
    found = subprocess.run(
        [sys.executable, str(program)], cwd=tmp_path, capture_output=True, text=True
    )
    assert found.returncode == 1
    assert f"ModuleNotFoundError: {user} needs the package {package or ''}" in found.stderr
    assert f"{program}, line 12" in found.stderr.rpartition("ModuleNotFoundError")[2]
    assert f"pip install 'autograph-numpy[{extra}]'" in found.stderr
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["program.py"]
