"""From the nodes of a piece to LLVM instructions: values in registers, operands converted.

An emitter knows which registers hold each value of the graph.  What an op does is in its lowering
(`lowering.py`), which asks the emitter for operands and gives it the results.
"""

from collections.abc import Iterable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from runtime.analyses.intervals import Interval, Ranges
from runtime.analyses.liveness import Uses
from runtime.analyses.slow_counters import slow_counters
from runtime.engines.native.exits import Exit
from runtime.engines.native.facts import Facts
from runtime.engines.native.kinds import (
    INTEGER,
    Kind,
    NotLowered,
    components,
    is_mixed,
    is_record,
    kind_of,
    may_be_python,
    part_of,
)
from runtime.engines.native.lowering import writer
from runtime.engines.native.mixed_scalars import mixed_registers
from runtime.engines.native.ownership import Ownership
from runtime.engines.native.records import kept_registers
from runtime.engines.native.storage import Objects, Storage
from runtime.engines.native.text import Text, literal
from runtime.ir.graph import Graph, Node, Operand, Value, operand_type
from runtime.ir.types import TensorType, Type, UnionType, is_array

EXACT = 1 << 53  # every integer up to this is a float

_slow: WeakKeyDictionary[Ranges, set[Node]] = WeakKeyDictionary()


