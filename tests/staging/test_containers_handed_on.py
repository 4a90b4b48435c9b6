"""Lists and dicts with two names in staged branches and loops: exact, or refused.

A branch or loop binds a name to another list or dict, while other names hold the one from before.
"""

import copy
from collections import OrderedDict, defaultdict, namedtuple

import numpy as np
import pytest

import runtime as rt

P = namedtuple("P", "a b")


class Box:
    def __init__(self, **held):
        self.__dict__.update(held)


def changed_through_the_second_name(x, n, p):
    d = {"w": x}
    e = d
    for i in range(n):
        e["w"] = e["w"] + 1
    return d["w"], e["w"], d is e


def changed_after_the_loop(x, n, p):
    d = {"w": 1}
    e = d
    for i in range(n):
        e["w"] = e["w"] + 1
    d["w"] = d["w"] * 10
    return d["w"], e["w"]


def argument_with_a_second_name(x, n, p):
    e = p
    for i in range(n):
        e["w"] = e["w"] + 1
    return p["w"], e["w"]


def list_with_a_second_name(x, n, p):
    d = [x]
    e = d
    for i in range(n):
        e[0] = e[0] + 1
    d[0] = d[0] * 10
    return d[0], e[0]


def dicts_in_a_tuple(x, n, p):
    t = (p, {"w": x})
    u = t[1]
    for i in range(n):
        t[1]["w"] = t[1]["w"] + 1
        t[0]["w"] = 5
    return u["w"], p["w"], t


def dict_of_an_object(x, n, p):
    b = Box(d={"w": 1})
    d = b.d
    for i in range(n):
        d["w"] = d["w"] + 1
    return b.d["w"], d["w"]


def rebound_then_changed(x, n, p):
    b = Box(d={"w": 1})
    d = b.d
    for i in range(n):
        d = {"w": 7}
    d["w"] = 9
    return b.d["w"], d["w"]


def older_on_one_path(x, n, p):
    d = {"w": 1}
    if n > 0:
        e = d
    else:
        e = {"w": 2}
    e["w"] = 9
    return d["w"], e["w"]


def new_on_both_paths(x, n, p):
    if n > 0:
        e = {"w": 1}
        f = e
    else:
        e = {"w": 2}
        f = e
    e["w"] = 9
    return f["w"]


def shared_on_one_path(x, n, p):
    if n > 0:
        e = {"w": 1}
        f = e
    else:
        e = {"w": 2}
        f = {"w": 3}
    e["w"] = 9
    return f["w"]


def list_new_on_both_paths(x, n, p):
    if n > 0:
        e = [1]
        f = e
    else:
        e = [2]
        f = e
    e.append(9)
    return f


def two_names_rebound(x, n, p):
    e = {"w": 0}
    f = e
    for i in range(n):
        e = {"w": i}
        f = e
    e["w"] = 9
    return f["w"]


def dict_in_a_dict(x, n, p):
    e = {"in": {"w": 0}}
    f = e["in"]
    for i in range(n):
        e["in"]["w"] += 2
    f["w"] += 100
    return e, f


def item_takes_another_dict(x, n, p):
    e = {"in": {"w": 0}}
    f = {"w": 1}
    if n > 0:
        e["in"] = f
    f["w"] = 5
    return e["in"]["w"]


def item_takes_another_list(x, n, p):
    e = {"in": [0]}
    f = [1]
    if n > 0:
        e["in"] = f
    f[0] = 5
    return e["in"][0]


def objects_on_two_paths(x, n, p):
    b = Box(v=1)
    c = Box(v=2)
    d = b
    if n > 0:
        d = c
    d.v = 5
    return b.v, c.v


def object_rebound(x, n, p):
    b = Box(v=1)
    d = b
    for i in range(n):
        d = Box(v=i)
    d.v = 5
    return b.v


def objects_new_on_both_paths(x, n, p):
    if n > 0:
        d = Box(v=1)
        e = d
    else:
        d = Box(v=2)
        e = d
    d.v = 5
    return e.v, d is e


def copied_on_one_path(x, n, p):
    q = p
    if n > 0:
        q = dict(p)
    q["w"] = 77
    return p["w"]


