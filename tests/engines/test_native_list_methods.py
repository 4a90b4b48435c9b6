"""Parts of lists, `insert`, `reverse` and `in`, as machine code."""

import numpy as np
import pytest
from support.outcomes import check_same, outcome, quiet, same_exactly

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

N = np.int64(9)
X = np.array([3.0, 1.0, -2.0, 5.0, 4.0, 1.0, 0.5, 7.0, 2.0])
Z = np.array([4, 1, 4, 0, 2, 2, 7, 1, 8])


def all_parts(x, n):
    z, total = [x[0]], 0.0
    for i in range(n):
        z.append(x[i])
        for j in range(-12, 13):
            one, other, third = z[j:], z[:j], z[-j:i]
            total += len(one) * 3 + len(other) * 5 + len(third)
            if len(third) > 0:
                total += third[0] - third[-1]
    return total, z[1:4], z[:]


def last_three(x, n):
    z = []
    for i in range(n):
        z.append(x[i])
        z = z[-3:]
    return z


def a_part_is_another_list(n):
    z = [1, 2, 3]
    for i in range(n):
        w = z[:]
        w[0] = i
        z[1] += w[0] + z[0]
    return z, w


def inserted_in_order(z, n):
    found = [z[0]]
    for i in range(1, n):
        k = 0
        while k < len(found) and found[k] < z[i]:
            k += 1
        found.insert(k, z[i])
    return found


def inserted_beyond_ends(n):
    z = [0]
    for i in range(-n, n):
        z.insert(i * 2, i)
    z.insert(0, 100)
    return z


def inserted_pairs(x, n):
    z = [(x[0], 0)]
    for i in range(n):
        z.insert(i // 2, (x[i], i))
    return z


def turned(x, n):
    z = [x[0]]
    for i in range(n):
        z.append(x[i])
        z.reverse()
    return z


def first_repeated(z, n):
    seen = [100]
    for i in range(n):
        if z[i] in seen:
            return i, seen
        seen.append(z[i])
    return -1, seen


def in_a_mixed_list(z, n):
    seen = [0]
    count = 0
    for i in range(n):
        if z[i] not in seen:
            count += 1
            seen.append(z[i])
    return count, seen


def no_numbers_but_nan(x, n):
    seen, count = [x[0]], 0
    for i in range(n):
        v = x[i] * np.nan
        count += v in seen
        seen.append(v)
    return count


WHOLE = (
    (all_parts, (X, N)),
    (last_three, (X, N)),
    (a_part_is_another_list, (N,)),
    (inserted_in_order, (Z, N)),
    (inserted_beyond_ends, (N,)),
    (inserted_pairs, (X, N)),
    (turned, (X, N)),
    (first_repeated, (Z, N)),
    (in_a_mixed_list, (Z, N)),
)


@pytest.mark.parametrize("fn, arguments", [*WHOLE, (no_numbers_but_nan, (X, N))])
def test_lists_are_those_of_python(fn, arguments):
    compiled = rt.function(fn, engine="native")
    with quiet():
        wanted = outcome(fn, arguments)
        for _ in range(3):
            check_same(outcome(compiled, arguments), wanted, same_exactly)


@pytest.mark.parametrize("fn, arguments", WHOLE)
def test_loops_are_machine_code(fn, arguments):
    compiled = rt.function(fn, engine="native")
    compiled(*arguments)
    assert "    loop (" not in compiled.native()
