"""How functions and their graphs are pickled.

    a function that its name leads to      by name, as Python's functions are
    rt.grad(f), rt.vmap(f)                 as this call
    any other                              by value: `autograph/functions/by_value.py`
    a graph of a function                  as a saved program (`saved/pickled.py`); if it cannot be
                                           saved, as the function and the signature

Graphs are not pickled with a function, and generated programs never are: each process makes its
own.
"""

import copyreg
import weakref
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from autograph.functions import by_value
from runtime.ir.pytree import Structure, unflatten
from runtime.ir.types import BoxType, PythonType, TensorType
from runtime.tracing.recording_lock import RECORDING
from runtime.tracing.signature import Constant, Identity, Key, Signature


def reduced_function(function: Any, pickler: FrameType) -> Any:
    """The result of `__reduce_ex__` of an `rt.function`; `pickler` is the frame that asks."""
    is_notebook = function.__module__ == "__main__" and by_value.is_by_value(pickler)
    if not is_notebook and by_value.named(function.__module__, function.__qualname__) is function:
        return function.__qualname__
    python_function, *options = function.options()
    maker, (made_from, *rest) = None, (python_function, *options)
    if function.made_by is not None:
        maker, made_from, *rest = function.made_by
    state = maker, by_value.portable(made_from), *rest
    return copyreg.__newobj__, (type(function),), state  # type: ignore[attr-defined]


def reduced_graph(concrete: Any) -> tuple:
    """A graph of a function as the function and the signature: it is traced again.

    Raises `TypeError` for a graph that holds for one object only.
    """
    keys = concrete.signature.keys
    for key in keys:
        if isinstance(key, Identity):
            raise TypeError(
                f"this graph of {concrete.name} cannot be pickled\n"
                f"It is for one {key.kind.__name__} only.\n"
                "Pickle the function and its arguments, and call get_concrete_function after "
                "loading."
            )
    return traced_again, (concrete.function(), concrete.signature.structure, keys)


def found_again(function: Any) -> Callable[[], Any]:
    """A function that returns this `rt.function`, or an equal one if it has been freed."""
    reference, kind = weakref.ref(function), type(function)
    options, made_by = function.options(), function.made_by
    recreated: list[Any] = []

    def found():
        known = reference()
        if known is None and not recreated:
            recreated.append(kind(*options))
            recreated[0].made_by = made_by
        return recreated[0] if known is None else known

    return found


def traced_again(function: Any, structure: Structure, keys: tuple[Key, ...]) -> Any:
    """The graph of a function for a signature."""
    bound = unflatten(structure, list(map(example, keys)))
    signature = Signature(structure, keys)
    return RECORDING.exclusively(function, lambda: function.of_signature(bound, signature))


def example(key):
    """An argument with a key."""
    match key:
        case TensorType():
            sizes = [size if isinstance(size, int) else 1 for size in key.shape]
            array = np.zeros(sizes, key.dtype)
            return array if sizes or isinstance(key, BoxType) else array[()]
        case PythonType():
            return key.kind()
        case Constant():
            return key.value
    raise TypeError(f"{key} cannot be pickled")
