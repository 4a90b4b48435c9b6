"""Machine code on disk: a second process finds all of it, and does not import llvmlite."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from runtime.engines import native
from runtime.engines.native import loader

pytestmark = pytest.mark.skipif(
    native.unusable() is not None or not loader.is_supported(),
    reason="needs machine code, and a system whose object files are loaded",
)

PROGRAM = """\
import sys
import numpy as np
import runtime as rt

@rt.function(engine="native")
def collatz(a):
    steps = 0
    while a != 1:
        a = a // 2 if a % 2 == 0 else 3 * a + 1
        steps += 1
    return steps

print(collatz(np.int64(27)), "llvmlite" in sys.modules)
"""

CONSTANTS = """\
import sys
import numpy as np
import runtime as rt

WEIGHTS, OFFSETS = np.array([0.5, 0.25, 0.125]), np.array([[1, 2], [3, 4]])
SETTINGS = {"scale": 2.0, "power": 3, "shift": 1.5, "limit": 4}

@rt.function(engine="native")
def weighted(x):
    total, counts = WEIGHTS.copy(), OFFSETS + 1
    for i in range(SETTINGS["limit"]):
        total[i % 3] += x[i] * SETTINGS["scale"] + SETTINGS["shift"]
        counts[i % 2, 1] += i
    return total, counts, np.array([1.0, 2.0, 3.0]) + total

for _ in range(3):
    total, counts, moved = weighted(np.arange(4.0))
print(*total, *counts.ravel(), *moved, "llvmlite" in sys.modules)
"""

REMAINDERS = """\
import sys
import numpy as np
import runtime as rt

@rt.function(engine="native")
def wrapped(angle, turns):
    for _ in range(turns):
        angle = (angle + 5.0) % (2 * np.pi) - np.pi
    return angle

print(float(wrapped(np.float64(1.0), 9)), "llvmlite" in sys.modules)
"""

DOMAIN = """\
import copy, importlib, sys, warnings
sys.path[:0] = {paths!r}
import numpy as np
import runtime as rt

warnings.simplefilter("ignore")
for program in importlib.import_module({name!r}).PROGRAMS:
    function = rt.function(program.function, engine="native")
    with np.errstate(all="ignore"):
        for _ in range(3):
            result = function(*copy.deepcopy(program.arguments))
    print(repr(result))
print("llvmlite" in sys.modules)
"""


@pytest.fixture
def directory(tmp_path):
    return str(tmp_path / "caches" / "objects")


def runs_of(program, directory, tmp_path):
    """The output of a program in two processes, in which sets have other orders."""
    (tmp_path / "program.py").write_text(program)
    env = {**os.environ, "AUTOGRAPH_OBJECT_CACHE": directory}
    command = [sys.executable, str(tmp_path / "program.py")]
    for seed in ("1", "2"):
        env["PYTHONHASHSEED"] = seed
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        yield done.stdout.splitlines()


def test_a_second_process_does_not_import_llvmlite(directory, tmp_path):
    assert list(runs_of(PROGRAM, directory, tmp_path)) == [["111 True"], ["111 False"]]


def test_a_second_process_finds_code_with_constant_arrays(directory, tmp_path):
    first, second = ("\n".join(lines).split() for lines in runs_of(CONSTANTS, directory, tmp_path))
    assert first[:-1] == second[:-1]
    assert first[:3] == ["9.5", "3.75", "5.625"]
    assert (first[-1], second[-1]) == ("True", "False")


def test_a_second_process_finds_remainders_of_floats(directory, tmp_path):
    first, second = (lines[0].split() for lines in runs_of(REMAINDERS, directory, tmp_path))
    assert first[0] == second[0]
    assert (first[1], second[1]) == ("True", "False")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["domain_linear_algebra", "domain_robotics", "domain_statistics"])
def test_a_second_process_finds_the_code_of_every_program(directory, tmp_path, name):
    tests = Path(__file__).parents[1]
    paths = [str(tests / "programs"), str(tests / "support"), str(tests)]
    program = DOMAIN.format(paths=paths, name=name)
    first, second = runs_of(program, directory, tmp_path)
    assert first[:-1] == second[:-1]
    assert (first[-1], second[-1]) == ("True", "False")
