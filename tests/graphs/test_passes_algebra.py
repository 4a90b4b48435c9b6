"""Both sides of every rewrite rule have the same bits, for every dtype that the rule claims.

Samples include nan, inf, -0.0, extreme values, empty arrays and 0-d arrays.
"""

import itertools
import warnings

import numpy as np
import pytest

import runtime as rt
from runtime.ir.graph import operand_type, walk
from runtime.ir.types import DTYPES, PythonType, TensorType, type_of
from runtime.passes import optimized
from runtime.passes.algebra import RULES, simplify_algebra
from runtime.passes.patterns import Application, PatternVariable, Scalar, rule

SPECIAL = {
    "b": [False, True],
    "i": [0, 1, -1, 2, 5, -128, 127],
    "u": [0, 1, 2, 5, 255],
    "f": [0.0, -0.0, 1.0, -1.0, 1.5, -2.5, np.inf, -np.inf, np.nan, -np.nan, 6e-5, 60000.0],
}
SPECIAL["c"] = [complex(a, b) for a, b in itertools.product(SPECIAL["f"][:9], repeat=2)]
PYTHON = {
    "b": [False, True],
    "i": [0, 1, -1, 2**70, -(2**70)],
    "f": SPECIAL["f"],
    "c": SPECIAL["c"],
}


def arrays(dtype):
    """Arrays, 0-d arrays and scalars with all special values of a dtype."""
    values = np.array(SPECIAL[dtype.kind], dtype=dtype)
    yield values
    yield values[:0]
    yield np.resize(values, (3, 2))
    yield np.resize(values, (2, 3, 1)).copy(order="F")
    yield from map(np.array, values)
    yield from values  # NumPy scalars


def samples(kind):
    """The values that a variable of a rule may take: NumPy values and Python scalars."""
    for dtype in DTYPES.values():
        if dtype.kind == kind:
            yield from arrays(dtype)
    yield from PYTHON.get(kind, ())


def names(pattern):
    """The variables of a pattern."""
    match pattern:
        case PatternVariable(name):
            return {name}
        case Application(_, operands, _):
            return set().union(*map(names, operands))
    return set()


def attributes_for(value):
    """Values for the attributes of rules; axes are those of a matrix."""
    kind = type_of(value)
    same = kind if isinstance(kind, PythonType) else kind.dtype
    return {"t": same, "s": kind.shape, "r": (None,) * kind.ndim, "a": 0, "b": -1}


class Unfit(Exception):
    """A pattern is not defined for a sample."""


def evaluated(pattern, values, attributes):
    """The value of a pattern, and its type by the type rules of the ops."""
    match pattern:
        case PatternVariable(name):
            return values[name], type_of(values[name])
        case Scalar(value):
            return value, type_of(value)
    parts = [evaluated(part, values, attributes) for part in pattern.operands]
    given = {
        name: attributes[part.name] if isinstance(part, PatternVariable) else part
        for name, part in pattern.attributes.items()
    }
    try:
        (kind,) = pattern.op.infer_types(tuple(kind for _, kind in parts), given, {})
        return pattern.op.evaluate(np, tuple(value for value, _ in parts), given), kind
    except (TypeError, ValueError, IndexError, OverflowError) as error:
        raise Unfit from error


def bits(value):
    """A key that is equal for values that are the same to the last bit."""
    if isinstance(value, (np.ndarray, np.generic)):
        return type(value), value.dtype, value.shape, value.tobytes()
    return type(value), repr(value)


def laid_out(array):
    """The strides of an array along axes of more than one element."""
    steps = zip(array.shape, array.strides, strict=True)
    return [step for size, step in steps if size > 1] if array.size else []


def trials(candidate):
    """Samples for which both sides have one type: values of the variables, and both results."""
    variables = sorted(names(candidate.left))
    for kind in candidate.kinds:
        for value in samples(kind):
            others = (
                [value]
                if len(variables) == 1
                else [value, value[::-1] if np.ndim(value) else value]
            )
            for other in others:
                values = dict(zip(variables, (value, other)))
                attributes = attributes_for(value)
                try:
                    left, left_type = evaluated(candidate.left, values, attributes)
                    right, right_type = evaluated(candidate.right, values, attributes)
                except Unfit:
                    continue
                if isinstance(candidate.right, Scalar):
                    if left_type.shape:
                        continue  # a number matches only 0-d bools
                    right, right_type = type(left)(right), left_type
                is_view_of_number = candidate.keeps_memory and not isinstance(value, np.ndarray)
                if left_type == right_type and not is_view_of_number:
                    yield kind, values, left, right


