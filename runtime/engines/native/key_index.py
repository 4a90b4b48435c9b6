"""The keys of dicts and sets in machine code: a list of keys has a hash table, made when needed.

    place = key_place(keys, k)      call i64 @key_place_1(ptr object, ptr keys, i64 length, i64 k)

A key is compared as integers of 64 bits, which are equal for keys that are equal: one for each
number.  The table is an array of bytes, the base of the object that has the memory of the list: so
it lives as long as the list, and a copy of a list has none.

    8 bytes    the number of slots - 1: a power of two - 1
    8 bytes    how many keys the table has, the first ones of the list; -1 if keys have moved
    4 bytes    for each slot: 0, or 1 + the place of a key, at the first free slot from its hash on

A search adds the keys that have been appended since the last one.  Short lists have no table: each
key is compared.  NaN leaves the piece, as do lists of more keys than a slot can tell.
"""

from collections.abc import Iterator, Sequence

from runtime.engines.native import list_memory
from runtime.engines.native import python_objects as objects
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kernels.counting import Counted
from runtime.engines.native.key_tables import COUNT, field, place, table_of
from runtime.engines.native.kinds import (
    INTEGER,
    Kind,
    NotLowered,
    components,
    is_item,
    kind_of,
    scalars_of,
)
from runtime.engines.native.list_elements import loaded, place_of
from runtime.engines.native.lowering import lowers
from runtime.engines.native.storage import Objects
from runtime.engines.native.text import Text
from runtime.ir.graph import Node, Value
from runtime.ir.slot import Slot
from runtime.ir.types import NothingType, OptionalType, TupleType, Type

SHORT = 8  # keys, which are compared one after the other
MOST = (1 << 31) - 1  # keys that slots can tell
SLOTS = 16  # bytes before the slots
FACTOR = -7046029254386353131  # the odd integer of 64 bits next to 2^64 / golden ratio
NOT_THERE, NO_TABLE = -1, -2


# -- the op ----------------------------------------------------------------------------------------


@lowers("key_place")
def key_place(emitter: Emitter, node: Node) -> None:
    text = emitter.text
    if not isinstance(emitter.storage, Objects) or not text.has_functions:
        raise NotLowered("a search for a key has machine code where Python is")
    _, element, held = list_memory.list_operand(emitter, node.inputs[0])
    (key,) = node.attributes["given"]
    operand = node.inputs[key.index] if isinstance(key, Slot) else key
    kinds = [kind_of(scalar) for scalar in _key_scalars(element)]
    bits = _bits_of_key(emitter, operand, element)
    for kind, one in zip(kinds, bits, strict=True):
        if kind.is_float and not one.lstrip("-").isdigit():
            text.leave_if(_is_nan(text, kind, one), Exit.RAISED)
    function = _defined(emitter, element)
    given = "".join(f", i64 {one}" for one in bits)
    call = f"call i64 @{function}(ptr {held.object}, ptr {held.data}, i64 {held.length}{given})"
    found = text.register(call)
    text.leave_if(text.register(f"icmp eq i64 {found}, {NO_TABLE}"), Exit.MEMORY)
    emitter.held[node.output] = (found,)


# -- keys as integers ------------------------------------------------------------------------------


def _key_scalars(element: Type) -> tuple[Type, ...]:
    """The types of the numbers of a key.  Raises `NotLowered` for other keys."""
    if is_item(element) or any(
        isinstance(one, NothingType | OptionalType) for one in _all(element)
    ):
        raise NotLowered(f"{element} as a key has no machine code")
    return scalars_of(element)


def _all(kind: Type) -> Iterator[Type]:
    """A type, and those of what its values hold."""
    yield kind
    for item in kind.places if isinstance(kind, TupleType) else ():
        yield from _all(item)


def _bits_of_key(emitter: Emitter, operand: object, element: Type) -> list[str]:
    """A key as integers that are equal for keys equal to it in a list.

    Raises `NotLowered` for a key of another form, or with a number of another kind.
    """
    if isinstance(operand, tuple):
        if not isinstance(element, TupleType) or len(operand) != len(element.places):
            raise NotLowered(f"a key {operand!r} among keys of type {element} has no machine code")
        pairs = zip(operand, element.places, strict=True)
        return [bit for one, item in pairs for bit in _bits_of_key(emitter, one, item)]
    if isinstance(operand, Value):
        have = operand.type
        _check_same(have, element)
        registers, found = list(emitter.held[operand]), []
        for scalar in scalars_of(have):
            found.append(_bits(emitter.text, kind_of(scalar), registers[0]))
            del registers[: len(components(scalar))]
        return found
    if isinstance(element, TupleType) or not isinstance(operand, bool | int | float):
        raise NotLowered(f"a key {operand!r} among keys of type {element} has no machine code")
    kind = kind_of(element)
    if kind.is_float and operand == operand:
        return [_bits(emitter.text, kind, emitter.scalar(operand, kind))]
    if isinstance(operand, float):
        raise NotLowered(f"a key {operand!r} among keys of type {element} has no machine code")
    return [emitter.scalar(int(operand), Kind("u", 64) if kind == Kind("u", 64) else INTEGER)]


