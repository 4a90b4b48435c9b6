"""The text of a C function: what leaves a piece of the native engine returns a status here.

    leave_if(%4, ZERO_DIVISION)     br %4, leave7, on8
    leave7:                         status 1, "ZeroDivisionError: ... (model.py, line 12)"

The flags of the processor are of no interest: code without Python has no warnings.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import Kind, NotLowered
from runtime.engines.native.text import Text
from runtime.export.library import inner_loops
from runtime.ir.graph import Location
from runtime.ir.slot import Slot


class Status(IntEnum):
    """What a C function returns; the header has the same names."""

    OK = 0
    ZERO_DIVISION = 1
    INDEX = 2
    RANGE = 3
    EXCEPTION = 4
    WORKSPACE = 5
    SIZES = 6
    UNSUPPORTED = 7


# For each way out its status, and the exception of Python, if it raises one.
STATUSES = {
    Exit.ZERO_DIVISION: (Status.ZERO_DIVISION, "ZeroDivisionError"),
    Exit.INDEX: (Status.INDEX, "IndexError"),
    Exit.OVERFLOW: (Status.RANGE, ""),
    Exit.INEXACT: (Status.RANGE, ""),
    Exit.CONVERSION: (Status.RANGE, ""),
    Exit.SIZE: (Status.RANGE, ""),
    Exit.SHAPE: (Status.SIZES, ""),
    Exit.EMPTY: (Status.EXCEPTION, "ValueError"),
    Exit.ITERATIONS: (Status.EXCEPTION, "RuntimeError"),
    Exit.RAISED: (Status.EXCEPTION, ""),
    Exit.MEMORY: (Status.WORKSPACE, ""),
    Exit.ARGUMENT: (Status.SIZES, ""),
    Exit.ORDER: (Status.UNSUPPORTED, ""),
}
# What NumPy warns of, and the sign of a zero: the code goes on.
IGNORED = (Exit.FLAGS, Exit.WARNED_DIVISION, Exit.SIGN_OF_ZERO)
INSTRUCTIONS = ("fadd", "fsub", "fmul", "fdiv", "frem")
C_FUNCTIONS = ("pow",)  # of libm


class LibraryText(Text):
    """A C function that is being written."""

    looks_for_signals = False
    has_functions = False
    counts_one_more = "@count"

    def __init__(self) -> None:
        super().__init__()
        self.exits: dict[tuple[Status, str], str] = {}  # the blocks that return a status
        self.definitions: dict[str, str] = {}  # of other functions
        self.uses_workspace = False

    # -- ways out ----------------------------------------------------------------------------------

    def leave_if(self, condition: str, why: Exit) -> None:
        """Returns a status under a condition."""
        if why not in IGNORED:
            super().leave_if(condition, why)

    def way_out(self, why: Exit) -> str:
        """The block that returns a status and its message."""
        status, error = STATUSES[why]
        message = self._raised() if why is Exit.RAISED else why.value
        if error:
            message = f"{error}: {message}"
        location = None if self.node is None else self.node.location
        return self.returning(status, message + _shown(location))

    def returning(self, status: Status, message: str) -> str:
        """The block that returns a status and a message."""
        key = status, message
        if key not in self.exits:
            self.exits[key] = self.label("status")
        return self.exits[key]

    def _raised(self) -> str:
        """The exception of a `raise` or `assert`; a text that a run makes is left out."""
        if self.node is None or "error" not in self.node.attributes:
            return "an exception is raised"
        name = self.node.attributes["error"].__name__
        given = [one for one in self.node.attributes["arguments"] if not isinstance(one, Slot)]
        return f"{name}: {', '.join(map(str, given))}" if given else name

    def leave_if_flagged(self) -> None:
        """Nothing: there are no warnings."""

    def clear_flags(self) -> None:
        """Nothing: the flags are not read."""

    def check_complex(self) -> None:
        """Raises `NotLowered`: their results for zeros and infinities would need NumPy."""
        raise NotLowered("complex numbers have no C code")

    # -- symbols -----------------------------------------------------------------------------------

    def declare(self, name: str, declaration: str, address: int | None = None) -> str:
        """Declares a function; those of NumPy are defined in the text.

        Raises `NotLowered` if it is neither one of LLVM or libm, nor one that has a definition.
        """
        if address is None or name in C_FUNCTIONS:
            return super().declare(name, declaration)
        if name.startswith("data_"):
            return "null"
        if name not in self.definitions:
            found = inner_loops.definition(name, LibraryText) if name.startswith("loop_") else None
            if found is None:
                shown = name.removeprefix("loop_").split("_")[0]
                raise NotLowered(f"{shown} of Python or NumPy has no machine code of its own")
            self.definitions |= found.definitions
            self.declarations |= found.declarations
        return f"@{name}"

    def object(self, name: str, value: Any) -> str:
        """Raises `NotLowered`: there are no objects without Python."""
        raise NotLowered("it needs objects of Python")

    # -- floats ------------------------------------------------------------------------------------

    def float(self, name: str, kind: Kind, *operands: str) -> str:
        """An operation on floats, as an ordinary instruction."""
        register = kind.register
        if name in INSTRUCTIONS:
            return self.register(f"{name} {register} {', '.join(operands)}")
        given = [(register, operand) for operand in operands]
        return self.intrinsic(f"llvm.{name}.{kind.suffix}", register, *given)

    def float_conversion(self, name: str, source: Kind, result: Kind, operand: str) -> str:
        """A conversion between kinds, as an ordinary instruction."""
        return self.register(f"{name} {source.register} {operand} to {result.register}")

    def float_comparison(self, predicate: str, kind: Kind, x: str, y: str) -> str:
        """A comparison of two floats."""
        return self.register(f"fcmp {predicate} {kind.register} {x}, {y}")


def _shown(location: Location | None) -> str:
    """The user's file and line, at the end of a message."""
    return "" if location is None else f" ({location.short}, line {location.lineno})"
