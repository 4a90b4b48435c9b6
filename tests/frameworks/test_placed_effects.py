"""Calls of Python functions in functions on a device: after the run, in order, once."""

import logging
import warnings

import numpy as np
import pytest

pytest.importorskip("jax", reason="devices need the extra `jax`")

import autograph  # noqa: E402
import runtime as rt  # noqa: E402
from runtime.errors import ExportError  # noqa: E402

X = np.array([1.0, 2.0, 3.0])
LOG = []
logger = logging.getLogger(__name__)


def placed(function):
    return rt.function(function, engine="xla", device=rt.devices()[0])


@rt.effect
def note(*values):
    LOG.append(tuple(np.asarray(one).tolist() for one in values) + tuple(map(type, values)))


@rt.effect
def below_four(x):
    if x > 4:
        raise ValueError(f"{x} is above")
    LOG.append(float(x))


def in_loops(x):
    for i in range(np.int64(len(x))):
        if x[i] > 1:
            note(i, x[i:], x[i])
            print("printed", x[i])
    return x * 2


def by_host_call(x):
    rt.host_call(note, x)
    rt.host_call(print, "first", x[0], sep="-")
    return x


def in_a_while(x):
    while np.sum(x) > 1:
        note(np.sum(x))
        x = x * 0.5
    return x


def before_a_failure(x):
    note(x[0])
    y = x[np.int64(np.sum(x))]
    note(y)
    return y


def that_raises(x):
    for i in range(3):
        below_four(x[2] + i)
    return x


PROGRAMS = [in_loops, by_host_call, in_a_while, before_a_failure, that_raises]


def shown(function, capsys):
    LOG.clear()
    try:
        result = np.asarray(function(X)).tolist()
    except (IndexError, ValueError) as error:
        result = repr(error)
    return result, LOG.copy(), capsys.readouterr().out


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_each_run_makes_the_calls_of_python_once(function, capsys):
    on_device = placed(function)
    expected = shown(function, capsys)
    for _ in range(2):
        assert shown(on_device, capsys) == expected


def logged(x):
    logger.warning("loss %.2f in step %d", x.sum(), 3)
    if x[0] > 0:
        warnings.warn(f"positive {x[0]}", stacklevel=1)
    return x


def test_logging_and_warnings_name_the_line_of_the_user(caplog):
    on_device = placed(logged)
    with pytest.warns(UserWarning, match="positive 1.0") as found:
        on_device(X)
    (record,) = caplog.records
    assert record.getMessage() == "loss 6.00 in step 3"
    assert (record.filename, record.funcName) == ("test_placed_effects.py", "logged")
    assert found[0].filename == __file__


def test_variables_have_their_new_values_when_a_call_raises():
    total = rt.Variable(np.zeros(3))

    def added(x):
        total.assign_add(x)
        below_four(x[2] * 2)
        return x

    with pytest.raises(ValueError, match=r"6\.0 is above"):
        placed(added)(X)
    assert total.numpy().tolist() == [1.0, 2.0, 3.0]


def with_its_result(x):
    return x * rt.host_call(float, x[0], like=0.0)


def with_a_number_of_two_kinds(x):
    total = 0.0
    if x[0] > 0:
        total = x[0]
    note(total)
    return total


@pytest.mark.parametrize("function", [with_its_result, with_a_number_of_two_kinds])
def test_other_calls_are_refused_with_the_line(function):
    with pytest.raises(ExportError, match="test_placed_effects.py:"):
        placed(function)(X)


def bounded(x):
    found, s = [], x[0]
    while s < 50:
        autograph.set_loop_options(max_iterations=20)
        s = s * 2
        found.append(s)
    return found


def selected(x):
    found = []
    for v in x:
        if v > 1:
            found.append(v * x)
    return {"found": found, "count": len(found)}


def none_selected(x):
    return selected(-x)


@pytest.mark.parametrize("function", [bounded, selected, none_selected])
def test_a_list_whose_length_the_run_decides_is_a_result(function):
    found, expected = placed(function)(X), function(X)
    if isinstance(expected, dict):
        assert int(found.pop("count")) == expected.pop("count")
        found, expected = found["found"], expected["found"]
    assert isinstance(found, list) and len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
