"""`make bench` measures a table, and writes it as Markdown and as a picture."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from benchmarks import limits
from benchmarks import table as tables
from benchmarks.native import ARRAY_ROWS
from benchmarks.native import ROWS as LOOPS

import runtime as rt


def doubled(x):
    return x * 2.0


def wrong(x):
    return x * 3.0


def refusing(fn):
    raise NotImplementedError(fn.__name__)


CONTESTANTS = {
    "native": lambda fn: rt.function(fn, engine="numpy"),
    "wrong": lambda fn: wrong,
    "refusing": refusing,
    tables.PYTHON: lambda fn: fn,
}
ROWS = [("three elements", doubled, (np.arange(3.0),), 5)]


@pytest.fixture
def table():
    return tables.measured(ROWS, 2, CONTESTANTS, seconds=0.01)


def test_a_contestant_has_times_or_the_reason_why_not(table):
    (row,) = table["rows"]
    assert row["name"] == "three elements"
    times = row["times"]
    assert times["wrong"] == {"refused": "DifferentResult"}
    assert times["refusing"] == {"refused": "NotImplementedError"}
    for name in ("native", tables.PYTHON):
        assert 0 < times[name]["least"] <= times[name]["median"]
        assert times[name]["first_call"] > 0


def test_ratios_are_those_to_the_native_engine():
    times = {"native": {"least": 2.0}, "numba": {"least": 3.0}, "other": {"refused": "TypingError"}}
    assert tables.ratio_of(times, "numba") == 1.5
    assert tables.ratio_of(times, "native") is None
    assert tables.ratio_of(times, "other") is None
    one = {"versions": {"numpy": "2.0", "numba": None}, "rounds": 3, "rows": []}
    one["rows"].append({"name": "sum", "times": times})
    assert tables.markdown(one).splitlines() == [
        "Least times of 3 rounds; numpy 2.0.",
        "",
        "| a call | native | numba | other |",
        "|---|---|---|---|",
        "| sum | 2.00 s | 3.00 s (x1.50) | TypingError |",
    ]


def test_the_picture_is_svg(table, tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    tables.picture(table, str(tmp_path / "ratios.svg"))
    assert ElementTree.parse(tmp_path / "ratios.svg").getroot().tag.endswith("svg")


@pytest.fixture
def library():
    found = limits.compiled()
    if found is None:
        pytest.skip(f"{limits.COMPILER} is not installed")
    return found


QUICK = [row for row in (*LOOPS, *ARRAY_ROWS) if row[1].__name__ in limits.RESULTS]
QUICK = [row for row in QUICK if "200 x 200" not in row[0] and "1,000 letters" not in row[0]]


@pytest.mark.slow
@pytest.mark.parametrize("row", QUICK, ids=lambda row: row[0])
def test_rows_in_c_have_the_results_of_the_functions(library, row):
    _, fn, arguments, _ = row
    fn = fn if fn.__name__ != "collatz_sum" else rt.function(fn, engine="native")
    limit = limits.Limit(library, row[1])
    np.testing.assert_allclose(limit(*arguments), fn(*arguments), rtol=1e-3, atol=1e-3)
    assert 0 < limit.seconds(arguments, 2) < 10


def test_a_function_without_a_row_in_c_is_refused(library):
    with pytest.raises(NotImplementedError, match="doubled"):
        limits.Limit(library, doubled)


def test_the_table_says_which_compiler_is_missing(monkeypatch):
    monkeypatch.setattr(tables, "compiled", lambda: None)
    assert "gcc is not installed: with it, there is a column for C" in tables.missing()
    assert tables.IN_C not in tables.makers()
