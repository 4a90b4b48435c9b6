"""Profiles of runs: by line, by operation, and as a trace for viewers."""

import json
import threading
from pathlib import Path

import numpy as np
import pytest

import runtime as rt


@rt.function
def walk(q, n):
    i = np.int64(0)
    while i < n:
        if i % 2 == 0:
            q = q @ q
        else:
            q = halved(q)
        i += 1
    return q


@rt.function
def halved(x):
    return x / 2 + 1


@rt.function
def fails(x, i):
    while i < 10:
        i = i + 1
        if i == 3:
            x[i]
        print(i)
    return x * x[i * 5]


Q = np.eye(3)


def lines(profile):
    text = Path(__file__).read_text().splitlines()
    assert all(line.filename == __file__ for line in profile.by_line())
    return {text[line.lineno - 1].strip(): total.calls for line, total in profile.by_line().items()}


def test_each_line_and_operation_is_counted_also_in_called_functions():
    with rt.profile() as profile:
        result = walk(Q, np.int64(5))
    assert np.array_equal(result, walk(Q, np.int64(5)))
    assert lines(profile) == {
        "while i < n:": 5,
        "if i % 2 == 0:": 5,
        "q = q @ q": 3,
        "i += 1": 5,
        "return x / 2 + 1": 2,
    }
    counted = {name: total.calls for name, total in profile.by_op().items()}
    assert counted == {
        "matmul f64[3, 3], f64[3, 3]": 3,
        "divide f64[3, 3], int": 2,
        "add f64[3, 3], int": 2,
        "add i64, int": 5,
        "remainder i64, int": 5,
        "equal i64, int": 5,
        "less i64, i64": 6,
        "if": 5,
        "loop": 1,
    }


def test_the_times_of_lines_and_of_operations_add_up_to_less_than_the_whole():
    with rt.profile() as profile:
        walk(np.eye(200), np.int64(5))
    whole = profile.seconds * 1e9
    by_line = sum(total.own for total in profile.by_line().values())
    by_op = sum(total.own for total in profile.by_op().values())
    assert 0 < by_line == by_op <= whole
    assert all(0 <= total.own <= total.nanoseconds for total in profile.by_op().values())


def test_a_profile_has_the_times_of_each_node_of_the_optimised_graph():
    n = np.int64(5)
    with rt.profile() as profile:
        walk(Q, n)
        walk(Q, n)
    by_node = profile.by_node()
    lines = [line.strip() for line in str(walk.get_concrete_function(Q, n).optimized).splitlines()]
    timed = [line for line in lines if " = " in line and " = constant(" not in line]
    assert list(by_node) == [("walk", line) for line in timed]
    calls = {line.split(" = ")[1].split("(")[0]: by_node["walk", line].calls for line in timed}
    assert calls["loop"] == 2 and calls["cond"] == calls["remainder"] == 10
    own = sum(total.own for total in by_node.values())
    assert own == sum(total.own for total in profile.by_op().values())


@rt.function
def least(x):
    best = None
    for value in x:
        if best is None or value < best:
            best = value
    return best


def test_nodes_of_values_that_may_be_none_have_their_times():
    x = np.array([3.0, 1.0, 2.0])
    with rt.profile() as profile:
        assert least(x) == 1.0
    calls = {
        line.split("(")[0].split()[-1]: one.calls for (_, line), one in profile.by_node().items()
    }
    assert calls["loop"] == 1 and calls["getitem"] == 3


def test_a_profile_prints_the_users_lines_with_calls_times_and_shares():
    with rt.profile() as profile:
        for n in (3, 4):
            walk(Q, np.int64(n))
        halved(Q)
    shown = str(profile).splitlines()
    assert shown[0].startswith("3 runs of walk, halved: ")
    assert shown[2].split() == ["line", "calls", "time", "share"]
    assert shown[3] == __file__
    (row,) = [row for row in shown if "q = q @ q" in row]
    assert row.split()[1:6] == ["q", "=", "q", "@", "q"] and row.split()[6] == "4"
    assert row.endswith(" %")
    assert "operation" in str(profile) and "matmul f64[3, 3], f64[3, 3]" in str(profile)


def test_an_empty_profile_says_that_nothing_ran():
    with rt.profile() as profile:
        pass
    assert str(profile) == "no graph has run" and profile.seconds == 0


def trace_of(profile, tmp_path):
    profile.save(tmp_path / "trace.json")
    return json.loads((tmp_path / "trace.json").read_text())


