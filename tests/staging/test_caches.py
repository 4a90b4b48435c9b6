"""Functions that remember their results, and memo tables written by hand.

A program has a function, calls, and a look at its cache after each call.  Graphs and eager mode show
what Python shows: results, contents of the cache, hits and misses; or the program is refused.

The file is long because it is a collection of independent tests.
"""

import functools
import math

import numpy as np
import pytest

import runtime as rt

PROGRAMS = {}
EXACT = {}  # programs that graphs run, by name; others are refused


class Settings:
    def __init__(self):
        self.scale, self.weights, self.steps = 2.0, np.array([1.0, 2.0]), []


class Model:
    def __init__(self):
        self.w, self.memo = 2.0, {}

    @functools.lru_cache  # noqa: B019
    def scaled(self, k):
        return self.w * k

    @functools.cached_property
    def big(self):
        return self.w * 100.0

    @functools.cached_property
    def table(self):
        return np.arange(3.0) * self.w

    def memoised(self, k):
        if k not in self.memo:
            self.memo[k] = k * 10.0
        return self.memo[k]


def program(refused=False):
    """Adds a program: a function that makes the function to call and the look at its cache."""

    def add(make):
        PROGRAMS[make.__name__] = make
        EXACT[make.__name__] = not refused
        return make

    return add


# -- plain arguments -------------------------------------------------------------------------------


@program()
def an_array():
    @functools.lru_cache
    def table(n):
        return np.arange(3.0) * n

    return lambda x: x + table(2)[0] + table(2)[2], lambda: (table.cache_info(), table(2))


@program()
def an_array_of_a_global_array():
    weights = np.array([1.0, 2.0])

    @functools.lru_cache
    def table(n):
        return weights * n

    def look():
        weights[0] += 1
        return table.cache_info(), table(2), type(table(2))

    return lambda x: x + table(2).sum(), look


@program()
def an_array_that_others_change():
    @functools.cache
    def table(n):
        return np.arange(3.0) * n

    def look():
        table(2)[1] += 5
        return table.cache_info()

    return lambda x: x + table(2).sum(), look


@program()
def an_array_that_the_function_changes():
    @functools.cache
    def table(n):
        return np.arange(3.0) * n

    def f(x):
        table(2)[1] += x
        return table(2).sum()

    return f, lambda: (table.cache_info(), table(2))


@program()
def a_list_that_the_function_changes():
    @functools.cache
    def buffer(n):
        return [0.0] * n

    def f(x):
        held = buffer(2)
        held[0] = held[0] + x
        return held[0] * 1

    return f, lambda: buffer(2)


@program()
def settings_that_others_change():
    @functools.cache
    def settings():
        return Settings()

    def look():
        settings().scale += 1
        settings().weights[0] += 1
        return settings.cache_info(), settings().steps

    return lambda x: x * settings().scale + settings().weights.sum(), look


@program()
def settings_that_the_function_changes():
    @functools.cache
    def settings():
        return Settings()

    def f(x):
        settings().steps.append(x)
        settings().scale = settings().scale * x
        return settings().scale + len(settings().steps)

    return f, lambda: (settings().scale, list(settings().steps))


@program()
def a_cleared_cache():
    state = {"w": 3.0}

    @functools.lru_cache
    def get():
        return state["w"]

    def look():
        state["w"] += 1
        get.cache_clear()
        return get.cache_info()

    return lambda x: x * get(), look


@program()
def a_full_cache_remembers_less():
    @functools.lru_cache(maxsize=1)
    def get(k):
        return k + 0.5

    return lambda x: x + get(1) + get(2) + get(1), lambda: get.cache_info().misses


@program()
def a_result_from_before():
    weights = np.array([1.0, 2.0, 3.0])

    @functools.lru_cache(maxsize=None)
    def norm():
        return np.sqrt((weights * weights).sum())

    norm()
    weights[0] = 100.0

    def look():
        weights[1] += 1
        return norm(), norm.cache_info()

    return lambda x: x / norm(), look


@program()
def an_effect_of_a_miss():
    calls = []

    @functools.lru_cache
    def get(k):
        calls.append(k)
        return k * 2.0

    return lambda x: x * get(3) + get(4) + get(3), lambda: (list(calls), get.cache_info())


@program()
def keywords_and_types():
    @functools.lru_cache(typed=True)
    def get(k, *, scale=1):
        return k * scale + isinstance(k, float)

    f = lambda x: x + get(3) + get(3.0) + get(3, scale=2) + get(k=3)  # noqa: E731
    return f, lambda: get.cache_info()


@program()
def one_object():
    @functools.lru_cache
    def conf(name):
        return {"name": name}

    return lambda x: x + (1 if conf("a") is conf("a") else 2), lambda: (
        conf.cache_info(),
        conf("a"),
    )


@program()
def an_exception():
    @functools.lru_cache
    def get(k):
        raise ValueError(k)

    return lambda x: x + get(3), lambda: get.cache_info()


@program()
def a_loop_over_known_numbers():
    @functools.lru_cache
    def get(k):
        return k * 2.0

    def f(x):
        for i in range(3):
            x = x + get(i)
        return x

    return f, lambda: get.cache_info()


@program()
def methods():
    model = Model()

    def look():
        model.w += 1
        return model.scaled(3), Model.scaled.cache_info().currsize > 0

    return lambda x: x * model.scaled(3), look


