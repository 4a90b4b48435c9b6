"""Programs of nine domains, as people write them: plain, converted, traced, with sizes unknown."""

import copy
import importlib
import warnings

import numpy as np
import pytest

import autograph
import runtime as rt

DOMAINS = (
    "linear_algebra stencils dynamic_programming robotics statistics images graphs simulations "
    "networks"
).split()
EXAMPLES = {
    repr(example): example
    for domain in DOMAINS
    for example in importlib.import_module(f"domain_{domain}").PROGRAMS
}

# A part of the message of each program that is refused.
REFUSED: dict[str, str] = {}


def test_there_are_many_programs():
    assert len(EXAMPLES) == sum(
        len(importlib.import_module(f"domain_{domain}").PROGRAMS) for domain in DOMAINS
    )
    assert len(EXAMPLES) > 190


def is_same(one, other):
    """Whether two results have the same types and bits."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(is_same, one.values(), other.values()))
    if isinstance(one, np.ndarray):
        alike = one.dtype == other.dtype and one.shape == other.shape
        return alike and one.tobytes() == other.tobytes()
    return repr(one) == repr(other)


def checked(example, function):
    """Checks results and arguments, which a function may write into, against plain Python."""
    expected_arguments = copy.deepcopy(example.arguments)
    expected = example.function(*expected_arguments)
    arguments = copy.deepcopy(example.arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rt.TracingWarning)
        found = function(*arguments)
    assert is_same(found, expected)
    assert is_same(arguments, expected_arguments)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_converted_program_is_the_original(name):
    checked(EXAMPLES[name], autograph.to_graph(EXAMPLES[name].function))


def refused_or_checked(name, function, refused):
    if name not in refused:
        return checked(EXAMPLES[name], function)
    with warnings.catch_warnings(), pytest.raises(rt.StagingError, match=refused[name]) as error:
        warnings.simplefilter("ignore", rt.TracingWarning)
        function(*copy.deepcopy(EXAMPLES[name].arguments))
    assert "domain_" in str(error.value)  # the user's file


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_traced_program_computes_the_same(name):
    refused_or_checked(name, rt.function(EXAMPLES[name].function), REFUSED)


def with_unknown_sizes(value):
    if isinstance(value, np.ndarray):
        return rt.TensorSpec((None,) * value.ndim, value.dtype)
    if isinstance(value, list):
        return [with_unknown_sizes(item) for item in value]
    if isinstance(value, dict):
        return {key: with_unknown_sizes(item) for key, item in value.items()}
    return value


OF_ARRAYS = [
    name
    for name, example in EXAMPLES.items()
    if example.sizes and any(isinstance(one, (np.ndarray, list, dict)) for one in example.arguments)
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", OF_ARRAYS)
def test_a_program_traced_without_sizes_computes_the_same(name):
    specs = [with_unknown_sizes(value) for value in EXAMPLES[name].arguments]

    def function(*arguments):
        return rt.function(EXAMPLES[name].function).get_concrete_function(*specs)(*arguments)

    refused_or_checked(name, function, REFUSED)
