"""Object files of LLVM, loaded into the process: ELF for x86-64, as LLVM writes them for pieces.

    file:   sections .text, .rodata, .data    relocations: "here is how far Py_IncRef is away"
    memory: | code and constants | jumps and addresses | data, writable |

All that a file defines is near; a symbol of the process may be anywhere, so the code calls it by a
jump and reads its address from a table.  A file with relocations of other types raises
`Unloadable`; LLVM's own linker takes it then.

The format: "System V Application Binary Interface", chapters 4 and 5, and its supplement for AMD64.
"""

import ctypes
import mmap
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

RELOCATABLE, X86_64 = 1, 62
RELOCATIONS, EMPTY, UNWINDING = 4, 8, 0x70000001  # types of sections
WRITABLE, LOADED = 1, 2  # flags of sections
UNDEFINED, ABSOLUTE = 0, 0xFFF1  # in place of the number of a section
# A relocation writes an address, or how far it is away from the place.
ADDRESS, NEAR, NEAR_FUNCTION, FAR = 1, 2, 4, 24
DISTANCES = {NEAR: "<i", NEAR_FUNCTION: "<i", FAR: "<q"}
# Relocations that write how far the place with an address is away.
BY_TABLE = (9, 41, 42)
# An entry of the table: a jump to the address that follows it, and the address.
JUMP, ENTRY = b"\xff\x25\x02\x00\x00\x00\x90\x90", 16
# Functions of C that LLVM calls on its own: to move memory, and for the remainder of floats.
HELPERS = ("memcpy", "memmove", "memset", "memcmp", "bcmp", "fmod", "fmodf")
PAGE = mmap.PAGESIZE


class Unloadable(ValueError):
    """A file that this module does not load; the message says why."""


def is_supported() -> bool:
    """Whether processes of this system can load such files."""
    return sys.platform == "linux"


@dataclass(frozen=True)
class _Section:
    kind: int
    flags: int
    offset: int  # in the file
    size: int
    link: int  # the section of symbols, or of their names
    target: int  # the section that relocations change
    alignment: int

    @property
    def is_loaded(self) -> bool:
        return bool(self.flags & LOADED) and self.kind != UNWINDING