@pytest.mark.parametrize("candidate", RULES, ids=[candidate.text for candidate in RULES])
def test_both_sides_of_a_rule_are_equal(candidate):
    tried = set()
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for kind, values, left, right in trials(candidate):
            tried.add(kind)
            assert bits(left) == bits(right), f"{candidate.text} for {values}: {left!r}, {right!r}"
            if isinstance(left, np.ndarray) and not isinstance(candidate.right, Scalar):
                assert laid_out(left) == laid_out(right)
    assert tried == set(candidate.kinds)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("add(x, 0) -> x", "f"),
        ("multiply(x, 1) -> x", "c"),
        ("divide(x, 1) -> x", "c"),
        ("absolute(negative(x)) -> absolute(x)", "u"),
        ("less_equal(x, x) -> True", "f"),
        ("invert(less(x, y)) -> greater_equal(x, y)", "f"),
        ("subtract(x, y) -> add(x, negative(y))", "f"),
        ("multiply(x, 1) -> copy(x)", "c"),
    ],
)
def test_the_samples_expose_a_wrong_rule(text, kinds):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert any(bits(left) != bits(right) for _, _, left, right in trials(rule(text, kinds)))


# -- where a rule applies --------------------------------------------------------------------------


def after(text):
    graph = simplify_algebra(rt.parse(text))
    return [node.op.name for node in walk(graph)], graph


def test_a_rule_applies_to_the_result_of_an_elementwise_op():
    ops, _ = after("""
def f(x: f64[3]):
    a: f64[3] = sin(x)
    b: f64[3] = multiply(a, 1)
    c: f64 = sum(b)
    return c
""")
    assert ops == ["sin", "sum"]


def test_a_rule_that_depends_on_memory_order_does_not_apply_to_arguments():
    ops, _ = after("""
def f(x: f64[3, 3]):
    b: f64[3, 3] = multiply(x, 1)
    c: f64 = sum(b)
    return c
""")
    assert ops == ["multiply", "sum"]
    given = np.random.default_rng(0).random((64, 64))[::3, ::5]

    def total(x):
        return np.sum(x * 1)

    assert rt.function(total)(given) == total(given)


def test_a_0_d_argument_is_not_a_scalar():
    def same(x):
        return x * 1

    assert type(rt.function(same)(np.array(2.0))) is type(same(np.array(2.0)))


def test_a_returned_value_stays_a_separate_array():
    def two(x):
        y = np.sin(x)
        return y, y * 1, -(-y)

    first, second, third = rt.function(two)(np.ones(3))
    first[0] = 9.0
    assert second[0] == third[0] == np.sin(1.0)


def test_an_array_that_is_written_is_not_merged_with_its_source():
    def written(x):
        y = np.sin(x)
        z = y * 1
        z[0] = 5.0
        return np.sum(y) + np.sum(z)

    x = np.ones(3)
    staged = rt.function(written)
    assert staged(x) == written(x)
    graph = optimized(rt.parse(str(staged.get_concrete_function(x).graph)))
    assert "multiply" not in [node.op.name for node in walk(graph)]


def test_a_number_in_a_pattern_matches_exactly():
    for number, is_gone in (("0.0", False), ("-0.0", True), ("0", False)):
        ops, _ = after(f"""
def f(x: f64[3]):
    a: f64[3] = sin(x)
    b: f64[3] = add(a, {number})
    c: f64 = sum(b)
    return c
""")
        assert ("add" not in ops) == is_gone
    ops, graph = after("""
def f(x: f64[3]):
    a: f64[3] = sin(x)
    one: f64 = constant(value=array([1.0], f64, ()))
    b: f64[3] = multiply(a, one)
    c: f64 = sum(b)
    return c
""")
    assert "multiply" not in ops
    assert operand_type(graph.outputs[0]) == TensorType(np.dtype(float))
