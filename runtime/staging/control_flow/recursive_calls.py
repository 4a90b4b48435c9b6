"""Calls of functions that may call themselves: each is inlined, or becomes a region.

fact(n)           a call in progress: n is i64
    fact(n - 1)   inside a staged branch, with arguments of the same types: the outer call is
                  recorded again, as a function that calls itself (`recursion.py`)
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from autograph.staging.heap_diff import HeapSnapshot
from runtime.errors import RecursionShapeError, staging_error
from runtime.ir.pytree import flatten
from runtime.staging.calls.outside_answers import OutsideAnswers
from runtime.staging.control_flow.recursion import (
    CallInProgress,
    CallStack,
    FoundRecursion,
    Recursion,
)
from runtime.staging.variables import restore_variables, saved_variables
from runtime.tracing import trace
from runtime.tracing.bytecode_reads import may_call_itself
from runtime.tracing.signature import Signature, key_of
from runtime.tracing.tensor import Tensor

PATIENCE = 6  # how deep calls may be nested before Python scalars are staged
MOST_CALLS = 60


@dataclass
class PlainCalls:
    """Which calls do without the contents of everything that they can change.

    Calls that turn out to call themselves in a staged block are recorded again, after what they
    have changed is put back.  Those with plain arguments only rarely do, and to collect the
    contents takes as long as all that they can reach is large (a tree, to which each call adds a
    node).  If such a call does, the whole function is recorded again: `recursive` are the functions
    of which the contents are kept then.
    """

    are_repeatable: bool = False  # whether the function can be recorded again
    recursive: frozenset[CodeType] = frozenset()


def entered(function: FunctionType, converted: Callable) -> Callable:
    """The replacement of a converted function: itself, unless it may call itself."""
    if not (isinstance(function, FunctionType) and may_call_itself(function)):
        return converted

    @functools.wraps(converted)
    def calls(*args, **kwargs):
        return call(converted, *args, **kwargs)

    return calls


def call(converted: Callable, *args: Any, **kwargs: Any) -> Any:
    """A call of a function that may call itself."""
    recorder = trace.current()
    leaves, structure = flatten((args, kwargs))
    signature = Signature(structure, tuple(map(_key_of, leaves)))
    code = converted.__code__
    known = [one for one in recorder.state(CallStack) if one.code is code]
    around = [one for one in known if one.depth < len(recorder.regions)]
    for one in reversed(around):
        if one.recursion is not None and one.recursion.signature.accepts(signature):
            return one.recursion.call_again((args, kwargs), leaves)
        if one.signature == signature:
            raise FoundRecursion(one, signature)
    if len(around) >= PATIENCE:
        _generalize(around, signature, converted)
    return _recorded(recorder, converted, (args, kwargs), leaves, signature)


def _recorded(recorder, converted, given, leaves, signature):
    """Inlines a call, or records it as a region if it turns out to call itself."""
    args, kwargs = given
    one = CallInProgress(converted.__code__, signature, len(recorder.regions))
    region, count = recorder.region, len(recorder.region.nodes)
    needs_heap = _may_be_put_back(recorder, one.code, leaves)
    heap = HeapSnapshot(roots=(converted, given)) if needs_heap else None
    held = saved_variables()
    calls = recorder.state(CallStack)
    calls.append(one)
    try:
        return converted(*args, **kwargs)
    except FoundRecursion as found:
        if found.call is not one or heap is None:
            raise
        wanted = found.signature
    finally:
        calls.pop()
    heap.restore()
    restore_variables(held)
    del region.nodes[count:]
    return _staged(converted, given, leaves, wanted)


def _may_be_put_back(recorder, code, leaves):
    """Whether what a call changes may have to be put back."""
    plain = recorder.state(PlainCalls)
    is_plain = not any(isinstance(leaf, Tensor) for leaf in leaves)
    is_repeatable = plain.are_repeatable and not recorder.state(OutsideAnswers).fleeting
    return not (is_plain and is_repeatable) or code in plain.recursive


def _staged(converted, given, leaves, signature):
    """Records a call as a region; calls inside may show that more of its arguments vary."""
    while True:
        recursion = Recursion(converted, given, leaves, signature)
        try:
            return recursion.stage()
        except FoundRecursion as found:
            if found.call.recursion is not recursion:
                raise
            signature = found.signature


def _generalize(around, signature, converted):
    """Stages Python scalars that differ from call to call; raises `StagingError` if other arguments
    differ and the calls do not end."""
    for one in around:
        relaxed = one.signature.relaxed(signature)
        if relaxed is not None:
            raise FoundRecursion(one, relaxed)
    if len(around) > MOST_CALLS:
        raise staging_error(
            f"{converted.__name__} calls itself in a staged branch or loop, again and again",
            "Each call has other Python values as arguments, so each is inlined; their number is "
            "known only at run time.",
            "Pass staged scalars and arrays, or write it as a loop.",
            RecursionShapeError,
        )


def _key_of(leaf):
    return leaf.type if isinstance(leaf, Tensor) else key_of(leaf)
