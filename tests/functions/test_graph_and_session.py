"""Explicit graphs, and the sessions that run them."""

import logging
import threading

import numpy as np
import pytest

import autograph
import runtime as rt


def huber(a, delta=1.0):
    if np.abs(a) <= delta:
        loss = a * a / 2
    else:
        loss = delta * (np.abs(a) - delta / 2)
    return loss


def test_the_huber_loss_of_a_constant_and_of_a_placeholder():
    with rt.Graph().as_default():
        of_constant = autograph.to_graph(huber)(rt.constant(9.0))
        x = rt.placeholder(np.float64, name="x")
        of_placeholder = autograph.to_graph(huber)(x)
        with rt.Session() as session:
            assert session.run(of_constant) == 8.5
            assert session.run(of_placeholder, {x: 9.0}) == 8.5
            assert session.run(of_placeholder, feed_dict={x: 0.5}) == 0.125


def test_fetches_keep_their_structure():
    with rt.Graph().as_default():
        x = rt.placeholder(np.int64, name="x")
        fetches = {"double": 2 * x, "both": [x + 1, (x + 2,)]}
    assert rt.Session().run(fetches, {x: 5}) == {"double": 10, "both": [6, (7,)]}


def test_only_fetched_values_are_computed_but_every_effect_happens(capsys):
    with rt.Graph().as_default():
        x = rt.placeholder(np.float64, shape=(3,), name="x")
        np.take(x, 7)  # out of range, but unused
        total = np.sum(x)
        autograph.to_graph(lambda value: print("total", value))(total)
        first = x[0]
    assert rt.Session().run(first, {x: np.array([1.0, 2.0, 3.0])}) == 1.0
    assert capsys.readouterr().out == "total 6.0\n"


def test_a_placeholder_may_leave_sizes_open():
    with rt.Graph().as_default():
        x = rt.placeholder(np.float64, shape=(None, 2), name="x")
        total = np.sum(x, axis=0)
    with rt.Session() as session:
        assert session.run(total, {x: np.ones((3, 2))}).tolist() == [3.0, 3.0]
        assert session.run(total, {x: np.ones((5, 2))}).tolist() == [5.0, 5.0]


@pytest.mark.parametrize(
    ("feed", "error", "words"),
    [
        ({}, ValueError, "the placeholder x is needed"),
        ({"x": 1.0}, ValueError, "'x' is a name, and the session has no graph"),
        (
            {"wrong shape": np.ones(3)},
            TypeError,
            r"the placeholder x is f64\[2\], and is fed an array of shape \(3,\)",
        ),
        ({"wrong dtype": np.ones(2, complex)}, TypeError, "the placeholder x is"),
    ],
)
def test_the_error_about_a_wrong_feed_names_the_placeholder(feed, error, words):
    with rt.Graph().as_default():
        x = rt.placeholder(np.float64, shape=(2,), name="x")
        total = np.sum(x)
    feed = {x if key.startswith("wrong") else key: value for key, value in feed.items()}
    with pytest.raises(error, match=words):
        rt.Session().run(total, feed)


def test_only_staged_values_can_be_fetched():
    with rt.Graph().as_default():
        with pytest.raises(TypeError, match="3 is fetched, which is not a staged value"):
            rt.Session().run([3])


def test_name_scopes_nest_and_appear_in_the_printed_graph():
    with rt.Graph().as_default() as graph:
        x = rt.placeholder(np.float64, name="x")
        with rt.name_scope("outer"), rt.name_scope("inner"):
            x + 1
        x + 2
    lines = str(graph).splitlines()
    assert lines[1].endswith(" outer/inner") and "outer" not in lines[2]


def test_a_placeholder_needs_a_graph():
    with pytest.raises(rt.StagingError, match="rt.placeholder needs a graph"):
        rt.placeholder(np.float64)


def test_a_constant_outside_of_graphs_is_an_array():
    assert rt.constant([1, 2], dtype=np.float32).tolist() == [1.0, 2.0]
    assert isinstance(rt.constant(27), np.integer)


# -- names -----------------------------------------------------------------------------------------


def built():
    graph = rt.Graph("model")
    with graph.as_default():
        x = rt.placeholder(np.float64, (None,), name="x")
        total = np.sum(x)
        loss = total * 2
    return graph, x, total, loss


def test_values_are_fetched_and_fed_by_their_names_in_the_printed_graph():
    graph, x, total, _ = built()
    session = rt.Session(graph=graph)
    assert session.run("loss", {"x": [1.0, 2.0]}) == 6.0
    assert session.run({"both": ["total", total]}, {x: np.ones(3)}) == {"both": [3.0, 3.0]}
    assert rt.Session(graph).run([]) == []


