"""What a function reads and writes through another one that is decorated or transformed is not
baked into the graph: the inner function's world is the outer one's."""

import inspect

import numpy as np
import pytest
from function_wrappers import MAPPED, USED, WRAPPERS

import runtime as rt

scale = 2.0
weights = np.array([1.0, 2.0])


class Model:
    pass


def a_rebound_float():
    global scale
    scale = 2.0

    def read(x):
        return x * scale

    def change():
        global scale
        scale = 5.0

    return read, change


def an_array_written_into():
    global weights
    weights = np.array([1.0, 2.0])

    def read(x):
        return x * np.sum(weights)

    def change():
        weights[0] = 10.0

    return read, change


def a_rebound_array():
    global weights
    weights = np.array([1.0, 2.0])

    def read(x):
        return x * np.sum(weights)

    def change():
        global weights
        weights = np.array([3.0, 4.0, 5.0])

    return read, change


def attributes():
    model = Model()
    model.w, model.rate = np.array([1.0, 2.0]), 2.0

    def read(x):
        return x * np.sum(model.w) * model.rate

    def change():
        model.w, model.rate = np.array([5.0, 5.0]), 3.0

    return read, change


def an_attribute_of_a_class():
    class Settings:
        rate = 2.0

    def read(x):
        return x * Settings.rate

    def change():
        Settings.rate = 4.0

    return read, change


def a_free_variable():
    factor = 2.0

    def read(x):
        return x * factor

    def change():
        nonlocal factor
        factor = 7.0

    return read, change


def items():
    held = [1.0, np.ones(2), {"k": 2.0}]

    def read(x):
        return x * held[0] * np.sum(held[1]) * held[2]["k"]

    def change():
        held[0], held[1], held[2]["k"] = 3.0, np.ones(3), 5.0

    return read, change


def a_default():
    def read(x, rates=[2.0, 1.0]):  # noqa: B006
        return x * rates[0] * rates[1]

    def change():
        read.__defaults__[0][0] = 3.0

    return read, change


def an_attribute_of_a_function():
    def helper(x):
        return x * helper.rate

    def change():
        helper.rate = 3.0

    helper.rate = 2.0
    return lambda x: helper(x), change


def a_replaced_function():
    def helper(x):
        return x * 2.0

    def another(x):
        return x * 3.0

    def change():
        nonlocal helper
        helper = another

    return lambda x: helper(x), change


READS = [
    a_rebound_float,
    an_array_written_into,
    a_rebound_array,
    attributes,
    an_attribute_of_a_class,
    a_free_variable,
    items,
    a_default,
    an_attribute_of_a_function,
    a_replaced_function,
]


def outcomes(call, change):
    """The values before and after a change, and the first again."""
    found = [float(call(np.float64(3.0)))]
    change()
    return [*found, float(call(np.float64(3.0))), float(call(np.float64(-1.0)))]


@pytest.mark.parametrize("wrapper", WRAPPERS, ids=lambda w: getattr(w, "__name__", "convert"))
@pytest.mark.filterwarnings("ignore::runtime.RetracingWarning")
def test_a_change_of_what_an_inner_function_reads_is_seen(wrapper):
    for read in READS:
        expected = outcomes(*read())
        function, change = read()
        inner = wrapper(function)
        assert outcomes(rt.function(lambda x, inner=inner: inner(x) * 1.0), change) == expected, (
            read
        )


def test_defaults_that_are_replaced_after_the_decoration_are_refused():
    def scaled(x, by=2.0):
        return x * by

    inner = rt.function(scaled)
    outer = rt.function(lambda x: inner(x))
    assert outer(np.float64(3.0)) == inner(np.float64(3.0)) == 6.0
    scaled.__defaults__ = (5.0,)
    for function in (inner, outer):
        with pytest.raises(rt.StagingError, match="the defaults of scaled were replaced"):
            function(np.float64(3.0))


# -- writes ----------------------------------------------------------------------------------------


def into_an_array():
    global weights
    weights = np.array([1.0, 2.0])

    def write(x):
        weights[0] += x
        return x * weights[0]

    return write, lambda: weights.tolist()