class Emitter:
    """Writes nodes of a graph into a text."""

    def __init__(
        self,
        text: Text,
        ranges: Ranges,
        uses: Uses,
        formulas: bool = False,
        storage: Storage | None = None,
    ) -> None:
        self.text = text
        self.formulas = formulas  # whether kernels compute functions by the vector math
        self.storage: Storage = storage or Objects()
        self.ranges = ranges
        self.ownership = Ownership(text, uses)
        self.facts = Facts(ranges, self.ownership)
        self.held = self.ownership.held
        self.is_whole = False  # whether all of a call is written, and no NumPy program runs
        self.ignoring = 0  # blocks of `np.errstate(all="ignore")` around the code
        self.functions: dict[str, Any] = {}  # `recursion.Function`: those around the code
        self.views: dict[Operand, Any] = {}  # `views.View`: arrays that have no object
        self.rows: dict[Value, tuple[Value, str]] = {}  # that are changed: the list, the place

    # -- nodes -------------------------------------------------------------------------------------

    def nodes(self, nodes: Iterable[Node]) -> None:
        """Writes nodes in order.  Raises `NotLowered` for one that has no machine code."""
        writer()(self, nodes)

    def result(self, node: Node, register: str) -> None:
        """Makes a register the one result of a node, a scalar; it is NumPy's if an operand is."""
        self.results(node, (register,))

    def results(self, node: Node, registers: tuple[str, ...]) -> None:
        """As `result`, of a scalar that several registers hold."""
        value = node.output
        if isinstance(value.type, UnionType):
            registers = (*registers, self.any_is_numpys(node.inputs))
        self.held[value] = registers

    def any_is_numpys(self, operands: Iterable[Operand]) -> str:
        """A bit that says whether one of some scalars is NumPy's in this run."""
        bits = [self.is_numpys(operand) for operand in operands]
        if "true" in bits:
            return "true"
        found = "false"
        for bit in dict.fromkeys(bits):
            if bit != "false":
                found = bit if found == "false" else self.text.register(f"or i1 {found}, {bit}")
        return found

    def is_numpys(self, operand: Operand) -> str:
        """A bit that says whether a scalar is NumPy's in this run."""
        kind = operand_type(operand)
        if isinstance(kind, UnionType) and isinstance(operand, Value):
            return self.held[operand][-1]
        return str(isinstance(kind, TensorType)).lower()

    def counts_slowly(self, node: Node) -> bool:
        """Whether an integer stays in 64 bits for as long as a run may last: each iteration of a
        loop counts, since it looks for signals."""
        ranges, uses = self.ranges, self.ownership.uses
        if ranges not in _slow:
            _slow[ranges] = slow_counters(uses.graph, uses, ranges)
        return self.text.looks_for_signals and node in _slow[ranges]

    # -- operands ----------------------------------------------------------------------------------

    def registers(self, operand: Operand, like: Type) -> list[tuple[str, str]]:
        """The registers of an operand for a variable of a type, with their LLVM types."""
        types = components(like)
        if operand in self.views:
            raise NotLowered("a view that a variable holds has no machine code")
        if isinstance(operand, Value) and operand_type(operand) == like:
            return list(zip(types, self.held[operand], strict=True))
        if is_record(like):
            return list(zip(types, kept_registers(self, operand, like), strict=True))
        if is_array(like):
            raise NotLowered(f"an array of type {operand_type(operand)} becomes one of type {like}")
        if is_mixed(like):
            return list(zip(types, mixed_registers(self, operand, like), strict=True))
        part = part_of(like)
        found = [self.scalar(operand, kind_of(like))] if part is None else self.parts(operand, part)
        if isinstance(like, UnionType):
            found.append(self.is_numpys(operand))
        return list(zip(types, found, strict=True))

    def own(self, operand: Operand) -> str:
        """An operand, a scalar, in its own kind."""
        return self.scalar(operand, kind_of(operand_type(operand)))

    def scalar(self, operand: Operand, kind: Kind) -> str:
        """An operand, a scalar, in a kind that NumPy promotes it to.

        Where a Python scalar does not fit, the piece is left, or has no machine code at all.
        """
        if not isinstance(operand, Value):
            return _constant(operand, kind)
        have = kind_of(operand.type)
        (register, *_) = self.held[operand]
        if have == INTEGER and may_be_python(operand.type) and kind != have:
            if kind.is_float:
                self.leave_if_inexact(operand)
            elif kind.is_integer:
                self.leave_unfit(have, kind, register)
        return self.converted(register, have, kind)

    def parts(self, operand: Operand, part: Kind) -> list[str]:
        """An operand, a scalar, as a complex number: its real and its imaginary part."""
        self.text.check_complex()
        have = part_of(operand_type(operand))
        if have is None:
            return [self.scalar(operand, part), literal(part, 0.0)]
        if isinstance(operand, complex):
            return [_constant(one, part) for one in (operand.real, operand.imag)]
        assert isinstance(operand, Value)
        return [self.converted(one, have, part) for one in self.held[operand][:2]]

    def pair(self, operand: Operand, part: Kind) -> str:
        """An operand, a scalar, as a complex number in one register: an element of an array."""
        found, of = "poison", part.register
        for place, one in enumerate(self.parts(operand, part)):
            given = f"{{{of}, {of}}} {found}, {of} {one}, {place}"
            found = self.text.register(f"insertvalue {given}")
        return found

    def unpaired(self, register: str, part: Kind) -> tuple[str, str]:
        """The parts of a complex number in one register."""
        self.text.check_complex()
        whole = f"{{{part.register}, {part.register}}} {register}"
        real, imaginary = (self.text.register(f"extractvalue {whole}, {i}") for i in (0, 1))
        return real, imaginary

    def converted(self, register: str, have: Kind, kind: Kind) -> str:
        """A value in another kind; integers wrap, floats become integers only in range."""
        if have == kind:
            return register
        target = f"{have.register} {register} to {kind.register}"
        if kind.family == "b":
            zero = literal(have, 0)
            if have.is_float:
                return self.text.float_comparison("une", have, register, zero)
            return self.text.register(f"icmp ne {have.register} {register}, {zero}")
        if kind.is_float:
            if have.is_float:
                name = "fpext" if kind.bits > have.bits else "fptrunc"
                return self.text.float_conversion(name, have, kind, register)
            return self.text.register(f"{'si' if have.family == 'i' else 'ui'}tofp {target}")
        if have.is_float:
            return self.truncated(register, have, kind)
        if kind.bits == have.bits:
            return register
        if kind.bits < have.bits:
            return self.text.register(f"trunc {target}")
        return self.text.register(f"{'sext' if have.family == 'i' else 'zext'} {target}")

    def truncated(self, register: str, have: Kind, kind: Kind) -> str:
        """A float as an integer; where there is no such integer, the piece is left."""
        digits = 24 if have.bits == 32 else 53
        next_below = kind.low - 1
        if kind.bits <= digits or not kind.low:
            above, low = "ogt", literal(have, float(next_below))
        else:
            above, low = "oge", literal(have, float(kind.low))
        high = literal(have, float(kind.high + 1))
        fits_below = self.text.float_comparison(above, have, register, low)
        fits_above = self.text.float_comparison("olt", have, register, high)
        inside = self.text.register(f"and i1 {fits_below}, {fits_above}")
        self.text.leave_if(self.text.register(f"xor i1 {inside}, true"), Exit.CONVERSION)
        name = "fptosi" if kind.family == "i" else "fptoui"
        return self.text.float_conversion(name, have, kind, register)

    def leave_unfit(self, have: Kind, kind: Kind, register: str) -> None:
        """Leaves the piece if an integer is none of another kind."""
        self.text.leave_outside(have, register, max(have.low, kind.low), min(have.high, kind.high))

    def leave_if_inexact(self, operand: Operand) -> None:
        """Leaves the piece if an integer may not be a float of the same value."""
        found = self.facts.interval(operand)
        if found.low >= -EXACT and found.high <= EXACT:
            return
        self.text.leave_outside(INTEGER, self.own(operand), -EXACT, EXACT, Exit.INEXACT)
        self.facts.narrow(operand, Interval(-EXACT, EXACT))

    # -- regions -----------------------------------------------------------------------------------

    def variables(self, values: Iterable[Value]) -> list[tuple[str, ...]]:
        """New registers for values that several blocks define, which hold them from here on."""
        found = []
        for value in values:
            self.held[value] = tuple(self.text.fresh() for _ in components(value.type))
            found.append(self.held[value])
        return found

    def outputs(self, region: Graph, values: Iterable[Value], skipped: int = 0) -> list[list[str]]:
        """The registers of a region's outputs, after the first ones, for variables."""
        columns = zip(region.outputs[skipped:], values, strict=True)
        return [[r for _, r in self.registers(o, value.type)] for o, value in columns]


def _constant(number: bool | int | float | complex, kind: Kind) -> str:
    """A Python scalar in a kind.  Raises `NotLowered` if it does not fit."""
    if isinstance(number, complex):
        raise NotLowered("it has no machine code for complex numbers")
    if kind.is_float:
        try:
            exact = float(number)
        except OverflowError:
            raise NotLowered(f"{number} is too large for a float") from None
        is_lost = isinstance(number, int) and int(exact) != number
        with np.errstate(all="ignore"):
            is_lost |= kind.bits == 32 and np.isinf(np.float32(exact)) and not np.isinf(exact)
        if is_lost:
            raise NotLowered(f"{number} does not fit into {kind.bits} bits")
        return literal(kind, exact)
    if isinstance(number, float):
        raise NotLowered(f"the float {number} is used as an integer")
    if kind.is_integer and not kind.low <= number <= kind.high:
        raise NotLowered(f"{number} does not fit into {kind.bits} bits")
    return literal(kind, number)
