"""`rt.export_onnx` and `rt.compile_library`: a function as an ONNX model, or as a library for C."""

from types import MethodType
from typing import TYPE_CHECKING, Any

from runtime.errors.packages import needed_by
from runtime.function.boundary import shown_to_user
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.decorator import concrete_of, function
from runtime.function.function import Function
from runtime.ir.pytree import flatten
from runtime.ir.types import PYTHON_TYPES

if TYPE_CHECKING:
    from runtime.export.library.building import Library


@shown_to_user
def export_onnx(target: Any, path: Any, *args: Any, drop_asserts: bool = False) -> None:
    """Writes a function as an ONNX model, which runs without Python and computes the same.

    `target`: a function, an `rt.function`, a method that is one, or one of its graphs.  `path`: the
    file.  `args`: the arguments of a call, arrays or `TensorSpec`s; none for a graph, or a function
    with an `input_signature`.  Dimensions that a spec names have these names in the model.
    `drop_asserts`: leave out `assert` statements and exceptions that the function raises, which
    are refused otherwise.

    The inputs are named as the arguments.  Arrays and variables that the function reads become
    constants with the values that they have now.  Needs the package onnx (extra `onnx`).

    Raises `ExportError`, with the user's line, where no ONNX model computes the same as NumPy.
    """
    with needed_by("rt.export_onnx", "onnx"):
        from runtime.export.onnx import model

    model.write(concrete_of(target, args), path, drop_asserts)


@shown_to_user
def compile_library(
    fn: Any, path: Any, *args: Any, name: str | None = None, target: str | None = None
) -> "Library":
    """Compiles a function to machine code that C programs call, without Python.

    `fn`: a function, an `rt.function`, a method that is one, or one of its graphs; also a
    derivative, such as `rt.grad(loss)`. `path`: the files, without a suffix: `path.o`, `path.h`,
    and where there is a C compiler a static and a shared library. `args`: the arguments of a call:
    arrays, `TensorSpec`s, or `int`, `float` and `bool` for numbers of Python; other values are
    constants. Sizes that a spec names are fields of a struct that the C function takes. `name`: of
    the C function. `target`: the triple of another processor, such as `aarch64-linux-gnu`, for
    which an object file is written.

    The C function returns a status, and a message with the user's file and line, where Python
    raises, where an index is out of bounds, where a divisor of integers or Python floats is zero,
    and where an integer leaves its machine type.  Its arrays are in a workspace that the caller
    passes; a second function returns how large it must be.  Needs the package llvmlite (extra
    `native`).

    Raises `ExportError`, with the user's line, for what has no machine code without Python.
    """
    concrete = _traced(fn, args)
    with needed_by("rt.compile_library", "native"):
        from runtime.export.library import building

        return building.build(concrete, path, name, target)


def _traced(target: Any, args: tuple[Any, ...]) -> ConcreteFunction:
    """The graph of a function for the arguments of a call, in which types stand for numbers."""
    if not any(isinstance(leaf, type) and leaf in PYTHON_TYPES for leaf in flatten(args)[0]):
        return concrete_of(target, args)
    if isinstance(target, (Function, MethodType)):
        raise TypeError(
            "int, float and bool are arguments of plain functions only: give this one an "
            "input_signature"
        )
    staged = function(target, input_signature=list(args))
    return staged.get_concrete_function()
