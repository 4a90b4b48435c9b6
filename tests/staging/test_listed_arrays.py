"""Arrays in lists of staged code: exact if they are not written into, else refused."""

import numpy as np
import pytest

import runtime as rt


def table():
    return np.arange(6.0).reshape(3, 2)


def rows_or_halves(x):
    found = []
    for row in x:
        y = row
        if y.sum() > 1:
            y = y * 0.5
        found.append(y)
    return found


def sums_on_the_way(x):
    total, found = np.zeros(2), []
    for row in x:
        total = total + row
        total[0] += 1
        found.append(total)
    return found


def the_last_one_in_an_attribute(x):
    held = {"row": x[0]}
    for row in x:
        if row.sum() > 2:
            held["row"] = row
    return held["row"] + 0


def test_a_list_may_hold_views_on_one_path_and_new_arrays_on_another():
    half = [[0.0, 1.0], [1.0, 1.5], [2.0, 2.5]]
    assert np.array(rt.function(rows_or_halves)(table())).tolist() == half


def test_an_array_may_be_written_into_before_it_is_put_into_a_list():
    sums = [[1.0, 1.0], [4.0, 4.0], [9.0, 9.0]]
    assert np.array(rt.function(sums_on_the_way)(table())).tolist() == sums


def test_an_item_may_be_bound_to_a_view_in_a_staged_loop():
    assert rt.function(the_last_one_in_an_attribute)(table()).tolist() == [4.0, 5.0]


def test_elements_swapped_in_a_branch_are_still_the_same_arrays():
    def swapped(x):
        rows = [x[0], x[1]]
        if x[0, 0] < 1:
            rows.reverse()
        rows[0][0] = 9.0
        return rows

    x = table()
    rows = rt.function(swapped)(x)
    assert np.array(rows).tolist() == [[9.0, 3.0], [0.0, 1.0]]
    assert x.tolist() == [[0.0, 1.0], [9.0, 3.0], [4.0, 5.0]]


# -- writes that would be visible through the list -------------------------------------------------


def the_same_sum_again(x):
    total, found = np.zeros(2), []
    for row in x:
        total += row
        found.append(total)
    return found


def sometimes(x):
    total, found = np.zeros(2), []
    for row in x:
        total += row
        if total.sum() > 2:
            found.append(total)
    return found


def after_it_was_put_there(x):
    found = []
    for row in x:
        found.append(row)
        row *= 2
    return found


def through_one_of_two(x):
    found = []
    for row in x:
        y = row
        if y.sum() > 1:
            y = y * 0.5
        found.append(y)
        y[0] = 7.0
    return found


def that_of_the_turn_before(x):
    total, found = np.zeros(2), []
    while total.sum() < 20:
        total[0] += 1
        total = total + x[1]
        found.append(total)
    return found


def behind_the_loop(x):
    total, found = np.zeros(2), []
    while total.sum() < 20:
        found.append(total)
        total = total + x[1]
        found.append(total)
    total /= 2
    return found


def an_element_that_was_read(x):
    row, found = x[0] + 0, []
    for other in x:
        if other[0] > 1:
            found.append(row)
    first = found[0]
    row[0] = 5.0
    return first


def elements_of_a_list_of_pythons(x):
    rows = [x[0], x[1]]
    row = rows[x.argmax() % 2]
    x[1, 0] = 9.0
    return row


@pytest.mark.parametrize(
    "fn",
    [
        sometimes,
        that_of_the_turn_before,
        behind_the_loop,
        an_element_that_was_read,
        elements_of_a_list_of_pythons,
    ],
)
def test_a_write_into_an_array_in_a_list_is_refused(fn):
    with pytest.raises(rt.StagingError, match=r"(?s)written into.*copy\(\)"):
        rt.function(fn)(table())


@pytest.mark.parametrize("fn", [the_same_sum_again, after_it_was_put_there, through_one_of_two])
def test_a_loop_over_known_rows_is_unrolled_where_its_writes_would_be_refused(fn):
    given, x = table(), table()
    expected, found = fn(given), rt.function(fn)(x)
    assert np.array_equal(found, expected) and np.array_equal(x, given)
    assert [a is found[0] for a in found] == [a is expected[0] for a in expected]
    signature = [rt.TensorSpec((None, 2), np.float64)]
    with pytest.raises(rt.StagingError, match=r"(?s)written into.*copy\(\)"):
        rt.function(fn, input_signature=signature)(table())


def test_a_write_into_a_listed_array_is_refused_only_if_the_list_is_read_afterwards():
    def count(x):
        total, found = np.zeros(2), []
        while total.sum() < 20:
            total = total + x[1]
            found.append(total)
        total /= 2
        return total, len(found)

    total, n = rt.function(count)(table())
    assert (total.tolist(), n) == ([4.0, 6.0], 4)


@pytest.mark.parametrize(
    ("join", "words"),
    [
        (np.stack, "need at least one array to stack"),
        (np.vstack, "need at least one array to concatenate"),
        (np.concatenate, "need at least one array to concatenate"),
    ],
)
def test_joining_a_list_that_is_empty_at_run_time_raises(join, words):
    def joined(x):
        rows = []
        for row in x:
            if row[0] > 2:
                rows.append(row)
        return join(rows)

    assert rt.function(joined)(table()).ravel().tolist() == [4.0, 5.0]
    with pytest.raises(ValueError, match=words):
        rt.function(joined)(table() * 0)


def test_an_unsupported_option_of_a_list_method_is_refused():
    def joined(x):
        rows = []
        for row in x:
            if row[0] > 2:
                rows.append(row)
        return np.concatenate(rows, dtype=np.float32)

    with pytest.raises(rt.StagingError, match="an option of np.concatenate of a list"):
        rt.function(joined)(table())


def test_python_builds_an_array_from_a_list_of_arrays_that_is_empty_at_run_time():
    def rows(n):
        found = []
        for i in range(n):
            found.append(np.ones(2) * i)
        return np.array(found)

    staged = rt.function(rows)
    assert staged(np.int64(3)).tolist() == rows(3).tolist()
    assert staged(np.int64(0)).shape == (0,)
