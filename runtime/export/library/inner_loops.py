"""The loops over elements that NumPy has in C, as LLVM IR: sums, extremes, functions, products.

    loop_tanh_d_d(arguments, count, steps, data)      for each element: tanh, of the vector math
    loop_add_dd_d                                     with steps 0: a sum, pairwise as NumPy adds

They are called as NumPy's are, so the native engine writes the same calls for both.  Functions come
from `vector_math/`, within 2 units in the last place; all else has NumPy's bits, but products of
matrices, whose sums BLAS computes in another order.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from runtime.engines.native import vector_math
from runtime.engines.native.arithmetic import float_floor_division
from runtime.engines.native.kernels.counting import Counted
from runtime.engines.native.kernels.elements import ELEMENTS, compared, selected
from runtime.engines.native.kinds import TRUTH, Kind, kind_of_dtype
from runtime.engines.native.text import Text, literal
from runtime.engines.native.view_layout import moved

Compute = Callable[[Text, Kind, list[str]], str]
PARAMETERS = "ptr %arguments, ptr %counts, ptr %steps, ptr %data"


@dataclass
class Definition:
    """The text of a function and of those that it calls, by name, and what they declare."""

    definitions: dict[str, str] = field(default_factory=dict)
    declarations: dict[str, str] = field(default_factory=dict)


def definition(name: str, new: Callable[[], Text]) -> Definition | None:
    """The definition of a loop, such as `loop_add_dd_d`; None if there is none.

    `new` makes the text of a function.
    """
    if (found := re.fullmatch(r"loop_matmul_([fd])", name)) is not None:
        return _product(name, kind_of_dtype(np.dtype(found[1])), new())
    function, given, result = name.removeprefix("loop_").rsplit("_", 2)
    characters = (given + result).replace("truth", "?")
    kinds = [kind_of_dtype(np.dtype(one)) for one in characters]
    found = Definition()
    compute = _compute(function, kinds, found)
    if compute is None:
        return None
    text = new()
    pairwise = function == "add" and kinds[0].is_float
    if pairwise:
        _define_pairwise_sum(kinds[0], new(), found)
    found.definitions[name] = _loop(name, kinds, compute, text, pairwise)
    found.declarations |= text.declarations
    return found


def _compute(function: str, kinds: list[Kind], found: Definition) -> Compute | None:
    """The instructions for one element; None if there are none."""
    if function in OTHERS:
        return OTHERS[function] if kinds[0].is_float else None
    formula = {"power": "pow"}.get(function, function)
    if formula in vector_math.FORMULAS and all(kind.is_float for kind in kinds):
        return _formula(formula, kinds[0], found)
    if function in ELEMENTS and len({*kinds}) == 1 or function == "isnan":
        return ELEMENTS[function].write
    return None


def _formula(name: str, kind: Kind, found: Definition) -> Compute:
    """A call of a function of the vector math, which is defined with the functions it calls."""
    suffix, symbol = kind.suffix, vector_math.symbol(name, kind.suffix, 1)
    whole = vector_math.definition(name, suffix, 1, fma=False)
    for text in whole.texts:
        defined = re.search(r"@([\w.]+)\(", text)
        assert defined is not None
        found.definitions[defined[1]] = text
    for declaration in whole.declarations:
        declared = re.search(r"@([\w.]+)\(", declaration)
        assert declared is not None
        found.declarations[declared[1]] = declaration

    def call(text: Text, kind: Kind, given: list[str]) -> str:
        operands = ", ".join(f"{kind.register} {one}" for one in given)
        return text.register(f"call {kind.register} @{symbol}({operands})")

    return call


# -- functions without an entry elsewhere ----------------------------------------------------------


def _is_finite(text: Text, kind: Kind, given: list[str]) -> str:
    difference = text.float("fsub", kind, given[0], given[0])
    return text.float_comparison("ord", kind, difference, difference)


def _is_infinite(text: Text, kind: Kind, given: list[str]) -> str:
    register = kind.register
    size = text.intrinsic(f"llvm.fabs.{kind.suffix}", register, (register, given[0]))
    return text.float_comparison("oeq", kind, size, literal(kind, np.inf))


def _copied_sign(text: Text, kind: Kind, given: list[str]) -> str:
    register = kind.register
    name = f"llvm.copysign.{kind.suffix}"
    return text.intrinsic(name, register, (register, given[0]), (register, given[1]))


def _sign(text: Text, kind: Kind, given: list[str]) -> str:
    x = given[0]
    above = text.float_comparison("ogt", kind, x, literal(kind, 0.0))
    below = text.float_comparison("olt", kind, x, literal(kind, 0.0))
    is_nan = text.float_comparison("uno", kind, x, x)
    found = selected(text, kind, below, literal(kind, -1.0), literal(kind, 0.0))
    found = selected(text, kind, above, literal(kind, 1.0), found)
    return selected(text, kind, is_nan, x, found)


def _extreme_number(predicate: str) -> Compute:
    """The larger or smaller of two; where one is nan, the other."""

    def write(text: Text, kind: Kind, given: list[str]) -> str:
        x, y = given
        holds = compared(text, kind, (predicate, predicate, predicate), x, y)
        is_nan = text.float_comparison("uno", kind, y, y)
        return selected(text, kind, text.register(f"or i1 {holds}, {is_nan}"), x, y)

    return write


def _remainder(text: Text, kind: Kind, given: list[str]) -> str:
    return float_floor_division(text, kind, *given, quotient=False)


def _c_remainder(text: Text, kind: Kind, given: list[str]) -> str:
    return text.float("frem", kind, *given)


def _floor_quotient(text: Text, kind: Kind, given: list[str]) -> str:
    """The floor quotient; of a division by zero the quotient."""
    found = float_floor_division(text, kind, *given, quotient=True)
    by_zero = text.float_comparison("oeq", kind, given[1], literal(kind, 0.0))
    return selected(text, kind, by_zero, text.float("fdiv", kind, *given), found)


# op names: instructions for floats
OTHERS: dict[str, Compute] = {
    "isfinite": _is_finite,
    "isinf": _is_infinite,
    "copysign": _copied_sign,
    "sign": _sign,
    "fmax": _extreme_number("oge"),
    "fmin": _extreme_number("ole"),
    "remainder": _remainder,
    "fmod": _c_remainder,
    "floor_divide": _floor_quotient,
}


# -- loops -----------------------------------------------------------------------------------------


def _loop(name: str, kinds: list[Kind], compute: Compute, text: Text, pairwise: bool) -> str:
    """A loop that computes a result for each element; of a sum with steps 0 the sum."""
    text.block = "begin"
    count = text.register("load i64, ptr %counts")
    places = [_entry(text, "ptr", "%arguments", i) for i in range(len(kinds))]
    steps = [_entry(text, "i64", "%steps", i) for i in range(len(kinds))]
    if pairwise:
        _sum_if_steps_are_zero(text, kinds[0], places, steps, count)
    loop = Counted(text, count)
    given = []
    for place, step, kind in zip(places[:-1], steps, kinds, strict=False):
        where = moved(text, place, loop.index, step)
        element = text.register(f"load {kind.memory}, ptr {where}, align {kind.itemsize}")
        given.append(text.register(f"icmp ne i8 {element}, 0") if kind == TRUTH else element)
    result, kind = compute(text, kinds[0], given), kinds[-1]
    if kind == TRUTH:
        result = text.register(f"zext i1 {result} to i8")
    where = moved(text, places[-1], loop.index, steps[-1])
    text.line(f"store {kind.memory} {result}, ptr {where}, align {kind.itemsize}")
    loop.close()
    return _function(f"void @{name}({PARAMETERS})", text, "ret void")


def _entry(text: Text, type: str, table: str, place: int) -> str:
    return text.register(
        f"load {type}, ptr {text.register(f'getelementptr {type}, ptr {table}, i64 {place}')}"
    )


def _function(head: str, text: Text, last: str) -> str:
    lines = [f"define internal {head} {{", "entry:", *text.memory, "  br label %begin", "begin:"]
    return "\n".join([*lines, *text.lines, f"  {last}", "}"])


def _sum_if_steps_are_zero(
    text: Text, kind: Kind, places: list[str], steps: list[str], count: str
) -> None:
    register = kind.register
    is_sum = text.register(f"icmp eq i64 {text.register(f'or i64 {steps[0]}, {steps[2]}')}, 0")
    reduces, going_on = text.label("reduces"), text.label("on")
    text.line(f"br i1 {is_sum}, label %{reduces}, label %{going_on}")
    text.start(reduces)
    given = f"ptr {places[1]}, i64 {count}, i64 {steps[1]}"
    found = text.register(f"call {register} @pairwise_sum_{kind.suffix}({given})")
    before = text.register(f"load {register}, ptr {places[0]}")
    total = text.float("fadd", kind, before, found)
    text.line(f"store {register} {total}, ptr {places[2]}")
    text.line("ret void")
    text.start(going_on)


# -- sums ------------------------------------------------------------------------------------------

LANES, ROW = 8, 128  # NumPy adds up to 128 numbers in 8 sums, and more in halves


def _define_pairwise_sum(kind: Kind, text: Text, found: Definition) -> None:
    """A sum of floats in the order in which NumPy adds them."""
    register, name = kind.register, f"pairwise_sum_{kind.suffix}"
    text.block = "begin"
    few, many, row, halves = (text.label(stem) for stem in ("few", "many", "row", "halves"))
    is_few = text.register(f"icmp slt i64 %count, {LANES}")
    text.line(f"br i1 {is_few}, label %{few}, label %{many}")
    text.start(few)
    total = text.local(register)
    text.line(f"store {register} {literal(kind, -0.0)}, ptr {total}")
    _add_one_by_one(text, kind, total, "0")
    text.line(f"ret {register} {text.register(f'load {register}, ptr {total}')}")
    text.start(many)
    is_row = text.register(f"icmp sle i64 %count, {ROW}")
    text.line(f"br i1 {is_row}, label %{row}, label %{halves}")
    text.start(row)
    _add_row(text, kind, total)
    text.line(f"ret {register} {text.register(f'load {register}, ptr {total}')}")
    text.start(halves)
    half = text.register(f"and i64 {text.register('lshr i64 %count, 1')}, {-LANES}")
    first = text.register(f"call {register} @{name}(ptr %from, i64 {half}, i64 %step)")
    rest, place = text.register(f"sub i64 %count, {half}"), moved(text, "%from", half, "%step")
    second = text.register(f"call {register} @{name}(ptr {place}, i64 {rest}, i64 %step)")
    whole = text.float("fadd", kind, first, second)
    head = f"{register} @{name}(ptr %from, i64 %count, i64 %step)"
    found.definitions[name] = _function(head, text, f"ret {register} {whole}")


def _element(text: Text, kind: Kind, place: str) -> str:
    where = moved(text, "%from", place, "%step")
    return text.register(f"load {kind.register}, ptr {where}, align {kind.itemsize}")


def _add_one_by_one(text: Text, kind: Kind, total: str, start: str) -> None:
    loop = Counted(text, "%count", start)
    before = text.register(f"load {kind.register}, ptr {total}")
    after = text.float("fadd", kind, before, _element(text, kind, loop.index))
    text.line(f"store {kind.register} {after}, ptr {total}")
    loop.close()


def _add_row(text: Text, kind: Kind, total: str) -> None:
    """Adds up to 128 numbers in 8 sums, then the sums in pairs, then the remaining numbers."""
    register = kind.register
    sums = [text.local(register) for _ in range(LANES)]
    for lane, place in enumerate(sums):
        text.line(f"store {register} {_element(text, kind, str(lane))}, ptr {place}")
    end = text.register(f"and i64 %count, {-LANES}")
    loop = Counted(text, end, str(LANES), str(LANES))
    for lane, place in enumerate(sums):
        index = text.register(f"add i64 {loop.index}, {lane}")
        before = text.register(f"load {register}, ptr {place}")
        after = text.float("fadd", kind, before, _element(text, kind, index))
        text.line(f"store {register} {after}, ptr {place}")
    loop.close()
    values = [text.register(f"load {register}, ptr {place}") for place in sums]
    while len(values) > 1:
        pairs = zip(values[::2], values[1::2], strict=True)
        values = [text.float("fadd", kind, x, y) for x, y in pairs]
    text.line(f"store {register} {values[0]}, ptr {total}")
    _add_one_by_one(text, kind, total, end)


# -- products --------------------------------------------------------------------------------------


def _product(name: str, kind: Kind, text: Text) -> Definition:
    """The product of two matrices: rows times columns."""
    register = kind.register
    text.block = "begin"
    left, right, result = (_entry(text, "ptr", "%arguments", i) for i in range(3))
    m, n, p = (_entry(text, "i64", "%counts", i) for i in (1, 2, 3))
    steps = [_entry(text, "i64", "%steps", i) for i in range(3, 9)]
    total = text.local(register)
    rows = Counted(text, m)
    columns = Counted(text, p)
    row = moved(text, left, rows.index, steps[0])
    column = moved(text, right, columns.index, steps[3])
    text.line(f"store {register} {literal(kind, 0.0)}, ptr {total}")
    inner = Counted(text, n)
    x = text.register(f"load {register}, ptr {moved(text, row, inner.index, steps[1])}")
    y = text.register(f"load {register}, ptr {moved(text, column, inner.index, steps[2])}")
    before = text.register(f"load {register}, ptr {total}")
    after = text.float("fadd", kind, before, text.float("fmul", kind, x, y))
    text.line(f"store {register} {after}, ptr {total}")
    inner.close()
    place = moved(text, moved(text, result, rows.index, steps[4]), columns.index, steps[5])
    found = text.register(f"load {register}, ptr {total}")
    text.line(f"store {register} {found}, ptr {place}")
    columns.close()
    rows.close()
    return Definition({name: _function(f"void @{name}({PARAMETERS})", text, "ret void")})
