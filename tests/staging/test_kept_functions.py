"""Functions that are not converted, `@autograph.do_not_convert`, see plain arrays in each run."""

import numpy as np
import pytest

import autograph
import runtime as rt

X = np.array([3.0, 1.0, 2.0])
kept = autograph.do_not_convert
seen: list = []


@kept
def kind(x):
    return type(x).__name__


@kept
def positive(x):
    if x[0] > 0:  # which is found out while it is recorded
        return x * 2
    return x - 1


@kept
def told(x):
    seen.append(float(x[0]))
    return x


@kept
def same(x):
    assert isinstance(x, np.ndarray)
    return x


@kept
def failing(x):
    if isinstance(x, np.ndarray):
        raise ValueError("no")


@kept
def pairs(x):
    yield x
    yield x * 2


class Scale:
    def __init__(self, by):
        self.by = by

    @kept
    def of(self, x):
        is_plain = isinstance(x, np.ndarray) and isinstance(self.by, np.ndarray)
        return self.by * x if is_plain else "staged"

    @staticmethod
    @kept
    def shifted(x):
        return x + 1 if isinstance(x, np.ndarray) else "staged"

    @kept
    def counted(self, x):
        self.by += 1
        return x if x[0] > 0 else -x


@kept
class Kept:
    def __init__(self, by):
        self.by = by

    def of(self, x):
        return self.by * x if isinstance(self.by, (np.ndarray, float)) else "staged"

    def __call__(self, x):
        return self.of(x) + 1


scale, made = Scale(X), Kept(2.0)


def in_a_loop(x):
    for _ in range(3):
        x = positive(x)
    return x


def in_a_branch(x):
    y = x
    if x[0] > 1:
        y = positive(x)
    return y


def with_a_closure(x):
    @kept
    def scaled(y):
        return y * x if isinstance(x, np.ndarray) else "staged"

    return scaled(2.0) + 1


def generated(x):
    total = 0.0
    for one in pairs(x):
        total = total + one
    return total


def counting(x):
    calls = [0]

    @kept
    def count(y):
        calls[0] += 1
        return y if y[0] > 0 else -y

    return count(x), calls


def counting_by_name(x):
    calls = 0

    @kept
    def count(y):
        nonlocal calls
        calls += 1
        return y if y[0] > 0 else -y

    return count(x), calls


PROGRAMS = [
    lambda x: kind(x),
    lambda x: positive(x) + 1,
    lambda x: np.sum(positive(x)) + x,
    lambda x: positive(x)[0] * x,
    lambda x: np.zeros(positive(x).shape) + x,
    lambda x: x @ positive(x),
    lambda x: positive(x=x),
    lambda x: list(map(positive, [x, -x])),
    lambda x: [positive(one) for one in (x, -x)],
    lambda x: (lambda f: f(x))(positive),
    lambda x: {"f": positive}["f"](x),
    lambda x: scale.of(x),
    lambda x: Scale(x).of(np.ones(3)),
    lambda x: Scale(x).of(x) + Scale.shifted(x),
    lambda x: made.of(x) + made(x),
    lambda x: Kept(x).of(2.0),
    lambda x: autograph.do_not_convert(lambda y: type(y).__name__)(x),
    in_a_loop,
    in_a_branch,
    with_a_closure,
    generated,
    counting,
    counting_by_name,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_they_see_what_python_gives_them(program):
    function = rt.function(program)
    for x in (X, -X, X):
        found, expected = function(x.copy()), program(x.copy())
        assert type(found) is type(expected) and repr(found) == repr(expected)


def test_they_are_called_in_each_run_in_order():
    seen.clear()
    function = rt.function(lambda x: told(x * 2) + told(x))
    assert np.array_equal(function(X), X * 3) and np.array_equal(function(-X), X * -3)
    assert seen == [6.0, 3.0, -6.0, -3.0]


def test_a_pure_one_has_results_of_known_types():
    @rt.pure
    @kept
    def doubled(x):
        return x * 2 if isinstance(x, np.ndarray) else "staged"

    def iterated(x, n):
        for _ in range(n):
            x = doubled(x)
        return x

    assert np.array_equal(rt.function(iterated)(X, np.int64(3)), X * 8)
    assert np.array_equal(rt.vmap(lambda x: doubled(x))(np.stack([X, X])), np.stack([X, X]) * 2)


def written_through_the_result(x):
    y = same(x)
    y[0] = 5
    return x


def added_through_the_result(x):
    y = same(x)
    y += 1
    return x


def written_after_the_call(x):
    z = x * 2
    y = same(z)
    z[0] = 5
    return y


def caught(x):
    try:
        return failing(x)
    except ValueError:
        return x


REFUSED = {
    written_through_the_result: "keeps its argument, an ndarray, and the program changes its result",
    added_through_the_result: "keeps its argument, an ndarray, and the program changes its result",
    written_after_the_call: "keeps its argument, an ndarray, and the program changes the array",
    lambda x: Scale(1.0).counted(x): "counted, which is not converted, changes something",
    caught: "failing, which each run calls, is inside a `try`",
}


@pytest.mark.parametrize("program", REFUSED, ids=lambda one: one.__name__)
def test_what_a_graph_would_not_see_is_refused(program):
    with pytest.raises(rt.StagingError, match=REFUSED[program]):
        rt.function(program)(X.copy())


def test_a_derivative_names_the_missing_rule():
    with pytest.raises(rt.errors.NotDifferentiableError, match="an object that only a run has"):
        rt.grad(lambda x: np.sum(positive(x)))(X)


def test_one_that_only_computes_has_derivatives():
    numbers = [1.0, 2.0]

    @kept
    def scaled(x):
        found = list(numbers)
        found[0] = np.add(x, found[1])
        return found[0] * x

    function = rt.grad(lambda x: np.sum(scaled(x)))
    assert np.array_equal(function(X), 2 * X + 2)


def test_a_function_that_is_traced_itself_sees_staged_values():
    doubled = kept(lambda x: x * 2)
    assert np.array_equal(rt.function(doubled)(X), X * 2)
    assert np.array_equal(rt.grad(kept(lambda x: np.sum(x * x)))(X), 2 * X)
    assert rt.function(kept(lambda x: type(x).__name__))(X) == "Tensor"
    with pytest.raises(rt.StagingError, match="positive is not converted"):
        rt.function(positive)(X)
    assert np.array_equal(rt.function(lambda x: positive(x))(X), X * 2)  # a call of each run
