"""Functions that stay Python because they use `locals()` see the user's functions, too."""

import inspect
import itertools
import logging
import sys
import warnings

import pytest
from warning_records import recorded_warnings

import autograph
import runtime as rt

SEEING = {
    "locals": "locals()",
    "vars": "vars()",
    "dir": "dir()",
    "eval": "eval('1')",
    "exec": "exec('1')",
}
INSPECTING = {
    "getframe": "sys._getframe({}).f_code.co_name",
    "line": "sys._getframe({}).f_lineno",
    "stack": "[frame.function for frame in inspect.stack()][:{} + 1]",
    "outer": "[f.function for f in inspect.getouterframes(inspect.currentframe())][{}]",
    "warn": "warnings.warn('seen', stacklevel={})",
    "logger": "logging.getLogger('frames').warning('seen', stacklevel={})",
    "logging": "logging.error('seen', stacklevel={})",
    "nested": "(lambda: sys._getframe({} + 1).f_code.co_name)()",
}
TEMPLATE = """
def sees(depth):
    {seeing}
    return {inspecting}

def caller(n):
    found = []
    for i in range(n):
        if i >= 0 and n:
            found.append(sees(DEPTH))
    return found

def outer(n):
    found = []
    while not found:
        found = caller(n) if n else None
    return found
"""


class Records(logging.Handler):
    def __init__(self):
        super().__init__()
        self.seen = []

    def emit(self, record):
        self.seen.append((record.filename, record.lineno, record.funcName))


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("frames")
    found = {}
    for seeing, inspecting in itertools.product(SEEING, INSPECTING):
        text = TEMPLATE.format(
            seeing=SEEING[seeing], inspecting=INSPECTING[inspecting].format("depth")
        )
        path = folder / f"{seeing}_{inspecting}.py"
        path.write_text(text)
        space = {"sys": sys, "inspect": inspect, "warnings": warnings, "logging": logging}
        exec(compile(text, str(path), "exec"), space)
        found[seeing, inspecting] = space
    return found


def outcome(function, handler):
    handler.seen.clear()
    with recorded_warnings() as seen:
        result = function(2)
    places = [(warning.filename, warning.lineno) for warning in seen]
    return result, places, list(handler.seen)


@pytest.fixture
def handler():
    handler = Records()
    root = logging.getLogger()
    root.addHandler(handler)
    yield handler
    root.removeHandler(handler)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_frames_are_those_of_the_users_functions(programs, handler, depth):
    for name, space in programs.items():
        space["DEPTH"] = depth
        expected = outcome(space["outer"], handler)
        assert outcome(autograph.to_graph(space["outer"]), handler) == expected, name


def test_frames_while_a_graph_is_recorded(programs, handler):
    for seeing, inspecting in itertools.product(["locals"], ["getframe", "warn", "logger"]):
        space = programs[seeing, inspecting]
        space["DEPTH"] = 2
        expected = outcome(space["outer"], handler)
        results = []
        recorded = rt.function(lambda x, f=space["outer"]: results.append(outcome(f, handler)))
        recorded(1.0)
        assert results[-1] == expected


def test_the_variables_are_those_of_the_function():
    def f(x):
        y = x + 1
        name = sys._getframe(0).f_code.co_name
        return sorted(locals()), name

    assert autograph.to_graph(f)(1) == f(1) == (["name", "x", "y"], "f")
