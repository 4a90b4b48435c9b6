"""`rt.random`: numbers depend on a seed and a call counter, in graphs and outside of them."""

import copy
import pickle
import threading

import numpy as np
import pytest

import runtime as rt
from runtime.errors import StagingError

WEIGHTS = np.array([0.2, 0.3, 0.5])
DRAWS = [
    lambda rng: rng.normal(size=3),
    lambda rng: rng.normal(1.0, WEIGHTS),
    lambda rng: rng.normal(),
    lambda rng: rng.uniform(-1, 1, (2, 3)),
    lambda rng: rng.random(),
    lambda rng: rng.random(5, dtype=np.float32),
    lambda rng: rng.standard_normal((2, 2), dtype=np.float32),
    lambda rng: rng.integers(10),
    lambda rng: rng.integers(3, 9, size=4, dtype=np.int32),
    lambda rng: rng.integers(0, 5, size=(2, 2), endpoint=True),
    lambda rng: rng.permutation(6),
    lambda rng: rng.permutation(WEIGHTS),
    lambda rng: rng.choice(5, 3, replace=False),
    lambda rng: rng.choice(WEIGHTS, (2, 2), p=WEIGHTS),
    lambda rng: rng.binomial(10, WEIGHTS),
    lambda rng: rng.exponential(2.0, 4),
    lambda rng: rng.poisson(3.0, 4),
    lambda rng: rng.gamma(2.0, 1.5, size=3),
    lambda rng: rng.multinomial(10, WEIGHTS),
    lambda rng: rng.multivariate_normal(np.zeros(2), np.eye(2)),
]


def same(one, other):
    if isinstance(one, (np.ndarray, np.generic)):
        kind = type(one) is type(other) and one.dtype == other.dtype and one.shape == other.shape
        return kind and one.tobytes() == other.tobytes()
    return type(one) is type(other) and one == other


def numpys(seed, calls):
    """A NumPy generator at the start of the stream of a call."""
    key = np.random.Philox(seed).state["state"]["key"]
    return np.random.Generator(np.random.Philox(key=key, counter=[0, 0, calls, 0]))


@pytest.mark.parametrize("draw", DRAWS, ids=range(len(DRAWS)))
def test_a_call_draws_the_numbers_of_numpys_philox_at_its_counter(draw):
    eager, staged = rt.random.Generator(7), rt.random.Generator(7)
    f = rt.function(lambda: draw(staged))
    for calls in range(3):
        expected = draw(numpys(7, calls))
        assert same(draw(eager), expected) and same(f(), expected)
    assert len(f.graphs) == 1


@pytest.mark.parametrize("seed", [0, 1, 2**70, [1, 2, 3]])
def test_the_first_call_equals_that_of_numpys_philox_with_the_seed(seed):
    expected = np.random.Generator(np.random.Philox(seed)).normal(size=5)
    assert same(rt.random.default_rng(seed).normal(size=5), expected)


def walk(rng, n, other):
    """Draws in loops, branches and called functions, and a draw that is not used."""

    def dice():
        return rng.integers(1, 7)

    total, seen = 0.0, np.zeros(3)
    for i in range(n):
        if dice() > 3:
            total = total + rng.normal()
            rng.random(10)
        else:
            seen[i % 3] += other.exponential()
    while rng.random() > 0.2:
        total = total + 1.0
    return total, seen


def test_staged_blocks_draw_the_same_numbers_as_python():
    pairs = [(rt.random.Generator(3), rt.random.Generator(4)) for _ in range(2)]
    f = rt.function(walk)
    for n in (0, 5, 40):
        expected = rt.eager(f)(pairs[0][0], n, pairs[0][1])
        total, seen = f(pairs[1][0], np.int64(n), pairs[1][1])
        assert total == expected[0] and same(seen, expected[1])
        for one, other in zip(*pairs, strict=True):
            assert same(one.state, other.state)


