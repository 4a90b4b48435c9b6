"""Objects and dicts in staged lists that change."""

import data_dicts_changed
import lists_changed_objects
import numpy as np
import pytest
from support.every_mode import check_in_every_mode
from support.outcomes import check_same, outcome, quiet, same_exactly

import runtime as rt

PROGRAMS = {**lists_changed_objects.PROGRAMS, **data_dicts_changed.PROGRAMS}
SHARED = lists_changed_objects.SHARED
X = lists_changed_objects.X
FOLLOWED = {
    "an_older_name_is_returned",
    "an_inner_object_is_replaced",
    "a_list_that_a_function_hides",
    "a_method_keeps_itself",
    "held_by_another_object",
    "kept_by_a_closure",
    "objects_in_objects",
    "printed",
    "swapped",
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])


@pytest.mark.parametrize("length", [4, 1, 0, 2])
@pytest.mark.parametrize("name", sorted(FOLLOWED))
def test_a_change_that_other_names_see_is_seen(name, length):
    arguments, function = (X, np.int64(length)), SHARED[name].function
    with quiet():
        found = outcome(rt.function(function), arguments)
        check_same(found, outcome(function, arguments), same_exactly)


@pytest.mark.parametrize("name", sorted(SHARED.keys() - FOLLOWED))
def test_a_change_that_a_graph_cannot_follow_is_refused_with_its_line(name):
    program = SHARED[name]
    with pytest.raises(rt.StagingError) as error:
        rt.function(program.function)(*program.arguments)
    assert "lists_changed_objects.py, line" in str(error.value)


def test_the_gradient_through_changed_objects():
    particles = lists_changed_objects.particles

    def total(x, n):
        ps = particles(x * x, n)
        for i in range(n):
            ps[i].x = ps[i].x * ps[0].x
        result = 0.0
        for p in ps:
            result = result + p.x
        return result

    x = np.array([2.0, 3.0, 5.0])
    # x0^2 becomes x0^4, by which the others are multiplied
    expected = [4 * 8.0 * (1 + 9 + 25), 16 * 2 * 3.0, 16 * 2 * 5.0]
    assert rt.function(rt.grad(total))(x, np.int64(3)).tolist() == expected


def test_a_write_into_a_dict_has_a_derivative():
    def total(x, places):
        sums = [{"weight": 2.0, "total": 0.0} for _ in range(3)]
        for k in range(len(places)):
            sums[places[k]]["total"] += sums[places[k]]["weight"] * x[k]
        return sums[1]["total"] + 3.0 * sums[2]["total"]

    places, x = np.array([1, 0, 2, 1]), np.array([1.0, 2.0, 3.0, 4.0])
    assert rt.function(rt.grad(total))(x, places).tolist() == [2.0, 0.0, 6.0, 2.0]
