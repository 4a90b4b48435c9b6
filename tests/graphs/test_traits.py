"""The traits of an op are facts: each is compared with what the op computes for its examples."""

import functools
import itertools
import warnings

import numpy as np
import pytest
from derivative_rules import Sample, floats, is_float

from runtime.analyses.speculation import is_speculatable
from runtime.ir import op as ops
from runtime.ir.graph import Node, Value
from runtime.ir.op import UNSAID, Op
from runtime.ir.pytree import flatten
from runtime.ir.traits import VIEWS, Aliasing, NoTraits, Traits
from runtime.ir.types import type_of
from runtime.ops.examples import calls_of

RECORDS = ops.records()
RNG = np.random.default_rng(3)
EXTREMES = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e308, -1e308, 5e-324, 0.5, -2.0]


def name(op):
    return op.name


def with_trait(holds):
    """The records with a trait."""
    found = [op for op in RECORDS if op.eval is not None and holds(op.traits)]
    assert found
    return pytest.mark.parametrize("op", found, ids=name)


@functools.cache
def samples_of(op):
    return [Sample(op, operands, attributes) for operands, attributes in calls_of(op)]


def float_samples_of(op):
    return [s for s in samples_of(op) if any(map(is_float, flatten(s.operands)[0]))]


def arrays(value):
    return [leaf for leaf in flatten(value)[0] if isinstance(leaf, np.ndarray)]


def same_bits(one, other):
    pairs = zip(flatten(one)[0], flatten(other)[0], strict=True)
    return all(np.asarray(a).tobytes() == np.asarray(b).tobytes() for a, b in pairs)


# -- every record ----------------------------------------------------------------------------------


def says_traits(op: Op) -> bool:
    """Whether a record states its traits, or why none applies."""
    if isinstance(op.traits, NoTraits):
        return op.traits is not UNSAID and op.traits.why.endswith(".")
    return op.traits != Traits()


@pytest.mark.sampled(8)
@pytest.mark.parametrize("op", RECORDS, ids=name)
def test_a_record_states_its_traits_or_why_none_applies(op):
    assert says_traits(op), f"{op.name} does not say its traits"


def test_a_record_without_traits_is_found():
    silent = Op("silent", "An op that says nothing.", lambda x: x, "x")
    del ops._registry["silent"]
    assert not says_traits(silent)


def test_ops_that_traits_name_exist_and_name_this_op_in_turn():
    for op in RECORDS:
        for trait in ("swapped", "negated"):
            other = getattr(op.traits, trait)
            if other is not None:
                assert getattr(ops.find(other).traits, trait) == op.name


# -- values ----------------------------------------------------------------------------------------


@with_trait(lambda traits: traits.elementwise)
def test_an_elementwise_op_computes_each_element_from_those_at_its_index(op):
    for sample in samples_of(op):
        given = [operand for operand in sample.operands if np.ndim(operand)]
        shape = np.broadcast_shapes(*map(np.shape, sample.operands))
        whole = [np.broadcast_to(operand, shape) for operand in sample.operands]
        for result in flatten(sample.result)[0]:
            assert np.shape(result) == shape
        for place in itertools.islice(np.ndindex(shape) if given else [], 4):
            row = [operand[place][None] for operand in whole]
            alone = flatten(sample.given(row).result)[0]
            for one, result in zip(alone, flatten(sample.result)[0], strict=True):
                np.testing.assert_allclose(one[0], result[place], rtol=1e-13)


@with_trait(lambda traits: traits.elementwise)
def test_an_elementwise_op_returns_a_new_contiguous_array(op):
    for sample in samples_of(op):
        if not arrays(sample.operands) or any(np.ndim(o) < 2 for o in sample.operands):
            continue
        for order in "CF":
            turned = sample.given(np.array(operand, order=order) for operand in sample.operands)
            for result in arrays(turned.result):
                assert result.flags.c_contiguous or result.flags.f_contiguous
                assert not any(np.shares_memory(result, o) for o in arrays(turned.operands))


@with_trait(lambda traits: traits.keeps_sizes)
def test_the_result_has_the_sizes_of_the_first_operand(op):
    for sample in samples_of(op):
        assert np.shape(sample.result) == np.shape(sample.operands[0])


@with_trait(lambda traits: traits.reduction)
def test_a_reduction_has_no_more_elements_than_its_operand(op):
    for sample in samples_of(op):
        assert np.size(sample.result) <= np.size(sample.operands[0])
        kept = sample.op.evaluate(np, sample.operands, {"keepdims": True})
        assert np.shape(kept) == (1,) * np.ndim(sample.operands[0])


@with_trait(lambda traits: traits.commutative)
def test_a_commutative_op_returns_the_same_bits_with_swapped_operands(op):
    for x, y in (sample.operands for sample in samples_of(op)):
        assert same_bits(Sample(op, (x, y)).result, Sample(op, (y, x)).result)
    numbers = [number for number in EXTREMES if not np.isnan(number)]
    one, other = map(np.array, zip(*itertools.product(numbers, numbers), strict=True))
    if op.numpy is not None and "dd" in "".join(op.numpy.types):
        assert same_bits(Sample(op, (one, other)).result, Sample(op, (other, one)).result)


@with_trait(lambda traits: traits.swapped)
def test_the_swapped_op_returns_the_same_with_swapped_operands(op):
    one, other = map(np.array, zip(*itertools.product(EXTREMES, EXTREMES), strict=True))
    swapped = ops.find(op.traits.swapped)
    assert same_bits(Sample(op, (one, other)).result, Sample(swapped, (other, one)).result)


