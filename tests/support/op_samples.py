"""Example calls of every op, as samples and as functions of the arrays in them."""

import functools

import numpy as np
from derivative_rules import Sample, floats, precision, refilled, with_holes

import autograph
import runtime as rt  # noqa: F401  (fills the registry)
from runtime.ir import op as ops
from runtime.ir.derivative import NoDerivative
from runtime.ir.op import Op
from runtime.ir.pytree import flatten
from runtime.ir.traits import Effect
from runtime.ir.types import STRING, ListType, TupleType, type_of, unify
from runtime.ops.examples import calls_of
from runtime.ops.library import is_library_op

autograph.leave_alone(__file__)  # it takes staged values apart, as a backend does


def has_value(op: Op) -> bool:
    """Whether an op has a value of its own; structural ops and those that raise do not."""
    return op.eval is not None and op.effect not in (Effect.RAISES, Effect.ERROR_STATE)


def is_differentiable(op: Op) -> bool:
    """Whether an op has operands and a derivative to compare; markers differ on purpose."""
    has_rule = op.derivative is not None and not isinstance(op.derivative, NoDerivative)
    return has_rule and has_value(op) and op.arity != 0 and not op.traits.marker


EVALUATED = [op for op in ops.records() if has_value(op)]
DIFFERENTIABLE = [op for op in ops.records() if is_differentiable(op)]


def name(op):
    return op.name


@functools.cache
def samples_of(op):
    return [Sample(op, operands, attributes) for operands, attributes in calls_of(op)]


def few_samples_of(op):
    """Two samples; one for an op that calls a library function, which other tests cover as well."""
    return samples_of(op)[: 1 if is_library_op(op) else 2]


def kind_of(value):
    """The type of a value, including lists, tuples and strings."""
    if isinstance(value, list):
        return ListType(functools.reduce(unify, map(kind_of, value)))
    if isinstance(value, tuple):
        return TupleType(tuple(map(kind_of, value)))
    return STRING if isinstance(value, str) else type_of(value)


def staged(sample):
    """A function of arrays that applies an op, and the arrays of its operands."""
    arrays = [x for x in flatten(sample.operands)[0] if isinstance(x, (np.ndarray, np.generic))]
    template, result = with_holes(sample.operands), with_holes(sample.result)
    op, attributes = sample.op, sample.attributes

    def applied(*arrays):
        return leaves(op(*refilled(template, iter(arrays)), **attributes), result)

    return applied, arrays


def leaves(found, expected):
    """The arrays and scalars in a staged value with the structure of another value."""
    if not isinstance(expected, (list, tuple)):
        return [found]
    if not isinstance(found, (list, tuple)):
        if isinstance(expected, list):
            found = [ops.find("list_get")(found, i) for i in range(len(expected))]
        else:
            found = ops.find("unpack")(found)
            found = found if isinstance(found, tuple) else (found,)
    return [leaf for pair in zip(found, expected, strict=True) for leaf in leaves(*pair)]


def is_about_floats(sample) -> bool:
    """Whether float results depend on float operands without rounding to fewer bits."""
    operands = [operand for operand in sample.operands if floats(operand)]
    return bool(operands) and precision(sample.result) >= max(map(precision, operands))
