"""Objects as conditions, contexts that catch exceptions, numbers of several types, namespaces that
change, draws, values of several kinds and stars, inside of every wrapper of functions."""

import contextlib
import random
import types

import numpy as np
import pytest
from function_wrappers import MAPPED, WRAPPERS

import autograph
import runtime as rt

NAMESPACE = types.SimpleNamespace(k=1.0)
GENERATOR = random.Random(3)


class Large:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return bool(self.value > 1)


class Coded(Exception):
    pass


@contextlib.contextmanager
def translating():
    try:
        yield
    except KeyError as error:
        raise Coded("translated") from error


def truth(x):
    return x * 2.0 if Large(x) and not Large(x - 5.0) else x * 3.0


def suppressed(x):
    y = x
    with contextlib.suppress(ValueError):
        if x > 1:
            raise ValueError
        y = x * 4.0
    return y


def translated(x):
    with translating():
        if x > 1:
            raise KeyError("k")
    return x * 5.0


def largest(x):
    best = 0
    for i in range(4):
        v = x - i
        if v > best:
            best = v
    return best * 1.0 + x


def shown(x):
    return x * len(repr(NAMESPACE))


def converted(x):
    y = np.float32(1.5)
    if x > 1:
        y = x
    return np.float64(y) * x


def drawn(x):
    """Draws of the run and a list that it shuffles, after a seed."""
    GENERATOR.seed(5)
    deck = [1.0, 2.0, 3.0]
    total = GENERATOR.random() * x
    GENERATOR.shuffle(deck)
    for i in range(12):
        total += GENERATOR.choice([-1.0, 1.0]) * i
    return total + deck[0]


def of_kinds(x):
    """A variable that is a number or a pair."""
    best = -1.0
    if x > 1:
        best = (x, 2.0)
    if isinstance(best, tuple):
        return best[0] + best[1] * x
    return best * x


def spread(x):
    """A star before a list of which only the run knows the length."""
    found = [0.5]
    while found[-1] < x:
        found.append(found[-1] * 2.0)
    return max(*found, x) * x


PROGRAMS = [truth, suppressed, translated, largest, shown, converted, drawn, of_kinds, spread]
LEFT_TO_PYTHON = [suppressed, translated]
# A function with the mark keeps it, and its conditions are not converted.
USED = [wrap for wrap in WRAPPERS if wrap is not autograph.do_not_convert]


def seen(function, x):
    try:
        return float(function(x))
    except Coded as error:
        return repr(error), repr(error.__cause__)


@pytest.mark.filterwarnings("ignore:.* was created, transformed and traced")  # by the wrapper
@pytest.mark.parametrize("engine", [None, "numpy", "native"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("wrap", USED, ids=lambda wrap: getattr(wrap, "__name__", "convert"))
def test_programs_are_pythons_in_every_wrapper(wrap, program, engine):
    wrapped = wrap(program)
    function = wrapped
    if engine is not None:
        function = rt.function(lambda x: wrapped(x), engine=engine)
    for i, x in enumerate((2.5, 0.5, 7.0)):
        NAMESPACE.k = 10.0**i
        wanted = seen(program, np.float64(x))
        try:
            assert seen(function, np.float64(x)) == wanted
        except rt.StagingError:  # mapped code is not left to Python, nor what a call hides
            name = getattr(wrap, "__name__", "")
            if program is drawn:  # a batch would seed again; a checkpoint would draw again
                assert wrap in MAPPED or "checkpoint" in name
                return
            assert program in LEFT_TO_PYTHON
            assert wrap in MAPPED or name == "by_weak_reference"
            return
