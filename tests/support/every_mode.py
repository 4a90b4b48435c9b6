"""Small programs that run plain, converted, traced, traced with sizes unknown, and eagerly.

    @PROGRAMS.program(ROW)
    def unpacked(x): ...

    check_in_every_mode(PROGRAMS[name])

A program with `refused=SIZES` is refused, with a line of the user, where sizes are unknown; with
`refused=STAGED` in each traced mode.  It is never different.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from support.outcomes import check_same, outcome, quiet, same_exactly

import autograph
import runtime as rt

SIZES, STAGED = ("sizes",), ("traced", "sizes")
MODES = ("converted", "traced", "sizes", "eager")


@dataclass
class Program:
    """A function, its arguments, and the modes in which it is refused."""

    function: Callable
    arguments: tuple
    refused: tuple = ()


class Programs(dict[str, Program]):
    """Programs by name."""

    def program(self, *arguments, refused=(), name=None):
        """Adds a function that is called with copies of some arguments; a decorator.

        A function with several arguments to call it with has a name for each but one.
        """

        def add(function):
            key = name or function.__name__
            assert key not in self
            self[key] = Program(function, arguments, refused)
            return function

        return add


def with_unknown_sizes(value):
    """The type of an array without its sizes; other values themselves."""
    if isinstance(value, np.ndarray) and value.dtype.names is None:
        return rt.TensorSpec((None,) * value.ndim, value.dtype)
    return value


def in_mode(program: Program, mode: str) -> Callable:
    """The function as it runs in a mode."""
    if mode == "converted":
        return autograph.to_graph(program.function)
    if mode == "sizes":
        signature = tuple(map(with_unknown_sizes, program.arguments))
        return rt.function(program.function, input_signature=signature)
    return rt.function(program.function)


def check_in_mode(program: Program, mode: str) -> None:
    """Compares two calls of a program with those of plain Python, or checks that it is refused."""
    with quiet(), rt.config.temporarily(run_functions_eagerly=mode == "eager"):
        wanted = outcome(program.function, program.arguments)
        function = in_mode(program, mode)
        if mode in program.refused:
            with pytest.raises(rt.StagingError) as error:
                function(*program.arguments)
            assert program.function.__code__.co_filename in str(error.value)
            return
        for _ in range(2):
            check_same(outcome(function, program.arguments), wanted, same_exactly)


def check_in_every_mode(program: Program) -> None:
    """Compares a program with plain Python in each mode."""
    for mode in MODES:
        check_in_mode(program, mode)
