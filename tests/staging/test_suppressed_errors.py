"""Exceptions that only a run raises inside of `with contextlib.suppress(...)`, and of contexts that
suppress them or raise others instead, end as in Python."""

import contextlib
import copy

import numpy as np
import pytest

import runtime as rt

GIVEN = [np.array(one) for one in ([2.0, 0.5], [0.0, 3.0], [1.0, 1.0], [2.0, 2.0], [0.5, 0.0])]


def raised(x, log):
    found = 0
    with contextlib.suppress(ValueError):
        if x[0] > 1:
            raise ValueError
        found = 1
    return found


def divided(x, log):
    found = []
    for v in x:
        with contextlib.suppress(ZeroDivisionError):
            found.append(1 / int(v))
    return found


def looked_up(x, log):
    table, total = {1: 10, 2: 20}, 0
    for v in x:
        with contextlib.suppress(KeyError):
            total += table[int(v)]
    return total


def beyond_the_end(x, log):
    total = 0
    for i in range(5):
        with contextlib.suppress(IndexError):
            total += x[int(x[0]) + i]
    return total


def asserted(x, log):
    with contextlib.suppress(AssertionError):
        assert x[0] > 1, "no"
        return 1
    return 2


def of_another_class(x, log):
    with contextlib.suppress(KeyError):
        if x[0] > 1:
            raise ValueError("v")
    return 3


def changed_before(x, log):
    with contextlib.suppress(ValueError, TypeError):
        log.append(x[0])
        if x[1] > 1:
            raise TypeError
        log.append(x[1])
    return len(log)


@contextlib.contextmanager
def swallowing():
    with contextlib.suppress(ValueError):
        yield


def generator(x, log):
    found = 0
    with swallowing():
        if x[0] > 1:
            raise ValueError
        found = 1
    return found


class Noting:
    def __init__(self):
        self.seen = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.seen = kind
        return kind is ValueError


def noted(x, log):
    noting, found = Noting(), 0
    with noting:
        if x[0] > 1:
            raise ValueError
        found = 1
    return found, noting.seen


def several(x, log):
    found = 0
    with contextlib.suppress(ZeroDivisionError), contextlib.suppress(ValueError):
        found = 1
        y = 3 // int(x[0])
        found = 2
        if x[1] > 1:
            raise ValueError
        found = y
    return found


def singular(x, log):
    with contextlib.suppress(np.linalg.LinAlgError):
        return np.linalg.inv(np.array([[x[0], 1.0], [1.0, x[1]]]))
    return None


def until_it_works(x, log):
    n = 0
    while n < 5:
        with contextlib.suppress(ValueError):
            n += 1
            if x[0] > n:
                raise ValueError
            return n
    return -1


def any_exception(x, log):
    with contextlib.suppress(Exception):
        if x[0] > 1:
            raise RuntimeError("q")
        return 1
    return 5


class Coded(Exception):
    pass


@contextlib.contextmanager
def translating(code):
    try:
        yield code * 2.0
    except KeyError as error:
        raise Coded(code) from error


class Translating:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if kind is KeyError:
            raise Coded("translated")


def translated(x, log):
    with translating(x[1]) as z:
        if x[0] > 1:
            raise KeyError("k")
    return z


def translated_by_a_class(x, log):
    log.append(x[0])
    with Translating():
        if x[0] > 1:
            raise KeyError("k")
    return 4


PROGRAMS = [
    translated, translated_by_a_class, raised, divided, looked_up, beyond_the_end, asserted, of_another_class, changed_before,
    generator, noted, several, singular, until_it_works, any_exception,
]  # fmt: skip


def outcomes(function):
    found = []
    for x in [*GIVEN, *GIVEN]:
        given = copy.deepcopy(x), []
        try:
            result = repr(function(*given))
        except (ValueError, Coded) as error:
            result = repr(error), repr(error.__cause__), repr(error.__context__)
        found.append((result, repr(given)))
    return found


@pytest.mark.parametrize("engine", ["auto", "numpy", "native"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_exceptions_are_suppressed_as_in_python(program, engine):
    assert outcomes(rt.function(program, engine=engine)) == outcomes(program)


def test_texts_before_the_exception_are_printed_once(capsys):
    def f(x):
        with contextlib.suppress(ValueError):
            print("in", x)
            if x > 1:
                raise ValueError
            print("after", x)
        return x

    staged = rt.function(f)
    for x in (np.float64(2.0), np.float64(0.5), np.float64(3.0)):
        staged(x)
        found = capsys.readouterr().out
        f(x)
        assert found == capsys.readouterr().out


def test_effects_whose_results_a_run_uses_are_refused():
    def f(x):
        with contextlib.suppress(ValueError):
            y = x * rt.host_call(lambda v: v + 1.0, x, like=0.0)
            if y > 1:
                raise ValueError
        return x

    with pytest.raises(rt.StagingError):
        rt.function(f)(np.float64(2.0))
