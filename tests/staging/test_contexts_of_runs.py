"""`with` at the top level of a function: effects and errors of a run inside are those of Python, or
the program is refused before any effect."""

import contextlib
import io
import os
import pathlib

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

IMPORTS = """
import concurrent.futures, contextlib, decimal, io, os, sys, tempfile, threading, unittest.mock
import warnings
import numpy as np

text = io.StringIO()
lock = threading.Lock()

class Swallows:
    def __enter__(self):
        return self
    def __exit__(self, *error):
        return True

class SwallowsSome(Swallows):
    def __exit__(self, kind, error, traceback):
        return kind is ValueError

class Passes(Swallows):
    def __exit__(self, *error):
        return False

class Redirects:
    def __enter__(self):
        self.before, sys.stdout = sys.stdout, text
    def __exit__(self, *error):
        sys.stdout = self.before

class Derived(contextlib.redirect_stdout):
    pass

@contextlib.contextmanager
def swallowing():
    try:
        yield
    except ValueError:
        pass

@contextlib.contextmanager
def reraising():
    try:
        yield 3
    except ValueError:
        raise
    finally:
        pass

@contextlib.contextmanager
def missing():
    try:
        yield 3
    except KeyError:
        pass

@contextlib.contextmanager
def redirecting():
    with contextlib.redirect_stdout(text):
        yield

@contextlib.contextmanager
def plain():
    yield 3
"""
# A context and a statement inside, whose meaning depends on the context.
CONTEXTS = {
    "redirect": ("contextlib.redirect_stdout(text)", "print('in')"),
    "redirect_staged": ("contextlib.redirect_stdout(text)", "print(x)"),
    "derived": ("Derived(text)", "print(x)"),
    "users_own": ("Redirects()", "print('in')"),
    "users_generator": ("redirecting()", "print('in', x)"),
    "on_a_stack": ("contextlib.ExitStack() as s", "s.enter_context(redirecting()); print(x)"),
    "error": ("contextlib.redirect_stderr(text)", "print('in', file=sys.stderr)"),
    "folder": ("contextlib.chdir('/')", "print(os.getcwd())"),
    "decimal": ("decimal.localcontext(prec=3)", "print(format(decimal.Decimal('1.23456'), '.3'))"),
    "printing": ("np.printoptions(precision=2)", "print(np.array([1.23456]))"),
    "patch": ("unittest.mock.patch('os.getcwd', lambda: 'fake')", "print(os.getcwd())"),
    "patch_dict": ("unittest.mock.patch.dict(os.environ, A1='1')", "print(os.environ.get('A1'))"),
    "lock": ("lock", "print(lock.locked())"),
    "warnings": ("warnings.catch_warnings()", "warnings.warn('seen')"),
    "closing": ("contextlib.closing(text)", "print('a', file=text)"),
    "several": ("open(os.devnull) as g, contextlib.redirect_stdout(text)", "print(x)"),
    "swallows_of_a_stack": ("contextlib.ExitStack() as s", "s.enter_context(Swallows()); 1 / 0"),
}
# Contexts that change nothing for the code inside, or catch what Python can compute again: they are
# not refused.
ACCEPTED = {
    "swallows": ("Swallows()", "raise ValueError('big')"),
    "swallows_some": ("SwallowsSome()", "raise ValueError('big')"),
    "swallows_index": ("Swallows()", "x = x * [1, 2][int(x)]"),
    "generator_swallows": ("swallowing()", "raise ValueError('big')"),
    "null": ("contextlib.nullcontext(3) as k", "print('in', k)"),
    "reading": ("open(os.devnull) as g", "print('in', x)"),
    "file": ("open(os.devnull, 'w') as g", "g.write('a')"),
    "users_generator": ("plain() as k", "print('in', x, k)"),
    "passes": ("Passes()", "raise ValueError('big')"),
    "passes_index": ("Passes() as k", "x = x * [1, 2, 3][int(x)]"),
    "reraises": ("reraising() as k", "raise ValueError('big')"),
    "other_error": ("missing() as k", "raise TypeError(k)"),
    "stack": ("contextlib.ExitStack() as s", "print('in', x)"),
    "pool": ("concurrent.futures.ThreadPoolExecutor(1)", "print('in', x)"),
    "nothing_inside": ("contextlib.redirect_stdout(text)", "x = x * 3"),
    "plain_inside": ("warnings.catch_warnings()", "x = np.sin(x)"),
    "temporary": ("tempfile.TemporaryDirectory() as d", "print(os.path.isdir(d))"),
    "draws": ("lock", "x = x + 0 * np.random.rand()"),
}
PLACES = {
    "branch": "with {0}:\n        if x > 1:\n            {1}\n    return x",
    "loop": "with {0}:\n        for i in range(n):\n            {1}\n    return x",
    "helper": "def act(x):\n        if x > 1:\n            {1}\n        return x\n"
    "    with {0}:\n        y = act(x)\n    return y",
}


def outcome(function, x, module):
    printed, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        try:
            result = float(function(np.float64(x), np.int64(x)))
        except rt.StagingError:
            raise
        except Exception as error:
            result = (type(error), str(error))
    inner = None if module.text.closed else module.text.getvalue()
    return result, printed.getvalue(), errors.getvalue(), inner


def same_or_refused(text, name):
    """Whether the function that text defines is refused; if not, it behaves like Python."""
    expected, found = load(IMPORTS + text, f"<plain {name}>"), load(IMPORTS + text, f"<{name}>")
    staged = rt.function(found.f)
    for x in (0.5, 2.0, 2.0, 0.5):
        wanted = outcome(expected.f, x, expected)
        try:
            assert outcome(staged, x, found) == wanted, x
        except rt.StagingError as error:
            assert error.__class__ in (rt.errors.EffectError, rt.errors.HandledInRunError)
            return True
    return False


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("place", PLACES)
def test_effects_and_errors_inside_a_context_are_those_of_python_or_refused(place):
    refused = []
    for name, (context, statement) in CONTEXTS.items():
        text = f"def f(x, n):\n    {PLACES[place].format(context, statement)}\n"
        if "helper" not in place or " as " not in context:
            refused.append(same_or_refused(text, f"{name} {place}"))
    assert all(refused)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("place", PLACES)
def test_other_contexts_are_not_refused(place):
    for name, (context, statement) in ACCEPTED.items():
        text = f"def f(x, n):\n    {PLACES[place].format(context, statement)}\n"
        if "helper" not in place or " as " not in context:
            assert not same_or_refused(text, f"{name} {place}"), name


def test_the_refusal_names_the_context_and_the_line():
    text = "def f(x):\n    with contextlib.redirect_stdout(text):\n        print(x)\n    return x\n"
    with pytest.raises(
        rt.errors.EffectError, match="inside a `with` around a redirect_stdout"
    ) as e:
        rt.function(load(IMPORTS + text, "<named>").f)(np.float64(1))
    assert ":67" in str(e.value) or "print(x)" in str(e.value)


def test_a_context_is_left_after_a_refusal(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "def f(x):\n    with contextlib.chdir('/'):\n        print(x)\n    return x\n"
    with pytest.raises(rt.errors.EffectError):
        rt.function(load(IMPORTS + text, "<left>").f)(np.float64(1))
    assert pathlib.Path(os.getcwd()) == tmp_path
