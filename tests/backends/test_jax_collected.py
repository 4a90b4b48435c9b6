"""Lists built from traced arrays, and all that Python does with them, under `jax.jit`."""

import itertools
from collections import deque

import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed")

import jax.numpy as jnp  # noqa: E402

import autograph  # noqa: E402
from autograph.errors import IterationError  # noqa: E402

XS = jnp.array([1.0, -2.0, 3.0, 0.5])


def folded(elements):
    s = 0.0
    for x in elements:
        if x < 0:
            continue
        s = s * 0.5 + x
    return s


def first_and_last(xs):
    z = list(xs)
    return z[0] * 2 + z[-1]


def in_order(xs):
    return folded(list(xs))


def backwards(xs):
    return folded(reversed(list(xs)))


def backwards_by_slice(xs):
    return folded(list(xs)[::-1])


def numbered(xs):
    s = 0.0
    for i, x in enumerate(reversed(list(xs))):
        if x > 0:
            s = s * 0.5 + x * i
    return s


def in_pairs(xs):
    s = 0.0
    for x, y in list(zip(reversed(list(xs)), xs, strict=True)):
        if x > 0:
            s = s * 0.5 + x * y
    return s


def mapped(xs):
    return folded(list(map(jnp.sin, xs)))


def by_iterator(xs):
    return folded(iter(list(xs)))


def by_generator(xs):
    return folded(x * x for x in list(xs))


def chained(xs):
    return folded(itertools.chain(list(xs), [1.0]))


def last_two(xs):
    return folded(deque(list(xs), maxlen=2))


def by_position(xs):
    s = 0.0
    for i, x in {i: x for i, x in enumerate(list(xs))}.items():
        if x > 0:
            s = s + x * i
    return s


def taken_from_the_end(xs):
    z, s = list(xs), 0.0
    while z:
        x = z.pop()
        if x > 0:
            s = s * 0.5 + x
    return s


def changed(xs):
    z = list(xs)
    z[0] = z[1] * 3
    z.append(xs[0])
    z.insert(1, 7.0)
    return folded(z) + len(z)


def copied(xs):
    z = list(xs)
    w = list(z)
    w.append(5.0)
    return folded(z) - folded(w)


def in_each_iteration(xs):
    s, n = 0.0, 0
    while s < 5:
        z = list(xs + n)
        s = s + z[0] * z[-1]
        n = n + 1
    return s


def in_a_branch(xs):
    if xs[0] > 0:
        z = list(xs)
    else:
        z = list(xs * 2)
    return folded(z)


def of_rows(xs):
    rows = list(jnp.outer(xs, xs))
    return jnp.sum(rows[2]) + jnp.sum(rows[0] * rows[1])


def as_tuple(xs):
    first, *rest = tuple(xs)
    return first * 2 + folded(rest)


def of_nothing(xs):
    return folded(list(xs[:0])) + xs[0]


PROGRAMS = [
    first_and_last,
    in_order,
    backwards,
    backwards_by_slice,
    numbered,
    in_pairs,
    mapped,
    by_iterator,
    by_generator,
    chained,
    last_two,
    by_position,
    taken_from_the_end,
    changed,
    copied,
    in_a_branch,
    of_rows,
    as_tuple,
    of_nothing,
]


@pytest.mark.parametrize("program", [*PROGRAMS, in_each_iteration], ids=lambda one: one.__name__)
def test_a_list_of_a_traced_array_is_a_list(program):
    found = jax.jit(autograph.to_graph(program))(XS)
    assert jnp.allclose(found, program(XS), rtol=1e-6)


@pytest.mark.thorough
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_its_items_have_gradients(program):
    found = jax.jit(jax.grad(lambda xs: autograph.to_graph(program)(xs) * 1.0))(XS)
    assert jnp.allclose(found, jax.grad(lambda xs: program(xs) * 1.0)(XS), rtol=1e-6)


def taken_one_by_one(xs):
    z, s = reversed(xs), 0.0
    while s < 3:
        s = s + next(z)
    return s


def test_the_next_element_of_a_traced_iterable_is_refused_with_its_line():
    with pytest.raises(IterationError, match="s = s \\+ next\\(z\\)"):
        jax.jit(autograph.to_graph(taken_one_by_one))(XS)