def lists_swapped_in_a_list(x, n, p):
    a = [[1], [2]]
    r = a[0]
    for i in range(n):
        a[0], a[1] = a[1], a[0]
    r[0] = 9
    return a


def arrays_in_a_list(x, n, p):
    rows = [x, x + 1]
    r = rows[0]
    for i in range(n):
        rows[0] = rows[0] + 1
    r[0] = 50
    return rows[0], rows[1], x


def named_tuple_rebuilt(x, n, p):
    t = P({"w": 1}, 2)
    d = t.a
    for i in range(n):
        t = P(t.a, t.b + 1)
        t.a["w"] += 1
    d["w"] += 10
    return t, d


def named_tuple_in_a_branch(x, n, p):
    t = P({"w": 1}, 2)
    d = t.a
    if n > 0:
        t = P(t.a, 5)
    d["w"] += 10
    return t


def ordered_dict(x, n, p):
    d = OrderedDict(w=1)
    e = d
    for i in range(n):
        e["w"] += 1
    d["w"] += 10
    return e["w"]


def default_dict(x, n, p):
    d = defaultdict(int)
    d["w"] = 1
    e = d
    if n > 0:
        e["w"] += 1
    d["w"] += 10
    return e["w"]


def dicts_swapped(x, n, p):
    d = {"w": 1}
    e = {"w": 2}
    for i in range(n):
        d, e = e, d
    d["w"] = 100
    return d["w"], e["w"]


def collected(x, n, p):
    hist = []
    d = {"w": 1}
    for i in range(n):
        hist.append(d)
        d["w"] += 1
    return hist


def bound_in_each_iteration(x, n, p):
    while n > 0:
        q = p
        q["w"] += 1
        n = n - 1
    return p["w"]


def array_twice_in_a_dict(x, n, p):
    s = {"a": x, "b": x}
    for i in range(n):
        s["a"] = s["a"] + 1
    s["b"][0] = 7
    return s["a"], x


def array_twice_written(x, n, p):
    s = {"a": x, "b": x}
    for i in range(n):
        s["a"] += 1
    return s["a"], s["b"], x


EXACT = (
    objects_on_two_paths,
    object_rebound,
    changed_through_the_second_name,
    changed_after_the_loop,
    argument_with_a_second_name,
    list_with_a_second_name,
    dicts_in_a_tuple,
    dict_of_an_object,
    new_on_both_paths,
    list_new_on_both_paths,
    two_names_rebound,
    dict_in_a_dict,
    objects_new_on_both_paths,
    arrays_in_a_list,
    named_tuple_rebuilt,
    named_tuple_in_a_branch,
    ordered_dict,
    default_dict,
    bound_in_each_iteration,
    array_twice_in_a_dict,
    array_twice_written,
)
REFUSED = (
    rebound_then_changed,
    older_on_one_path,
    shared_on_one_path,
    item_takes_another_dict,
    item_takes_another_list,
    copied_on_one_path,
    lists_swapped_in_a_list,
    dicts_swapped,
    collected,
)


def plain(value):
    """A value with objects as dicts, and arrays and tuples as lists."""
    if isinstance(value, Box):
        return plain(vars(value))
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def observed(function, n, make):
    given = [np.arange(2.0), np.int64(n), {"w": 1}]
    return copy.deepcopy(plain([make(function)(*given), given]))


@pytest.mark.parametrize("function", EXACT, ids=lambda f: f.__name__)
def test_changes_are_seen_through_every_name(function):
    for n in (0, 1, 3):
        assert observed(function, n, rt.function) == observed(function, n, lambda f: f)


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_a_container_that_depends_on_the_run_is_not_changed(function):
    with pytest.raises(rt.StagingError):
        observed(function, 3, rt.function)


def test_a_dict_that_a_loop_rebinds_may_be_changed_if_nothing_else_holds_the_first_one():
    @rt.function
    def counted(n):
        state = {"n": 0}
        for i in range(n):
            state = {"n": state["n"] + i}
        state["n"] += 10
        return state

    assert counted(np.int64(4)) == {"n": 16}
    assert counted(np.int64(0)) == {"n": 10}
    assert type(counted(np.int64(0))) is dict
