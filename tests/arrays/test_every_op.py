"""Every op is evaluated, differentiated and batched with the examples of its record.

No op is named here.  A new op is tested as soon as its record exists; if it needs examples and has
none, the tests fail with its name.
"""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from derivative_rules import (
    check,
    drawn,
    floats,
    is_float,
    moved,
)
from op_samples import (
    DIFFERENTIABLE,
    EVALUATED,
    few_samples_of,
    is_about_floats,
    kind_of,
    name,
    samples_of,
    staged,
)

import autograph
import runtime as rt
from runtime.ir import op as ops
from runtime.ir.derivative import Adjoint, Partials
from runtime.ir.pytree import flatten
from runtime.ir.types import UnionType, fits
from runtime.ops.library import is_library_op

RNG = np.random.default_rng(7)

# These trace a graph for each example.
pytestmark = pytest.mark.filterwarnings("ignore::runtime.RetracingWarning")


def quietly(function, *arguments):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return function(*arguments)


# -- values ----------------------------------------------------------------------------------------


@pytest.mark.sampled(5)
@pytest.mark.parametrize("op", EVALUATED, ids=name)
def test_the_value_of_an_op_has_the_type_that_its_rule_infers(op):
    found = samples_of(op)
    assert found, f"{op.name} needs examples in its record"
    for sample in found:
        inferred = op.infer(*map(kind_of, sample.operands), **sample.attributes)
        kinds = inferred if isinstance(inferred, tuple) else (inferred,)
        results = (sample.result,) if len(kinds) == 1 else sample.result or ()
        for value, kind in zip(results, kinds, strict=True):
            if value not in ([], ()) if isinstance(value, (list, tuple)) else True:
                assert fits(kind_of(value), kind), (sample, str(kind_of(value)), str(kind))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("op", [op for op in DIFFERENTIABLE if not is_library_op(op)], ids=name)
def test_a_graph_computes_the_value_of_the_op(op):
    for sample in few_samples_of(op):
        function, arrays = staged(sample)
        if not arrays:
            continue
        found = quietly(rt.function(function), *arrays)
        expected = flatten(sample.result)[0]
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other, err_msg=repr(sample))


# -- derivatives -----------------------------------------------------------------------------------


def compared(op) -> int | None:
    """The number of operands that were compared with central differences.

    None if the op computes no floats from floats.
    """
    found = [sample for sample in samples_of(op) if is_about_floats(sample)]
    return sum(check(sample, RNG, 1e-4, smooth_only=True) for sample in found) if found else None


@pytest.mark.sampled(4)
@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=name)
def test_the_derivative_of_an_op_agrees_with_central_differences(op):
    assert compared(op) != 0, f"{op.name} has no example whose derivative can be compared"


def of_one(function, arrays, place):
    """A function of one of the arrays, the others fixed."""

    @autograph.do_not_convert
    def of_it(array):
        return function(*arrays[:place], array, *arrays[place + 1 :])

    return of_it


def first_float(arrays):
    """The index of the first array of floats; None if there is none."""
    return next((i for i, array in enumerate(arrays) if is_float(array)), None)


def in_place_of(sample, arrays):
    """The value of an op with its arrays replaced."""
    operands = with_arrays(sample.operands, iter(arrays))
    return [np.asarray(leaf) for leaf in flatten(sample.given(operands).result)[0]]


def with_arrays(value, arrays):
    """Operands with their arrays replaced, in order."""
    if isinstance(value, (list, tuple)):
        return type(value)(with_arrays(part, arrays) for part in value)
    return next(arrays) if isinstance(value, (np.ndarray, np.generic)) else value


@pytest.mark.sampled(4)
@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=name)
def test_the_tangent_of_an_op_agrees_with_central_differences(op):
    for sample in filter(is_about_floats, few_samples_of(op)):
        function, arrays = staged(sample)
        place = first_float(arrays)
        if place is None or any(map(np.iscomplexobj, floats(sample.result))):
            continue
        direction = drawn(RNG, arrays[place])

        def moved_by(step, sample=sample, arrays=arrays, place=place, direction=direction):
            new = moved(arrays[place], direction, step)
            return in_place_of(sample, [*arrays[:place], new, *arrays[place + 1 :]])

        try:
            one = of_one(function, arrays, place)
            _, tangents = quietly(rt.jvp, one, (arrays[place],), (direction,))
        except rt.StagingError as error:
            assert "cannot be differentiated" in str(error)
            continue
        down, here, up = (moved_by(step) for step in (-1e-6, 0.0, 1e-6))
        for tangent, *values in zip(tangents, down, here, up, strict=True):
            if tangent is not None:
                low, middle, high = values
                smooth = np.abs(high - 2 * middle + low) <= 1e-9 * np.maximum(1, np.abs(middle))
                expected = (high - low) / 2e-6
                close = np.isclose(tangent, expected, rtol=1e-4, atol=1e-4)
                assert np.all(close | ~smooth), (sample, tangent, expected)


# -- batches ---------------------------------------------------------------------------------------


@pytest.mark.sampled(4)
@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=name)
def test_vmap_of_an_op_equals_a_loop(op):
    for sample in few_samples_of(op):
        function, arrays = staged(sample)
        place = first_float(arrays)
        kind = op.infer(*map(kind_of, sample.operands), **sample.attributes)
        if place is None or isinstance(kind, UnionType):  # mapped code records no unions
            continue
        rows = [arrays[place], arrays[place] * 1.01]
        found = quietly(rt.vmap(of_one(function, arrays, place)), np.stack(rows))
        each = [in_place_of(sample, [*arrays[:place], row, *arrays[place + 1 :]]) for row in rows]
        for one, *expected in zip(found, *each, strict=True):
            np.testing.assert_allclose(one, np.stack(expected), rtol=1e-10, atol=1e-12)


# -- planted faults -----------------------------------------------------------------------------------


@pytest.mark.parametrize("planted", ["list_stack", "concatenate", "getitem", "scaled"])
def test_a_wrong_derivative_of_an_op_without_a_ufunc_is_found(planted, monkeypatch):
    op = ops.find(planted)
    assert not isinstance(op.numpy, np.ufunc) and op in DIFFERENTIABLE
    monkeypatch.setitem(vars(op), "derivative", twice(op.derivative))
    with pytest.raises(AssertionError):
        compared(op)


def twice(rule):
    """A rule that is wrong by a factor of two."""
    if isinstance(rule, Partials):
        return Partials(*(f"2 * ({formula})" for formula in rule.formulas))
    return Adjoint(lambda d, r, *operands, **options: rule.rule(2 * d, r, *operands, **options))


def test_an_op_without_examples_is_found():
    op = replace(ops.find("getitem"), name="getitem_without_examples", examples=None)
    del ops._registry[op.name]
    with pytest.raises(AssertionError, match="getitem_without_examples needs examples"):
        test_the_value_of_an_op_has_the_type_that_its_rule_infers(op)
