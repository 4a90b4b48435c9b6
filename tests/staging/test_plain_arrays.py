"""Arrays of texts, objects and dates are NumPy's own while a graph is recorded."""
# ruff: noqa: C408, C416, PLR0124

import numpy as np
import pytest
from outcomes import check_same, outcome, same_exactly
from while_recording import outcome_while_recording

import runtime as rt

PROGRAMS = []


def plain(function):
    PROGRAMS.append(function)
    return function


@plain
def texts():
    a = np.array([w for w in ["b", "a"]])
    return a.tolist(), str(a.dtype), (a == "a").tolist()


@plain
def objects():
    a = np.array([w.upper() for w in ["b", "a"] if w], dtype=object)
    return list(a), a.dtype == object, a[0]


@plain
def compared_texts():
    a = np.array(["b", "a"])
    b = np.array([x for x in "ba"])
    return bool((a == b).all()), sorted(a), np.sort(a).tolist()


@plain
def nested_texts():
    rows = [[str(i) for i in range(2)] for j in range(2)]
    return (
        np.array(rows).shape,
        np.array(rows).tolist(),
        rows == rows,
        rows == [["0", "1"], ["0", "1"]],
    )


@plain
def mixed():
    a = np.array([[1, "x"], [None, 3]], dtype=object)
    return a.tolist(), a[0, 1], a.shape


@plain
def dicts():
    a = np.array([{"k": 1}, {"k": 2}])
    return a.dtype == object, a[0]["k"], len(a)


@plain
def byte_strings():
    a = np.array([b"x", b"yz"])
    return a.tolist(), a.dtype.itemsize


@plain
def dates():
    a = np.array(["2020-01-01"], dtype="datetime64[D]")
    return str(a[0]), (a + 1).tolist()


@plain
def searched_texts():
    a = np.array([w for w in "abc"])
    return [str(x) for x in a if x != "b"], "a" in a, np.where(a == "b")[0].tolist()


@plain
def upper():
    return np.char.upper(np.array([w for w in ["x"]])).tolist()


@plain
def unique():
    a = np.array([w for w in "abca"])
    return np.unique(a).tolist()


@plain
def empty_objects():
    a = np.empty(3, dtype=object)
    a[1] = "x"
    return a.tolist()


@plain
def kept_lists():
    xs = [1, 2]
    a = np.array([xs, [3]], dtype=object)
    return a[0] is xs, a.tolist()


@plain
def enumerated():
    d = {w: i for i, w in enumerate(np.array(["a", "b"]))}
    return list(d.values()), [str(k) for k in d]


@plain
def converted():
    a = np.asarray([w for w in "ab"])
    return a.astype("U3").tolist(), np.concatenate([a, a]).tolist(), a.reshape(2, 1).tolist()


@plain
def filled():
    a = np.full(2, "x")
    b = np.array(["x", "y"])
    return a.tolist(), (a == b).tolist(), a.tolist() == ["x", "x"]


@plain
def records():
    a = np.array([(1, "a"), (2, "b")], dtype=[("n", int), ("s", "U1")])
    return a["s"].tolist(), a["n"].tolist(), a[0]["n"].item()


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_an_array_that_no_graph_can_hold_is_made_by_numpy(function):
    check_same(outcome_while_recording(function, ()), outcome(function, ()), same_exactly)


def test_an_array_of_objects_refuses_staged_elements():
    def f(x):
        return np.array([x, "a"], dtype=object)

    with pytest.raises(TypeError):
        rt.function(f)(np.float64(1.0))


def test_texts_and_numbers_side_by_side():
    @rt.function
    def f(x):
        names = np.array([name for name in ("a", "b")])
        return [x * i for i, name in enumerate(names) if name == "b"], np.array([x, 2.0]) + x

    doubled, pair = f(np.float64(3.0))
    assert doubled == [3.0] and pair.tolist() == [6.0, 5.0]
