"""Tracebacks end at the user's innermost line, and show at most three frames of the library."""

import os
import re
import subprocess
import sys
import traceback
from pathlib import Path

import numpy as np
import pytest

import autograph
import runtime as rt
from tests.support.loading import load

ROOT = Path(autograph.__file__).parents[1]
LIBRARY = tuple(os.path.join(ROOT, folder, "") for folder in ("autograph", "runtime"))

SOURCE = """
import contextlib
import json
import operator
import numpy as np
import autograph
import runtime as rt

def raises(x):
    raise KeyError("user")  # here: raises

def helper(x):
    return operator.index(x[0])  # here: helper

@rt.function
def refused(x):
    return json.dumps(x)  # here: refused

@rt.function
def in_helper(x):
    return helper(x)

@rt.function
def raised(x):
    return raises(x)

@rt.function
def in_branch(x):
    if x.shape == (2,):
        for i in range(3):
            if i == 1:
                y = [][i]  # here: in_branch
    return x

@rt.function
def in_loop(x):
    while x.sum() < 10:
        x = x + operator.index(x[0])  # here: in_loop
    return x

@rt.function
def wrong_shape(x):
    return x @ np.ones((3, 3))  # here: wrong_shape

@rt.function
def in_run(x):
    return x[np.sum(x).astype(int) + 5]  # here: in_run

@rt.function
def raise_in_run(x):
    if x[0] > 0:
        raise ValueError("positive")  # here: raise_in_run
    return x

@rt.function
def asserts(x):
    assert x[0] < 0, "negative"  # here: asserts
    return x

@rt.function
def in_with(x):
    with contextlib.nullcontext():
        return {}[3]  # here: in_with

@rt.function
def in_callback(x):
    return sorted([2, 1], key=lambda v: v / 0)  # here: in_callback

@rt.function
def joined(x):
    if x[0] > 0:  # here: joined
        y = {"all": x}
    else:
        y = {"first": x[0]}
    return y

@rt.function
def nested(x):
    return refused(x) * 2

@rt.function
def in_generator(x):
    return sum(v.missing for v in [x, x])  # here: in_generator

class Model:
    def __init__(self):
        self.w = np.ones(2)

    @rt.function
    def call(self, x):
        return self.w @ np.ones((3, 3)) + x  # here: Model

    def __repr__(self):
        return "Model"

def in_gradient(x):
    return rt.grad(lambda v: np.sum(in_helper(v)))(x)

def in_vmap(x):
    return rt.vmap(lambda v: helper(v[None]))(x)

def in_jvp(x):
    return rt.jvp(helper, (x,), (x,))

def in_vjp(x):
    return rt.vjp(raises, x)

def in_concrete(x):
    return in_helper.get_concrete_function(x)

def in_model(x):
    return Model().call(x)

def in_eager(x):
    with rt.config.temporarily(run_functions_eagerly=True):
        return raised(x)
"""

# The function that is called, and the mark of the line at which its traceback ends.
LAST = {
    "refused": "refused",
    "in_helper": "helper",
    "raised": "raises",
    "in_branch": "in_branch",
    "in_loop": "in_loop",
    "wrong_shape": "wrong_shape",
    "in_run": "in_run",
    "raise_in_run": "raise_in_run",
    "asserts": "asserts",
    "in_with": "in_with",
    "in_callback": "in_callback",
    "joined": "joined",
    "nested": "refused",
    "in_generator": "in_generator",
    "in_gradient": "helper",
    "in_vmap": "helper",
    "in_jvp": "helper",
    "in_vjp": "raises",
    "in_concrete": "helper",
    "in_model": "Model",
    "in_eager": "raises",
}


def failure(name):
    module = load(SOURCE, f"traceback_{name}.py")
    with pytest.raises(Exception) as raised:
        getattr(module, name)(np.ones(2))
    return raised.value


@pytest.mark.parametrize("name", LAST)
def test_a_traceback_ends_at_the_users_line_and_hides_the_library(name):
    error = failure(name)
    frames = traceback.extract_tb(error.__traceback__)
    lines = SOURCE.splitlines()
    assert frames[-1].filename == f"traceback_{name}.py"
    assert lines[frames[-1].lineno - 1].endswith(f"# here: {LAST[name]}")
    assert sum(frame.filename.startswith(LIBRARY) for frame in frames) <= 3
    functions = [(frame.filename, frame.name, frame.lineno) for frame in frames]
    assert len(set(functions)) == len(functions)


@pytest.mark.parametrize("name", [n for n in LAST if n not in ("in_callback", "in_with")])
def test_the_place_in_the_message_is_the_last_line_of_the_traceback(name):
    error = failure(name)
    if isinstance(error, rt.StagingError):
        last = traceback.extract_tb(error.__traceback__)[-1]
        assert f"{last.filename}, line {last.lineno}, in " in str(error)


