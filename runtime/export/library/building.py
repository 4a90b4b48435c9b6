"""The files of a library: an object, a header, and with a C compiler a static and a shared library.

build/step.o   build/step.h   build/libstep.a   build/libstep.so
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from runtime.engines.native import llvm
from runtime.engines.native.kinds import NotLowered
from runtime.export.library.function import FunctionWriter
from runtime.export.library.header import header
from runtime.export.library.signature import refused, signature_of
from runtime.export.library.simplification import simplified
from runtime.function.concrete_function import ConcreteFunction
from runtime.ir.graph import Graph, Node, copy


@dataclass(frozen=True)
class Library:
    """The files of a library; `static` and `shared` are None without a C compiler, and for other
    processors."""

    name: str
    object: Path
    header: Path
    static: Path | None = None
    shared: Path | None = None

    @property
    def files(self) -> list[Path]:
        """All files."""
        found = [self.object, self.header, self.static, self.shared]
        return [one for one in found if one is not None]


def build(concrete: ConcreteFunction, path: Any, name: str | None, target: str | None) -> Library:
    """Writes the files of a library.  Raises `ExportError`."""
    path = Path(path)
    image, text, name = compiled(concrete, name, target)
    made = path.with_name(path.name + ".o"), path.with_name(path.name + ".h")
    made[0].write_bytes(image)
    made[1].write_text(text)
    if target is not None:
        return Library(name, *made)
    return Library(name, *made, _static(path, made[0]), _shared(path, made[0]))


def compiled(
    concrete: ConcreteFunction, name: str | None = None, target: str | None = None
) -> tuple[bytes, str, str]:
    """The object file, the text of the header, and the name of the C function.

    Raises `ExportError` for what has no machine code, and for an unknown target.
    """
    graph = lowerable(concrete)
    signature = signature_of(concrete, graph, name)
    writer = FunctionWriter(signature, graph)
    try:
        module = writer.module()
        text = header(signature, writer.needs_workspace)
    except NotLowered as reason:
        raise _not_lowered(concrete.name, writer.text.node, str(reason)) from None
    try:
        return llvm.object_file(module, target), text, signature.name
    except llvm.Unassembled as problem:
        why = "LLVM cannot write the object file."
        remedy = "Name a target that LLVM knows, such as aarch64-linux-gnu."
        raise refused(concrete.name, str(problem).splitlines()[0], why, remedy) from None


def _not_lowered(name: str, node: Node | None, reason: str) -> Exception:
    """The error about a node without machine code."""
    if node is None:
        return refused(name, reason, "It has no form in C.", "Return arrays and numbers.")
    called = node.op.users_name or node.op.name
    where = None if node.location is None else node.location.in_message
    remedy = "Write it with elements, loops and arithmetic, or compute it outside of the function."
    return refused(name, f"{called} has no machine code here", f"{reason}.", remedy, where)


def lowerable(concrete: ConcreteFunction) -> Graph:
    """A copy of the graph after all passes, with operations that have lowerings."""
    return simplified(prepared(copy(concrete.compiled.graph)))


def prepared(graph: Graph) -> Graph:
    """The graph with contiguous constants, and without the nodes that say when an argument has been
    written into: a C function stores all results at its end."""
    graph.nodes[:] = [node for node in graph.nodes if node.op.name != "written"]
    for node in graph.nodes:
        if node.op.name == "constant":
            value = node.attributes["value"]
            contiguous = np.ascontiguousarray(value).reshape(value.shape)
            node.attributes = {**node.attributes, "value": contiguous}
        for region in node.regions.values():
            prepared(region)
    return graph


# -- the C compiler --------------------------------------------------------------------------------


def _static(path: Path, image: Path) -> Path | None:
    archiver = shutil.which("ar")
    if archiver is None:
        return None
    made = path.with_name(f"lib{path.name}.a")
    made.unlink(missing_ok=True)
    _run([archiver, "rcs", str(made), str(image)])
    return made


def _shared(path: Path, image: Path) -> Path | None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    suffix = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
    made = path.with_name(f"lib{path.name}{suffix}")
    _run([compiler, "-shared", *_options(), "-o", str(made), str(image), "-lm"])
    return made


def _options() -> Iterator[str]:
    """Options with which the linker adds nothing that the code does not use."""
    if sys.platform == "linux":
        yield from ("-nostartfiles", "-s", "-Wl,--as-needed", "-Wl,-z,noseparate-code")


def _run(command: list[str]) -> None:
    """Runs a tool.  Raises `OSError` with its message if it fails."""
    found = subprocess.run(command, capture_output=True, text=True)
    if found.returncode:
        raise OSError(f"{command[0]} has failed: {found.stderr.strip()}")
