"""Graphs of functions, and loaded programs, are pickled as saved programs: they need no code."""

import copy
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import runtime as rt

X = np.array([1.0, 2.0, 3.0])

MODULE = """
import numpy as np

import runtime as rt

total = rt.Variable(0.0)
scale = np.full(3, 2.0)


@rt.function
def step(x):
    total.assign_add(x.sum())
    while x.sum() > 1.0:
        x = x / scale
    return {"x": x, "total": total + 0.0}


def loss(x):
    return (x * scale).sum() if x[0] > 0 else x.sum()


slope = rt.grad(loss)
rows = rt.vmap(lambda x: x * 2 if x > 0 else x)
checked = rt.function(lambda x: x if x > 0 else 1 / 0)
"""

WRITES = """
import pickle
import sys

import numpy as np

from away import checked, rows, slope, step, total

step(np.ones(3))
made = [one.get_concrete_function(np.ones(3)) for one in (step, slope, rows)]
with open(sys.argv[1], "wb") as file:
    pickle.dump((made, total, checked.get_concrete_function(np.float64(1))), file)
"""

READS = """
import pickle
import sys

import numpy as np

with open(sys.argv[1], "rb") as file:
    (step, slope, rows), total, checked = pickle.load(file)
assert "away" not in sys.modules
print(step(np.ones(3))["total"], total.value, slope(np.ones(3)), rows(-np.ones(3)))
try:
    checked(np.float64(-1))
except ZeroDivisionError as error:
    print(error)
"""


def again(value, protocol=pickle.HIGHEST_PROTOCOL):
    return pickle.loads(pickle.dumps(value, protocol))


def test_a_graph_runs_where_its_code_is_not(tmp_path):
    source = tmp_path / "away.py"
    source.write_text(MODULE)

    def run(program):
        command = [sys.executable, "-c", textwrap.dedent(program), str(tmp_path / "graphs")]
        paths = [str(tmp_path), *sys.path]
        done = subprocess.run(
            command, capture_output=True, text=True, env={"PYTHONPATH": ":".join(paths)}
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(WRITES)
    source.unlink()
    for compiled in (tmp_path / "__pycache__").glob("*"):
        compiled.unlink()
    assert run(READS) == "6.0 6.0 [2. 2. 2.] [-1. -1. -1.]\ndivision by zero\n"


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_variables_and_arrays_stay_together(protocol):
    count, weights = rt.Variable(0), np.zeros(3)

    def step(x):
        count.assign_add(1)
        weights[0] += x[0]
        return weights * x

    concrete = rt.function(step).get_concrete_function(X)
    loaded, copied, array = again((concrete, count, weights), protocol)
    assert loaded(X).tolist() == [1.0, 0.0, 0.0]
    assert (copied.value, count.value) == (1, 0)
    assert array.tolist() == [1.0, 0.0, 0.0] and weights.tolist() == [0.0] * 3


def test_graphs_share_a_variable():
    count = rt.Variable(0.0)
    adds = rt.function(lambda x: count.assign_add(x.sum())).get_concrete_function(X)
    reads = rt.function(lambda x: x * count).get_concrete_function(X)
    adds, reads = again([adds, reads])
    adds(X)
    assert reads(X).tolist() == [6.0, 12.0, 18.0] and count.value == 0.0


def test_a_pickled_graph_is_pickled_again():
    def doubled(x):
        return x * 2 if x.sum() > 1 else x

    concrete = rt.function(doubled).get_concrete_function(X)
    loaded = again(again(concrete))
    assert np.array_equal(loaded(X), concrete(X))
    assert repr(loaded) == "<graph of doubled(f64[3])>"
    assert str(loaded.graph) == str(concrete.graph)
    assert loaded.source.startswith("def doubled(")
    assert rt.grad(lambda x: loaded(x).sum())(X).tolist() == [2.0, 2.0, 2.0]
    with pytest.raises(TypeError, match=r"(?s)other arguments than \(3\).*get_concrete_function"):
        loaded(3)


def test_loaded_programs_are_pickled():
    class Model:
        def __init__(self):
            self.count = rt.Variable(1.0, name="count")

        @rt.function
        def step(self, x):
            return self.count.assign_add(x.sum())

        @rt.function
        def scaled(self, x):
            return x * self.count

    model = Model()
    signatures = {"step": [(X,)], "scaled": [(X,)]}
    loaded = rt.saved.from_bytes(rt.saved.as_bytes(model, signatures))
    copied, step, same = again((loaded, loaded.step, loaded))
    assert copied is same
    step(X)
    assert copied.count.value == 7.0 and loaded.count.value == 1.0
    assert copied.scaled(X).tolist() == [7.0, 14.0, 21.0]

    function = rt.saved.from_bytes(rt.saved.as_bytes(rt.function(np.sin), [(X,)]))
    assert np.array_equal(again(function)(X), np.sin(X))


def test_a_graph_that_cannot_be_saved_is_traced_again():
    heard = []

    def tells(x):
        if x.sum() > 1:
            rt.host_call(heard.append, 1)
        return x * 2

    concrete = rt.function(tells).get_concrete_function(X)
    with pytest.raises(rt.errors.SaveError):
        rt.saved.as_bytes(concrete)
    loaded = again(concrete)
    assert loaded(X).tolist() == [2.0, 4.0, 6.0] and loaded.graph is not concrete.graph


def test_a_copy_of_a_graph_is_the_graph():
    concrete = rt.function(lambda x: x + 1).get_concrete_function(X)
    assert copy.copy(concrete) is concrete and copy.deepcopy([concrete])[0] is concrete


def test_functions_of_packages_are_called_without_leave():
    linalg = pytest.importorskip("scipy.linalg", reason="SciPy is not installed")
    concrete = rt.function(lambda a: linalg.expm(a) * 2).get_concrete_function(np.eye(2))
    assert np.array_equal(again(concrete)(np.eye(2)), concrete(np.eye(2)))
