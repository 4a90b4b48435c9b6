"""Host calls: `rt.host_call`, `rt.pure`, `rt.effect`, objects that only a run has, refusals."""

import contextlib
import io
import logging
import os
import queue
import warnings

import numpy as np
import pytest

import autograph
import runtime as rt

ONE, TWO = np.float64(1.0), np.float64(2.0)


def told_by(*values):
    """A function that keeps its arguments."""
    told = queue.Queue()
    return told.put, lambda: list(told.queue)


def test_a_host_call_happens_in_each_run_in_order():
    tell, told = told_by()

    @rt.function
    def f(x):
        rt.host_call(tell, x)
        for i in range(x):
            rt.host_call(tell, i)
        rt.host_call(tell, "end")

    f(np.int64(2)), f(np.int64(0))
    assert told() == [2, 0, 1, "end", 0, "end"]
    assert [type(value).__name__ for value in told()[:2]] == ["int64", "int"]


@pytest.mark.parametrize(
    "like, kind",
    [(0.0, "float"), (0, "int"), (np.zeros(2), "f64[2]"), (str, "str"), (bool, "bool")],
)
def test_the_result_of_a_host_call_has_the_type_of_the_example(like, kind):
    answers = {"float": 1.5, "int": 2, "f64[2]": np.ones(2), "str": "a", "bool": True}
    f = rt.function(lambda x: rt.host_call(answers.get, kind, like=like))
    assert str(f.get_concrete_function(ONE).graph.outputs[0].type) == kind
    assert repr(f(ONE)) == repr(answers[kind])


def test_a_result_of_another_type_is_an_error_of_the_run():
    f = rt.function(lambda x: rt.host_call(str, x, like=0.0))
    with pytest.raises(TypeError, match="returned a value of type str, and not float as declared"):
        f(ONE)
    with pytest.raises(TypeError, match="is no example of a result"):
        rt.host_call(abs, 1, like=object())
    with pytest.raises(TypeError, match="takes a function, not int"):
        rt.host_call(3)


def test_without_a_graph_a_host_call_is_a_call():
    assert rt.host_call(abs, -3, like=0.0) == 3.0
    assert rt.host_call(dict, a=1) == {"a": 1}


def test_objects_of_a_run_can_be_used_like_any_object():
    class_of_runs = io.StringIO

    @rt.function
    def f(x):
        stream = rt.host_call(class_of_runs)
        stream.write(f"{x:.1f};")
        stream.write("b")
        text = stream.getvalue()
        found = text.split(";")
        number = float(found[0]) + len(found)
        return number * x, f"{text}!", "b" in str(text), found[1] == "b"

    assert f(ONE)[:2] == (3.0, "1.0;b!") and f(TWO)[:2] == (8.0, "2.0;b!")


def test_a_starred_target_for_an_object_of_a_run_is_refused():
    def f(x):
        if x > 1:
            first, *others = rt.host_call(list, "abc")
            print(first)
        return x

    with pytest.raises(rt.StagingError, match="is an object that only a run has"):
        rt.function(f)(ONE)


def test_a_host_value_is_bound_on_one_path():
    @rt.function
    def f(x):
        found = None
        if x > 1:
            found = rt.host_call(os.getcwd)
        return found

    assert f(ONE) is None and f(TWO) == os.getcwd()


def test_the_argument_of_a_host_call_is_the_callees_own():
    kept = []

    @rt.function
    def f(x):
        y = x * 2
        rt.host_call(kept.append, y)
        y = y + 3
        return y

    assert f(np.ones(2)).tolist() == [5.0, 5.0]
    assert kept[0].tolist() == [2.0, 2.0]


def test_a_gradient_through_a_host_call_is_refused():
    with pytest.raises(rt.StagingError, match="cannot be differentiated"):
        rt.grad(lambda x: rt.host_call(np.sum, x, like=0.0))(np.ones(2))
    with pytest.raises(rt.StagingError, match="cannot be differentiated"):
        rt.grad(lambda x: float(rt.host_call(np.sum, x)) * 2)(np.ones(2))


