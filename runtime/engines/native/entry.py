"""A whole call as machine code: arguments, guard, graph, result.

    call(function, arguments, count, names of keywords)
        is a graph being recorded, are settings unusual?   -> leave
        arguments, and defaults of those that are missing
        the guard's steps (entry_guards.py)                -> leave
        the graph's inputs -> registers                    -> leave
        instructions of the nodes
        floating-point flags                               -> leave
        the result                                         -> return

    leave:    give up all references; call the next entry of the function, else its `__call__`

So a call that is unusual in any way is a call of the generated Python function.  Nothing has
happened before: a graph with such code writes into nothing that is seen outside.
"""

import math
from collections.abc import Iterator

from runtime.analyses.checked_ranges import CheckedRanges
from runtime.analyses.escape import escaping_values
from runtime.analyses.liveness import Uses
from runtime.engines.entry import Entry, Field, Part, Request
from runtime.engines.native import python_objects as objects
from runtime.engines.native.call_text import CLEARED_FLAGS, DROP, LOOK, LOOKS
from runtime.engines.native.call_wrapper import Shell
from runtime.engines.native.control_flow import POLLED
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.entry_guards import GuardCode
from runtime.engines.native.exits import Exit
from runtime.engines.native.kept_views import insert_copies
from runtime.engines.native.kinds import NotLowered, is_item
from runtime.engines.native.machine import Effort, Unassembled, assembled
from runtime.engines.native.text import Text
from runtime.engines.numpy.closure_lifting import closed
from runtime.ir.graph import Graph, Operand, Value, captures, copy, walk
from runtime.ir.regions import is_repeated
from runtime.ir.types import ListType, TensorType, Type, is_array

MOST_NODES = 100  # of a graph: for larger ones the call itself takes little of the time
MOST_NODES_OF_WHOLE = 800  # of a graph that has parts with machine code in whole calls only
MOST_STEPS = 400  # of a guard
MOST_ELEMENTS = 64  # of the arrays in a call whose code is emitted without passes


def entry(
    graph: Graph, request: Request, cache: str | None, formulas: bool = False
) -> Entry | None:
    """The code of a call of a graph; None if there is none for its guard, nodes or result.

    `formulas`: kernels compute functions by the vector math.
    """
    graph = copy(closed(graph))
    insert_copies(graph)
    most = MOST_NODES_OF_WHOLE if gains_as_a_whole(graph) else MOST_NODES
    if sum(1 for _ in walk(graph)) > most or len(request.steps) > MOST_STEPS or _shows_items(graph):
        return None
    writer = _Writer(graph, request, formulas)
    try:
        text = writer.whole()
        links = Entry.new_links()
        symbols = writer.text.symbols | {"links": objects.memory_of(links)}
        is_least = not writer.text.uses_formulas and is_short(graph)
        effort = Effort.LEAST if is_least else writer.text.effort
        code = assembled(text, symbols, "call", cache, effort)
    except (NotLowered, Unassembled):
        return None
    return Entry(code.address, links, [code, writer.text.objects])


def gains_as_a_whole(graph: Graph) -> bool:
    """Whether parts of a graph have machine code in a whole call only: a loop over lists of arrays,
    or between the begin and the end of a block that ignores errors."""
    nodes = list(walk(graph))
    if not any(map(is_repeated, nodes)):
        return False
    kinds = (value.type for node in nodes for value in node.outputs)
    has_items = any(isinstance(kind, ListType) and is_item(kind.element) for kind in kinds)
    return has_items or any(node.op.name == "enter_errors" for node in nodes)


def is_short(graph: Graph) -> bool:
    """Whether a call takes less time than LLVM's passes can save in a million calls."""
    nodes = list(walk(graph))
    values = [*graph.inputs, *(value for node in nodes for value in node.outputs)]
    return not any(map(is_repeated, nodes)) and all(_is_small(value.type) for value in values)


