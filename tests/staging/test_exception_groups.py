"""`except*` in staged functions: handlers of groups, and refusals that they never see."""

import contextlib

import numpy as np
import pytest

import runtime as rt

EXACT, REFUSED = {}, {}


def program(collection):
    def add(function):
        collection[function.__name__] = function
        return function

    return add


def refused(x):
    return list(frozenset((x, 1)))[0]


# -- refusals --------------------------------------------------------------------------------------


@program(REFUSED)
def taken_by_exception(x):
    try:
        y = refused(x)
    except* Exception:
        y = x * 0
    return y


@program(REFUSED)
def taken_by_the_second_clause(x):
    try:
        y = refused(x)
    except* ValueError:
        y = x
    except* TypeError:
        y = x * 0
    return y


@program(REFUSED)
def taken_by_all(x):
    try:
        y = refused(x)
    except* BaseException:
        y = x * 0
    return y


@program(REFUSED)
def nested(x):
    try:
        try:
            y = refused(x)
        except* TypeError:
            y = x * 0
    except* Exception:
        y = x * 1
    return y


@program(REFUSED)
def inside_of_except(x):
    try:
        try:
            y = refused(x)
        except* ValueError:
            y = x * 0
    except Exception:
        y = x * 1
    return y


@program(REFUSED)
def with_finally(x):
    try:
        y = refused(x)
    except* Exception:
        y = x * 3
    finally:
        x = x * 2
    return x * y


@program(REFUSED)
def in_else(x):
    try:
        x = x + 1
    except* Exception:
        y = x * 3
    else:
        y = refused(x)
    return y


@program(REFUSED)
def replaced(x):
    try:
        return refused(x)
    except* Exception:
        raise ValueError("other") from None


@program(REFUSED)
def passed_over_in_a_loop(x):
    y = x
    for _ in range(2):
        try:
            y = refused(x)
        except* Exception:
            pass
    return y


@program(REFUSED)
def put_into_a_group(x):
    try:
        try:
            y = refused(x)
        except Exception as error:
            raise ExceptionGroup("several", [error]) from None
    except* Exception:
        y = x * 0
    return y


# -- exceptions of a run ---------------------------------------------------------------------------


@program(EXACT)
def raised_under_a_staged_condition(x):
    try:
        if x > 0:
            raise ValueError("positive")
        y = x + 1
    except* ValueError:
        y = x * 5
    return y


@program(EXACT)
def raised_for_the_second_clause(x):
    try:
        if x > 0:
            raise KeyError("positive")
        y = x + 1
    except* ValueError:
        y = x * 5
    except* (KeyError, TypeError) as group:
        y = x * len(group.exceptions)
    return y


@program(EXACT)
def a_group_raised_under_a_staged_condition(x):
    try:
        if x > 0:
            raise ExceptionGroup("g", [ValueError("positive")])
        y = x + 1
    except* ValueError:
        y = x * 5
    return y


@program(EXACT)
def an_assertion(x):
    try:
        assert x > 5, "small"
        y = x
    except* AssertionError:
        y = x * 4
    return y


@program(EXACT)
def not_of_this_class(x):
    try:
        if x > 1.5:
            raise ValueError("large")
        y = x + 1
    except* KeyError:
        y = x * 5
    return y


@program(EXACT)
def a_list_in_finally(x):
    y = x
    try:
        y = x + 1
    finally:
        names = kinds = []
        names.append(str(len(kinds)))
    return y


# -- groups of the user's own ----------------------------------------------------------------------


@program(EXACT)
def divided(x):
    try:
        raise ExceptionGroup("g", [ValueError("a"), TypeError("b")])
    except* ValueError as group:
        y = x * len(group.exceptions)
    except* TypeError:
        y = y * 10
    return y


@program(EXACT)
def with_a_rest(x):
    y = x
    try:
        raise ExceptionGroup("g", [ValueError("a"), KeyError("b")])
    except* ValueError as group:
        y = x * len(group.exceptions)
    return y


@program(EXACT)
def groups_in_groups(x):
    inner = ExceptionGroup("h", [ValueError("a"), TypeError("t")])
    try:
        raise ExceptionGroup("g", [inner, TypeError("b")])
    except* TypeError as group:
        y = x * len(group.exceptions)
    except* ValueError as group:
        y = y + len(repr(group))
    return y


@program(EXACT)
def in_a_branch(x):
    y = x
    if x > 1.5:
        try:
            raise ExceptionGroup("g", [ValueError("a")])
        except* ValueError as group:
            y = x * (4 + len(group.exceptions))
    return y


@program(EXACT)
def of_a_helper(x):
    def number(value):
        if isinstance(value, int):
            return value
        raise TypeError("no number")

    try:
        y = x * number("s")
    except* TypeError as group:
        y = x * len(str(group.exceptions[0]))
    else:
        y = x
    return y


@program(EXACT)
def of_numpy(x):
    try:
        y = np.reshape(x, (7, 3))
    except* ValueError:
        y = x * 4
    return y


@program(EXACT)
def split(x):
    try:
        raise ExceptionGroup("g", [ValueError("a"), TypeError("b")])
    except ExceptionGroup as group:
        values, others = group.split(ValueError)
    return x * len(values.exceptions) + len(others.exceptions)


@program(EXACT)
def collected(x):
    errors = []
    for i in range(3):
        try:
            if i > 0:
                raise ValueError(i)
        except Exception as error:
            errors.append(error)
    with contextlib.suppress(ExceptionGroup):
        raise ExceptionGroup("all", errors)
    return x * len(errors)


def results(function):
    found = []
    for x in (1.0, 2.0, -1.0):
        try:
            found.append(float(function(np.float64(x))))
        except Exception as error:
            found.append(repr(error))
    return found


@pytest.mark.parametrize("name", EXACT)
def test_groups_are_handled_as_in_python(name):
    wanted = results(EXACT[name])
    assert results(rt.function(EXACT[name])) == wanted
    with rt.config.temporarily(run_functions_eagerly=True):
        assert results(rt.function(EXACT[name])) == wanted


@pytest.mark.parametrize("name", REFUSED)
def test_no_clause_for_groups_takes_a_refusal(name):
    with pytest.raises(rt.StagingError) as error:
        rt.function(REFUSED[name])(np.float64(1.0))
    assert __file__ in str(error.value)
    wanted = results(REFUSED[name])
    with rt.config.temporarily(run_functions_eagerly=True):
        assert results(rt.function(REFUSED[name])) == wanted
