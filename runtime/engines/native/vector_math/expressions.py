"""Formulas over LLVM values: Python's operators write the instructions of a function.

    x = formula.argument(0)
    y = x * x + 1.0                 an instruction for each operator
    formula.choose(y < 2.0, x, y)   without a branch

A value has one scalar kind and the number of lanes of its formula; a number of Python stands for
the same constant in every lane.  Every operation rounds once and works lane by lane, so a lane
has the same bits for any number of lanes.

**Flags.**  LLVM assumes that no code reads the floating-point flags: it may compute both sides of
a choice, and fold constants.  `fence` hides a value from it.  An operation whose operands were
chosen and fenced sets the flags of the chosen operands and no others.  `<` and its kin are for
numbers: with nan, the instructions of some targets set `invalid`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field

KINDS = {
    "f64": ("double", 64),
    "f32": ("float", 32),
    "i64": ("i64", 64),
    "i32": ("i32", 32),
    "i1": ("i1", 1),
}
# kinds of floats: that of their bits, the number of bits of a fraction, and the bias of exponents
FORMATS = {"f64": ("i64", 52, 1023), "f32": ("i32", 23, 127)}


def bits_of(value: float, kind: str = "f64") -> int:
    """The bits of a float as an integer."""
    packed, whole = {"f64": ("<d", "<q"), "f32": ("<f", "<i")}[kind]
    found: int = struct.unpack(whole, struct.pack(packed, value))[0]
    return found


def nearest(value: float, kind: str) -> float:
    """The nearest number of a kind of floats."""
    found: float = value if kind == "f64" else struct.unpack("<f", struct.pack("<f", value))[0]
    return found


@dataclass(frozen=True)
class Value:
    """A value of a formula: its register or constant, and its kind."""

    formula: Formula = field(repr=False)
    text: str
    kind: str

    def _arithmetic(self, other: Operand, names: tuple[str, str], swapped: bool = False) -> Value:
        left, right = (
            (self, self.formula.value(other, self.kind))
            if not swapped
            else (self.formula.value(other, self.kind), self)
        )
        name = names[0] if self.kind[0] == "f" else names[1]
        return self.formula.operation(name, self.kind, left, right)

    def __add__(self, other: Operand) -> Value:
        return self._arithmetic(other, ("fadd", "add"))

    def __radd__(self, other: Operand) -> Value:
        return self._arithmetic(other, ("fadd", "add"), swapped=True)

    def __sub__(self, other: Operand) -> Value:
        return self._arithmetic(other, ("fsub", "sub"))

    def __rsub__(self, other: Operand) -> Value:
        return self._arithmetic(other, ("fsub", "sub"), swapped=True)

    def __mul__(self, other: Operand) -> Value:
        return self._arithmetic(other, ("fmul", "mul"))

    def __rmul__(self, other: Operand) -> Value:
        return self._arithmetic(other, ("fmul", "mul"), swapped=True)

    def __truediv__(self, other: Operand) -> Value:
        return self._arithmetic(other, ("fdiv", "fdiv"))

    def __rtruediv__(self, other: Operand) -> Value:
        return self._arithmetic(other, ("fdiv", "fdiv"), swapped=True)

    def __neg__(self) -> Value:
        return self.formula.operation("fneg", self.kind, self)

    def __and__(self, other: Operand) -> Value:
        return self._arithmetic(other, ("and", "and"))

    def __or__(self, other: Operand) -> Value:
        return self._arithmetic(other, ("or", "or"))

    def __xor__(self, other: Operand) -> Value:
        return self._arithmetic(other, ("xor", "xor"))

    def __invert__(self) -> Value:
        return self ^ (1 if self.kind == "i1" else -1)

    def __lshift__(self, other: int) -> Value:
        return self._arithmetic(other, ("shl", "shl"))

    def __rshift__(self, other: int) -> Value:
        """A logical shift: zeros come in from the left."""
        return self._arithmetic(other, ("lshr", "lshr"))

    def _compared(self, float_name: str, integer_name: str, other: Operand) -> Value:
        instruction = f"fcmp {float_name}" if self.kind[0] == "f" else f"icmp {integer_name}"
        other = self.formula.value(other, self.kind)
        return self.formula.operation(instruction, "i1", self, other)

    def __lt__(self, other: Operand) -> Value:
        return self._compared("olt", "slt", other)

    def __le__(self, other: Operand) -> Value:
        return self._compared("ole", "sle", other)

    def __gt__(self, other: Operand) -> Value:
        return self._compared("ogt", "sgt", other)

    def __ge__(self, other: Operand) -> Value:
        return self._compared("oge", "sge", other)

    def equals(self, other: Operand) -> Value:
        """Whether both are equal; nan equals nothing."""
        return self._compared("oeq", "eq", other)

    def is_nan(self) -> Value:
        """Whether this is not a number."""
        return self._compared("uno", "", self)

    def below(self, other: Operand) -> Value:
        """Whether an integer without sign is less than another one."""
        return self._compared("", "ult", other)


Operand = Value | float | int


@dataclass
class Formula:
    """A function that is being written: its lanes, whether it may use FMA, and its instructions.

    `single` says that the results will be rounded to single precision, so that shorter polynomials
    and simpler corrections do.  `real` is the kind of the floats that it computes with.
    """

    lanes: int
    fma: bool
    single: bool = False
    real: str = "f64"
    lines: list[str] = field(default_factory=list)
    declarations: set[str] = field(default_factory=set)
    needs: set[str] = field(default_factory=set)
    block: str = "entry"
    count: int = 0

    # -- values ------------------------------------------------------------------------------------

    def type(self, kind: str) -> str:
        """The LLVM type of a kind."""
        name = KINDS[kind][0]
        return name if self.lanes == 1 else f"<{self.lanes} x {name}>"

    def suffix(self, kind: str) -> str:
        """The end of the name of an intrinsic for a kind."""
        return kind if self.lanes == 1 else f"v{self.lanes}{kind}"

    @property
    def whole(self) -> str:
        """The kind of integers that has the bits of a float."""
        return FORMATS[self.real][0]

    @property
    def magic(self) -> float:
        """1.5 times a float from which on floats are whole: adding it rounds to whole numbers."""
        return 1.5 * 2.0 ** FORMATS[self.real][1]

    def argument(self, position: int, kind: str = "f64") -> Value:
        return Value(self, f"%x{position}", kind)

    def value(self, operand: Operand, kind: str) -> Value:
        """A value, or the constant for a number of Python."""
        if isinstance(operand, Value):
            return operand
        if kind[0] == "f":
            text = f"0x{bits_of(nearest(float(operand), kind)) & (1 << 64) - 1:016X}"
        else:
            text = str(operand) if kind != "i1" else str(bool(operand)).lower()
        return Value(self, text if self.lanes == 1 else f"splat ({KINDS[kind][0]} {text})", kind)

    def assign(self, instruction: str, kind: str) -> Value:
        """The result of an instruction."""
        self.count += 1
        self.lines.append(f"  %v{self.count} = {instruction}")
        return Value(self, f"%v{self.count}", kind)

    def operation(self, name: str, kind: str, *operands: Value) -> Value:
        """An instruction on operands of one kind."""
        given = ", ".join(operand.text for operand in operands)
        return self.assign(f"{name} {self.type(operands[0].kind)} {given}", kind)

    def intrinsic(self, name: str, *operands: Value) -> Value:
        """A call of an LLVM intrinsic whose operands and result have one kind."""
        kind = operands[0].kind
        type = self.type(kind)
        full = f"llvm.{name}.{self.suffix(kind)}"
        self.declarations.add(f"declare {type} @{full}({', '.join([type] * len(operands))})")
        given = ", ".join(f"{type} {operand.text}" for operand in operands)
        return self.assign(f"call {type} @{full}({given})", kind)

    # -- operations that Python has no operator for ------------------------------------------------

    def converted(self, name: str, value: Value, kind: str) -> Value:
        """A conversion: `bitcast`, `fpext`, `fptrunc`."""
        source = self.type(value.kind)
        return self.assign(f"{name} {source} {value.text} to {self.type(kind)}", kind)

    def bits(self, value: Value) -> Value:
        return self.converted("bitcast", value, self.whole)

    def from_bits(self, value: Value) -> Value:
        return self.converted("bitcast", value, self.real)

    def multiply_add(self, x: Operand, y: Value, z: Operand) -> Value:
        """x y + z, rounded once where the target has FMA, and twice elsewhere."""
        if self.fma:
            return self.intrinsic("fma", self.value(x, self.real), y, self.value(z, self.real))
        return y * x + z

    def choose(self, condition: Value, x: Operand, y: Operand) -> Value:
        """x where a condition holds, y elsewhere."""
        kind = next((item.kind for item in (x, y) if isinstance(item, Value)), self.real)
        left, right = self.value(x, kind), self.value(y, kind)
        types = self.type("i1"), self.type(kind)
        return self.assign(
            f"select {types[0]} {condition.text}, {types[1]} {left.text}, {types[1]} {right.text}",
            kind,
        )

    def fence(self, value: Operand) -> Value:
        """The same value, hidden from LLVM's simplifications."""
        return self.intrinsic("arithmetic.fence", self.value(value, self.real))

    def chosen(self, condition: Value, x: Operand, y: Operand) -> Value:
        """A choice whose result LLVM may not see through: operations on it set no other flags."""
        return self.fence(self.choose(condition, x, y))

    def magnitude(self, x: Value) -> Value:
        return self.intrinsic("fabs", x)

    def with_sign_of(self, x: Operand, sign: Value) -> Value:
        return self.intrinsic("copysign", self.value(x, self.real), sign)

    def square_root(self, x: Value) -> Value:
        return self.intrinsic("sqrt", x)

    def is_negative(self, x: Value) -> Value:
        """Whether the sign bit is set.  Unlike `<`, it sets no flag for nan."""
        return self.bits(x) < 0

    def is_below(self, x: Value, limit: float) -> Value:
        """Whether |x| < limit, which is positive; nan is not.  Unlike `<`, it sets no flag."""
        return self.bits(self.magnitude(x)) < bits_of(limit, self.real)

    def smaller(self, x: Value, y: Operand) -> Value:
        """The smaller of two numbers that are not nan."""
        return self.choose(x < y, x, y)

    def larger(self, x: Value, y: Operand) -> Value:
        """The larger of two numbers that are not nan."""
        return self.choose(x > y, x, y)

    def rounded(self, x: Value) -> tuple[Value, Value]:
        """The nearest whole number, as a float and as an integer, for |x| < 2^51 (single: 2^22)."""
        shifted = self.fence(x + self.magic)
        return shifted - self.magic, self.bits(shifted) - bits_of(self.magic, self.real)

    def from_integer(self, n: Value) -> Value:
        """A whole number as a float, for |n| < 2^51 (single: 2^22)."""
        return self.fence(self.from_bits(n + bits_of(self.magic, self.real))) - self.magic

    def power_of_two(self, n: Value) -> Value:
        """2^n for an integer n from -1022 to 1023 (single: -126 to 127)."""
        _, fraction, bias = FORMATS[self.real]
        return self.from_bits((n + bias) << fraction)

    def polynomial(self, x: Value, coefficients: tuple[float, ...]) -> Value:
        """c0 + c1 x + c2 x^2 ...: pairs first (Estrin), so that few operations wait for others."""
        terms: list[Operand] = list(coefficients)
        power = x
        while len(terms) > 1:
            pairs: list[Operand] = [
                self.multiply_add(terms[k + 1], power, terms[k])
                for k in range(0, len(terms) - 1, 2)
            ]
            terms = pairs + terms[len(terms) & ~1 :]
            power = power * power if len(terms) > 1 else power
        return self.value(terms[0], self.real)

    def in_turn(self, x: Value, coefficients: tuple[float, ...]) -> Value:
        """c0 + c1 x + c2 x^2 ...: one term after the other (Horner), so that no power of x, which
        may be below the normal numbers, is computed."""
        found = self.value(coefficients[-1], self.real)
        for coefficient in coefficients[-2::-1]:
            found = self.multiply_add(found, x, coefficient)
        return found

    # -- branches ----------------------------------------------------------------------------------

    def where_any(
        self, condition: Value, ordinary: tuple[Value, ...], rare: Callable[[], tuple[Value, ...]]
    ) -> list[Value]:
        """`rare()` in the lanes where a condition holds, and `ordinary` elsewhere.

        A branch goes around `rare` where the condition holds in no lane.
        """
        holds = condition.text
        if self.lanes > 1:
            full, type = f"llvm.vector.reduce.or.{self.suffix('i1')}", self.type("i1")
            self.declarations.add(f"declare i1 @{full}({type})")
            holds = self.assign(f"call i1 @{full}({type} {holds})", "i1").text
        self.count += 1
        inside, after = f"rare{self.count}", f"after{self.count}"
        self.lines.append(f"  br i1 {holds}, label %{inside}, label %{after}, !prof !0")
        before = self.block
        self.start(inside)
        found = [self.choose(condition, x, y) for x, y in zip(rare(), ordinary, strict=True)]
        self.lines.append(f"  br label %{after}")
        end = self.block
        self.start(after)
        return [
            self.assign(
                f"phi {self.type(x.kind)} [{x.text}, %{before}], [{y.text}, %{end}]", x.kind
            )
            for x, y in zip(ordinary, found, strict=True)
        ]

    def start(self, block: str) -> None:
        """Begins a block."""
        self.lines.append(f"{block}:")
        self.block = block
