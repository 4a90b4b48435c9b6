"""Nothing goes stale: the outside world changes between two calls, in every way of a list.

Each read is an input, a condition of the graph, or asked again; else a warning names its line, or
the call is refused.
"""

import gc
import warnings

import numpy as np
import outside_reads  # noqa: F401  (each list adds its cases)
import outside_reads_classes  # noqa: F401
import outside_reads_containers  # noqa: F401
import outside_reads_hidden  # noqa: F401
import outside_reads_holders  # noqa: F401
import outside_reads_library  # noqa: F401
import outside_reads_namespaces  # noqa: F401
import outside_reads_process  # noqa: F401
import outside_reads_protocols  # noqa: F401
import pytest
from function_wrappers import (
    as_it_is,
    by_grad,
    by_jvp,
    by_jvp_of_a_function,
    by_method,
    by_three_levels,
    by_value_and_grad,
    by_vjp,
    by_vmap,
)
from outside_world import CASES
from warning_records import recorded_warnings

import runtime as rt

INPUTS = (3.0, 3.0, -1.0, 2.0)


def by_vmap_of_one(f):
    g = rt.vmap(f)
    return lambda x: g(np.stack([x]))[0]


# How a function that reads the world is called by the function that is recorded: a case is tried as
# it is and in one way of each row, in turn; thorough tests try them all.
WAYS = (
    (rt.function, by_method, by_three_levels),
    (by_value_and_grad, by_jvp, by_grad, by_vmap_of_one, by_vjp, by_jvp_of_a_function),
)
BATCHES = (by_vmap, by_vmap_of_one)

# Announced: files are read once, while the graph is built.
ANNOUNCED = {"an_opened_file", "numbers_in_a_file"}
# Refused: in batches, whose elements have no memory of their own; where gradients go through it;
# and in batches, whose elements would each take something from the source.
OF_MEMORY = {"the_flags_of_an_array"}
NOT_DIFFERENTIATED = {"a_sample_of_the_module_random"}
USED_UP = {
    *("an_iterator_of_a_list", "an_iterator_with_a_default", "a_generator", "a_map"),
    *("a_generator_in_a_loop", "an_enumeration", "a_counter_of_itertools"),
    *("a_cycle_of_itertools", "a_token_of_entropy", "a_loop_over_an_iterator"),
    *("what_is_left_of_an_iterator", "user_iterator", "counter_global", "mutable_default_state"),
    *("the_entries_of_a_folder_in_a_with", "a_shuffled_list", "a_list_that_an_object_shuffles"),
    *("a_list_that_a_function_shuffles", "bytes_read_into_an_array", "an_item_of_a_queue"),
    *("bytes_read_into_an_array_by_a_stream_of_the_function", "the_entries_of_a_folder"),
    *("the_values_of_a_weak_dict_in_a_loop", "the_lines_of_a_file_that_is_open", "a_buffer"),
    "a_json_file",
}


def is_refused(name, way):
    """Whether a case is refused if it is called in some way."""
    by_derivative = (by_value_and_grad, by_jvp, by_jvp_of_a_function)
    if name in NOT_DIFFERENTIATED and way in (*by_derivative, *BATCHES):
        return True
    return name in USED_UP | OF_MEMORY and way in BATCHES


def outcomes(call, change):
    """The values or errors of some calls; the world changes after the first."""
    found = []
    for number, x in enumerate(INPUTS):
        try:
            found.append(float(call(np.float64(x))))
        except rt.StagingError:
            found.append(rt.StagingError)
        except Exception as error:
            found.append((type(error), str(error)))
        if number == 0:
            change()
    return found


def in_a_world(case, wrapped):
    """The outcomes of a case in a world of its own, and the lines that warnings name."""
    read, change, *restore = case()
    code = read.__code__
    try:
        with recorded_warnings() as caught:
            found = outcomes(wrapped(read), change)
            if rt.StagingError in found:
                gc.collect()  # what a refused call has opened is closed here, with its warning
    finally:
        for one in restore:
            one()
    announced = [
        one.lineno
        for one in caught
        if one.category is rt.TracingWarning and one.filename == code.co_filename
    ]
    return found, announced


def check(case, ways):
    expected, _ = in_a_world(case, as_it_is)
    assert rt.StagingError not in expected
    name = case.__name__
    for way in ways:
        found, announced = in_a_world(case, lambda read, way=way: rt.function(way(read)))
        if is_refused(name, way):
            assert rt.StagingError in found, way
        elif name in ANNOUNCED:
            assert announced, way
        else:
            assert found == expected, way


