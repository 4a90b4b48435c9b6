"""Programs whose meaning is easily lost under JAX: each is exact, or refused with its line."""

from dataclasses import dataclass

import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed")

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

import autograph  # noqa: E402
from autograph.errors import (  # noqa: E402
    ContainerError,
    HandledInRunError,
    IterationError,
    OneSidedError,
    StagingError,
)

XS = jnp.array([1.0, -2.0, 3.0, 0.5])


def jitted(function):
    return jax.jit(autograph.to_graph(function))


def ends(function, *arguments):
    """Runs a jitted function to its end, the exceptions of its callbacks included."""
    jax.block_until_ready(jitted(function)(*arguments))
    jax.effects_barrier()


def asserting(x):
    while x < 10:
        assert x < 9, f"x is {x}"
        x = x * 2
    return x


def test_a_lane_that_is_done_fails_no_check():
    mapped = jax.jit(jax.vmap(autograph.to_graph(asserting)))
    assert mapped(jnp.array([1.0, 16.0])).tolist() == [16.0, 16.0]


def raising(x):
    y = x
    if x > 0:
        if x > 10:
            raise ValueError(f"{x} is too big")
        y = x * 2
    return y


def test_a_branch_that_a_lane_does_not_take_raises_nothing():
    mapped = jax.jit(jax.vmap(autograph.to_graph(raising)))
    assert mapped(jnp.array([1.0, -16.0])).tolist() == [2.0, -16.0]


@pytest.mark.parametrize(
    ("function", "x", "text"),
    [(asserting, 9.5, "AssertionError: x is 9.5"), (raising, 16.0, "ValueError: 16.0 is too big")],
)
def test_a_failing_check_is_raised_by_the_run(function, x, text):
    with pytest.raises(jax.errors.JaxRuntimeError, match=text):
        ends(function, x)


def printing(xs):
    for x in xs:
        if x > 0:
            print("positive", x, f"{x:.2f}")
    print("done")
    return xs


def test_a_run_prints_in_the_order_of_python(capsys):
    ends(printing, XS)
    assert capsys.readouterr().out == (
        "positive 1.0 1.00\npositive 3.0 3.00\npositive 0.5 0.50\ndone\n"
    )


def test_a_mapped_run_prints_for_the_lanes_that_come_to_it(capsys):
    jax.block_until_ready(jax.jit(jax.vmap(autograph.to_graph(printing)))(XS[:, None]))
    jax.effects_barrier()
    assert capsys.readouterr().out.count("positive") == 3


def one_of_two(x):
    a, b = {"k": x}, {"k": x * 2}
    c = a
    if x > 0:
        c = b
    c["k"] = 9.0
    return a, b


def old_or_new(x):
    a = [x]
    c = a
    if x > 0:
        c = [x * 2]
    c.append(3.0)
    return a


class Box:
    def __init__(self, value):
        self.value = value


def object_that_is_written(x):
    a = Box(x)
    c = a
    if x > 0:
        c = Box(x * 2)
    c.value = 9.0
    return a.value


def numpy_array(x):
    a = np.zeros(3)
    if x > 0:
        a[0] = 1.0
    return a


def set_in_branch(x):
    found = set()
    if x > 0:
        found.add(1)
    return len(found)


def handler(x):
    try:
        if x > 0:
            raise ValueError
    except ValueError:
        x = -1.0
    return x


def two_shapes(x):
    if x > 0:
        y = jnp.zeros(3)
    else:
        y = jnp.zeros(4)
    return y


def key_of_one_branch(x):
    found = {}
    if x > 0:
        found["last"] = x
    return found


def unbounded_list(n):
    z = []
    while n > 0:
        z.append(n)
        n = n - 1
    return z


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


REFUSED = [
    (one_of_two, ContainerError, 'c\\["k"\\] = 9.0'),
    (old_or_new, ContainerError, "c.append"),
    (object_that_is_written, ContainerError, "the code sets value"),
    (numpy_array, ContainerError, "ndarray"),
    (set_in_branch, ContainerError, "found.add|if x > 0"),
    (handler, HandledInRunError, "ValueError"),
    (two_shapes, StagingError, r"float32\[3\] after one branch"),
    (key_of_one_branch, OneSidedError, "last"),
    (unbounded_list, IterationError, "max_iterations"),
    (fibonacci, StagingError, "calls itself again"),
]


