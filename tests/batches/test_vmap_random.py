"""The elements of a batch draw from independent streams: those of the generators that `split` makes."""

import numpy as np
import pytest

import runtime as rt

pytestmark = pytest.mark.filterwarnings("ignore::runtime.RetracingWarning")
XS = np.arange(5.0)


def one_draw(rng, x):
    return x + rng.normal()


def two_draws(rng, x):
    return x * rng.normal() + rng.integers(0, 10)


def in_branches(rng, x):
    if x > 2:
        return x + rng.normal() + rng.random()
    return rng.random() * x


def in_loops(rng, x):
    total, i = x * 0, x * 0
    while i < x:
        total, i = total + rng.random(), i + 1
    return total + rng.normal()


def of_arrays(rng, x):
    return np.sum(rng.normal(size=3) * x) + rng.choice(np.array([1.0, 2.0, 3.0]))


def with_parameters(rng, x):
    return rng.normal(x, 0.1) + rng.uniform(0, x)


PROGRAMS = [one_draw, two_draws, in_branches, in_loops, of_arrays, with_parameters]


def looped(fn, rng, xs):
    """The rule: a loop over the elements and the split generators."""
    return np.stack([fn(each, x) for each, x in zip(rng.split(len(xs)), xs, strict=True)])


def mapped(fn, rng):
    return rt.vmap(lambda x: fn(rng, x))


@pytest.fixture(params=["graph", "eager"])
def mode(request):
    rt.config.run_functions_eagerly(request.param == "eager")
    yield request.param
    rt.config.run_functions_eagerly(False)


@pytest.mark.parametrize("fn", PROGRAMS)
def test_the_elements_draw_from_split_generators(fn, mode):
    one, other = rt.random.Generator(7), rt.random.Generator(7)
    function = mapped(fn, one)
    for _ in range(2):
        np.testing.assert_array_equal(function(XS), looped(fn, other, XS))
        np.testing.assert_array_equal(one.state, other.state)


def test_the_generator_goes_on_after_the_batch(mode):
    one, other = rt.random.Generator(7), rt.random.Generator(7)

    def program(xs):
        before = one.normal()
        return before, rt.vmap(lambda x: in_branches(one, x))(xs), one.normal()

    found = rt.function(program)(XS)
    expected = other.normal(), looped(in_branches, other, XS), other.normal()
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


def test_batches_of_batches(mode):
    table = np.arange(6.0).reshape(3, 2)
    one, other = rt.random.Generator(7), rt.random.Generator(7)
    expected = [
        looped(in_branches, rng, row) for rng, row in zip(other.split(3), table, strict=True)
    ]
    np.testing.assert_array_equal(
        rt.vmap(rt.vmap(lambda x: in_branches(one, x)))(table), np.stack(expected)
    )
    np.testing.assert_array_equal(one.state, other.state)


def test_the_shared_generator_and_a_staged_number_of_elements():
    rt.random.seed(3)
    found = rt.function(lambda n: rt.vmap(lambda x: x + rt.random.normal())(np.zeros(n)))(
        np.int64(4)
    )
    rt.random.seed(3)
    np.testing.assert_array_equal(found, [rng.normal() for rng in rt.random.split(4)])


def test_gradients_of_batches_and_batches_of_gradients():
    generators = [rt.random.Generator(7) for _ in range(3)]
    expected = [rng.normal() for rng in generators[0].split(5)]
    batched = rt.vmap(rt.grad(lambda x: two_draws(generators[1], x)))(XS)
    np.testing.assert_array_equal(batched, expected)
    total = rt.grad(lambda xs: np.sum(mapped(two_draws, generators[2])(xs)))(XS)
    np.testing.assert_array_equal(total, expected)


@pytest.mark.parametrize("fn", PROGRAMS[:4])
def test_forward_mode_draws_as_the_function_does(fn):
    one, other = rt.random.Generator(7), rt.random.Generator(7)
    value, _ = rt.jvp(lambda x: fn(one, x), (np.float64(3.0),), (np.float64(1.0),))
    assert value == fn(other, np.float64(3.0))
    np.testing.assert_array_equal(one.state, other.state)


def test_layers_that_draw(mode):
    dropout = rt.nn.Dropout(0.5)
    rt.random.seed(1)
    found = rt.vmap(lambda row: dropout(row, training=True))(np.ones((4, 6)))
    assert set(np.unique(found)) <= {0.0, 2.0}
    assert len({tuple(row) for row in found}) > 1


def test_the_elements_have_streams_of_their_own():
    rng = rt.random.Generator(0)
    drawn = rt.vmap(lambda x: rng.random(size=200) + x)(np.zeros(50))
    assert len(np.unique(drawn)) == drawn.size
    assert abs(np.corrcoef(drawn)[~np.eye(50, dtype=bool)]).max() < 0.3
