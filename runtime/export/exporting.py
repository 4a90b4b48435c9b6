"""`rt.export_onnx`: a function as an ONNX model."""

from typing import Any

from runtime.function.decorator import concrete_of


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
    from runtime.export.onnx import model

    model.write(concrete_of(target, args), path, drop_asserts)
