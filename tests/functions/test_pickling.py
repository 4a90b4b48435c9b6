"""Functions, graphs, variables and models that are pickled, in this process and to another one."""

import copy
import functools
import linecache
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import autograph
import runtime as rt

ROOT = Path(__file__).parents[2]

X = np.array([1.0, -2.0, 3.0])
WEIGHTS = np.arange(3.0)


def again(value):
    return pickle.loads(pickle.dumps(value))


def same(one, other):
    if isinstance(one, (tuple, list)):
        return type(one) is type(other) and all(map(same, one, other))
    return type(one) is type(other) and np.array_equal(one, other)


@rt.function
def by_name(x):
    return x * 2 if x.sum() > 0 else x


@rt.grad
def slope(x):
    return (x * x).sum() if x[0] > 0 else x.sum()


class Model:
    def __init__(self):
        self.weights = np.ones(3)
        self.count = rt.Variable(0)

    @rt.function
    def step(self, x):
        if x.sum() > 0:
            self.weights = self.weights * 0.5
        self.count.assign_add(1)
        return (self.weights * x).sum()


def helper(x):
    return x + WEIGHTS if x.sum() > 0 else x


def local_functions():
    """Functions that no name leads to, each with arguments."""
    scale, missing, shared = np.full(3, 4.0), None, [1.0]

    @rt.function
    def recursive(x, depth=2):
        if depth > 0:
            return recursive(x / 2, depth - 1) + scale
        return helper(x) if x.sum() > 0 else x

    def counted(x, *rest, factor=2.0, **named):
        nonlocal missing
        missing = x.sum()
        return x * factor + shared[0] + len(rest) + len(named)

    def loss(x):
        total = 0.0
        for k in range(3):
            total = total + (x * k).sum() if x[0] > 0 else total
        return total

    variable = rt.Variable(np.ones(3))
    yield rt.function(lambda x: x * WEIGHTS if x.sum() > 0 else x), (X,)
    yield recursive, (X,)
    yield rt.function(counted), (X,)
    yield rt.function(functools.partial(counted, factor=3.0)), (X, 1, 2)
    yield rt.function(lambda x: x + variable), (X,)
    yield rt.function(loss, reduce_retracing=True), (X,)
    yield rt.function(loss, input_signature=[rt.TensorSpec((None,))], engine="eager"), (X,)
    yield rt.grad(loss), (X,)
    yield rt.grad(rt.function(loss)), (X,)
    yield rt.grad(rt.grad(lambda x: x**3)), (2.0,)
    yield rt.value_and_grad(lambda x: loss(x) * 2), (X,)
    yield rt.value_and_grad(lambda x: (loss(x), x), has_aux=True), (X,)
    yield rt.jacobian(lambda x: x * x), (X,)
    yield rt.hessian(lambda x: (x**3).sum()), (X,)
    yield rt.vmap(lambda x: helper(x)), (np.ones((2, 3)),)
    yield rt.vmap(lambda x, y: x * y, in_axes=(0, None)), (np.ones((2, 3)), 2.0)
    yield rt.vmap(rt.grad(loss)), (np.ones((2, 3)),)
    yield rt.vjp(lambda x: x**2, X)[1], (X,)
    yield rt.checkpoint(loss), (X,)
    yield rt.custom_gradient(lambda x: (x * x, lambda d: d * x)), (X,)
    yield rt.function(lambda x: slope(x) + by_name(x)), (X,)


LOCAL = list(local_functions())


@pytest.mark.parametrize("i", range(len(LOCAL)))
def test_local_functions_are_pickled_by_value(i):
    function, arguments = LOCAL[i]
    loaded = again(function)
    assert loaded is not function
    assert same(loaded(*arguments), function(*arguments))
    assert same(again(loaded)(*arguments), function(*arguments))
    assert same(loaded(*arguments), function(*arguments))


def test_functions_are_pickled_by_name_where_a_name_leads_to_them():
    assert again(by_name) is by_name
    assert again(slope) is slope
    assert again(Model.step) is Model.step
    assert len(pickle.dumps(by_name)) < 100


def test_options_are_pickled():
    made = rt.function(lambda x: x, reduce_retracing=True, cache_size=3, engine="eager")
    loaded = again(made)
    assert (loaded.reduce_retracing, loaded.cache_size, loaded.engine) == (True, 3, "eager")
    assert loaded.__name__ == "<lambda>"


def test_closures_that_share_a_variable_share_it_afterwards():
    total = 0

    def add(x):
        nonlocal total
        total = total + x
        return total

    def read():
        return total

    add, read = again((rt.function(add), rt.function(read)))
    add(2.0)
    assert read() == 2.0
    assert total == 0


