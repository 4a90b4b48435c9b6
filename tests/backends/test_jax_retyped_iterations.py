"""Iterations that are traced once, although a carried type changes: the loop is the one that a
second trace would record, and where it might be another one, there is a second trace."""

import importlib.util
import random

import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed")

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from traced_loops import (  # noqa: E402
    PROGRAMS,
    XS,
    first_above,
    following,
    largest,
    listed,
    nested,
    products_of_neighbours,
    squares,
    total,
)

import autograph  # noqa: E402
from autograph.backends.jax import loops  # noqa: E402


def outcome(function, argument):
    leaves = jax.tree.leaves(jax.jit(autograph.to_graph(function))(argument))
    return [
        (np.asarray(one).tolist(), jnp.asarray(one).dtype, jax.typeof(one).weak_type)
        for one in leaves
    ]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_results_and_types_are_those_of_the_last_of_several_traces(program, monkeypatch):
    argument, _ = PROGRAMS[program]
    found = outcome(program, argument)
    monkeypatch.setattr(loops, "retyped", lambda *given: None)
    monkeypatch.setattr(loops, "_appends", lambda body: False)
    monkeypatch.setattr(loops.Loop, "stage_at_once", lambda self: False)
    monkeypatch.setattr(loops.Loop, "binds_in_first", lambda self, iteration: False)
    assert found == outcome(program, argument)
    for (value, _, _), plain in zip(found, jax.tree.leaves(program(argument)), strict=True):
        np.testing.assert_allclose(value, plain, rtol=1e-6)


@pytest.mark.parametrize(
    "program",
    [total, nested, following, squares, listed, first_above, largest, products_of_neighbours],
    ids=lambda one: one.__name__,
)
def test_gradients_are_those_of_the_last_of_several_traces(program, monkeypatch):
    def gradient():
        def summed(xs):
            return sum(jnp.sum(one) for one in jax.tree.leaves(autograph.to_graph(program)(xs)))

        return jax.jit(jax.vmap(jax.grad(summed)))(jnp.stack([XS, XS * 2]))

    found = gradient()
    monkeypatch.setattr(loops, "retyped", lambda *given: None)
    np.testing.assert_array_equal(found, gradient())


COUNTED = [program for program, (_, traces) in PROGRAMS.items() if traces is not None]


@pytest.mark.parametrize("program", COUNTED, ids=lambda program: program.__name__)
def test_iterations_are_traced_as_often_as_types_need_it(program, monkeypatch):
    argument, expected = PROGRAMS[program]
    traces = []
    traced = loops.Loop.traced
    monkeypatch.setattr(loops.Loop, "traced", lambda self: traces.append(self) or traced(self))
    jax.jit(autograph.to_graph(program)).trace(argument)
    assert len(traces) == expected


NAMES = ["a", "b", "c", "n"]
OPERANDS = [
    *NAMES,
    "x",
    "k",
    "h",
    "2",
    "0.5",
    "jnp.zeros_like(a)",
    "jnp.float32(1)",
    "jnp.int32(1)",
]


def random_program(number):
    """The text of a function whose loop gives its variables weak, strong and narrow types."""
    draw = random.Random(number)
    lines = ["def program(xs):", "    a, b, c, n = 0.0, 1.0, 0, 0", "    for x in xs:"]
    lines += ["        k = x.astype(jnp.int8)"] * draw.randrange(2)
    lines += ["        h = x.astype(jnp.float16)"] * draw.randrange(2)
    operands = [
        one for one in OPERANDS if one not in "kh" or f"        {one} = " in "\n".join(lines)
    ]
    for _ in range(draw.randrange(1, 5)):
        left, right = draw.choices(operands, k=2)
        indent = "        "
        if draw.random() < 0.2:
            lines.append(f"{indent}if x > {draw.choice(['0', 'a', 'n'])}:")
            indent += "    "
        if draw.random() < 0.2:
            lines.append(f"{indent}for y in xs[:2]:")
            indent += "    "
        lines.append(f"{indent}{draw.choice(NAMES)} = {left} {draw.choice('+-*')} {right}")
    return "\n".join([*lines, "    return a, b, c, n"])


def outcome_or_error(function):
    try:
        return outcome(function, XS)
    except Exception as error:
        return type(error), str(error).splitlines()[0]


def check_random_programs(numbers, folder, monkeypatch):
    texts = [random_program(number).replace("program", f"program_{number}") for number in numbers]
    path = folder / "random_loops.py"
    path.write_text("\n\n\n".join(["import jax.numpy as jnp", *texts]))
    spec = importlib.util.spec_from_file_location("random_loops", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    functions = [getattr(module, f"program_{number}") for number in numbers]
    found = list(map(outcome_or_error, functions))
    monkeypatch.setattr(loops, "retyped", lambda *given: None)
    for one, text, function in zip(found, texts, functions, strict=True):
        assert one == outcome_or_error(function), text
    assert sum(isinstance(one, list) for one in found) > len(found) / 2


def test_types_of_random_loops_are_those_of_several_traces(tmp_path, monkeypatch):
    check_random_programs(range(25), tmp_path, monkeypatch)


@pytest.mark.thorough
def test_types_of_many_random_loops_are_those_of_several_traces(tmp_path, monkeypatch):
    check_random_programs(range(25, 600), tmp_path, monkeypatch)


def test_a_value_that_may_be_missing_is_checked_once_where_it_is_used():
    def last_above(xs):
        last = None
        for x in xs:
            if x > 2:
                last = x
        return last * 2 + last

    text = str(jax.make_jaxpr(autograph.to_graph(last_above))(XS))
    assert text.count("debug_callback[") == 1


def test_it_is_checked_in_each_branch_that_uses_it():
    def last_above(xs, p):
        last = None
        for x in xs:
            if x > 5:
                last = x
        y = 0.0
        if p > 0:
            y = last * 2
        return y, p

    run = jax.jit(autograph.to_graph(last_above))
    assert run(XS, -1.0)[0] == 0.0
    with pytest.raises(jax.errors.JaxRuntimeError, match="last is None"):
        jax.block_until_ready(run(XS, 1.0))
        jax.effects_barrier()
