"""The collections of programs, functions of batches, and random gradients: eagerly and as graphs.

Types, dtypes, shapes and structures are the same; sums may be rounded in another order.
"""

import copy
import random

import language_binding  # noqa: F401  (fills PROGRAMS, like those that follow)
import language_classes  # noqa: F401
import language_comprehensions  # noqa: F401
import language_lists  # noqa: F401
import language_match  # noqa: F401
import language_none  # noqa: F401
import language_text  # noqa: F401
import numpy as np
import pytest
from batch_programs import BATCHES
from loading import load
from outcomes import check_same, outcome, quiet, same_exactly
from programs import PROGRAMS
from random_gradients import Writer, arguments

import runtime as rt
from runtime.ir.pytree import flatten

pytestmark = pytest.mark.filterwarnings("ignore::runtime.RetracingWarning")


def eagerly(function, *args):
    with rt.config.temporarily(run_functions_eagerly=True):
        return function(*args)


def check(found, wanted):
    leaves, structure = flatten(found)
    expected, shape = flatten(wanted)
    assert structure == shape
    for one, other in zip(leaves, expected, strict=True):
        assert type(one) is type(other)
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", [name for name, p in PROGRAMS.items() if p.staged])
def test_a_program_that_runs_eagerly_behaves_like_the_original(name):
    program = PROGRAMS[name]
    function = rt.function(program.function)
    for given in program.staged:
        wanted = outcome(program.function, given)
        check_same(outcome(lambda *args: eagerly(function, *args), given), wanted, same_exactly)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("function", BATCHES, ids=lambda function: function.__name__)
def test_a_function_of_a_batch_agrees(function):
    mapped, batches = rt.vmap(function), BATCHES[function]
    graph = mapped(*copy.deepcopy(batches))
    check(eagerly(mapped, *copy.deepcopy(batches)), graph)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", range(12))
def test_a_random_gradient_agrees(seed):
    module = load(Writer(random.Random(seed)).module(), f"<program {seed} of both modes>")
    module.checkpoint = rt.checkpoint
    gradient = rt.grad(module.f, (0, 1, 2, 3))
    with quiet():
        for given in list(arguments())[:2]:
            try:
                graph = gradient(*copy.deepcopy(given))
            except rt.StagingError:
                return
            check(eagerly(gradient, *copy.deepcopy(given)), graph)
