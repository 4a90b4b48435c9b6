"""Lowerings of functions that call themselves: each becomes a function of machine code.

    v = recursive(n, name='f', body=body)      define {i32, i64} @function1(..., i64 %n) { body }
                                               call {i32, i64} @function1(..., i64 %n)
    v = again(m, name='f', types=(i64,))       call {i32, i64} @function1(..., i64 %m)

A function owns the arrays that it is given, and its caller those that it returns: references move,
so an array that is passed down and returned is written in place.  A status is returned first; where
a call is left, so is the piece.  Calls deeper than Python's limit leave it: the NumPy program
raises RecursionError.  So do those that would take much of the stack, which the NumPy program does
not use.  A call counts as an iteration: after some of them, Python looks for signals.
"""

from enum import IntEnum
from typing import NamedTuple

from runtime.engines.native import python_objects
from runtime.engines.native.control_flow import look_for_signals
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import NotLowered, components, is_counted
from runtime.engines.native.lowering import lowers
from runtime.engines.native.text import Text
from runtime.engines.native.work import is_scalar_code
from runtime.ir.graph import Node, Value
from runtime.ir.types import Type

MOST_STACK = 1 << 18  # bytes for all calls of a piece: a thread may have little stack
HIDDEN = ("ptr %polls", "i64 %depth", "ptr %deepest")  # the first parameters
DEEPER = ("ptr %polls", "i64 %deeper", "ptr %deepest")  # the arguments for them inside of a call


class Status(IntEnum):
    """How a call ends."""

    DONE = 0
    LEFT = 1
    RAISED = 2


class Function(NamedTuple):
    """A function of machine code, by its symbol, and the types of its operands and results."""

    symbol: str
    takes: tuple[Type, ...]
    gives: tuple[Type, ...]

    @property
    def result(self) -> str:
        """The LLVM type of all that it returns."""
        types = [register for type in self.gives for register in components(type)]
        return "{" + ", ".join(["i32", *types]) + "}"


@lowers("recursive")
def recursive(emitter: Emitter, node: Node) -> None:
    text, region = emitter.text, node.regions["body"]
    if not text.has_functions:
        raise NotLowered("functions that call themselves have no C code")
    text.gains_from_passes |= is_scalar_code(region)
    takes, gives = (tuple(v.type for v in values) for values in (region.inputs, node.outputs))
    function = Function(text.reserved("function"), takes, gives)
    inside = emitter.functions | {node.attributes["name"]: function}
    text.declarations[function.symbol] = _definition(emitter, node, function, inside)
    hidden = DEEPER if emitter.functions else _first_hidden(text)
    _call(emitter, node, function, hidden)


@lowers("again")
def again(emitter: Emitter, node: Node) -> None:
    function = emitter.functions.get(node.attributes["name"])
    if function is None:
        raise NotLowered("the function that it calls has no machine code")
    _call(emitter, node, function, DEEPER)


def _first_hidden(text: Text) -> tuple[str, ...]:
    """The hidden arguments of a call that is inside of no other."""
    text.polls = True
    limit = python_objects.python_function("Py_GetRecursionLimit")
    name = text.declare("Py_GetRecursionLimit", "declare i32 @Py_GetRecursionLimit()", limit)
    depth = text.register(f"sext i32 {text.register(f'call i32 {name}()')} to i64")
    start = text.intrinsic("llvm.frameaddress.p0", "ptr", ("i32", "0"))
    deepest = text.register(f"getelementptr i8, ptr {start}, i64 {-MOST_STACK}")
    return "ptr %polls", f"i64 {depth}", f"ptr {deepest}"


