"""Arrays that graphs cannot hold (objects, texts, dates, records) are plain values while a graph is
recorded, and so is what NumPy computes from constants where Python needs it."""

import numpy as np
import pytest

import runtime as rt

X = np.arange(6.0)


def objects(x):
    o = np.empty((2, 2), dtype=object)
    for i in range(2):
        for j in range(2):
            o[i, j] = (i, j)
    return x * o[1, 1][0] + len(o[0, 1])


def ragged_rows(x):
    return x * sum(len(row) for row in np.array([[1, 2], [3]], dtype=object))


def records(x):
    s = np.zeros(2, dtype=[("a", "f8"), ("b", "i4")])
    s["a"] = 2
    s[1]["b"] = 3
    first, second = s[1]
    return x * s["a"][0] + s["b"].sum() + first * second


def record_array(x):
    r = np.rec.array([(1, 2.0), (3, 4.0)], dtype=[("a", int), ("b", float)])
    return x * r.b[1] + r.a.sum()


def dates(x):
    d = np.arange("2020-01", "2020-04", dtype="datetime64[M]")
    days = np.array(["2020-01-01", "2020-01-03"], dtype="datetime64[D]")
    return x[: len(d)] * (days[1] - days[0]).astype(int), str(d[2])


def texts(x):
    t = np.array(["b", "a", "b"])
    names, counts = np.unique(t, return_counts=True)
    places = {name: i for i, name in enumerate(names)}
    return x[:2] * counts, np.char.upper(t)[0], x[:3][t == "b"], places["b"], x[np.argsort(t)]


def chosen_texts(x):
    return np.array(["a", "bb"])[np.array([1, 0])][0], np.where(
        np.array(["a", "b"]) == "b", x[:2], 0
    )


def mapped_texts(x):
    return np.vectorize(len)(np.array(["a", "bb"])) * x[:2]


PLAIN = objects, ragged_rows, records, record_array, dates, texts, chosen_texts, mapped_texts

CONSTANTS = {
    "shape": lambda x: x.reshape(tuple(np.arange(2, 4))),
    "array as shape": lambda x: np.zeros(np.array([2, 3])) + x.reshape(2, 3),
    "sizes of sizes": lambda x: np.zeros(np.array(x.shape) + 1).shape,
    "key": lambda x: {1: 2.0, 3: 4.0}[int(np.arange(4)[3])] * x,
    "NumPy's number as key": lambda x: {1: 2.0, 3: 4.0}[np.array([1, 3]).max()] * x,
    "keys of a loop": lambda x: [{0: "a", 1: "b"}[k] for k in np.array([0, 1])],
    "set": lambda x: x * len(set(np.array([1, 1, 2]).tolist())),
    "member": lambda x: np.array([1, 2])[0] in {1, 2},
    "hash": lambda x: hash(np.array([1, 2])[0]),
    "bytes": lambda x: np.arange(3).tobytes(),
    "axis": lambda x: np.sum(x.reshape(2, 3), axis=tuple(np.arange(1))),
    "axes": lambda x: x.reshape(2, 3).transpose(np.argsort([1, 0])),
    "places": lambda x: np.split(x, np.array([2, 4])),
    "range": lambda x: [x[i] for i in range(*np.array([0, 3]))],
    "size": lambda x: np.zeros(np.cumsum([1, 2])[-1]),
    "truth": lambda x: x * (1 if np.all(np.arange(3) < 5) else 2),
    "text": lambda x: x * len(f"{np.arange(3).sum()}"),
}


@pytest.mark.parametrize("function", PLAIN)
def test_arrays_that_graphs_cannot_hold(function):
    staged = rt.function(function)
    for x in (X, X + 1):
        assert repr(staged(x)) == repr(function(x))
    with rt.config.temporarily(run_functions_eagerly=True):
        assert repr(rt.function(function)(X)) == repr(function(X))


@pytest.mark.parametrize("name", CONSTANTS)
def test_values_of_constants(name):
    staged = rt.function(CONSTANTS[name])
    for x in (X, X + 1):
        assert repr(staged(x)) == repr(CONSTANTS[name](x))


def test_sizes_of_constants_are_known_sizes():
    function = rt.function(lambda x: np.zeros(np.prod(np.array([2, 3]))) + x)
    assert str(function.get_concrete_function(X).graph.outputs[0].type) == "f64[6]"


def test_an_array_that_has_been_written_into_is_another_constant():
    def written(x, n):
        sizes = np.array([2, 3])
        sizes[0] = 6
        sizes[1] = 1
        found = x.reshape(tuple(sizes)).shape
        key = int(sizes[1]) * 6
        sizes[0] = n
        return found, {6: "six"}[key], sizes[0]

    assert rt.function(written)(X, np.int64(4)) == ((6, 1), "six", 4)


def test_an_array_with_a_number_of_a_run_is_no_constant():
    def key(x):
        places = np.array([0, 1])
        places[0] = x[1]
        return {0: 1, 1: 2}[places[0]]

    staged = rt.function(key)
    for x in (X, X - 1):
        assert staged(x) == key(x)


def staged_object(x):
    o = np.empty(2, dtype=object)
    o[0] = x
    return o


def staged_field(x):
    s = np.zeros(2, dtype=[("a", "f8"), ("b", "i4")])
    s["a"] = x[:2]
    return s


def staged_place(x):
    o = np.array(["a", "b"], dtype=object)
    return o[x[0].astype(int)]


def structured_view(x):
    return x.view([("a", "f8"), ("b", "f8")])


REFUSED = {
    staged_object: "a staged element is written into an array that is not staged",
    staged_field: "a staged element is written into an array that is not staged",
    staged_place: "cannot be converted to a Python number",
    structured_view: "arrays of records with the fields a, b cannot be staged",
}


@pytest.mark.parametrize("function", REFUSED)
def test_staged_values_are_refused_with_the_line(function):
    with pytest.raises(rt.errors.StagingError, match=REFUSED[function]) as found:
        rt.function(function)(X)
    assert f"in {function.__name__}" in str(found.value)