@program()
def methods_of_classes():
    class A:
        @classmethod
        @functools.lru_cache
        def make(cls, k):
            return k * 2.0

        @staticmethod
        @functools.cache
        def made(k):
            return k * 3.0

    return lambda x: x + A.make(2) + A.made(1) + A().made(1), lambda: (
        A.made.cache_info(),
        A.make(2),
    )


@program()
def a_function_written_in_c():
    factorial = functools.lru_cache(math.factorial)
    return lambda x: x + factorial(3) + factorial(3), lambda: factorial.cache_info()


@program()
def a_cache_of_the_function_itself():
    def f(x):
        @functools.lru_cache
        def fibonacci(n):
            return x if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

        return fibonacci(6)

    return f, lambda: None


# -- what the run knows ----------------------------------------------------------------------------


@program()
def a_staged_key():
    @functools.lru_cache
    def square(x):
        return x * x

    return lambda x: square(x) + 1, lambda: (square.cache_info(), square(2.0))


@program()
def a_staged_counter():
    @functools.lru_cache
    def get(k):
        return k * 2.0

    def f(x):
        total, i = 0.0, 0
        while total < x:
            total += get(i) + 1
            i += 1
        return total

    return f, lambda: get.cache_info()


@program()
def a_branch():
    @functools.lru_cache
    def get(k):
        print("computes", k)
        return k * 2.0

    def f(x):
        if x > 1.5:
            x = x * get(3)
        return x

    return f, lambda: get.cache_info()


@program(refused=True)
def an_array_written_before():
    weights = np.array([1.0, 2.0])

    @functools.lru_cache
    def total():
        return weights.sum()

    def f(x):
        weights[0] = x
        return total()

    return f, lambda: total.cache_info()


@program(refused=True)
def an_attribute_written_before():
    model = Model()

    def f(x):
        model.w = x
        return model.scaled(3)

    return f, lambda: None


@program(refused=True)
def a_captured_variable():
    found = []

    def f(x):
        held = [x]
        if not found:
            found.append(functools.cache(lambda k: held[0] * k))
        return found[0](3)

    return f, lambda: None


# -- properties and tables -------------------------------------------------------------------------


@program()
def a_cached_property():
    model = Model()

    def look():
        model.w += 1
        return {name: repr(value) for name, value in vars(model).items()}

    return lambda x: x * model.big + model.table.sum(), look


@program()
def a_cached_property_of_a_staged_value():
    model = Model()

    def f(x):
        model.w = x
        vars(model).pop("big", None)
        return model.big + model.big

    return f, lambda: {name: repr(value) for name, value in vars(model).items()}


@program()
def a_table_with_a_staged_value():
    memo = {}

    def f(x):
        if "a" not in memo:
            memo["a"] = x * 2
        return memo["a"] + x

    return f, lambda: repr(memo)


@program(refused=True)
def a_table_by_a_staged_key():
    model = Model()
    return lambda x: x + model.memoised(x), lambda: repr(model.memo)


@program()
def a_table_in_a_closure():
    def memoise(function):
        known = {}

        @functools.wraps(function)
        def call(*args):
            if args not in known:
                known[args] = function(*args)
            return known[args]

        call.known = known
        return call

    @memoise
    def fibonacci(n):
        return n * 1.0 if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    return lambda x: x + fibonacci(10), lambda: repr(fibonacci.known)


@program()
def objects_of_a_class_with_a_table():
    class Node:
        made = {}

        def __new__(cls, k):
            if k not in cls.made:
                cls.made[k] = object.__new__(cls)
            return cls.made[k]

        def __init__(self, k):
            self.k = k

    return lambda x: x + Node(1).k + (Node(1) is Node(1)), lambda: sorted(Node.made)


def shown(make, wrap, capsys):
    """What the calls of a program show; the refusal that ends them is the last."""
    (function, look), seen = make(), []
    function = wrap(function)
    for x in (1.0, 2.0, 2.0):
        try:
            seen.append(float(function(np.float64(x))))
        except rt.StagingError as error:
            assert __file__ in str(error), error
            return seen, str(error)
        except Exception as error:
            seen.append(repr(error))
        seen += [repr(look()), capsys.readouterr().out]
    return seen, None


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_cache_is_that_of_python(name, capsys):
    wanted, _ = shown(PROGRAMS[name], lambda f: f, capsys)
    found, refusal = shown(PROGRAMS[name], rt.function, capsys)
    assert (refusal is None) == EXACT[name], refusal
    assert found == wanted[: len(found)]
    with rt.config.temporarily(run_functions_eagerly=True):
        assert shown(PROGRAMS[name], rt.function, capsys) == (wanted, None)


def test_a_graph_with_cached_results_is_used_again_and_differentiated():
    @functools.lru_cache
    def settings():
        return Settings()

    traced = rt.function(lambda x: x * settings().scale + settings().weights.sum())
    x = np.float64(3.0)
    assert [traced(x), traced(x)] == [9.0, 9.0]
    assert len(traced.graphs) == 1
    assert rt.function(rt.grad(lambda x: x * x * settings().scale))(x) == 12.0
    np.testing.assert_array_equal(rt.vmap(traced)(np.arange(3.0)), [3.0, 5.0, 7.0])