@pytest.mark.parametrize(
    ("function", "error", "text"), [pytest.param(*case, id=case[0].__name__) for case in REFUSED]
)
def test_a_program_that_jax_cannot_run_is_refused_with_its_line(function, error, text):
    with pytest.raises(error, match=text):
        jitted(function)(3.0)


def kept_apart(x):
    a = {"k": x}
    c = a
    if x > 0:
        c = {"k": x * 2}
    return a["k"], c["k"]


def test_objects_that_are_only_read_are_joined():
    assert [float(y) for y in jitted(kept_apart)(1.0)] == [1.0, 2.0]


def narrow(xs, n):
    total = 2
    for i in range(n):
        if xs[0] > i:
            total = total + 1
    return xs * total


def test_a_python_number_widens_no_array():
    assert jitted(narrow)(jnp.ones(3, jnp.float16), 2).dtype == jnp.float16


def appended_after_a_loop(xs):
    z = []
    for x in xs:
        z.append(x)
    w = list(z)
    w.append(9.0)
    return len(z), len(w), w[-1]


def test_a_list_of_known_length_grows_after_the_loop_that_made_it():
    assert [float(y) for y in jitted(appended_after_a_loop)(XS)] == [4, 5, 9.0]


def minus_zero(x):
    y = 0.0
    if x > 0:
        y = -0.0
    return y


def test_minus_zero_is_not_zero():
    assert np.signbit(jitted(minus_zero)(1.0)) and not np.signbit(jitted(minus_zero)(-1.0))


def bounded(x):
    while x < 100:
        autograph.set_loop_options(max_iterations=8)
        x = x * 2
    return x


def test_a_bounded_while_loop_has_a_gradient_under_all_transformations():
    converted = autograph.to_graph(bounded)
    assert jax.jit(jax.grad(converted))(1.0) == 128.0
    assert jax.jit(jax.grad(jax.checkpoint(converted)))(1.0) == 128.0
    mapped = jax.jit(jax.vmap(jax.grad(converted)))
    assert mapped(jnp.array([1.0, 3.0])).tolist() == [128.0, 64.0]
    assert jax.eval_shape(converted, 1.0).shape == ()


def test_a_run_that_exceeds_the_bound_says_so():
    with pytest.raises(jax.errors.JaxRuntimeError, match="max_iterations=8"):
        ends(bounded, 0.01)


@dataclass
class Model:
    weight: float
    calls: int = 0

    def __call__(self, x):
        self.calls += 1
        return x * self.weight if x > 0 else -x


def calls_model(x):
    model = Model(x)
    return model(x) + model(-x), model.calls


def test_a_method_is_converted_and_changes_its_object():
    assert [float(y) for y in jitted(calls_model)(2.0)] == [6.0, 2.0]


def test_importing_autograph_imports_no_jax_and_jax_may_come_later(tmp_path):
    import subprocess
    import sys

    (tmp_path / "program.py").write_text(
        "import sys, autograph\n"
        "def f(x):\n    z = []\n    if x > 0:\n        z.append(x)\n    return len(z)\n"
        "converted = autograph.to_graph(f)\n"
        "assert 'jax' not in sys.modules\n"
        "import jax\n"
        "assert jax.jit(converted)(2.0) == 1\n"
    )
    assert subprocess.run([sys.executable, tmp_path / "program.py"]).returncode == 0


def at_goal(r, c):
    if (r, c) == (3, 1):
        return 1.0
    if (r, c) < (3, 2):
        return 2.0
    if {"r": r} == {"r": 5}:
        return 3.0
    return 4.0 if (r, 1) in [(7, 1), (8, 1)] else 5.0


@pytest.mark.parametrize("place", [(3, 1), (2, 5), (5, 0), (8, 1), (9, 9)])
def test_containers_of_traced_values_are_compared_part_by_part(place):
    assert jitted(at_goal)(*place) == at_goal(*place)
