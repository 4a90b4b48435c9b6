"""`autograph report`: which functions of a file can be exported to ONNX, and why others cannot."""

import sys

import pytest

pytest.importorskip("onnx", reason="the `test` extra installs it")

from autograph.command import main  # noqa: E402

FILE = """\
import numpy as np
import runtime as rt

total = rt.Variable(0.0)


@rt.function
def settle(x):
    while np.sum(x * x) > 0.1:
        x = np.tanh(x) * 0.5
    return x


@rt.function
def shown(x):
    print("shown", x)
    if np.sum(x) < 0:
        raise ValueError("negative")
    return x * 2


class Model:
    @rt.function(input_signature=[rt.TensorSpec((None, 2)), rt.TensorSpec((2, 3))])
    def apply(x, w):
        return np.maximum(x @ w, 0.0)


@rt.function
def added(x):
    total.assign_add(x)
    return x


@rt.function
def never(x):
    return x


def plain(x):
    return np.sort(x) + 1j


settle(np.array([1.5, 0.5]))
shown(np.ones(2))
added(1.0)
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "model_of_report.py"
    path.write_text(FILE)
    return str(path)


def test_all_functions_of_a_file(file, capsys):
    assert main(["report", file]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("settle (line 7): exported, ")
    assert lines[1:4] == [
        "shown (line 14): 2 refusals",
        "   16  it uses print",
        "   18  it raises ValueError",
    ]
    assert lines[4].startswith("Model.apply (line 23): exported, ")
    assert lines[5:8] == [
        "added (line 28): 1 refusal",
        "       it writes into a variable",
        "never (line 34): no graph: the file does not call it, and it has no input_signature",
    ]
    assert lines[8] == (
        "2 of 4 graphs can be exported to ONNX; reasons: it uses print (1), it raises ValueError "
        "(1), it writes into a variable (1)"
    )


def test_assertions_may_be_dropped(file, capsys):
    assert main(["report", f"{file}:shown", "--drop-asserts"]) == 1
    assert "ValueError" not in capsys.readouterr().out


def test_one_function_for_a_call(file, capsys):
    assert main(["report", f"{file}:settle", "--args", "TensorSpec(('n',))"]) == 0
    assert capsys.readouterr().out.endswith("1 of 1 graphs can be exported to ONNX\n")
    assert main(["report", f"{file}:plain", "--args", "np.ones(3)"]) == 1
    assert "plain (line 39): " in capsys.readouterr().out


@pytest.mark.parametrize(
    "given, told",
    [
        (["{file}:nothing"], "there is no nothing"),
        (["{file}:plain"], "--args does not fit plain"),
        (["missing.py"], "is not a file"),
    ],
)
def test_wrong_calls(given, told, file, capsys):
    assert main(["report", *(one.format(file=file) for one in given)]) == 2
    assert told in capsys.readouterr().err


def test_without_onnx_the_command_says_how_to_install_it(file, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    assert main(["report", file]) == 1
    expected = "autograph report: it needs the package onnx: pip install 'autograph-numpy[onnx]'\n"
    assert capsys.readouterr().err.endswith(expected)