def _shows_items(graph: Graph) -> bool:
    """Whether the caller gets a list of arrays or an item of one, which machine code copies."""
    kinds = [value.type for value in escaping_values(graph)]
    return any(isinstance(kind, ListType) and is_item(kind.element) for kind in kinds)


def _is_small(type: Type) -> bool:
    if not isinstance(type, TensorType):
        return True
    sizes = [size for size in type.shape if isinstance(size, int)]
    return len(sizes) == len(type.shape) and math.prod(sizes) <= MOST_ELEMENTS


class _Writer:
    """Writes the function of one call."""

    def __init__(self, graph: Graph, request: Request, formulas: bool) -> None:
        self.graph, self.request = graph, request
        self.text = Text()
        self.text.block = "begin"
        uses = Uses(graph, inlines=False, reports=False)
        self.emitter = Emitter(self.text, CheckedRanges(graph), uses, formulas)
        self.emitter.is_whole = True
        self.shell = Shell(self.text, self.emitter)
        self.guard = GuardCode(self.text, request.constants, {})
        self.boxed: dict[Value, str] = {}

    def whole(self) -> str:
        """The text of the module.  Raises `NotLowered`."""
        self._conditions()
        self._arguments()
        used = self._used_inputs()
        pairs = list(zip(self.request.inputs, self.graph.inputs, strict=True))
        for variable, value in pairs:
            if value in used and isinstance(value.type, TensorType) and is_array(value.type):
                self.guard.checked.add((variable, value.type))
        for step in self.request.steps:
            self.guard.write(step)
        for variable, value in pairs:
            argument = self.guard.named(variable)
            self.boxed[value] = argument
            if value in used:
                self.shell.take(value, argument)
        start = len(self.text.lines)
        self.emitter.nodes(self.graph.nodes)
        if self.text.uses_floats:
            self.text.leave_if_flagged()
        self.text.lines[start:start] = self._before_nodes()
        self._return()
        return self._module()

    # -- the beginning -----------------------------------------------------------------------------

    def _conditions(self) -> None:
        text, found = self.text, self.request.conditions
        self._needs_none(found.recording)
        if found.usual is None:
            self._needs_none(found.local)
            self._needs(found.plain)
            return
        unusual, usual = text.label("unusual"), text.label("usual")
        text.line(f"br i1 {self._holds(found.usual)}, label %{usual}, label %{unusual}")
        text.start(unusual)
        self._needs_none(found.local)
        self._needs(found.plain)
        text.line(f"br label %{usual}")
        text.start(usual)

    def _needs_none(self, variable: object) -> None:
        """Leaves the call unless a context variable holds None."""
        text, guard = self.text, self.guard
        place = text.local("ptr")
        get = guard.function("PyContextVar_Get", "i32", "ptr, ptr, ptr")
        none, given = guard.object(None), guard.object(variable)
        text.line(f"store ptr null, ptr {place}")
        text.register(f"call i32 {get}(ptr {given}, ptr {none}, ptr {place})")
        found = text.register(f"load ptr, ptr {place}")
        guard.own(found)
        guard.is_(found, None)

    def _holds(self, field: Field) -> str:
        owner = self.guard.object(field.owner)
        found = self.guard.field("ptr", owner, field.place)
        return self.text.register(f"icmp eq ptr {found}, {self.guard.object(field.wanted)}")

    def _needs(self, field: Field) -> None:
        self.guard.need(self._holds(field))

    def _arguments(self) -> None:
        """Reads the arguments; a default where one is missing."""
        text, names, defaults = self.text, self.request.parameters, self.request.defaults
        required = len(names) - len(defaults)
        self.guard.need(text.register("icmp eq ptr %keywords, null"))
        if required:
            self.guard.need(text.register(f"icmp uge i64 %count, {required}"))
        self.guard.need(text.register(f"icmp ule i64 %count, {self.request.positional}"))
        for i, name in enumerate(names):
            place = text.register(f"getelementptr ptr, ptr %arguments, i64 {i}")
            if i < required:
                self.guard.variables[name] = text.register(f"load ptr, ptr {place}")
                continue
            default = self.guard.object(defaults[i - required])
            if i >= self.request.positional:
                self.guard.variables[name] = default
                continue
            given, join, before = text.label("given"), text.label("joined"), text.block
            is_given = text.register(f"icmp ugt i64 %count, {i}")
            text.line(f"br i1 {is_given}, label %{given}, label %{join}")
            text.start(given)
            loaded = text.register(f"load ptr, ptr {place}")
            text.line(f"br label %{join}")
            text.start(join)
            ways = f"[{loaded}, %{given}], [{default}, %{before}]"
            self.guard.variables[name] = text.register(f"phi ptr {ways}")

    def _used_inputs(self) -> set[Value]:
        """The inputs of the graph that its nodes read."""
        return set(captures(Graph("call", [], self.graph.nodes, [])))

    def _before_nodes(self) -> Iterator[str]:
        if self.text.uses_floats:
            yield from CLEARED_FLAGS.splitlines()[1:]
        if self.text.uses_loops:
            yield '  call void asm sideeffect "fnclex", ""()'

    # -- the result --------------------------------------------------------------------------------

    def _return(self) -> None:
        outputs = iter(self.graph.outputs)
        result = self._part(self.request.result, outputs)
        if next(outputs, None) is not None:
            raise NotLowered("the graph has outputs beside the result")
        self._count_reference(result)
        self.text.line(f"store ptr {result}, ptr %result")
        self.text.line("br label %finish")

    def _part(self, part: Part, outputs: Iterator[Operand]) -> str:
        """A part of the result, which something else owns until the call is over."""
        match part.kind:
            case "output":
                return self._output(next(outputs))
            case "constant":
                return self.guard.object(part.constant)
            case "argument":
                return self.guard.variables[part.constant]
        parts = [self._part(one, outputs) for one in part.parts]
        makers = {"tuple": "PyTuple_New", "list": "PyList_New", "dict": "PyDict_New"}
        length = "" if part.kind == "dict" else f"i64 {len(parts)}"
        make = self.guard.function(makers[part.kind], "ptr", "i64" if length else "")
        made = self._new(self.text.register(f"call ptr {make}({length})"))
        for i, one in enumerate(parts):
            self._store(part, made, i, one)
        return made

    def _store(self, part: Part, made: str, i: int, item: str) -> None:
        """Puts an item into a new container."""
        text, guard = self.text, self.guard
        if part.kind == "dict":
            store = guard.function("PyDict_SetItem", "i32", "ptr, ptr, ptr")
            given = f"ptr {made}, ptr {guard.object(part.keys[i])}, ptr {item}"
            failed = text.register(f"call i32 {store}({given})")
            text.leave_if(text.register(f"icmp ne i32 {failed}, 0"), Exit.ARGUMENT)
            return
        self._count_reference(item)  # a container takes it
        if part.kind == "tuple":
            place = text.register(f"getelementptr i8, ptr {made}, i64 {objects.FIRST_ITEM + 8 * i}")
            text.line(f"store ptr {item}, ptr {place}")
            return
        store = guard.function("PyList_SetItem", "i32", "ptr, i64, ptr")
        text.register(f"call i32 {store}(ptr {made}, i64 {i}, ptr {item})")

    def _output(self, operand: Operand) -> str:
        if not isinstance(operand, Value):
            return self.guard.object(operand)
        if operand not in self.boxed:
            if operand in self.emitter.views:
                raise NotLowered("a view that a call returns has no machine code")
            self.boxed[operand] = self._new(self.shell.box(operand))
        return self.boxed[operand]

    def _new(self, register: str) -> str:
        self.text.fail_if_null(register)
        return self.guard.own(register)

    def _count_reference(self, register: str) -> None:
        count = self.guard.function("Py_IncRef", "void", "ptr")
        self.text.line(f"call void {count}(ptr {register})")

    # -- the function ------------------------------------------------------------------------------

    def _module(self) -> str:
        text, guard = self.text, self.guard
        for name, result, types in _EXIT_FUNCTIONS:
            guard.function(name, result, types)
        parts = [DROP]
        declarations = {"links": "@links = external global [2 x i64]"}
        entry = ["  %result = alloca ptr", *text.memory]
        entry += [f"  store ptr null, ptr {slot}" for slot in text.slots]
        if text.uses_floats:
            entry.append(CLEARED_FLAGS.splitlines()[0])
            for register in ("stmxcsr", "ldmxcsr"):
                full = f"llvm.x86.sse.{register}"
                declarations[full] = f"declare void @{full}(ptr)"
        if text.polls:
            entry += ["  %polls = alloca i64", f"  store i64 {POLLED}, ptr %polls"]
            for function, declaration in LOOKS.items():
                text.symbols[function] = objects.python_function(function)
                declarations[function] = declaration
            parts.append(LOOK)
        drops = [
            "\n".join(
                f"  %{way}{i} = load ptr, ptr {slot}\n  call void @drop(ptr %{way}{i})"
                for i, slot in enumerate(text.slots)
            )
            for way in ("finished", "left", "raised")
        ]
        # What a signal's handler raises goes on; without memory, the Python function says where.
        raised = "br label %return" if text.polls else "br label %python"
        ways = _WAYS + (", [null, %raised]" if text.polls else "")
        gone = guard.object(ReferenceError)
        place = self.request.call_place
        exits = _EXITS.format(drops=drops, place=place, raised=raised, ways=ways, gone=gone)
        declarations = {**text.declarations, **declarations}
        head = f"{_HEAD}\n" + "\n".join(entry) + _ENTERED
        body = "\n".join([head, *text.lines, exits])
        return "\n".join(
            [*declarations.values(), *parts, body, '!0 = !{!"branch_weights", i32 1, i32 4000}']
        )


