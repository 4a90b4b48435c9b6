"""Tests of users run under pytest: captured output, log records, warnings and failures."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

TESTS = """
import logging
import warnings

import numpy as np
import pytest

import runtime as rt

log = logging.getLogger("model")


@rt.function
def step(x):
    if x > 0:
        print("positive", x)
        log.warning("x is %s", x)
    return x * 2


def test_output_is_captured_in_each_run(capsys):
    for x in (1.0, 2.0, -1.0):
        step(np.float64(x))
    assert capsys.readouterr().out == "positive 1.0\\npositive 2.0\\n"


def test_log_records_are_captured_in_each_run(caplog):
    for x in (1.0, -1.0, 3.0):
        step(np.float64(x))
    assert [record.getMessage() for record in caplog.records] == ["x is 1.0", "x is 3.0"]
    assert {record.filename for record in caplog.records} == {"test_model.py"}


def test_warnings_are_captured():
    with pytest.warns(RuntimeWarning, match="divide by zero") as record:
        rt.function(lambda x: 1 / x)(np.zeros(2))
    assert record[0].filename == __file__


def test_an_assertion_is_rewritten():
    @rt.function
    def checked(x):
        assert x > 0, "too small"
        return x

    with pytest.raises(AssertionError, match="too small"):
        checked(np.float64(-1.0))


@pytest.mark.parametrize("x", [1.0, 2.0])
def test_parameters(x):
    assert step(np.float64(x)) == 2 * x


@pytest.fixture
def model():
    return rt.Variable(1.0)


def test_fixtures(model):
    @rt.function
    def add(x):
        model.assign_add(x)

    add(np.float64(2.0))
    assert model.value == 3.0


def test_that_fails():
    @rt.function
    def wrong(x):
        if x > 0:
            y = 1
        else:
            y = b"none"
        return y

    wrong(np.float64(1.0))
"""


def test_tests_of_a_user_see_output_logs_warnings_and_the_failing_line(tmp_path):
    (tmp_path / "test_model.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    root = str(Path(__file__).parents[2])
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=root,
        timeout=120,
        env={**os.environ, "PYTHONPATH": root},
    )
    assert "1 failed, 7 passed" in ran.stdout, ran.stdout
    assert "y is int after one branch of this `if` and b'none' after the other" in ran.stdout
    assert "in wrong" in ran.stdout, ran.stdout
