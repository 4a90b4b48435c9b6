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
from tests.support.effect_runs import compare

# The calls, one after the other: not taken, taken, twice; no, one and five iterations.
BRANCHES = [(-1.0, 0), (2.0, 1), (0.5, 1), (-2.0, 1)]
LOOPS = [(2.0, 0), (2.0, 1), (-1.0, 2), (3.0, 5)]


def calls_of(template):
    found = LOOPS if template in ("loop", "while", "nested", "recursive") else BRANCHES
    return [(np.float64(x), np.int64(n)) for x, n in found]


# Refused, with a line to read: each with a part of the message.
ONE_SIDED = "exists after one path through a staged branch or loop, but not after another"
FOREIGN = "is changed in a staged branch or loop"
REFUSED = {
    "write_bytes": "cannot be converted to a Python number",
    "tofile": "'tofile' of a staged array is not known",
    **dict.fromkeys(("module_attribute", "module_list", "deque_append", "bytearray_item"), FOREIGN),
    **dict.fromkeys(("device_attribute", "device_augmented", "setattr"), FOREIGN),
    "device_staged_attribute": FOREIGN,
    **dict.fromkeys(("list_append", "dict_set", "dict_set_staged", "ordered", "heap"), ONE_SIDED),
    "users_object": ONE_SIDED,
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


# -- random ----------------------------------------------------------------------------------------


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(24))
def test_random_programs_have_the_effects_of_python(tmp_path, seed):
    text = module(random.Random(seed))
    compare(tmp_path / "d", text, f"<random effects {seed}>", calls_of("loop"))
