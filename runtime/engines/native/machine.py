"""Text of LLVM IR in, machine code in memory out.

    code = assembled(text, {"PyLong_Type": address}, "piece")
    code.address           of the function `piece`, as long as `code` is alive
    code.assembly          the machine code as text

The text becomes an object file (`llvm.py`), which is kept on disk (`object_cache.py`) and loaded
(`loader.py`), with the addresses of the symbols that it names.  So the text, and the object, hold
no absolute address.
"""

import platform
import struct
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from runtime.engines.native import llvm, loader, object_cache
from runtime.engines.native.llvm import Effort, Unassembled

__all__ = ["Assembled", "Effort", "Unassembled", "assembled", "is_supported"]


def is_supported() -> bool:
    """Whether this machine is one that the engine generates code for."""
    is_64_bit = struct.calcsize("P") == 8
    return is_64_bit and platform.machine().lower() in ("x86_64", "amd64")


@cache
def has_fma() -> bool:
    """Whether the processor multiplies and adds in one instruction, as far as the system tells."""
    found = object_cache.processor()
    return found is not None and "fma" in found.split()


@dataclass(eq=False)
class Assembled:
    """A function as machine code.  The code is freed with this object."""

    address: int
    ir: str
    effort: Effort
    is_from_cache: bool
    _memory: Any = field(repr=False)

    @property
    def assembly(self) -> str:
        """The machine code as text."""
        return llvm.assembly(self.ir, self.effort)


def assembled(
    text: str,
    symbols: dict[str, int],
    name: str,
    cache: str | None = None,
    effort: Effort = Effort.SIMPLIFIED,
) -> Assembled:
    """The machine code of the function `name` in a text of LLVM IR.

    `symbols` are the addresses of what the text only declares.  `cache` is a directory in which
    object files are looked up and kept.
    Raises `Unassembled` if LLVM does not accept the text.
    """
    about = (symbols, name, effort)
    context = None if cache is None else object_cache.context(effort.value)
    if cache is None or context is None:
        return _loaded(llvm.emitted(text, effort), text, *about, False)
    key = context + text.encode()
    image = object_cache.found(cache, key)
    if image is not None:
        return _loaded(image, text, *about, True)
    image = llvm.emitted(text, effort)
    object_cache.store(cache, key, image)
    return _loaded(image, text, *about, False)


def _loaded(
    image: bytes,
    text: str,
    symbols: dict[str, int],
    name: str,
    effort: Effort,
    is_from_cache: bool,
) -> Assembled:
    if loader.is_supported():
        try:
            loaded = loader.Loaded(image, symbols)
            return Assembled(loaded.addresses[name], text, effort, is_from_cache, loaded)
        except loader.Unloadable:
            pass  # LLVM's own linker knows more
    address, memory = llvm.linked(image, symbols, name)
    return Assembled(address, text, effort, is_from_cache, memory)
