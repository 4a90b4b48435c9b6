"""Loops that JAX differentiates: scans where the number of iterations is known, or bounded.

loop(True, 0, w, body=body)    for range(10): the condition depends on nothing that the run
                               computes; NumPy counts: lax.scan of 10 iterations
max_iterations=k           lax.scan of k iterations, of which those that are left over
                               pass the variables on
all others                     lax.while_loop, of which JAX has no reverse mode
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engines.xla.evaluation import UNKNOWN, is_known
from runtime.engines.xla.lowering import LOWERINGS
from runtime.frameworks.jax_evaluation import GraphEvaluation, lowers_in_graphs
from runtime.ir.graph import Graph, Node, Value, operand_type

MOST_COUNTED = 1 << 17  # iterations of a condition that NumPy counts while JAX traces


def known_iterations(run: GraphEvaluation, node: Node) -> int | None:
    """How often the body of a loop runs; None if that depends on the run."""
    first, *carried = node.inputs
    body = node.regions["body"]
    deciding = _deciding_nodes(run, body, carried)
    if deciding is None or not is_known(run.read(first)):
        return None
    nodes, read = deciding
    held = {value: run.read(one) for value, one in zip(body.inputs, carried, strict=True)}
    after = dict(zip(body.inputs, body.outputs[1:], strict=True))
    count, goes_on = 0, bool(np.all(run.read(first)))
    while goes_on:
        count += 1
        if count > MOST_COUNTED:
            return None
        known = {**run.values, **held}
        for one in nodes:
            operands = tuple(_of(known, operand) for operand in one.inputs)
            found = one.op.evaluate(np, operands, one.attributes)
            results = found if len(one.outputs) > 1 else (found,)
            known.update(zip(one.outputs, results, strict=True))
        held = {value: _of(known, after[value]) for value in read}
        goes_on = bool(np.all(_of(known, body.outputs[0])))
    return count


def _of(known: dict[Value, Any], operand: Any) -> Any:
    return known[operand] if isinstance(operand, Value) else operand


def _deciding_nodes(run: GraphEvaluation, body: Graph, carried: list[Any]) -> Any:
    """The nodes of a body that its condition depends on, and the variables that they read; None
    if the condition depends on what a run computes."""
    makers = {value: node for node in body.nodes for value in node.outputs}
    after = dict(zip(body.inputs, body.outputs[1:], strict=True))
    start = dict(zip(body.inputs, carried, strict=True))
    pending, nodes, read = [body.outputs[0]], set(), set()
    while pending:
        value = pending.pop()
        if not isinstance(value, Value) or value in read:
            continue
        if value in start:
            if not is_known(run.read(start[value])):
                return None
            read.add(value)
            pending.append(after[value])
        elif value in makers:
            node = makers[value]
            if node.regions or node.op.effect is not None or node.op.evaluate is None:
                return None
            if node not in nodes:
                nodes.add(node)
                pending += node.inputs
        elif not is_known(run.values[value]):
            return None
    return [node for node in body.nodes if node in nodes], read


@lowers_in_graphs("loop")
def loop(run: GraphEvaluation, node: Node, *operands: Any) -> None:
    """Repeats a region while its first result is true."""
    count, most = known_iterations(run, node), node.attributes.get("max_iterations")
    repeats = run.repeats
    run.repeats = None if repeats is None else _product(repeats, count if most is None else most)
    try:
        if count is not None and (most is None or count <= most):
            run.repeats = _product(repeats, count)
            _scan(run, node, count, is_bound=False)
        elif most is not None:
            _scan(run, node, most, is_bound=True)
        else:
            LOWERINGS["loop"](run, node, *operands)
    finally:
        run.repeats = repeats


def _product(repeats: int | None, count: int | None) -> int | None:
    return None if repeats is None or count is None else repeats * count


def _scan(run: GraphEvaluation, node: Node, count: int, is_bound: bool) -> None:
    """A loop of so many iterations; if that is a bound, more of them fail."""
    condition, *carried = node.inputs
    kinds = [value.type for value in node.outputs]
    body = node.regions["body"]
    may_fail: list[bool] = []

    def iteration(state: Any) -> Any:
        _, values, failed = state
        was_conditional, run.is_conditional = run.is_conditional, run.is_conditional or is_bound
        inner, _ = run.region(body, values, [UNKNOWN] * len(values))
        run.is_conditional = was_conditional
        test, *new = body.outputs
        may_fail.append(inner.failed is not False)
        going = jnp.reshape(inner.cast(test, operand_type(test).dtype), ()) != 0
        results = tuple(inner.converted(one, to) for one, to in zip(new, kinds, strict=True))
        return going, results, failed | inner.failed

    def step(state: Any, _: Any) -> Any:
        if not is_bound:
            return iteration(state), None
        return jax.lax.cond(state[0] & ~state[2], iteration, lambda given: given, state), None

    first = jnp.reshape(run.cast(condition, operand_type(condition).dtype), ()) != 0
    values = tuple(run.converted(one, to) for one, to in zip(carried, kinds, strict=True))
    start = first, values, jnp.asarray(False)
    (going, found, failed), _ = jax.lax.scan(step, start, None, length=count)
    run.fail_if(failed if any(may_fail) else False)
    run.fail_if(going if is_bound else False)
    for value, result in zip(node.outputs, found, strict=True):
        run.define(value, result)


@lowers_in_graphs("cond")
def cond(run: GraphEvaluation, node: Node, condition: Any) -> None:
    """The results of one of two regions."""
    was_conditional = run.is_conditional
    run.is_conditional = was_conditional or not is_known(condition)
    try:
        LOWERINGS["cond"](run, node, condition)
    finally:
        run.is_conditional = was_conditional


@lowers_in_graphs("checkpoint")
def checkpoint(run: GraphEvaluation, node: Node, *_: Any) -> None:
    """The results of a region, whose values `jax.checkpoint` computes again for gradients."""
    region = node.regions["body"]
    kinds = [value.type for value in node.outputs]
    may_fail: list[bool] = []

    def results() -> Any:
        inner, _ = run.region(region, (), ())
        may_fail.append(inner.failed is not False)
        pairs = zip(region.outputs, kinds, strict=True)
        return tuple(inner.converted(one, kind) for one, kind in pairs), jnp.asarray(inner.failed)

    found, failed = jax.checkpoint(results)()
    run.fail_if(failed if any(may_fail) else False)
    for value, result in zip(node.outputs, found, strict=True):
        run.define(value, result)
