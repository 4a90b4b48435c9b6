"""`rt.checkpoint`: a call that is recorded as a region of its own.

y = f(x)          y = checkpoint(body=body)          writes of f are results, too
"""

import functools
import inspect
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from autograph.staging.blocks import Diverged
from autograph.staging.mutations import MutableLocation
from autograph.staging.walrus_state import walrus_state
from runtime.errors import GeneratorError, staging_error
from runtime.ir.graph import Graph, Value, walk
from runtime.ir.op import find
from runtime.ir.traits import Effect
from runtime.staging.control_flow.cond import record_branch
from runtime.staging.control_flow.mutations import GraphMutationTracker, held_at_end
from runtime.staging.control_flow.phi_types import DOMAIN
from runtime.tracing import trace


def record_checkpoint(fn: Callable, called: Callable, args: tuple, kwargs: dict) -> Any:
    """Records a call as a region and returns its result.

    `called` is run in location of `fn`, whose code says which variables may change.
    """
    recorder = trace.current()
    block, objects = opened(fn)
    changes = GraphMutationTracker(walrus_state(block), block, roots=(*objects, args, kwargs))
    branch = record_branch("body", lambda: called(*args, **kwargs), changes)
    _refuse_effects(branch.region)
    if branch.raised:
        recorder.region.nodes += branch.region.nodes
        raise Diverged
    result = MutableLocation(("result",), "", None, lambda value: None)
    ends = {location: held_at_end(location, branch.found) for location in branch.found}
    ends[result] = branch.result
    with recorder.reopened(branch.region) as body:
        abstracts = {location: DOMAIN.abstract(value) for location, value in ends.items()}
        for location, abstract in abstracts.items():
            body.outputs += DOMAIN.operands(abstract, ends[location])
    outputs = iter(recorder.record(find("checkpoint"), (), {}, {"body": body}))
    values = {p: DOMAIN.value(abstract, outputs, p.path) for p, abstract in abstracts.items()}
    changes.write({location: values[location] for location in branch.found})
    return values[result]


def opened(fn: Callable) -> tuple[Callable, tuple]:
    """The function that a call of `fn` runs, and the objects that are bound to it."""
    match fn:
        case functools.partial():
            block, objects = opened(fn.func)
            return block, (*objects, fn.args, fn.keywords)
        case MethodType():
            return fn.__func__, (fn.__self__,)
        case FunctionType():
            return fn, ()
    inside = inspect.getattr_static(fn, "python_function", None)  # runs no code of the user
    return opened(inside) if inside is not None else (type(fn).__call__, (fn,))


def _refuse_effects(region: Graph) -> None:
    """Raises `StagingError` for an effect whose result the function uses: it happens once, and the
    function is computed again."""
    pure = [node for node in walk(region) if node.op.effect is not Effect.EXTERNAL]
    used = {operand for node in pure for operand in node.inputs if isinstance(operand, Value)}
    for node in walk(region):
        if node.op.name == "ask":
            told = "random numbers are drawn, or a clock is read,"
        elif node.op.effect is Effect.EXTERNAL and any(value in used for value in node.outputs):
            told = "the result of a function of Python is used"
        else:
            continue
        raise staging_error(
            f"{told} in a checkpointed function",
            "The function is computed again for the gradient, and would get another answer.",
            "Use rt.random, which repeats its numbers, or pass the values as arguments.",
            GeneratorError,
        )