def _call(emitter: Emitter, node: Node, function: Function, hidden: tuple[str, ...]) -> None:
    """Calls a function; its results are those of a node."""
    text, owners = emitter.text, emitter.ownership
    given = list(hidden)
    for operand, type in zip(node.inputs, function.takes, strict=True):
        given += [f"{kind} {register}" for kind, register in emitter.registers(operand, type)]
    for operand in node.inputs:
        if isinstance(operand, Value):
            is_last = owners.is_last_use(operand, node)
            owners.pass_on(operand, is_last, owners.uses.place(node)[0])
    returned = text.register(f"call {function.result} @{function.symbol}({', '.join(given)})")
    status = text.register(f"extractvalue {function.result} {returned}, 0")
    going_on, way_out = text.label("on"), text.way_out(Exit.DEPTH)
    text.line(
        f"switch i32 {status}, label %raised "
        f"[i32 {Status.DONE}, label %{going_on} i32 {Status.LEFT}, label %{way_out}]"
    )
    text.start(going_on)
    place = 1
    for value in node.outputs:
        count = len(components(value.type))
        emitter.held[value] = tuple(
            text.register(f"extractvalue {function.result} {returned}, {place + i}")
            for i in range(count)
        )
        place += count
        if is_counted(value.type):
            owners.define(value, emitter.held[value][0])
            if emitter.functions and not owners.uses.count[value]:
                owners.drop(value)


# -- the function ----------------------------------------------------------------------------------


def _definition(
    emitter: Emitter, node: Node, function: Function, inside: dict[str, Function]
) -> str:
    """The text of a function; `inside` are those that it may call."""
    text, region = emitter.text.of_function(), node.regions["body"]
    inner = Emitter(text, emitter.ranges, emitter.ownership.uses, emitter.formulas, emitter.storage)
    inner.is_whole, inner.ignoring, inner.functions = emitter.is_whole, emitter.ignoring, inside
    parameters = list(HIDDEN)
    for value, registers in zip(region.inputs, inner.variables(region.inputs), strict=True):
        types = components(value.type)
        parameters += [f"{type} {one}" for type, one in zip(types, registers, strict=True)]
        if is_counted(value.type):
            inner.ownership.define(value, registers[0])
    _check_depth(text)
    look_for_signals(inner)
    inner.nodes(region.nodes)
    found = inner.outputs(region, node.outputs)
    inner.ownership.pass_outputs(region, node)
    _return(text, function, [register for registers in found for register in registers])
    emitter.text.uses_all_of(text)
    head = f"define internal {function.result} @{function.symbol}({', '.join(parameters)}) strictfp"
    return "\n".join([f"{head} {{", *_entry(text), *text.lines, *_ways_out(text, function), "}"])


def _check_depth(text: Text) -> None:
    """Leaves the piece where Python allows no more calls, and where the stack is too deep."""
    text.line("%deeper = sub i64 %depth, 1")
    frame = text.intrinsic("llvm.frameaddress.p0", "ptr", ("i32", "0"))
    spent = text.register("icmp sle i64 %depth, 0")
    full = text.register(f"icmp ult ptr {frame}, %deepest")
    text.leave_if(text.register(f"or i1 {spent}, {full}"), Exit.DEPTH)


def _return(text: Text, function: Function, registers: list[str]) -> None:
    types = [register for type in function.gives for register in components(type)]
    found = f"{{i32 {Status.DONE}, {', '.join(f'{type} poison' for type in types)}}}"
    if not types:
        found = f"{{i32 {Status.DONE}}}"
    for place, (type, register) in enumerate(zip(types, registers, strict=True)):
        found = text.register(
            f"insertvalue {function.result} {found}, {type} {register}, {place + 1}"
        )
    text.line(f"ret {function.result} {found}")


def _entry(text: Text) -> list[str]:
    """The first block: local variables."""
    flags = ["  %flags = alloca i32"] if text.uses_floats else []
    empty = [f"  store ptr null, ptr {slot}" for slot in text.slots]
    return ["entry:", *flags, *text.memory, *empty, "  br label %begin", "begin:"]


def _ways_out(text: Text, function: Function) -> list[str]:
    """The blocks that give up all references and return another status."""
    lines = []
    for label, status in (("leave", Status.LEFT), ("raised", Status.RAISED)):
        lines.append(f"{label}:")
        for i, slot in enumerate(text.slots):
            lines.append(f"  %{label}{i} = load ptr, ptr {slot}")
            lines.append(f"  call void @drop(ptr %{label}{i})")
        none = f"insertvalue {function.result} zeroinitializer, i32 {status}, 0"
        lines += [f"  %{label}_result = {none}", f"  ret {function.result} %{label}_result"]
    return lines
