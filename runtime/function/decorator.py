"""`rt.function`, which makes functions that run as graphs, and `rt.eager`, which undoes that."""

import functools
from collections.abc import Callable, Iterable
from types import MethodType
from typing import Any, ParamSpec, TypeVar, overload

from autograph.errors import message
from runtime.errors import users_location
from runtime.function.applicable import check_applicable
from runtime.function.boundary import shown_to_user
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.function import Function
from runtime.function.placement import Placement
from runtime.spellings.options import FUNCTION, answers_options

P = ParamSpec("P")
R = TypeVar("R")


@overload
def function(
    python_function: Callable[P, R],
    *,
    input_signature: Iterable[Any] | None = None,
    reduce_retracing: bool = False,
    convert_packages: Iterable[str] = (),
    cache_size: int = 64,
    engine: str | None = None,
    device: Any = None,
    mesh: Any = None,
    in_shardings: Any = None,
    out_shardings: Any = None,
) -> Function[P, R]: ...


@overload
def function(
    *,
    input_signature: Iterable[Any] | None = None,
    reduce_retracing: bool = False,
    convert_packages: Iterable[str] = (),
    cache_size: int = 64,
    engine: str | None = None,
    device: Any = None,
    mesh: Any = None,
    in_shardings: Any = None,
    out_shardings: Any = None,
) -> Callable[[Callable[P, R]], Function[P, R]]: ...


@shown_to_user
@answers_options("rt.function", FUNCTION)
def function(
    python_function: Any = ...,
    *,
    input_signature: Iterable[Any] | None = None,
    reduce_retracing: bool = False,
    convert_packages: Iterable[str] = (),
    cache_size: int = 64,
    engine: str | None = None,
    device: Any = None,
    mesh: Any = None,
    in_shardings: Any = None,
    out_shardings: Any = None,
) -> Any:
    """Makes a Python function run as a graph; a decorator, with or without arguments.

    Arrays and NumPy scalars are staged: their values are not known while the graph is built.  That
    holds for arguments, and for variables, attributes and items that the function reads.  All other
    values are constants of the graph; calling with a different value builds another graph.  The
    results are those of the Python function.

    `input_signature`: a `TensorSpec` (or `int`, `float`, ... for a staged Python scalar) for each
    of the first parameters.  A call that does not match raises `TypeError`; nothing is cast.
    `reduce_retracing`: the second graph for similar calls is more general, with unknown sizes and
    staged scalars.
    `convert_packages`: names of packages whose functions are converted like the user's own.
    `cache_size`: how many graphs are cached; the least recently used ones are dropped first.
    `engine`: the name of the engine that runs the graphs, whatever `rt.config.use_engine` sets.
    `device`, or `mesh`, `in_shardings` and `out_shardings`: with `engine="xla"`, the function is
    one program of XLA, and its arrays stay where it runs: on a device of `rt.devices()`, or divided
    over a `jax.sharding.Mesh`.  Results are arrays of JAX; NumPy takes them like its own.
    `in_shardings` has an entry for each parameter, `out_shardings` for each part of the result: a
    `PartitionSpec`, a `Sharding`, a container of these, or None, which leaves the choice to XLA.

    Raises `TypeError` for an object that is not a function, with what to write instead;
    `ValueError` for an unknown engine, for a `cache_size` below 1, and for a placement that the
    engine does not have.

    >>> import numpy as np
    >>> @function
    ... def area(radius):
    ...     return 3.1415 * radius ** 2
    >>> round(float(area(np.float64(3.0))), 4)
    28.2735
    """
    options = {
        "input_signature": input_signature,
        "reduce_retracing": reduce_retracing,
        "convert_packages": convert_packages,
        "cache_size": cache_size,
        "engine": engine,
    }
    shardings = {"in_shardings": in_shardings, "out_shardings": out_shardings}
    placement = {"device": device, "mesh": mesh, **shardings}
    if python_function is ...:
        return functools.partial(function, **options, **placement)
    check_applicable(python_function, "rt.function")
    return Function(python_function, **options, placement=Placement(**placement))


def eager(fn: Callable[P, R]) -> Callable[P, R]:
    """The Python function of an `rt.function`, or of a method that is one.

    It runs as Python, whatever the settings are; functions that it calls run as graphs as usual.
    Raises `TypeError` for any other object.

    >>> @function
    ... def area(radius):
    ...     return 3.1415 * radius ** 2
    >>> eager(area)(2)
    12.566
    """
    if isinstance(fn, Function):
        return fn.python_function
    if isinstance(fn, MethodType) and isinstance(fn.__func__, Function):
        return MethodType(fn.__func__.python_function, fn.__self__)
    raise TypeError(
        message(
            f"rt.eager is applied to {getattr(fn, '__qualname__', type(fn).__qualname__)}",
            users_location(),
            "It takes a function that rt.function has made, and returns the original.",
            "Call the function as it is: it runs as Python.",
        )
    )


def concrete_of(target: Any, args: tuple[Any, ...]) -> ConcreteFunction:
    """The graph of a function for the arguments of a call."""
    if isinstance(target, ConcreteFunction):
        if args:
            raise TypeError("a concrete function has its signature: pass no arguments with it")
        return target
    if isinstance(target, MethodType) and isinstance(target.__func__, Function):
        return target.__func__.get_concrete_function(target.__self__, *args)
    has_graphs = hasattr(target, "get_concrete_function")  # an rt.function, or a loaded one
    return (target if has_graphs else function(target)).get_concrete_function(*args)