def test_a_recursive_function_draws_different_numbers_each_time():
    rng, plain = rt.random.Generator(5), rt.random.Generator(5)

    @rt.function
    def depth(n):
        if n > 50 or rng.random() < 0.1:
            return n
        return depth(n + 1)

    def loop(n):
        return n if n > 50 or plain.random() < 0.1 else loop(n + 1)

    assert [int(depth(np.int64(0))) for _ in range(5)] == [loop(0) for _ in range(5)]


def test_two_functions_share_a_stream_with_eager_draws():
    rng, expected = rt.random.Generator(1), rt.random.Generator(1)
    one, other = rt.function(lambda: rng.normal(size=2)), rt.function(lambda: rng.random())
    found = [one(), other(), rng.integers(100), one(), rng.normal(), other()]
    plain = [
        expected.normal(size=2), expected.random(), expected.integers(100),
        expected.normal(size=2), expected.normal(), expected.random(),
    ]  # fmt: skip
    assert all(map(same, found, plain))


def test_the_amount_a_call_draws_does_not_change_later_calls():
    one, other = rt.random.Generator(0), rt.random.Generator(0)
    one.normal(size=1000), other.integers(2)
    assert same(one.random(3), other.random(3))


@pytest.mark.parametrize("threads", [1, 4])
def test_the_number_of_threads_does_not_change_the_draws(threads):
    rng = rt.random.Generator(2)

    @rt.function
    def f():
        x, y = rng.normal(size=(300, 300)), rng.normal(size=(300, 300))
        return x @ x + y @ y

    with rt.config.temporarily(threads=threads):
        found = f()
    x, y = numpys(2, 0).normal(size=(300, 300)), numpys(2, 1).normal(size=(300, 300))
    assert np.allclose(found, x @ x + y @ y)