@with_trait(lambda traits: traits.negated)
def test_the_negated_op_is_true_where_this_one_is_false(op):
    numbers = [number for number in EXTREMES if not np.isnan(number)]
    one, other = map(np.array, zip(*itertools.product(numbers, numbers), strict=True))
    negated = ops.find(op.traits.negated)
    assert same_bits(~Sample(op, (one, other)).result, Sample(negated, (one, other)).result)


@with_trait(lambda traits: traits.comparison)
def test_a_comparison_returns_bools(op):
    assert all(np.asarray(sample.result).dtype == bool for sample in samples_of(op))


# -- linearity -------------------------------------------------------------------------------------


def combined(one, other):
    """2 x - 0.5 y, for the floats in two values of one structure."""
    if isinstance(one, (list, tuple)):
        return type(one)(map(combined, one, other))
    return 2.0 * one - 0.5 * other if is_float(one) else one


def like(value):
    """Other floats with the structure of a value."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(like, value))
    return np.asarray(value * 1.25 + 0.375)[()] if is_float(value) else value


def assert_linear(sample, places):
    others = [like(o) if i in places else o for i, o in enumerate(sample.operands)]
    both = [combined(*pair) for pair in zip(sample.operands, others, strict=True)]
    mixed = [b if i in places else o for i, (b, o) in enumerate(zip(both, others, strict=True))]
    found = flatten(sample.given(mixed).result)[0]
    expected = flatten(combined(sample.result, sample.given(others).result))[0]
    for one, other in zip(found, expected, strict=True):
        if is_float(other):
            np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12, err_msg=repr(sample))


@with_trait(lambda traits: len(traits.linear) > 0)
def test_an_op_is_linear_in_the_operands_that_its_record_names(op):
    found = float_samples_of(op)
    assert found or not floats([sample.result for sample in samples_of(op)])
    for sample in found:
        if all(floats(o) for i, o in enumerate(sample.operands) if i in op.traits.linear):
            assert_linear(sample, op.traits.linear)


@with_trait(lambda traits: traits.bilinear)
def test_a_bilinear_op_is_linear_in_each_operand(op):
    for sample in float_samples_of(op):
        assert_linear(sample, (0,))
        assert_linear(sample, (1,))


# -- memory ----------------------------------------------------------------------------------------


@pytest.mark.sampled(8)
@pytest.mark.parametrize("op", [op for op in RECORDS if op.eval is not None], ids=name)
def test_results_share_memory_with_operands_only_as_the_record_says(op):
    if op.effect is not None:
        return
    for sample in samples_of(op):
        operands = [writeable(operand) for operand in sample.operands]
        result = sample.given(operands).result
        kind = op.traits.aliases
        shared = {
            place
            for place, operand in enumerate(operands)
            if any(np.shares_memory(a, b) for a in arrays(operand) for b in arrays(result))
        }
        if kind is Aliasing.FRESH:
            assert not shared, sample
        elif kind in VIEWS or kind is Aliasing.ITEM:
            assert shared <= {0}, sample


def writeable(value):
    if isinstance(value, (list, tuple)):
        return type(value)(map(writeable, value))
    return np.array(value) if isinstance(value, np.ndarray) else value


@with_trait(lambda traits: traits.aliases in VIEWS)
def test_a_view_shares_memory_for_one_of_the_examples(op):
    pairs = [(sample.operands[0], sample.result) for sample in samples_of(op)]
    views = [np.shares_memory(a, b) for a, b in pairs if arrays([a]) and arrays([b])]
    assert any(views) or not views or "given" in calls_of(op)[0][1]


# -- failures --------------------------------------------------------------------------------------


def nodes_of(op):
    """Nodes of an op with operands of the examples' types, and the examples."""
    for sample in samples_of(op):
        kinds = tuple(map(type_of, sample.operands))
        if None in kinds:
            continue
        inputs = tuple(
            operand if type(operand) in (int, float) else Value(kind)
            for operand, kind in zip(sample.operands, kinds, strict=True)
        )
        made = op.infer(*kinds, **sample.attributes)
        outputs = tuple(map(Value, made if isinstance(made, tuple) else (made,)))
        yield Node(op, inputs, outputs, dict(sample.attributes)), sample


def extreme(value):
    """Operands of a type, with numbers for which functions fail or warn."""
    if not isinstance(value, (np.ndarray, np.generic)):
        return [value]
    dtype = value.dtype
    if dtype.kind == "f":
        numbers = EXTREMES
    elif dtype.kind in "iu":
        numbers = [0, 1, np.iinfo(dtype).max, np.iinfo(dtype).min]
    else:
        numbers = [False, True]
    return [np.full(np.shape(value), number, dtype)[()] for number in numbers]


@with_trait(lambda traits: traits.speculatable is not None)
def test_a_speculatable_node_neither_raises_nor_warns_for_any_operands(op):
    for node, sample in nodes_of(op):
        if not is_speculatable(node):
            continue
        for operands in itertools.product(*map(extreme, sample.operands)):
            with warnings.catch_warnings(), np.errstate(all="warn"):
                warnings.simplefilter("error")
                op.evaluate(np, operands, sample.attributes)


def test_evaluating_a_structural_op_raises_an_error_that_says_so():
    for op in RECORDS:
        if op.eval is None:
            with pytest.raises(NotImplementedError, match=f"^{op.name} is a structural op"):
                op.evaluate(np, (), {})


def test_a_zero_is_evaluated_by_its_type():
    zero = ops.find("zero")
    assert same_bits(zero.evaluate(np, (), {"type": type_of(np.ones((2, 3)))}), np.zeros((2, 3)))
    assert zero.evaluate(np, (), {"type": type_of(3)}) == 0