_EXIT_FUNCTIONS = (
    ("Py_IncRef", "void", "ptr"),
    ("Py_DecRef", "void", "ptr"),
    ("PyErr_Clear", "void", ""),
    ("PyErr_SetNone", "void", "ptr"),
    ("PyObject_Vectorcall", "ptr", "ptr, ptr, i64, ptr"),
)

_HEAD = """\
define ptr @call(ptr %self, ptr %arguments, i64 %flagged, ptr %keywords) strictfp {
entry:"""

_ENTERED = """
  %running = getelementptr i64, ptr @links, i64 1
  %others = load i64, ptr %running
  %one_more = add i64 %others, 1
  store i64 %one_more, ptr %running
  %count = and i64 %flagged, 9223372036854775807
  br label %begin
begin:"""

_WAYS = "[%complete, %finish], [%followed, %follow], [%general, %there], [null, %gone]"

_EXITS = """\
finish:
{drops[0]}
  %complete = load ptr, ptr %result
  br label %return
leave:
{drops[1]}
  call void @PyErr_Clear()
  %next = load i64, ptr @links
  %has_next = icmp ne i64 %next, 0
  br i1 %has_next, label %follow, label %python
follow:
  %next_entry = inttoptr i64 %next to ptr
  %followed = call ptr %next_entry(ptr %self, ptr %arguments, i64 %flagged, ptr %keywords)
  br label %return
raised:
{drops[2]}
  {raised}
python:
  call void @PyErr_Clear()
  %place = getelementptr i8, ptr %self, i64 {place}
  %callee = load ptr, ptr %place
  %is_gone = icmp eq ptr %callee, null
  br i1 %is_gone, label %gone, label %there
gone:
  call void @PyErr_SetNone(ptr {gone})
  br label %return
there:
  call void @Py_IncRef(ptr %callee)
  %general = call ptr @PyObject_Vectorcall(ptr %callee, ptr %arguments, i64 %flagged, ptr %keywords)
  call void @Py_DecRef(ptr %callee)
  br label %return
return:
  %value = phi ptr {ways}
  %now = load i64, ptr %running
  %fewer = sub i64 %now, 1
  store i64 %fewer, ptr %running
  ret ptr %value
}}
"""
