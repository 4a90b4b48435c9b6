"""Algebraic simplification by rules, written as strings, that preserve every bit.

    b: f64[n] = multiply(a, 1)        (gone: its uses read a)
    c: b1 = invert(equal(x, y))       c: b1 = not_equal(x, y)

The rules hold for nan, inf and -0.0, for no elements and no dimensions, and keep dtype and type;
the tests try both sides of each.  Rules of real algebra that do not are left out: `x - x` is nan
where x is, `x + 0` is 0.0 for -0.0, and `x / 3` is not `x * (1 / 3)`.

A rule applies where the result may be another array than before (`Rewriter.can_replace`).
"""

from functools import cache
from typing import Any

import numpy as np

from runtime.ir.graph import Graph, Node, operand_type
from runtime.ir.op import Op, find
from runtime.ir.types import BOOL, TensorType
from runtime.passes.patterns import Rule, Scalar, instantiate, match_rule, rule
from runtime.passes.rewriter import GraphRewriter

TRUTH = TensorType(np.dtype(bool))

_REAL = "biuf"
_COMPLEX = "(inf + 0j) * 1 has a nan in it"
_NEGATIVE_ZERO = "-0.0 + 0 is 0.0"
_UNORDERED = "nan is neither less nor not less"
_PYTHONS = "the result is a Python bool, NumPy scalars have another type"
_AS_INTEGER = "Python has no such operator for floats, NumPy no such ufunc"

RULES = (
    # -- neutral elements
    rule("add(x, 0) -> x", "iu", _NEGATIVE_ZERO),
    rule("add(0, x) -> x", "iu", _NEGATIVE_ZERO),
    rule("add(x, -0.0) -> x", "f"),
    rule("subtract(x, 0) -> x", "iufc"),
    rule("multiply(x, 1) -> x", "iuf", _COMPLEX),
    rule("multiply(1, x) -> x", "iuf", _COMPLEX),
    rule("divide(x, 1) -> x", "f", _COMPLEX),
    rule("floor_divide(x, 1) -> x", "iu", "floats lose their fraction"),
    rule("left_shift(x, 0) -> x", "iu", _AS_INTEGER),
    rule("right_shift(x, 0) -> x", "iu", _AS_INTEGER),
    rule("bitwise_or(x, 0) -> x", "iu", _AS_INTEGER),
    rule("bitwise_xor(x, 0) -> x", "iu", _AS_INTEGER),
    rule("bitwise_and(x, x) -> x", "biu", _AS_INTEGER),
    rule("bitwise_or(x, x) -> x", "biu", _AS_INTEGER),
    rule("maximum(x, x) -> x", _REAL),
    rule("minimum(x, x) -> x", _REAL),
    rule("positive(x) -> x", "iufc"),
    rule("conjugate(x) -> x", "iuf", "complex numbers have one"),
    # -- twice is not at all, or once
    rule("negative(negative(x)) -> x", "iufc"),
    rule("invert(invert(x)) -> x", "biu", _AS_INTEGER),
    rule("logical_not(logical_not(x)) -> x", "b", "the result is a bool"),
    rule("conjugate(conjugate(x)) -> x", "c"),
    rule("absolute(absolute(x)) -> absolute(x)"),
    rule("absolute(negative(x)) -> absolute(x)", "if", "-2 as u8 is 254; nan has a sign"),
    rule("square(negative(x)) -> square(x)", "iu", "nan has a sign"),
    rule("floor(floor(x)) -> floor(x)", "f"),
    rule("ceil(ceil(x)) -> ceil(x)", "f"),
    rule("rint(rint(x)) -> rint(x)", "f"),
    # -- truth
    rule("not_(not_(x)) -> x", "b"),
    rule("not_(truth(x)) -> not_(x)"),
    rule("truth(x) -> x", "b"),
    rule("logical_not(equal(x, y)) -> not_equal(x, y)"),
    rule("logical_not(not_equal(x, y)) -> equal(x, y)"),
    rule("invert(equal(x, y)) -> not_equal(x, y)"),
    rule("invert(not_equal(x, y)) -> equal(x, y)"),
    rule("not_(equal(x, y)) -> not_equal(x, y)", "bifc", _PYTHONS),
    rule("not_(not_equal(x, y)) -> equal(x, y)", "bifc", _PYTHONS),
    rule("not_(less(x, y)) -> greater_equal(x, y)", "bi", _UNORDERED),
    rule("not_(less_equal(x, y)) -> greater(x, y)", "bi", _UNORDERED),
    rule("not_(greater(x, y)) -> less_equal(x, y)", "bi", _UNORDERED),
    rule("not_(greater_equal(x, y)) -> less(x, y)", "bi", _UNORDERED),
    rule("invert(less(x, y)) -> greater_equal(x, y)", "biu", _UNORDERED),
    rule("invert(less_equal(x, y)) -> greater(x, y)", "biu", _UNORDERED),
    rule("invert(greater(x, y)) -> less_equal(x, y)", "biu", _UNORDERED),
    rule("invert(greater_equal(x, y)) -> less(x, y)", "biu", _UNORDERED),
    rule("less(x, x) -> False", _REAL),
    rule("greater(x, x) -> False", _REAL),
    rule("less_equal(x, x) -> True", "biu", _UNORDERED),
    rule("greater_equal(x, x) -> True", "biu", _UNORDERED),
    rule("equal(x, x) -> True", "biu", "nan is not equal to itself"),
    rule("not_equal(x, x) -> False", "biu", "nan is not equal to itself"),
    # -- types
    rule("cast(x, dtype=t) -> x"),
    rule("number(x, type=t) -> x", "bifc", _PYTHONS),
    rule("relax(x, shape=s) -> x"),
    rule("relax(relax(x, shape=r), shape=s) -> relax(x, shape=s)"),
    # -- views
    rule("swapaxes(swapaxes(x, axis1=a, axis2=b), axis1=a, axis2=b) -> x"),
    rule("squeeze(expand_dims(x, axis=a), axis=a) -> x"),
    rule("flip(flip(x, axis=a), axis=a) -> x"),
    rule("getitem(x, at=(...,)) -> x"),
    rule("getitem(x, at=(slice(None, None, None),)) -> x"),
    rule("copy(copy(x)) -> copy(x)"),
)


