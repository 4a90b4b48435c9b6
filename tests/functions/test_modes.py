"""Plain Python, `to_graph`, the graph, and functions that run eagerly: results and types agree.

The file is long because it is a collection of independent tests.
"""

import collections
import copy
import gc

import numpy as np
import pytest

import autograph
import runtime as rt
from runtime.staging.lists.plain_lists import StackedLists

X = np.array([1.0, -2.0, 3.0])
V = rt.Variable(np.ones(3))
Point = collections.namedtuple("Point", "a b")


def eagerly(function):
    """The function as `rt.function`, which runs its Python function."""
    staged = rt.function(function)

    def call(*args):
        with rt.config.temporarily(run_functions_eagerly=True):
            return staged(*args)

    return call


MODES = {
    "graph": rt.function,
    "eager": eagerly,
    "to_graph": autograph.to_graph,
    "plain": lambda function: function,
}


def described(value):
    """A value with the types in it."""
    if isinstance(value, (tuple, list)):
        return type(value).__name__, *map(described, value)
    if isinstance(value, dict):
        return {name: described(item) for name, item in value.items()}
    if isinstance(value, np.ndarray):
        return "array", str(value.dtype), value.shape, value.tolist()
    return type(value).__name__, str(value)


def outcome(function, args):
    try:
        return described(function(*copy.deepcopy(args)))
    except Exception as error:
        return type(error).__name__


def stacked(x):
    z = []
    for v in x:
        z.append(v * 2)
    return autograph.stack(z)


def stacked_ints(x):
    z = []
    for _ in x:
        z.append(1)
    return autograph.stack(z)


def stacked_rows(x):
    z = []
    for v in x:
        z.append(x * v)
    return autograph.stack(z)


def stacked_float32(x):
    z = []
    autograph.set_element_type(z, np.float32)
    for v in x:
        if v > 0:
            z.append(np.float32(v))
    return autograph.stack(z)


def stacked_weak_floats(x):
    z = []
    autograph.set_element_type(z, np.float32)
    for _ in x:
        z.append(1.5)
    return autograph.stack(z)


def stacked_wider(x):
    z = []
    autograph.set_element_type(z, np.float32)
    for v in x:
        z.append(v)
    return autograph.stack(z)


def stacked_plain_ints(x):
    z = []
    autograph.set_element_type(z, np.float64)
    for i in range(3):
        z.append(i)
    return autograph.stack(z)


def stacked_none(x):
    z = []
    autograph.set_element_type(z, np.float32, (3,))
    for v in x:
        if v > 10:
            z.append((v * x).astype(np.float32))
    return autograph.stack(z)


def stacked_literal(x):
    return autograph.stack([x, x + 1]), autograph.stack([1, 2.5, True])


def stacked_argument(x):
    return autograph.stack(x)


def with_tape(x):
    with rt.GradientTape() as tape:
        x = tape.watch(x)
        y = (x * x).sum()
    return tape.gradient(y, x)


def with_tape_of_argument(x):
    with rt.GradientTape() as tape:
        y = (x * x).sum()
    return tape.gradient(y, x)


def with_nested_tapes(x):
    with rt.GradientTape() as outer:
        x = outer.watch(x)
        with rt.GradientTape() as inner:
            y = (x**3).sum()
        slope = inner.gradient(y, x).sum()
    return outer.gradient(slope, x)


def with_tape_of_containers(x):
    p = {"a": x, "b": [x * 2]}
    with rt.GradientTape() as tape:
        y = (p["a"] * p["b"][0]).sum()
    return tape.gradient(y, p)


def with_tape_of_scalar(s):
    with rt.GradientTape() as tape:
        y = s * s if s > 0 else s
    return tape.gradient(y, s)


def with_tape_of_variable(x):
    with rt.GradientTape() as tape:
        y = (V * x).sum()
    return tape.gradient(y, V)


def with_loop_in_tape(x):
    with rt.GradientTape(persistent=True) as tape:
        total = x[0] * 0
        for v in x:
            if v > 0:
                total = total + v * v
    return total, tape.gradient(total, x), tape.jacobian(total, x)


