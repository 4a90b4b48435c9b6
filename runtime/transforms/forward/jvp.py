"""Forward mode: tangents go along with values, in one pass and in constant memory.

    value, tangent = rt.jvp(f, (x,), (t,))       tangent: how f(x) changes where x changes by t

The function is recorded (`replay.py`) and its nodes replayed, each with what its result's tangent
is (`tangents.py`).  A loop of any number of turns carries its tangents along, so nothing is kept.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar, TypeVarTuple

from runtime.function.transformation import AS_IT_IS
from runtime.function.transformed import transformed
from runtime.ir.graph import operand_type
from runtime.ir.op import find
from runtime.ir.pytree import LEAF, flatten, unflatten
from runtime.tracing import trace
from runtime.tracing.conversion import staged_type
from runtime.tracing.tensor import Tensor, apply, operand, staged
from runtime.transforms.forward.tangents import Tangents
from runtime.transforms.replay import as_result, recorded
from runtime.transforms.reverse.activity import is_differentiable
from runtime.transforms.reverse.cotangents import exactly

R = TypeVar("R")
Arguments = TypeVarTuple("Arguments")


def jvp(
    fn: Callable[[*Arguments], R],
    primals: tuple[*Arguments] | list[Any],
    tangents: Sequence[Any],
) -> tuple[R, Any]:
    """What `fn` gives for the arguments `primals`, and how that changes where these change by
    `tangents`: the derivative of the result along a direction.

    A tangent is like its argument: a number, an array of its shape, or containers of them; None for
    an argument that does not change, as integers never do.  The tangent of the result is like the
    result, None for what has no derivatives.  Raises `TypeError` and `ValueError` where tangents
    are not like the arguments.

    >>> jvp(lambda x, y: x * y, (3.0, 4.0), (1.0, 0.5))
    (12.0, 5.5)
    """
    primals, tangents = tuple(primals), tuple(tangents)  # type: ignore[assignment]
    if len(primals) != len(tangents):
        raise TypeError(f"jvp is given {len(primals)} arguments, and {len(tangents)} tangents")
    if trace.current() is not None:
        return _pushed(fn, primals, tangents)
    pushed = functools.partial(_pushed, fn)
    return transformed(pushed, replace(AS_IT_IS, staged=(0, 1)))(primals, tangents)


def _pushed(fn, primals, tangents):
    """The value and its tangent, while a graph is recorded."""
    pairs = [pair for both in zip(primals, tangents, strict=True) for pair in _paired(*both)]
    entered = transformed(fn, AS_IT_IS)
    if trace.current().is_eager:
        return _pushed_at_once(entered, primals, pairs)
    types, names, given = {}, {}, {}
    for place, (primal, tangent) in enumerate(pairs):
        if staged_type(primal) is not None and not isinstance(primal, str):
            own = apply(find("alias"), staged(primal))
            types[place], names[place] = own.type, f"argument_{place}"
            given[place] = own, tangent
    function = recorded(entered, (primals, {}), types, names)
    forward = Tangents()
    for value, (own, tangent) in zip(function.region.inputs, given.values(), strict=True):
        forward.known[value] = own._value
        forward.set_tangent(own._value, tangent)
    found = iter(forward.run(function.region))
    values, results = [], []
    for leaf in function.leaves:
        if leaf.is_plain:
            values.append(leaf.plain)
            results.append(None)
            continue
        value = next(found)
        absent = next(found) if leaf.absent is not None else None
        values.append(as_result(leaf, value, absent))
        results.append(_tangent(forward, leaf, value, absent))
    for place, end in zip(function.written, found, strict=True):
        pairs[place][0][...] = Tensor(end, trace.current().region)
    return function.result(values), function.result(results)


def _tangent(forward, leaf, value, absent):
    """The tangent of a result, like the result; None for what has no derivatives."""
    if not is_differentiable(operand_type(value)):
        return None
    return as_result(leaf, forward.tangent_or_zero(value), absent)


def _pushed_at_once(entered, primals, pairs):
    """The value and its tangent where operations run as they are recorded: their nodes are walked
    behind them."""
    recorder = trace.current()
    region = recorder.region
    leaves = [
        apply(find("alias"), staged(primal)) if staged_type(primal) is not None else primal
        for primal, _ in pairs
    ]
    first = len(region.nodes)
    forward = Tangents(is_done=True)
    for leaf, (_, tangent) in zip(leaves, pairs, strict=True):
        if isinstance(leaf, Tensor):
            forward.set_tangent(leaf._value, tangent)
    _, structure = flatten(primals)
    value = entered(*unflatten(structure, leaves))
    forward.walk(region.nodes[first:])
    results, shape = flatten(value)
    tangents = [
        Tensor(forward.tangent_or_zero(operand(one, recorder)), region)
        if isinstance(one, Tensor) and is_differentiable(one.type)
        else None
        for one in results
    ]
    return value, unflatten(shape, tangents)


def _paired(primal, tangent):
    """The leaves of an argument, each with its tangent of its type, None for zero.

    Raises `TypeError` or `ValueError` where they do not fit.
    """
    leaves, structure = flatten(primal)
    given, its_structure = flatten(tangent)
    if tangent is None:
        given = [None] * len(leaves)
    elif its_structure != structure:
        what = "a value" if structure == LEAF else str(structure)
        raise TypeError(f"an argument of jvp is {what}, and its tangent {its_structure}")
    return [(leaf, _fitting(leaf, one)) for leaf, one in zip(leaves, given, strict=True)]


def _fitting(primal, tangent):
    """A tangent as one of the type of what it is a tangent of."""
    kind = staged_type(primal)
    if tangent is None:
        return None
    if kind is None or not is_differentiable(kind):
        raise TypeError(
            f"an argument of jvp is {kind or type(primal).__name__}, and has a tangent\n"
            "Derivatives are by floats and complex numbers.\n"
            "Pass a float: 3.0 for 3; or None as its tangent."
        )
    staged_tangent = staged(tangent)
    if staged_tangent.type.shape != kind.shape:
        raise ValueError(f"an argument of jvp is {kind}, its tangent {staged_tangent.type}")
    return exactly(staged_tangent, kind)
