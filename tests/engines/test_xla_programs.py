"""The collections of programs on the XLA engine: each shows what Python shows.

Floats may differ in their last digits; everything else is equal: types, effects, exceptions,
arguments after the run.
"""

import importlib

import language_binding  # noqa: F401  (fills PROGRAMS, like those that follow)
import language_classes  # noqa: F401
import language_comprehensions  # noqa: F401
import language_lists  # noqa: F401
import language_match  # noqa: F401
import language_none  # noqa: F401
import language_text  # noqa: F401
import numpy as np
import pytest
from outcomes import check_same, is_as_wide, is_container, outcome, same_containers
from programs import PROGRAMS

import runtime as rt

pytest.importorskip("jax", reason="the XLA engine needs the extra `jax`")
pytestmark = pytest.mark.filterwarnings("ignore")
DOMAINS = [
    "dynamic_programming", "graphs", "images", "linear_algebra", "networks", "robotics",
    "simulations", "statistics", "stencils",
]  # fmt: skip
EXAMPLES = [
    example
    for domain in DOMAINS
    for example in importlib.import_module(f"domain_{domain}").PROGRAMS
]
NAMES = [name for name, program in PROGRAMS.items() if program.staged]


def close(a, b):
    """Whether two values are of one type, or the first of a wider one, and equal but for roundings."""
    if isinstance(b, (float, complex, np.ndarray, np.generic)):
        x, y = np.asarray(a), np.asarray(b)
        if y.dtype.kind not in "fc":
            return is_as_wide(a, b) and np.array_equal(x, y)
        digits = 1e-3 if y.dtype.itemsize < 8 else 1e-9
        return is_as_wide(a, b) and np.allclose(x, y, rtol=digits, atol=digits, equal_nan=True)
    if is_container(b):
        return type(a) is type(b) and same_containers(a, b, close)
    return (isinstance(a, (int, float)) and a == b) if isinstance(b, int) else a == b


def few_of(found, step):
    """Parameters of which all but every `step`-th are thorough."""
    thorough = pytest.mark.thorough
    return [
        pytest.param(one, marks=() if i % step == 3 else thorough) for i, one in enumerate(found)
    ]


@pytest.mark.parametrize("example", few_of(EXAMPLES, 8), ids=repr)
def test_a_program_of_a_domain(example):
    compiled = rt.function(example.function, engine="xla")
    for _ in range(2):
        got = outcome(compiled, example.arguments)
        if isinstance(got.error, rt.errors.StagingError):
            pytest.skip(str(got.error).splitlines()[0])
        check_same(got, outcome(example.function, example.arguments), close)


@pytest.mark.parametrize("name", few_of(NAMES, 16))
def test_a_program_of_the_language(name):
    program = PROGRAMS[name]
    compiled = rt.function(program.function, engine="xla")
    for given in program.staged:
        got = outcome(compiled, given)
        if isinstance(got.error, rt.errors.StagingError):
            pytest.skip(str(got.error).splitlines()[0])
        check_same(got, outcome(program.function, given), close)
