"""A newcomer's first minute: completion, and files that hide the packages."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import autograph
import runtime

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("package", [autograph, runtime], ids=lambda package: package.__name__)
def test_completion_shows_public_names_only(package):
    shown = {name for name in dir(package) if not name.startswith("__")}
    assert shown == set(package.__all__)
    assert "__version__" in dir(package)


def python(folder, *words):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, cwd=folder, env=environment
    )


def test_a_file_that_hides_autograph_is_named_by_the_import_of_runtime(tmp_path):
    (tmp_path / "autograph.py").write_text("x = 1\n")
    (tmp_path / "script.py").write_text("import runtime as rt\n")
    done = python(tmp_path, "script.py")
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith(
        f"ImportError: {tmp_path / 'autograph.py'} hides the package `autograph`"
    )
    assert last.endswith("Rename it, or move it to another directory.")


def test_a_file_that_hides_runtime_is_named_by_the_import_of_autograph(tmp_path):
    (tmp_path / "runtime.py").write_text("x = 1\n")
    (tmp_path / "script.py").write_text("import autograph\nimport runtime\nprint(runtime.x)\n")
    done = python(tmp_path, "script.py")
    assert done.stdout == "1\n"
    assert f"script.py:1: UserWarning: {tmp_path / 'runtime.py'} hides" in done.stderr


def test_a_command_of_the_runtime_names_the_file_that_hides_it(tmp_path):
    (tmp_path / "runtime").mkdir()
    (tmp_path / "runtime" / "__init__.py").write_text("")
    done = python(tmp_path, "-W", "ignore", "-m", "autograph", "explore", "model.py")
    assert done.returncode == 2
    hidden = tmp_path / "runtime" / "__init__.py"
    assert done.stderr.startswith(f"autograph: {hidden} hides the package `runtime`")


def test_nothing_is_said_where_nothing_is_hidden(tmp_path):
    (tmp_path / "runtime").mkdir()  # a directory without __init__.py hides nothing
    done = python(tmp_path, "-W", "error", "-c", "import autograph, runtime")
    assert done.stderr == "" and done.returncode == 0
