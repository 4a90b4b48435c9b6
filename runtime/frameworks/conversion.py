"""`rt.to_jax`, `rt.from_jax`, `rt.to_torch` and `rt.devices`."""

from collections.abc import Callable
from typing import Any

from runtime.errors.packages import needed_by
from runtime.function.applicable import check_applicable
from runtime.function.placement import Placement, register_runner


def to_jax(fn: Callable[..., Any], *, checks: bool = True) -> Callable[..., Any]:
    """The function as one of JAX: it takes and returns arrays of JAX, and works under `jax.jit`,
    `grad`, `vmap`, `jax.export` and the others.

    `fn`: a function, an `rt.function`, a method that is one, or a derivative such as
    `rt.grad(loss)`.  A graph is recorded for each combination of shapes and dtypes, with NumPy's
    meaning and dtypes, whatever JAX's setting for 64 bits is; JAX then traces its operations, and
    differentiates them by its own rules.  Loops whose number of iterations is known, or bounded by
    `autograph.set_loop_options(max_iterations=...)`, become scans: reverse mode works.

    `checks`: whether a run raises where NumPy raises (an index out of range, a failing `assert`, an
    int beyond 64 bits).  A check is a callback of the run, which `jax.export` cannot write.
    Without, such a run has any result.  NumPy's warnings are left out.

    Arrays and variables that the function reads have the values that they have when JAX traces.

    The function raises `ExportError`, with the user's line, for operations that XLA has no
    equivalent of, and for functions that write into arrays, variables or objects.  Raises
    `TypeError` for an object that is not a function.  Needs the package jax (extra `jax`).
    """
    check_applicable(fn, "rt.to_jax")
    with needed_by("rt.to_jax", "jax"):
        from runtime.frameworks.jax_function import jax_function

    return jax_function(fn, checks)


def from_jax(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function of JAX as an operation of graphs, which JAX compiles and differentiates.

    `fn`: a pure function of arrays, in containers if need be, that returns an array, or a tuple,
    list or dict of them; also the `call` of what `jax.export.deserialize` returns.  The operation
    takes arrays of NumPy, in graphs staged ones, and returns arrays of NumPy with the dtypes that
    `fn` gives them.  64-bit dtypes need `jax_enable_x64`: without, JAX makes 32 bits of them.
    Its gradient is that of `jax.vjp`; forward mode, and second derivatives, are refused.

    Raises `TypeError` for an object that is not a function.  Needs the package jax (extra `jax`).

    >>> import numpy as np
    >>> import runtime as rt
    >>> square = rt.from_jax(lambda x: x * x)               # doctest: +SKIP
    >>> rt.grad(lambda x: np.sum(square(x)))(np.ones(2, np.float32))  # doctest: +SKIP
    array([2., 2.], dtype=float32)
    """
    check_applicable(fn, "rt.from_jax")
    with needed_by("rt.from_jax", "jax"):
        from runtime.frameworks.jax_operation import jax_operation

    return jax_operation(fn)


def to_torch(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The function as one of PyTorch: tensors in and out, and `backward` works through it.

    `fn`: a function, an `rt.function` or a method that is one.  The arguments are positional:
    tensors in the memory of the CPU, also in tuples, lists and dicts; all others are passed as they
    are.  Tensors and arrays share their memory (DLPack).  Results that are arrays, NumPy scalars
    and floats become tensors with the dtypes of `fn`; `fn` cannot write into its arguments.

    The gradient is that of `rt.vjp`: `backward` runs the graph of the derivative, which computes
    the function again, with its effects.  With `create_graph=True` it can be differentiated again.

    Calls raise `TypeError` for tensors on another device, and for dtypes that NumPy does not have.
    Raises `TypeError` for an object that is not a function.  Needs the package torch
    (extra `torch`).
    """
    check_applicable(fn, "rt.to_torch")
    with needed_by("rt.to_torch", "torch"):
        from runtime.frameworks.torch_function import torch_function

    return torch_function(fn)


def devices(platform: str | None = None) -> list[Any]:
    """The devices that JAX sees, for `rt.function(engine="xla", device=...)`: objects of JAX.

    `platform`: "cpu", "gpu" or "tpu"; without, those of the platform that JAX prefers.  Raises
    `RuntimeError` if JAX has no such platform.  Needs the package jax (extra `jax`).
    """
    with needed_by("rt.devices", "jax"):
        import jax
    return list(jax.devices(platform))


def _placed_run(function: Any, placement: Placement) -> Callable[[tuple[Any, ...]], Any]:
    from runtime.frameworks.jax_placement import PlacedRun

    return PlacedRun(function, placement)


register_runner("xla", _placed_run)
