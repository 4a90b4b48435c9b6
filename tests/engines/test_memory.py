"""Programs write in place only into their own memory, and only after its last use."""

import numpy as np

import runtime as rt
from runtime.engines.numpy import compile_graph


def test_swapped_variables_leave_the_callers_array_unchanged():
    run = compile_graph(
        rt.parse("""
def f(a: f64[3], n: int):
    b: f64[3] = add(a, 1.0)
    def body(i: int, x: f64[3], y: f64[3]):
        j: int = add(i, 1)
        p: bool = less(j, n)
        return p, j, y, x
    k, c, d = loop(True, 0, a, b, body=body)
    e: f64[3] = setitem(d, 7.0, 0, at=(_0,))
    return e
""")
    )
    for turns, rest in ((1, 0.0), (2, 1.0)):
        given = np.zeros(3)
        (found,) = run(given, turns)
        assert found.tolist() == [7.0, rest, rest]
        assert given.tolist() == [0.0, 0.0, 0.0]


def test_nested_loops_do_not_write_into_constants():
    run = compile_graph(
        rt.parse("""
def f(n: int):
    z: f64[2] = constant(value=array([0.0, 0.0], f64, (2,)))
    def body(i: int, x: f64[2]):
        def inner(k: int, y: f64[2]):
            more: f64[2] = added_at(y, 1.0, 0, at=(_0,))
            l: int = add(k, 1)
            q: bool = less(l, n)
            return q, l, more
        m, w = loop(True, 0, x, body=inner)
        j: int = add(i, 1)
        p: bool = less(j, n)
        return p, j, w
    c, d = loop(True, 0, z, body=body)
    return d
""")
    )
    for _ in range(2):
        (found,) = run(3)
        assert found.tolist() == [9.0, 0.0]


def test_memory_updated_in_place_is_not_reused_while_another_name_holds_it():
    run = compile_graph(
        rt.parse("""
def f(a: f64[2], n: int):
    b: f64[2] = multiply(a, 1.0)
    def body(i: int, x: f64[2], s: f64):
        y: f64[2] = added_at(x, 5.0, 0, at=(_0,))
        z: f64[2] = setitem(y, 0, 0, at=(_0,))
        v: f64 = getitem(y, 0, at=(_0,))
        t: f64 = add(s, v)
        j: int = add(i, 1)
        p: bool = less(j, n)
        return p, j, z, t
    start: f64 = constant(value=array([0.0], f64, ()))
    k, c, d = loop(True, 0, b, start, body=body)
    return c, d
""")
    )
    array, total = run(np.array([1.0, 2.0]), 3)
    assert (array.tolist(), total) == ([0.0, 2.0], 16.0)


def test_broadcast_arrays_are_not_written_into():
    run = compile_graph(
        rt.parse("""
def f(a: f64, n: int):
    b: f64[3] = broadcast_to(a, shape=(3,))
    def body(i: int, x: f64[3]):
        j: int = add(i, 1)
        p: bool = less(j, n)
        return p, j, x
    k, c = loop(True, 0, b, body=body)
    d: f64[3] = setitem(c, 7.0, 0, at=(_0,))
    return d
""")
    )
    (found,) = run(np.float64(1.0), 3)
    assert found.tolist() == [7.0, 1.0, 1.0]
