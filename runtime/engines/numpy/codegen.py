"""From a graph to a Python program over NumPy.

    def collatz(a):
        counter = 0
        p = a != 1
        while p:
            ...
        return (counter,)

The program has local names, operators, `if` and `while`; no graph is looked at while it runs.
Regions become blocks of the same function.  The results of a region are computed under the names of
the node's results, if these are free.

* Integer scalars that never leave their dtype are Python's ints (`unboxing.py`); they become NumPy
  scalars again where they are returned, or an op depends on their dtype.
* An op that changes an element of an array or list does so in place, where the memory is the
  program's own and its old contents are dead (`buffer_reuse.py`).
* Arrays are deleted after their last use.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from runtime.analyses.loop_conditions import conditions
from runtime.analyses.loop_counters import counters
from runtime.analyses.sizes import shape_of
from runtime.analyses.speculative_loops import speculative_loops
from runtime.engines.numpy.augmented import Augmented, augmented
from runtime.engines.numpy.codegen_loops import LoopWriter
from runtime.engines.numpy.codegen_replacement import Replacements
from runtime.engines.numpy.instrumentation import Instrument
from runtime.engines.numpy.source_map import InlinedExpression, Line, Program, program_name
from runtime.engines.numpy.syntax import ATOM, UNARY
from runtime.ir.graph import Graph, Location, Node, Operand, Value, operand_type
from runtime.ir.types import ListType, TupleType
from runtime.ops.adjoint import may_repeat
from runtime.ops.adjoint_lists import restored_place, zero_of
from runtime.ops.cotangents import sum_of
from runtime.ops.index import subscript_text
from runtime.ops.library import literal
from runtime.ops.updates import stored_in_place


class Writer(LoopWriter):
    """Writes the program of a graph: a function of its inputs that returns a tuple of its outputs.

    With instruments, each operation has a statement and a name of its own, and they add theirs.
    """

    def __init__(
        self,
        graph: Graph,
        instruments: Sequence[Instrument],
        namespace: dict[str, Any],
        names: Sequence[str],
        replacements: Replacements | None = None,
    ) -> None:
        """`namespace` is the program's, `names` are those of the functions in it."""
        self.replacements = replacements
        self.out = Program(program_name(graph), namespace=namespace)
        super().__init__(graph, namespace, names, merges=not instruments)
        self.instruments = instruments
        self.speculative = set() if instruments else speculative_loops(graph)
        is_python = self.integers.is_python
        self.counters = {} if instruments else counters(graph, self.uses, is_python)
        self.counters = {n: c for n, c in self.counters.items() if n not in self.speculative}
        self.conditions = {} if instruments else conditions(graph, self.uses)
        self.conditions = {n: c for n, c in self.conditions.items() if n not in self.counters}
        self.augmented = {} if instruments else augmented(graph, self.uses, self.memory)
        self.replaced: set[Node] = set()
        for found in (self.conditions, self.counters, self.augmented):
            self.replaced.update(node for way in found.values() for node in way.replaced)
        self.out.names, self.out.deferred = self.names, self.deferred
        self.given: dict[Value, tuple[str, str]] = {}
        self.indent = 0
        self.node: Node | None = None  # the one that is being written

    def write(self) -> Program:
        """Writes the program."""
        self.parameters = [self.name(value) for value in self.graph.inputs]
        self.line(f"def {self.out.name}({', '.join(self.parameters)}):")
        self.indent = 1
        for value in self.graph.inputs:
            if value in self.integers.values:
                self.line(f"{self.names[value]} = int({self.names[value]})")
        for instrument in self.instruments:
            instrument.start(self)
        self.block(self.graph)
        results = [self.handed_out(operand) for operand in self.graph.outputs]
        comma = "," if len(results) == 1 else ""
        self.line(f"return ({', '.join(results)}{comma})")
        self.keep_given()
        return self.out

    # -- text and names ----------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """Writes a line of the node that is being written."""
        self.aside(text, self.node)

    def aside(self, text: str, node: Node | None = None, location: Location | None = None) -> None:
        """Writes a line that computes a node, or that only belongs to the user's line: that of the
        node which is being written, unless another `location` is given."""
        if location is None and self.node is not None:
            location = self.node.location
        self.out.lines.append(Line("    " * self.indent + text, location, node))

    # -- nodes -------------------------------------------------------------------------------------

    def block(self, region: Graph) -> None:
        """Writes the nodes of a region."""
        for node in region.nodes:
            self.statement(node, region)

    def statement(self, node: Node, region: Graph, last_used: list[Value] | None = None) -> None:
        """Writes a node of a region, and deletes dead arrays among `last_used`, or its operands."""
        if node in self.replaced:
            return
        self.node = node
        for instrument in self.instruments:
            instrument.before(self, node)
        self.release_names(node)
        self.WRITERS.get(node.op.name, Writer.plain)(self, node)
        for instrument in self.instruments:
            instrument.after(self, node)
        if region is self.graph:
            self.delete_dead(node, self.uses.reads(node) if last_used is None else last_used)

    def inside(self, node: Node, name: str) -> None:
        """Writes a region of a node, between what instruments have to say of it."""
        for instrument in self.instruments:
            instrument.open(self, node, name)
        self.block(node.regions[name])
        for instrument in self.instruments:
            instrument.close(self, node, name)
        self.node = node

    def written(self, node: Node) -> None:
        """Remembers the contents of an input array, for a run that ends early."""
        given, new = node.inputs
        assert isinstance(given, Value)
        if given not in self.given:
            self.given[given] = self.fresh(f"{given.hint}_given"), self.fresh(f"{given.hint}_now")
        self.line(f"{self.given[given][1]} = {self.operand(new)}")

    def keep_given(self) -> None:
        """Keeps input arrays that are written into under names of their own."""
        parameters = [self.parameters[self.graph.inputs.index(given)] for given in self.given]
        for parameter, (kept, _) in zip(parameters, self.given.values(), strict=True):
            self.out.lines.insert(1, Line(f"    {kept} = {parameter}", None, None))
        self.out.written[self.out.name] = dict(self.given.values())

    def plain(self, node: Node) -> None:
        if self.memory.is_in_place(node):
            self.update(node)
            return
        text, precedence = self.expression(node)
        if not node.outputs:
            self.line(text)
        elif node.outputs[0] not in self.names and self.waits(node):
            self.deferred[node.outputs[0]] = InlinedExpression(text, precedence, node)
        else:
            targets = ", ".join(self.name(value) for value in node.outputs)
            if text != targets:
                self.line(f"{targets} = {text}")

    def waits(self, node: Node) -> Any:
        """Whether an expression is written where it is used; a constant is, wherever that may
        be, unless the caller gets it."""
        if node.op.name == "constant":
            return not self.memory.is_returned(node.output)
        return node.outputs[0] in self.uses.inlined

    def update(self, node: Node) -> None:
        """Writes an op that takes the memory of its operand."""
        target, *others = node.inputs
        old = self.operand(target)
        if node.op.name == "stored":
            owned = self.global_name("stored_in_place", stored_in_place)
            self.line(f"{self.name(node.output)} = {owned}({old})")
            return
        for text in self.writes(node, old, others):
            self.line(text)
        if node.output not in self.names:
            self.call(node.output, old)
        elif self.names[node.output] != old:
            self.line(f"{self.names[node.output]} = {old}")

    def writes(self, node: Node, old: str, others: Any) -> Iterator[Any]:
        """The statements that apply an op to an operand in place."""
        match node.op.name:
            case "setitem" if node in self.augmented:
                yield self.augmentation(self.augmented[node], old, others)
            case "setitem":
                value, *indices = others
                at = subscript_text(node.attributes["at"], [self.operand(i) for i in indices])
                yield f"{old}[{at}] = {self.stored(value, node.output.type)}"
            case "accumulated":
                yield f"{old} += {self.operand(others[0])}"
            case "added_at":
                yield self.addition(node, old, others)
            case "list_append":
                yield f"{old}.append({self.numpys(others[0])})"
            case "list_set":
                index, item = others
                yield f"{old}[{self.operand(index)}] = {self.numpys(item)}"
            case "list_dropped":
                yield f"{old}.pop()"
            case "list_add_at":
                item = f"{old}[{self.operand(others[0])}]"
                add = self.global_name("sum_of", sum_of)
                yield f"{item} = {add}({item}, {self.numpys(others[1])})"
            case "list_zero_at":
                item = f"{old}[{self.operand(others[0])}]"
                yield f"{item} = {self.global_name('zero_of', zero_of)}({item})"
            case "list_restored":
                index, item = self.operand(others[0]), self.numpys(others[1])
                place = self.global_name("restored_place", restored_place)
                yield f"{old}.insert({place}(len({old}), {index}), {item})"

    def augmentation(self, update: Augmented, old: str, others: Any) -> str:
        """Writes an update as an augmented assignment."""
        texts = [self.operand(i) for i in others[1:]]
        part = f"{old}[{subscript_text(update.read.attributes['at'], texts)}]"
        text = f"{part} {update.operator}= {self.taker(update.made)(update.other)}"
        self.deferred[update.read.output] = InlinedExpression(part, ATOM, update.read)
        self.deferred[update.made.output] = InlinedExpression(text, 0, update.made)
        return text

    def addition(self, node: Node, old: str, others: Any) -> str:
        """Adds something to the elements at a subscript, which may name one of them twice."""
        value, *indices = others
        at, texts = node.attributes["at"], [self.operand(index) for index in indices]
        if may_repeat(at, [operand_type(index) for index in indices]):
            return f"np.add.at({old}, {literal(at, texts)}, {self.operand(value)})"
        return f"{old}[{subscript_text(at, texts)}] += {self.operand(value)}"

    def delete_dead(self, node: Node, values: list[Value]) -> None:
        """Deletes arrays that are dead after a node."""
        dead = [
            self.names[value]
            for value in values
            if self.is_array_of_its_own(value) and not self.uses.is_live_after(value, node)
        ]
        if dead:
            self.line(f"del {', '.join(dead)}")

    def is_array_of_its_own(self, value: Value) -> bool:
        """Whether a variable holds an array that the program has made, and nothing else."""
        if value not in self.names or value in self.graph.inputs:
            return False
        if len(self.holders[self.names[value]]) > 1:
            return False
        return isinstance(value.type, (ListType, TupleType)) or bool(shape_of(value))

    # -- regions -----------------------------------------------------------------------------------

    def cond(self, node: Node) -> None:
        targets = [self.name(value) for value in node.outputs]
        test, inverse = self.operand(node.inputs[0]), self.operand(node.inputs[0], UNARY)
        if self.branch(f"if {test}:", node, "then", targets):
            self.branch("else:", node, "orelse", targets)
        else:
            self.branch(f"if not {inverse}:", node, "orelse", targets)

    def branch(self, heading: str, node: Node, name: str, targets: list[str]) -> bool:
        """Writes a branch; returns False, and writes nothing, where nothing is to be done in it."""
        region = node.regions[name]
        self.line(heading)
        self.indent += 1
        start = len(self.out.lines)
        for value, target in zip(region.outputs, targets, strict=True):
            self.try_to_call(value, target, region)
        self.inside(node, name)
        self.move(targets, region.outputs, node.outputs)
        self.indent -= 1
        if len(self.out.lines) == start:
            self.out.lines.pop()
            return False
        return True

    def try_to_call(self, value: Operand, target: str, region: Graph) -> None:
        """Lets a value be computed under a name, if the value that has the name is dead."""
        if not isinstance(value, Value):
            return
        maker = self.uses.makers.get(value)
        if (
            self.instruments
            or maker is None
            or value in self.names
            or self.uses.home[value] is not region
        ):
            return
        if maker.op.updates is not None and self.memory.is_in_place(maker):
            return
        if any(self.uses.is_live_after(held, maker) for held in self.holders.get(target, ())):
            return
        self.call(value, target)

    def release_names(self, node: Node) -> None:
        """Unnames results whose names also belong to values that are live after the node: an op has
        updated these in place since the names were given."""
        for value in node.outputs:
            name = self.names.get(value)
            if name is None or self.memory.is_in_place(node):
                continue
            others = [held for held in self.holders[name] if held is not value]
            if any(self.uses.is_live_after(held, node) for held in others):
                self.holders[name].remove(value)
                del self.names[value]

    def move(self, targets: list[str], operands: Any, values: Any) -> None:
        """Moves operands into variables, all at once."""
        self.assign(targets, [self.as_held(o, v) for o, v in zip(operands, values, strict=True)])

    def assign(self, targets: list[str], texts: list[str]) -> None:
        """One statement that gives variables their values."""
        moves = [(t, text) for t, text in zip(targets, texts, strict=True) if t != text]
        if moves:
            self.line(f"{', '.join(t for t, _ in moves)} = {', '.join(text for _, text in moves)}")

    # The ops that are statements of their own; all others are expressions.
    # op names: those written as statements of their own
    WRITERS = {"cond": cond, "loop": LoopWriter.loop, "written": written}
