"""`rt.to_torch`: a `torch.autograd.Function` around the graphs of a function and its derivative.

    h(t)            t -> an array on the same memory -> the graph of f -> tensors on its results
    y.backward()    the graph of the derivative: cotangents of the results -> those of the tensors

The derivative is such a function itself, so PyTorch can differentiate it again.

PyTorch notices a tensor that was changed in place after the call: `backward` raises then.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from types import MethodType
from typing import Any

import numpy as np
import torch

from runtime.errors import DtypeError, users_location
from runtime.function.decorator import function
from runtime.function.function import Function
from runtime.ir.pytree import flatten, unflatten
from runtime.transforms.gradients import vjp


def torch_function(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The function of PyTorch for a NumPy-style function."""
    is_method = isinstance(fn, MethodType) and isinstance(fn.__func__, Function)
    staged: Any = fn if is_method or isinstance(fn, Function) else function(fn)

    @functools.cache
    def pullback() -> Callable[..., Any]:
        return torch_function(lambda cotangent, args: vjp(staged, *args)[1](cotangent))

    def called(*args: Any) -> Any:
        leaves, structure = flatten(args)
        tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
        call = _Call(staged, pullback, leaves, structure)
        if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors):
            results = _Differentiated.apply(call, *tensors)
        else:
            results = call.results(tensors)
        return unflatten(call.result_structure, list(results))

    return functools.update_wrapper(called, fn, updated=())


class _Call:
    """One call: where its tensors are among the arguments, and the structure of its result."""

    def __init__(self, staged: Any, pullback: Any, leaves: list[Any], structure: Any) -> None:
        self.staged, self.pullback, self.structure = staged, pullback, structure
        self.places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
        self.others = [None if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        self.result_structure: Any = None

    def arguments(self, given: Iterable[Any]) -> Any:
        """The arguments of the function, with the given ones in place of tensors."""
        found = list(self.others)
        for place, one in zip(self.places, given, strict=True):
            found[place] = one
        return unflatten(self.structure, found)

    def results(self, tensors: Sequence[Any]) -> tuple[Any, ...]:
        """The leaves of the result, with tensors in place of arrays."""
        arrays = [array_of(tensor) for tensor in tensors]
        leaves, self.result_structure = flatten(self.staged(*self.arguments(arrays)))
        return tuple(tensor_of(leaf, arrays) for leaf in leaves)


class _Differentiated(torch.autograd.Function):
    """A call of which PyTorch needs the gradient."""

    @staticmethod
    def forward(ctx: Any, call: _Call, *tensors: Any) -> tuple[Any, ...]:
        ctx.save_for_backward(*tensors)
        ctx.call, found = call, call.results(tensors)
        ctx.constants = [None if isinstance(one, torch.Tensor) else one for one in found]
        ctx.mark_non_differentiable(*(one for one in found if _is_exact(one)))
        return found

    @staticmethod
    def backward(ctx: Any, *cotangents: Any) -> tuple[Any, ...]:
        call: _Call = ctx.call
        arguments = call.arguments(ctx.saved_tensors)  # raises if one has changed since the call
        pairs = zip(ctx.constants, cotangents, strict=True)
        given = [constant if d is None else d for constant, d in pairs]
        found = call.pullback()(unflatten(call.result_structure, given), arguments)
        leaves = flatten(found)[0]
        return None, *(leaves[place] for place in call.places)


def _is_exact(value: Any) -> bool:
    """Whether a result is a tensor of integers or bools, which have no gradient."""
    kind = value.dtype if isinstance(value, torch.Tensor) else torch.float64
    return not (kind.is_floating_point or kind.is_complex)


def array_of(tensor: Any) -> Any:
    """An array on the memory of a tensor, which cannot be written into; a NumPy scalar."""
    if tensor.device.type != "cpu":
        raise _error(
            f"a tensor on the device {tensor.device} is passed to a function of graphs",
            "Graphs compute in the memory of the CPU.",
            "Call tensor.cpu() before.",
        )
    try:
        array = np.from_dlpack(tensor.detach().resolve_conj().resolve_neg())
    except (RuntimeError, BufferError, TypeError) as error:
        raise _error(
            f"a tensor of {tensor.dtype} has no array of NumPy",
            f"{error}".partition("\n")[0].rstrip(".") + ".",
            "Convert it before: tensor.float()",
        ) from error
    array.flags.writeable = False
    return array if array.ndim else array[()]


def tensor_of(leaf: Any, given: Any) -> Any:
    """A tensor on the memory of an array; a copy, if an argument has that memory."""
    if isinstance(leaf, float | complex | np.generic):
        leaf = np.array(leaf)
    if not isinstance(leaf, np.ndarray):
        return leaf
    is_shared = any(np.may_share_memory(leaf, np.asarray(one)) for one in given)
    is_plain = leaf.flags.writeable and all(step > 0 for step in leaf.strides)
    return torch.from_dlpack(leaf.copy() if is_shared or not is_plain else leaf)


def _error(what: str, why: str, remedy: str) -> DtypeError:
    return DtypeError.about(what, users_location(), why, remedy)
