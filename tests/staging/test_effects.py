"""Effects happen when the program says so: as often, in the order, and with the values of Python.

Every statement of `tests/programs/effects.py` is in a branch, a loop, a method...; the same
calls are made to the plain function and to the graph, and the outside world is compared after each.
A program may be refused, before any effect and with a line to read.
"""

import random

import numpy as np
import pytest

import runtime as rt
from tests.generators.random_effects import module
from tests.programs.effects import STATEMENTS, TEMPLATES, program
from tests.support.effect_runs import compare, observed

# The calls, one after the other: not taken, taken, twice; no, one and five iterations.
BRANCHES = [(-1.0, 0), (2.0, 1), (0.5, 1), (-2.0, 1)]
LOOPS = [(2.0, 0), (2.0, 1), (-1.0, 2), (3.0, 5)]


def calls_of(template):
    found = LOOPS if template in ("loop", "while", "nested", "recursive") else BRANCHES
    return [(np.float64(x), np.int64(n)) for x, n in found]


# Refused, with a line to read: each with a part of the message.
ONE_SIDED = "exists after one path through a staged branch or loop, but not after another"
LENGTH = "gets longer or shorter in a staged branch or loop"
FOREIGN = "is changed in a staged branch or loop"
REFUSED = {
    "write_bytes": "cannot be converted to a Python number",
    "tofile": "'tofile' of a staged array is not known",
    **dict.fromkeys(("module_attribute", "module_list", "deque_append"), FOREIGN),
    **dict.fromkeys(("bytearray", "bytearray_item"), FOREIGN),
    "array_append": "an array is changed by each run",
    **dict.fromkeys(("device_attribute", "device_augmented", "setattr"), FOREIGN),
    "device_staged_attribute": FOREIGN,
    **dict.fromkeys(("dict_set", "dict_set_staged", "ordered"), ONE_SIDED),
    **dict.fromkeys(("list_append", "heap", "users_object"), LENGTH),
    **dict.fromkeys(("device_property", "mock_attribute"), "is set in a staged branch or loop"),
    **dict.fromkeys(("try_finally", "try_except"), "which each run calls, is inside a `try`"),
    "suppress": "is inside `with contextlib.suppress(FileNotFoundError)`",
}
OTHERS = [template for template in TEMPLATES if template not in ("branch", "loop")]


def check(folder, statement, template, wrap=rt.function):
    name = f"<effects {statement} {template}>"
    text = program(statement, template)
    refusal = compare(folder / "d", text, name, calls_of(template), wrap)
    if statement in REFUSED:
        assert refusal is None or REFUSED[statement] in refusal
    else:
        assert refusal is None, refusal


@pytest.mark.sampled(5)
@pytest.mark.parametrize("template", ["branch", "loop"])
@pytest.mark.parametrize("statement", STATEMENTS)
def test_effects_are_those_of_python(tmp_path, statement, template):
    check(tmp_path, statement, template)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("statement", STATEMENTS)
def test_effects_are_those_of_python_in_other_places(tmp_path, statement):
    check(tmp_path, statement, OTHERS[list(STATEMENTS).index(statement) % len(OTHERS)])


@pytest.mark.thorough
@pytest.mark.parametrize("template", OTHERS)
@pytest.mark.parametrize("statement", STATEMENTS)
def test_effects_are_those_of_python_everywhere(tmp_path, statement, template):
    check(tmp_path, statement, template)


# -- transformed -----------------------------------------------------------------------------------

TRANSFORMED = ["write_text", "with_open", "environ_set", "log_staged", "queue_put_staged", "warn"]
TRANSFORMED += ["print", "library_staged", "raises", "exit", "device_with", "ordered_effects"]


@pytest.mark.parametrize("template", ["branch", "method"])
@pytest.mark.parametrize("statement", TRANSFORMED)
def test_a_gradient_has_the_effects_once(tmp_path, statement, template):
    """d(2 x)/dx = 2, so twice the gradient times x is the value of the function."""

    def wrap(f):
        if getattr(f, "__module__", None) is None:
            return f
        slope = rt.grad(lambda x, n: f(x, n) * 1.0)
        return rt.function(lambda x, n: slope(x, n) * x)

    check(tmp_path, statement, template, wrap)


def by_value_and_grad(f):
    g = rt.value_and_grad(lambda x, n: f(x, n) * 1.0)
    return rt.function(lambda x, n: g(x, n)[0])


def by_jvp(f):
    return rt.function(lambda x, n: rt.jvp(lambda y: f(y, n), (x,), (1.0,))[0])


def by_vmap(f):
    g = rt.vmap(f, in_axes=(0, None))
    return rt.function(lambda x, n: g(np.stack([x]), n)[0])


def by_vmap_of_value_and_grad(f):
    g = rt.vmap(rt.value_and_grad(lambda x, n: f(x, n) * 1.0), in_axes=(0, None))
    return rt.function(lambda x, n: g(np.stack([x]), n)[0][0])


def by_function(f):
    g = rt.function(f)
    return rt.function(lambda x, n: g(x, n))


def eagerly(f):
    g = rt.function(f)

    def call(x, n):
        with rt.config.temporarily(run_functions_eagerly=True):
            return g(x, n)

    return call


WRAPPERS = [by_value_and_grad, by_jvp, by_vmap, by_vmap_of_value_and_grad, by_function, eagerly]
PAIRS = [
    (statement, template, WRAPPERS[(i + j) % len(WRAPPERS)])
    for i, statement in enumerate(STATEMENTS)
    for j, template in enumerate(TEMPLATES)
]


def wrapped_check(folder, statement, template, wrap):
    """The effects are those of Python, or the function is refused before any."""
    name = f"<effects {statement} {template}>"
    compare(folder / "d", program(statement, template), name, calls_of(template), wrap)


@pytest.mark.parametrize("part", range(6))
def test_transformed_and_wrapped_functions_have_the_effects_of_python(tmp_path, part):
    for statement, template, wrap in PAIRS[part * 22 :: 132]:
        wrapped_check(tmp_path, statement, template, wrap)


@pytest.mark.thorough
@pytest.mark.parametrize("wrap", WRAPPERS)
@pytest.mark.parametrize("template", ["branch", "loop", "nested", "method"])
def test_all_wrappers_have_the_effects_of_python(tmp_path, template, wrap):
    for statement in STATEMENTS:
        wrapped_check(tmp_path, statement, template, wrap)


def test_each_element_of_a_batch_has_its_effects_in_order(tmp_path):
    def in_python(f):
        return lambda x, n: f(x, n) + 100 * f(-x, n)

    def in_a_batch(f):
        g = rt.vmap(f, in_axes=(0, None))
        return rt.function(lambda x, n: np.sum(g(np.stack([x, -x]), n) * np.array([1.0, 100.0])))

    for statement in list(STATEMENTS)[::12]:
        text, name = program(statement, "branch"), f"<batch {statement}>"
        calls = calls_of("branch")
        expected, _ = observed(tmp_path / "d", text, name, calls, in_python)
        found, _ = observed(tmp_path / "d", text, name, calls, in_a_batch)
        for wanted, got in zip(expected, found, strict=False):
            assert got[:2] == wanted[:2], statement


# -- random ----------------------------------------------------------------------------------------


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(24))
def test_random_programs_have_the_effects_of_python(tmp_path, seed):
    text = module(random.Random(seed))
    compare(tmp_path / "d", text, f"<random effects {seed}>", calls_of("loop"))