@pytest.mark.sampled(4)
@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of np.matrix
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_no_read_is_stale(case):
    number = CASES.index(case)
    check(case, (as_it_is, *(row[number % len(row)] for row in WAYS)))


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_no_read_is_stale_in_any_way(case):
    check(case, [*WAYS[0], *WAYS[1]])


def eagerly(function):
    def call(x):
        with rt.config.temporarily(run_functions_eagerly=True):
            return function(x)

    return call


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_no_read_is_stale_where_functions_run_eagerly():
    for case in CASES:
        expected, _ = in_a_world(case, as_it_is)
        found, _ = in_a_world(case, lambda read: eagerly(rt.function(read)))
        assert found == expected, case.__name__


def of_two(read):
    return lambda x: read(x) + 100 * read(x)


def in_a_batch_of_two(read):
    mapped = rt.vmap(read)
    return rt.function(lambda x: np.sum(mapped(np.stack([x, x])) * np.array([1.0, 100.0])))


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_each_element_of_a_batch_reads_as_in_a_loop():
    chosen = {*OF_MEMORY, *NOT_DIFFERENTIATED, *USED_UP}
    for case in CASES:
        name = case.__name__
        if name not in chosen and CASES.index(case) % 8 or name in ANNOUNCED:
            continue
        expected, _ = in_a_world(case, of_two)
        found, _ = in_a_world(case, in_a_batch_of_two)
        if is_refused(name, by_vmap):
            assert rt.StagingError in found, name
        else:
            assert found == expected, name


def test_the_list_is_long_enough():
    assert len(CASES) >= 190 and len({case.__name__ for case in CASES}) == len(CASES)


@pytest.mark.parametrize("seed", range(12))
def test_several_reads_change_in_any_order(seed):
    """Some cases share one function, and some of them change before each call."""
    rng = np.random.default_rng(seed)
    left_out = OF_MEMORY | ANNOUNCED | NOT_DIFFERENTIATED | {"a_generator_of_random_numbers"}
    cases = [case for case in CASES if case.__name__ not in left_out]
    chosen = [cases[i] for i in rng.choice(len(cases), 3, replace=False)]
    order = [[bool(b) for b in rng.integers(2, size=3)] for _ in range(3)]

    def run(make):
        worlds = [case() for case in chosen]
        reads, pending = [world[0] for world in worlds], [world[1] for world in worlds]

        def all_of_them(x):
            return reads[0](x) + 2 * reads[1](x) - 3 * reads[2](x)

        call, found = make(all_of_them), []
        try:
            for changes in [[], *order]:
                for i, changed in enumerate(changes):
                    if changed and pending[i] is not None:
                        pending[i]()
                        pending[i] = None
                try:
                    found.append(float(call(np.float64(1.5))))
                except Exception as error:
                    found.append(type(error))
        finally:
            for world in worlds:
                for restore in world[2:]:
                    restore()
        return found

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert run(rt.function) == run(as_it_is), [case.__name__ for case in chosen]


def test_an_answer_that_changes_is_the_reason_for_a_new_graph(monkeypatch):
    import os

    monkeypatch.setenv("AUTOGRAPH_MODE", "slow")
    read = rt.function(lambda x: x * (2.0 if os.getenv("AUTOGRAPH_MODE") == "fast" else 3.0))
    assert [read(np.float64(1.0)) for _ in range(3)] == [3.0] * 3
    assert len(read.graphs) == 1
    monkeypatch.setenv("AUTOGRAPH_MODE", "fast")
    assert read(np.float64(1.0)) == 2.0
    assert "os.getenv('AUTOGRAPH_MODE') was 'slow', and is 'fast'" in read.explain_retraces()


def test_sources_that_reading_uses_up_are_read_at_each_call():
    numbers = iter(range(100))
    read = rt.function(lambda x: x * next(numbers))
    with pytest.warns(rt.RetracingWarning, match="gets another answer"):
        assert [read(np.float64(1.0)) for _ in range(20)] == list(range(20))
    assert len(read.graphs) == 1


def test_recording_again_for_shared_memory_does_not_read_again():
    numbers = iter(range(100))

    @rt.function
    def add(a, b):
        a[0] += next(numbers)
        return b.sum()

    x = np.ones(4)
    assert add(x, np.ones(4)) == 4.0
    with pytest.raises(rt.StagingError, match="reads what reading uses up"):
        add(x, x[::-1])
