"""Plain calls: one generated function runs guard, program and result; the rest takes the slow path."""

import collections
import copy
import gc
import pickle
import traceback
import weakref

import numpy as np
import pytest

import autograph
import runtime as rt

Pair = collections.namedtuple("Pair", "first second")
X = np.array([1.0, 2.0])


def called(fn, *args, **kwargs):
    """The result of the third call: the first traces, the second finds the graph."""
    fn(*args, **kwargs), fn(*args, **kwargs)
    return fn(*args, **kwargs)


W = rt.Variable([3.0, 4.0])
kept = []

RESULTS = [
    (lambda x: x + 1, [2.0, 3.0]),
    (lambda x: (x + 1, x + 2), ([2.0, 3.0], [3.0, 4.0])),
    (lambda x: [x * 2, [x], ()], [[2.0, 4.0], [[1.0, 2.0]], ()]),
    (lambda x: {"a": x + 1, (1, 2): "text"}, {"a": [2.0, 3.0], (1, 2): "text"}),
    (lambda x: Pair(x, None), Pair([1.0, 2.0], None)),
    (lambda x: x, [1.0, 2.0]),
    (lambda x: None, None),
    (lambda x: 7, 7),
    (lambda x: (x[0], x.shape), (1.0, (2,))),
    (lambda x: x + W, [4.0, 6.0]),
    (lambda x: np.zeros(2), [0.0, 0.0]),
    (lambda x: None if np.sum(x) > 100 else x * 2, [2.0, 4.0]),
    (lambda x: None if np.sum(x) < 100 else x * 2, None),
]


def listed(value):
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Pair):
        return Pair(*map(listed, value))
    if isinstance(value, (list, tuple)):
        return type(value)(map(listed, value))
    if isinstance(value, dict):
        return {key: listed(item) for key, item in value.items()}
    return value


@pytest.mark.parametrize(("function", "expected"), RESULTS)
def test_a_plain_call_builds_the_result(function, expected):
    fn = rt.function(function)
    assert listed(called(fn, X)) == expected
    assert fn._installed is fn.graphs[0]


def test_a_result_that_is_an_argument_is_that_object():
    options = {"rate": 0.5}
    fn = rt.function(lambda x, options: (x * 2, options, options["rate"]))
    assert called(fn, X, options)[1] is options


def test_a_result_that_is_a_variable_is_that_variable():
    fn = rt.function(lambda: W)
    assert called(fn) is W


def test_each_call_returns_new_arrays():
    fn = rt.function(lambda x: np.zeros(2))
    one, other = called(fn, X), fn(X)
    one[0] = 5.0
    assert other.tolist() == [0.0, 0.0] == fn(X).tolist()


# -- arguments -------------------------------------------------------------------------------------


def signature(a, /, b, *rest, scale=2.0, **more):
    return a * scale + b + len(rest) + sum(more.values())


def test_arguments_are_bound_as_python_binds_them():
    fn = rt.function(signature)
    one = np.float64(1.0)
    for _ in range(3):
        assert fn(one, one) == 3.0
        assert fn(one, b=one) == 3.0
        assert fn(one, one, 7, 8) == 5.0
        assert fn(one, one, scale=3.0) == 4.0
        assert fn(one, one, extra=4) == 7.0


@pytest.mark.parametrize(
    "call",
    [
        lambda f: f(),
        lambda f: f(X, X, X),
        lambda f: f(X, k=1, j=2),
        lambda f: f(y=X),
    ],
)
def test_a_wrong_call_raises_the_same_error_as_python(call):
    def plain(x, *, k=1):
        return x * k

    fn = rt.function(plain)
    called(fn, X)
    with pytest.raises(TypeError) as expected:
        call(plain)
    with pytest.raises(TypeError) as found:
        call(fn)
    assert str(found.value) == str(expected.value)


def test_a_function_is_a_method():
    class Scale:
        def __init__(self, by):
            self.by = by

        @rt.function
        def __call__(self, x):
            return x * self.by

        @rt.function
        def shifted(self, x, *, by=1.0):
            return x + self.by + by

    two, three = Scale(2.0), Scale(3.0)
    for _ in range(3):
        assert two(X).tolist() == [2.0, 4.0] and three(X).tolist() == [3.0, 6.0]
        assert two.shifted(X).tolist() == [4.0, 5.0]
        assert three.shifted(X, by=0.0).tolist() == [4.0, 5.0]


# -- the slow path ---------------------------------------------------------------------------------


def test_other_arguments_run_another_graph():
    fn = rt.function(lambda x: x + 1)
    for _ in range(3):
        assert fn(X).dtype == "f8"
        assert fn(X.astype("f4")).dtype == "f4"
        assert fn(np.ones((1, 2))).shape == (1, 2)
        assert fn(3) == 4 and fn(3.0) == 4.0 and type(fn(3)) is int
    assert len(fn.graphs) == 5


def test_settings_hold_from_the_next_call_on():
    fn = rt.function(lambda x: np.log(x) + 1)
    called(fn, X)
    with rt.config.temporarily(check_numerics=True):
        with pytest.raises(FloatingPointError), np.errstate(all="ignore"):
            fn(np.array([-1.0, 2.0]))
    with np.errstate(all="ignore"):
        assert np.isnan(fn(np.array([-1.0, 2.0]))[0])
    with rt.profile() as taken:
        fn(X)
    assert "log" in str(taken)
    rt.config.check_numerics(True)
    try:
        with pytest.raises(FloatingPointError), np.errstate(all="ignore"):
            fn(np.array([-1.0, 2.0]))
    finally:
        rt.config.check_numerics(False)


