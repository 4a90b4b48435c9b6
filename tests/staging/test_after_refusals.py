"""Nothing happens after a refusal: no handler runs, no loop goes on, and every program ends."""

import logging
import os
import textwrap

import installed
import numpy as np
import pytest

import autograph
import runtime as rt
from tests.programs.handlers import BODIES, CLEANING, EFFECTS, OPERATIONS, PRELUDE
from tests.support.loading import load

X = np.array([[1.0, 2.0], [3.0, 4.0]])

TOLD = """
import contextlib, threading

heard = []
files = []
lock = threading.Lock()


def tell(word):
    heard.append(word)


class Events:
    def write(self, word):
        heard.append(word)


@contextlib.contextmanager
def resource():
    tell("opened")
    try:
        yield
    finally:
        tell("closed")


events = Events()
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A package that hears of effects."""
    module = installed.installed_module("told", TOLD)
    module.path = str(tmp_path_factory.mktemp("told") / "touched")
    handler = logging.Handler()
    handler.emit = lambda record: module.tell(record.getMessage())
    logger = logging.getLogger("told")
    logger.addHandler(handler)
    logger.propagate = False
    yield module
    logger.removeHandler(handler)


def heard(told, capsys):
    """What has happened since the last question."""
    found = [*told.heard, *capsys.readouterr().out.split()]
    told.heard.clear()
    if os.path.exists(told.path):
        os.remove(told.path)
        found.append("file")
    if os.environ.pop("EFX_HANDLED", None):
        found.append("environment")
    return found


def program(body, name, operation, effect):
    text = PRELUDE + "def f(x):\n" + textwrap.indent(textwrap.dedent(body), "    ")
    return load(
        text.replace("OPERATION", operation).replace("EFFECT", effect), f"<handlers {name}>"
    )


WRAPPERS = {
    "function": lambda f: rt.function(f),
    "nested": lambda f: rt.function(lambda x: rt.function(f)(x) + 1),
    "grad": lambda f: rt.grad(lambda x: np.sum(f(x))),
    "vmap": lambda f: lambda x: rt.vmap(f)(np.stack([x, x])),
    "branch": lambda f: rt.function(lambda x: f(x) if np.sum(x) > 0 else x),
    "method": lambda f: rt.function(type("Holder", (), {"call": lambda self, x: f(x)})().call),
}


def chosen(values, number):
    return list(values)[number % len(values)]


QUIET = pytest.mark.filterwarnings(
    "ignore::runtime.TracingWarning", "ignore::runtime.RetracingWarning"
)


@QUIET
@pytest.mark.parametrize("body", BODIES)
def test_nothing_happens_after_a_refusal(body, told, capsys):
    number = list(BODIES).index(body)
    for i, wrapper in enumerate(WRAPPERS):
        operation = OPERATIONS[chosen(OPERATIONS, number + i)]
        effect = EFFECTS[chosen(EFFECTS, number + i // 2)]
        module = program(BODIES[body], f"{body} {wrapper}", operation, effect)
        with pytest.raises(rt.StagingError):
            WRAPPERS[wrapper](module.f)(X)
        assert heard(told, capsys) == [], (wrapper, operation, effect)


@QUIET
@pytest.mark.parametrize("body", CLEANING)
def test_clean_up_runs_once_and_nothing_follows(body, told, capsys):
    for i, wrapper in enumerate(WRAPPERS):
        operation = OPERATIONS[chosen(OPERATIONS, i)]
        module = program(CLEANING[body], f"{body} {wrapper}", operation, EFFECTS["foreign"])
        with pytest.raises(rt.StagingError):
            WRAPPERS[wrapper](module.f)(X)
        found = [word for word in heard(told, capsys) if word != "file"]
        # A context manager of another package is entered by each run in a branch, else now.
        is_told = body not in ("lock", "file") and wrapper != "branch"
        assert found == (["opened", "closed"] if is_told else []), (wrapper, operation)
        assert told.lock.acquire(blocking=False)
        told.lock.release()
        assert all(file.closed for file in told.files)


UNCONVERTED = """
import autograph, functools, told


@autograph.do_not_convert
def retries(function):
    while not told.stops():
        try:
            return function()
        except BaseException:
            told.tell("again")


def f(x):
    retries(lambda: bytes(x))
    told.tell("after")
    return x
"""


def test_a_loop_in_unconverted_code_that_drops_a_refusal_is_reported_once(told, capsys):
    told.stops = iter([False] * 1500 + [True]).__next__
    with pytest.raises(rt.StagingError):
        rt.function(load(UNCONVERTED, "<retries>").f)(X)
    assert "after" not in told.heard
    told.heard.clear()
    shown = capsys.readouterr().err
    assert shown.count("bytes is given the staged value `x` (f64[2, 2])") == 1
    assert "<retries>, line 15" in shown


PLAIN = """
def found(operation):
    try:
        return operation()
    except:
        return "handled"


def chosen(operation, kind):
    try:
        return operation()
    except ValueError:
        return "value"
    except kind as error:
        return type(error).__name__
    else:
        return "none"
    finally:
        operation.events.append("end")


def stops(operation):
    for i in range(3):
        try:
            operation()
        except BaseException:
            break
    else:
        i = -1
    return i
"""


class Operation:
    def __init__(self, error):
        self.error, self.events = error, []

    def __call__(self):
        self.events.append("called")
        if self.error is not None:
            raise self.error
        return 3


@pytest.mark.parametrize("error", [None, ValueError, KeyError(1), KeyboardInterrupt, SystemExit(2)])
@pytest.mark.parametrize("kind", [BaseException, (KeyError, SystemExit), Exception])
def test_handlers_catch_on_plain_values_what_python_lets_them_catch(error, kind):
    module = load(PLAIN, "<plain handlers>")
    for name, others in (("found", ()), ("chosen", (kind,)), ("stops", ())):
        results = []
        for function in (getattr(module, name), autograph.to_graph(getattr(module, name))):
            operation = Operation(error)
            try:
                result = function(operation, *others)
            except BaseException as raised:
                result = type(raised), raised.args
            results.append((result, operation.events))
        assert results[0] == results[1]


def test_a_clause_is_added_only_where_a_handler_may_catch_every_exception():
    def shown(kind):
        text = f"def f(g):\n    try:\n        g()\n    except {kind}:\n        pass\n"
        return autograph.to_code(load(text, f"<catches {kind}>").f)

    for kind in ("ValueError", "(OSError, JSONDecodeError)", "Exception", "error.KindError"):
        assert "Refused" not in shown(kind)
    others = ("", "BaseException", "builtins.BaseException", "(A, kind)", "ALL", "kinds()")
    for kind in (*others, "(OSError, queue.Empty)", "Everything"):
        assert "    except ag__.refusals():\n        raise\n    except" in shown(kind)
