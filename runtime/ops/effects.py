"""What a graph does besides computing: printing, checking, raising.

Effects are kept though nobody uses their results, and happen in program order.
"""

import builtins
import sys
from contextvars import ContextVar
from types import FunctionType

import numpy as np

from runtime.ir.op import Op
from runtime.ir.slot import Slot, filled
from runtime.ir.traits import Effect, Traits


def _print(xp, operands, attributes):
    arguments = [
        operands[part.index] if isinstance(part, Slot) else part for part in attributes["parts"]
    ]
    builtins.print(*arguments, sep=attributes["sep"], end=attributes["end"], file=sys.stdout)


print_ = Op(
    "print",
    "Prints its parts as `print` does: strings, and slots for operands.",
    lambda *operands, parts, sep, end: (),
    _print,
    arity=None,
    traits=Traits(effect=Effect.EXTERNAL),
)


def _assert(xp, operands, attributes):
    holds, *rest = operands
    if not holds:
        raise_error(attributes["error"], attributes["arguments"], rest)


assert_ = Op(
    "assert_",
    "Raises an exception unless its first operand is true.",
    lambda holds, *operands, error, arguments: (),
    _assert,
    arity=None,
    traits=Traits(effect=Effect.RAISES),
)


def raise_error(error: type, arguments: tuple, operands, state: tuple = ()):
    """Raises an exception; its arguments are constants, and slots that stand for operands.

    `state` are its attributes, by name.  A constructor of the user's has run already, while the
    exception was recorded, so `arguments` are what it has passed on.
    """
    arguments = filled(arguments, operands)
    made = error.__new__(error, *arguments)
    next(
        vars(kind)["__init__"] for kind in error.__mro__ if _is_built_in(vars(kind).get("__init__"))
    )(made, *arguments)
    if state:
        made.__setstate__(dict(filled(state, operands)))
    raise made


def _is_built_in(method):
    return method is not None and not isinstance(method, FunctionType)


raise_ = Op(
    "raise_",
    "Raises an exception.",
    lambda *operands, error, arguments, state=(): (),
    lambda xp, operands, attributes: raise_error(operands=operands, **attributes),
    arity=None,
    traits=Traits(effect=Effect.RAISES),
)


written = Op(
    "written",
    "Says what the array of the first operand, an input, holds from now on: the second operand.\n"
    "Where a run ends early by an exception, that is what its caller finds in the array.",
    lambda given, new: (),
    lambda xp, operands, attributes: None,
    arity=2,
    traits=Traits(effect=Effect.REPORT),
)


_blocks: ContextVar[tuple] = ContextVar("blocks", default=())  # of `np.errstate` that are open


def _enter_errors(xp, operands, attributes):
    block = np.errstate(**dict(attributes["options"]))
    block.__enter__()
    _blocks.set((*_blocks.get(), block))


def _leave_errors(xp, operands, attributes):
    *around, block = _blocks.get()
    _blocks.set(tuple(around))
    block.__exit__()


enter_errors = Op(
    "enter_errors",
    "`with np.errstate(...)`: NumPy warns of some errors, or ignores them, from here on.",
    lambda options: (),
    _enter_errors,
    arity=0,
    traits=Traits(effect=Effect.ERROR_STATE),
)
leave_errors = Op(
    "leave_errors",
    "The end of `with np.errstate(...)`.",
    lambda: (),
    _leave_errors,
    arity=0,
    traits=Traits(effect=Effect.ERROR_STATE),
)
