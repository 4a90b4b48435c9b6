"""A number that only the run knows to be an int is an int where Python takes only ints.

A run that has a float there raises what Python raises.
"""

import numpy as np
import pytest
from support.outcomes import check_same, outcome, quiet, same_exactly

import runtime as rt

X = np.array([1.0, 3.0, 2.0, 4.0])


def repeats_a_list(n, x):
    return [x[0], 1.5] * n


def repeats_after_another(n, x):
    return [1, 2] + n * [x[0]]


def repeats_a_text(n, x):
    return "ab" * n


def stops_a_slice(n, x):
    return x[:n], x[n:]


def is_an_index(n, x):
    return x[n], [5, 6, 7][n]


def writes_an_element(n, x):
    x[n] = 7.0
    return x


def bounds_a_range(n, x):
    return [x[i] for i in range(n)]


def sizes_an_array(n, x):
    return np.zeros(n), np.full((n, 2), 1.5)


def sizes_a_reshape(n, x):
    return x.reshape(n, -1)


def shifts_bits(n, x):
    return n << 2, ~n, n & 3


def is_a_key(n, x):
    return {1: 5, 2: 6}[n], n in (1, 2)


PROGRAMS = [
    repeats_a_list, repeats_after_another, repeats_a_text, stops_a_slice, is_an_index,
    writes_an_element, bounds_a_range, sizes_an_array, sizes_a_reshape, shifts_bits, is_a_key,
]  # fmt: skip


@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("uses", PROGRAMS, ids=lambda function: function.__name__)
def test_an_int_or_a_float_is_used_as_python_does(uses, engine):
    def chosen(p, x):
        n = 2 if p else 1.5
        return uses(n, x)

    def chosen_of_numpy(p, x):
        n = np.int64(2) if p else np.float64(2.0)
        return uses(n, x)

    with quiet():
        for function in (chosen, chosen_of_numpy):
            compiled = rt.function(function, engine=engine)
            for given in (True, False, True):
                arguments = np.bool_(given), X
                check_same(outcome(compiled, arguments), outcome(function, arguments), same_exactly)


def pooled(values, weights):
    """Blocks `[mean, weight, count]`, as in isotonic regression."""
    blocks = []
    for value, weight in zip(values, weights, strict=True):
        blocks.append([value, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            v2, w2, n2 = blocks.pop()
            v1, w1, n1 = blocks.pop()
            blocks.append([(v1 * w1 + v2 * w2) / (w1 + w2), w1 + w2, n1 + n2])
    fitted = []
    for value, _, count in blocks:
        fitted.extend([value] * count)
    return np.array(fitted), [x for value, _, count in blocks for x in range(count)]


def test_counts_in_lists_of_numbers_are_counts():
    compiled = rt.function(pooled)
    for values in (X, X[::-1].copy(), np.array([1.0, 3.0, 2.0, 4.0, 3.5, 3.0, 5.0])):
        given = values, np.ones(len(values))
        check_same(outcome(compiled, given), outcome(pooled, given), same_exactly)


@pytest.mark.parametrize("count", [np.float64(2.0), np.float32(2.0), np.bool_(True), 2])
@pytest.mark.parametrize("items", [[1.0, 2.0], "ab"], ids=["list", "text"])
def test_only_an_integer_repeats_a_sequence(count, items):
    def repeated(x, n):
        return items * n

    def repeated_from_the_left(x, n):
        return n * items

    for function in (repeated, repeated_from_the_left):
        given = X, count
        check_same(outcome(rt.function(function), given), outcome(function, given), same_exactly)


def squares_of_repeated(x):
    blocks = []
    for value in x:
        blocks.append([value, 2])
        if value > 3:
            blocks.pop()
    return sum(value * value for value, count in blocks for value in [value] * int(count))


def squares_of_repeated_without_int(x):
    blocks = []
    for value in x:
        blocks.append([value, 2])
        if value > 3:
            blocks.pop()
    return sum(value * value for value, count in blocks for value in [value] * count)


def test_a_count_beside_floats_needs_int_where_a_function_is_differentiated():
    slope = rt.function(rt.grad(squares_of_repeated))(X)
    assert np.array_equal(slope, np.where(X > 3, 0.0, 4 * X))
    with pytest.raises(rt.StagingError, match=r"Write int\(n\)"):
        rt.function(rt.grad(squares_of_repeated_without_int))(X)
