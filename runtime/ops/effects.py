"""Side effects of a graph: printing, checking, raising, reporting writes.

Nodes with effects are kept even if their results are unused, and run in program order.
"""

import builtins
import sys
from contextvars import ContextVar
from types import FunctionType

import numpy as np

from runtime.ir.op import Op, find, named
from runtime.ir.slot import Slot, fill_slots
from runtime.ir.traits import Effect, Traits
from runtime.ops.examples import MATRIX, SCALAR, call


def _print(xp, operands, attributes):
    arguments = [
        operands[part.index] if isinstance(part, Slot) else part for part in attributes["parts"]
    ]
    builtins.print(*arguments, sep=attributes["sep"], end=attributes["end"], file=sys.stdout)


print_ = Op(
    "print",
    "Calls `print` with its parts: strings, and slots that operands fill.",
    lambda *operands, parts, sep, end: (),
    _print,
    arity=None,
    traits=Traits(effect=Effect.EXTERNAL, takes_unions=True),
    examples=lambda: [call(SCALAR, parts=("x is", Slot(0)), sep=" ", end="\n")],
    called="",
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
    traits=Traits(
        effect=Effect.RAISES,
        raises=lambda types, attributes: (attributes["error"],),
        takes_unions=True,
    ),
    examples=lambda: [call(True, error=ValueError, arguments=())],
    called="",
)


def raise_error(error: type, arguments: tuple, operands, state: tuple = ()):
    """Raises an exception; its arguments are constants, and slots that operands fill.

    `state` holds its attributes by name.  A user-defined constructor ran when the exception was
    recorded, so `arguments` are those that it passed to its built-in base class.
    """
    arguments = fill_slots(arguments, operands)
    made = error.__new__(error, *arguments)
    next(
        vars(kind)["__init__"] for kind in error.__mro__ if _is_built_in(vars(kind).get("__init__"))
    )(made, *arguments)
    if state:
        made.__setstate__(dict(fill_slots(state, operands)))
    raise made


def _is_built_in(method):
    return method is not None and not isinstance(method, FunctionType)


raise_ = Op(
    "raise_",
    "Raises an exception.",
    lambda *operands, error, arguments, state=(): (),
    lambda xp, operands, attributes: raise_error(operands=operands, **attributes),
    arity=None,
    traits=Traits(effect=Effect.RAISES, takes_unions=True),
    called="",
)


def _fail_rule(*operands, op, **attributes):
    named(op)
    return ()


def _fail(xp, operands, attributes):
    rest = {name: value for name, value in attributes.items() if name != "op"}
    find(attributes["op"]).evaluate(xp, operands, rest)


failing = Op(
    "failing",
    "Computes an operation for the exception that it raises; the types of its operands fit in no "
    "run.",
    _fail_rule,
    _fail,
    arity=None,
    traits=Traits(effect=Effect.RAISES),
    examples=lambda: [call(MATRIX, op="negative")],
)


observed = Op(
    "observed",
    "Keeps the computation of its operand: whether it raises an exception decides how to go on.",
    lambda x: (),
    lambda xp, operands, attributes: None,
    arity=1,
    traits=Traits(effect=Effect.RAISES),
    examples=lambda: [call(MATRIX)],
)


written = Op(
    "written",
    "Reports that the array of the first operand, an input, now has the contents of the second.\n"
    "If an exception ends the run after this point, the caller finds these contents in the array.",
    lambda given, new: (),
    lambda xp, operands, attributes: None,
    arity=2,
    traits=Traits(effect=Effect.REPORT),
    examples=lambda: [call(MATRIX, MATRIX)],
)


_blocks: ContextVar[tuple] = ContextVar("blocks", default=())  # open `np.errstate` blocks


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
    "The start of `with np.errstate(...)`: sets how NumPy treats floating-point errors.",
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
