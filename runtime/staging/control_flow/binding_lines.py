"""The line that gives a variable its value at the start or the end of a block.

    counter = 0              counter starts with the value of line 1
    while x > 1:
        x = x / 2
        counter = 1.0        and ends with that of line 4

A join converts the values that paths leave in a variable to one type.  These operations belong to
the statements that bind the variable, not to the `if` or `while`.  A constant has no node that
would know its line, so the bytecode tells it.  If several statements may be the last, no line is
named here, and the operation has that of the block.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import CodeType

from autograph.backend import Undefined
from autograph.functions.bytecode import last_binding
from autograph.functions.code_tables import MADE
from autograph.staging.locate import users_frame
from autograph.staging.mutations import MutableLocation
from runtime.ir.graph import Binding, Location, Operand, Value
from runtime.tracing import trace
from runtime.tracing.locate import location_in


def line_at_start(location: MutableLocation) -> Callable[[], Location | None]:
    """Where the code around a block binds a variable before it; finds nothing for other places."""
    return partial(_at_start, location)


def line_at_end(
    location: MutableLocation, codes: Iterable[CodeType | None]
) -> Callable[[], Location | None]:
    """Where the functions of a block bind a variable last, or the line of the expression that one
    returns; finds nothing for other places."""
    return partial(_at_end, location, tuple(codes))


def line_of_test(test: Callable) -> Location | None:
    """The line of the test of an `if` or `elif`, which is a function in converted code."""
    code = getattr(test, "__code__", None)
    if code not in MADE or trace.current().source is not None:
        return None
    return _place([(code, last_binding(code, ""))])


def lines_of_constants(
    operands: Iterable[Operand], find: Callable[[], Location | None]
) -> list[Location | None]:
    """For each operand of a variable the line that binds it, if the variable is constant."""
    operands = tuple(operands)
    if any(isinstance(one, Value) for one in operands):
        return [None] * len(operands)
    return [find() for _ in operands]


def bindings(
    results: Iterable[Value], region: str, lines: Iterable[Location | None]
) -> Iterator[Binding]:
    """The bindings of the results of a branch or loop, whose constants have these lines at the
    start or the end of a region.  A name that stands for several variables has none."""
    found: dict[str, set[Location | None]] = {}
    for value, line in zip(results, lines, strict=False):
        found.setdefault(value.hint, set()).add(line)
    for name, places in found.items():
        line = next(iter(places))
        if len(places) == 1 and line is not None:
            yield Binding(name, region, line)


def _at_start(location):
    is_bound = location.is_variable and not isinstance(location.before, Undefined)
    frame = users_frame()
    if frame is None or not is_bound or trace.current().source is not None:
        return None
    offset = last_binding(frame.f_code, location.path, frame.f_lasti)
    return None if offset is None else location_in(frame.f_code, offset)


def _at_end(location, codes):
    if trace.current().source is not None:
        return None
    made = [code for code in codes if code is not None and code in MADE]
    if location.is_variable:
        return _place([(code, last_binding(code, location.path)) for code in made])
    if location.path:
        return None
    lambdas = [code for code in made if code.co_name == "<lambda>"]  # sides of an expression
    found, frame = _place([(code, last_binding(code, "")) for code in lambdas]), users_frame()
    return found and frame and found._replace(function=frame.f_code.co_name)


def _place(instructions):
    """The location of the only instruction that is known; None if there is another number."""
    places = [location_in(code, offset) for code, offset in instructions if offset is not None]
    return places[0] if len(places) == 1 else None
