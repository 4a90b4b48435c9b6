"""Lists that grow in several loops and branches, and lists inside of trees, under `jax.jit`."""

import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed")

import jax.numpy as jnp  # noqa: E402

import autograph  # noqa: E402

XS = jnp.array([1.0, -2.0, 3.0, 0.5])


def in_two_loops(xs):
    out = []
    for k in [1.0, 2.0]:
        for v in xs:
            out.append(v * k)
    return jnp.stack(out)


def under_a_condition(xs):
    out = [9.0]
    for v in xs:
        for k in [1.0, 2.0]:
            if v > 0:
                out.append(v * k)
    return sum(out) + len(out)


def in_a_loop_inside_of_a_loop(xs):
    out = []
    for v in xs:
        for w in xs:
            if v > w:
                out.append(v * w)
        out.append(v)
    return sum(out) + len(out)


def read_in_the_loop_that_appends(xs):
    out, s = [xs[1]], 0.0
    for v in xs:
        out.append(v)
        for w in out:
            s = s * 0.5 + w
    return s + len(out)


def by_two_clauses(xs):
    return sum(v * w for v in xs for w in xs if v > w)


def by_texts(xs):
    return sum(v if k == "a" else -v for k in "ab" for v in xs)


def after_a_loop(xs):
    out = []
    for v in xs:
        out.append(v)
    for v in xs:
        if v > 0:
            out.append(v)
    out.append(5.0)
    return sum(out) * len(out)


def more_in_one_branch(xs):
    out = []
    if xs[1] > 0:
        out.append(xs[0])
    else:
        out.append(1.0)
        out.append(xs[2])
    out.append(7.0)
    return sum(out) * len(out)


def pushed_and_popped(xs):
    stack = [xs[0]]
    for v in xs:
        top = stack.pop()
        stack.append(top + v)
        if v > 0:
            stack.append(v)
    return sum(stack) * len(stack)


def sorted_by_exchanges(xs):
    z = list(xs)
    for i in range(1, len(z)):
        j = i
        while j > 0 and z[j - 1] > z[j]:
            autograph.set_loop_options(max_iterations=4)
            z[j - 1], z[j] = z[j], z[j - 1]
            j -= 1
    return jnp.stack(z)


def trained(xs):
    layers = [jnp.ones(4) * k for k in range(2)]

    def loss(layers):
        return sum(jnp.sum((layer - xs) ** 2) for layer in layers)

    for _ in range(3):
        slopes = jax.grad(loss)(layers)
        layers = jax.tree.map(lambda a, b: a - 0.1 * b, layers, slopes)
    return layers[0] * layers[1]


def trained_until_small(xs):
    layers = {"w": [jnp.ones(4)], "b": [jnp.zeros(4)]}

    def loss(layers):
        return sum(jnp.sum((w * xs + b) ** 2) for w, b in zip(layers["w"], layers["b"]))

    while loss(layers) > 0.5:
        autograph.set_loop_options(max_iterations=20)
        layers = jax.tree.map(lambda a, b: a - 0.02 * b, layers, jax.grad(loss)(layers))
    return layers["w"][0] + layers["b"][0]


def of_both_kinds(xs):
    layers = jax.tree.map(lambda x: x, [xs[0], xs[1]])
    for _ in range(3):
        if layers[0] > 0:
            layers = [x - 0.75 for x in layers]
        else:
            layers = jax.tree.map(lambda x: -x, layers)
    return layers[0] * layers[1]


def mapped_with_another(xs):
    layers = {"w": xs[0], "b": [xs[1], xs[2]]}
    new = {"w": layers["w"] * 2, "b": [b * 3 for b in layers["b"]]}
    found = jax.tree.map(lambda a, b: a - b, layers, new)
    return found["w"] + found["b"][0] * found["b"][1]


def carried_by_scan(xs):
    def step(carry, x):
        found = [carry[0] + x, carry[1] * x]
        found.append(0.0)
        return found[:2], x

    carry, _ = jax.lax.scan(step, [xs[0], xs[1]], xs)
    return carry[0] * carry[1]


def chosen_by_cond(xs):
    z = [xs[0], xs[1]]
    return jax.lax.cond(xs[2] > 0, lambda z: [z[1], z[0]], lambda z: z, z)[0]


def filtered(xs):
    s = 1.0
    for v in filter(lambda v: v > 0, xs):
        s = s * 2 + v
    return s + sum(map(lambda v: v * 2, filter(lambda v: v < 1, xs)))


def beside_texts(xs):
    found = {"a": 0.0, "b": 0.0}
    for i, (k, x) in enumerate(zip("abab", xs)):
        if x > 0:
            found[k] += x * i
    return found["a"] - found["b"]


def beside_functions(xs):
    s = 0.0
    for f, x in zip([jnp.sin, jnp.cos, jnp.tanh], xs, strict=False):
        y = f(x)
        if y > 0:
            s += y
        if s > 5:
            break
    return s


PROGRAMS = [
    value for value in list(globals().values()) if getattr(value, "__module__", "") == __name__
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_lists_are_those_of_python(program):
    found = jax.jit(autograph.to_graph(program))(XS)
    assert jnp.allclose(found, program(XS), rtol=1e-5)


@pytest.mark.thorough
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_their_gradients_are_those_of_python(program):
    converted = autograph.to_graph(program)
    found = jax.jit(jax.grad(lambda xs: jnp.sum(converted(xs))))(XS)
    assert jnp.allclose(found, jax.grad(lambda xs: jnp.sum(program(xs)))(XS), rtol=1e-4)


def returned(xs):
    layers = [x * 2 for x in xs]
    layers.append(xs[0])
    return {"layers": layers}


def test_the_result_of_jit_has_lists_of_python():
    found = jax.jit(autograph.to_graph(returned))(XS)
    assert type(found["layers"]) is list and len(found["layers"]) == 5