def _check_same(have: Type, element: Type) -> None:
    """Raises `NotLowered` if keys of two types are compared by more than their bits."""
    if isinstance(have, TupleType) and isinstance(element, TupleType):
        if not isinstance(have, OptionalType) and len(have.places) == len(element.places):
            for one, other in zip(have.places, element.places, strict=True):
                _check_same(one, other)
            return
    elif not isinstance(have, TupleType) and not isinstance(element, TupleType):
        kinds = kind_of(have), kind_of(element)
        if kinds[0] == kinds[1] or all(map(_fits, kinds)):
            return
    raise NotLowered(f"a key of type {have} among keys of type {element} has no machine code")


def _fits(kind: Kind) -> bool:
    """Whether all numbers of a kind are signed integers of 64 bits."""
    return not kind.is_float and kind != Kind("u", 64)


def _bits(text: Text, kind: Kind, register: str) -> str:
    """A number as an integer of 64 bits: zeros with and without a sign are one."""
    if not kind.is_float:
        if kind.bits == 64:
            return register
        extends = "sext" if kind.family == "i" else "zext"
        return text.register(f"{extends} {kind.register} {register} to i64")
    narrow = text.register(f"bitcast {kind.register} {register} to i{kind.bits}")
    without_sign = text.register(f"shl i{kind.bits} {narrow}, 1")
    is_zero = text.register(f"icmp eq i{kind.bits} {without_sign}, 0")
    found = text.register(f"select i1 {is_zero}, i{kind.bits} 0, i{kind.bits} {narrow}")
    return found if kind.bits == 64 else text.register(f"zext i{kind.bits} {found} to i64")


def _is_nan(text: Text, kind: Kind, bits: str) -> str:
    """Whether the bits of a float are those of a NaN."""
    magnitude, infinity = (
        ((1 << 63) - 1, 0x7FF << 52) if kind.bits == 64 else ((1 << 31) - 1, 0xFF << 23)
    )
    return text.register(
        f"icmp ugt i64 {text.register(f'and i64 {bits}, {magnitude}')}, {infinity}"
    )


def _hashed(text: Text, bits: Sequence[str]) -> str:
    """The hash of a key."""
    found = "0"
    for one in bits:
        mixed = text.register(f"xor i64 {found}, {one}")
        spread = text.register(f"mul i64 {mixed}, {FACTOR}")
        found = text.register(f"xor i64 {spread}, {text.register(f'lshr i64 {spread}, 32')}")
    return found


# -- functions of machine code ---------------------------------------------------------------------


