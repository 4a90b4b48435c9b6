"""Differentiation rules evaluated on arrays, and the derivatives that they are compared with.

    samples(programs)            the operations that programs trace, with their operands in a run
    cotangents(sample, d)        the cotangent of each operand by the rule
    slope(sample, d, v)          the change along a direction v, by central differences

A sample is an op, its operands and its attributes; its results are those of `op.evaluate`.

The file is long because it holds the rules of several transformations, and their comparison.
"""

import functools
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import autograph
import runtime as rt
from runtime.ir import op as ops
from runtime.ir.derivative import Adjoint, Composition, NoDerivative, PartialCotangent, Partials
from runtime.ir.graph import Value
from runtime.ir.op import Op
from runtime.ir.pytree import flatten, transform, unflatten
from runtime.ir.slot import fill_slots
from runtime.ir.types import ListType, TensorType, TupleType, type_of, unify
from runtime.ops.library import is_library_op, operand_cotangents

STEP = 1e-6


@dataclass
class Sample:
    """An operation with its operands and results."""

    op: Op
    operands: tuple
    attributes: dict = field(default_factory=dict)

    @property
    def result(self):
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.op.evaluate(np, self.operands, self.attributes)

    def given(self, operands):
        """The same operation with other operands."""
        return Sample(self.op, tuple(operands), self.attributes)

    def __repr__(self):
        return f"{self.op.name}(*{self.operands!r}, **{self.attributes!r})"


# -- programs --------------------------------------------------------------------------------------


def samples(function, *arguments) -> list[Sample]:
    """The operations that a function traces, with the operands that they have in a run."""
    graph = rt.function(function).get_concrete_function(*arguments).graph
    leaves = [leaf for leaf in flatten(arguments)[0] if isinstance(leaf, (np.ndarray, np.generic))]
    assert len(leaves) == len(graph.inputs)
    found: list[Sample] = []
    _run(graph, dict(zip(graph.inputs, leaves, strict=True)), found)
    return found


def _run(graph, known, found):
    def value(operand):
        return known[operand] if isinstance(operand, Value) else operand

    for node in graph.nodes:
        operands = tuple(map(value, node.inputs))
        if node.op.name == "loop":
            going_on, *carried = operands
            while going_on:
                inputs = dict(zip(node.regions["body"].inputs, carried, strict=True))
                going_on, *carried = _run(node.regions["body"], {**known, **inputs}, found)
            results = tuple(carried)
        elif node.op.name == "cond":
            results = tuple(_run(node.regions["then" if operands[0] else "orelse"], known, found))
        elif node.op.name == "zero":
            results = (None,)
        else:
            found.append(Sample(node.op, operands, node.attributes))
            result = node.op.evaluate(np, operands, node.attributes)
            results = (result,) if len(node.outputs) == 1 else result or ()
        known.update(zip(node.outputs, results, strict=True))
    return [value(operand) for operand in graph.outputs]


# -- numbers in values -----------------------------------------------------------------------------


def is_float(value) -> bool:
    """Whether a leaf is, or holds, floats or complex numbers."""
    dtype = value.dtype if isinstance(value, rt.Tensor) else np.asarray(value).dtype
    return dtype.kind in "fc"


def floats(value) -> list:
    """The floats among the leaves of nested lists and tuples."""
    return [leaf for leaf in flatten(value)[0] if is_float(leaf)]


def drawn(rng, value):
    """Random numbers with the type and shape of a value; zeros for leaves that are not floats."""

    def like(leaf):
        if not is_float(leaf):
            return leaf * 0 if not isinstance(leaf, str) and leaf is not None else leaf
        found = rng.normal(size=np.shape(leaf))
        if np.asarray(leaf).dtype.kind == "c":
            found = found + 1j * rng.normal(size=np.shape(leaf))
        return as_type(found, leaf)

    return transform(like, value)


def as_type(found, leaf):
    """Numbers converted to the type of another leaf."""
    if isinstance(leaf, np.ndarray):
        return np.asarray(found).astype(leaf.dtype)
    return type(leaf)(np.asarray(found).astype(np.asarray(leaf).dtype)[()])


