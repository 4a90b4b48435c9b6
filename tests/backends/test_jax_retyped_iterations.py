"""Iterations that are traced once, although a carried type changes: the loop is the one that a
second trace would record, and where it might be another one, there is a second trace."""

import importlib.util
import random

import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed")

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

import autograph  # noqa: E402
from autograph.backends.jax import loops  # noqa: E402

XS = jnp.array([1.0, -2.0, 3.0, 0.5])


def total(xs):
    result = 0.0
    for x in xs:
        result += x * x
    return result


def totals(xs):
    first, second = 0.0, 0
    for x in xs:
        first += x
        second = second + first
    return first, second


def nested(xs):
    result = 0.0
    for x in xs:
        for y in xs:
            if y > x:
                result += x * y
    return result


def following(xs):
    a, b = 0.0, 0.0
    for x in xs:
        b = 2 * a
        a = a + x
    return a, b


def made_alike(xs):
    a, b = 0.0, 0.0
    for x in xs:
        b = jnp.zeros_like(a)
        a = a + x
    return a, b


def counted(xs):
    n, result = 0, 0.0
    for x in xs:
        n += 1
        result += x * n
    return n, result


def listed(xs):
    result, found = 0.0, []
    for x in xs:
        found.append(result)
        result += x
    return jnp.stack(found), result


def squares(xs):
    found = []
    for x in xs:
        found.append(x * x)
    return jnp.stack(found)


def some_squares(xs):
    found = []
    for x in xs:
        if x > 0:
            found.append(x * x)
    return len(found)


def last_of(xs):
    found = []
    for x in xs:
        found.append(x)
        x = found[-1]
    return x, jnp.stack(found)


def narrow(xs):
    result, y = 0.0, jnp.float32(0.0)
    for x in xs.astype(jnp.bfloat16):
        y = x * result
        result = result + 0.1 * x.astype(jnp.float32)
    return result, y


def narrow_counts(xs):
    n, seen = 100, jnp.int32(0)
    for x in xs.astype(jnp.int8):
        seen = n * x
        n = n + jnp.int32(1)
    return n, seen


def first_above(xs):
    for x in xs:
        if x > 2:
            return x * 2
    return -1.0


def doubled(x):
    while x < 100:
        x = x * 2
        if x > 50:
            return x
    return -x


def found_twice(xs):
    for x in xs:
        for y in xs:
            if x + y > 3:
                return y
        if x < -1:
            return x
    return 0.0


def root(x):
    y = x
    while True:
        new = 0.5 * (y + x / y)
        is_done = jnp.abs(new - y) <= 1e-5
        y = new
        if is_done:
            break
    return y


def root_of_int(x):
    y = jnp.int32(1)
    while True:
        y = 0.5 * (y + x / y)
        if jnp.abs(y * y - x) <= 1e-4:
            break
    return y


def unrolled(x):
    i = 0
    while True:
        if i >= 3:
            break
        x = x * (i + 1)
        i += 1
    return x, i


def left_by_python(x):
    is_first = True
    while True:
        x = x + 1
        if not is_first:
            break
        is_first = False
    return x


def counted_until(x):
    n = 0
    while True:
        n += 1
        x = x / 2
        if x < 1:
            break
    return n, x


class Counter:
    def __init__(self):
        self.count = 0


def counted_in_object(x):
    counter = Counter()
    while True:
        counter.count += 1
        x = x / 2
        if x < 1:
            break
    return counter.count, x


def returned_from(x):
    while True:
        x = x * 2
        if x > 50:
            return x
        if x < -50:
            return -x


def bounded_root(x):
    y = x
    while True:
        autograph.set_loop_options(max_iterations=9)
        new = 0.5 * (y + x / y)
        y, step = new, y - new
        if jnp.abs(step) <= 1e-5:
            break
    return y


PROGRAMS = {
    root: (2.0, 1),
    root_of_int: (2.0, None),
    unrolled: (2.0, None),
    left_by_python: (2.0, None),
    counted_until: (9.0, 1),
    counted_in_object: (9.0, None),
    returned_from: (3.0, 1),
    bounded_root: (2.0, None),
    total: (XS, 1),
    totals: (XS, None),
    nested: (XS, 2),
    following: (XS, 2),
    made_alike: (XS, 2),
    counted: (XS, 1),
    listed: (XS, 2),
    squares: (XS, 1),
    some_squares: (XS, None),
    last_of: (XS, None),
    narrow: (XS, None),
    narrow_counts: (XS, None),
    first_above: (XS, 1),
    doubled: (3.0, 1),
    found_twice: (XS, None),
}


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
    assert found == outcome(program, argument)
    for (value, _, _), plain in zip(found, jax.tree.leaves(program(argument)), strict=True):
        np.testing.assert_allclose(value, plain, rtol=1e-6)


@pytest.mark.parametrize(
    "program",
    [total, nested, following, squares, listed, first_above],
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