def with_classes_in_tape(x):
    with rt.GradientTape() as tape:
        y = (x * x).sum() if isinstance(x, np.ndarray) else 0.0
    return tape.gradient(y, x)


def with_writes_and_tape(x):
    with rt.GradientTape() as tape:
        y = (x * x).sum()
    x -= 0.5 * tape.gradient(y, x)
    return x, y


def helper_with_tape(x):
    return with_tape_of_argument(x) + 1


class Model:
    def __init__(self):
        self.w = np.full(3, 2.0)

    def loss(self, x):
        return (self.w * x).sum()

    def step(self, x):
        with rt.GradientTape() as tape:
            y = self.loss(x) ** 2
        return y, tape.gradient(y, x)


def gradients(x):
    return rt.grad(lambda a: (a * a).sum())(x), rt.hessian(lambda a: (a**3).sum())(x)


def gradients_of_float(s):
    return rt.grad(lambda a: a**3)(s), rt.value_and_grad(lambda a: a**3)(s)


def batches(x):
    return rt.vmap(lambda a: a * 2 if a > 0 else a)(x)


def pulled(x):
    y, pullback = rt.vjp(lambda a: a * a, x)
    return y, pullback(np.ones(3)), rt.jvp(lambda a: a * a, (x,), (np.ones(3),))


def scalars(x):
    return x.sum(), x[0], len(x), x.shape, np.max(x), float(x[0]), int(x[0]), bool(x[0] > 0)


def zero_dimensional(x):
    return np.array(x.sum()), x.sum(keepdims=True), np.asarray(1.0), x.mean(), x[0] > 0


def optional(x, y):
    return y, None if y is None else x


def named(p):
    return p._replace(a=p.a * 2), p.b, {"p": p}


def variables(x):
    V.assign(x)
    V.assign_add(x)
    found = V.value
    V.assign(np.ones(3))
    return found, V[0] * 1, V.shape


def layers(x):
    return rt.nn.relu(x), rt.nn.softmax(x), rt.nn.cross_entropy(x[None], np.array([1]))


def constants(x):
    return rt.constant(2.0) * x, rt.constant([1, 2]), rt.stop_gradient(x), rt.checkpoint(abs)(x)


def counted(x, n):
    total = 0
    for i in range(n):
        total = total + i
    return total, n, i


PROGRAMS = [
    (stacked, X),
    (stacked_ints, X),
    (stacked_rows, X),
    (stacked_float32, X),
    (stacked_weak_floats, X),
    (stacked_wider, X),
    (stacked_plain_ints, X),
    (stacked_none, X),
    (stacked_literal, X),
    (stacked_argument, [X, X]),
    (stacked_argument, (1, 2.5)),
    (stacked_argument, [X, X[:2]]),
    (stacked_argument, []),
    (stacked_argument, X),
    (with_tape, X),
    (with_nested_tapes, X),
    (with_tape_of_variable, X),
    (gradients, X),
    (gradients_of_float, 2.0),
    (gradients_of_float, np.float64(1.5)),
    (batches, X),
    (pulled, X),
    (scalars, X),
    (zero_dimensional, X),
    (optional, X, None),
    (optional, X, 3),
    (named, Point(X, 2)),
    (variables, X),
    (layers, X),
    (constants, X),
    (counted, X, np.int64(3)),
]

# Tapes that watch nothing: outside of functions, arrays record no operations.
IN_FUNCTIONS = [
    (with_tape_of_argument, X),
    (with_tape_of_containers, X),
    (with_tape_of_scalar, np.float64(1.5)),
    (with_loop_in_tape, X),
    (helper_with_tape, X),
    (with_classes_in_tape, X),
    (with_writes_and_tape, X.copy()),
    (Model().step, X),
]


@pytest.mark.parametrize(("function", "args"), [(f, a) for f, *a in PROGRAMS])
def test_all_modes_agree(function, args):
    found = {name: outcome(mode(function), args) for name, mode in MODES.items()}
    assert len(set(map(str, found.values()))) == 1, found


@pytest.mark.parametrize(("function", "args"), [(f, a) for f, *a in IN_FUNCTIONS])
def test_functions_that_run_eagerly_differentiate_with_respect_to_arguments(function, args):
    found = {name: outcome(MODES[name](function), args) for name in ("graph", "eager")}
    assert found["graph"] == found["eager"]
    assert not isinstance(found["graph"], str)