def test_a_function_and_the_object_that_it_uses_stay_together():
    model = Model()
    loaded, call = again((model, rt.function(lambda x: model.step(x))))
    assert call(np.ones(3)) == 1.5
    assert loaded.weights.tolist() == [0.5] * 3
    assert (loaded.count.value, model.count.value) == (1, 0)


def test_attributes_documentation_and_defaults_are_pickled():
    def documented(x, y=WEIGHTS, *, k=helper):
        """Its documentation."""
        return k(x) + y

    documented.unit = "m"
    loaded = again(rt.function(documented))
    assert loaded.__doc__ == "Its documentation."
    assert loaded.python_function.unit == "m"
    assert same(loaded(X), documented(X))


def test_an_unbound_free_variable_stays_unbound():
    def outer():
        made = rt.function(lambda: late)
        loaded = again(made)
        late = 3
        return loaded, late

    loaded, _ = outer()
    with pytest.raises(NameError, match="late"):
        loaded()


def test_a_method_takes_its_object_with_it():
    model = Model()
    model.step(X)
    step = again(model.step)
    assert same(step(X), model.step(X))
    assert same(step.__self__.weights, model.weights)
    assert step.__self__.count.value == 2


def test_a_copy_of_a_function_is_the_function():
    made = rt.function(lambda x: x + 1)
    assert copy.copy(made) is made
    assert copy.deepcopy([made])[0] is made


# -- graphs ----------------------------------------------------------------------------------------


def test_a_concrete_function_is_pickled_as_its_graph():
    for function, arguments in LOCAL[:3]:
        concrete = function.get_concrete_function(*arguments)
        loaded = again(concrete)
        assert same(loaded(*arguments), concrete(*arguments))
        assert str(loaded.graph) == str(concrete.graph)


@pytest.mark.parametrize(
    "arguments",
    [
        (np.float64(2), 3),
        (np.array(2.0), "text"),
        ([X, {"a": X}], None),
        (np.arange(3), 2.5),
    ],
)
def test_the_signature_of_a_concrete_function_is_pickled(arguments):
    made = rt.function(lambda x, y: x)
    concrete = made.get_concrete_function(*arguments)
    assert again(concrete).signature == concrete.signature


def test_a_general_signature_is_pickled():
    made = rt.function(lambda x, n: x * n, reduce_retracing=True)
    made(X, 2)
    made(np.ones(5), 3)
    loaded = again(made.graphs[0])
    assert str(loaded.signature) == "f64[None], int"
    assert loaded(np.ones(7), 4).tolist() == [4.0] * 7


def test_a_graph_for_one_object_is_not_pickled():
    model = Model()
    concrete = Model.step.get_concrete_function(model, X)
    with pytest.raises(TypeError, match=r"(?s)cannot be pickled.*for one Model only"):
        pickle.dumps(concrete)


def test_graphs_sessions_and_profiles_are_pickled():
    with rt.Graph().as_default() as graph:
        a = rt.placeholder(np.float64, (3,), name="a")
        b = np.sin(a) + 1.0
    with rt.Session() as session:
        first = session.run(b, {a: X})
        graph, a, b, session = again((graph, a, b, session))
        assert same(session.run(b, {a: X}), first)
    traced = by_name.get_concrete_function(X).graph
    assert rt.show(again(traced)) == rt.show(traced)
    assert again(traced.nodes[0].op) is traced.nodes[0].op


def test_a_staged_value_is_not_pickled():
    @rt.function
    def saves(x):
        return len(pickle.dumps(x))

    with pytest.raises(rt.StagingError, match="staged value `x`"):
        saves(X)


def test_models_optimizers_and_generators_keep_their_state():
    layers = [rt.nn.Dense(4, rt.nn.relu, generator=rt.random.default_rng(0)), rt.nn.Dense(2)]
    call = rt.function(lambda x: layers[1](layers[0](x)))
    x = np.ones((1, 3))
    wanted = call(x)
    optimizer = rt.optimizers.Adam(0.1, variables=rt.nn.parameters(layers))
    optimizer.apply([np.ones(v.shape) for v in optimizer.variables], optimizer.variables)
    after = call(x)
    generator = rt.random.default_rng(3)
    generator.normal()
    layers_2, optimizer_2, generator_2, call_2 = again((layers, optimizer, generator, call))
    assert same(call_2(x), after)
    assert not same(after, wanted)
    assert list(map(id, optimizer_2.variables)) == list(map(id, rt.nn.parameters(layers_2)))
    assert optimizer_2.steps.value == 1
    assert generator_2.normal() == generator.normal()


# -- another process -------------------------------------------------------------------------------

