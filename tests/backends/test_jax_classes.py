"""Methods of the user's classes that Python calls by itself, while JAX traces."""

import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed")

import jax.numpy as jnp  # noqa: E402

import autograph  # noqa: E402


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        if other.x > 0:
            return Vector(self.x + other.x, self.y + other.y)
        return Vector(self.x, self.y + other.y)

    def __abs__(self):
        return self.x if self.x > self.y else self.y

    def __lt__(self, other):
        if self.x > 0:
            return self.x < other.x
        return self.y < other.y

    def __eq__(self, other):
        if self.x > 0:
            return self.x == other.x
        return self.y == other.y

    def __getitem__(self, index):
        return self.x if self.x > index else self.y

    def __call__(self, factor):
        return self.x * factor if factor > 0 else self.y * factor

    def __enter__(self):
        return self.x * 2 if self.x > 0 else self.x

    def __exit__(self, *error):
        return False

    @property
    def greatest(self):
        if self.x > self.y:
            return self.x
        return self.y

    def doubled(self):
        return self.greatest * 2


MADE = Vector(5.0, 6.0)
OWN = dict(vars(Vector))


def sums(x):
    return (Vector(1.0, 1.0) + Vector(x, 2.0)).x


def sizes(x):
    return abs(Vector(x, 1.0)) * 2


def orders(x):
    return x * 3 if Vector(x, 0.0) < Vector(1.0, 1.0) else x


def equals(x):
    return x * 2 if Vector(x, 1.0) == Vector(2.0, 1.0) else x


def items(x):
    return Vector(x, 7.0)[1.0]


def calls(x):
    return Vector(3.0, 4.0)(x)


def contexts(x):
    with Vector(x, 0.0) as y:
        if y > 1:
            return y
        return y * 5


def properties(x):
    return Vector(x, 1.0).greatest * 2


def properties_in_methods(x):
    return Vector(x, 1.0).doubled()


def objects_from_outside(x):
    if x > 0:
        MADE.x = x
    else:
        MADE.y = x
    found = MADE.greatest
    MADE.x, MADE.y = 5.0, 6.0
    return found


PROGRAMS = [
    *(sums, sizes, orders, equals, items, calls, contexts, properties, properties_in_methods),
    objects_from_outside,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_their_branches_are_staged(program):
    converted = jax.jit(autograph.to_graph(program))
    assert [float(converted(x)) for x in (2.0, -3.0)] == [program(x) for x in (2.0, -3.0)]


def test_a_class_has_its_own_methods_again_when_nothing_is_traced():
    jax.jit(autograph.to_graph(sums))(2.0)
    autograph.to_graph(items)(2.0)  # converted code, outside of any trace
    assert dict(vars(Vector)) == OWN


def wrong_shapes(x):
    y = jnp.zeros(3)
    if x > 0:
        y = y + jnp.zeros(4)
    return y


def test_an_error_of_jax_in_a_branch_is_raised_while_it_traces():
    with pytest.raises(TypeError, match="incompatible shapes"):
        jax.jit(autograph.to_graph(wrong_shapes))(-1.0)


def refused(x):
    if x > 0:
        if x > 10:
            raise ValueError("too big")
    assert x > -10, "too small"
    return x


@pytest.mark.parametrize(("x", "offset", "text"), [(11.0, 3, "too big"), (-11.0, 4, "too small")])
def test_the_error_of_a_run_names_the_users_line(x, offset, text):
    with pytest.raises(jax.errors.JaxRuntimeError) as caught:
        jax.block_until_ready(jax.jit(autograph.to_graph(refused))(x))
    *_, place, message = str(caught.value).splitlines()
    line = refused.__code__.co_firstlineno + offset
    assert place == f'  File "{__file__}", line {line}, in refused'
    assert message.endswith(f"Error: {text}")
