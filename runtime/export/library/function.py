"""The instructions of a C function: sizes and arguments, the nodes of the graph, results, statuses.

    sizes, arguments -> registers
    instructions of the nodes          unusual cases: status and message
    results -> memory of the caller
    status 0

Results are stored at the end, so they are complete or untouched.
"""

from collections.abc import Iterator

import numpy as np

import runtime.engines.native.program
import runtime.export.library.sharing  # noqa: F401  (these fill the table of lowerings)
from runtime.analyses.checked_ranges import CheckedRanges
from runtime.analyses.liveness import Uses
from runtime.engines.native.arrays import DATA, product, sizes_of
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kernels.writing import copy_of_view
from runtime.engines.native.kinds import (
    INTEGER,
    TRUTH,
    Kind,
    NotLowered,
    components,
    kind_of,
    kind_of_dtype,
)
from runtime.engines.native.text import literal
from runtime.export.library import workspace
from runtime.export.library.bounds import Bounds
from runtime.export.library.extents import Size
from runtime.export.library.signature import CSignature, Parameter, Result
from runtime.export.library.text import LibraryText, Status
from runtime.export.library.workspace_size import Block, bound_of, workspace_size
from runtime.ir.graph import Graph, Value, captures
from runtime.ir.types import TensorType, is_array

LARGEST = 1 << 40  # no array that fits into memory has more elements
WEIGHTS = '!0 = !{!"branch_weights", i32 1, i32 4000}'
MEMMOVE = "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)"


