"""Converted modules of the standard library pass CPython's own tests.

`python tools/conformance.py` runs all of them; these are the ones that take seconds.  They need
Lib/test: if Python is installed without it, they are skipped, unless CI_REQUIRES_LIB_TEST=1.
"""

import os

import conformance
import pytest
from conformance import Comparison, Run

FAST = """
    bisect cmd collections colorsys contextlib copy csv dataclasses fnmatch functools getopt graphlib
    heapq html.parser ipaddress ntpath optparse pprint quopri reprlib shlex string textwrap tomllib
    urllib.parse
""".split()


@pytest.fixture(scope="module")
def library_tests():
    """Skips if CPython's tests are not installed; fails if they are required."""
    if conformance.tests_are_here():
        return
    if os.environ.get("CI_REQUIRES_LIB_TEST") == "1":
        pytest.fail("this Python has no Lib/test, and CI_REQUIRES_LIB_TEST=1 is set")
    pytest.skip("this Python has no Lib/test, which holds CPython's own tests")


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", FAST)
def test_a_converted_module_passes_every_test_that_the_module_passes(name, library_tests):
    found = conformance.compare(name, seconds=120)
    assert conformance.faults_of([found]) == []


# -- the tool detects faults -----------------------------------------------------------------------


def function(name, size=1, **changes):
    return {"function": name, "size": size, "kept": {}, "changed": True, "refused": None} | changes


def comparison(plain, converted, functions):
    return Comparison("heapq", Run(plain), Run(converted, functions=functions))


def test_a_test_that_only_the_original_module_passes_is_a_fault():
    before = {"a": "passed", "b": "passed", "c": "passed", "d": "passed", "e": "failed"}
    after = {"a": "passed", "b": "failed", "c": "skipped", "e": "failed"}
    found = comparison(before, after, [function("f")])
    assert found.faults == ["failed b", "skipped c", "not run d"]


def test_a_function_that_is_refused_is_a_fault():
    found = comparison(
        {"a": "passed"}, {"a": "passed"}, [function("f", changed=False, refused="no source")]
    )
    assert found.faults == ["refused f\nno source"]


def test_a_run_that_converts_or_tests_nothing_is_a_fault():
    assert comparison({}, {}, [function("f")]).faults == ["no test ran, or no function was found"]
    nothing = comparison({"a": "passed"}, {"a": "passed"}, [])
    assert nothing.faults == ["no test ran, or no function was found"]


def test_a_run_that_does_not_finish_is_a_fault():
    found = comparison({"a": "passed"}, {"a": "passed"}, [function("f")])
    found.converted.broken = "not at its end after 3 s"
    assert found.faults == ["converted: not at its end after 3 s"]


@pytest.mark.parametrize(("size", "faults"), [(100, 0), (99, 1)])
def test_more_than_three_percent_of_functions_that_stay_python_are_a_fault(size, faults):
    kept = dict.fromkeys(("g", "h", "i"), "`locals()` looks at the local variables")
    found = comparison({"a": "passed"}, {"a": "passed"}, [function("f", size, kept=kept)])
    assert len(conformance.faults_of([found])) == faults


def test_a_known_failure_is_not_a_fault_and_is_reported_when_it_passes():
    name = "test.test_contextlib.TestExitStack.test_exit_exception_traceback"
    failing = Comparison("contextlib", Run({name: "passed", "a": "passed"}), Run({name: "failed"}))
    assert failing.lost == ["a"]
    passing = Comparison("contextlib", Run({name: "passed"}), Run({name: "passed"}))
    [line] = [line for line in conformance.details(passing, 3) if "known" in line]
    assert line.startswith(f"    known (but it passes): {name}: ")


def test_the_worst_of_several_outcomes_of_one_test_counts():
    found = Run()
    for outcome in ("started", "passed", "started", "failed", "started", "passed"):
        conformance.note_test(found, {"test": "a", "outcome": outcome})
    assert found.tests == {"a": "failed"}
