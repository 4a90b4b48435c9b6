"""Staged values behave like NumPy arrays: every usage returns the same as without a graph.

Compared are the type of the result (a Python scalar, a NumPy scalar, a 0-d array), dtypes, shapes,
bits, the arguments after the call, warnings and errors.
"""

import inspect

import numpy as np
import pytest
from numpy_usages import USAGES, values
from numpy_usages_mathematics import REFUSED
from outcomes import result_and_warnings, same_exactly

import runtime as rt


def arguments_of(usage):
    given = values()
    return {name: given[name] for name in inspect.signature(usage).parameters}


CASES = [
    pytest.param(usage, id=f"{topic} {i}")
    for topic, functions in USAGES.items()
    for i, usage in enumerate(functions)
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("usage", CASES)
def test_a_usage_of_numpy_returns_the_same_in_a_graph(usage):
    mine, theirs = arguments_of(usage), arguments_of(usage)
    expected, expected_warnings = result_and_warnings(usage, theirs)
    result, its_warnings = result_and_warnings(rt.function(usage), mine)
    assert same_exactly(result, expected), (result, expected)
    assert same_exactly(mine, theirs), (mine, theirs)
    assert its_warnings == expected_warnings


@pytest.mark.parametrize(("reason", "usage"), REFUSED)
def test_unsupported_usages_are_refused_with_the_users_line(reason, usage):
    with pytest.raises(rt.StagingError, match=reason) as caught:
        rt.function(usage)(**arguments_of(usage))
    _, lineno = inspect.getsourcelines(usage)
    assert f"numpy_usages_mathematics.py, line {lineno}, in <lambda>" in str(caught.value)


@pytest.mark.parametrize("dtype", ["datetime64[s]", "U3", "S3", "O", "i4,f8", "timedelta64[s]"])
def test_arrays_of_non_numeric_dtypes_are_refused(dtype):
    with pytest.raises(TypeError, match="which graphs do not support"):
        rt.function(lambda x: x)(np.zeros(2, dtype))


def test_the_error_names_a_function_of_a_similar_name_and_the_call_of_each_run():
    with pytest.raises(rt.StagingError, match="Use np.isnan if you mean that, or let each run"):
        rt.function(lambda v: np.isnat(v))(np.ones(2))
    remedy = r"Let each run call it: rt.library_call\(np.busday_count, \.\.\.\)"
    with pytest.raises(rt.StagingError, match=remedy):
        rt.function(lambda day: np.busday_count(day, 7))(np.int64(0))
    found = rt.function(lambda x, y: rt.library_call(np.busday_count, x, y))
    assert found(np.int64(0), np.int64(7)) == 5


def test_the_printed_graph_of_a_usage_parses():
    def f(x, v):
        np.put(x, [0, 1], v[:2])
        np.add.at(v, (slice(1, None),), 1.0)
        np.add(x, 1, out=x, where=x > 0)
        x.reshape(-1)[2] = v.sum(where=v > 0)
        return np.clip(x, 0, None), np.array(3.0), np.repeat(v, [1, 0, 2, 0, 0])

    given = arguments_of(f)
    concrete = rt.function(f).get_concrete_function(**given)
    text = rt.show(concrete.graph)
    assert rt.show(rt.parse(text)) == text
    assert "f64[()]" in text
    expected = f(**arguments_of(f))
    assert same_exactly(rt.function(f)(**given), expected)


def counted(v, counts):
    return np.repeat(v, counts).shape[0] * 2


def test_sizes_that_depend_on_elements_are_known_only_at_run_time():
    v = np.array([1.0, 2.0, 3.0])
    for counts in ([1, 1, 1], [0, 5, 2], [0, 0, 0]):
        assert rt.function(counted)(v, np.array(counts)) == 2 * sum(counts)