def test_an_unknown_name_is_answered_with_the_nearest_one():
    session = rt.Session(graph=built()[0])
    with pytest.raises(ValueError, match="Its values are x, total, loss.\nDid you mean 'total'?"):
        session.run("totl", {"x": [1.0]})
    with pytest.raises(ValueError, match="Did you mean 'x'|print.graph."):
        session.run("total", {"z": [1.0]})
    with pytest.raises(TypeError, match="'total' is fed, which is not a placeholder"):
        session.run("loss", {"total": 1.0})
    with pytest.raises(ValueError, match=r"Write rt.Session\(graph=graph\)"):
        rt.Session().run("total")
    with pytest.raises(TypeError, match="the graph of a Session is 3"):
        rt.Session(graph=3)


# -- fed values ------------------------------------------------------------------------------------


@pytest.mark.parametrize("fed", list("?bhilfdD"))
@pytest.mark.parametrize("declared", list("?bhilfdD"))
def test_fed_arrays_are_cast_where_the_rule_same_kind_allows_it(declared, fed):
    with rt.Graph().as_default():
        x = rt.placeholder(np.dtype(declared), (2,), name="x")
        same = x.copy()
    given, session = np.ones(2, fed), rt.Session()
    if np.can_cast(fed, declared, "same_kind"):
        found = session.run(same, {x: given})
        assert found.dtype == np.dtype(declared) and found.tolist() == [1, 1]
    else:
        with pytest.raises(TypeError, match=f"and is fed {np.dtype(fed).name}"):
            session.run(same, {x: given})


def test_texts_are_not_fed():
    with rt.Graph().as_default():
        x = rt.placeholder(np.float64, name="x")
    with pytest.raises(TypeError, match="the placeholder x is f64, and is fed texts"):
        rt.Session().run(x, {x: "one"})


def test_a_graph_is_entered_by_as_default():
    with pytest.raises(TypeError, match="Write: with graph.as_default"):
        with rt.Graph():
            pass


# -- output of code that is not converted ----------------------------------------------------------


def test_print_in_an_explicit_graph_prints_when_the_graph_runs(capsys):
    before = print
    with rt.Graph().as_default() as graph:
        x = rt.placeholder(np.float64, name="x")
        print("x is", x, sep=" = ")
        print("now")
        assert capsys.readouterr().out == "now\n"
    assert print is before
    session = rt.Session(graph=graph)
    for value in (1.0, 2.0):
        session.run("x", {"x": value})
        assert capsys.readouterr().out == f"x is = {value}\n"


def test_logging_in_an_explicit_graph_logs_when_the_graph_runs(caplog):
    log = logging.getLogger("model")
    log.setLevel("INFO")
    with rt.Graph().as_default() as graph:
        x = rt.placeholder(np.float64, name="x")
        log.info("x is %.2f", x)
        log.debug("never %s", x)
        log.warning("now")
    assert [record.getMessage() for record in caplog.records] == ["now"]
    caplog.clear()
    rt.Session(graph=graph).run("x", {"x": 3.0})
    (record,) = caplog.records
    assert record.getMessage() == "x is 3.00"
    assert record.filename == "test_graph_and_session.py" and record.levelname == "INFO"


def test_prints_of_converted_branches_still_belong_to_their_branch(capsys):
    def checked(x):
        if x > 2:
            print("large", x)
        else:
            print("small")
        return x

    with rt.Graph().as_default() as graph:
        x = rt.placeholder(np.float64, name="x")
        autograph.to_graph(checked)(x)
    session = rt.Session(graph=graph)
    session.run("x", {"x": 3.0}), session.run("x", {"x": 1.0})
    assert capsys.readouterr().out == "large 3.0\nsmall\n"


def test_other_threads_print_at_once_while_a_graph_is_built(capsys):
    with rt.Graph().as_default():
        x = rt.placeholder(np.float64, name="x")
        thread = threading.Thread(target=lambda: print("from a thread"))
        thread.start(), thread.join()
    assert capsys.readouterr().out == "from a thread\n"


def test_nested_graphs_restore_print():
    before = print
    with rt.Graph().as_default():
        with pytest.raises(KeyError):
            with rt.Graph().as_default():
                raise KeyError
        assert print is not before
    assert print is before


@pytest.mark.parametrize("convert", [float, int, bool, complex])
def test_a_number_of_a_value_in_a_graph_is_refused_and_names_the_session(convert):
    with rt.Graph().as_default():
        x = rt.placeholder(np.float64)
        with pytest.raises(rt.StagingError, match=r"Session\(graph=graph\).run\(value\)"):
            convert(x)