def test_threads_that_draw_eagerly_never_draw_the_same_numbers():
    rng, seen = rt.random.Generator(0), []
    threads = [
        threading.Thread(target=lambda: seen.extend([rng.random() for _ in range(500)]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(seen) == sorted(numpys(0, calls).random() for calls in range(2000))


def test_sizes_may_be_staged():
    rng, f = rt.random.Generator(9), None
    f = rt.function(lambda n: rng.normal(0.0, 2.0, (n, 3)))
    assert same(f(np.int64(4)), numpys(9, 0).normal(0.0, 2.0, (4, 3)))
    assert same(f(np.int64(2)), numpys(9, 1).normal(0.0, 2.0, (2, 3)))
    g = rt.function(lambda n: rng.permutation(n))
    assert same(g(np.int64(5)), numpys(9, 2).permutation(5))


def test_every_run_of_a_graph_draws_fresh_numbers_and_a_seed_repeats_them():
    @rt.function
    def f():
        return rt.random.normal(size=3), rt.random.uniform()

    rt.random.seed(11)
    first, second = f(), f()
    assert not np.array_equal(first[0], second[0])
    rt.random.seed(11)
    assert same(f()[0], first[0]) and same(f()[1], second[1])
    rt.random.set_seed(11)
    assert same(rt.random.normal(size=3), first[0]) and same(rt.random.uniform(), first[1])
    assert len(f.graphs) == 1


def test_without_a_seed_streams_differ():
    assert not np.array_equal(rt.random.Generator().random(4), rt.random.Generator().random(4))


def test_a_seed_may_be_set_in_a_graph():
    @rt.function
    def f():
        rt.random.seed(3)
        return rt.random.random(4)

    assert same(f(), numpys(3, 0).random(4)) and same(f(), numpys(3, 0).random(4))


def test_bernoulli_and_truncated_normal_are_the_same_in_graphs():
    one, other = rt.random.Generator(0), rt.random.Generator(0)
    draws = [
        lambda rng: rng.bernoulli(0.3, 20),
        lambda rng: rng.bernoulli(WEIGHTS),
        lambda rng: rng.bernoulli(),
        lambda rng: rng.truncated_normal(size=50),
        lambda rng: rng.truncated_normal(1.0, WEIGHTS, low=-1.0, high=0.5),
        lambda rng: rng.truncated_normal(),
    ]
    for draw in draws:
        assert same(rt.function(lambda draw=draw: draw(one))(), draw(other))


BOUNDS = [(-2, 2), (-0.1, 0.3), (0.5, 0.6), (3, np.inf), (6, 7), (-np.inf, -4), (-1, 9), (0, 1)]


@pytest.mark.parametrize("low, high", BOUNDS)
def test_truncated_normal_numbers_have_the_mean_of_the_distribution(low, high):
    x = rt.random.Generator(0).truncated_normal(size=100_000, low=low, high=high)
    grid = np.linspace(max(low, -12), min(high, 12), 200_001)
    density = np.exp(-(grid**2) / 2)
    mean = np.average(grid, weights=density)
    spread = np.sqrt(np.average((grid - mean) ** 2, weights=density))
    assert x.shape == (100_000,) and low <= x.min() and x.max() <= high
    assert abs(x.mean() - mean) < 5 * spread / np.sqrt(100_000)
    assert abs(x.std() - spread) < 0.02 * spread


def test_bernoulli_is_true_with_the_given_probability():
    x = rt.random.Generator(0).bernoulli(0.3, 100_000)
    assert x.dtype == bool and abs(x.mean() - 0.3) < 0.01
    assert type(rt.random.bernoulli()) is np.bool_


def test_shuffle_and_permutation_use_the_same_order():
    rng = rt.random.Generator(4)
    x, v, y = np.arange(6), rt.Variable(np.arange(6)), np.arange(6)
    rng.shuffle(x)
    rng.shuffle(v)
    rt.function(lambda y: rng.shuffle(y))(y)
    for calls, found in enumerate((x, v.value, y)):
        assert same(found, numpys(4, calls).permutation(np.arange(6)))
    with pytest.raises(TypeError, match="takes an array"):
        rng.shuffle([1, 2])


def test_split_returns_independent_streams_and_counts_one_call():
    rng = rt.random.Generator(0)
    one, other = rng.split(2)
    again = rt.random.Generator(0).split(2)
    draws = [g.random() for g in (one, other, rng, rt.random.Generator(0))]
    assert len(set(draws)) == 4
    assert [g.random() for g in again] == draws[:2]
    assert draws[2] == numpys(0, 1).random()
    with pytest.raises(StagingError, match="split"):
        rt.function(lambda: rng.split(2))()


def test_the_state_can_be_saved_and_restored():
    rng = rt.random.Generator(0)
    rng.random(3)
    state, copies = rng.state, [copy.deepcopy(rng), pickle.loads(pickle.dumps(rng))]
    expected = rng.random(3)
    assert all(same(one.random(3), expected) for one in copies)
    rng.state = state
    assert same(rt.function(lambda: rng.random(3))(), expected)
    assert same(state[2:], np.array([1], np.uint64))


def test_a_generator_in_an_object_belongs_to_the_object():
    class Noise:
        def __init__(self, seed):
            self.rng = rt.random.Generator(seed)

        @rt.function
        def __call__(self, x):
            return x + self.rng.normal(size=x.shape)

    one, other = Noise(0), Noise(1)
    x = np.zeros(3)
    assert same(one(x), numpys(0, 0).normal(size=3))
    assert same(other(x), numpys(1, 0).normal(size=3))
    one.rng = rt.random.Generator(5)
    assert same(one(x), numpys(5, 0).normal(size=3))


def test_unsupported_draws_are_refused():
    rng = rt.random.Generator(0)
    with pytest.raises(StagingError, match="staged seed"):
        rt.function(lambda n: rt.random.seed(n))(np.int64(1))
    with pytest.raises(TypeError, match="out="):
        rng.random(out=np.zeros(3))
    with pytest.raises(ValueError, match="nothing is between"):
        rng.truncated_normal(low=2.0, high=1.0)
    with pytest.raises(ValueError):
        rt.function(lambda: rng.normal(0.0, -1.0))()