SCRIPT = """
import linecache, pickle, sys
import numpy as np
import runtime as rt
import autograph
sys.path.insert(0, {tests!r})
try:
    import cloudpickle
except ImportError:
    cloudpickle = None

WEIGHTS = np.arange(3.0)
X = np.array([1.0, -2.0, 3.0])
CELL = '''
def in_a_cell(x):
    total = 0.0
    for v in x:
        if v > 0:
            total = total + v
    return total
'''
linecache.cache["<cell 1>"] = len(CELL), None, CELL.splitlines(True), "<cell 1>"
exec(compile(CELL, "<cell 1>", "exec"))

def helper(x):
    return x + WEIGHTS if x.sum() > 0 else x

@rt.function
def decorated(x):
    return helper(x) * in_a_cell(x) if x.sum() > 0 else x

class Model:
    def __init__(self):
        self.weights = np.ones(3)
    @rt.function
    def step(self, x):
        if in_a_cell(x) > 1:
            self.weights = self.weights * 0.5
        return (self.weights * x).sum()

@rt.grad
def slope(x):
    return (helper(x) ** 2).sum()

LOCAL = [rt.function(lambda x: in_a_cell(x) + helper(x)), rt.grad(lambda x: in_a_cell(x) * x[0]),
         rt.vmap(lambda x: x * 2 if x > 0 else x), rt.function(in_a_cell), rt.vjp(in_a_cell, X)[1]]
ARGUMENTS = [X, X, X, X, 1.0]
BY_VALUE = [decorated, slope, Model().step, Model, autograph.to_graph(helper),
            rt.checkpoint(in_a_cell), rt.function(autograph.to_graph(in_a_cell))]

if __name__ == "__main__":
    cases = [("pickle", pickle.dumps(f), a, f(a)) for f, a in zip(LOCAL, ARGUMENTS)]
    if cloudpickle is not None:
        cases += [("cloudpickle", cloudpickle.dumps(f), a, f(a)) for f, a in zip(LOCAL, ARGUMENTS)]
        for f in BY_VALUE:
            data = cloudpickle.dumps(f)
            call = f().step if isinstance(f, type) else f
            cases.append((type(f).__name__, data, X, call(X)))
    with open(sys.argv[1], "wb") as file:
        pickle.dump(cases, file)
"""

LOADER = """
import pickle, sys
import numpy as np
import runtime as rt
with open(sys.argv[1], "rb") as file:
    cases = pickle.load(file)
for how, data, argument, wanted in cases:
    loaded = pickle.loads(data)
    call = loaded().step if isinstance(loaded, type) else loaded
    found = call(argument)
    assert np.array_equal(found, wanted), (how, found, wanted)
    if not isinstance(call, rt.Function) and hasattr(call, "__code__"):
        assert np.array_equal(rt.function(call)(argument), wanted)
print(len(cases))
"""


def test_functions_of_a_script_run_in_another_process(tmp_path):
    script, file = tmp_path / "script.py", tmp_path / "cases.pickle"
    script.write_text(SCRIPT.format(tests=str(ROOT / "tests")))
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    run = functools.partial(
        subprocess.run, capture_output=True, text=True, cwd=tmp_path, env=environment
    )
    made = run([sys.executable, str(script), str(file)])
    assert made.returncode == 0, made.stderr
    script.unlink()
    found = run([sys.executable, "-c", LOADER, str(file)])
    assert found.returncode == 0, found.stderr
    assert int(found.stdout) >= 5


def test_a_function_of_another_version_of_python_is_refused(monkeypatch):
    data = pickle.dumps(rt.function(lambda x: x))
    monkeypatch.setattr("autograph.functions.by_value.PYTHON", "cpython-299")
    with pytest.raises(
        RuntimeError, match="pickled by value in cpython-3.*and this is cpython-299"
    ):
        pickle.loads(data)


def test_code_is_converted_once_however_often_it_is_loaded():
    data = pickle.dumps(rt.function(lambda x: x * 2 if x > 0 else x))
    one, other = pickle.loads(data), pickle.loads(data)
    assert one.python_function.__code__ is other.python_function.__code__
    assert one(np.float64(2)) == other(np.float64(2)) == 4


def test_source_travels_with_code_that_has_no_file():
    text = "def f(x):\n    return x if x > 0 else -x\n"
    linecache.cache["<only here>"] = len(text), None, text.splitlines(True), "<only here>"
    namespace = {"__name__": "nowhere"}
    exec(compile(text, "<only here>", "exec"), namespace)
    data = pickle.dumps(rt.function(namespace["f"]))
    del linecache.cache["<only here>"]
    loaded = pickle.loads(data)
    assert loaded(np.float64(-2)) == 2
    assert "if_expr" in autograph.to_code(loaded.python_function)