def of_a_global_variable():
    global scale
    scale = np.float64(1.0)

    def write(x):
        global scale
        scale = scale * 2 + x
        return x * scale

    return write, lambda: float(scale)


def of_an_attribute():
    model = Model()
    model.total = np.float64(0.0)

    def write(x):
        model.total = model.total + x
        return x * model.total

    return write, lambda: float(model.total)


def of_a_free_variable():
    total = np.float64(0.0)

    def write(x):
        nonlocal total
        total = total + x
        return x * total

    return write, lambda: float(total)


def into_a_list():
    seen = []

    def write(x):
        seen.append(x * 2)
        return x * 2.0

    return write, lambda: [float(one) for one in seen]


WRITES = [into_an_array, of_a_global_variable, of_an_attribute, of_a_free_variable, into_a_list]


def written(call, seen):
    """Values of three calls, and what they have written."""
    return [float(call(np.float64(x))) for x in (3.0, 4.0, -1.0)], seen()


@pytest.mark.parametrize("wrapper", WRAPPERS, ids=lambda w: getattr(w, "__name__", "convert"))
def test_each_run_writes_what_an_inner_function_writes(wrapper):
    for write in WRITES:
        expected = written(*write())
        function, seen = write()
        inner = wrapper(function)
        outer = rt.function(lambda x, inner=inner: inner(x) * 1.0)
        if wrapper in MAPPED:
            before = seen()
            with pytest.raises(rt.StagingError, match="is transformed, and writes into"):
                outer(np.float64(3.0))
            assert seen() == before
        else:
            assert written(outer, seen) == expected, write


@pytest.mark.parametrize("wrapper", WRAPPERS, ids=lambda w: getattr(w, "__name__", "convert"))
def test_only_the_chosen_branch_writes_through_an_inner_function(wrapper):
    for write in WRITES:
        function, seen = write()
        plain = [float(function(np.float64(3.0))), seen()]
        function, seen = write()
        inner = wrapper(function)

        def choose(x, inner=inner):
            y = x
            if x > 0:
                y = inner(x)
            return y * 1.0

        outer, before = rt.function(choose), seen()
        try:
            assert float(outer(np.float64(-3.0))) == -3.0
        except rt.StagingError:
            assert seen() == before
            continue
        assert seen() == before, write
        assert [float(outer(np.float64(3.0))), seen()] == plain, write


def test_every_public_callable_that_takes_a_function_is_among_the_wrappers():
    takers = []
    for name in rt.__all__:
        value = getattr(rt, name)
        if not callable(value):
            continue
        try:
            parameters = list(inspect.signature(value).parameters)
        except ValueError:
            continue
        if parameters and parameters[0] in ("fn", "f", "func", "function", "python_function"):
            takers.append(value)
    called_as_they_are = {rt.effect, rt.pure, rt.host_call, rt.library_call, rt.compile_library}
    called_as_they_are |= {rt.to_jax, rt.from_jax, rt.to_torch}  # functions of other libraries
    assert set(takers) - called_as_they_are == set(USED)
    assert set(USED.values()) <= set(WRAPPERS)


@pytest.mark.parametrize("has_run", [False, True])
@pytest.mark.parametrize(
    "wrapped",
    [rt.function, rt.grad, rt.value_and_grad, rt.eager, lambda f: rt.function(rt.grad(f))],
)
def test_a_method_that_is_decorated_is_wrapped_again(wrapped, has_run):
    class Net:
        def __init__(self, weight):
            self.weight = weight

        def plain(self, x):
            return x * self.weight

        step = rt.function(plain)

    nets = [Net(np.float64(3.0)), Net(np.float64(5.0))]
    for x in (2.0, np.float64(2.0)):
        if has_run:
            assert [net.step(x) for net in nets] == [6.0, 10.0]
            assert nets[0].step.get_concrete_function(nets[0], x)(nets[0], x) == 6.0
        own = {rt.eager: lambda f: f}.get(wrapped, wrapped)
        assert [wrapped(net.step)(x) for net in nets] == [own(net.plain)(x) for net in nets]