def test_a_batch_calls_once_for_each_element_or_is_refused():
    tell, told = told_by()

    def one(x):
        if x > 0:
            tell(float(x))
        return x * 2

    def two(x):
        tell(float(x))
        tell("again")
        return x

    assert rt.vmap(one)(np.array([1.0, -1.0, 3.0])).tolist() == [2.0, -2.0, 6.0]
    assert told() == [1.0, 3.0]
    with pytest.raises(rt.StagingError, match="besides other effects"):
        rt.vmap(lambda x: two(x) if x > 0 else x)(np.array([1.0, 2.0]))
    assert told() == [1.0, 3.0]


def in_branch(call):
    def f(x):
        y = 0.0
        if x > 1:
            y = call(x)
        return y

    return f


def test_an_unknown_function_whose_result_is_used_is_announced(monkeypatch):
    library = pytest.importorskip("iniconfig")
    function = library.IniConfig

    def f(x):
        y = 0
        if x > 1:
            y = len(function("name", "[a]\nb=1").sections)
        return y

    with pytest.warns(rt.TracingWarning, match=r"rt.pure\(.*\) if it has no effect, rt.effect"):
        assert rt.function(f)(TWO) == 1


def test_marks_decide_when_a_function_is_called():
    tell, told = told_by()

    @rt.effect
    def record(x):
        try:
            tell(float(x))
        except ValueError:
            tell("never")
        return 3

    f = rt.function(in_branch(lambda x: float(record(x))))
    assert f(ONE) == 0.0 and told() == []
    assert f(TWO) == 3.0 and told() == [2.0]


@pytest.mark.parametrize("leave", ["sys.exit('bye')", "exit(3)", "raise SystemExit(2)"])
def test_the_end_of_a_program_is_an_exception_of_the_run(leave):
    import sys

    names = {"sys": sys, "exit": __builtins__["exit"] if isinstance(__builtins__, dict) else exit}
    from tests.support.loading import load

    text = f"def f(x):\n    if x > 1:\n        {leave}\n    return x * 2\n"
    f = rt.function(load(text, f"<leaves {leave}>", **names).f)
    assert f(ONE) == 2.0
    with pytest.raises(SystemExit):
        f(TWO)


def test_a_refused_function_leaves_everything_as_it_was():
    items, table, seen, raw = [1], {"a": 1}, {3}, bytearray(b"ab")

    class Model:
        pass

    model = Model()
    model.calls = 0
    array = np.ones(2)

    @rt.function
    def f(x):
        items.append(2)
        table["b"] = 2
        seen.add(4)
        raw.append(99)
        model.calls = 1
        model.more = 2
        array[0] = 5.0
        return x.tolist()[0] if x.sum() > 0 else np.nditer(x)

    with pytest.raises(rt.StagingError):
        f(np.ones(2))
    assert (items, table, seen, raw) == ([1], {"a": 1}, {3}, b"ab")
    assert vars(model) == {"calls": 0} and array.tolist() == [1.0, 1.0]


def test_an_object_that_each_run_should_make_is_refused_with_a_remedy():
    @rt.function
    def f(x):
        with contextlib.ExitStack() as own:
            if x > 1:
                own.callback(print, x)
        return x

    with pytest.raises(rt.StagingError, match=r"rt.host_call\(ExitStack, ...\)"):
        f(ONE)


def test_records_and_warnings_name_the_users_function(caplog):
    log = logging.getLogger("host calls")

    @rt.function
    def f(x):
        if x > 1:
            log.warning("x is %s", x)
            warnings.warn(f"x is {x}", stacklevel=1)
        return x

    f(ONE)
    with caplog.at_level(logging.INFO), pytest.warns(UserWarning, match="x is 2.0") as caught:
        f(TWO)
    (record,) = caplog.records
    assert (record.pathname, record.funcName, record.getMessage()) == (__file__, "f", "x is 2.0")
    assert caught[0].filename == __file__ and caught[0].lineno == record.lineno + 1


def test_an_explanation_marks_effects():
    log = logging.getLogger("host calls")

    def f(x):
        os.remove("a")
        log.info("removed")
        return x

    lines = [str(finding) for finding in autograph.explain(f).findings]
    assert len(lines) == 2 and all(
        "an effect: happens while the graph is built" in x for x in lines
    )


def test_a_graph_with_host_calls_is_text_that_can_be_read():
    @rt.function
    def f(x):
        if x > 1:
            os.remove(f"{x}")
            rt.host_call(print, "a", x, sep="-")
        return x

    graph = f.get_concrete_function(ONE).graph
    assert "host_call(" in str(graph) and str(rt.parse(str(graph))) == str(graph)
