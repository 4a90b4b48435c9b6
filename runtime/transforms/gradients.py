"""Gradients of functions: `grad`, `value_and_grad`, `vjp`, `jacobian`, `hessian`.

    @rt.grad
    def slope(x):               slope(3.0) is 27.0
        return x * x * x

They are functions whose graph is that of the function, and behind it the same backwards; so they
may be called within other functions, differentiated, and saved like those.  Any control flow may be
in them.  A gradient has the structure, types, dtypes and shapes of what it is a gradient by.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal, ParamSpec, TypeVar, TypeVarTuple, overload

from runtime.errors import staging_error
from runtime.function.function import Function
from runtime.function.transformation import AS_IT_IS, Transform
from runtime.function.transformed import transformed
from runtime.function.transformed_cache import kept
from runtime.ir.graph import Value
from runtime.ir.pytree import flatten, transform
from runtime.tracing import trace
from runtime.tracing.conversion import staged_type
from runtime.tracing.tensor import staged
from runtime.transforms.inputs import Watched
from runtime.transforms.reverse.activity import is_differentiable
from runtime.transforms.reverse.backward import seed
from runtime.transforms.reverse.cotangents import exactly
from runtime.transforms.user_lists import plain_lists, user_lists

P = ParamSpec("P")
R = TypeVar("R")
Aux = TypeVar("Aux")
Arguments = TypeVarTuple("Arguments")


@overload
def grad(
    fn: Callable[P, Any], argnums: int = 0, has_aux: Literal[False] = False
) -> Function[P, Any]: ...


@overload
def grad(
    fn: Callable[P, Any], argnums: Sequence[int], has_aux: Literal[False] = False
) -> Function[P, tuple[Any, ...]]: ...


@overload
def grad(
    fn: Callable[P, tuple[Any, Aux]], argnums: int | Sequence[int] = 0, *, has_aux: Literal[True]
) -> Function[P, tuple[Any, Aux]]: ...


@overload
def grad(
    fn: Callable[P, Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Function[P, Any]: ...


def grad(
    fn: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Function[..., Any]:
    """The function that gives the gradient of `fn`, whose result is one real number.

    `argnums`: the places of the arguments to differentiate by; several give a tuple of gradients.
    Each may be a number, an array, or lists, tuples and dicts of them; the gradient is like it.
    Floats of Python's are staged, so other values need no other graph.  With `has_aux`, `fn`
    returns a pair of that number and anything else, and so does the gradient.

    Raises `TypeError` for what has no derivatives: integers, results that are no single real
    number.

    >>> grad(lambda x: x * x * x)(3.0)
    27.0
    """

    def gradient(recording):
        (_, aux), gradients = recording
        return (gradients, aux) if has_aux else gradients

    return _differentiated(fn, argnums, has_aux, gradient, "grad")


@overload
def value_and_grad(
    fn: Callable[P, R], argnums: int = 0, has_aux: bool = False
) -> Function[P, tuple[R, Any]]: ...


@overload
def value_and_grad(
    fn: Callable[P, R], argnums: Sequence[int], has_aux: bool = False
) -> Function[P, tuple[R, tuple[Any, ...]]]: ...


def value_and_grad(
    fn: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Function[..., Any]:
    """The function that gives what `fn` gives and its gradient, as a pair; see `grad`.

    With `has_aux`, the first of the pair is the pair that `fn` returns.

    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """

    def both(recording):
        (value, aux), gradients = recording
        return ((value, aux) if has_aux else value), gradients

    return _differentiated(fn, argnums, has_aux, both, "value_and_grad")


def _differentiated(fn, argnums, has_aux, chosen, name):
    places = _places(argnums)

    def apply_to(entered):
        def differentiated(*args, **kwargs):
            watched = Watched(places, args)
            found = entered(*watched.args, **kwargs)
            value, aux = found if has_aux else (found, None)
            watched.hand_back()
            total = _one_number(value, fn)
            gradients = watched.pulled_back([(total, seed(total))])
            gradients = gradients[0] if isinstance(argnums, int) else tuple(gradients)
            return chosen(((value, aux), gradients))

        return differentiated

    key = name, argnums if isinstance(argnums, int) else places, has_aux
    return transformed(fn, Transform(apply_to, places, key))


def _places(argnums):
    places = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    if not all(isinstance(place, int) and place >= 0 for place in places):
        raise TypeError(f"argnums are places of arguments, counted from 0, not {argnums!r}")
    return places


def _one_number(value, fn):
    """The result of a function that is to be differentiated."""
    name = getattr(fn, "__name__", "the function")
    if staged_type(value) is None:
        raise staging_error(
            f"the gradient of {name} is asked for, which gives {type(value).__name__}",
            "A gradient is that of one real number.",
            "Return that number; with has_aux=True, a pair of it and anything else.",
        )
    total = staged(value)
    if isinstance(total._value, Value) and total.type.shape == () and total.dtype.kind == "f":
        return total
    if not isinstance(total._value, Value) and isinstance(total._value, float):
        return total
    raise staging_error(
        f"the gradient of {name} is asked for, which gives {total.type}",
        "A gradient is that of one real number.",
        "Sum it up (np.sum, np.mean), or use rt.jacobian for arrays.",
    )


def vjp(
    fn: Callable[[*Arguments], R], *args: *Arguments
) -> tuple[R, Callable[[Any], tuple[Any, ...]]]:
    """What `fn` gives, and a function from cotangents of that to cotangents of the arguments.

    The second one, the pullback, takes a number or array like the result (or containers like it)
    and gives a tuple with an item for each argument, None for integers.  Called outside of graphs,
    it runs the function again, as nothing is kept in between.

    >>> value, pullback = vjp(lambda x, y: x * y, 3.0, 4.0)
    >>> value, pullback(1.0)
    (12.0, (4.0, 3.0))
    """
    if trace.current() is not None:
        return _recorded_vjp(fn, args)
    places = tuple(range(len(args)))
    value = transformed(fn, replace(AS_IT_IS, staged=places, key=("vjp", places)))(*args)
    pulled = kept(fn, "pulled", lambda: _pulling(fn))

    def pullback(cotangent):
        return pulled(cotangent, *args)

    return value, pullback


def _pulling(fn):
    return transformed(functools.partial(_pulled, fn), replace(AS_IT_IS, staged=(0, 1)))


def _pulled(fn, cotangent, *args):
    _, pullback = _recorded_vjp(fn, args)
    return pullback(cotangent)


def _recorded_vjp(fn, args):
    watched = Watched(range(len(args)), args, strict=False)
    value = transformed(fn, AS_IT_IS)(*watched.args)
    watched.hand_back()
    results, structure = flatten(plain_lists(value))

    def pullback(cotangent):
        given, its_structure = flatten(plain_lists(cotangent))
        if its_structure != structure:
            raise TypeError(f"the function gives {structure}, the cotangent is {its_structure}")
        pairs = [_pair(*pair) for pair in zip(results, given, strict=True)]
        return tuple(watched.pulled_back([pair for pair in pairs if pair is not None]))

    return value, pullback


def _may_be_one(shape, other):
    """Whether two shapes may be the same in a run, which alone can tell some sizes."""
    known = (
        a == b or not (isinstance(a, int) and isinstance(b, int))
        for a, b in zip(shape, other, strict=False)
    )
    return len(shape) == len(other) and all(known)


def _pair(result, cotangent):
    """A result and its cotangent, of its type; None where it has none."""
    result, cotangent = staged(result), staged(cotangent)
    if not isinstance(result._value, Value) or not is_differentiable(result.type):
        return None
    if not _may_be_one(cotangent.type.shape, result.type.shape):
        raise ValueError(f"the result is {result.type}, its cotangent {cotangent.type}")
    return result, exactly(cotangent, result.type)


# -- matrices of derivatives -----------------------------------------------------------------------


def jacobian(fn: Callable[P, Any], argnums: int | Sequence[int] = 0) -> Function[P, Any]:
    """The function that gives all derivatives of the results of `fn` by an argument.

    For a result of shape s and an argument of shape t, an array of shape s + t.  Results in
    containers give such containers, arguments in containers those inside, several `argnums` a
    tuple.

    >>> import numpy as np
    >>> jacobian(lambda x: x * x)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    places = _places(argnums)

    def apply_to(entered):
        def differentiated(*args, **kwargs):
            watched = Watched(places, args)
            value = entered(*watched.args, **kwargs)
            watched.hand_back()

            def of_result(result):
                found = watched.jacobians(staged(result))
                return found[0] if isinstance(argnums, int) else tuple(found)

            return user_lists(transform(of_result, plain_lists(value)))

        return differentiated

    key = "jacobian", argnums if isinstance(argnums, int) else places
    return transformed(fn, Transform(apply_to, places, key))


def hessian(fn: Callable[P, Any], argnums: int = 0) -> Function[P, Any]:
    """The function that gives the second derivatives of `fn`, whose result is one real number.

    For an argument of shape t, an array of shape t + t.

    >>> import numpy as np
    >>> hessian(lambda x: x[0] * x[1])(np.array([1.0, 2.0]))
    array([[0., 1.],
           [1., 0.]])
    """
    return jacobian(grad(fn, argnums), argnums)
