"""`explain` and `--report` agree with the conversion; and which packages are converted."""

import calendar
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import autograph
import runtime as rt
from autograph.functions import policy


def scaled(x):
    return x if x > 0 else -x


def doubled(x):
    return 2 * x


@autograph.do_not_convert
def kept(x):
    return x or 1


class Model:
    def step(self, x):
        return scaled(x) if x else 0


def everything(x, n, callback):
    total = 0
    while n > 0 and not x.any():
        n -= 1
        if 1 < n < 5:
            continue
        total += scaled(n) + doubled(n) + kept(n) + np.sum(x) + callback(n) + calendar.isleap(n)
    for v in [i for i in range(3) if i]:
        print(v)
    with open("x") as lines:
        for line in lines:
            yield line

    def names():
        return sorted(locals())

    try:
        n = Model().step(n)
    finally:
        assert total in (1, 2)
    match n:
        case 1:
            return n if n else names()


def said(report):
    """The findings of a report: (code, verdict, why)."""
    return {(f.code, f.verdict, f.why) for f in report.findings}


def test_a_report_lists_stageable_lines_lines_that_stay_python_and_calls():
    this = Path(__file__).name
    first = scaled.__code__.co_firstlineno
    found = said(autograph.explain(everything))
    expected = {
        ("while n > 0 and (not x.any())", "staged once its test is, or if it is long", ""),
        ("n > 0 and (not x.any())", "staged if an operand is", ""),
        ("not x.any()", "staged if an operand is", ""),
        ("x.any()", "decided at run time", ""),
        ("if 1 < n < 5", "staged if its test is", ""),
        ("1 < n < 5", "staged if an operand is", ""),
        ("scaled(...)", "converted", f"{this}, line {first}"),
        ("doubled(...)", "called as it is", "there is nothing to convert in it"),
        ("kept(...)", "called as it is", "decorated with do_not_convert"),
        ("np.sum(...)", "called as it is", "inside staged code, an operation of the graph"),
        ("callback(...)", "decided at run time", ""),
        ("calendar.isleap(...)", "called as it is", "calendar is part of the standard library"),
        ("for v in [i for i in range(3) if i]", "staged if its iterable is, or if it is long", ""),
        ("[i for i in range(3) if i]", "staged if its iterable or a condition is", ""),
        ("print(...)", "called as it is", "inside staged code, an operation of the graph"),
        ("for line in lines", "stays Python", "it contains `yield`"),
        (
            "def names",
            "stays Python",
            "`locals()` looks at the local variables of the function",
        ),
        ("try", "stays Python", "Python handles exceptions"),
        ("assert total in (1, 2)", "checked in the graph if its test is staged", ""),
        ("match n", "stays Python", "Python compares its patterns"),
        ("n if n else names()", "staged if its condition is", ""),
    }
    assert expected <= found, expected - found


def test_findings_come_in_the_order_of_the_lines_and_a_report_prints_as_a_table():
    report = autograph.explain(everything)
    lines = [finding.lineno for finding in report.findings]
    assert lines == sorted(lines)
    shown = str(report).splitlines()
    line = everything.__code__.co_firstlineno
    assert shown[0].startswith("everything (") and shown[0].endswith(
        f"test_report.py, line {line})"
    )
    assert len(shown) == 1 + len(lines) and repr(report) == str(report)


def test_methods_and_lambdas_are_explained_too():
    assert [f.code for f in autograph.explain(Model().step).findings][:2] == [
        "scaled(x) if x else 0",
        "scaled(...)",
    ]
    assert autograph.explain(lambda x: x or 1).findings[0].verdict == "staged if an operand is"


def test_the_report_says_in_one_line_why_a_function_stays_python():
    def looks():
        return locals()

    assert str(autograph.explain(looks)).endswith(
        ": stays Python: `locals()` looks at the local variables of the function"
    )
    assert autograph.explain(kept).reason == "it is decorated with do_not_convert"
    assert str(autograph.explain(doubled)).endswith(": there is nothing to convert in it")


