"""Gradients of functions: `grad`, `value_and_grad`, `vjp`, `jacobian`, `hessian`.

    @rt.grad
    def slope(x):               slope(3.0) is 27.0
        return x * x * x

Each returns a function whose graph is that of the original function and its backward pass.  Such
functions may be called within other functions, differentiated, and saved.  They may contain any
control flow.  A gradient has the structure, types, dtypes and shapes of the argument it is taken
with respect to.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MethodType
from typing import Any, Literal, ParamSpec, TypeVar, TypeVarTuple, overload

from autograph.errors import with_article
from autograph.functions.by_value import partial
from runtime.errors import NotDifferentiableError, staging_error
from runtime.function.applicable import check_applicable
from runtime.function.boundary import shown_to_user
from runtime.function.function import Function
from runtime.function.transformation import AS_IT_IS, Transform
from runtime.function.transformed import transformed
from runtime.function.transformed_cache import cached
from runtime.ir.graph import Value
from runtime.ir.pytree import flatten
from runtime.ir.types import OBJECT, PythonType
from runtime.spellings.options import DIFFERENTIATE, answers_options
from runtime.staging.chosen import Chosen
from runtime.tracing import trace
from runtime.tracing.conversion import staged_type
from runtime.tracing.tensor import staged
from runtime.transforms.inputs import DifferentiatedInputs
from runtime.transforms.receivers import CONVERTED, UNKNOWN_OBJECT
from runtime.transforms.reverse.activity import is_differentiable
from runtime.transforms.reverse.backward import seed
from runtime.transforms.reverse.cotangents import exactly
from runtime.transforms.trees import mapped
from runtime.transforms.user_lists import plain_lists, user_lists

P = ParamSpec("P")
R = TypeVar("R")
Aux = TypeVar("Aux")
Arguments = TypeVarTuple("Arguments")
Argnums = int | str | Sequence[int | str]  # positions and names of parameters


@overload
def grad(
    fn: Callable[P, Any], argnums: int | str = 0, has_aux: Literal[False] = False
) -> Function[P, Any]: ...


@overload
def grad(
    fn: Callable[P, Any], argnums: Sequence[int | str], has_aux: Literal[False] = False
) -> Function[P, tuple[Any, ...]]: ...


@overload
def grad(
    fn: Callable[P, tuple[Any, Aux]], argnums: Argnums = 0, *, has_aux: Literal[True]
) -> Function[P, tuple[Any, Aux]]: ...


@overload
def grad(fn: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False) -> Function[P, Any]: ...


@shown_to_user
@answers_options("rt.grad", DIFFERENTIATE)
def grad(fn: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Function[..., Any]:
    """A function that computes the gradient of `fn`, which must return one real scalar.

    `argnums` is the position or the name of the argument to differentiate with respect to; negative
    positions count from the last parameter.  For a sequence of them, the result is a tuple of
    gradients.  An argument may be a scalar, an array, a variable, or nested lists, tuples, dicts
    and objects of dataclasses that hold them; its gradient has the same structure, with None for
    leaves without derivatives, such as integers and strings.  Python floats are staged: calls with
    other floats use the same graph.  With `has_aux`, `fn` returns a pair of the scalar
    and anything else, and the result is a pair of the gradient and the latter.

    Raises `TypeError` for integer arguments, and if the result of `fn` is not a single real scalar.

    >>> grad(lambda x: x * x * x)(3.0)
    27.0
    """

    def gradient(recording):
        (_, aux), gradients = recording
        return (gradients, aux) if has_aux else gradients

    return _differentiated(fn, argnums, has_aux, gradient, "grad")


@overload
def value_and_grad(
    fn: Callable[P, R], argnums: int | str = 0, has_aux: bool = False
) -> Function[P, tuple[R, Any]]: ...


@overload
def value_and_grad(
    fn: Callable[P, R], argnums: Sequence[int | str], has_aux: bool = False
) -> Function[P, tuple[R, tuple[Any, ...]]]: ...


@shown_to_user
@answers_options("rt.value_and_grad", DIFFERENTIATE)
def value_and_grad(
    fn: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False
) -> Function[..., Any]:
    """A function that returns a pair: the result of `fn` and its gradient; see `grad`.

    With `has_aux`, the result of `fn` is itself a pair.

    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """

    def both(recording):
        (value, aux), gradients = recording
        return ((value, aux) if has_aux else value), gradients

    return _differentiated(fn, argnums, has_aux, both, "value_and_grad")


def _differentiated(fn, argnums, has_aux, chosen, name):
    places, is_one = _places(fn, argnums), isinstance(argnums, (int, str))

    def apply_to(entered):
        def differentiated(*args, **kwargs):
            inputs = DifferentiatedInputs(places, args)
            found = inputs.call(entered, kwargs)
            value, aux = _pair_of(found, fn) if has_aux else (found, None)
            total = _real_scalar(value, fn, name)
            gradients = inputs.pull_back_to_arguments([(total, seed(total))])
            gradients = gradients[0] if is_one else tuple(gradients)
            return chosen(((value, aux), gradients))

        return differentiated

    key = name, places[0] if is_one else places, has_aux
    made_by = MAKERS[name], (argnums, has_aux)
    return transformed(fn, Transform(apply_to, places, key, made_by))


def _gradient_for_hessian(fn, argnum, has_aux=False):
    """The gradient of `fn`; errors about its result name `rt.hessian`."""
    return _differentiated(fn, argnum, has_aux, lambda recording: recording[1], "hessian")


_gradient_for_hessian.__name__ = "grad"  # in the text of the transformed function

MAKERS = {"grad": grad, "value_and_grad": value_and_grad, "hessian": _gradient_for_hessian}


def _pair_of(found, fn):
    """The two results of a function with `has_aux`."""
    if isinstance(found, (tuple, list)) and len(found) == 2:
        return found
    name = getattr(fn, "__name__", "the function")
    raise staging_error(
        f"has_aux is set, and {name} does not return a pair",
        "It must return the scalar that is differentiated, and anything else.",
        "Write: return loss, other",
        NotDifferentiableError,
    )


def _places(fn, argnums):
    """The positions of the arguments that `argnums` names or counts."""
    is_sequence = isinstance(argnums, Sequence) and not isinstance(argnums, str)
    given = tuple(argnums) if is_sequence else (argnums,)
    if not all(isinstance(one, (int, str)) for one in given):
        raise TypeError(f"argnums are positions or names of arguments, not {argnums!r}")
    if all(isinstance(one, int) and one >= 0 for one in given):
        return given
    names = _positional(fn)
    return tuple(_place(one, names, fn) for one in given)


def _positional(fn):
    """The names of the parameters that take positional arguments."""
    kinds = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    try:
        parameters = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):
        return []
    return [parameter.name for parameter in parameters if parameter.kind in kinds]


def _place(one, names, fn):
    found = names.index(one) if one in names else one
    if isinstance(found, int) and -len(names) <= found < max(len(names), 1):
        return found % len(names)
    raise TypeError(
        f"argnums has {one!r}, but the positional parameters of "
        f"{getattr(fn, '__name__', 'the function')} are {', '.join(names) or 'not known'}"
    )


def _real_scalar(value, fn, applied):
    """The result of `fn`, to which a transformation is applied, as a staged real scalar.

    Raises `StagingError` for other results.
    """
    if not _is_number(value):
        remedy = "Return that scalar"
        if applied != "hessian":
            remedy += "; with has_aux=True, a pair of it and anything else"
        raise _refused_result(applied, fn, _shown(value), remedy + ".")
    total = staged(value)
    if total.type is OBJECT:
        raise _refused_result(
            applied,
            fn,
            "an object that only a run has",
            CONVERTED,
            UNKNOWN_OBJECT,
        )
    is_computed = isinstance(total._value, (Value, float))
    if is_computed and total.type.shape == () and total.dtype.kind == "f":
        return total
    remedy = "Reduce the result (np.sum, np.mean), or use rt.jacobian for arrays."
    if total.dtype.kind == "c":
        remedy = "Return one real number, such as np.sum(np.abs(y))."
    elif total.type.shape == ():
        remedy = "Return a float that is computed from the argument."
    kind = f"a Python {total.type}" if isinstance(total.type, PythonType) else total.type
    raise _refused_result(applied, fn, kind, remedy)


def _is_number(value):
    return staged_type(value) is not None and not isinstance(value, str)


def _shown(value):
    if type(value) is Chosen:
        return "values of different kinds"
    return "None" if value is None else with_article(type(value).__name__)


def _refused_result(applied, fn, shown, remedy, why=""):
    """The error about a function whose result a transformation does not take."""
    name = getattr(fn, "__name__", "a function")
    return staging_error(
        f"rt.{applied} is applied to {name}, which returns {shown}",
        why or "Only a function that returns one real scalar has a gradient.",
        remedy,
        NotDifferentiableError,
    )


@shown_to_user
def vjp(
    fn: Callable[[*Arguments], R], *args: *Arguments
) -> tuple[R, Callable[[Any], tuple[Any, ...]]]:
    """The result of `fn`, and its pullback: a function from cotangents to cotangents.

    The pullback takes a cotangent of the result, with its structure and shapes, and returns a tuple
    with a cotangent for each argument, None for integers.  Outside of a graph, the pullback runs
    the function again, because nothing is stored between the calls.  Raises `TypeError` and
    `ValueError` if the cotangent does not match the result.

    >>> value, pullback = vjp(lambda x, y: x * y, 3.0, 4.0)
    >>> value, pullback(1.0)
    (12.0, (4.0, 3.0))
    """
    if trace.current() is not None:
        return _recorded_vjp(fn, args)
    function, owner = (fn.__func__, fn.__self__) if isinstance(fn, MethodType) else (fn, None)
    called = args if owner is None else (owner, *args)
    places = tuple(range(len(called)))
    value = transformed(function, replace(AS_IT_IS, staged=places, key=("vjp", places)))(*called)
    return value, partial(_pull, function, (args,) if owner is None else (args, owner))


def _pull(function, given, cotangent):
    is_function = len(given) == 1
    pulled = cached(function, ("pulled", is_function), lambda: _pulling(function, is_function))
    return pulled(cotangent, *given)


def _pulling(function, is_function):
    called = _pulled if is_function else _pulled_method
    return transformed(functools.partial(called, function), replace(AS_IT_IS, staged=(0, 1)))


def _pulled_method(function, cotangent, args, owner):
    return _pulled(MethodType(function, owner), cotangent, args)


def _pulled(fn, cotangent, args):
    _, pullback = _recorded_vjp(fn, args)
    return pullback(cotangent)


def _recorded_vjp(fn, args):
    inputs = DifferentiatedInputs(range(len(args)), args, strict=False)
    value = inputs.call(transformed(fn, AS_IT_IS), {})
    results, structure = flatten(plain_lists(value))

    def pullback(cotangent):
        given, its_structure = flatten(plain_lists(cotangent))
        if its_structure != structure:
            raise TypeError(
                f"the function returns {structure}, but the cotangent is {its_structure}"
            )
        pairs = [_pair(fn, *pair) for pair in zip(results, given, strict=True)]
        return tuple(inputs.pull_back_to_arguments([pair for pair in pairs if pair is not None]))

    return value, pullback


def _may_be_one(shape, other):
    """Whether two shapes may be equal at run time, when all sizes are known."""
    known = (
        a == b or not (isinstance(a, int) and isinstance(b, int))
        for a, b in zip(shape, other, strict=False)
    )
    return len(shape) == len(other) and all(known)


def _pair(fn, result, cotangent):
    """A result and its cotangent, converted to its type; None if it has no derivatives."""
    result, cotangent = staged(result), staged(cotangent)
    if result.type == OBJECT:
        shown = "an object that only a run has"
        raise _refused_result("vjp", fn, shown, CONVERTED, UNKNOWN_OBJECT)
    if not isinstance(result._value, Value) or not is_differentiable(result.type):
        return None
    if not _may_be_one(cotangent.type.shape, result.type.shape):
        raise ValueError(f"the result is {result.type}, but its cotangent is {cotangent.type}")
    return result, exactly(cotangent, result.type)


# -- matrices of derivatives -----------------------------------------------------------------------


@shown_to_user
@answers_options("rt.jacobian", DIFFERENTIATE)
def jacobian(fn: Callable[P, Any], argnums: Argnums = 0) -> Function[P, Any]:
    """A function that computes the derivatives of the results of `fn` with respect to an argument.

    For a result of shape `s` and an argument of shape `t`, the derivatives are an array of shape
    `s + t`.  If results are nested in containers, so are the arrays, and inside of these the
    containers of the argument; for a sequence of `argnums`, each is a tuple.  Raises `TypeError`
    for integer arguments and for results that are not real floats.

    >>> import numpy as np
    >>> jacobian(lambda x: x * x)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    places, is_one = _places(fn, argnums), isinstance(argnums, (int, str))

    def apply_to(entered):
        def differentiated(*args, **kwargs):
            inputs = DifferentiatedInputs(places, args)
            value = inputs.call(entered, kwargs)

            def of_result(result):
                if result is None:  # the gradient of a leaf without derivatives
                    return None
                if not _is_number(result):
                    why = "Only results that are arrays or scalars have a Jacobian."
                    remedy = "Return arrays of floats, in lists, tuples and dicts."
                    raise _refused_result("jacobian", fn, _shown(result), remedy, why)
                found = inputs.jacobians(staged(result))
                return found[0] if is_one else tuple(found)

            return user_lists(mapped(of_result, value))

        return differentiated

    key = "jacobian", places[0] if is_one else places
    return transformed(fn, Transform(apply_to, places, key, (jacobian, (argnums,))))


@shown_to_user
@answers_options("rt.hessian", DIFFERENTIATE)
def hessian(fn: Callable[P, Any], argnums: int | str = 0) -> Function[P, Any]:
    """A function that computes the second derivatives of `fn`, which must return one real scalar.

    For an argument of shape `t`, they are an array of shape `t + t`.

    >>> import numpy as np
    >>> hessian(lambda x: x[0] * x[1])(np.array([1.0, 2.0]))
    array([[0., 1.],
           [1., 0.]])
    """
    check_applicable(fn, "rt.hessian")
    (place,) = _places(fn, argnums)
    return jacobian(_gradient_for_hessian(fn, place), place)
