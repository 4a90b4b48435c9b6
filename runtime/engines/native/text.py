"""The text of one LLVM function: registers, blocks, and the ways out.

    text.register("add i64 %a, 1")      "%3"
    text.leave_if("%4")                 leaves the piece where %4 is true
    text.float("fadd", DOUBLE, a, b)    a sum that keeps the processor's floating-point flags exact

Arithmetic of floats is written with LLVM's constrained intrinsics: LLVM neither drops nor
precomputes an operation, so the flags tell at the end whether NumPy would have warned.
"""

import struct
from collections.abc import Iterable
from typing import Any

from runtime.engines.native.error_settings import underflow_test
from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import Kind, NotLowered
from runtime.engines.native.machine import Effort
from runtime.engines.native.random_streams import MadeStream, Stream
from runtime.engines.native.vector_math import definition, symbol
from runtime.ir.graph import Node, Value

ROUNDING = 'metadata !"round.tonearest"'
# Invalid operation, division by zero, overflow, underflow; not: denormal operand, inexact result.
UNDERFLOW_FLAG = 16
WATCHED_FLAGS = 1 | 4 | 8 | UNDERFLOW_FLAG
ALL_FLAGS = 63  # with those two
WORK = 4  # 2^4 elements count as an iteration
STRICT = 'metadata !"fpexcept.strict"'


