"""Functions that run in other processes: multiprocessing, executors, joblib, dask, Ray."""

import functools
import multiprocessing
import multiprocessing.pool
import operator
import os
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import runtime as rt

pytestmark = pytest.mark.filterwarnings("ignore::runtime.tracing.retracing.RetracingWarning")

X = np.array([1.0, -2.0, 3.0])
TABLE = np.arange(3.0)


@rt.function
def decorated(x):
    total = 0.0
    for v in x:
        if v > 0:
            total = total + v
    return total + TABLE.sum()


class Net:
    def __init__(self):
        generator = rt.random.default_rng(0)
        self.first = rt.nn.Dense(4, rt.nn.relu, inputs=3, generator=generator)
        self.calls = rt.Variable(0)

    @rt.function
    def __call__(self, x):
        self.calls.assign_add(1)
        return self.first(x)


def tasks():
    """Functions of every kind, each with an argument."""
    scale = np.full(3, 2.0)
    net = Net()

    @rt.function
    def nested(x):
        return decorated(x) * scale if x[0] > 0 else x

    def loss(x):
        return (x * scale).sum() if x[0] > 0 else x.sum()

    return [
        (decorated, X),
        (nested, X),
        (rt.function(lambda x: x * scale if x.sum() > 0 else x), X),
        (rt.grad(loss), X),
        (rt.vmap(lambda x: x * 2 if x > 0 else x), X),
        (net, np.ones((2, 3))),
        (rt.function(lambda x: net(x)), np.ones((2, 3))),
        (rt.function(loss).get_concrete_function(X), X),
    ]


def call(task):
    function, argument = task
    return function(argument)


def check(results):
    for found, wanted in zip(results, map(call, tasks()), strict=True):
        assert np.array_equal(found, wanted)


@pytest.mark.filterwarnings("ignore:This process")
@pytest.mark.parametrize(
    "start",
    ["fork", *(pytest.param(s, marks=pytest.mark.thorough) for s in ("forkserver", "spawn"))],
)
def test_a_pool_of_processes(start):
    decorated(X)
    if start not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system cannot start processes by {start}")
    context = multiprocessing.get_context(start)
    with context.Pool(1) as pool:
        check(pool.map_async(call, tasks()).get(120))


def test_an_executor_of_processes():
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        check(list(executor.map(call, tasks(), timeout=120)))


def test_joblib():
    joblib = pytest.importorskip("joblib", reason="joblib is not installed")
    check(joblib.Parallel(n_jobs=2, backend="threading")(joblib.delayed(call)(t) for t in tasks()))
    delayed = [joblib.delayed(function)(argument) for function, argument in tasks()]
    check(joblib.Parallel(n_jobs=2, backend="loky", timeout=120)(delayed))


def test_dask():
    dask = pytest.importorskip("dask", reason="dask is not installed")
    delayed = [dask.delayed(function, pure=False)(argument) for function, argument in tasks()]
    for scheduler in ("synchronous", "threads"):
        check(dask.compute(*delayed, scheduler=scheduler))
    arrays = pytest.importorskip("dask.array")
    x = arrays.from_array(np.arange(8.0), chunks=2)
    shifted = x.map_blocks(rt.function(lambda b: b * 2 if b.sum() > 3 else b), dtype=float)
    wanted = [0, 1, 4, 6, 8, 10, 12, 14]
    assert shifted.compute(scheduler="threads").tolist() == wanted


@pytest.mark.thorough
def test_processes_of_dask():
    dask = pytest.importorskip("dask", reason="dask is not installed")
    delayed = [dask.delayed(function, pure=False)(argument) for function, argument in tasks()]
    check(dask.compute(*delayed, scheduler="processes", num_workers=1))


@pytest.mark.thorough
def test_a_cluster_of_dask():
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    options = {"n_workers": 1, "threads_per_worker": 2, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        futures = [client.submit(function, argument, pure=False) for function, argument in tasks()]
        check(client.gather(futures))


@pytest.mark.thorough
def test_ray():
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    path = os.pathsep.join(filter(None, sys.path))  # this module is imported by the workers
    environment = {"env_vars": {"PYTHONPATH": path}}
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    try:
        remote = ray.remote(call)
        check(ray.get([remote.remote(task) for task in tasks()], timeout=120))
    finally:
        ray.shutdown()


def test_reduction_over_threads():
    parts = [np.full(3, float(i)) for i in range(8)]
    with multiprocessing.pool.ThreadPool(4) as pool:
        found = pool.map(rt.function(lambda x: x * TABLE), parts)
    assert functools.reduce(operator.add, found).tolist() == [0.0, 28.0, 56.0]
