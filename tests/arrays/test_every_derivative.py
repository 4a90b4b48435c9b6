"""For every record with a derivative, both modes agree, in first and second order.

    <d, jvp(t)> = <vjp(d), t>           forward and reverse mode are transposes
    vjp(2 d - 3 e), vjp(0)              cotangents are linear in the cotangents of the results
    jvp(grad), grad(jvp)                both are the second derivative along a direction
    (grad(x + h t) - grad(x - h t)) / 2h

Operands are those of the record's examples, real and complex, and Python numbers where they are
scalars.
"""

import warnings

import numpy as np
import pytest
from derivative_rules import as_type, drawn, floats, is_float
from op_samples import DIFFERENTIABLE, few_samples_of, is_about_floats, kind_of, name, staged

import runtime as rt
from runtime.ir.pytree import flatten

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.sampled(8),
]
STEP = 1e-5
# Eigenvectors of matrices that are not Hermitian, of which eigh reads a half, have any phase.
HALF_READ = {"linalg_eigh", "linalg_eigvalsh", "linalg_cholesky"}


def with_leaves(value, change):
    """Operands with `change` applied to their float arrays and scalars."""
    if isinstance(value, (list, tuple)):
        return type(value)(with_leaves(part, change) for part in value)
    is_given = isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind == "f"
    return change(value) if is_given else value


def variants(op):
    """The samples of an op, and those with complex operands that it accepts."""
    for sample in few_samples_of(op):
        yield sample
        if op.name in HALF_READ or op.name.startswith("math_"):
            continue
        changed = with_leaves(sample.operands, lambda x: x * (1 + 0.3j) + 0.05j)
        new = sample.given(changed)
        try:
            op.infer(*map(kind_of, new.operands), **sample.attributes)
            leaves = floats(new.result)
        except (TypeError, ValueError, ArithmeticError, np.linalg.LinAlgError):
            continue
        if leaves and any(map(np.iscomplexobj, floats(new.operands))):
            yield new


class Problem:
    """A sample as a function of its float operands, with random directions."""

    def __init__(self, sample, rng):
        function, arrays = staged(sample)
        places = [i for i, array in enumerate(arrays) if is_float(array)]
        results = flatten(sample.result)[0]
        self.outputs = [i for i, leaf in enumerate(results) if is_float(leaf)]
        self.given = tuple(arrays[place] for place in places)

        def values(given):
            full = list(arrays)
            for place, one in zip(places, given, strict=True):
                full[place] = one
            found = function(*full)
            return tuple(found[i] for i in self.outputs)

        self.values = values
        self.tangent = tuple(drawn(rng, one) for one in self.given)
        self.weights = tuple(drawn(rng, results[i]) for i in self.outputs)
        self.others = tuple(drawn(rng, results[i]) for i in self.outputs)

    def loss(self, given):
        """A real function of the values that is not linear in them."""
        total = 0.0
        for value, weight in zip(self.values(given), self.weights, strict=True):
            total = total + np.sum(np.real(np.conj(weight) * value))
            total = total + 0.1 * np.sum(np.real(np.conj(value) * value))
        return total


def inner(one, other):
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    return sum(np.sum(np.real(np.conj(a) * b)) for a, b in pairs)


def close(found, expected, tolerance):
    for one, other in zip(found, expected, strict=True):
        if one is not None:
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def first_order(problem):
    _, tangent = rt.jvp(problem.values, (problem.given,), (problem.tangent,))
    _, pull = rt.vjp(problem.values, problem.given)
    d, e = problem.weights, problem.others
    of_d, of_e = pull(d)[0], pull(e)[0]
    pairs = zip(d, e, strict=True)
    mixed = pull(tuple(as_type(2 * a - 3 * b, a) for a, b in pairs))[0]
    zero = pull(tuple(as_type(0 * a, a) for a in d))[0]
    assert np.isclose(inner(d, tangent), inner(of_d, problem.tangent), rtol=1e-7, atol=1e-8)
    close(mixed, [2 * a - 3 * b for a, b in zip(of_d, of_e, strict=True)], 1e-7)
    assert all(np.all(np.asarray(one) == 0) for one in zero)


def second_order(problem):
    gradient = rt.grad(lambda given: problem.loss(given))

    def derivatives(given, tangent):
        first, forward = rt.jvp(gradient, (given,), (tangent,))

        def along(given):
            return rt.jvp(problem.loss, (given,), (tangent,))[1]

        return first, forward, rt.grad(along)(given)

    run = rt.function(derivatives)

    def at(step):
        pairs = zip(problem.given, problem.tangent, strict=True)
        return run(tuple(as_type(x + step * t, x) for x, t in pairs), problem.tangent)

    first, forward, backward = at(0.0)
    close(forward, backward, 1e-6)
    up, down = at(STEP)[0], at(-STEP)[0]
    for one, middle, high, low in zip(forward, first, up, down, strict=True):
        smooth = np.abs(high - 2 * middle + low) <= 1e-6 * np.maximum(1, np.abs(middle))
        found = np.isclose(one, (high - low) / (2 * STEP), rtol=2e-4, atol=2e-4)
        assert np.all(found | ~smooth)


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=name)
@pytest.mark.parametrize("check", [first_order, second_order])
def test_both_modes_agree(op, check):
    for sample in filter(is_about_floats, variants(op)):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            problem = Problem(sample, np.random.default_rng(3))
            if not problem.given or not problem.outputs:
                continue
            try:
                check(problem)
            except rt.StagingError as error:
                assert "cannot be differentiated" in str(error), (sample, error)
