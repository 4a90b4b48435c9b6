"""The recipes of `samples/scale`: a graph divides its work among processes and machines."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "samples" / "scale"
SAME = "96 x 64 points, the same as in one process: True"


def printed(name):
    """The output of a sample."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, str(FOLDER / f"{name}.py")],
        capture_output=True,
        text=True,
        env=environment,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_joblib():
    pytest.importorskip("joblib", reason="joblib is not installed")
    assert printed("with_joblib") == [f"joblib: {SAME}"]


def test_the_function_for_spark_takes_batches_of_tables():
    pytest.importorskip("pandas", reason="pandas is not installed")
    (line,) = printed("with_spark")
    assert line.endswith(SAME)


@pytest.mark.thorough
def test_multiprocessing():
    assert printed("with_multiprocessing") == [f"multiprocessing: {SAME}"]


@pytest.mark.thorough
def test_dask():
    pytest.importorskip("dask.array", reason="dask is not installed")
    assert printed("with_dask") == [f"dask.array: {SAME}", f"dask.delayed: {SAME}"]


@pytest.mark.thorough
def test_ray():
    pytest.importorskip("ray", reason="Ray is not installed")
    assert printed("with_ray") == [f"Ray: {SAME}"]


@pytest.mark.thorough
def test_a_graph_saves_time_in_each_worker():
    for line in printed("saved_time"):
        by_name, as_graph = (float(part.split()[-2]) for part in line.split(","))
        assert as_graph < by_name
