"""What the user says of gradients: `stop_gradient`, `checkpoint`, `custom_gradient`."""

import functools
from collections.abc import Callable
from typing import Any

from autograph.backend import State
from runtime import trace
from runtime.errors import staging_error
from runtime.function import transformed
from runtime.ir import Value
from runtime.op import find
from runtime.staging.branches import Diverged, record_branch
from runtime.staging.layout import layout_of
from runtime.staging.places import Changes, Place, held_at_end
from runtime.structure import flatten, transform
from runtime.tensor import Tensor, apply, handle, operand, staged, staged_type
from runtime.transforms.activity import is_differentiable
from runtime.transforms.cotangents import exactly
from runtime.transforms.transform import Transform


def stop_gradient(x: Any) -> Any:
    """`x`, which gradients take for a constant; an array, a number, or containers of them.

    >>> from runtime import grad
    >>> grad(lambda x: x * stop_gradient(x))(3.0)
    3.0
    """

    def stopped(leaf):
        is_array = isinstance(leaf, Tensor) and is_differentiable(leaf.type)
        return apply(find("stop_gradient"), leaf) if is_array else leaf

    return transform(stopped, x)


def _traced(fn):
    """A function as it is called while a graph is recorded."""
    return transformed(fn, Transform(lambda entered: entered))


# -- computing again -------------------------------------------------------------------------------


def checkpoint(fn: Callable) -> Callable:
    """The same function, whose gradient computes what is in it again instead of keeping it.

    A gradient keeps what the way back needs: of a loop of T turns, T times what a turn computes.  Of
    a loop whose turn is a checkpoint, it keeps the variables of each turn alone; of two loops in each
    other of sqrt(T) turns, the inner one a checkpoint, 2 sqrt(T) times those.  The price is one
    more computation (Chen et al., 2016).
    """
    return functools.partial(_checkpointed, fn)


def _checkpointed(fn, *args, **kwargs):
    recorder = trace.current()
    if recorder is None or recorder.is_eager:
        return fn(*args, **kwargs)
    called = _traced(fn)
    changes = Changes(State((), None, None), fn, roots=(args, kwargs))
    branch = record_branch("body", lambda: called(*args, **kwargs), changes)
    _refuse_draws(branch.region)
    if branch.raised:
        recorder.region.nodes += branch.region.nodes
        raise Diverged
    ends = {place: held_at_end(place, branch.found) for place in branch.found}
    result = Place(("result",), "", None, lambda value: None)
    ends[result] = branch.result
    layouts = {place: layout_of(value) for place, value in ends.items()}
    with recorder.reopened(branch.region) as body:
        for place, layout in layouts.items():
            body.outputs += layout.operands(ends[place], recorder)
    outputs = iter(recorder.record(find("checkpoint"), (), {}, {"body": body}))
    values = {p: lay.value(outputs, recorder.region, p.path) for p, lay in layouts.items()}
    changes.write({place: values[place] for place in branch.found})
    return values[result]


def _refuse_draws(region):
    for node in region.nodes:
        if node.op.name == "ask":
            raise staging_error(
                "random numbers of NumPy's are drawn in a function that is a checkpoint",
                "It is computed again for the gradient, and would draw others.",
                "Use rt.random, whose numbers are the same then, or draw them outside.",
            )
        for inner in node.regions.values():
            _refuse_draws(inner)


# -- gradients of the user's own -------------------------------------------------------------------


def custom_gradient(fn: Callable) -> Callable:
    """A function with a gradient of the user's own.

    `fn` returns what the function gives, and a function from cotangents of that (one argument for
    each result) to cotangents of the arguments (one, or a tuple of one for each).

        @rt.custom_gradient
        def log1pexp(x):
            e = np.exp(x)

            def gradient(d):
                return d * (1 - 1 / (1 + e))

            return np.log(1 + e), gradient
    """
    return functools.partial(_customized, fn)


def _customized(fn, *args):
    recorder = trace.current()
    if recorder is None:
        return fn(*args)[0]
    value, gradient = _traced(fn)(*args)
    results, structure = flatten(value)
    results = [staged(result) for result in results]
    sources = [staged(arg) for arg in flatten(args)[0] if _is_source(arg)]
    inputs = [operand(value, recorder) for value in (*results, *sources)]
    with recorder.open_region("backward") as backward:
        backward.inputs = [Value(result.type, f"d_{result._value.hint}") for result in results]
        found = gradient(*(handle(value, backward) for value in backward.inputs))
        leaves = flatten(found)[0]
        leaves = [
            leaf for leaf, arg in zip(leaves, flatten(args)[0], strict=True) if _is_source(arg)
        ]
        fitted = [exactly(_like(leaf, s), s.type) for leaf, s in zip(leaves, sources, strict=True)]
        backward.outputs = [operand(leaf, recorder) for leaf in fitted]
    outputs = recorder.record(
        find("custom_gradient"), tuple(inputs), {"count": len(results)}, {"backward": backward}
    )
    from runtime.structure import unflatten

    return unflatten(structure, [handle(value, recorder.region) for value in outputs])


def _is_source(value):
    kind = staged_type(value)
    return kind is not None and is_differentiable(kind)


def _like(cotangent, source):
    """A cotangent that the user gives, for an argument of some shape."""
    return cotangent
