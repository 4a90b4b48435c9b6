"""Runs functions and compares everything that a run shows.

    check_same(outcome(converted, arguments), outcome(original, arguments), same_exactly)

An `Outcome` holds the result or exception, the printed text, and the arguments after the run.
`same_exactly` compares values with their types, dtypes, shapes and signs of zeros; `same_but_wider`
also accepts a wider numeric type, which a staged branch or loop may produce.
"""

import contextlib
import copy
import inspect
import io
import traceback
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from warning_records import recorded_warnings

SCALARS = (bool, int, float, complex, np.generic, np.ndarray)


# -- runs ------------------------------------------------------------------------------------------


@dataclass
class Outcome:
    """Everything that a run of a program shows."""

    result: Any = None
    error: BaseException | None = None
    printed: str = ""
    arguments: tuple = ()  # after the run


def outcome(function, arguments) -> Outcome:
    """Runs a function on copies of the arguments."""
    seen = Outcome(arguments=copy.deepcopy(arguments))
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            seen.result = finished(function(*seen.arguments))
        except Exception as error:
            seen.error = error
    seen.printed = printed.getvalue()
    return seen


def finished(result):
    """The value that a coroutine returns, or all values that a generator yields and returns."""
    if inspect.iscoroutine(result):
        return _awaited(result)
    if inspect.isgenerator(result):
        return _collected(result)
    return result


def _awaited(coroutine):
    """Runs a coroutine in an event loop that sends None to every awaitable."""
    try:
        while True:
            coroutine.send(None)
    except StopIteration as stop:
        return stop.value


def _collected(generator):
    """The values that a generator yields, and its return value at the end."""
    values = []
    try:
        while True:
            values.append(next(generator))
    except StopIteration as stop:
        return [*values, stop.value]


@contextlib.contextmanager
def quiet():
    """Suppresses all warnings, including those of NumPy."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def result_or_error(function, arguments, errors=Exception):
    """The result of a call, or the exception that it raises, without warnings."""
    with quiet():
        try:
            return function(*arguments)
        except errors as error:
            return error


def result_and_warnings(function, arguments):
    """The result or exception of a call with keyword arguments, and the set of its warnings."""
    with recorded_warnings() as caught:
        try:
            result = function(**arguments)
        except Exception as error:
            result = error
    return result, {(warning.category, str(warning.message)) for warning in caught}


# -- comparison ------------------------------------------------------------------------------------


def check_same(got: Outcome, wanted: Outcome, same) -> None:
    """Fails if two runs differ; `same` compares values."""
    if got.error is not None and wanted.error is None:
        raise got.error
    assert type(got.error) is type(wanted.error)
    if wanted.error is not None:
        assert same(got.error.args, wanted.error.args), (got.error, wanted.error)
        assert str(got.error) == str(wanted.error)
        contexts = [list(chain(one.error)) for one in (got, wanted)]
        assert repr(contexts[0]) == repr(contexts[1]), f"{contexts}\n{_told(got)}\n{_told(wanted)}"
    assert same(got.result, wanted.result), f"{got.result!r} is not {wanted.result!r}"
    assert got.printed == wanted.printed
    assert same(got.arguments, wanted.arguments), "the arguments differ after the run"


def _told(outcome):
    """The traceback of the exception of a run."""
    return "".join(traceback.format_exception(outcome.error))


def chain(error):
    """The exceptions that a traceback shows above an exception, last first."""
    while error := error.__cause__ or (None if error.__suppress_context__ else error.__context__):
        yield error


def same_exactly(a, b) -> bool:
    """Whether two values are equal and of the same types throughout; all nans are equal."""
    if type(a) is not type(b):
        return False
    if isinstance(a, (np.ndarray, np.generic)):
        return (a.dtype, np.shape(a)) == (b.dtype, np.shape(b)) and _same_elements(a, b)
    if isinstance(a, float | complex):
        return repr(a) == repr(b)  # distinguishes -0.0 from 0.0
    if isinstance(a, (set, frozenset)):
        return sorted(map(repr, a)) == sorted(map(repr, b))
    if isinstance(a, Exception):
        return str(a) == str(b)
    return same_containers(a, b, same_exactly) if is_container(a) else a == b


def _same_elements(a, b):
    """Whether two arrays of one dtype and shape are equal, with the signs of zeros."""
    if a.dtype.kind == "c":
        return _same_elements(a.real, b.real) and _same_elements(a.imag, b.imag)
    if a.dtype.kind != "f":
        return bool(np.all(a == b))
    signs = (np.signbit(a) == np.signbit(b)) | np.isnan(a)
    return np.array_equal(a, b, equal_nan=True) and bool(np.all(signs))


def same_but_wider(a, b) -> bool:
    """Whether two values are equal, if each scalar of `a` may have a wider type than in `b`."""
    if isinstance(b, SCALARS):
        return isinstance(a, SCALARS) and is_as_wide(a, b) and equal_elements(a, b)
    if type(a) is not type(b):
        return False
    return same_containers(a, b, same_but_wider) if is_container(b) else a == b


def is_container(value) -> bool:
    """Whether a value is a container whose elements are compared one by one."""
    return isinstance(value, (tuple, list, dict))


def same_containers(a, b, same) -> bool:
    """Whether two containers of one type have the same keys or length, and the same elements."""
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    return len(a) == len(b) and all(map(same, a, b))


def equal_elements(a, b) -> bool:
    """Whether two scalars or arrays have one shape and equal elements; all nans are equal."""
    return np.shape(a) == np.shape(b) and all(
        x == y or (x != x and y != y) for x, y in zip(np.ravel(a), np.ravel(b), strict=True)
    )


def is_as_wide(a, b) -> bool:
    """Whether a branch or loop may have promoted a value of the type of `b` to the type of `a`."""
    if isinstance(a, np.ndarray) != isinstance(b, np.ndarray):
        return False
    if isinstance(b, (np.ndarray, np.generic)):
        of_numpy = isinstance(a, (np.ndarray, np.generic))
        return of_numpy and np.result_type(a.dtype, b.dtype) == a.dtype
    return _rank(a) >= _rank(b)  # a NumPy scalar has a width, a Python scalar has none


def _rank(scalar):
    """The rank of a scalar's kind: bools, integers, floats, complex scalars."""
    return "bifc".index(np.asarray(scalar).dtype.kind.replace("u", "i"))
