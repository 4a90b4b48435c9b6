"""Autodiff markers: `stop_gradient`, `checkpoint`, `custom_gradient`."""

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, ParamSpec, TypeVar, cast, overload

from autograph.functions.by_value import partial
from runtime.errors import CustomGradientError, staging_error
from runtime.function.applicable import check_applicable
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
    """`x`, treated as a constant by gradients: an array, a scalar, or nested containers of them.

    >>> from runtime import grad
    >>> grad(lambda x: x * stop_gradient(x))(3.0)
    3.0
    """

    def stopped(leaf):
        is_array = isinstance(leaf, Tensor) and is_differentiable(leaf.type)
        return apply(find("stop_gradient"), leaf) if is_array else leaf

    return cast("T", user_lists(transform(stopped, plain_lists(x))))


def checkpoint(fn: Callable[P, R]) -> Callable[P, R]:
    """The same function; a gradient recomputes its intermediate values instead of storing them.

    The backward pass of a loop of T iterations needs the intermediate values of all of them.  If
    the body is a checkpoint, only the variables of the loop are stored for each iteration.  For two
    nested loops of sqrt(T) iterations each, the inner one a checkpoint, 2 sqrt(T) copies of the
    variables are stored.  The price is one more forward computation (Chen et al., 2016, "Training
    deep nets with sublinear memory cost").

    In a `GradientTape` outside of graphs, where operations run immediately, it has no effect.
    """
    check_applicable(fn, "rt.checkpoint")
    return update_wrapper(partial(_checkpointed, fn), fn)


def _checkpointed(fn, *args, **kwargs):
    recorder = trace.current()
    if recorder is None or recorder.is_eager:
        return fn(*args, **kwargs)
    return record_checkpoint(fn, transformed(fn, AS_IT_IS), args, kwargs)


# -- user-defined gradients ------------------------------------------------------------------------


@overload
def custom_gradient(
    fn: Callable[P, tuple[R, Callable[..., Any]]], *, of: Any = None
) -> Callable[P, R]: ...


@overload
def custom_gradient(
    *, of: Any = None
) -> Callable[[Callable[P, tuple[R, Callable[..., Any]]]], Callable[P, R]]: ...


def custom_gradient(fn: Any = None, *, of: Any = None) -> Any:
    """A function with a user-defined gradient.

    `fn` returns a pair: the result, and a function from cotangents of the result (one argument for
    each leaf) to cotangents of the arguments (a tuple with one for each, or the only one).  Calls
    raise `StagingError` if `fn` returns anything else, or if cotangents do not match arguments.

    With `of`, the gradient is that of a function, class or method of a package: where a graph calls
    it and derivatives are needed, they are those of `fn`, which takes the same arguments.  The
    values are still those of the package.

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
    if fn is None:
        return partial(_registered, of)
    check_applicable(fn, "rt.custom_gradient")
    made = update_wrapper(partial(_customized, fn), fn)
    return made if of is None else _registered(of, fn)


# (function of a package, function with a custom gradient): see `libraries/table.py`.
REGISTRIES: list[Callable[[Any, Callable], None]] = []


def _registered(of, fn):
    made = custom_gradient(fn)
    for register in REGISTRIES if of is not None else ():
        register(of, made)
    return made


def _customized(fn, *args, **kwargs):
    if kwargs:
        bound = inspect.signature(fn).bind(*args, **kwargs)
        bound.apply_defaults()
        args = bound.args
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
    """The pair that the user's function returns.  Raises `StagingError` for other results."""
    if isinstance(found, tuple) and len(found) == 2 and callable(found[1]):
        return found
    raise staging_error(
        f"{getattr(fn, '__name__', 'a function')} is decorated with custom_gradient, but does not "
        "return a pair",
        "It must return its result, and a function from cotangents to cotangents.",
        "Write: return y, lambda d: d * slope",
        CustomGradientError,
    )


class _Sources:
    """The arguments of a function with a user-defined gradient that have cotangents."""

    def __init__(self, args):
        self.leaves, self.structure = flatten(plain_lists(args))
        kinds = [staged_type(leaf) for leaf in self.leaves]
        self.have = [kind is not None and is_differentiable(kind) for kind in kinds]
        self.tensors = [
            staged(leaf) for leaf, has in zip(self.leaves, self.have, strict=True) if has
        ]

    def cotangents(self, found: Any) -> list[Tensor]:
        """The cotangents that the user's function returns, converted to the arguments' types.

        Raises `StagingError` if they do not match the arguments.
        """
        leaves, _ = flatten(plain_lists(found if isinstance(found, tuple) else (found,)))
        if len(leaves) != len(self.leaves):
            raise staging_error(
                f"a custom gradient returns {len(leaves)} cotangents for {len(self.leaves)} "
                "arguments",
                "It needs one for each argument, None for arguments without a gradient.",
                "Return a tuple with an item for each argument.",
                CustomGradientError,
            )
        chosen = [leaf for leaf, has in zip(leaves, self.have, strict=True) if has]
        return [_fitting(leaf, source) for leaf, source in zip(chosen, self.tensors, strict=True)]


def _fitting(cotangent, source):
    if cotangent is None:
        return exactly(zeros(source.shape, source.dtype), source.type)
    found = staged(cotangent)
    if found.type.ndim != source.type.ndim:
        raise staging_error(
            f"a custom gradient returns a cotangent of type {found.type} for an argument of type "
            f"{source.type}",
            "A cotangent must have the shape of its argument.",
            "Sum over the dimensions along which the argument was broadcast.",
            CustomGradientError,
        )
    return exactly(found, source.type)
