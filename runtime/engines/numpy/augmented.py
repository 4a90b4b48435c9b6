"""Augmented assignments: updates of a part of an array that are written once, and in place.

    v = c[i, :n]
    c[i, :n] = np.add(v, e, out=copy of v)            ->      c[i, :n] += e
    c[i, j] = c[i, j] + e                             ->      c[i, j] += e

The array is the program's own memory, and its old contents are dead (`buffer_reuse.py`).  NumPy
itself takes care of operands that overlap with the part that is written.
"""

import ast
import itertools
import re
from dataclasses import dataclass
from functools import cache

from runtime.analyses.buffer_reuse import BufferReuse
from runtime.analyses.liveness import Uses
from runtime.ir.graph import Graph, Node, Operand, Value, walk
from runtime.ir.op import find, names
from runtime.ir.slot import Slot
from runtime.ir.types import has_unknown_size, is_array

FARTHEST = 12  # how many nodes later an expression may be written, as `Uses` has it
IN_PLACE = re.compile(r"x (\S+) y")


@dataclass(frozen=True)
class Augmented:
    """An update by an operator: the node that reads the part, the operator, the other operand."""

    read: Node
    made: Node  # the new contents of the part
    operator: str
    other: Operand

    @property
    def replaced(self) -> set[Node]:
        """The nodes that are not written, or else are inlined expressions."""
        return {self.read, self.made} if self.made.op.name == "into" else set()


def augmented(graph: Graph, uses: Uses, memory: BufferReuse) -> dict[Node, Augmented]:
    """The updates of a graph that are written as augmented assignments."""
    found = {}
    for node in walk(graph):
        if node.op.name == "setitem" and memory.is_in_place(node):
            update = _update(node, uses, memory)
            if update is not None:
                found[node] = update
    return found


def _update(node: Node, uses: Uses, memory: BufferReuse) -> Augmented | None:
    target, value, *indices = node.inputs
    made = uses.makers.get(value) if isinstance(value, Value) else None
    if made is None or value not in uses.inlined or memory.reused_operand(made) is not None:
        return None
    operands = _into(made) if made.op.name == "into" else _plain(made)
    if operands is None:
        return None
    operator, part, other = operands
    if not isinstance(part, Value):
        return None
    read = uses.makers.get(part)
    if read is None or read.op.name != "getitem" or read.inputs[0] is not target:
        return None
    same = all(_is_same(a, b) for a, b in itertools.zip_longest(read.inputs[1:], indices))
    if not same or repr(read.attributes["at"]) != repr(node.attributes["at"]):
        return None
    if made.op.name == "into":
        may = uses.count[part] == made.inputs.count(part) == 2 and _may_wait(read, node, uses)
    else:
        may = part in uses.inlined and _keeps_type(made, part)
    return Augmented(read, made, operator, other) if may else None


def _plain(made: Node) -> tuple[str, Operand, Operand] | None:
    """The operator and the operands of an elementwise operation."""
    operator = _operator(made.op.name) if made.op.traits.elementwise else None
    if operator is None:
        return None
    first, other = made.inputs
    return operator, first, other


def _into(made: Node) -> tuple[str, Operand, Operand] | None:
    """The operator and the operands of a ufunc that writes into its first operand."""
    function, given = made.attributes["function"], made.attributes["given"]
    (name, (out, *rest)), *more = made.attributes["named"]
    operator = _operator(function.removeprefix("np."))
    if operator is None or name != "out" or rest or more or len(given) != 2:
        return None
    first, other = given
    if not isinstance(first, Slot) or made.inputs[first.index] is not made.inputs[out.index]:
        return None
    if isinstance(other, Slot):
        other = made.inputs[other.index]
    elif type(other) not in (int, float, complex):
        return None
    return operator, made.inputs[first.index], other


@cache
def _operator(name: str) -> str | None:
    """The binary operator of Python that is an op; None for `**`, whose result in place may have
    other last bits, and for `@`."""
    text = find(name).eval if name in names() else None
    match = IN_PLACE.fullmatch(text) if isinstance(text, str) else None
    if match is None or match[1] in ("**", "@"):
        return None
    return match[1] if isinstance(ast.parse(str(text), mode="eval").body, ast.BinOp) else None


def _is_same(one: Operand, other: Operand) -> bool:
    return one is other or not isinstance(one, Value) and (type(one), one) == (type(other), other)


def _keeps_type(made: Node, part: Value) -> bool:
    """Whether an operation in place makes the same as one that is stored afterwards."""
    kind = part.type
    return not is_array(kind) or made.output.type == kind and not has_unknown_size(kind)


def _may_wait(read: Node, node: Node, uses: Uses) -> bool:
    """Whether a part may be read where the array is written, in the same line."""
    (region, last), (other, first) = uses.place(node), uses.place(read)
    if region is not other or last - first > FARTHEST:
        return False
    if read.location is None or node.location is None:
        return False
    between = region.nodes[first + 1 : last]
    is_quiet = all(not (n.op.effect or n.regions or n.op.updates is not None) for n in between)
    return is_quiet and read.location.line == node.location.line