class Loaded:
    """An object file in memory.  The memory is freed with this object.

    `addresses` holds the addresses of its global functions.
    """

    def __init__(self, image: bytes, symbols: dict[str, int]) -> None:
        """Raises `Unloadable` for a file of another kind, a symbol that neither `symbols` nor the
        file defines, and a system that forbids generated code."""
        try:
            self._load(_File(image), symbols)
        except (struct.error, IndexError, UnicodeDecodeError, OverflowError) as error:
            raise Unloadable(f"the file is damaged: {error}") from error

    def _load(self, file: "_File", symbols: dict[str, int]) -> None:
        entries = _entries(file)
        places, table, code_size, size = _layout(file.sections, ENTRY * len(entries))
        self._memory = mmap.mmap(-1, max(size, PAGE), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        where = {number: start + place for number, place in places.items()}
        for number, place in places.items():
            content = file.content(file.sections[number])
            self._memory[place : place + len(content)] = content
        self.addresses: dict[str, int] = {}
        found = list(self._resolved(file, where, symbols))
        jumps = {symbol: table + ENTRY * number for symbol, number in entries.items()}
        for symbol, place in jumps.items():
            struct.pack_into("<8sQ", self._memory, place, JUMP, _known(found, symbol))
        for relocations in file.sections:
            if relocations.kind == RELOCATIONS and relocations.target in places:
                self._relocate(file, relocations, places[relocations.target], start, found, jumps)
        _make_executable(start, code_size)

    def _resolved(
        self, file: "_File", where: dict[int, int], symbols: dict[str, int]
    ) -> Iterator[int | None]:
        """The addresses of all symbols of the file; None for those that nothing defines."""
        for name, section, value, is_global in file.symbols():
            if section == UNDEFINED:
                yield symbols.get(name, _helper(name)) if name else None
            elif section in where:
                if is_global:
                    self.addresses[name] = where[section] + value
                yield where[section] + value
            else:
                yield value if section == ABSOLUTE else None

    def _relocate(
        self,
        file: "_File",
        relocations: _Section,
        place: int,
        start: int,
        symbols: list[int | None],
        jumps: dict[int, int],
    ) -> None:
        content = file.content(relocations)
        for offset, info, addend in struct.iter_unpack("<QQq", content):
            number, kind = info >> 32, info & 0xFFFFFFFF
            target = _known(symbols, number)
            if kind in BY_TABLE:
                target, kind = start + jumps[number] + len(JUMP), NEAR
            elif kind == NEAR_FUNCTION and number in jumps:
                target = start + jumps[number]
            if kind == ADDRESS:
                struct.pack_into("<Q", self._memory, place + offset, target + addend)
            elif kind in DISTANCES:
                distance = target + addend - (start + place + offset)
                struct.pack_into(DISTANCES[kind], self._memory, place + offset, distance)
            else:
                raise Unloadable(f"the file has relocations of type {kind}")


def _known(symbols: list[int | None], number: int) -> int:
    """The address of a symbol.  Raises `Unloadable` if it has none."""
    found = symbols[number]
    if found is None:
        raise Unloadable(f"the file names symbol {number}, which nothing defines")
    return found


class _File:
    """The parts of an object file."""

    def __init__(self, image: bytes) -> None:
        self.image = image
        heading = struct.unpack_from("<4sBBB9xHHIQQQIHHHHHH", image)
        magic, bits, order, _, kind, processor = heading[:6]
        if (magic, bits, order, kind, processor) != (b"\x7fELF", 2, 1, RELOCATABLE, X86_64):
            raise Unloadable("the file is none of ELF for x86-64")
        first, length, count = heading[9], heading[14], heading[15]
        self.sections = [self._section(first + length * i) for i in range(count)]

    def _section(self, place: int) -> _Section:
        fields = struct.unpack_from("<IIQQQQIIQQ", self.image, place)
        _, kind, flags, _, offset, size, link, target, alignment, _ = fields
        if kind != EMPTY and offset + size > len(self.image):
            raise Unloadable("the file is damaged: it ends inside of a section")
        return _Section(kind, flags, offset, size, link, target, max(alignment, 1))

    def content(self, section: _Section) -> bytes:
        """The bytes of a section."""
        if section.kind == EMPTY:
            return bytes(section.size)
        return self.image[section.offset : section.offset + section.size]

    def symbols(self) -> Iterator[tuple[str, int, int, bool]]:
        """The name, section, value of each symbol, and whether it is global."""
        table = next((section for section in self.sections if section.kind == 2), None)
        if table is None:
            raise Unloadable("the file has no symbols")
        names = self.content(self.sections[table.link])
        for name, info, _, section, value, _ in struct.iter_unpack("<IBBHQQ", self.content(table)):
            text = names[name : names.index(b"\0", name)].decode()
            yield text, section, value, info >> 4 != 0


def _entries(file: _File) -> dict[int, int]:
    """The symbols that need an entry of the table, with their places in it."""
    is_outside = [section == UNDEFINED for _, section, _, _ in file.symbols()]
    found: dict[int, int] = {}
    for section in file.sections:
        if section.kind != RELOCATIONS:
            continue
        for _, info, _ in struct.iter_unpack("<QQq", file.content(section)):
            number, kind = info >> 32, info & 0xFFFFFFFF
            if kind in BY_TABLE or kind == NEAR_FUNCTION and is_outside[number]:
                found.setdefault(number, len(found))
    return found


def _layout(sections: list[_Section], table_size: int) -> tuple[dict[int, int], int, int, int]:
    """Where each loaded section and the table begin; the size of the code, and of all."""
    places: dict[int, int] = {}
    end = table = code_size = 0
    for is_writable in (False, True):
        for number, section in enumerate(sections):
            if section.is_loaded and bool(section.flags & WRITABLE) is is_writable:
                end = -(-end // section.alignment) * section.alignment
                places[number] = end
                end += section.size
        if not is_writable:
            table = -(-end // ENTRY) * ENTRY
            end = code_size = -(-(table + table_size) // PAGE) * PAGE
    return places, table, code_size, end


def _make_executable(start: int, size: int) -> None:
    if size and _c_function("mprotect")(start, size, mmap.PROT_READ | mmap.PROT_EXEC):
        raise Unloadable("the system forbids to run generated code")


@cache
def _c_function(name: str) -> Any:
    function = getattr(ctypes.CDLL(None, use_errno=True), name)
    function.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return function


@cache
def _helper(name: str) -> int | None:
    if name not in HELPERS:
        return None
    return ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value