def test_functions_without_python_source_are_refused():
    with pytest.raises(autograph.ConversionError, match="has no source in Python"):
        autograph.explain(len)


def test_a_converted_function_is_explained_like_the_original():
    assert autograph.explain(autograph.to_graph(scaled)) == autograph.explain(scaled)


# -- errors about code that stays Python -----------------------------------------------------------


def suspended(x):
    if x > 0:
        yield x


def swallowing(x):
    while True:
        try:
            return x
        finally:
            if x > 3:
                break


def looking(x):
    if x > 0:
        return sorted(locals())


def comprehending(x):
    return bytes(i for i in range(3) if i < x)


def matching(x):
    match [f"{x}"]:
        case ["1"]:
            return 2


def searching(x):
    return (1, x).__lt__((1, 2))


def leaping(x):
    return calendar.isleap(x)


QUESTIONS = {
    lambda x: dict(
        zip([1], suspended(x), strict=True)
    ): "This `if` stays Python: it contains `yield`.",
    swallowing: "This `if` stays Python: it jumps out of a `finally`.",
    looking: "This `def` stays Python: `locals()` looks at the local variables of the function.",
    comprehending: "The function called here needs the value.",
    matching: "This `match` stays Python: Python compares its patterns.",
    searching: "The function called here needs the value.",
}


@pytest.mark.parametrize("fn", QUESTIONS, ids=lambda fn: fn.__name__)
def test_the_error_about_a_staged_value_in_python_names_construct_line_and_reason(fn):
    with pytest.raises(rt.StagingError) as caught:
        rt.function(fn)(np.int64(4))
    what, where, text, caret, why, remedy = str(caught.value).splitlines()
    assert "is needed while the graph is being built" in what
    assert where.startswith(f"  {__file__}, line ")
    assert set(caret) == {" ", "^"} and text.strip() and remedy
    assert why == f"Its value is not known while the graph is being built.  {QUESTIONS[fn]}"


def test_the_error_about_a_staged_value_in_a_library_names_its_function_and_argument():
    with pytest.raises(rt.StagingError) as caught:
        rt.function(leaping)(np.int64(4))
    what, where, text, caret, why, remedy = str(caught.value).splitlines()
    assert what == "calendar.isleap is given the staged value `x` (i64) as argument 1, `year`"
    assert where.startswith(f"  {__file__}, line ") and "calendar.isleap(x)" in text
    assert "call calendar.isleap on the result of the function" in remedy


# -- packages to convert ---------------------------------------------------------------------------


def test_a_package_is_converted_only_where_requested():
    assert rt.function(leaping, convert_packages=["calendar"])(np.int64(1900)) is np.False_
    assert rt.function(leaping, convert_packages=("calendar",))(np.int64(2000)) is np.True_
    asked = autograph.to_graph(leaping, convert_packages=["calendar"])
    assert rt.function(asked)(np.int64(2024)) and leaping(2024)
    with pytest.raises(rt.StagingError, match="calendar is library code"):
        rt.function(leaping)(np.int64(4))
    with pytest.raises(rt.StagingError, match="calendar is library code"):
        rt.function(autograph.to_graph(leaping))(np.int64(4))


def test_a_converted_function_can_be_given_other_packages():
    converted = autograph.to_graph(leaping)
    asked = autograph.to_graph(converted, convert_packages=["calendar"])
    assert asked is not converted and asked.__code__.co_code == converted.__code__.co_code
    assert rt.function(asked)(np.int64(2024))
    again = autograph.convert(convert_packages=["calendar"])(leaping)
    assert rt.function(again)(np.int64(2024))


def through(x):
    return leaping(x) if x > 0 else leaping(-x)