def product(one, other) -> float:
    """The real inner product of the floats in two values."""
    pairs = zip(flatten(one)[0], flatten(other)[0], strict=True)
    return float(sum(np.sum(np.real(np.conj(a) * b)) for a, b in pairs if is_float(b)))


def moved(value, direction, step):
    """A value moved along a direction."""
    leaves, structure = flatten(value)
    pairs = zip(leaves, flatten(direction)[0], strict=True)
    return unflatten(
        structure,
        [as_type(a + step * b, a) if is_float(a) else a for a, b in pairs],
    )


def slope(sample, d, place, direction, step=STEP) -> float:
    """The change of the product of d and the result, by central differences along an operand."""

    def loss(step):
        operands = list(sample.operands)
        operands[place] = moved(operands[place], direction, step)
        return product(d, sample.given(operands).result)

    return (loss(step) - loss(-step)) / (2 * step)


# -- rules -----------------------------------------------------------------------------------------


def cotangents(sample, d) -> list:
    """The cotangents by the rule of an op, cast to the types of the operands, None as zeros."""
    found = raw(sample, sample.result, d)
    if isinstance(found, NoDerivative):
        return found
    return [
        brought(c, operand) if floats(operand) else None
        for c, operand in zip(found, sample.operands, strict=True)
    ]


def raw(sample, r, d) -> list:
    """The cotangents as the rule of an op returns them."""
    op, operands, attributes = sample.op, sample.operands, sample.attributes
    match op.derivative:
        case Partials() as rule:
            return [
                _scaled(d, rule.partial(place, r, operands)) if floats(operand) else None
                for place, operand in enumerate(operands[: len(rule.formulas)])
            ]
        case Adjoint(rule) if is_library_op(op):
            return operand_cotangents(rule, d, r, operands, **attributes)
        case Adjoint(rule):
            found = rule(d, r, *operands, **attributes)
            if isinstance(found, NoDerivative):
                return found
            return [*found, *(None for _ in range(len(operands) - len(found)))]
        case Composition(function):
            return composed(function, sample, d)
    raise AssertionError(f"{op.name} has no rule")


def _scaled(d, partial):
    slope = np.conjugate(partial) if np.iscomplexobj(partial) else partial
    return np.where(d == 0, 0, d * slope)


def brought(cotangent, operand):
    """A cotangent converted to the type and shape of an operand."""
    if isinstance(operand, (list, tuple)):
        if isinstance(cotangent, PartialCotangent):
            return cotangent.added(transform(lambda leaf: leaf * 0, operand))
        if cotangent is None:
            return transform(lambda leaf: leaf * 0, operand)
        assert len(cotangent) == len(operand)
        return type(operand)(map(brought, cotangent, operand))
    if cotangent is None:
        return np.zeros_like(operand)
    if isinstance(cotangent, PartialCotangent):
        return cotangent.added(np.zeros_like(operand))
    extra = np.ndim(cotangent) - np.ndim(operand)
    assert extra >= 0, "a cotangent has fewer dimensions than the operand"
    sizes = np.shape(cotangent)[extra:]
    axes = [extra + i for i, s in enumerate(np.shape(operand)) if s == 1 and sizes[i] != 1]
    found = np.sum(cotangent, axis=(*range(extra), *axes), keepdims=True)
    assert found.shape[extra:] == np.shape(operand), "the shape of a cotangent does not fit"
    found = found.reshape(np.shape(operand))
    return (found if np.iscomplexobj(operand) else np.real(found)).astype(np.asarray(operand).dtype)


