"""Functions that several threads call for the first time, at the same time.

Exactly one thread creates the variables of a model, no call is lost, and no thread waits forever.
"""

import os
import random
import signal
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

import runtime as rt
from autograph.staging import refusals
from runtime.errors import StagingError
from runtime.tracing import recording_lock, trace

pytestmark = pytest.mark.filterwarnings("ignore::runtime.tracing.retracing.RetracingWarning")

THREADS = 16
ROUNDS = [12, pytest.param(1000, marks=pytest.mark.thorough)]


@pytest.fixture(autouse=True)
def threads_switch_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    yield
    sys.setswitchinterval(before)


def together(*functions):
    """What each function returns, called in a thread of its own; all begin at the same time."""
    barrier = threading.Barrier(len(functions))
    found = [None] * len(functions)

    def run(i):
        barrier.wait()
        try:
            found[i] = functions[i]()
        except BaseException as error:
            found[i] = error

    threads = [threading.Thread(target=run, args=(i,), daemon=True) for i in range(len(functions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads), "deadlock"
    errors = [one for one in found if isinstance(one, BaseException)]
    if errors:
        raise errors[0]
    return found


class Model:
    """A model that creates its parameters in its first call: one from a staged value."""

    def __init__(self):
        self.weights = self.mean = self.count = None

    def __call__(self, x):
        if self.weights is None:
            self.weights = rt.Variable(rt.random.normal(size=x.shape))
            self.mean = rt.Variable(x.mean())
            self.count = rt.Variable(0)
        self.count.assign_add(1)
        return (x - self.mean) * self.weights


@pytest.mark.parametrize("rounds", ROUNDS)
def test_one_thread_creates_the_variables(rounds):
    x = np.arange(4.0)
    for _ in range(rounds):
        model = Model()
        serve = rt.function(lambda x, model=model: model(x))
        found = together(*[lambda serve=serve: serve(x)] * THREADS)
        wanted = (x - 1.5) * model.weights.value
        assert all(np.array_equal(one, wanted) for one in found)
        assert model.count.value == THREADS


@pytest.mark.parametrize("rounds", ROUNDS)
def test_one_thread_creates_the_variables_of_a_method(rounds):
    class Served(Model):
        __call__ = rt.function(Model.__call__)

    x = np.arange(4.0)
    for _ in range(rounds):
        models = [Served() for _ in range(4)]
        together(*[lambda m=m: m(x) for m in models] * (THREADS // 4))
        assert [model.count.value for model in models] == [THREADS // 4] * 4


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_variable_that_another_thread_creates_has_a_value(rounds):
    x = np.arange(4.0)
    for _ in range(rounds):
        model = Model()
        serve = rt.function(lambda x, model=model: model(x))
        done = []

        def read(model=model, done=done):
            while not done:
                if model.mean is not None:
                    assert model.mean.value == 1.5

        def call(serve=serve, done=done):
            try:
                serve(x)
            finally:
                done.append(True)

        together(call, read, read)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_new_signatures_and_new_values(rounds):
    table = {"rate": 1.0}

    def work(x, n):
        total = x * table["rate"]
        for _ in range(n):
            total = total + x
        return total

    for _ in range(rounds):
        served = rt.function(work, cache_size=4)
        calls = [(np.full(1 + i % 5, float(i)), i % 3) for i in range(THREADS)]
        found = together(*[lambda c=c, f=served: [f(*c) for _ in range(3)] for c in calls])
        for (x, n), results in zip(calls, found, strict=True):
            assert all(np.array_equal(one, x * (n + 1)) for one in results)


def test_functions_that_call_each_other_in_opposite_order():
    v, w = rt.Variable(0), rt.Variable(0)

    def one(n):
        v.assign_add(1)
        return two(n - 1) if n > 0 else n

    def two(n):
        w.assign_add(1)
        return one(n - 1) if n > 0 else n

    one, two = rt.function(one), rt.function(two)
    together(*[lambda i=i: (one, two)[i % 2](i % 4) for i in range(THREADS)])
    steps = sum(i % 4 + 1 for i in range(THREADS))
    assert v.value + w.value == steps


def test_a_refused_function_leaves_nothing_locked():
    @rt.function
    def refused(x):
        return frozenset((x, 1.0))

    @rt.function
    def accepted(x):
        return x + 1

    def expect_refusal():
        with pytest.raises(StagingError):
            refused(np.float64(1))

    together(*[expect_refusal, lambda: accepted(np.ones(2))] * 8)


def test_an_interrupt_leaves_nothing_locked():
    captured = np.ones(3)
    interrupts = [True]

    @rt.function
    def interrupted(x):
        if interrupts:
            interrupts.pop()
            raise KeyboardInterrupt
        return x + captured

    with pytest.raises(KeyboardInterrupt):
        interrupted(np.ones(3))
    assert captured.tolist() == [1, 1, 1]
    found = together(lambda: interrupted(np.ones(3)))
    assert found[0].tolist() == [2, 2, 2]


class Stop(BaseException):
    """An exception that a signal raises at any instruction."""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # in callbacks
@pytest.mark.parametrize("rounds", [40, pytest.param(2000, marks=pytest.mark.thorough)])
def test_a_signal_at_any_point_leaves_arrays_in_their_places(rounds):
    captured = np.ones(3)
    held = {"list": [captured], "pair": (captured, 2)}
    delays = random.Random(0)

    def stop(*_):
        raise Stop

    def record(k):
        return rt.function(lambda x: x * k + held["list"][0] + held["pair"][0])(np.ones(3))

    def interrupted(k):
        signal.setitimer(signal.ITIMER_REAL, delays.uniform(0.0005, 0.02))
        try:
            return record(k)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    before = signal.signal(signal.SIGALRM, stop)
    try:
        for k in range(rounds):
            try:
                interrupted(k)
            except Stop:
                pass
            assert type(held["list"][0]) is type(held["pair"][0]) is np.ndarray
            assert trace.current() is None and refusals.current() is None
    finally:
        signal.signal(signal.SIGALRM, before)
    assert together(lambda: record(3))[0].tolist() == [5.0] * 3


# -- a recording thread that waits for others ------------------------------------------------------


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(recording_lock, "PERIOD", 0.02)


def test_a_function_may_wait_for_threads_that_need_graphs(impatient):
    square = rt.function(lambda x: x * x)
    captured = np.full(3, 2.0)

    @rt.function
    def total(x):
        with ThreadPoolExecutor(4) as pool:
            squares = list(pool.map(square, [1.0, 2.0, 3.0]))
        return x + captured + sum(squares)

    assert together(lambda: total(np.zeros(3)))[0].tolist() == [16.0] * 3


def test_a_function_may_wait_for_threads_that_call_it(impatient):
    @rt.function
    def factorial(n):
        if n <= 1:
            return 1
        with ThreadPoolExecutor(1) as pool:
            return n * pool.submit(factorial, n - 1).result()

    assert together(lambda: factorial(4)) == [24]


# -- a server --------------------------------------------------------------------------------------


def test_a_threaded_server_answers_every_request():
    class Net:
        def __init__(self):
            generator = rt.random.default_rng(0)
            self.first = rt.nn.Dense(4, rt.nn.relu, generator=generator)
            self.last = rt.nn.Dense(2, generator=generator)

        @rt.function
        def __call__(self, x):
            return self.last(self.first(x))

    net = Net()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            size = int(self.path.strip("/"))
            body = repr(net(np.ones((size, 3))).tolist()).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        address = f"http://127.0.0.1:{server.server_address[1]}"

        def ask(i):
            with urllib.request.urlopen(f"{address}/{i % 4 + 1}", timeout=60) as answer:
                return i % 4 + 1, answer.read().decode()

        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(ask, range(40)))
    finally:
        server.shutdown()
        server.server_close()
    for size, answer in answers:
        assert answer == repr(net(np.ones((size, 3))).tolist())


# -- forks -----------------------------------------------------------------------------------------

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


def status_of_child(work):
    """The exit status of a child process that calls `work`; 124 if it does not end."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if work() else 1)
        except BaseException:
            os._exit(2)
    for _ in range(600):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, 9)
    return 124


@needs_fork
@pytest.mark.filterwarnings("ignore:This process")
def test_a_child_that_is_forked_while_another_thread_records():
    captured = np.ones(3)
    recording, go_on = threading.Event(), threading.Event()

    @rt.function
    def slow(x):
        recording.set()
        go_on.wait(30)
        return x + captured

    def works():
        fresh = rt.function(lambda x: x * captured)
        return type(captured) is np.ndarray and fresh(np.full(3, 2.0)).tolist() == [2.0] * 3

    thread = threading.Thread(target=slow, args=(np.ones(3),))
    thread.start()
    recording.wait(30)
    timer = threading.Timer(0.3, go_on.set)
    timer.start()
    try:
        assert status_of_child(works) == 0
    finally:
        go_on.set()
        thread.join()
    assert slow(np.ones(3)).tolist() == [2.0] * 3


@needs_fork
@pytest.mark.filterwarnings("ignore:This process")
def test_a_child_that_is_forked_by_the_recording_thread(impatient):
    captured = np.ones(3)

    def works():
        assert type(captured) is np.ndarray
        return rt.function(lambda x: x * captured)(np.full(3, 2.0)).tolist() == [2.0] * 3

    @rt.function
    def forks(x):
        return x + captured, status_of_child(works)

    found, status = forks(np.ones(3))
    assert found.tolist() == [2.0] * 3
    assert status == 0


@needs_fork
@pytest.mark.filterwarnings("ignore:This process")
def test_a_child_has_threads_of_its_own():
    x = np.random.default_rng(0).normal(size=(400, 400))

    def work(x):
        return x @ x + np.linalg.inv(x), np.exp(x) @ x

    work = rt.function(work)
    with rt.config.temporarily(threads=3):
        first = work(x)

        def works():
            return all(map(np.array_equal, work(x), first))

        assert status_of_child(works) == 0
