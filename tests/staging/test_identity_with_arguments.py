"""A result that is one of the caller's objects in Python is that object in a run, or refused.

Every construct that chooses between two arguments is tried with every kind of pair of arguments.
"""

import warnings

import numpy as np
import pytest

import runtime as rt

pytestmark = pytest.mark.filterwarnings("ignore")


class Box:
    """An object with an attribute."""

    def __init__(self, held):
        self.held = held


# -- pairs of arguments ----------------------------------------------------------------------------

KINDS = {
    "equal lists": lambda: ([1, 2], [1, 2]),
    "lists of two lengths": lambda: ([1, 2], [3, 4, 5]),
    "empty lists": lambda: ([], []),
    "lists of arrays": lambda: ([np.ones(2)], [np.zeros(2)]),
    "lists of lists": lambda: ([[1], [2]], [[1], [2]]),
    "lists of texts": lambda: (["a"], ["b"]),
    "dicts": lambda: ({"a": 1}, {"a": 1}),
    "dicts of arrays": lambda: ({"a": np.ones(2)}, {"a": np.zeros(2)}),
    "arrays": lambda: (np.ones(2), np.ones(2)),
    "arrays of two sizes": lambda: (np.ones(2), np.ones(3)),
    "objects": lambda: (Box(1), Box(1)),
    "objects with arrays": lambda: (Box(np.ones(2)), Box(np.zeros(2))),
    "functions": lambda: (len, abs),
}

# -- constructs ------------------------------------------------------------------------------------


def expression(a, b, p):
    return a if p > 0 else b


def statement(a, b, p):
    if p > 0:
        r = a
    else:
        r = b
    return r


def early_return(a, b, p):
    if p > 0:
        return a
    return b


def in_a_tuple(a, b, p):
    return (a if p > 0 else b, 1)


def in_a_list(a, b, p):
    return [a if p > 0 else b]


def in_a_dict(a, b, p):
    return {"k": a if p > 0 else b}


def in_an_attribute(a, b, p):
    made = Box(None)
    made.held = a if p > 0 else b
    return made


def beside_the_argument(a, b, p):
    r = a if p > 0 else b
    return r, a, b


def two_variables(a, b, p):
    if p > 0:
        x, y = a, b
    else:
        x, y = b, a
    return x, y


def same_on_both_paths(a, b, p):
    if p > 0:
        x = a
    else:
        x = a
    return x


def nested(a, b, p):
    if p > 0:
        if p > 1:
            return a
        return b
    return a


def nested_variables(a, b, p):
    r = b
    if p > 0:
        r = a
        if p > 1:
            r = b
    return r


def with_a_new_one(a, b, p):
    r = a
    if p > 0:
        r = [b, b]
        if p > 1:
            r = b
    return r


def by_a_match(a, b, p):
    match p:
        case 1:
            return a
        case _:
            return b


def by_a_helper(a, b, p):
    def pick(x, y, q):
        if q > 0:
            return x
        return y

    return pick(a, b, p)


def by_a_dict(a, b, p):
    return {True: a, False: b}[bool(p > 0)]


def by_an_index(a, b, p):
    return [b, a][int(p > 0)]


def in_a_comprehension(a, b, p):
    return [a if p > i else b for i in range(2)]


def none_or_one(a, b, p):
    r = None
    if p > 0:
        r = a
    return r


def after_a_for(a, b, p):
    r = a
    for _ in range(p):
        r = b
    return r


def after_a_while(a, b, p):
    r, n = a, p
    while n > 0:
        r = b
        n = n - 1
    return r


def swapped(a, b, p):
    for _ in range(p):
        a, b = b, a
    return a


def swapped_and_returned(a, b, p):
    for _ in range(p):
        a, b = b, a
    return a, b


def in_an_element(a, b, p):
    held = [a]
    if p > 0:
        held[0] = b
    return held


def appended(a, b, p):
    held = [a]
    if p > 0:
        held.append(b)
    return held[-1]


