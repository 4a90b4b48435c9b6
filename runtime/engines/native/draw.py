"""A draw from a random generator, as instructions: words, floats, integers and normal numbers.

    draw.unit()             two words of the MT19937 make a float
    draw.below(n)           a word, shifted; again, while it is not below n
    draw.distributed(...)   a call of the function in NumPy that a method of a generator calls

The numbers are those of Python and NumPy, bit for bit.  Arguments are constants, or scalars of
double precision or integers.
"""

import math
from typing import Any

import numpy as np

from runtime.engines.native import python_objects as objects
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import DOUBLE, INTEGER, NotLowered, is_scalar, kind_of
from runtime.engines.native.legacy_normal import logarithm
from runtime.engines.native.lowering import why_none
from runtime.engines.native.mersenne import MERSENNE
from runtime.engines.native.random_streams import MadeStream, Stream, distribution, interface
from runtime.engines.native.text import literal
from runtime.ir.graph import Node, Value
from runtime.ir.slot import Slot

UNIT = 2.0**-53
MOST = 1 << 32  # integers below this are drawn from one word


class Draw:
    """A draw that is written: its stream, and its arguments."""

    def __init__(self, emitter: Emitter, node: Node, stream: Stream | MadeStream) -> None:
        self.emitter, self.node, self.stream = emitter, node, stream
        self.text = emitter.text
        self.operands = node.inputs[isinstance(stream, MadeStream) :]
        self.kind = stream.kind if isinstance(stream, MadeStream) else type(stream.generator)
        self.given: tuple[Any, ...] = node.attributes.get("given") or ()

    # -- arguments ---------------------------------------------------------------------------------

    def argument(self, place: int) -> Any:
        """An argument: a number, or the operand of the node."""
        part = self.given[place]
        return self.operands[part.index] if isinstance(part, Slot) else part

    def double(self, place: int) -> str:
        """An argument in double precision."""
        return self.emitter.scalar(self._number(place, (DOUBLE,)), DOUBLE)

    def integer(self, place: int) -> str:
        """An argument as an integer of 64 bits."""
        return self.emitter.scalar(self._number(place, (INTEGER,)), INTEGER)

    def _number(self, place: int, kinds: tuple[Any, ...]) -> Any:
        value = self.argument(place)
        if isinstance(value, Value):
            if not is_scalar(value.type) or kind_of(value.type) not in kinds:
                raise NotLowered(why_none(self.node))
        elif type(value) not in (int, float) or type(value) is float and kinds == (INTEGER,):
            raise NotLowered(why_none(self.node))
        return value

    # -- streams -----------------------------------------------------------------------------------

    def place(self, address: int) -> str:
        """The symbol of an address in the memory of the stream."""
        return self.text.address(f"stream_{len(self.text.symbols)}", address)

    def words(self) -> tuple[str, str] | None:
        """The addresses of the words of an MT19937 and of the index of the next one."""
        if isinstance(self.stream, MadeStream):
            at = self.stream.number
            is_mersenne = self.kind is not np.random.Generator
            return (f"%words{at}", f"%index{at}") if is_mersenne else None
        if self.stream.words is None:
            return None
        words, index = map(self.place, self.stream.words)
        return words, index

    def word(self, words: tuple[str, str] | None = None) -> str:
        """The next word of an MT19937."""
        found = words or self.words()
        assert found is not None
        self.text.declare("mersenne_word", MERSENNE)
        return self.text.register(f"call i32 @mersenne_word(ptr {found[0]}, ptr {found[1]})")

    def unit(self) -> str:
        """The next float between 0 and 1."""
        text = self.text
        words = self.words()
        if words is None:
            function = self.function("next_double", "double")
            return text.register(f"call double {function}(ptr {self.state()}) strictfp")
        high = text.register(f"lshr i32 {self.word(words)}, 5")
        low = text.register(f"lshr i32 {self.word(words)}, 6")
        wide = text.register(f"zext i32 {high} to i64")
        shifted = text.register(f"shl i64 {wide}, 26")
        below = text.register(f"zext i32 {low} to i64")
        whole = text.register(f"or i64 {shifted}, {below}")
        number = text.register(f"sitofp i64 {whole} to double")
        return text.float("fmul", DOUBLE, number, literal(DOUBLE, UNIT))

    def state(self) -> str:
        """The state of a bit generator of NumPy, which its functions take."""
        if isinstance(self.stream, MadeStream):
            return f"%state{self.stream.number}"
        return self.place(self.stream.interface.state_address)

    def interface(self) -> str:
        """The bit generator of NumPy as its distributions take it."""
        if isinstance(self.stream, MadeStream):
            return f"%interface{self.stream.number}"
        return self.place(self.stream.interface.bit_generator.value)

    def function(self, name: str, result: str) -> str:
        """The symbol of a function of the bit generator."""
        known = self.stream.interface if isinstance(self.stream, Stream) else interface(self.kind)
        address = objects.function_address(getattr(known, name))
        is_mersenne = isinstance(self.stream, Stream) and len(self.stream.memory) == 1
        symbol = f"{name}_{'MT19937' if is_mersenne else 'PCG64'}"
        return self.text.declare(symbol, f"declare {result} @{symbol}(ptr)", address)

    def distributed(self, name: str, result: str, *given: str) -> str:
        """Calls the function of NumPy that draws from a distribution."""
        address = distribution(name)
        if address is None:
            raise NotLowered(why_none(self.node))
        text = self.text
        types = ", ".join(one.split(" ")[0] for one in ("ptr state", *given))
        symbol = text.declare(name, f"declare {result} @{name}({types})", address)
        call = f"call {result} {symbol}({', '.join((f'ptr {self.interface()}', *given))}) strictfp"
        text.leave_if_flagged()
        found = "" if result == "void" else text.register(call)
        if not found:
            text.line(call)
        text.clear_flags()
        return found

    # -- numbers -----------------------------------------------------------------------------------

    def scaled(self, unit: str, start: str, width: str) -> str:
        product = self.text.float("fmul", DOUBLE, width, unit)
        return self.text.float("fadd", DOUBLE, start, product)

    def log(self, number: str) -> str:
        """The logarithm that Python and NumPy call, of a number greater than zero."""
        text = self.text
        log = text.declare("libm_log", "declare double @libm_log(double)", logarithm())
        return text.register(f"call double {log}(double {number})")

    def uniform(self, is_checked: bool) -> str:
        """A float from `low` to `high`; `is_checked`: NumPy raises if the width is negative."""
        low, high = self.double(0), self.double(1)
        width = self.text.float("fsub", DOUBLE, high, low)
        if is_checked:
            fits = self.text.float_comparison("oge", DOUBLE, width, literal(DOUBLE, 0.0))
            self.text.leave_if(self.text.register(f"xor i1 {fits}, true"), Exit.RAISED)
        infinite = self.text.float_comparison("olt", DOUBLE, width, literal(DOUBLE, math.inf))
        self.text.leave_if(self.text.register(f"xor i1 {infinite}, true"), Exit.RAISED)
        return self.scaled(self.unit(), low, width)

    def not_negative(self, place: int) -> str:
        """An argument in double precision; NumPy raises if it has a sign, even of a zero."""
        text, given = self.text, self.double(place)
        bits = text.register(f"bitcast double {given} to i64")
        text.leave_if(text.register(f"icmp slt i64 {bits}, 0"), Exit.RAISED)
        return given

    def polar(self) -> str:
        """The next normal number of a `RandomState`, which keeps every second one."""
        kept = self.stream.kept if isinstance(self.stream, Stream) else None
        if kept is None:
            raise NotLowered(why_none(self.node))
        text, flag, number = self.text, self.place(kept), self.place(kept + 8)
        found, zero, one = text.local("double"), literal(DOUBLE, 0.0), literal(DOUBLE, 1.0)
        two = literal(DOUBLE, 2.0)
        takes, again, made, done = map(text.label, ("takes", "again", "made", "drawn"))
        is_kept = text.register(f"icmp ne i32 {text.register(f'load i32, ptr {flag}')}, 0")
        text.line(f"br i1 {is_kept}, label %{takes}, label %{again}")
        text.start(takes)
        text.line(f"store double {text.register(f'load double, ptr {number}')}, ptr {found}")
        text.line(f"store double {zero}, ptr {number}")
        text.line(f"store i32 0, ptr {flag}")
        text.line(f"br label %{done}")
        text.start(again)
        doubled = [text.float("fmul", DOUBLE, two, self.unit()) for _ in range(2)]
        x, y = (text.float("fsub", DOUBLE, each, one) for each in doubled)
        squares = [text.float("fmul", DOUBLE, each, each) for each in (x, y)]
        square = text.float("fadd", DOUBLE, *squares)
        is_one = text.float_comparison("oge", DOUBLE, square, one)
        is_zero = text.float_comparison("oeq", DOUBLE, square, zero)
        text.line(
            f"br i1 {text.register(f'or i1 {is_one}, {is_zero}')}, label %{again}, label %{made}"
        )
        text.start(made)
        minus = text.float("fmul", DOUBLE, literal(DOUBLE, -2.0), self.log(square))
        ratio = text.float("fdiv", DOUBLE, minus, square)
        factor = text.intrinsic("llvm.sqrt.f64", "double", ("double", ratio))
        text.line(f"store double {text.float('fmul', DOUBLE, factor, x)}, ptr {number}")
        text.line(f"store i32 1, ptr {flag}")
        text.line(f"store double {text.float('fmul', DOUBLE, factor, y)}, ptr {found}")
        text.line(f"br label %{done}")
        text.start(done)
        return text.register(f"load double, ptr {found}")

    def below(self, bound: str) -> str:
        """An integer from 0 on, below a bound that is positive, as `random` draws it."""
        text = self.text
        too_small = text.register(f"icmp slt i64 {bound}, 1")
        too_large = text.register(f"icmp sge i64 {bound}, {MOST}")
        text.leave_if(text.register(f"or i1 {too_small}, {too_large}"), Exit.RAISED)
        zeros = text.intrinsic("llvm.ctlz.i64", "i64", ("i64", bound), ("i1", "false"))
        shift = text.register(f"sub i64 {zeros}, 32")
        again, done = text.label("again"), text.label("drawn")
        text.line(f"br label %{again}")
        text.start(again)
        wide = text.register(f"zext i32 {self.word()} to i64")
        found = text.register(f"lshr i64 {wide}, {shift}")
        fits = text.register(f"icmp slt i64 {found}, {bound}")
        text.line(f"br i1 {fits}, label %{done}, label %{again}")
        text.start(done)
        return found

    def between(self, low: str, high: str) -> str:
        """An integer from `low` on, below `high`."""
        text = self.text
        text.leave_if(text.register(f"icmp sge i64 {low}, {high}"), Exit.RAISED)
        width = text.register(f"sub i64 {high}, {low}")
        return text.register(f"add i64 {low}, {self.below(width)}")

    def bounded(self, low: str, high: str, is_masked: bool) -> str:
        """An integer from `low` on, below `high`, as NumPy draws it."""
        text = self.text
        text.leave_if(text.register(f"icmp sge i64 {low}, {high}"), Exit.RAISED)
        width = text.register(f"sub i64 {high}, {low}")
        most = text.register(f"sub i64 {width}, 1")
        found = text.local("i64")
        name, masked = "random_bounded_uint64_fill", str(is_masked).lower()
        given = (f"i64 {low}", f"i64 {most}", "i64 1", f"i1 {masked}", f"ptr {found}")
        self.distributed(name, "void", *given)
        return text.register(f"load i64, ptr {found}")
