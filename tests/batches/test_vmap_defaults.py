"""Arguments that a call of a mapped function leaves out are the same for all elements."""

import numpy as np

import runtime as rt

WEIGHTS = np.array([1.0, 2.0])


def weighted(x, w=WEIGHTS, *, pair=(WEIGHTS, 2.0)):
    return x * w.sum() + pair[0][1] * pair[1]


def test_defaults_are_the_same_for_all_elements():
    xs, mapped = np.array([1.0, 2.0, 3.0]), rt.vmap(weighted)
    np.testing.assert_array_equal(mapped(xs), [weighted(x) for x in xs])
    np.testing.assert_array_equal(rt.vmap(rt.grad(weighted))(xs), [3.0, 3.0, 3.0])
    given = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    expected = [weighted(x, w) for x, w in zip(xs, given)]
    np.testing.assert_array_equal(mapped(xs, given), expected)
    np.testing.assert_array_equal(mapped(xs, w=given), expected)
    everywhere = rt.vmap(weighted, in_axes=(0, None))(xs, WEIGHTS)
    np.testing.assert_array_equal(everywhere, mapped(xs))


def test_a_default_array_that_changes_is_read_at_each_call():
    weights = np.ones(2)

    def scaled(x, w=weights):
        return x * w.sum()

    mapped, inner = rt.vmap(scaled), rt.function(lambda xs: rt.vmap(scaled)(xs))
    for value in (1.0, 2.0):
        weights[:] = value
        np.testing.assert_array_equal(mapped(np.ones(3)), np.full(3, 2 * value))
        np.testing.assert_array_equal(inner(np.ones(3)), np.full(3, 2 * value))
