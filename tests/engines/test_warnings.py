"""Warnings that a run issues are those of Python: the same texts, files and lines, as often, under the
same filters."""

import logging
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import runtime as rt

MODULE = __name__.replace(".", r"\.")


def divided(x):
    y = x * 2
    z = y / (x - 1)
    return z + np.log(x)


def twice_on_a_line(x):
    return np.log(x) + np.log(x * 0)


def in_a_loop(x):
    for i in range(3):
        x = np.log(x * 0) * 0 + 1 / (x * 0)
    return x


def logarithm(x):
    return np.log(x)


def in_a_callee(x):
    return logarithm(x) + logarithm(x * 2)


def in_a_branch(x):
    if np.sum(x) < 2:
        return np.sqrt(-x)
    return np.exp(x * 1e6)


def overflow_of_integers(x):
    return (x.astype(np.int8) + np.int8(127)).sum() + np.exp(x * 1e5)


def of_the_user(x):
    warnings.warn("from here", stacklevel=1)
    if np.sum(x) > 0:
        warnings.warn("positive", DeprecationWarning, stacklevel=1)
    return x


def warns_for_its_caller(x):
    warnings.warn("about the caller", stacklevel=2)
    return x


def for_a_caller(x):
    y = warns_for_its_caller(x)
    return warns_for_its_caller(y)


PROGRAMS = [
    divided,
    twice_on_a_line,
    in_a_loop,
    in_a_callee,
    in_a_branch,
    overflow_of_integers,
]
OF_THE_USER = [of_the_user, for_a_caller]
X = np.array([1.0, 0.0])

FILTERS = {
    "default": lambda: warnings.simplefilter("default"),
    "always": lambda: warnings.simplefilter("always"),
    "once": lambda: warnings.simplefilter("once"),
    "module": lambda: warnings.simplefilter("module"),
    "ignore": lambda: warnings.simplefilter("ignore"),
    "only this module": lambda: (
        warnings.simplefilter("ignore"),
        warnings.filterwarnings("always", module=MODULE),
    ),
    "not this module": lambda: (
        warnings.simplefilter("always"),
        warnings.filterwarnings("ignore", module=MODULE),
    ),
    "only divisions": lambda: (
        warnings.simplefilter("ignore"),
        warnings.filterwarnings("default", "divide by zero"),
    ),
}


def issued(function, set_filters, calls=2):
    """The warnings of some calls, as file, line, category and text."""
    with warnings.catch_warnings(record=True) as records:
        set_filters()
        warnings.onceregistry.clear()
        for _ in range(calls):
            function(X)
    return [(r.filename, r.lineno, r.category, str(r.message)) for r in records]


@pytest.mark.parametrize("set_filters", FILTERS.values(), ids=FILTERS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_warnings_of_a_run_are_those_of_python(program, set_filters):
    expected = issued(program, set_filters)
    made = rt.function(program)
    made.get_concrete_function(X)
    assert issued(made, set_filters) == expected
    with rt.config.temporarily(engine="eager"):
        # This engine's operations are called in no user module.
        if set_filters is not FILTERS["only this module"]:
            assert issued(made, set_filters) == expected
    with rt.config.temporarily(run_functions_eagerly=True):
        assert issued(made, set_filters) == expected


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_each_program_warns_at_lines_of_this_file(program):
    found = issued(rt.function(program), FILTERS["always"])
    assert found and {filename for filename, *_ in found} == {__file__}


@pytest.mark.parametrize("program", OF_THE_USER, ids=lambda program: program.__name__)
def test_the_warnings_of_the_user_name_the_line_that_stacklevel_says(program):
    places = {(name, line) for name, line, *_ in issued(program, FILTERS["always"], 1)}
    found = issued(rt.function(program), FILTERS["always"], 1)
    assert {(name, line) for name, line, *_ in found} == places


def test_a_warning_that_is_an_error_is_raised_at_its_operation():
    made = rt.function(divided)
    made.get_concrete_function(X)
    for engine in ("numpy", "eager"):
        with rt.config.temporarily(engine=engine), warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(
                RuntimeWarning, match="divide by zero encountered in divide"
            ) as caught:
                made(X)
        last = caught.traceback[-1]
        assert str(last.path) == __file__ and "z = y / (x - 1)" in str(last.statement)


def test_a_tape_warns_at_the_users_line():
    def taped(x):
        with rt.GradientTape() as tape:
            y = np.log(tape.watch(x) * 0)
        return y

    (found,) = issued(taped, FILTERS["always"], 1)
    assert found[0] == __file__ and found[3] == "divide by zero encountered in log"


def test_replaced_hooks_of_warnings_still_work(caplog, monkeypatch):
    made, seen = rt.function(divided), []
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        monkeypatch.setattr(warnings, "showwarning", lambda *given: seen.append(given[2:4]))
        made(X)
        monkeypatch.undo()
    assert [filename for filename, _ in seen] == [__file__, __file__]
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        try:
            made(X)
        finally:
            logging.captureWarnings(False)
    assert "z = y / (x - 1)" in caplog.text


def test_a_script_shows_its_line_once_by_default(tmp_path):
    script = tmp_path / "model.py"
    script.write_text(
        "import numpy as np, runtime as rt\n"
        "@rt.function\n"
        "def f(x):\n"
        "    return np.log(x)\n"
        "for n in range(3): f(np.zeros(n))\n"
    )
    path = os.pathsep.join(filter(None, sys.path))
    ran = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
        timeout=60,
    )
    assert ran.stderr == (
        f"{script}:4: RuntimeWarning: divide by zero encountered in log\n  return np.log(x)\n"
    )