def test_a_function_runs_eagerly_from_the_next_call_on():
    seen = []

    @rt.function
    def noted(x):
        seen.append(type(x))
        return x + 1

    called(noted, X)
    seen.clear()
    with rt.config.temporarily(run_functions_eagerly=True):
        assert noted(X).tolist() == [2.0, 3.0]
    assert seen == [np.ndarray]
    noted(X)
    assert seen == [np.ndarray]


def test_a_call_inside_another_function_is_traced():
    inner = rt.function(lambda x, k=2: x * k)
    called(inner, X)
    outer = rt.function(lambda x: inner(x) + inner(x, k=3) + inner(x, 4))
    assert called(outer, X).tolist() == [9.0, 18.0]
    assert "inner" not in outer.source()
    assert rt.grad(lambda x: np.sum(inner(x)))(X).tolist() == [2.0, 2.0]


def test_a_function_with_side_effects_takes_the_slow_path():
    counter = rt.Variable(0)

    @rt.function
    def count(x):
        counter.assign_add(1)
        kept.append(x * 2)
        return x

    kept.clear()
    for _ in range(4):
        count(X)
    assert counter.value == 4 and len(kept) == 4
    assert count._installed is None


def test_functions_that_are_called_are_remembered_as_used(recwarn):
    fn = rt.function(lambda x, n: x * n)
    for n in range(8):
        for _ in range(3):
            fn(X, n)
    assert not recwarn.list


# -- errors ----------------------------------------------------------------------------------------


def failing(x, w):
    y = x * 2
    return (y @ w).sum() + 1


@pytest.mark.parametrize("calls", [0, 1, 3])
def test_an_exception_names_the_users_line(calls):
    fn = rt.function(failing, reduce_retracing=True)
    good = np.ones(2), np.ones(2)
    fn(np.ones(3), np.ones(3))
    for _ in range(calls):
        fn(*good)
    with pytest.raises(ValueError) as caught:
        fn(np.ones(2), np.ones(4))
    lines = [frame.line for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert lines[-1] == "return (y @ w).sum() + 1"
    assert caught.value.__notes__ == ["This is matmul of y: f64[2] and w: f64[4]."]


def test_an_exception_in_a_plain_call_shows_no_frame_of_the_runtime():
    fn = rt.function(failing, input_signature=[rt.TensorSpec((None,)), rt.TensorSpec((None,))])
    called(fn, np.ones(2), np.ones(2))
    with pytest.raises(ValueError) as caught:
        fn(np.ones(2), np.ones(4))
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert names == ["test_an_exception_in_a_plain_call_shows_no_frame_of_the_runtime", "failing"]


def test_an_error_of_the_user_is_raised_and_not_taken_for_a_miss():
    @rt.function
    def checked(x):
        if np.sum(x) > 10:
            raise KeyError("too large")
        return x

    called(checked, X)
    for _ in range(2):
        with pytest.raises(KeyError, match="too large"):
            checked(X * 10)
    assert len(checked.graphs) == 1


def test_long_programs_are_called_and_short_ones_inlined():
    @rt.function(engine="numpy")
    def long(x):
        for k in range(100):
            autograph.set_loop_options(unroll=True)
            x = x * k + np.sin(x)
        return x

    short = rt.function(lambda x: x + 1, engine="numpy")
    for fn in (long, short):
        assert called(fn, X).tolist() == fn.python_function(X).tolist()
    # the code of an inlined program carries the file name of the program
    assert short.__call__.__code__.co_filename.startswith("<graph ")
    assert not long.__call__.__code__.co_filename.startswith("<graph ")


def test_parameters_named_like_globals_of_the_program():
    fn = rt.function(lambda np, x: rt_sin(x) + np)
    assert called(fn, X, X).tolist() == (np.sin(X) + X).tolist()


rt_sin = np.sin


def test_a_parameter_that_the_program_reuses_is_returned_unchanged():
    def reused(x, y):
        x = x + y
        x = x * y
        return x, y

    fn = rt.function(reused)
    found, same = called(fn, X, X)
    assert same is X and found.tolist() == ((X + X) * X).tolist()


# -- lifetime --------------------------------------------------------------------------------------


def test_a_function_is_freed_without_the_garbage_collector():
    fn = rt.function(lambda x: x + 1)
    called(fn, X)
    reference = weakref.ref(fn)
    gc.disable()
    try:
        del fn
        assert reference() is None
    finally:
        gc.enable()


def test_the_call_of_a_function_outlives_it():
    call = rt.function(lambda x: x + 1).__call__
    for _ in range(3):
        assert call(X).tolist() == [2.0, 3.0]
        assert call(X.astype("f4")).dtype == "f4"


@rt.function
def pickled(x):
    return x + 1


def test_a_function_is_pickled_and_copied():
    called(pickled, X)
    assert pickle.loads(pickle.dumps(pickled)) is pickled
    assert copy.copy(pickled) is pickled
    assert copy.deepcopy([pickled])[0] is pickled
