"""Results and exceptions of saved programs: keys of a run, named tuples and errors of NumPy."""

import json
from collections import Counter, OrderedDict, defaultdict

import numpy as np
import pytest

import runtime as rt
from runtime.errors import LoadError, SaveError
from runtime.saved.members import MANIFEST, as_bytes, members_of, sealed

X = np.array([3.0, 1.0, 3.0, 2.0])


def through_a_file(function, *arguments):
    staged = rt.function(function)
    try:
        staged(*arguments)
    except Exception:
        pass  # its graph raises it, too
    return rt.saved.from_bytes(rt.saved.as_bytes(staged), allow=["numpy.linalg.*"])


def counts(x):
    found = {}
    for value in x:
        found[value] = found.get(value, 0) + 1
    return found


def of_each_kind(x):
    counter, elements, lists, ordered = Counter(), set(), defaultdict(list), OrderedDict()
    for value in x:
        counter[value] += 1
        elements.add(value)
        lists[value].append(value)
        ordered[value] = value
    return counter, elements, lists, ordered


def records(x):
    rows = []
    for value in x:
        if value > 1:
            rows.append({"value": value, 3: (value, 2)})
    return rows, {"again": rows}


def nested_records(x):
    rows = []
    for value in x:
        rows.append({"inner": {"value": value}, "pair": (value, 1)})
    return rows


@pytest.mark.parametrize("function", [counts, of_each_kind, records, nested_records])
def test_dicts_and_sets_with_the_keys_of_a_run_are_returned(function):
    loaded = through_a_file(function, X)
    for x in (X, X[::-1].copy(), np.ones(4)):
        found, wanted = loaded(x), function(x)
        assert found == wanted and repr(found) == repr(wanted)


@pytest.mark.parametrize(
    "function",
    [np.linalg.eig, np.linalg.eigh, np.linalg.qr, np.linalg.svd, np.linalg.slogdet,
     np.unique_counts, np.unique_inverse],
    ids=lambda function: function.__name__,
)  # fmt: skip
def test_named_tuples_of_numpy_are_returned(function):
    matrix = np.array([[2.0, 1.0], [1.0, 3.0]])
    found = through_a_file(lambda x: function(x), matrix)(matrix)
    wanted = function(matrix)
    assert type(found) is type(wanted)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "change",
    [
        lambda formed: formed.__setitem__(1, "list[(i64, (f64, int))]"),
        lambda formed: formed.__setitem__(1, "f64"),
        lambda formed: formed.__setitem__(2, ["leaf"]),
        lambda formed: formed[2][1].__setitem__(1, [["str", "a"], ["str", "a"]]),
        lambda formed: formed[2][1].__setitem__(1, [["str", "a"], ["list"]]),
        lambda formed: formed[2][1].__setitem__(1, [["str", "a"]]),
        lambda formed: formed[2][1][2].pop(),
    ],
)
def test_elements_of_other_types_than_the_graph_has_are_refused(change):
    staged = rt.function(nested_records)
    staged(X)
    files = members_of(rt.saved.as_bytes(staged), rt.saved.Limits())
    program = json.loads(files.pop(MANIFEST))["program"]
    record = program["functions"]["nested_records"]["graphs"][0]
    (formed,) = record["result"][3]
    assert formed[0] == "formed"
    change(formed)
    with pytest.raises(LoadError):
        rt.saved.from_bytes(as_bytes(sealed(program, files)))


def added(x, n):
    total = np.zeros(4, int)
    if n > 1:
        total += x
    return total


def by_ufunc(x, n):
    total = np.arange(4)
    if n > 1:
        np.multiply(total, x, out=total)
    return total


def listed(x, n):
    if n > 1:
        raise ValueError(["too", ["large"]], "twice")
    return x


@pytest.mark.parametrize("function", [added, by_ufunc, listed])
def test_exceptions_of_numpy_and_with_lists_are_raised(function):
    loaded = through_a_file(function, X, np.int64(0))
    np.testing.assert_array_equal(loaded(X, np.int64(0)), function(X, np.int64(0)))
    with pytest.raises(Exception) as wanted:
        function(X, np.int64(2))
    with pytest.raises(Exception) as found:
        loaded(X, np.int64(2))
    assert found.type is wanted.type
    assert str(found.value) == str(wanted.value)
    assert vars(found.value) == vars(wanted.value)


class Level:
    def __repr__(self):
        return "a level"


def with_an_object(x):
    if x > 1:
        raise KeyError(LEVEL)
    return x


LEVEL = Level()


def test_an_object_of_the_user_in_an_exception_is_refused_by_its_class():
    staged = rt.function(with_an_object)
    staged(np.float64(0.0))
    with pytest.raises(SaveError, match="it needs a Level"):
        rt.saved.as_bytes(staged)


@pytest.mark.parametrize(
    "kind, parts",
    [
        ("dict", 1), ("dict", 3), ("set", 2), ("list", 1), ("tuple", 2), ("EigResult", 2),
        ("deque", 1), ("SimpleNamespace", 2),
    ],
)  # fmt: skip
def test_keys_of_a_run_are_refused_for_other_containers(kind, parts):
    staged = rt.function(counts)
    staged(X)
    files = members_of(rt.saved.as_bytes(staged), rt.saved.Limits())
    program = json.loads(files.pop(MANIFEST))["program"]
    record = program["functions"]["counts"]["graphs"][0]
    assert record["result"][:3] == ["container", "dict", "pairs"]
    record["result"] = ["container", kind, "pairs", [["output", False]] * parts, None, None]
    with pytest.raises(LoadError, match="other keys than parts"):
        rt.saved.from_bytes(as_bytes(sealed(program, files)))
