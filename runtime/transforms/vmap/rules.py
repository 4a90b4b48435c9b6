"""The table of vmap rules: how ops are executed for a whole batch.

    elementwise              elementwise.py     the same op; Python scalars stay weak
    reductions, shapes       axes.py            axes are counted after the batch axis
    products, NumPy calls    calls.py           NumPy accepts stacks of matrices
    subscripts               subscripts.py
    lists                    lists.py
    several arrays, checks   here

A rule is called with the interpreter, the node and its operands, and is NumPy code.  It returns the
results with the batch along their first axis, or NotImplemented if only a loop over the elements
works.  Ops without a rule always run in such a loop.
"""

from typing import Any

import numpy as np

from runtime.ir.graph import Node, Operand, Value
from runtime.ir.op import find
from runtime.tracing.tensor import Tensor, apply
from runtime.transforms.vmap.axes import AXIS_RULES, batched_axis, flat
from runtime.transforms.vmap.calls import BATCHING_RULES, CALL_RULES
from runtime.transforms.vmap.control_flow import with_regions
from runtime.transforms.vmap.elementwise import ELEMENTWISE_RULES, elementwise, of_dtype
from runtime.transforms.vmap.interpreter import BatchingRules, BatchInterpreter
from runtime.transforms.vmap.lists import LIST_RULES
from runtime.transforms.vmap.nested import mapped
from runtime.transforms.vmap.subscripts import SUBSCRIPT_RULES
from runtime.transforms.vmap.values import Batched, Rule, RuleOperand


def rule_of(node: Node) -> Rule | None:
    """The rule for a node, None if it runs in a loop over the elements."""
    if node.op.name in RULES:
        return RULES[node.op.name]
    traits = node.op.traits
    if traits.batching is not None:
        return BATCHING_RULES[traits.batching]
    return elementwise if traits.elementwise else None


def _all_rows(batch, given):
    return [batch.tensor(batch.as_batched(found(one), one.type).value) for one in given]


def found(one: RuleOperand) -> Any:
    """The operand of a rule as the replacement that it was."""
    value = one.tensor._value if isinstance(one.tensor, Tensor) else one.tensor
    return Batched(value, one.type) if one.is_batched else value


def _stacked(batch, node, given):
    axis = batched_axis(node.attributes.get("axis", 0), given[0].ndim + 1)
    return apply(node.op, *_all_rows(batch, given), axis=axis)


def _concatenated(batch, node, given):
    axis = node.attributes.get("axis", 0)
    rows = _all_rows(batch, given)
    if axis is not None:
        return apply(node.op, *rows, axis=batched_axis(axis, given[0].ndim))
    pairs = zip(rows, given, strict=True)
    in_a_row = [flat(batch, RuleOperand(x, one.type, True)) for x, one in pairs]
    return apply(node.op, *in_a_row, axis=1)


def _filled(batch, node, given):
    value, *sizes = given
    if any(one.is_batched for one in sizes):
        return NotImplemented  # arrays of different shapes
    shape = node.attributes["shape"]
    shape = (shape,) if isinstance(shape, int) else shape
    staged = [one.tensor for one in sizes]
    if isinstance(batch.tensor(batch.size), Tensor):
        staged.insert(0, batch.tensor(batch.size))
    dtype = node.output.type.dtype
    aligned = of_dtype(value, dtype).aligned(len(shape))
    attributes = {"shape": (batch.known_size, *shape), "dtype": dtype}
    return apply(node.op, aligned, *staged, **attributes)


def _assert(batch, node, given):
    """The condition must hold for all elements; the first one that fails raises its error."""
    holds, *rest = given
    if not holds.is_batched:
        return NotImplemented
    everywhere = apply(find("truth"), np.all(holds.tensor))
    if not any(one.is_batched for one in rest):
        apply(node.op, everywhere, *[one.tensor for one in rest], **node.attributes)
        return None

    def fail():
        first = np.argmin(holds.tensor)._value
        known = {
            operand: batch.element(found(one), one.type, first)
            for one, operand in zip(rest, node.inputs[1:], strict=True)
            if one.is_batched
        }
        inputs = (False, *[known.get(operand, batch.read(operand)) for operand in node.inputs[1:]])
        batch.recorder.record(node.op, inputs, node.attributes)
        return ()

    batch.branches(everywhere._value, tuple, fail)
    return None


def _raise(batch, node, given):
    """Raises the exception of the first element; all elements in this branch raise one."""
    operands = [
        batch.element(found(one), one.type, 0) if one.is_batched else found(one) for one in given
    ]
    batch.recorder.record(node.op, tuple(operands), node.attributes)
    return None


def _rows(batch, node, given):
    """Ops that treat further leading axes as those of a stack."""
    return apply(node.op, *_all_rows(batch, given))


RULES: dict[str, Rule] = {  # op names: a rule for each
    "stack": _stacked,
    "concatenate": _concatenated,
    "full": _filled,
    "assert_": _assert,
    "raise_": _raise,
    "recurrence_behind": _rows,
    "advanced": _rows,
    **ELEMENTWISE_RULES,
    **AXIS_RULES,
    **CALL_RULES,
    **SUBSCRIPT_RULES,
    **LIST_RULES,
}


# -- interpreters with these rules -----------------------------------------------------------------


def batch_of(size: Operand) -> BatchInterpreter:
    """An interpreter for a batch of `size` elements."""
    return BatchInterpreter(size, BatchingRules(rule_of, with_regions))


def unfolded(node: Node) -> list[Value]:
    """Records the nodes that a `mapped` node stands for; returns its results."""
    return mapped(batch_of(1), node, node.inputs)