CONSTRUCTS = [one for one in vars().values() if getattr(one, "__module__", "") == __name__]
CONSTRUCTS = [one for one in CONSTRUCTS if one is not Box and one.__code__.co_argcount == 3]
# Those in which only a run knows which object it is, and graphs have no number for it.
REFUSED = {
    by_an_index,
    in_an_element,
    appended,
    swapped,
    swapped_and_returned,
    with_a_new_one,
    by_a_dict,
}


def identities(result, known):
    """A result with the names of the known objects in it."""
    for name, one in known.items():
        if result is one:
            return name
    if isinstance(result, (list, tuple)):
        return [type(result), *(identities(one, known) for one in result)]
    if isinstance(result, dict):
        return [dict, *((key, identities(one, known)) for key, one in result.items())]
    if isinstance(result, Box):
        return [Box, identities(result.held, known)]
    return type(result), np.asarray(result).tolist() if result is not None else None


def named_parts(one, other):
    """The two arguments, and the arrays and containers in them, by name."""
    found = {"one": one, "other": other}
    for name, value in list(found.items()):
        parts = value.values() if isinstance(value, dict) else value
        parts = [value.held] if isinstance(value, Box) else parts
        for i, part in enumerate(parts if isinstance(value, (dict, list, Box)) else ()):
            if isinstance(part, (np.ndarray, list)):
                found[f"{name}[{i}]"] = part
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "kind, engine",
    [*((kind, "numpy") for kind in KINDS), ("equal lists", "native"), ("dicts", "native")],
)
@pytest.mark.parametrize("construct", CONSTRUCTS, ids=lambda one: one.__name__)
def test_a_result_is_the_callers_object(construct, kind, engine):
    traced = rt.function(construct, engine=engine)
    for p in map(np.int64, (1, 0, 2, 1)):
        plain, given = KINDS[kind](), KINDS[kind]()
        wanted = identities(construct(*plain, p), named_parts(*plain))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = traced(*given, p)
        except rt.StagingError:
            assert construct in REFUSED
            return
        assert identities(result, named_parts(*given)) == wanted


def compared(a, b, p):
    r = a if p > 0 else b
    return r is a, r is b, r is r, a is b


def compared_after_a_loop(a, b, p):
    r = a
    for _ in range(p):
        r = [1]
    return r is a, r is b


def compared_after_two_branches(a, b, p):
    r = a
    if p > 0:
        r = [3]
        if p > 1:
            r = b
    if r is a:
        return 1.0
    return 2.0 if r is b else 3.0


COMPARING = [compared, compared_after_a_loop, compared_after_two_branches]


@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("function", COMPARING, ids=lambda one: one.__name__)
def test_a_chosen_list_is_compared_with_the_callers(function, engine):
    traced = rt.function(function, engine=engine)
    for p in map(np.int64, (1, 0, 2, 1)):
        one, other = [1], [1]
        assert traced(one, other, p) == function(one, other, p)


# -- rows of a table -------------------------------------------------------------------------------

TABLE = [[1, 2], [3], [], [4, 5, 6]]


@pytest.mark.parametrize("engine", ["numpy", "native"])
def test_a_row_of_a_table_is_the_callers(engine):
    row = rt.function(lambda k: TABLE[k], engine=engine)
    assert all(row(np.int64(k)) is TABLE[k] for k in (0, 3, 2, -1))
    for k in (4, -5):
        with pytest.raises(IndexError, match="list index out of range"):
            row(np.int64(k))


@pytest.mark.parametrize("engine", ["numpy", "native"])
def test_rows_of_an_argument_are_its_own(engine):
    def stored(rows, ks):
        return {"first": rows[ks[0]], "all": [rows[k] for k in ks]}

    rows = [[1.0], [2.0, 3.0]]
    found = rt.function(stored, engine=engine)(rows, np.array([1, 0, 1]))
    assert found["first"] is rows[1]
    assert [one is rows[k] for one, k in zip(found["all"], (1, 0, 1), strict=True)] == [True] * 3
