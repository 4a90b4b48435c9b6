"""Graphs on meshes of devices: `rt.function(engine="xla", mesh=..., in_shardings=...)`, and graphs
in the functions of JAX that have shardings.

The result is that of NumPy on one processor, but for roundings: sums are added in another order.
"""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax", reason="meshes need the extra `jax`")
pytestmark = pytest.mark.thorough
PROGRAM = Path(__file__).parent / "mesh_programs.py"
BY_OPTIONS = {
    "data_parallel",
    "tensor_parallel",
    "pipelined_lstm",
    "singular_value",
    "clusters",
    "regression",
}
ROUNDING = 4e-15  # relative to the greatest element: some units in the last place of sums


def started(devices, *arguments):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    environment["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={devices}"
    return subprocess.Popen(
        [sys.executable, str(PROGRAM), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def distances(process):
    """The distance that each program has printed."""
    printed, errors = process.communicate(timeout=200)
    assert process.returncode == 0, errors
    lines = re.findall(r"^program (\w+): (\S+)$", printed, re.MULTILINE)  # Gloo prints others
    return {name: float(text) for name, text in lines}


def test_eight_devices():
    found = distances(started(8))
    assert set(found) == BY_OPTIONS | {
        "data_parallel_by_jax",
        "pipelined_by_shard_map",
        "control_flow_in_shard_map",
    }
    assert max(found.values()) < ROUNDING


def test_two_processes_of_four_devices():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    processes = [started(4, str(rank), str(port)) for rank in range(2)]
    for process in processes:
        found = distances(process)
        assert set(found) == BY_OPTIONS and max(found.values()) < ROUNDING