class _Keys:
    """Writes the functions that search lists of one type."""

    def __init__(self, emitter: Emitter, element: Type) -> None:
        self.emitter, self.element = emitter, element
        self.kinds = [kind_of(scalar) for scalar in _key_scalars(element)]
        self.key = [f"%key{i}" for i in range(len(self.kinds))]

    def bits_at(self, text: Text, index: str) -> list[str]:
        """The key at a place of a list, as integers."""
        where = place_of(text, "%data", self.element, index)
        registers, found = list(loaded(text, self.element, where)), []
        for scalar, kind in zip(scalars_of(self.element), self.kinds, strict=True):
            found.append(_bits(text, kind, registers[0]))
            del registers[: len(components(scalar))]
        return found

    def is_at(self, text: Text, index: str, bits: Sequence[str]) -> str:
        """Whether a key is the one at a place of a list."""
        found = "true"
        for one, other in zip(self.bits_at(text, index), bits, strict=True):
            same = text.register(f"icmp eq i64 {one}, {other}")
            found = same if found == "true" else text.register(f"and i1 {found}, {same}")
        return found

    def probe(self, text: Text, table: str, bits: Sequence[str]) -> str:
        """Goes from slot to slot until one has a key or is free.

        The code that follows is reached if one is free; returns its address.  Code after the label
        `self.same` is reached if one has the key, at the place `self.found` of the list.
        """
        mask = text.register(f"load i64, ptr {table}")
        start = text.register(f"and i64 {_hashed(text, bits)}, {mask}")
        before, again, full, next_one, free, same = (
            text.block, *(text.label(stem) for stem in ("probe", "full", "next", "free", "same"))
        )  # fmt: skip
        slot, after = text.fresh(), text.fresh()
        text.line(f"br label %{again}")
        text.start(again)
        text.line(f"{slot} = phi i64 [{start}, %{before}], [{after}, %{next_one}]")
        offset = text.register(f"mul i64 {slot}, 4")
        offset = text.register(f"add i64 {offset}, {SLOTS}")
        where = text.register(f"getelementptr i8, ptr {table}, i64 {offset}")
        content = text.register(f"load i32, ptr {where}")
        is_free = text.register(f"icmp eq i32 {content}, 0")
        text.line(f"br i1 {is_free}, label %{free}, label %{full}")
        text.start(full)
        at = text.register(f"sub i64 {text.register(f'zext i32 {content} to i64')}, 1")
        is_same = self.is_at(text, at, bits)
        text.line(f"br i1 {is_same}, label %{same}, label %{next_one}")
        text.start(next_one)
        text.line(f"{after} = and i64 {text.register(f'add i64 {slot}, 1')}, {mask}")
        text.line(f"br label %{again}")
        self.same, self.found = same, at
        text.start(free)
        return where

    def search(self, name: str, adding: str) -> str:
        """The function that returns the place of a key."""
        text = self.emitter.text.of_function()
        short, is_long, checked, adds, ready = (
            text.label(stem) for stem in ("short", "long", "checked", "adds", "ready")
        )
        is_short = text.register(f"icmp ule i64 %length, {SHORT}")
        text.line(f"br i1 {is_short}, label %{short}, label %{is_long}")
        text.start(short)
        loop = Counted(text, "%length")
        here, going_on = text.label("here"), text.label("on")
        is_same = self.is_at(text, loop.index, self.key)
        text.line(f"br i1 {is_same}, label %{here}, label %{going_on}")
        text.start(here)
        text.line(f"ret i64 {loop.index}")
        text.start(going_on)
        loop.close()
        text.line(f"ret i64 {NOT_THERE}")
        text.start(is_long)
        base = table_of(text, "%object")
        none = text.register(f"icmp eq ptr {base}, null")
        text.line(f"br i1 {none}, label %{adds}, label %{checked}")
        text.start(checked)
        have = field(text, base, objects.ARRAY_DATA)
        count = text.register(f"load i64, ptr {place(text, have, COUNT)}")
        is_all = text.register(f"icmp eq i64 {count}, %length")
        text.line(f"br i1 {is_all}, label %{ready}, label %{adds}")
        text.start(adds)
        new = text.register(f"call ptr @{adding}(ptr %object, ptr %data, i64 %length)")
        fails, block = text.label("fails"), text.block
        is_null = text.register(f"icmp eq ptr {new}, null")
        text.line(f"br i1 {is_null}, label %{fails}, label %{ready}")
        text.start(fails)
        text.line(f"ret i64 {NO_TABLE}")
        text.start(ready)
        table = text.register(f"phi ptr [{have}, %{checked}], [{new}, %{block}]")
        self.probe(text, table, self.key)
        text.line(f"ret i64 {NOT_THERE}")
        text.start(self.same)
        text.line(f"ret i64 {self.found}")
        keys = "".join(f", i64 {one}" for one in self.key)
        return _definition(text, f"i64 @{name}(ptr %object, ptr %data, i64 %length{keys})")

    def adding(self, name: str) -> str:
        """The function that adds keys to a table, or makes a larger one, and returns it."""
        text = self.emitter.text.of_function()
        have, count = (text.local(kind) for kind in ("ptr", "i64"))
        look, makes, clears, fills = (
            text.label(stem) for stem in ("look", "makes", "clears", "fills")
        )
        base = table_of(text, "%object")
        none = text.register(f"icmp eq ptr {base}, null")
        text.line(f"br i1 {none}, label %{makes}, label %{look}")
        text.start(look)
        old = field(text, base, objects.ARRAY_DATA)
        text.line(f"store ptr {old}, ptr {have}")
        known = text.register(f"load i64, ptr {place(text, old, COUNT)}")
        text.line(f"store i64 {known}, ptr {count}")
        mask = text.register(f"load i64, ptr {old}")
        twice = text.register("shl i64 %length, 1")
        is_small, moved = text.label("small"), text.label("moved")
        fits = text.register(f"icmp ule i64 {twice}, {mask}")
        text.line(f"br i1 {fits}, label %{is_small}, label %{makes}")
        text.start(is_small)
        text.line(
            f"br i1 {text.register(f'icmp ugt i64 {known}, %length')}, "
            f"label %{moved}, label %{fills}"
        )
        text.start(moved)
        text.line(f"br label %{clears}")
        text.start(makes)
        self._new_table(text, have, base)
        text.line(f"br label %{clears}")
        text.start(clears)
        self._clear(text, have)
        text.line(f"store i64 0, ptr {count}")
        text.line(f"br label %{fills}")
        text.start(fills)
        table = text.register(f"load ptr, ptr {have}")
        first = text.register(f"load i64, ptr {count}")
        loop = Counted(text, "%length", first)
        where = self.probe(text, table, self.bits_at(text, loop.index))
        small = text.register(f"trunc i64 {loop.index} to i32")
        text.line(f"store i32 {text.register(f'add i32 {small}, 1')}, ptr {where}")
        text.line(f"br label %{self.same}")
        text.start(self.same)  # a key that is there twice has its first place
        loop.close()
        text.line(f"store i64 %length, ptr {place(text, table, COUNT)}")
        text.line(f"ret ptr {table}")
        return _definition(text, f"ptr @{name}(ptr %object, ptr %data, i64 %length)", "noinline")

    def _new_table(self, text: Text, have: str, old: str) -> None:
        """Makes a table with room for twice the keys of the list; null is returned if that is not
        possible."""
        fails, possible, made = (text.label(stem) for stem in ("fails", "possible", "made"))
        is_possible = text.register(f"icmp ule i64 %length, {MOST}")
        text.line(f"br i1 {is_possible}, label %{possible}, label %{fails}")
        text.start(fails)
        text.line("ret ptr null")
        text.start(possible)
        zeros = text.intrinsic("llvm.ctlz.i64", "i64", ("i64", "%length"), ("i1", "false"))
        digits = text.register(f"sub i64 66, {zeros}")  # of four times the length
        slots = text.register(f"shl i64 1, {digits}")
        size = text.register(f"add i64 {text.register(f'shl i64 {slots}, 2')}, {SLOTS}")
        new = text.register(f"call ptr @list_grown(ptr null, i64 0, i64 {size})")
        is_null = text.register(f"icmp eq ptr {new}, null")
        text.line(f"br i1 {is_null}, label %{fails}, label %{made}")
        text.start(made)
        table = field(text, new, objects.ARRAY_DATA)
        text.line(f"store ptr {table}, ptr {have}")
        text.line(f"store i64 {text.register(f'sub i64 {slots}, 1')}, ptr {table}")
        text.line(f"store ptr {new}, ptr {place(text, '%object', objects.ARRAY_BASE)}")
        text.line(f"call void @drop(ptr {old})")

    def _clear(self, text: Text, have: str) -> None:
        """Makes all slots of a table free."""
        table = text.register(f"load ptr, ptr {have}")
        mask = text.register(f"load i64, ptr {table}")
        slots = text.register(f"add i64 {mask}, 1")
        size = text.register(f"shl i64 {slots}, 2")
        name = "llvm.memset.p0.i64"
        text.declare(name, f"declare void @{name}(ptr, i8, i64, i1)")
        text.line(f"call void @{name}(ptr {place(text, table, SLOTS)}, i8 0, i64 {size}, i1 false)")


def _defined(emitter: Emitter, element: Type) -> str:
    """The symbol of the function that searches lists of a type."""
    text = emitter.text
    described = "_".join(f"{kind.family}{kind.bits}" for kind in _Keys(emitter, element).kinds)
    # Elements of one form lie in memory in one way, except numbers that may be NumPy's.
    name = f"key_place_{described}_{'_'.join(map(str, _widths(element)))}"
    adding = f"keys_added_{name}"
    if name not in text.declarations:
        list_memory.declare_grown(emitter)
        emitter.text.uses_references = True
        text.declarations[name] = text.declarations[adding] = ""
        keys = _Keys(emitter, element)
        text.declarations[adding] = keys.adding(adding)
        text.declarations[name] = keys.search(name, adding)
    return name


def _widths(element: Type) -> list[int]:
    """The registers of each number of a key."""
    return [len(components(scalar)) for scalar in scalars_of(element)]


def _definition(text: Text, head: str, attributes: str = "") -> str:
    return "\n".join(
        [
            f"define internal {head} {attributes} {{",
            "entry:",
            *text.memory,
            "  br label %begin",
            "begin:",
            *text.lines,
            "}",
        ]
    )
