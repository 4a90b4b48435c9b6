"""Nothing goes stale: the outside world changes between two calls, in every way of a list.

Each read is an input, a condition of the graph, or asked again; else a warning names its line, or
the call is refused.
"""

import warnings

import numpy as np
import outside_reads
import outside_reads_classes
import outside_reads_containers
import outside_reads_holders
import outside_reads_library
import outside_reads_process
import outside_reads_protocols
import pytest
from function_wrappers import as_it_is, by_method, by_value_and_grad

import runtime as rt

MODULES = (
    outside_reads,
    outside_reads_classes,
    outside_reads_containers,
    outside_reads_holders,
    outside_reads_library,
    outside_reads_process,
    outside_reads_protocols,
)
CASES = [case for module in MODULES for case in module.CASES]
INPUTS = (3.0, 3.0, -1.0, 2.0)

# How a function that reads the world is called by the function that is recorded.
WAYS = (as_it_is, rt.function, by_value_and_grad, by_method)

# Announced: files are read once, while the graph is built.
ANNOUNCED = {"an_opened_file", "numbers_in_a_file"}
# Refused; the last three only where they are differentiated.
REFUSED = {"the_flags_of_an_array"}
NOT_DIFFERENTIATED = {
    *("a_choice_of_random_numbers", "the_module_random", "a_sample_of_the_module_random"),
}


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
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = outcomes(wrapped(read), change)
    finally:
        for one in restore:
            one()
    announced = [
        one.lineno
        for one in caught
        if one.category is rt.TracingWarning and one.filename == code.co_filename
    ]
    return found, announced


@pytest.mark.sampled(4)
@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of np.matrix
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_no_read_is_stale(case):
    expected, _ = in_a_world(case, as_it_is)
    assert rt.StagingError not in expected
    name = case.__name__
    for way in WAYS:
        found, announced = in_a_world(case, lambda read, way=way: rt.function(way(read)))
        if name in REFUSED or name in NOT_DIFFERENTIATED and way is by_value_and_grad:
            assert rt.StagingError in found, way
        elif name in ANNOUNCED:
            assert announced, way
        else:
            assert found == expected, way


def test_the_list_is_long_enough():
    assert len(CASES) >= 190 and len({case.__name__ for case in CASES}) == len(CASES)


@pytest.mark.parametrize("seed", range(12))
def test_several_reads_change_in_any_order(seed):
    """Some cases share one function, and some of them change before each call."""
    rng = np.random.default_rng(seed)
    left_out = REFUSED | ANNOUNCED | NOT_DIFFERENTIATED | {"a_generator_of_random_numbers"}
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