def test_full_tracebacks_show_the_library():
    with rt.config.temporarily(full_tracebacks=True):
        error = failure("in_helper")
    frames = traceback.extract_tb(error.__traceback__)
    assert sum(frame.filename.startswith(LIBRARY) for frame in frames) > 5
    rt.config.full_tracebacks(True)
    try:
        assert rt.config.tracebacks_are_full()
    finally:
        rt.config.full_tracebacks(False)


# -- front ends ------------------------------------------------------------------------------------


def run(*command, folder):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "NO_COLOR": "1", "PY_COLORS": "0"}
    found = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True
    )
    return found.stdout + found.stderr


def library_frames(output):
    return len(re.findall(rf"^.*{re.escape(str(ROOT))}/(?:autograph|runtime)/", output, re.M))


@pytest.mark.parametrize("name", ["refused", "raised", "in_run"])
def test_a_terminal_shows_at_most_three_frames_of_the_library(name, tmp_path):
    (tmp_path / "program.py").write_text(SOURCE + f"\n{name}(np.ones(2))\n")
    output = run("program.py", folder=tmp_path)
    assert library_frames(output) <= 3
    frames = re.findall(r'File "(.*)", line (\d+)', output)
    assert frames[-1][0].endswith("program.py")
    last = (SOURCE + "\n").splitlines()[int(frames[-1][1]) - 1]
    assert last.endswith(f"# here: {LAST[name]}")


def test_pytest_shows_no_frame_of_the_library(tmp_path):
    calls = "".join(f"\ndef test_{n}():\n    {n}(np.ones(2))\n" for n in ("refused", "raised"))
    (tmp_path / "test_program.py").write_text(SOURCE + calls)
    output = run("-m", "pytest", "-p", "no:cacheprovider", "test_program.py", folder=tmp_path)
    assert "2 failed" in output
    assert library_frames(output) == 0
    assert not re.findall(r"^(autograph|runtime)/.*:\d+:", output, re.M)


def test_ipython_shows_at_most_three_frames_of_the_library(tmp_path):
    pytest.importorskip("IPython")
    shell = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="NoColor")
shell.run_cell(SOURCE, store_history=True)
shell.run_cell("refused(np.ones(2))", store_history=True)
"""
    (tmp_path / "cells.py").write_text(f"SOURCE = {SOURCE!r}\n{shell}")
    output = run("cells.py", folder=tmp_path)
    assert "ArgumentError" in output
    assert library_frames(output) <= 3


def test_a_cell_that_imports_a_module_and_uses_it_is_converted(tmp_path):
    pytest.importorskip("IPython")
    cell = "import json\nimport numpy as np\nimport runtime as rt\n\n@rt.function\n"
    cell += "def area(x):\n    return np.multiply(x, len(json.dumps([1])))\n"
    shell = f"""
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="NoColor")
shell.run_cell({cell!r}, store_history=True)
shell.run_cell("print(area(np.float64(2.0)))", store_history=True)
"""
    (tmp_path / "cells.py").write_text(shell)
    assert run("cells.py", folder=tmp_path) == "6.0\n"


WRONG_CALLS = """
import traceback
import warnings
import numpy as np
import autograph
import runtime as rt
from autograph.functions import accidents

warnings.simplefilter("ignore")
wrong = 3, None, object(), np.ones(3), "x", lambda x: x
calls = [(), *((one,) for one in wrong)]
calls += [(one, other) for one in wrong for other in wrong if one is not other]
spaces = {"autograph": autograph, "rt": rt, "rt.nn": rt.nn, "rt.random": rt.random}
public = [(path, name) for path in spaces for name in dir(spaces[path]) if name[0] != "_"]
for path, name in public:
    function = getattr(spaces[path], name)
    for arguments in calls if callable(function) else ():
        try:
            function(*arguments)
        except Exception as error:
            entries = traceback.extract_tb(error.__traceback__)
            count = sum(entry.filename.startswith(LIBRARY) for entry in entries)
            if count > 3 or accidents.NOTE in getattr(error, "__notes__", ()):
                print(f"{path}.{name}{arguments}: {count} frames, {error!r}")
print(len(public), "names")
"""


def test_a_wrong_argument_of_a_public_function_shows_at_most_three_frames(tmp_path):
    (tmp_path / "calls.py").write_text(f"LIBRARY = {LIBRARY!r}\n{WRONG_CALLS}")
    *found, count = run("calls.py", folder=tmp_path).splitlines()
    assert found == [] and int(count.split()[0]) > 150