def composed(function, sample, d):
    """The cotangents by the rules of the operations in a composition."""
    operands, attributes = sample.operands, sample.attributes
    places = [
        i for i, operand in enumerate(operands) if isinstance(operand, (np.ndarray, np.generic))
    ]
    refused: list[NoDerivative] = []

    @autograph.do_not_convert
    def recorded(*arrays):
        given = list(operands)
        for place, array in zip(places, arrays, strict=True):
            given[place] = array
        if not is_library_op(sample.op):
            found = function(*given, **attributes)
        else:
            named = {name: fill_slots(part, given) for name, part in attributes["named"]}
            found = function(*fill_slots(attributes["given"], given), **named)
        if isinstance(found, NoDerivative):
            refused.append(found)
            return ()
        return found

    graph = rt.function(recorded).get_concrete_function(*(operands[i] for i in places)).graph
    if refused:
        return refused[0]
    arguments = [operands[i] for i in places]
    same_values(graph, arguments, sample.result)
    found = reverse(graph, arguments, flatten(d)[0])
    result: list[Any] = [None] * len(operands)
    for place, cotangent in zip(places, found, strict=True):
        result[place] = cotangent
    return result


def same_values(graph, arguments, expected):
    """Checks that a composition returns the same values as the function it replaces."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found = _run(graph, dict(zip(graph.inputs, arguments, strict=False)), [])
    for one, other in zip(found, flatten(expected)[0], strict=True):
        assert np.shape(one) == np.shape(other), (graph.name, one, other)
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


def reverse(graph, arguments, d) -> list:
    """The cotangents of the inputs of a graph without control flow."""
    known = dict(zip(graph.inputs, arguments, strict=False))
    steps = []

    def value(operand):
        return known[operand] if isinstance(operand, Value) else operand

    for node in graph.nodes:
        sample = Sample(node.op, tuple(map(value, node.inputs)), node.attributes)
        result = sample.result
        known.update(
            zip(node.outputs, (result,) if len(node.outputs) == 1 else result or (), strict=True)
        )
        steps.append((node, sample))
    collected: dict[Value, Any] = {}

    def add(operand, cotangent):
        if isinstance(operand, Value) and cotangent is not None:
            before = collected.get(operand)
            collected[operand] = cotangent if before is None else moved(before, cotangent, 1)

    for output, one in zip(graph.outputs, d, strict=True):
        if is_float(value(output)):
            add(output, brought(one, value(output)))
    for node, sample in reversed(steps):
        wanted = [collected.get(output) for output in node.outputs]
        if all(one is None for one in wanted):
            continue
        given = wanted[0] if len(wanted) == 1 else tuple(wanted)
        for operand, cotangent in zip(node.inputs, cotangents(sample, given), strict=True):
            add(operand, cotangent)
    return [collected.get(value) for value in graph.inputs]


# -- comparisons -----------------------------------------------------------------------------------


def without_derivative(sample) -> bool:
    """Whether the rule of a sample's op is `NoDerivative`."""
    return isinstance(sample.op.derivative, NoDerivative)


def precision(value) -> float:
    """The number of bits of the floats in a value, 0 if there are none."""
    return min((np.finfo(np.asarray(leaf).dtype).nmant for leaf in floats(value)), default=0)


def is_smooth(sample, d, place, direction, expected) -> bool:
    """Whether the one-sided slope equals the central one."""
    operands = list(sample.operands)
    operands[place] = moved(operands[place], direction, STEP)
    change = product(d, sample.given(operands).result) - product(d, sample.result)
    return abs(change / STEP - expected) <= 1e-3 * max(1.0, abs(expected))


def check(sample, rng, tolerance=2e-5, smooth_only=False):
    """Compares the rule with central differences along a random direction of each operand.

    Returns the number of operands that were compared.  With `smooth_only`, operands at which the
    function has a jump or a kink are skipped.
    """
    result = sample.result
    if precision(result) < max(map(precision, sample.operands)):
        return 0  # differences of rounded results are meaningless
    if not floats(result) or not all(np.isfinite(leaf).all() for leaf in floats(result)):
        return 0
    d = drawn(rng, result)
    given = d if not isinstance(result, tuple) or isinstance(d, tuple) else (d,)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = cotangents(sample, given)
    if isinstance(found, NoDerivative):
        return 0
    compared = 0
    for place, operand in enumerate(sample.operands):
        if not floats(operand) or sample.op.derivative is None:
            continue
        direction = drawn(rng, operand)
        expected = slope(sample, d, place, direction)
        if not np.isfinite(expected) or abs(expected) > 1e8:
            continue  # at a pole
        if smooth_only and not is_smooth(sample, d, place, direction, expected):
            continue
        got = product(found[place], direction)
        size = max(1.0, abs(expected))
        assert abs(got - expected) <= tolerance * size, (sample, place, got, expected)
        compared += 1
    return compared


