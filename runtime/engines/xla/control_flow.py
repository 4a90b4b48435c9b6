"""Conditionals as `lax.cond`, loops as `lax.while_loop`; what raises leaves the piece.

loop(p, a, body=body)      while_loop over p, a, whether it has failed, and identities of arrays
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engines.xla.evaluation import Evaluation, Rows, is_known
from runtime.engines.xla.lowering import NotLowered, lowers
from runtime.ir.graph import Graph, Node, operand_type

BOOL = np.dtype(bool)


def _failed(run: Evaluation) -> Any:
    return jnp.asarray(run.failed, bool)


def _identities(found: list[Any]) -> Any:
    return tuple(jnp.asarray(one, np.int32) for one in found)


def _finish(run: Evaluation, node: Node, results: Any, identities: Any) -> None:
    for value, result, identity in zip(node.outputs, results, identities, strict=True):
        run.define(value, result, identity)
        if isinstance(result, Rows) and run.capacities is not None and run.is_outermost:
            run.capacities.need(result.place, result.most)


@lowers("cond")
def cond(run: Evaluation, node: Node, condition: Any) -> None:
    """The results of one of two regions."""
    kinds = [value.type for value in node.outputs]
    if is_known(condition):
        _in_place(run, node, node.regions["then" if condition else "orelse"])
        return

    may_fail: set[bool] = set()

    def branch(region: Graph) -> Any:
        def results() -> Any:
            inner, identities = run.region(region, (), ())
            may_fail.add(inner.failed is not False)
            found = [
                inner.converted(one, to) for one, to in zip(region.outputs, kinds, strict=True)
            ]
            return tuple(found), _identities(identities), _failed(inner)

        return results

    branches = (branch(node.regions["then"]), branch(node.regions["orelse"]))
    found, identities, failed = jax.lax.cond(jnp.reshape(condition, ()) != 0, *branches)
    run.fail_if(failed if True in may_fail else False)
    _finish(run, node, found, identities)


@lowers("loop")
def loop(run: Evaluation, node: Node, *_: Any) -> None:
    """Repeats a region while its first result is true."""
    condition, *carried = node.inputs
    body = node.regions["body"]
    kinds = [value.type for value in node.outputs]
    most = node.attributes.get("max_iterations")

    def again(state: Any) -> Any:
        test, _, _, failed, _ = state
        return test & ~failed

    def iteration(state: Any) -> Any:
        _, values, identities, _, count = state
        inner, found = run.region(body, values, identities)
        test, *new = body.outputs
        results = tuple(inner.converted(one, to) for one, to in zip(new, kinds, strict=True))
        going = jnp.reshape(inner.cast(test, operand_type(test).dtype), ()) != 0
        if most is not None:
            inner.fail_if(going & (count + 1 >= most))
        return going, results, _identities(found[1:]), _failed(inner), count + 1

    first = jnp.reshape(run.cast(condition, operand_type(condition).dtype), ()) != 0
    values: Any = tuple(run.converted(one, to) for one, to in zip(carried, kinds, strict=True))
    start_identities = _identities([run.identity(operand) for operand in carried])
    start = (first, values, start_identities, jnp.asarray(False), jnp.asarray(0, np.int64))
    end: Any = jax.lax.while_loop(again, iteration, start)
    _, found, identities, failed, _ = end
    run.fail_if(failed)
    _finish(run, node, found, identities)


@lowers("checkpoint")
def checkpoint(run: Evaluation, node: Node, *_: Any) -> None:
    """The results of the region, in place."""
    _in_place(run, node, node.regions["body"])


def _in_place(run: Evaluation, node: Node, region: Graph) -> None:
    """The results of a region that always runs."""
    inner, identities = run.region(region, (), ())
    run.fail_if(inner.failed)
    found = [
        inner.converted(one, value.type)
        for one, value in zip(region.outputs, node.outputs, strict=True)
    ]
    _finish(run, node, found, identities)


@lowers("assert_")
def assert_(run: Evaluation, node: Node, condition: Any, *_: Any) -> tuple[()]:
    """Fails if the condition is false: the NumPy program raises."""
    run.fail_if(jnp.logical_not(condition))
    return ()


@lowers("raise_", "failing")
def raises(run: Evaluation, node: Node, *_: Any) -> tuple[()]:
    """Fails: the NumPy program raises."""
    run.fail_if(jnp.asarray(True))
    return ()


@lowers("observed")
def observed(run: Evaluation, node: Node, *_: Any) -> tuple[()]:
    """Nothing: what raises has failed already."""
    return ()


@lowers("enter_errors")
def enter_errors(run: Evaluation, node: Node) -> tuple[()]:
    """The start of `with np.errstate(...)`."""
    state = dict(run.errors[-1])
    for kind, word in node.attributes["options"]:
        kinds = ("divide", "over", "under", "invalid") if kind == "all" else (kind,)
        if word is not None and kind != "call":
            state.update(dict.fromkeys(kinds, word))
    run.errors.append(state)
    return ()


@lowers("leave_errors")
def leave_errors(run: Evaluation, node: Node) -> tuple[()]:
    """The end of `with np.errstate(...)`."""
    run.errors.pop()
    return ()


@lowers("unreachable")
def unreachable(run: Evaluation, node: Node, *_: Any) -> Any:
    """A placeholder after what always raises."""
    raise NotLowered("a placeholder has no value")
