"""The help of the command line: its man page, its examples, and completion of its commands."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import man_page
import pytest

from autograph.command import main
from autograph.command.options import parser
from runtime.explorer import command as explore
from runtime.export.library import command as build

ROOT = Path(__file__).parents[2]
MODEL = """\
import numpy as np
import runtime as rt

{decorator}
def step(x):
    return x * 2.0

def norm(x):
    return np.sqrt(np.sum(x * x))

class Net:
    @rt.function
    def step(self, x):
        return x + 1.0

net = Net()
{call}
"""
EXPLORED = MODEL.format(decorator="@rt.function", call="net.step(2.0)\nstep(np.ones(2))")
BUILT = MODEL.format(decorator="@rt.function(input_signature=[float])", call="")
PLAIN = MODEL.format(decorator="", call="")


def test_the_man_page_is_up_to_date():
    assert man_page.PAGE.read_text() == man_page.page(), "run python tools/man_page.py"


def test_the_man_page_has_every_option_of_every_command():
    shown = man_page.PAGE.read_text().replace("\\-", "-")
    for made in (parser(), explore.parser(), build.parser()):
        for action in made._actions:
            assert all(name in shown for name in action.option_strings)
            assert action.option_strings or action.metavar in shown
    for part in (".SH EXIT STATUS", ".SH ENVIRONMENT", ".SH AUTOGRAPH EXPLORE", "NO_COLOR"):
        assert part in shown


def test_the_man_page_can_be_formatted():
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    command = ["groff", "-man", "-ww", "-Tutf8", str(man_page.PAGE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == ""
    assert "FILE.py[:FUNCTION]" in done.stdout


def examples(epilog):
    """The command lines in a help, as a shell splits them."""
    text = epilog.partition("examples:\n")[2].partition("\n\n")[0]
    for line in text.splitlines():
        command = re.split(r"  +", line.strip())[0]
        yield [part.strip("\"'") for part in re.findall(r'"[^"]*"|\S+', command)][1:]


@pytest.mark.slow
@pytest.mark.parametrize("words", list(examples(explore.EPILOG)), ids=" ".join)
def test_an_example_of_explore_writes_a_page(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("model.py").write_text(EXPLORED)
    monkeypatch.setattr(explore, "serve", lambda text, port: Path("step.html").write_text(text))
    with without_module("model"):
        assert main(words) == 0
    (page,) = Path().glob("*.html")
    assert "<html" in page.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("words", list(examples(build.EPILOG)), ids=" ".join)
def test_an_example_of_build_writes_a_library(words, tmp_path, monkeypatch):
    pytest.importorskip("llvmlite", reason="llvmlite is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("build").mkdir()
    Path("model.py").write_text(BUILT if words[1] == "model.py" else PLAIN)
    with without_module("model"):
        assert main(words) == 0
    assert len(list(Path().rglob("*.h"))) == 1


@pytest.mark.parametrize("command", [[], ["explore"], ["build"], ["report"]], ids=" ".join)
def test_the_help_fits_into_a_terminal_of_80_columns(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    lines = capsys.readouterr().out.splitlines()
    assert ended.value.code == 0 and [line for line in lines if len(line) > 80] == []


@contextlib.contextmanager
def without_module(name):
    try:
        yield
    finally:
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("autograph explore --ser", ["--serve"]),
        ("autograph build --tar", ["--target"]),
        ("autograph --dif", ["--diff"]),
    ],
)
def test_the_shell_completes_the_options_of_each_command(line, expected, tmp_path):
    pytest.importorskip("argcomplete", reason="argcomplete is not installed")
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)), "COMP_TYPE": "9"}
    found = tmp_path / "found"
    settings = {"PYTHONPATH": str(ROOT), "_ARGCOMPLETE_STDOUT_FILENAME": str(found)}
    subprocess.run(
        [sys.executable, "-m", "autograph"], env=os.environ | asked | settings, timeout=60
    )
    assert found.read_text().split() == expected
