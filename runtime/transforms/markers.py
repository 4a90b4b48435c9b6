"""What the user says of gradients: `stop_gradient`, `checkpoint`, `custom_gradient`."""

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from runtime.errors import staging_error
from runtime.function.transformation import AS_IT_IS
from runtime.function.transformed import transformed
from runtime.ir.graph import Value
from runtime.ir.op import find
from runtime.ir.pytree import flatten, transform, unflatten
from runtime.ops.adjoints.sizes import zeros
from runtime.staging.checkpoints import record_checkpoint
from runtime.tracing import trace
from runtime.tracing.conversion import staged_type
from runtime.tracing.tensor import Tensor, apply, handle, operand, staged
from runtime.transforms.reverse.activity import is_differentiable
from runtime.transforms.reverse.cotangents import exactly
from runtime.transforms.user_lists import plain_lists, user_lists

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


def stop_gradient(x: T) -> T:
    """`x`, which gradients take for a constant; an array, a number, or containers of them.

    >>> from runtime import grad
    >>> grad(lambda x: x * stop_gradient(x))(3.0)
    3.0
    """

    def stopped(leaf):
        is_array = isinstance(leaf, Tensor) and is_differentiable(leaf.type)
        return apply(find("stop_gradient"), leaf) if is_array else leaf

    return cast("T", user_lists(transform(stopped, plain_lists(x))))


def checkpoint(fn: Callable[P, R]) -> Callable[P, R]:
    """The same function, whose gradient computes what is in it again instead of keeping it.

    A gradient keeps what the way back needs: of a loop of T turns, T times what a turn computes. Of
    a loop whose turn is a checkpoint, it keeps the variables of each turn alone; of two loops in
    each other of sqrt(T) turns, the inner one a checkpoint, 2 sqrt(T) times those.  The price is
    one more computation (Chen et al., 2016, "Training deep nets with sublinear memory cost").

    Where operations run as they are recorded, in a `GradientTape` outside of graphs, it changes
    nothing.
    """
    return functools.partial(_checkpointed, fn)


def _checkpointed(fn, *args, **kwargs):
    recorder = trace.current()
    if recorder is None or recorder.is_eager:
        return fn(*args, **kwargs)
    return record_checkpoint(fn, transformed(fn, AS_IT_IS), args, kwargs)


# -- gradients of the user's own -------------------------------------------------------------------


def custom_gradient(fn: Callable[P, tuple[R, Callable[..., Any]]]) -> Callable[P, R]:
    """A function with a gradient of the user's own.

    `fn` returns what the function gives, and a function from cotangents of that (one argument for
    each result) to cotangents of the arguments (a tuple with one for each, or the only one).

    >>> import numpy as np
    >>> import runtime as rt
    >>> @rt.custom_gradient
    ... def log1pexp(x):
    ...     e = np.exp(x)
    ...     def gradient(d):
    ...         return d * (1 - 1 / (1 + e))
    ...     return np.log(1 + e), gradient
    >>> rt.grad(log1pexp)(np.float64(0.0))
    np.float64(0.5)
    """
    return functools.partial(_customized, fn)


def _customized(fn, *args):
    recorder = trace.current()
    if recorder is None:
        return _pair(fn, fn(*args))[0]
    value, gradient = _pair(fn, transformed(fn, AS_IT_IS)(*args))
    leaves, structure = flatten(plain_lists(value))
    results = [staged(leaf) for leaf in leaves]
    sources = _Sources(args)
    inputs = tuple(operand(value, recorder) for value in (*results, *sources.tensors))
    attributes, regions = {"count": len(results)}, {}
    if recorder.is_eager:
        attributes["pullback"] = lambda *ds: sources.cotangents(gradient(*ds))
    else:
        with recorder.open_region("backward") as backward:
            backward.inputs = [Value(r.type, "d") for r in results]
            found = sources.cotangents(gradient(*(handle(d, backward) for d in backward.inputs)))
            backward.outputs = [operand(cotangent, recorder) for cotangent in found]
        regions["backward"] = backward
    outputs = recorder.record(find("custom_gradient"), inputs, attributes, regions)
    handles = [handle(value, recorder.region) for value in outputs]
    return user_lists(unflatten(structure, handles))


def _pair(fn, found):
    """What the user's function gives; raises `StagingError` where that is not as it must be."""
    if isinstance(found, tuple) and len(found) == 2 and callable(found[1]):
        return found
    raise staging_error(
        f"{getattr(fn, '__name__', 'a function')} has a gradient of its own, and gives no function "
        "for it",
        "It gives a pair: its result, and the function from cotangents to cotangents.",
        "Write: return y, lambda d: d * slope",
    )


class _Sources:
    """The arguments of a function with a gradient of its own that have cotangents."""

    def __init__(self, args):
        self.leaves, self.structure = flatten(plain_lists(args))
        kinds = [staged_type(leaf) for leaf in self.leaves]
        self.have = [kind is not None and is_differentiable(kind) for kind in kinds]
        self.tensors = [
            staged(leaf) for leaf, has in zip(self.leaves, self.have, strict=True) if has
        ]

    def cotangents(self, found: Any) -> list[Tensor]:
        """What the user's function has found for the arguments, of their types.

        Raises `StagingError` where it does not fit them.
        """
        leaves, _ = flatten(plain_lists(found if isinstance(found, tuple) else (found,)))
        if len(leaves) != len(self.leaves):
            raise staging_error(
                f"a gradient of the user's own gives {len(leaves)} cotangents, "
                f"for {len(self.leaves)} arguments",
                "There is one for each argument, None for those that have no gradient.",
                "Return a tuple with an item for each argument.",
            )
        chosen = [leaf for leaf, has in zip(leaves, self.have, strict=True) if has]
        return [_fitting(leaf, source) for leaf, source in zip(chosen, self.tensors, strict=True)]


def _fitting(cotangent, source):
    if cotangent is None:
        return exactly(zeros(source.shape, source.dtype), source.type)
    found = staged(cotangent)
    if found.type.ndim != source.type.ndim:
        raise staging_error(
            f"a gradient of the user's own is {found.type}, for an argument that is {source.type}",
            "A cotangent has the shape of what it is the cotangent of.",
            "Sum over the dimensions along which the argument was broadcast.",
        )
    return exactly(found, source.type)
