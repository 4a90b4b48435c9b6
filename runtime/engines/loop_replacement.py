"""On-stack replacement: a loop that runs long goes on as machine code from its next iteration.

    left = loop_1.begin()                      how many iterations until the next look at the time
    while a != 1:
        left -= 1
        if not left:
            left, ends = loop_1.look(counter, a)
            if ends is not None:               machine code has run the iterations that were left
                counter, a = ends
                break
        ...

A loop is a function of the variables with which an iteration starts, so a program can leave it
between two iterations: another program of the same loop, with these as its starts, has the same
results.  So a graph that runs long in its only call does not stay in the NumPy program.

The outermost loop that is all machine code is replaced, unless its iterations take long themselves.
A loop looks at the time at its eighth iteration, the sixteenth after it and so on, a loop around
others at its first one too.  It is replaced when the run has taken as long as making the machine
code does, or when its pace and the count of iterations that are left say that it will
(`loop_pace.py`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter

from runtime.engines.executable import Executable
from runtime.engines.loop_pace import Pace
from runtime.engines.native.random_streams import has_code
from runtime.engines.union_narrowing import narrow_unions
from runtime.ir.graph import Graph, Node, Operand, Value, captures, copy, walk
from runtime.ir.op import find
from runtime.ir.regions import body_of, is_loop
from runtime.ir.traits import Effect
from runtime.ir.types import Type, UnionType, type_of

NEVER = -1  # how many iterations are left until the next look, where there is none
# After so many iterations a loop looks at the time first, and after so many more at the most; loops
# of few iterations look at their first one in every so many runs.
FIRST, MOST, RUNS = 8, 1024, 32
MOST_PROGRAMS = 4  # in place of one loop
PATIENCE = 0.5  # for so many seconds a loop waits for the one around it to be replaced


Types = tuple[Type | None, ...]


@dataclass
class Deadline:
    """The time from which on loops are replaced, and the seconds that this takes; programs that run
    set them."""

    time: float = float("inf")
    cost: float = float("inf")

    def seconds_over(self) -> float:
        """How many seconds ago it was; negative before it."""
        return perf_counter() - self.time


class LoopReplacement:
    """A loop of a program, and the machine code that takes its place."""

    def __init__(
        self,
        loop: Node,
        around: "LoopReplacement | None",
        deadline: Deadline,
        compiled: Callable[[Graph], Executable | None],
    ) -> None:
        """`around` is the loop that it is in.

        `compiled` returns a graph's machine code, and None if not all of it has some.
        """
        self.loop, self.around = loop, around
        self._deadline, self._compiled = deadline, compiled
        self._inputs = inputs_of(loop)
        self._pace: Pace | None = None
        # In place of the loop, by the types of the scalars whose types the run decides.
        self.programs: dict[Types, Executable | None] = {}
        self._types: Types | None = None  # at the last look
        self._first = 1 if any(map(is_loop, walk(body_of(loop)))) else FIRST
        self._runs, self._iterations = RUNS, self._first

    def begin(self) -> int:
        """How many iterations run before the first look."""
        if any(self.programs.values()):
            return 1
        if () in self.programs:
            return NEVER
        if self._pace is not None:
            self._pace.begin()
        self._runs, self._iterations = self._runs - 1, self._first
        if self._runs:
            return self._first
        self._runs = RUNS
        return 1

    def look(self, *operands: object) -> tuple[int, tuple[object, ...] | None]:
        """How many iterations run before the next look, and the loop's results, if machine code
        has run the iterations that are left.

        The operands are the values of `inputs_of(loop)`, with the variables of the iteration that
        is next.
        """
        self._types = self._types_of(operands)
        if self.programs.get(self._types) is None:
            over = max(self._deadline.seconds_over(), self._seconds_left(operands))
            if over < 0 or self._waits(over):
                return self._pause(), None
        program = self._made(self._types)
        if program is not None:
            return NEVER, program.function(*operands)
        return self._pause() if self._types else NEVER, None  # types may change

    def _seconds_left(self, operands: Sequence[object]) -> float:
        """How much longer than making the machine code the rest will take, as far as is known."""
        if self._pace is None:
            self._pace = Pace(self.loop, self._inputs)
        return self._pace.seconds_left(operands) - self._deadline.cost

    def _pause(self) -> int:
        """How many iterations run before the next look of a run."""
        self._iterations = min(2 * self._iterations, MOST)
        return self._iterations

    def _types_of(self, operands: Iterable[object]) -> Types:
        pairs = zip(self._inputs, operands, strict=True)
        return tuple(type_of(held) for value, held in pairs if isinstance(value.type, UnionType))

    def _made(self, types: Types) -> Executable | None:
        """The machine code, which is made once; None if not all of the loop has some."""
        if types not in self.programs:
            graph = rest_of(self.loop, self._inputs, types)
            full = len(self.programs) >= MOST_PROGRAMS
            self.programs[types] = None if graph is None or full else self._compiled(graph)
        return self.programs[types]

    def _waits(self, over: float) -> bool:
        """Whether a loop around this one will be replaced soon."""
        return over < PATIENCE and self.around is not None and self.around.is_replaceable()

    def is_replaceable(self) -> bool:
        """Whether there is machine code of this loop, or of one around it."""
        if self.around is not None and self.around.is_replaceable():
            return True
        return self._types is not None and self._made(self._types) is not None


# Given a loop, and the one around it: its replacement.
Replaces = Callable[[Node, LoopReplacement | None], LoopReplacement]


def inputs_of(loop: Node) -> list[Value]:
    """The values on which the iterations of a loop that are left depend.

    They are the variables with which an iteration starts, and the values that the loop captures.
    """
    captured = captures(Graph("", [], [Node(loop.op, (), (), {}, loop.regions)]))
    return [*body_of(loop).inputs, *captured]


def rest_of(loop: Node, inputs: list[Value], types: Types) -> Graph | None:
    """The iterations of a loop that are left, as a graph of its own.

    `types` are those of the inputs whose types the run decides; None if one is impossible.
    """
    starts = [Value(given.type, given.hint) for given in body_of(loop).inputs]
    held = [*starts, *inputs[len(starts) :]]
    kinds = iter(types)
    nodes = []
    for place, value in enumerate(held):
        if isinstance(value.type, UnionType):
            kind = next(kinds)
            if kind is None or kind not in value.type.options:
                return None
            held[place] = Value(kind, value.hint)
            attributes = {"type": value.type}
            nodes.append(
                Node(find("option"), (held[place],), (value,), attributes, {}, loop.location)
            )
    outputs = tuple(Value(value.type, value.hint) for value in loop.outputs)
    operands: tuple[Operand, ...] = (True, *starts)
    rest = Node(
        loop.op, operands, outputs, loop.attributes, loop.regions, loop.location, loop.scope
    )
    return narrow_unions(copy(Graph("rest", held, [*nodes, rest], list(outputs))))


def is_replaceable(loop: Node) -> bool:
    """Whether a loop has results, or raises, or draws numbers, and does nothing else."""
    nodes = walk(Graph("", [], [loop]))
    has_others = any(
        n.op.name in OUTSIDE or n.op.effect not in (None, Effect.RAISES) and not has_code(n)
        for n in nodes
    )
    return "max_iterations" not in loop.attributes and not has_others


# op names: functions that a program has outside of the loop, and pieces of another engine
OUTSIDE = frozenset({"again", "recursive", "native_piece"})