def test_a_taped_run_leaves_arrays_everywhere():
    class Trained:
        def __init__(self):
            self.w, self.losses, self.last = np.ones(3), [], {}

        @rt.function
        def step(self, x):
            with rt.GradientTape() as tape:
                loss = ((self.w - x) ** 2).sum()
            slope = tape.gradient(loss, self.w)
            self.w = self.w - 0.25 * slope
            self.losses.append(loss)
            self.last["slope"] = slope
            return loss

    staged, eager, x = Trained(), Trained(), X.copy()
    for _ in range(3):
        wanted = staged.step(x)
        with rt.config.temporarily(run_functions_eagerly=True):
            found = eager.step(x)
        assert described(found) == described(wanted)
    assert described(eager.w) == described(staged.w)
    assert described(eager.losses) == described(staged.losses)
    assert described(eager.last) == described(staged.last)
    assert type(x) is np.ndarray


def test_the_result_of_a_taped_run_may_be_the_argument():
    def returned(x):
        with rt.GradientTape():
            pass
        return x, [x]

    x = X.copy()
    first, (second,) = eagerly(returned)(x)
    assert first is x
    assert second is x


def test_a_target_from_outside_of_the_block_is_refused():
    with rt.GradientTape() as tape:
        x = tape.watch(X)
        y = x * x
    with pytest.raises(rt.errors.TapeError, match="does not know the target"):
        tape.gradient(y.sum(), x)


def test_a_value_that_is_written_past_the_tape_is_refused():
    def partly(x):
        z = np.zeros(3)
        with rt.GradientTape() as tape:
            x = tape.watch(x)
            z[0] = x[0] * 2
            y = z.sum() + x.sum()
        return tape.gradient(y, x)

    assert rt.function(partly)(X).tolist() == [3.0, 1.0, 1.0]
    for function in (partly, eagerly(partly)):
        with pytest.raises(rt.errors.TapeError, match=r"(?s)written into an array.*z\[0\] = x"):
            function(X)


def test_a_conversion_to_an_array_is_announced():
    def partly(x):
        with rt.GradientTape() as tape:
            x = tape.watch(x)
            y = np.asarray(x).sum() + x.sum()
        return tape.gradient(y, x)

    with pytest.warns(rt.TracingWarning, match="does not see the results of this conversion"):
        assert partly(X).tolist() == [1.0, 1.0, 1.0]


def test_numbers_of_watched_values_may_be_logged():
    with rt.GradientTape() as tape:
        x = tape.watch(X)
        y = (x * x).sum()
        log = [float(y), f"{y:.1f}", int(y)]
    assert log == [14.0, "14.0", 14]
    assert tape.gradient(y, x).tolist() == [2.0, -4.0, 6.0]


def test_declared_types_are_kept_as_long_as_the_lists():
    lists = StackedLists()
    for _ in range(5):
        lists.set_element_type([1, 2], np.float32, None)
        gc.collect()
    kept = [1, 2]
    lists.set_element_type(kept, np.float32, None)
    assert len(lists._declared) <= 2
    assert lists.stack(kept).dtype == np.float32


CLASSES = (np.ndarray, np.floating, np.bool_, float, np.generic, int, str, list)


def classes_of(x):
    parts = [x, x * 2, x > 0, np.sum(x)] + ([x[0], x[:1], x.T, x[:, 0], x[0, 0]] if x.ndim else [])
    return [[isinstance(part, kind) for kind in CLASSES] for part in parts]


@pytest.mark.parametrize("x", [np.ones((2, 2)), np.float64(1.5)], ids=["array", "number"])
def test_recorded_values_of_an_eager_run_are_instances_of_the_classes_of_their_values(x):
    def loss(x):
        found.append(classes_of(x))
        return np.sum(x * x)

    found = []
    with rt.GradientTape() as tape:
        loss(tape.watch(x))
    with rt.config.temporarily(run_functions_eagerly=True):
        rt.grad(loss)(x)
        rt.function(loss)(x)
    rt.function(lambda x: loss(x))(x)
    assert found == [classes_of(x)] * 4