class FunctionWriter:
    """Writes the module of one C function."""

    def __init__(self, signature: CSignature, graph: Graph) -> None:
        self.signature, self.graph = signature, graph
        self.bounds = Bounds(graph)
        self.text, self.storage = LibraryText(), workspace.Workspace()
        self.text.block = "begin"
        uses = Uses(graph, inlines=False)
        self.emitter = Emitter(self.text, CheckedRanges(graph), uses, storage=self.storage)
        self.emitter.is_whole = True
        self.sizes: dict[str, str] = {}  # the registers of named sizes
        self.shapes: list[tuple[str, str]] = []  # where sizes of results go, and their registers
        self.borrowed: set[Value] = set()  # arrays that are not in the workspace

    @property
    def needs_workspace(self) -> bool:
        """Whether the function takes a workspace."""
        return self.storage.is_used

    def module(self) -> str:
        """The text of the module.  Raises `NotLowered`; `text.node` is the node then."""
        self._take_sizes()
        used = set(captures(Graph("call", [], self.graph.nodes, []))) | set(self.graph.outputs)
        for parameter in self.signature.parameters:
            if parameter.value in used:
                self._take(parameter)
        for value, array in self.signature.constants:
            if value in used:
                self._take_constant(value, array)
        self.emitter.nodes(self.graph.nodes)
        self.text.node = None
        self._store_results()
        return self._whole()

    # -- arguments ---------------------------------------------------------------------------------

    def _take_sizes(self) -> None:
        text = self.text
        for place, name in enumerate(self.signature.sizes):
            where = text.register(f"getelementptr i64, ptr %shapes, i64 {place}")
            size = text.register(f"load i64, ptr {where}")
            is_wrong = text.register(f"icmp ugt i64 {size}, {LARGEST}")  # negative sizes, too
            way_out = text.returning(Status.SIZES, f"the size {name} is negative, or too large")
            going_on = text.label("on")
            text.line(f"br i1 {is_wrong}, label %{way_out}, label %{going_on}, !prof !0")
            text.start(going_on)
            self.sizes[name] = size

    def _take(self, parameter: Parameter) -> None:
        value, name = parameter.value, f"%given_{parameter.name}"
        if is_array(value.type):
            self._borrow(value, name)
        elif len(components(value.type)) > 1:
            raise NotLowered("a scalar of which the run decides the type is an argument")
        elif kind_of(value.type) == TRUTH:
            self.emitter.held[value] = (self.text.register(f"icmp ne i8 {name}, 0"),)
        else:
            self.emitter.held[value] = (name,)

    def _borrow(self, value: Value, data: str) -> None:
        """Takes an array whose memory is not in the workspace."""
        type, owners = value.type, self.emitter.ownership
        components(type)
        assert isinstance(type, TensorType)
        block = workspace.borrowed(self.text, owners)
        unknown = [self.sizes[size] for size in type.shape if isinstance(size, str)]
        self.emitter.held[value] = (block, data, *unknown)
        owners.define(value, block)
        self.borrowed.add(value)

    def _take_constant(self, value: Value, array: np.ndarray) -> None:
        if is_array(value.type):
            self._borrow(value, self.storage.constant(self.text, array))
            return
        kind = kind_of(value.type)
        self.emitter.held[value] = (literal(kind, array.item()),)

    # -- results -----------------------------------------------------------------------------------

    def _store_results(self) -> None:
        found = [self._result(result) for result in self.signature.results]
        for place, size in self.shapes:
            self.text.line(f"store i64 {size}, ptr {place}")
        for result, (kind, register, count) in zip(self.signature.results, found, strict=True):
            target = f"%given_{result.name}"
            if count is None:
                stored = register
                if kind == TRUTH:
                    stored = self.text.register(f"zext i1 {register} to i8")
                self.text.line(f"store {kind.memory} {stored}, ptr {target}")
                continue
            size = self.text.register(f"mul i64 {count}, {kind.itemsize}")
            name = "llvm.memmove.p0.p0.i64"
            self.text.declare(name, MEMMOVE)
            self.text.line(f"call void @{name}(ptr {target}, ptr {register}, i64 {size}, i1 false)")

    def _result(self, result: Result) -> tuple[Kind, str, str | None]:
        """The kind of a result, its register or address, and the number of elements."""
        operand, type = result.operand, result.type
        if not is_array(type):
            kind = kind_of(type)
            return kind, self.emitter.scalar(operand, kind), None
        assert isinstance(operand, Value) and isinstance(type, TensorType)
        components(type)
        if operand in self.emitter.views:
            operand = copy_of_view(self.emitter, operand)
        own = operand.type
        assert isinstance(own, TensorType)
        sizes = sizes_of(self.emitter, operand, own)
        for axis, (size, known) in enumerate(zip(sizes, result.bounds or type.shape, strict=True)):
            if result.bounds:
                self._check_bound(size, known)
                where = f"getelementptr i64, ptr %given_{result.shape}, i64 {axis}"
                self.shapes.append((self.text.register(where), size))
                continue
            wanted = self.sizes[known] if isinstance(known, str) else str(known)
            if size != wanted:
                differ = self.text.register(f"icmp ne i64 {size}, {wanted}")
                self.text.leave_if(differ, Exit.SHAPE)
        count = product(self.text, sizes)
        return kind_of_dtype(type.dtype), self.emitter.held[operand][DATA], count

    def _check_bound(self, size: str, bound: Size) -> None:
        """Leaves the code if a result is larger than the memory of the caller."""
        assert bound is not None
        largest, lost = str(bound), "false"
        if not isinstance(bound, int):
            largest, lost = bound_of(self.text, bound, self.sizes, lost)
        is_larger = self.text.register(f"icmp ugt i64 {size}, {largest}")
        self.text.leave_if(self.text.register(f"or i1 {is_larger}, {lost}"), Exit.SHAPE)

    # -- the module --------------------------------------------------------------------------------

    def _whole(self) -> str:
        text, parts = self.text, []
        declarations = dict(text.declarations)
        if text.uses_references or self.needs_workspace:
            parts += [workspace.TYPES, workspace.COUNT, workspace.DROP]
        if self.needs_workspace:
            parts.append(workspace.TAKE)
            size = workspace_size(self.signature, self._blocks())
            declarations |= size.declarations
            parts.append(size.definition)
        known = {*text.definitions}
        parts += text.definitions.values()
        declared = [line for name, line in declarations.items() if name not in known]
        function = "\n".join(self._function())
        return "\n".join([*declared, *parts, function, WEIGHTS])

    def _blocks(self) -> Iterator[Block]:
        """The arrays that may be in the workspace at the same time, and bounds of their sizes."""
        for value in self.emitter.ownership.slots:
            if value not in self.borrowed:
                yield value, self.bounds.of(value)

    def _function(self) -> Iterator[str]:
        text = self.text
        exits = text.exits.items()
        for i, (_, message) in enumerate(text.exits):
            yield _message(f"message_{i}", message)
        yield f"define i32 @{self.signature.name}({', '.join(self._parameters())}) nounwind {{"
        yield "entry:"
        yield from text.memory
        yield from (f"  store ptr null, ptr {slot}" for slot in text.slots)
        if self.needs_workspace:
            yield from STATE.splitlines()
        yield "  br label %begin"
        yield "begin:"
        yield from text.lines
        yield "  br label %returns"
        for _, label in exits:
            yield f"{label}:"
            yield "  br label %returns"
        statuses = [f"[{status.value}, %{label}]" for (status, _), label in exits]
        messages = [f"[@message_{i}, %{label}]" for i, (_, label) in enumerate(exits)]
        yield "returns:"
        yield f"  %status = phi i32 {', '.join([f'[0, %{text.block}]', *statuses])}"
        yield f"  %message = phi ptr {', '.join([f'[null, %{text.block}]', *messages])}"
        yield from REPORT.splitlines()

    def _parameters(self) -> Iterator[str]:
        if self.signature.sizes:
            yield "ptr %shapes"
        for one in self.signature.parameters:
            if is_array(one.value.type):
                yield f"ptr %given_{one.name}"
                continue
            kind = kind_of(one.value.type)
            extended = "" if kind.is_float else "signext " if kind.family == "i" else "zeroext "
            if kind.bits == INTEGER.bits:
                extended = ""
            yield f"{kind.memory} {extended}%given_{one.name}"
        for result in self.signature.results:
            if not result.is_argument:
                yield f"ptr %given_{result.name}"
                if result.bounds:
                    yield f"ptr %given_{result.shape}"
        if self.needs_workspace:
            yield from ("ptr %workspace", "i64 %workspace_size")
        yield "ptr %error"


STATE = """\
  %state = alloca %struct.state
  %whole_place = getelementptr %struct.state, ptr %state, i32 0, i32 1
  %used_place = getelementptr %struct.state, ptr %state, i32 0, i32 2
  %free_place = getelementptr %struct.state, ptr %state, i32 0, i32 3
  store ptr %workspace, ptr %state
  store i64 %workspace_size, ptr %whole_place
  store i64 0, ptr %used_place
  store ptr null, ptr %free_place"""

REPORT = """\
  %is_wanted = icmp ne ptr %error, null
  br i1 %is_wanted, label %report, label %end
report:
  store ptr %message, ptr %error
  br label %end
end:
  ret i32 %status
}"""


def _message(name: str, message: str) -> str:
    """A constant of C with a message."""
    encoded = message.encode() + b"\0"
    shown = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}"
        for byte in encoded
    )
    return f'@{name} = private unnamed_addr constant [{len(encoded)} x i8] c"{shown}"'
