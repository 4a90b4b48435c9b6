"""Text of LLVM IR in, an object file out.  The only module that imports llvmlite, when first used.

The text is parsed and verified, simplified function by function if that makes its code faster, and
emitted for the processor of this process.  Code that runs for less than a microsecond may be
emitted in the least time.  LLVM's linker is for object files that `loader.py` does not load.
"""

import itertools
from dataclasses import dataclass
from enum import Enum
from functools import cache
from threading import RLock
from typing import Any

_serial = itertools.count(1)
_lock = RLock()


class Unassembled(RuntimeError):
    """LLVM refused a text, or there is no machine to compile for; the message says why."""


class Effort(Enum):
    """How LLVM makes code; all have the same bits.  The values are a part of the key of kept
    objects."""

    LEAST = "code generation, 0; small"
    AS_WRITTEN = "code generation, 1; small"
    SIMPLIFIED = "function simplification, 2; code generation, 1; small"


@dataclass(frozen=True)
class _Machine:
    """LLVM for the processor of this process."""

    binding: Any
    target: Any
    options: dict[str, Any]
    heading: str


def _new_target(binding: Any, options: dict[str, Any]) -> Any:
    triple = binding.get_process_triple()
    return binding.Target.from_triple(triple).create_target_machine(**options)


@cache
def _machine() -> _Machine:
    import llvmlite.binding as binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    options = {
        "cpu": binding.get_host_cpu_name(),
        "features": binding.get_host_cpu_features().flatten(),
        "opt": 1,
        "reloc": "pic",  # constants are a part of instructions, and `loader.py` makes the tables
        "codemodel": "small",
        "jit": True,
    }
    target, triple = _new_target(binding, options), binding.get_process_triple()
    heading = f'target datalayout = "{target.target_data}"\ntarget triple = "{triple}"\n'
    return _Machine(binding, target, options, heading)


@cache
def _quick_target() -> Any:
    machine = _machine()
    return _new_target(machine.binding, machine.options | {"opt": 0})


@cache
def _linker() -> Any:
    machine = _machine()
    machine.binding.initialize_native_asmparser()
    return machine.binding.create_lljit_compiler(_new_target(machine.binding, machine.options))


def emitted(text: str, effort: Effort = Effort.SIMPLIFIED) -> bytes:
    """The object file of a text.

    Raises `Unassembled` if LLVM does not accept the text.
    """
    with _lock:
        machine = _machine()
        if " asm " in text:
            machine.binding.initialize_native_asmparser()
        try:
            target = _quick_target() if effort is Effort.LEAST else machine.target
            image: bytes = target.emit_object(_module(machine, text, effort))
        except RuntimeError as error:
            raise Unassembled(str(error)) from error
        return image


def object_file(text: str, triple: str | None = None) -> bytes:
    """The object file of a text for a target by name, by default that of this process; code that
    other processors of its family run, too, and that is linked at any address.

    Raises `Unassembled` if LLVM does not accept the text, or knows no such target.
    """
    import llvmlite.binding as binding

    with _lock:
        binding.initialize_all_targets()
        binding.initialize_all_asmprinters()
        triple = triple or binding.get_process_triple()
        try:
            options = {"opt": 2, "reloc": "pic", "codemodel": "default", **_abi(triple)}
            target = binding.Target.from_triple(triple).create_target_machine(**options)
            heading = f'target datalayout = "{target.target_data}"\ntarget triple = "{triple}"\n'
            module = binding.parse_assembly(heading + text)
            module.verify()
            passes = binding.create_pass_builder(
                target, binding.create_pipeline_tuning_options(speed_level=2)
            )
            passes.getModulePassManager().run(module, passes)
            image: bytes = target.emit_object(module)
        except RuntimeError as error:
            raise Unassembled(str(error)) from error
        return image


def _abi(triple: str) -> dict[str, str]:
    """Options of targets whose default has no registers for floats."""
    if triple.startswith("riscv64") and "linux" in triple:
        return {"features": "+m,+a,+f,+d,+c", "abiname": "lp64d"}
    return {}


def assembly(text: str, effort: Effort) -> str:
    """The machine code of a text, as text."""
    with _lock:
        machine = _machine()
        machine.binding.initialize_native_asmparser()
        target = _quick_target() if effort is Effort.LEAST else machine.target
        found: str = target.emit_assembly(_module(machine, text, effort))
        return found


def linked(image: bytes, symbols: dict[str, int], name: str) -> tuple[int, Any]:
    """The address of a function of an object file, and the object that keeps it in memory.

    Raises `Unassembled` if LLVM does not link the file.
    """
    with _lock:
        library = _machine().binding.JITLibraryBuilder()
        try:
            library.add_object_img(image).export_symbol(name)
            for symbol, address in symbols.items():
                library.import_symbol(symbol, address)
            found = library.link(_linker(), f"piece {next(_serial)}")
        except RuntimeError as error:
            raise Unassembled(str(error)) from error
        return found[name], found


def _module(machine: _Machine, text: str, effort: Effort) -> Any:
    """A text as a module of LLVM.  Raises `RuntimeError` if it is not valid."""
    module = machine.binding.parse_assembly(machine.heading + text)
    module.verify()
    if effort is Effort.SIMPLIFIED:
        _simplify(machine, module)
    return module


def _simplify(machine: _Machine, module: Any) -> None:
    """Runs LLVM's passes for scalar code; a pass manager runs once, so each text has its own."""
    options = machine.binding.create_pipeline_tuning_options(2)
    passes = machine.binding.create_pass_builder(machine.target, options)
    for function in module.functions:
        if not function.is_declaration:
            passes.getFunctionPassManager().run(function, passes)
