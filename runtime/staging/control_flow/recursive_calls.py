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
from runtime.staging.control_flow.recursive_lists import ListValue, key_of_list, list_value
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
    call = GivenCall.of(args, kwargs)
    code = converted.__code__
    known = [one for one in recorder.state(CallStack) if one.code is code]
    around = [one for one in known if one.depth < len(recorder.regions)]
    for one in reversed(around):
        for form in call.forms():
            if one.recursion is not None and one.recursion.signature.accepts(form.signature):
                return one.recursion.call_again(form.given, form.leaves)
        if one.signature == call.signature:
            raise FoundRecursion(one, call.signature)
    if len(around) >= PATIENCE:
        _generalize(around, call, converted)
    return _recorded(recorder, converted, call)


@dataclass
class GivenCall:
    """The arguments of a call, with their signature; `by_value` has lists of scalars as leaves."""

    given: tuple
    leaves: list
    signature: Signature
    by_value: "GivenCall | None" = None

    @classmethod
    def of(cls, args: tuple, kwargs: dict[str, Any]) -> "GivenCall":
        """The call with some arguments."""
        found = cls.with_leaves((args, kwargs))
        if any(type(one) is list for one in (*args, *kwargs.values())):
            values = tuple(map(list_value, args)), {k: list_value(x) for k, x in kwargs.items()}
            found.by_value = cls.with_leaves(values)
        return found

    @classmethod
    def with_leaves(cls, given: tuple) -> "GivenCall":
        """The call with the leaves that some arguments have."""
        leaves, structure = flatten(given)
        leaves = [leaf.items if isinstance(leaf, ListValue) else leaf for leaf in leaves]
        return cls(given, leaves, Signature(structure, tuple(map(_key_of, leaves))))

    def forms(self) -> "list[GivenCall]":
        """The call, and the one with lists as leaves."""
        return [self] if self.by_value is None else [self, self.by_value]


def _recorded(recorder, converted, call):
    """Inlines a call, or records it as a region if it turns out to call itself."""
    (args, kwargs), given, leaves = call.given, call.given, call.leaves
    one = CallInProgress(converted.__code__, call.signature, len(recorder.regions))
    one.by_value = None if call.by_value is None else call.by_value.signature
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
    form = next(form for form in call.forms() if form.signature.structure == wanted.structure)
    return _staged(converted, form.given, form.leaves, wanted)


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


def _generalize(around, call, converted):
    """Stages Python scalars and lists that differ from call to call; raises `StagingError` if other
    arguments differ and the calls do not end."""
    for one in around:
        pairs = [(one.signature, call), (one.by_value or one.signature, call.by_value or call)]
        for known, form in pairs:
            relaxed = known.relaxed(form.signature)
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
    return leaf.type if isinstance(leaf, Tensor) else key_of_list(leaf) or key_of(leaf)
