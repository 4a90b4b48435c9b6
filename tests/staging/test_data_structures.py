"""Programs with lists, dicts, objects and sets that staged code changes."""

import data_chosen
import data_found
import data_histories
import data_keyed_records
import data_nested_records
import data_none
import data_none_used
import data_records
import data_records_changed
import data_records_in_rows
import data_records_passed
import data_records_used
import data_sets_in_any_order
import data_staged_counters
import data_staged_keys
import data_staged_sets
import data_texts
import numpy as np
import pytest
from support.every_mode import check_in_every_mode

import runtime as rt

COLLECTIONS = (
    data_chosen,
    data_found,
    data_histories,
    data_keyed_records,
    data_nested_records,
    data_none,
    data_none_used,
    data_records,
    data_records_changed,
    data_records_in_rows,
    data_records_passed,
    data_records_used,
    data_sets_in_any_order,
    data_staged_counters,
    data_staged_keys,
    data_staged_sets,
    data_texts,
)
PROGRAMS = {
    f"{one.__name__}.{name}": program
    for one in COLLECTIONS
    for name, program in one.PROGRAMS.items()
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])


def filled(x):
    held = [None] * x.size
    for i in range(x.size):
        if x[i] > 2:
            held[i] = x[i] * x[i]
    total = 0.0
    for v in held:
        if v is not None:
            total += v
    return total


def test_a_list_with_none_has_no_derivative_and_is_mapped():
    x = np.array([3.0, 1.0, 2.0])
    spec = rt.TensorSpec((None,), np.float64)
    with pytest.raises(rt.StagingError, match="None"):
        rt.function(rt.grad(filled), input_signature=(spec,))(x)
    batch = rt.TensorSpec((None, None), np.float64)
    mapped = rt.function(rt.vmap(filled), input_signature=(batch,))
    assert mapped(np.array([x, x + 1])).tolist() == [9.0, 25.0]
    assert rt.function(rt.grad(filled))(x).tolist() == [6.0, 0.0, 0.0]


def test_a_value_that_may_be_none_is_compared_with_none():
    def compared(n):
        y = n if n > 1 else None
        return y == None, y != None  # noqa: E711

    assert rt.function(compared)(np.int64(4)) == (False, True)
    assert rt.function(compared)(np.int64(0)) == (True, False)
