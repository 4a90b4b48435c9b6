"""Code generation for loops that machine code may replace while they run (`loop_replacement.py`).

left = _loop.begin()
while a != 1:
    left -= 1
    if not left:
        left, ends = _loop.look(counter, a)
        if ends is not None:
            counter, a = ends[0], ends[1]
            break
    ...
"""

from abc import abstractmethod
from dataclasses import dataclass

from runtime.engines.loop_replacement import LoopReplacement, Replaces, inputs_of, is_replaceable
from runtime.engines.numpy.codegen_expressions import ExpressionWriter
from runtime.ir.graph import Node, Operand, Value
from runtime.ir.types import PythonType
from runtime.ops.dict_keys import KeyList


@dataclass
class Replacements:
    """What a program replaces.

    nodes      the nodes of the graph with the types of all scalars, by those of the program's
    held       the operands of the program that hold the values of that graph
    replaces   makes the replacement of a loop
    around     that of the innermost loop that is being written
    """

    nodes: dict[Node, Node]
    held: dict[Value, Operand]
    replaces: Replaces
    around: LoopReplacement | None = None


@dataclass(frozen=True)
class Replacement:
    """The replacement of a loop, and its names in the program.

    name      the variable of the program's namespace that holds it
    left      the variable that counts the iterations until the next look at the time
    inputs    the operands that hold `inputs_of(loop)`
    """

    loop: LoopReplacement
    name: str
    left: str
    inputs: list[Operand]


class ReplacementWriter(ExpressionWriter):
    """Writes the looks of loops at the time."""

    indent: int
    replacements: Replacements | None
    replaced: set[Node]

    @abstractmethod
    def line(self, text: str) -> None:
        """Writes a line of the current node."""

    @abstractmethod
    def assign(self, targets: list[str], texts: list[str]) -> None:
        """Writes one statement that assigns to variables."""

    def begin(self, node: Node) -> Replacement | None:
        """Begins to count the iterations of a loop, if it may be replaced."""
        made = self.replacements
        if made is None or self.product is not None or not is_replaceable(made.nodes[node]):
            return None
        inputs = [made.held[value] for value in inputs_of(made.nodes[node])]
        if not all(map(self.is_held, inputs)):
            return None
        made.around = made.replaces(made.nodes[node], made.around)
        name, left = self.global_name("loop", made.around), self.fresh("left")
        self.line(f"{left} = {name}.begin()")
        return Replacement(made.around, name, left, inputs)

    def is_held(self, operand: Operand) -> bool:
        """Whether the program has a value in its usual form, or can compute it at a look."""
        if not isinstance(operand, Value):
            return True
        if operand in self.deferred:
            return False
        omitted = self.omitted(operand)
        if omitted is None:
            return True
        others = (o for o in omitted.inputs if isinstance(o, Value))
        return omitted.op.traits.comparison and not any(
            o in self.deferred or self.omitted(o) is not None for o in others
        )

    def omitted(self, value: Value) -> Node | None:
        """The node that makes a value, if the program has something else in its place: the test of
        a `for`."""
        maker = self.uses.makers.get(value)
        return maker if maker in self.replaced else None

    def at_look(self, operand: Operand) -> str:
        """The text of an input of the rest of a loop."""
        omitted = self.omitted(operand) if isinstance(operand, Value) else None
        if omitted is None:
            return self.numpys(operand)
        text = self.expression(omitted)[0]
        is_python = isinstance(omitted.output.type, PythonType)
        return text if is_python else f"np.bool({text})"

    def finish(self, by: Replacement | None) -> None:
        """Says that the body of a loop is written."""
        if by is not None and self.replacements is not None:
            self.replacements.around = by.loop.around

    def look(self, node: Node, by: Replacement, carried: dict[int, str]) -> None:
        """Writes the end of a loop that is replaced; `carried` has its variables by places."""
        ends = self.fresh("ends")
        self.line(f"{by.left} -= 1")
        self.line(f"if not {by.left}:")
        self.indent += 1
        inputs = ", ".join(map(self.at_look, by.inputs))
        self.line(f"{by.left}, {ends} = {by.name}.look({inputs})")
        self.line(f"if {ends} is not None:")
        self.indent += 1
        self.assign([*carried.values()], [self.end(node, i, f"{ends}[{i}]") for i in carried])
        self.line("break")
        self.indent -= 2

    def end(self, node: Node, place: int, text: str) -> str:
        """A result of a loop as the program holds it."""
        if self.key_lists.may_be(node.outputs[place]):
            return f"{self.global_name('KeyList', KeyList)}({text})"
        return f"int({text})" if node.outputs[place] in self.integers.values else text
