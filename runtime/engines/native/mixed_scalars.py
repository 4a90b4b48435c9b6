"""Scalars of which a run decides the kind: an integer in some runs, a float in others.

    best: int | f64           held as i64 and double, a byte that says which of them has the value,
                              and a bit that says whether the value is NumPy's

    y = dynamic_add(best, x)  a branch for each kind: add(an int, x), add(a float, x)

So an operation needs no machine code of its own for such scalars, and has NumPy's meaning for each
kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from runtime.engines.native.kinds import (
    Kind,
    NotLowered,
    components,
    is_mixed,
    kind_of,
    kinds_of,
    options_of,
)
from runtime.engines.native.lowering import lowering_of, lowers, lowers_mixed
from runtime.engines.native.text import Text, literal
from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.types import PythonType, TensorType, Type
from runtime.ir.unions import union_of

if TYPE_CHECKING:
    from runtime.engines.native.emitter import Emitter

# Most branches of one operation: two scalars of two kinds have four.
MOST_WAYS = 8


@lowers_mixed
def each_kind(emitter: Emitter, node: Node) -> None:
    """Writes an operation once for each choice of the kinds of its operands."""
    text, join = emitter.text, emitter.text.label("joined")
    ways = []
    for known in _choices(emitter, node):
        one = _with_operands(node, known)
        lowering_of(one)(emitter, one)
        found = []
        for new, value in zip(one.outputs, node.outputs, strict=True):
            found += [register for _, register in emitter.registers(new, value.type)]
        ways.append((text.block, found))
        text.line(f"br label %{join}")
    text.start(join)
    types = [type for value in node.outputs for type in components(value.type)]
    rest = iter(text.joined(types, ways))
    for value in node.outputs:
        emitter.held[value] = tuple(next(rest) for _ in components(value.type))


@lowers("has_type")
def has_type(emitter: Emitter, node: Node) -> None:
    """Of a scalar of one kind: it has a type of Python or one of NumPy."""
    options = options_of(operand_type(node.inputs[0]))
    kind_of(operand_type(node.inputs[0]))  # raises `NotLowered` for other values
    wanted = {isinstance(one, TensorType) for one in options if one in node.attributes["types"]}
    if len(wanted) == len(options):
        found = "true"
    elif not wanted:
        found = "false"
    else:
        found = emitter.is_numpys(node.inputs[0])
        if True not in wanted:
            found = emitter.text.register(f"xor i1 {found}, true")
    emitter.held[node.output] = (found,)


def _choices(emitter: Emitter, node: Node) -> Iterator[dict[Value, Value]]:
    """Begins a block for each choice; gives the scalars that take the place of mixed ones in it."""
    mixed = [one for one in dict.fromkeys(node.inputs) if isinstance(one, Value)]
    mixed = [one for one in mixed if is_mixed(one.type)]
    count = 1
    for one in mixed:
        count *= len(kinds_of(one.type))
    if count > MOST_WAYS:
        raise NotLowered(f"operands of which a run decides the kinds have {count} choices")

    def chosen(rest: list[Value], known: dict[Value, Value]) -> Iterator[dict[Value, Value]]:
        if not rest:
            yield known
            return
        for one in by_kind(emitter, rest[0]):
            yield from chosen(rest[1:], {**known, rest[0]: one})

    yield from chosen(mixed, {})


def by_kind(emitter: Emitter, value: Value) -> Iterator[Value]:
    """Begins a block for each kind of a scalar; gives the scalar of that kind."""
    text = emitter.text
    *registers, which, is_numpys = emitter.held[value]
    kinds = kinds_of(value.type)
    labels = [text.label("kind") for _ in kinds]
    branch(text, which, labels)
    for kind, register, label in zip(kinds, registers, labels, strict=True):
        text.start(label)
        one = Value(of_kind(value.type, kind), value.hint)
        count = len(components(one.type))
        emitter.held[one] = (register, is_numpys)[:count]
        yield one


def branch(text: Text, which: str, labels: list[str]) -> None:
    """A branch to the label with a number."""
    *others, last = labels
    ways = " ".join(f"i8 {i}, label %{label}" for i, label in enumerate(others))
    text.line(f"switch i8 {which}, label %{last} [{ways}]")


def of_kind(type: Type, kind: Kind) -> Type:
    """The type of the scalars of a type that have a kind."""
    return union_of(*(one for one in options_of(type) if kind_of(one) == kind))


def _with_operands(node: Node, known: dict[Value, Value]) -> Node:
    """An operation with other operands, and results of the types that it has for them."""
    inputs = tuple(known.get(one, one) if isinstance(one, Value) else one for one in node.inputs)
    types = node.op.infer_types(tuple(map(operand_type, inputs)), node.attributes, {})
    outputs = tuple(Value(type, old.hint) for type, old in zip(types, node.outputs, strict=True))
    return Node(node.op, inputs, outputs, node.attributes, {}, node.location)


def mixed_registers(emitter: Emitter, operand: Operand, like: Type) -> list[str]:
    """The registers of an operand, a scalar, for a variable of which a run decides the kind.

    Raises `NotLowered` for an operand that has other types.
    """
    have = operand_type(operand)
    kinds = kinds_of(like)
    if not set(kinds_of(have)) <= set(kinds):
        raise NotLowered(f"a scalar of type {have} as one of type {like} has no machine code")
    held = dict(zip(kinds, (literal(kind, 0) for kind in kinds), strict=True))
    if is_mixed(have) and isinstance(operand, Value):
        *registers, which, _ = emitter.held[operand]
        held.update(zip(kinds_of(have), registers, strict=True))
        numbers = [kinds.index(kind) for kind in kinds_of(have)]
        which = _renumbered(emitter.text, which, numbers)
    else:
        held[kind_of(have)] = emitter.own(operand)
        which = str(kinds.index(kind_of(have)))
    return [*held.values(), which, _is_numpys(emitter, operand, like)]


def _renumbered(text: Text, which: str, numbers: list[int]) -> str:
    if numbers == list(range(len(numbers))):
        return which
    found = str(numbers[-1])
    for i, number in enumerate(numbers[:-1]):
        is_one = text.register(f"icmp eq i8 {which}, {i}")
        found = text.register(f"select i1 {is_one}, i8 {number}, i8 {found}")
    return found


def _is_numpys(emitter: Emitter, operand: Operand, like: Type) -> str:
    options = options_of(like)
    if all(isinstance(one, TensorType) for one in options):
        return "true"
    if all(isinstance(one, PythonType) for one in options):
        return "false"
    return emitter.is_numpys(operand)


# -- in memory -------------------------------------------------------------------------------------

WHICH, NUMPYS = 8, 9  # where the bytes are


def store_mixed(text: Text, scalar: Type, where: str, registers: list[str]) -> None:
    """Stores a scalar: its bits, which kind it has, and whether it is NumPy's."""
    *numbers, which, is_numpys = registers
    kinds = kinds_of(scalar)
    bits = _bits(text, kinds[-1], numbers[-1])
    for i, kind in enumerate(kinds[:-1]):
        is_one = text.register(f"icmp eq i8 {which}, {i}")
        other = _bits(text, kind, numbers[i])
        bits = text.register(f"select i1 {is_one}, i64 {other}, i64 {bits}")
    text.line(f"store i64 {bits}, ptr {where}")
    for offset, byte in ((WHICH, which), (NUMPYS, text.register(f"zext i1 {is_numpys} to i8"))):
        place = text.register(f"getelementptr i8, ptr {where}, i64 {offset}")
        text.line(f"store i8 {byte}, ptr {place}")


def loaded_mixed(text: Text, scalar: Type, where: str) -> tuple[str, ...]:
    """The registers of a scalar at an address."""
    bits = text.register(f"load i64, ptr {where}")
    numbers = [_from_bits(text, kind, bits) for kind in kinds_of(scalar)]
    which, numpys = (
        text.register(f"load i8, ptr {text.register(f'getelementptr i8, ptr {where}, i64 {at}')}")
        for at in (WHICH, NUMPYS)
    )
    return (*numbers, which, text.register(f"icmp ne i8 {numpys}, 0"))


def _bits(text: Text, kind: Kind, register: str) -> str:
    if kind.is_float:
        register = text.register(f"bitcast {kind.register} {register} to i{kind.bits}")
    if kind.bits == 64:
        return register
    return text.register(f"zext i{kind.bits} {register} to i64")


def _from_bits(text: Text, kind: Kind, bits: str) -> str:
    if kind.bits < 64:
        bits = text.register(f"trunc i64 {bits} to i{kind.bits}")
    return (
        text.register(f"bitcast i{kind.bits} {bits} to {kind.register}") if kind.is_float else bits
    )
