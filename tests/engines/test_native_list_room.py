"""Lists to which loops append, in machine code: they get room for all iterations before the first."""

import numpy as np
import pytest
from allocated import bytes_left_by
from native_runs import compared, same_bits

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def twice(n):
    found = []
    for i in range(n):
        found.append(i * i)
        found.append(-i)
    return np.array(found)


def downwards(n):
    found = [7]
    for i in range(n, 0, -2):
        found.append(i)
    return np.array(found), len(found)


def ends_early(n):
    found = []
    for i in range(n):
        if i > 20:
            break
        found.append(i)
    return np.array(found)


def of_far_bounds(low, high):
    """There are more integers between the bounds than an `int64` counts."""
    found = []
    i = low
    while i < high:
        found.append(i)
        i += 1
        if len(found) > 5:
            i = high
    return np.array(found)


def jumps_far(low, high):
    found = []
    for i in range(low, high):
        found.append(i)
        if len(found) > 5:
            break
    return np.array(found)


def kept_before(n):
    """The first list is used after the loop: the loop appends to a copy."""
    first = [1, 2, 3]
    second = first + []
    for i in range(n):
        second.append(i)
    first.append(-1)
    return np.array(first), np.array(second)


def one_list(n):
    """Two names of a list: both see the appended elements."""
    first = [1, 2]
    second = first
    for i in range(n):
        second.append(i)
    return np.array(first), len(second), first[0]


def nested(n):
    found = []
    for i in range(n):
        row = []
        for j in range(i + 1):
            row.append(j * 0.5)
            found.append(j)
        found.append(len(row))
    return np.array(found)


def sometimes(n):
    found = []
    for i in range(n):
        if i % 3 == 0:
            found.append(i)
    return np.array(found)


def changed(n):
    found = [0.0] * 4
    for i in range(n):
        found[i % 4] = found[(i + 1) % 4] + i
        found.append(found[0])
    return np.array(found)


def pops(n):
    found = []
    for i in range(n):
        found.append(i)
        found.append(i + 1)
        if i % 2 == 1:
            found.pop()
    return np.array(found)


def never(n):
    found = [1.5]
    for i in range(n - n):
        found.append(1.0 * i)
    return np.array(found)


def at_least_once(n):
    """The count says that there is no iteration for the largest numbers, but there is one."""
    found = []
    i = n * 2
    while True:
        found.append(i)
        i += 1
        if i >= n:
            break
    return np.array(found)


def in_steps(n):
    found = []
    for i in range(3, n, 3):
        found.append(i)
    for i in range(-n, n, 7):
        found.append(i)
    return np.array(found + [0])


def of_floats(n):
    found = []
    for i in range(n):
        found.append(i / 4)
    return np.array(found)


def of_bools(n):
    found = []
    for i in range(n):
        found.append(i % 3 == 0)
    return np.array(found)


def used_after(n):
    """The list has its memory after the array has been made."""
    found = []
    for i in range(n):
        found.append(i)
    made = np.array(found)
    found.append(-1)
    made[0] = 50
    return made, np.array(found), found[0]


def copied_inside(n):
    """A copy in each iteration: the list that goes on has room for the iterations that are left."""
    found, lengths = [], []
    for i in range(n):
        before = found
        found = found + []
        found.append(i)
        lengths.append(len(before))
    return np.array(found), np.array(lengths)


def with_lengths_before(n):
    found, before = [0], [1]
    for i in range(n):
        found.append(i)
        before = found[:]
        before.append(i)
    return np.array(found), np.array(before)


def two_names_at_the_end(n):
    """Two variables hold one list after an iteration, so it has two owners in the next one."""
    found, other = [0], [1]
    for i in range(n):
        found.append(i)
        other = found
    return np.array(found), len(other)


def before_and_after(n):
    found, other = [0], [0]
    for i in range(n):
        other = found
        found = found + []
        found.append(i)
    return np.array(found), np.array(other)


PROGRAMS = (
    twice, downwards, ends_early, kept_before, one_list, nested, sometimes, changed, pops,
    at_least_once, in_steps, of_floats, of_bools, used_after, copied_inside, with_lengths_before,
    two_names_at_the_end, before_and_after,
)  # fmt: skip


@pytest.mark.parametrize("fn", [*PROGRAMS, never], ids=lambda fn: fn.__name__)
def test_lists_hold_what_they_do_in_numpy(fn):
    compiled = rt.function(fn, engine="native")
    for n in (1, 40, 40, 3):
        compared(compiled, fn, (np.int64(n),))
    assert "native_1" in compiled.native()


@pytest.mark.parametrize("fn", [of_far_bounds, jumps_far])
def test_a_range_longer_than_integers_count(fn):
    compiled = rt.function(fn, engine="native")
    bounds = np.iinfo(np.int64)
    for low, high in ((bounds.min, bounds.max), (-(2**62) - 9, 2**62), (0, bounds.max)):
        compared(compiled, fn, (np.int64(low), np.int64(high)))
    assert "native_1" in compiled.native()


def test_the_room_of_a_counted_loop_is_reserved_once():
    """There are two allocations for it: of the empty list, and of room for all iterations."""
    compiled = rt.function(twice, engine="native")
    compiled(np.int64(3))
    text = compiled.native(what="ir")
    before, _, inside = text.partition("\nbody")
    assert before.count("call ptr @list_grown") == 2
    assert inside.count("call ptr @list_grown") == 0
    assert inside.count("load i32") == 0  # no look at other owners


def test_a_full_list_becomes_the_array():
    """There is no copy of it, and nothing says that its memory was a list's."""
    compiled = rt.function(twice, engine="native")
    for n in (1, 5, 5000):
        found = [compiled(np.int64(n)) for _ in range(4)]
        for array in found:
            same_bits(array, twice(n))
            assert array.flags == np.arange(3).flags and array.base is None
            array.resize(2 * n + 7, refcheck=False)
            assert np.all(array[2 * n :] == 0)
    text = compiled.native(what="ir")
    _, _, after = text.partition("\nexit")
    assert after.index("\ntake") < after.index("ret ptr")


def raises_soon(n):
    found = []
    for i in range(n):
        found.append(i)
        if i > 20:
            raise ValueError("more than 20")
    return np.array(found)


def test_no_memory_for_all_iterations_is_no_error():
    """NumPy's program appends to a list as long as it can."""
    compiled = rt.function(raises_soon, engine="native")
    for n in (3, 4, 2**40, 2**62):
        compared(compiled, raises_soon, (np.int64(n),))


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_no_list_leaks(fn):
    compiled = rt.function(fn, engine="native")
    given = np.int64(200)
    for _ in range(5):
        compiled(given)

    def call():
        for _ in range(50):
            compiled(given)

    assert bytes_left_by(call) < 4000
