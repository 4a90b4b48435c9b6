"""Forward mode: tangents are computed together with values, in one pass and constant memory.

    value, tangent = rt.jvp(f, (x,), (t,))       tangent: how f(x) changes if x changes by t

The function is traced (`replay.py`), and its nodes are replayed, each followed by the nodes for the
tangents of its results (`tangents.py`).  A loop carries tangents as variables; nothing is stored.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MethodType
from typing import Any, TypeVar, TypeVarTuple

from autograph.errors import with_article
from runtime.errors import NotDifferentiableError, SignatureError, staging_error, users_location
from runtime.function.boundary import shown_to_user
from runtime.function.transformation import AS_IT_IS
from runtime.function.transformed import transformed
from runtime.function.transformed_cache import cached
from runtime.ir.graph import operand_type
from runtime.ir.op import find
from runtime.ir.pytree import flatten, unflatten
from runtime.staging.outside_writes import OutsideWrites
from runtime.tracing import trace
from runtime.tracing.conversion import staged_type
from runtime.tracing.tensor import Tensor, apply, operand, staged
from runtime.tracing.unions import without_unions
from runtime.transforms.forward.tangents import Tangents
from runtime.transforms.receivers import CONVERTED, UNKNOWN_OBJECT
from runtime.transforms.replay import result_value, traced
from runtime.transforms.reverse.activity import is_differentiable
from runtime.transforms.reverse.cotangents import exactly
from runtime.transforms.trees import Replacements, leaves_of, pairs_of, value_of

R = TypeVar("R")
Arguments = TypeVarTuple("Arguments")


@shown_to_user
def jvp(
    fn: Callable[[*Arguments], R],
    primals: tuple[*Arguments] | list[Any],
    tangents: Sequence[Any],
) -> tuple[R, Any]:
    """The result of `fn` for the arguments `primals`, and its directional derivative (the tangent).

    `tangents` has one tangent for each argument, with its structure and shapes; None for an
    argument that does not change, such as an integer.  The tangent of the result has the structure
    and shapes of the result, with None for leaves without derivatives.  Raises `TypeError` and
    `ValueError` if tangents do not match the arguments.

    >>> jvp(lambda x, y: x * y, (3.0, 4.0), (1.0, 0.5))
    (12.0, 5.5)
    """
    for name, given in (("primals", primals), ("tangents", tangents)):
        if not isinstance(given, (tuple, list)):
            raise _error(
                f"the {name} of rt.jvp are {with_article(type(given).__name__)}, not a tuple",
                "They have one item for each argument of the function.",
                "Write rt.jvp(f, (x,), (dx,))",
            )
    primals, tangents = tuple(primals), tuple(tangents)  # type: ignore[assignment]
    if len(primals) != len(tangents):
        raise TypeError(
            f"jvp needs a tangent for each argument: {len(primals)} arguments, "
            f"{len(tangents)} tangents"
        )
    if trace.current() is not None:
        return _pushed(fn, primals, tangents)
    function, owner = (fn.__func__, fn.__self__) if isinstance(fn, MethodType) else (fn, None)
    pushing = cached(function, ("pushed", owner is None), lambda: _pushing(function, owner is None))
    return pushing(primals, tangents) if owner is None else pushing(primals, tangents, owner)


def _error(what, why, remedy):
    return SignatureError.about(what, users_location(), why, remedy)


def _pushing(function, is_function):
    called = _pushed if is_function else _pushed_method
    return transformed(functools.partial(called, function), replace(AS_IT_IS, staged=(0, 1)))


def _pushed_method(function, primals, tangents, owner):
    return _pushed(MethodType(function, owner), primals, tangents)


def _pushed(fn, primals, tangents):
    """The value and its tangent, while a graph is traced."""
    with without_unions(trace.current()):
        return _pushed_in_graph(fn, primals, tangents)


def _pushed_in_graph(fn, primals, tangents):
    pairs = [pair for both in zip(primals, tangents, strict=True) for pair in _paired(*both)]
    entered = _of_leaves(transformed(fn, AS_IT_IS), primals)
    writes = OutsideWrites(fn)
    if trace.current().is_eager:
        return _pushed_at_once(entered, pairs)
    types, names, given = {}, {}, {}
    for place, (primal, tangent) in enumerate(pairs):
        primal = value_of(primal)
        if staged_type(primal) is not None and not isinstance(primal, str):
            own = apply(find("alias"), staged(primal))
            types[place], names[place] = own.type, f"argument_{place}"
            given[place] = own, tangent
    leaves = tuple(primal for primal, _ in pairs)
    function = traced(_with_writes(entered, writes), (leaves, {}), types, names)
    forward = Tangents()
    for value, (own, tangent) in zip(function.region.inputs, given.values(), strict=True):
        forward.known[value] = own._value
        forward.set_tangent(own._value, tangent)
    (value, ends), (tangent, _) = _results(function, forward, leaves)
    writes.make(ends)
    return value, tangent


def _with_writes(entered, writes):
    """A function that also returns the values that it has written outside."""

    def called(*leaves):
        return entered(*leaves), writes.taken()

    called.__name__ = entered.__name__
    return called


def _of_leaves(entered, primals):
    """A function of the leaves of all arguments."""

    def called(*leaves):
        given = iter(leaves)
        replacements = Replacements(lambda leaf: next(given))
        try:
            return entered(*map(replacements.replaced, primals))
        finally:
            replacements.restore()

    called.__name__ = getattr(entered, "__name__", "function")
    return called


def _results(function, forward, leaves):
    """The results of a traced function that is replayed, and their tangents."""
    found = iter(forward.run(function.region))
    values, results = [], []
    for leaf in function.leaves:
        if leaf.is_plain:
            values.append(leaf.plain)
            results.append(None)
            continue
        value = next(found)
        absent = next(found) if leaf.absent is not None else None
        values.append(result_value(leaf, value, absent))
        results.append(_tangent(forward, leaf, value, absent))
    region = trace.current().region
    for place, end in zip(function.written, found, strict=True):
        leaves[place][...] = Tensor(end, region)
    for stream in function.streams:
        stream.write(Tensor(forward.read(stream.end), region))
    return function.result(values), function.result(results)


def _tangent(forward, leaf, value, absent):
    """The tangent of a result, in its structure; None if it has no derivatives.

    Raises `StagingError` for an object that may hold values with tangents.
    """
    if value in forward.objects:
        raise staging_error(
            "rt.jvp is applied to a function that returns an object that only a run has",
            UNKNOWN_OBJECT,
            CONVERTED,
            NotDifferentiableError,
        )
    if not is_differentiable(operand_type(value)):
        return None
    return result_value(leaf, forward.tangent_or_zero(value), absent)


def _pushed_at_once(entered, pairs):
    """The value and its tangent if operations run as they are traced: tangents follow later."""
    recorder = trace.current()
    region = recorder.region
    primals = [value_of(primal) for primal, _ in pairs]
    leaves = [
        apply(find("alias"), staged(primal)) if staged_type(primal) is not None else primal
        for primal in primals
    ]
    first = len(region.nodes)
    forward = Tangents(is_done=True)
    for leaf, (_, tangent) in zip(leaves, pairs, strict=True):
        if isinstance(leaf, Tensor):
            forward.set_tangent(leaf._value, tangent)
    value = entered(*leaves)
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
    """The leaves of an argument, each with its tangent, converted to its type; None for zero.

    Raises `TypeError` or `ValueError` if they do not match.
    """
    if tangent is None:
        return [(leaf, None) for leaf in leaves_of(primal)]
    try:
        pairs = list(pairs_of(primal, tangent))
    except TypeError as error:
        what, its = error.args
        raise TypeError(f"an argument of jvp is {what}, but its tangent is {its}") from None
    return [(leaf, _fitting(value_of(leaf), value_of(one))) for leaf, one in pairs]


def _fitting(primal, tangent):
    """A tangent, converted to the type of its primal value."""
    kind = staged_type(primal)
    if tangent is None:
        return None
    if kind is None or not is_differentiable(kind):
        raise TypeError(
            f"an argument of jvp is {kind or type(primal).__name__}, but has a tangent\n"
            "Derivatives are taken with respect to floats and complex numbers.\n"
            "Pass a float: 3.0 for 3; or None as its tangent."
        )
    staged_tangent = staged(tangent)
    if staged_tangent.type.shape != kind.shape:
        raise ValueError(f"an argument of jvp is {kind}, but its tangent is {staged_tangent.type}")
    return exactly(staged_tangent, kind)