@cache
def _rules_of(op: Any) -> tuple[Rule, ...]:
    return tuple(rule for rule in RULES if rule.left.op is op)


def simplify_algebra(graph: Graph, context: Any = None) -> Graph:
    """The graph to which no rule applies any more."""
    walk = GraphRewriter(graph)
    return walk.run(lambda node: rewritten(node, walk))


def rewritten(node: Node, walk: GraphRewriter) -> Any:
    """The operands that replace a node by the first rule that applies; None if the node stays."""
    for candidate in _rules_of(node.op):
        bindings = match_rule(candidate, node, walk.maker)
        if bindings is None:
            continue
        other = instantiate(candidate.right, bindings)
        if isinstance(other, tuple):
            if becomes(node, *other):
                return rewritten(node, walk)
        elif isinstance(candidate.right, Scalar):
            if node.output.type in (BOOL, TRUTH):
                return _known(node, other)
        elif operand_type(other) == node.output.type and walk.can_replace(
            node.output, other, candidate.keeps_memory
        ):
            return (other,)
    return None


def becomes(node: Node, op: Op, operands: tuple[Any, ...], attributes: dict[str, Any]) -> bool:
    """Makes a node apply another op, if its result is of the same type."""
    try:
        types = op.infer_types(tuple(map(operand_type, operands)), attributes, {})
    except (TypeError, ValueError):
        return False
    if types != tuple(value.type for value in node.outputs):
        return False
    node.op, node.inputs, node.attributes = op, operands, attributes
    return True


def _known(node: Node, truth: Any) -> Any:
    """A known truth value: a Python bool replaces the node; for a NumPy bool the node becomes a
    constant."""
    if node.output.type == BOOL:
        return (truth,)
    node.op, node.inputs = find("constant"), ()
    node.attributes = {"value": np.asarray(truth)}
    return None