# -- traced rules ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hole:
    """A placeholder for an array or NumPy scalar that is an input of a graph."""

    type: TensorType


def with_holes(value):
    """A value with holes in place of arrays and NumPy scalars."""
    is_given = isinstance(value, (np.ndarray, np.generic))
    if isinstance(value, (list, tuple)):
        return type(value)(map(with_holes, value))
    return Hole(type_of(value)) if is_given else value


def refilled(template, staged):
    """The value of a template in a graph; the holes are filled with staged values, in order."""
    if isinstance(template, tuple):
        return tuple(refilled(part, staged) for part in template)
    if isinstance(template, list):
        items = [refilled(part, staged) for part in template]
        return ops.find("list_new")(*items, element=functools.reduce(unify, map(kind, template)))
    return next(staged) if isinstance(template, Hole) else template


def kind(template):
    if isinstance(template, tuple):
        return TupleType(tuple(map(kind, template)))
    if isinstance(template, list):
        return ListType(functools.reduce(unify, map(kind, template)))
    return template.type if isinstance(template, Hole) else type_of(template)


def given_arrays(value):
    return [leaf for leaf in flatten(value)[0] if isinstance(leaf, (np.ndarray, np.generic))]


def recorded(sample, d, is_open):
    """The cotangents by a rule that is traced; with `is_open`, all sizes are unknown.

    None if the rule returns `NoDerivative`.
    """
    values = (sample.operands, sample.result, d)
    arrays, templates = given_arrays(values), tuple(map(with_holes, values))
    op, attributes = sample.op, sample.attributes
    refused: list[NoDerivative] = []

    @autograph.do_not_convert
    def gradient(arrays):
        operands, r, d = refilled(templates, iter(arrays))
        found = raw(Sample(op, operands, attributes), r, d)
        if isinstance(found, NoDerivative):
            refused.append(found)
            return []
        leaves = []
        for c, operand, template in zip(found, operands, templates[0], strict=True):
            if c is not None:
                leaves += flatten(elements(added(c, operand), template))[0]
        return leaves

    specs = [rt.TensorSpec((None,) * np.ndim(a) if is_open else a.shape, a.dtype) for a in arrays]
    found = rt.function(gradient, input_signature=[specs])(arrays)
    return None if refused else found


def composed_values(sample):
    """The results of a composition that is traced for arrays of unknown sizes."""
    function, given, named = (
        sample.op.derivative.function, sample.attributes["given"], sample.attributes["named"]
    )  # fmt: skip
    refused: list[NoDerivative] = []

    @autograph.do_not_convert
    def recorded(arrays):
        options = {name: fill_slots(part, arrays) for name, part in named}
        found = function(*fill_slots(given, arrays), **options)
        if isinstance(found, NoDerivative):
            refused.append(found)
            return ()
        return found

    arrays = list(sample.operands)
    specs = [rt.TensorSpec((None,) * np.ndim(a), np.asarray(a).dtype) for a in arrays]
    found = rt.function(recorded, input_signature=[specs])(arrays)
    return None if refused else found


def added(cotangent, operand):
    if not isinstance(cotangent, PartialCotangent):
        return cotangent
    return cotangent.added(ops.find("zero_like")(operand))


def elements(value, template):
    """A value, or the elements of a staged list."""
    if not isinstance(template, list) or isinstance(value, list):
        return value
    return [ops.find("list_get")(value, i) for i in range(len(template))]


def as_it_is(sample, d):
    found = raw(sample, sample.result, d)
    pairs = zip(found, sample.operands, strict=True)
    return flatten([added(c, operand) for c, operand in pairs if c is not None])[0]
