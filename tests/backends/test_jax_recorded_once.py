"""The jaxprs of converted programs: blocks are recorded once, and no check is there without need."""

import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed")

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.extend.core import jaxprs_in_params  # noqa: E402

import autograph  # noqa: E402
from autograph.backends.jax import direct  # noqa: E402

XS = jnp.array([1.0, -2.0, 3.0, 0.5])


def primitives(jaxpr):
    """The names of all primitives of a jaxpr, those of its blocks included."""
    found = []
    for equation in jaxpr.eqns:
        found.append(equation.primitive.name)
        for inner in jaxprs_in_params(equation.params):
            found += primitives(inner)
    return found


def recorded(function, *arguments):
    return primitives(jax.make_jaxpr(autograph.to_graph(function))(*arguments).jaxpr)


def least_or_none(xs):
    best = None
    for x in xs:
        if best is None or x < best:
            best = x
    return best


def between(x):
    n = 0
    while 1 < x and x < 100:
        x = x * 2
        n += 1
    return n


def first_negative(xs):
    for i, x in enumerate(xs):
        if x < 0:
            return i
    return -1


def sums(xs, n):
    total, seen = 0.0, 0
    for i in range(n):
        for x in xs:
            if x > i:
                total += x
                continue
            seen += 1
    return total, seen


def collected(xs):
    found = [0]
    for x in xs:
        found.append(x)
        found.append(x * x)
    return jnp.stack(found)


def unchanged(xs, scale):
    total = xs[0]
    for x in xs:
        total, scale = total + scale * x, scale
    return total, scale


def without_the_first(xs):
    last = None
    for x in xs:
        if last is not None:
            last = last + x
        else:
            last = x * 0
    return last


PROGRAMS = {
    least_or_none: (XS,),
    between: (1.5,),
    first_negative: (XS,),
    sums: (XS, 3),
    collected: (XS,),
    unchanged: (XS, 2.0),
    without_the_first: (XS,),
}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("by_lax", [False, True], ids=["direct", "by lax"])
def test_results_do_not_depend_on_who_records_the_blocks(program, by_lax, monkeypatch):
    if by_lax:
        monkeypatch.setattr(direct, "is_known", lambda: False)
    converted, arguments = autograph.to_graph(program), PROGRAMS[program]
    found = jax.tree.leaves(jax.jit(converted)(*arguments))
    expected = jax.tree.leaves(program(*arguments))
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def gradient_of_total(program, arguments):
    def total(xs):
        leaves = jax.tree.leaves(autograph.to_graph(program)(xs, *arguments[1:]))
        return sum(jnp.sum(one) for one in leaves)

    return jax.jit(jax.vmap(jax.grad(total)))(jnp.stack([arguments[0], arguments[0] * 2]))


@pytest.mark.parametrize("program", [least_or_none, collected, unchanged, without_the_first])
def test_gradients_and_batches_do_not_depend_on_it(program, monkeypatch):
    arguments = PROGRAMS[program]
    found = gradient_of_total(program, arguments)
    monkeypatch.setattr(direct, "is_known", lambda: False)
    np.testing.assert_allclose(found, gradient_of_total(program, arguments), rtol=1e-6)


def test_the_parameters_of_the_primitives_are_those_of_the_installed_jax():
    assert direct.is_known()


def test_trees_of_a_scan_of_another_form_leave_the_work_to_lax(monkeypatch):
    monkeypatch.setattr(direct, "_trees_of_scan", lambda: (((None,), (), ()), ((None,), ())))
    assert not direct.is_known.__wrapped__()


@pytest.mark.parametrize("primitive", direct.WANTED, ids=str)
def test_other_parameters_leave_the_work_to_lax(primitive, monkeypatch):
    wanted = {**direct.WANTED, primitive: [{"unknown"}]}
    monkeypatch.setattr(direct, "WANTED", wanted)
    assert not direct.is_known.__wrapped__()


def test_a_value_that_the_test_has_found_is_not_checked_again():
    assert "debug_callback" not in recorded(without_the_first, XS)
    (loop,) = [
        one
        for one in jax.make_jaxpr(autograph.to_graph(least_or_none))(XS).jaxpr.eqns
        if one.primitive.name == "scan"
    ]
    assert not loop.effects


def test_a_value_that_may_be_none_is_checked_where_no_test_says_so():
    def last_plus_one(xs):
        last = None
        for x in xs:
            if x > 0:
                last = x
        return last + 1

    assert "debug_callback" in recorded(last_plus_one, XS)


def test_conditions_of_scalars_are_no_branches():
    assert "cond" not in recorded(between, 1.5)


def test_a_condition_of_arrays_is_a_branch():
    def both(x, xs):
        return x > 0 and jnp.any(xs > x)

    assert "cond" in recorded(both, 1.0, XS)


def test_what_no_iteration_changes_is_not_carried():
    (equation,) = [
        one
        for one in jax.make_jaxpr(autograph.to_graph(unchanged))(XS, 2.0).jaxpr.eqns
        if one.primitive.name == "scan"
    ]
    assert equation.params.get("num_carry", 1) == 1  # JAX 0.12 does not say so


def test_blocks_in_a_mesh_are_those_of_lax():
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]), ("rows",))
    spec = jax.sharding.PartitionSpec("rows")

    def total(xs):
        result = 0.0
        for x in xs:
            if x > 0:
                result += x
        return lax.psum(result, "rows") * jnp.ones(1)

    mapped = jax.shard_map(autograph.to_graph(total), mesh=mesh, in_specs=spec, out_specs=spec)
    assert jax.jit(mapped)(XS).tolist() == [4.5]