def test_called_functions_inherit_the_packages_to_convert():
    assert rt.function(through, convert_packages=["calendar"])(np.int64(-2024))
    found = said(autograph.explain(leaping, convert_packages=["calendar"]))
    line = calendar.isleap.__code__.co_firstlineno
    assert found == {("calendar.isleap(...)", "converted", f"calendar.py, line {line}")}


PACKAGE = '''\
class Counter:
    """What staged code changes in it is a change of its own."""

    def __init__(self):
        self.count = 0

    def add(self, x):
        if x > 0:
            self.count = self.count + x
        return self.count
'''


def test_methods_of_a_package_to_convert_are_converted(tmp_path, monkeypatch):
    (tmp_path / "installed").mkdir()
    (tmp_path / "installed" / "counting.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(tmp_path / "installed")
    folder = str(tmp_path / "installed") + "/"
    monkeypatch.setattr(policy, "_library", lambda found=policy._library(): (*found, folder))
    policy.is_users_file.cache_clear()
    try:
        import counting

        def count(x):
            counter = counting.Counter()
            return counter.add(x), counter.add(x + 1)

        assert not policy.is_users_function(counting.Counter.add)
        graph = rt.function(count, convert_packages=["counting"])
        for x in (-1, 0, 3):
            assert graph(np.int64(x)) == count(np.int64(x))
    finally:
        monkeypatch.undo()
        policy.is_users_file.cache_clear()
        sys.modules.pop("counting", None)


@pytest.mark.parametrize(
    ("packages", "error", "text"),
    [
        ("calendar", TypeError, r'convert_packages=\["calendar"\]'),
        ([3], TypeError, "names of packages, not 3"),
        (["calender"], ValueError, "'calender', but there is no such package"),
        (["autograph"], ValueError, "belongs to the converter itself"),
        (["runtime.engines"], ValueError, "belongs to the converter itself"),
    ],
)
def test_invalid_package_names_are_refused(packages, error, text):
    with pytest.raises(error, match=text):
        autograph.to_graph(scaled, convert_packages=packages)


# -- the command line ------------------------------------------------------------------------------

FILE = """\
import calendar
import numpy as np
from nowhere_to_be_found import thing

def first(x):
    if x:
        return second(np.sum(x)) + thing(x) + len(x) + calendar.isleap(x)
    def inner(y):
        return y or 1
    return inner

def second(x):
    return x

class A:
    def method(self, xs):
        for x in xs:
            yield x

key = lambda x: x or 1
"""


def reported(tmp_path, *words):
    path = tmp_path / "file.py"
    path.write_text(FILE)
    return subprocess.run(
        [sys.executable, "-m", "autograph", "file.py", "--report", *words],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(autograph.__file__).parents[1])},
    )


def test_the_command_line_reports_on_a_file_without_running_it(tmp_path):
    done = reported(tmp_path)
    assert done.stdout == textwrap.dedent("""\
        first (file.py, line 5)
           6  if x                             staged if its test is
           7  second(...)                      converted: line 12
           7  np.sum(...)                      called as it is: numpy is an installed package
           7  thing(...)                       decided at run time: nowhere_to_be_found cannot be found from here
           7  len(...)                         called as it is: a builtin
           7  calendar.isleap(...)             called as it is: calendar is part of the standard library
           9  y or 1                           staged if an operand is

        second (file.py, line 12): there is nothing to convert in it

        A.method (file.py, line 16)
          17  for x in xs                      stays Python: it contains `yield`

        <lambda> (file.py, line 20)
          20  x or 1                           staged if an operand is
        """)


def test_the_command_line_reports_on_one_function(tmp_path):
    assert reported(tmp_path, "--function", "first.inner").stdout == textwrap.dedent("""\
        first.inner (file.py, line 8)
           9  y or 1                           staged if an operand is
        """)
    wrong = reported(tmp_path, "--function", "frist")
    assert wrong.returncode == 2 and "did you mean first" in wrong.stderr
