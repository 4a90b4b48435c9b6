"""A fault of the library is raised at once; it is never recorded as the program's exception."""

import signal
from pathlib import Path

import numpy as np
import pytest

import runtime as rt
from autograph.functions import accidents
from autograph.staging import accessors, mutations
from runtime.staging.control_flow import cond, loop


def branches(x):
    if x > 0:
        if x > 1:
            x = x * 2
        x = x + 1
    return x


def loops(x):
    while x < 5:
        y = x
        while y < 3:
            y = y + 1
        x = x + y + 1
    return x


class Broken:
    """An object without the attributes that the library expects."""


FAULTS = {
    "unbound name in a branch": (branches, cond, "tree_of", None),
    "unbound name in a loop": (loops, loop, "register_listed", None),
    "missing attribute": (branches, cond, "trace", Broken()),
    "missing table": (branches, accessors, "_registered", Broken()),
    "unbound name in the comparison": (branches, mutations, "_is_unchanged", None),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_a_nested_block_ends_the_recording(monkeypatch, name):
    function, module, attribute, value = FAULTS[name]

    def program(x):
        if x > -9:
            x = function(x)
        return x

    if value is None:
        monkeypatch.delattr(module, attribute)
    else:
        monkeypatch.setattr(module, attribute, value)
    with pytest.raises((NameError, AttributeError, TypeError)) as caught:
        rt.function(program)(np.float64(-10.0))  # a run would not get there
    assert accidents.is_accident(caught.value) and accidents.NOTE in caught.value.__notes__


def test_the_traceback_shows_the_library_and_a_note_says_so(monkeypatch):
    monkeypatch.delattr(cond, "tree_of")
    with pytest.raises(NameError) as caught:
        rt.function(branches)(np.float64(-1.0))
    assert caught.value.__notes__ == [accidents.NOTE]
    assert any(str(entry.path).endswith("cond.py") for entry in caught.traceback)


class Interrupting:
    """A table of the library that a signal interrupts whenever it is read."""

    def __getitem__(self, key):
        signal.raise_signal(signal.SIGINT)

    __contains__ = __getitem__


@pytest.fixture
def handled():
    """Ctrl-C raises, also where the shell that started the tests ignores it in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interruption_is_no_fault_of_the_library(monkeypatch, handled):
    monkeypatch.setattr(accessors, "_registered", Interrupting())
    with pytest.raises(KeyboardInterrupt) as caught:
        rt.function(branches)(np.float64(-1.0))
    assert not getattr(caught.value, "__notes__", None)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_only_exceptions_are_faults(monkeypatch, kind):
    code = compile("def f(a):\n    return a.b\n", str(Path(accessors.__file__)), "exec")
    scope = {}
    exec(code, scope)

    for error, is_fault in ((kind(), False), (AttributeError(), True)):
        try:
            scope["f"](1)
        except AttributeError as found:
            assert accidents.is_accident(error.with_traceback(found.__traceback__)) is is_fault


def missing_key(x):
    table = {"a": 1}
    if x > 0:
        x = x + table["b"]
    return x


def missing_item(x):
    items = [1, 2]
    if x > 0:
        x = x + items[5] + next(iter([]))
    return x


def unbound(x):
    if x > 0:
        y = x
        del y
        x = x + y
    return x


def wrong_arguments(x):
    class Pair:
        def __init__(self, a, b):
            self.a = a

    if x > 0:
        x = x + Pair(1).a
    return x


def unpacked(x):
    if x > 0:
        a, b = [1, 2, 3]
        x = x + a
    return x


PROGRAMS = [missing_key, missing_item, unbound, wrong_arguments, unpacked]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda one: one.__name__)
def test_exceptions_of_the_program_are_raised_by_the_run(function):
    staged = rt.function(function)
    assert staged(np.float64(-1.0)) == -1.0
    with pytest.raises(Exception) as expected:
        function(np.float64(1.0))
    with pytest.raises(Exception) as found:
        staged(np.float64(1.0))
    assert type(found.value) is type(expected.value) and str(found.value) == str(expected.value)
    assert not getattr(found.value, "__notes__", None)