class Text:
    """A function that is being written."""

    looks_for_signals = True  # in loops
    has_functions = True  # whether the text may define functions that it calls
    counts_one_more = "@Py_IncRef"  # the function that counts a reference

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.declarations: dict[str, str] = {}
        self.symbols: dict[str, int] = {}  # addresses of what the declarations name
        self.block = "begin"
        self.node: Node | None = None  # the one that is being written
        self.memory: list[str] = []  # the local variables, in the entry block
        self.slots: list[str] = []  # local variables that hold a reference, or null
        self.objects: list[Any] = []  # the objects that symbols stand for
        self.guard: str | None = None  # a bit without which a way out is not taken
        self.uses_references = False
        self.uses_floats = False
        self.uses_formulas = False  # of the vector math
        self.uses_loops = False  # of NumPy, which may set the flags of the x87 unit, too
        self.gains_from_passes = False  # whether scalar code in loops takes most of the time
        self.loops = 0  # of the graph, around the code that is being written
        self.polls = False  # whether a loop counts its iterations
        self.streams: dict[int, Stream] = {}  # that the code draws from, by their generators
        self.made_streams: dict[Value, MadeStream] = {}  # of generators that the run has made
        self.is_main = True  # whether the code is that of the piece itself
        self._addresses: dict[int, str] = {}  # the symbols of objects
        self._count = 0

    @property
    def effort(self) -> Effort:
        """How LLVM makes the code.  Vectors are written out, and gain nothing from passes."""
        return Effort.SIMPLIFIED if self.gains_from_passes else Effort.AS_WRITTEN

    def check_complex(self) -> None:
        """Raises `NotLowered` if the code has no complex numbers."""

    # -- functions ---------------------------------------------------------------------------------

    def reserved(self, stem: str) -> str:
        """The symbol of a function that the text will define."""
        name = f"{stem}{len(self.declarations)}"
        self.declarations[name] = ""
        return name

    def of_function(self) -> "Text":
        """The text of a function that this one calls: both name the same things."""
        found = type(self)()
        found.declarations, found.symbols = self.declarations, self.symbols
        found.objects, found._addresses = self.objects, self._addresses
        found.node, found.loops, found.streams = self.node, 1, self.streams
        found.is_main = False
        return found

    def uses_all_of(self, inner: "Text") -> None:
        """Notes that the text calls a function, and uses all that the function does."""
        self.polls |= inner.polls
        self.uses_references |= inner.uses_references or bool(inner.slots)
        self.uses_floats |= inner.uses_floats
        self.uses_formulas |= inner.uses_formulas
        self.uses_loops |= inner.uses_loops
        self.gains_from_passes |= inner.gains_from_passes

    # -- lines -------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """Writes an instruction without a result."""
        self.lines.append(f"  {text}")

    def register(self, text: str) -> str:
        """Writes an instruction; returns the register that holds its result."""
        name = self.fresh()
        self.lines.append(f"  {name} = {text}")
        return name

    def fresh(self) -> str:
        """A register that nothing has been written to."""
        self._count += 1
        return f"%r{self._count}"

    def local(self, type: str) -> str:
        """The address of a new local variable."""
        name = self.fresh()
        self.memory.append(f"  {name} = alloca {type}")
        return name

    def label(self, stem: str) -> str:
        """The name of a new block."""
        self._count += 1
        return f"{stem}{self._count}"

    def start(self, label: str) -> None:
        """Begins a block."""
        self.lines.append(f"{label}:")
        self.block = label

    def declare(self, name: str, declaration: str, address: int | None = None) -> str:
        """Declares a function or object that the text uses; returns its name in the text.

        Raises `NotLowered` if the name has another address already.
        """
        if address is not None and self.symbols.setdefault(name, address) != address:
            raise NotLowered(f"{name} has two meanings in one piece")
        self.declarations[name] = declaration
        return f"@{name}"

    def object(self, name: str, value: Any) -> str:
        """The symbol for an object, which the code keeps alive; a new one has this name.

        An object has one symbol: LLVM takes it that two symbols are two addresses.
        """
        self.objects.append(value)
        return self.address(name, id(value))

    def address(self, name: str, address: int) -> str:
        """The symbol for an address; a new one has this name."""
        found = self._addresses.get(address)
        if found is None:
            found = self.declare(name, f"@{name} = external global i8", address)
            self._addresses[address] = found
        return found

    def constant(self, type: str, elements: list[str]) -> str:
        """The address of some constants."""
        name = f"constants_{type}_{'_'.join(elements)}"
        values = ", ".join(f"{type} {element}" for element in elements)
        whole = f"[{len(elements)} x {type}] [{values}]"
        return self.declare(name, f"@{name} = private unnamed_addr constant {whole}")

    def count_work(self, elements: str) -> None:
        """Counts elements as iterations of the loop around them, which looks for signals."""
        if not (self.loops and self.looks_for_signals):
            return
        now = self.register("load i64, ptr %polls")
        work = self.register(f"lshr i64 {elements}, {WORK}")
        self.line(f"store i64 {self.register(f'sub i64 {now}, {work}')}, ptr %polls")

    # -- ways out ----------------------------------------------------------------------------------

    def leave_if(self, condition: str, why: Exit) -> None:
        """Leaves the piece under a condition: the NumPy program computes its results instead."""
        out, going_on = self.way_out(why), self.label("on")
        if self.guard is not None:  # it is tested second, since it is often true
            rare = self.label("rare")
            self.line(f"br i1 {condition}, label %{rare}, label %{going_on}, !prof !0")
            self.start(rare)
            condition = self.guard
        self.line(f"br i1 {condition}, label %{out}, label %{going_on}, !prof !0")
        self.start(going_on)

    def way_out(self, why: Exit) -> str:
        """The block that ends the code for a reason."""
        return "leave"

    def fail_if_null(self, register: str) -> None:
        """Ends the piece with the exception that a function of Python has set."""
        going_on = self.label("on")
        is_null = self.register(f"icmp eq ptr {register}, null")
        self.line(f"br i1 {is_null}, label %raised, label %{going_on}, !prof !0")
        self.start(going_on)

    def joined(self, types: Iterable[str], ways: list[tuple[str, list[str]]]) -> tuple[str, ...]:
        """Registers with the values of the block that control comes from, in the block that begins;
        `ways` are the blocks, each with its registers."""
        return tuple(
            self.register(
                f"phi {type} " + ", ".join(f"[{way[i]}, %{block}]" for block, way in ways)
            )
            for i, type in enumerate(types)
        )

    def leave(self, why: Exit) -> None:
        """Leaves the piece; no code follows that is ever reached."""
        self.line(f"br label %{self.way_out(why)}")
        self.start(self.label("never"))

    def leave_if_flagged(self) -> None:
        """Leaves the piece if a floating-point operation so far was unusual.

        Underflow is unusual unless NumPy ignores it; then the flags are cleared.
        """
        self.uses_floats = True
        self.line("call void @llvm.x86.sse.stmxcsr(ptr %flags)")
        flags = self.register("load i32, ptr %flags")
        if self.uses_loops:
            status = self.register('call i16 asm sideeffect "fnstsw $0", "={ax}"()')
            wide = self.register(f"zext i16 {status} to i32")
            flags = self.register(f"or i32 {flags}, {wide}")
        watched = self.register(f"and i32 {flags}, {WATCHED_FLAGS}")
        unusual = self.register(f"icmp ne i32 {watched}, 0")
        test = underflow_test(self)
        if test is None:
            self.leave_if(unusual, Exit.FLAGS)
            return
        seen, usual = self.label("flagged"), self.label("usual")
        self.line(f"br i1 {unusual}, label %{seen}, label %{usual}, !prof !0")
        self.start(seen)
        others = self.register(f"and i32 {watched}, {~UNDERFLOW_FLAG}")
        self.leave_if(self.register(f"icmp ne i32 {others}, 0"), Exit.FLAGS)
        is_ignored = self.register(f"call i1 {test}()")
        self.leave_if(self.register(f"xor i1 {is_ignored}, true"), Exit.FLAGS)
        self.clear_flags()
        self.line(f"br label %{usual}")
        self.start(usual)

    def clear_flags(self) -> None:
        """Clears the floating-point flags."""
        self.uses_floats = True
        self.line("call void @llvm.x86.sse.stmxcsr(ptr %flags)")
        flags = self.register("load i32, ptr %flags")
        cleared = self.register(f"and i32 {flags}, {~ALL_FLAGS}")
        self.line(f"store i32 {cleared}, ptr %flags")
        self.line("call void @llvm.x86.sse.ldmxcsr(ptr %flags)")
        if self.uses_loops:
            self.line('call void asm sideeffect "fnclex", ""()')

    def leave_outside(
        self, kind: Kind, value: str, low: int, high: int, why: Exit = Exit.OVERFLOW
    ) -> None:
        """Leaves the piece if an integer is not between two bounds, both included."""
        signed = "s" if kind.family == "i" else "u"
        if low > kind.low:
            self.leave_if(self.register(f"icmp {signed}lt {kind.register} {value}, {low}"), why)
        if high < kind.high:
            self.leave_if(self.register(f"icmp {signed}gt {kind.register} {value}, {high}"), why)

    # -- calls -------------------------------------------------------------------------------------

    def formula(self, name: str, kind: Kind, operands: list[str], fma: bool) -> str:
        """A function of the vector math (`vector_math/`), which sets the flags of its result."""
        self.uses_floats = self.uses_formulas = True
        found = definition(name, f"f{kind.bits}", kind.lanes, fma)
        for declaration in found.declarations:
            self.declare(declaration.split("@")[1].split("(")[0], declaration)
        for text in found.texts:
            self.declare(text, text)
        given = ", ".join(f"{kind.register} {register}" for register in operands)
        called = symbol(name, f"f{kind.bits}", kind.lanes)
        return self.register(f"call {kind.register} @{called}({given}) strictfp")

    def intrinsic(self, name: str, result: str, *operands: tuple[str, str]) -> str:
        """Calls an LLVM intrinsic; operands are pairs of a type and a register."""
        types = ", ".join(type for type, _ in operands)
        self.declare(name, f"declare {result} @{name}({types})")
        given = ", ".join(f"{type} {register}" for type, register in operands)
        return self.register(f"call {result} @{name}({given})")

    def float(self, name: str, kind: Kind, *operands: str) -> str:
        """An operation on floats: `fadd`, `sqrt`, `floor` and the like."""
        # op names: those that round in the same direction, whatever the mode is
        modes = [] if name in ("floor", "ceil", "trunc") else [ROUNDING]
        return self._constrained(name, kind, kind, operands, modes)

    def float_conversion(self, name: str, source: Kind, result: Kind, operand: str) -> str:
        """A conversion between kinds, of which one is a float: `sitofp`, `fptrunc`, `fpext`."""
        rounded = [] if name == "fpext" or name.startswith("fpto") else [ROUNDING]
        return self._constrained(name, source, result, (operand,), rounded)

    def float_comparison(self, predicate: str, kind: Kind, x: str, y: str) -> str:
        """A quiet comparison of two floats: nan sets no flag."""
        name = f"llvm.experimental.constrained.fcmp.{kind.suffix}"
        register = kind.register
        declaration = f"declare {kind.truth} @{name}({register}, {register}, metadata, metadata)"
        self.declare(name, declaration)
        given = f'{register} {x}, {register} {y}, metadata !"{predicate}", {STRICT}'
        return self.register(f"call {kind.truth} @{name}({given}) strictfp")

    def _constrained(
        self, name: str, source: Kind, result: Kind, operands: tuple[str, ...], modes: list[str]
    ) -> str:
        self.uses_floats = True
        suffix = result.suffix if source == result else f"{result.suffix}.{source.suffix}"
        full = f"llvm.experimental.constrained.{name}.{suffix}"
        types = ", ".join([source.register] * len(operands) + ["metadata"] * (len(modes) + 1))
        self.declare(full, f"declare {result.register} @{full}({types})")
        given = [f"{source.register} {operand}" for operand in operands] + [*modes, STRICT]
        return self.register(f"call {result.register} @{full}({', '.join(given)}) strictfp")


def literal(kind: Kind, value: bool | int | float) -> str:
    """A constant of a kind, which can hold it; in every lane the same."""
    if kind.lanes > 1:
        one = kind.in_lanes(1)
        return f"splat ({one.register} {literal(one, value)})"
    if kind.is_float:
        if kind.bits == 32:  # LLVM writes a float as the double that has its value
            (value,) = struct.unpack("f", struct.pack("f", value))
        return f"0x{struct.unpack('Q', struct.pack('d', value))[0]:016X}"
    return str(int(value)) if kind.family != "b" else str(bool(value)).lower()


def is_number(register: str) -> bool:
    """Whether the text of an integer operand is a constant, not a register."""
    return register.lstrip("-").isdigit()