def test_a_trace_has_complete_events_in_the_format_of_viewers(tmp_path):
    with rt.profile() as profile:
        walk(Q, np.int64(2))
        halved(Q)
    content = trace_of(profile, tmp_path)
    events = content["traceEvents"]
    assert content["otherData"] == {"missing": 0}
    for event in events:
        assert event["ph"] == "X" and event["tid"] >= 1 and event["pid"] >= 1
        assert event["ts"] >= 0 and event["dur"] >= 0
    assert [event["name"] for event in events] == [
        *["walk", "less", "loop"],
        *["iteration", "remainder", "equal", "if", "then", "matmul", "add", "less"],
        *["iteration", "remainder", "equal", "if", "else", "divide", "add", "add", "less"],
        *["halved", "divide", "add"],
    ]
    (matmul,) = [event for event in events if event["name"] == "matmul"]
    assert matmul["args"]["source"] == "q = q @ q"
    assert matmul["args"]["line"].startswith(f"{__file__}:")
    assert matmul["args"]["operands"] == ["f64[3, 3]", "f64[3, 3]"]


def test_the_events_of_a_trace_are_nested(tmp_path):
    with rt.profile() as profile:
        walk(Q, np.int64(4))
    open_until = []
    for event in trace_of(profile, tmp_path)["traceEvents"]:
        start, end = event["ts"], event["ts"] + event["dur"]
        while open_until and open_until[-1][0] <= start + 1e-6:
            open_until.pop()
        depth = {"walk": 0, "loop": 1, "iteration": 2, "if": 3, "then": 4, "else": 4, "matmul": 5}
        if event["name"] in depth:
            assert len(open_until) == depth[event["name"]]
        assert all(end <= until + 1e-3 for until, _ in open_until)
        open_until.append((end, event["name"]))


def test_a_run_that_raises_is_profiled_up_to_the_exception(tmp_path, capsys):
    with rt.profile() as profile:
        with pytest.raises(IndexError):
            fails(np.ones(4), np.int64(0))
        halved(Q)
    assert [run.failed for run in profile.runs] == [True, False]
    assert "2 runs of fails, halved, 1 of them with an exception" in str(profile)
    assert lines(profile)["print(i)"] == 10
    assert lines(profile)["return x * x[i * 5]"] == 1
    names = [event["name"] for event in trace_of(profile, tmp_path)["traceEvents"]]
    assert names[0] == "fails" and names.count("print") == 10 and names[-1] == "add"


def test_after_the_block_functions_run_their_plain_program_again():
    fn = rt.function(lambda x: x * 2)
    before = fn.get_concrete_function(np.float64(1.0)).source
    with rt.profile() as profile:
        fn(np.float64(1.0))
    fn(np.float64(1.0))
    assert len(profile.runs) == 1
    assert fn.get_concrete_function(np.float64(1.0)).source == before and "enter" not in before


def test_the_inner_one_of_two_profiles_records_the_run():
    with rt.profile() as outer:
        halved(Q)
        with rt.profile() as inner:
            halved(Q)
        halved(Q)
    assert (len(outer.runs), len(inner.runs)) == (2, 1)


def test_other_threads_are_not_profiled():
    with rt.profile() as profile:
        thread = threading.Thread(target=lambda: halved(Q))
        thread.start()
        thread.join()
    assert profile.runs == []


def test_results_effects_and_types_are_those_of_the_plain_program(capsys):
    @rt.function
    def mixed(x, n):
        found, i = [], 0
        while i < n:
            x[0] = i
            found.append(x.sum())
            print("turn", i)
            i = i + 1
        return x, found[-1], i

    results = []
    for changes in ({}, {"profile": rt.Profile()}):
        with rt.config.temporarily(**changes):
            x = np.ones(3)
            results.append((*mixed(x, np.int64(3)), x.tolist(), capsys.readouterr().out))
    plain, profiled = results
    assert np.array_equal(plain[0], profiled[0]) and plain[1:] == profiled[1:]
    assert list(map(type, plain)) == list(map(type, profiled))


def test_a_profile_of_checked_runs_times_operations_and_still_checks():
    with rt.config.temporarily(check_numerics=True), rt.profile() as profile:
        halved(Q)
        with pytest.raises(FloatingPointError), np.errstate(all="ignore"):
            rt.function(lambda x: 1 / x)(np.zeros(2))
    assert [run.failed for run in profile.runs] == [False, True]
    assert profile.by_op()["divide int, f64[2]"].calls == 1


def test_a_truncated_trace_says_how_much_is_missing(monkeypatch, tmp_path):
    monkeypatch.setattr("runtime.observability.profiles.MOST_EVENTS", 5)
    with rt.profile() as profile:
        walk(Q, np.int64(2))
        halved(Q)
    content = trace_of(profile, tmp_path)
    assert len(content["traceEvents"]) == 2 + 5
    assert content["otherData"] == {"missing": 21 - 5}
    assert profile.by_op()["loop"].calls == 1
