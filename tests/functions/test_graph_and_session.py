"""Explicit graphs, and the sessions that run them."""

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
        ({"x": 1.0}, TypeError, "'x' is fed, which is not a placeholder"),
        ({"wrong shape": np.ones(3)}, TypeError, r"the placeholder x is f64\[2\], not f64\[3\]"),
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
