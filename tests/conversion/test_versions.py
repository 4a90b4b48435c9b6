"""A converted function runs the user's own code while nothing can be staged."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

FUNCTIONS = """\
import contextlib

import numpy as np

import autograph
import runtime as rt


def total(n):
    s = 0
    while n > 0:
        if n % 2:
            s += n
        n -= 1
    return s


def in_context(n):
    with contextlib.nullcontext():
        if n > 1:
            return n
    return 0


def made(k):
    def larger(x):
        if x > k:
            return 1
        return 0

    return larger


def numbers(n):
    for i in range(n):
        if i % 2:
            yield i


class Account:
    def __init__(self, limit):
        self.limit = limit

    def allowed(self, x):
        if x > self.limit:
            return 0
        return x


converted = autograph.to_graph(total)
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Returns the output of a program that starts with the functions above."""
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{tmp_path}")
    monkeypatch.delenv("AUTOGRAPH_CONVERTED")
    (tmp_path / "functions.py").write_text(FUNCTIONS)

    def run(program):
        (tmp_path / "program.py").write_text("from functions import *\n" + program)
        command = [sys.executable, "-W", "error", str(tmp_path / "program.py")]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_the_users_code_runs_while_nothing_can_be_staged(run):
    assert run("print(converted(10), converted.__code__ is total.__code__)") == "25 True\n"


def test_converted_code_runs_while_a_graph_is_traced(run):
    program = """\
seen = []
staged = rt.function(lambda x: (seen.append(converted.__code__ is total.__code__), converted(x))[1])
print(staged(np.int64(10)), seen, converted.__code__ is total.__code__)
"""
    assert run(program) == "25 [False] True\n"


def test_a_function_converted_while_a_graph_is_traced_runs_the_users_code_afterwards(run):
    program = """\
made_inside = []

@rt.function
def staged(x):
    made_inside.append(autograph.to_graph(total))
    return made_inside[0](x)

print(staged(np.int64(10)), made_inside[0].__code__ is total.__code__, made_inside[0](4))
"""
    assert run(program) == "25 True 4\n"


def test_it_is_one_function_for_all_callers(run):
    program = """\
print(autograph.to_graph(converted) is converted, rt.function(converted)(np.int64(7)))
larger = autograph.to_graph(made(3))
print(larger(4), rt.function(larger)(np.int64(3)), larger.__closure__[0].cell_contents)
method = autograph.to_graph(Account(3).allowed)
print(method(2), method(4), rt.function(method)(np.int64(2)))
print(autograph.to_graph(Account)(3).allowed(4), Account.allowed(Account(5), 4))
print(list(autograph.to_graph(numbers)(6)))
"""
    assert run(program) == "True 16\n1 0 3\n2 0 2\n0 4\n[1, 3, 5]\n"


CONTEXTS = """\
import threading, warnings
from contextlib import suppress as quiet

LOCK, GRAPH = threading.Lock(), rt.Graph()

@contextlib.contextmanager
def own():
    with GRAPH.as_default():
        yield

def plain_lock(x):
    with LOCK:
        return 1 if x else 0

def plain_two(x):
    with np.errstate(all="ignore"), quiet(KeyError), open(__file__) as f:
        return 1 if x else 0

def plain_nested(x):
    def inner():
        with warnings.catch_warnings():
            return 1 if x else 0
    return inner()

def other_graph(x):
    with GRAPH.as_default():
        return 1 if x else 0

def other_own(x):
    with own():
        return 1 if x else 0

def other_stack(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(own())
        return 1 if x else 0

def other_argument(x, open=contextlib.nullcontext):
    with open():
        return 1 if x else 0

def other_local(x):
    np = GRAPH
    with np.as_default():
        return 1 if x else 0

def other_attribute(x):
    with x.lock:
        return 1 if x else 0

def other_unknown(x):
    with Nothing():
        return 1 if x else 0

for name, function in list(vars().items()):
    if name.startswith(("plain_", "other_")):
        is_own = autograph.to_graph(function).__code__ is function.__code__
        assert is_own == name.startswith("plain_"), name
    if name.startswith("plain_"):
        assert autograph.to_graph(function)(3) == 1
"""


def test_a_function_runs_converted_code_if_a_context_may_begin_to_stage(run):
    run(CONTEXTS)


def test_a_context_that_takes_the_name_of_pythons_is_not_staged_silently(run):
    program = """\
entered, graph = autograph.to_graph(in_context), rt.Graph()
with graph.as_default():
    x = rt.placeholder(np.float64, name="x")

class contextlib:
    nullcontext = graph.as_default

entered.__globals__["contextlib"] = contextlib
try:
    print(entered(x))
except rt.StagingError:
    print("refused")
"""
    assert run(program) == "refused\n"


def test_values_that_become_staged_during_a_call_are_staged(run):
    program = """\
@autograph.convert()
def build(n):
    graph = rt.Graph()
    with graph.as_default():
        x = rt.placeholder(np.float64, name="x")
        if x > n:
            y = x * 2
        else:
            y = x
    session = rt.Session()
    return session.run(y, {x: np.float64(3)}), session.run(y, {x: np.float64(0.5)})

print(*build(1.0))
"""
    assert run(program) == "6.0 0.5\n"


def test_a_backend_whose_values_may_be_anywhere_makes_converted_code_run(run):
    program = """\
class Traced:
    def __init__(self, value):
        self.value = value

    def __gt__(self, other):
        return Traced(f"{self.value} > {other}")

class Recorder(autograph.Backend):
    def if_stmt(self, test, body, orelse, state):
        print("if", test.value)
        body()

before = converted.__code__ is total.__code__
autograph.register_backend(Traced, Recorder())
print(before, converted.__code__ is total.__code__, converted(4))
autograph.to_graph(Account(3).allowed)(Traced("x"))
"""
    assert run(program) == "True False 4\nif x > 3\n"


def test_an_ambient_backend_makes_converted_code_run_while_it_is_registered(run):
    program = """\
from autograph.backend import unregister_ambient

class Quiet(autograph.Backend):
    stages_in_blocks_only = True

quiet = Quiet()
autograph.register_ambient(lambda: False, quiet)
during = converted.__code__ is total.__code__
unregister_ambient(quiet)
print(during, converted.__code__ is total.__code__)
"""
    assert run(program) == "False True\n"


def test_converted_code_runs_if_the_environment_says_so(run, monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_CONVERTED", "1")
    assert run("print(converted.__code__ is total.__code__, converted(10))") == "False 25\n"


def test_code_that_the_user_assigns_stays(run):
    program = """\
def other(n):
    return n + 1

converted.__code__ = other.__code__
print(rt.function(lambda x: converted(x))(np.int64(1)), converted(2))
print(converted.__code__ is other.__code__)
"""
    assert run(program) == "2 3\nTrue\n"


def test_a_function_and_its_versions_are_freed(run):
    program = """\
import gc, weakref
from autograph.functions import rebuild, versions

larger = made(3)
gone = weakref.ref(autograph.to_graph(larger))
gc.collect()
print(gone(), len(versions._versions))
"""
    assert run(program) == "None 1\n"


def test_the_collection_of_programs_runs_with_two_versions(monkeypatch):
    """The meaning of each construct, with converted functions as users meet them."""
    monkeypatch.delenv("AUTOGRAPH_CONVERTED")
    tests = ["tests/conversion/test_meaning.py", "tests/conversion/test_entities.py"]
    command = [sys.executable, "-m", "pytest", "-q", "--two-versions", "-p", "no:cacheprovider"]
    done = subprocess.run([*command, *tests], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout[-3000:]
