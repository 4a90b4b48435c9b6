"""Points-to analysis: which memory a value may be in, and which it can reach.

    y = x[1:]            y points to the allocation of x
    z = [x, y]           z points to an allocation of its own, and reaches that of x
    w = x if p else y    w points to all that x or y may point to

An *allocation* is a piece of memory, named by the value that was first stored there.  For each
value the analysis knows

    points_to    the allocations that an op writes into if it updates the value in place
    reaches      the allocations that can be read through the value: also those of its elements

All elements of a list share one more allocation: the list may belong to the program while its
elements belong to the caller.  An allocation is *external* if the program did not make it, or if
its values are visible in places that the analysis does not follow.

Scalars never change, and have no allocation.  Where paths meet, a value may be in the memory of
either.  A variable of a loop has an allocation of its own.
"""

from collections.abc import Iterable

from runtime.analyses.liveness import Uses
from runtime.ir.graph import Graph, Node, Operand, Value
from runtime.ir.types import ListType, TupleType, Type, is_array

Allocations = frozenset[Value]
NONE: Allocations = frozenset()


def _has_memory(value: Operand) -> bool:
    return isinstance(value, Value) and _is_in_memory(value.type)


def _is_in_memory(kind: Type) -> bool:
    if isinstance(kind, TupleType):
        return any(map(_is_in_memory, kind.places))
    return isinstance(kind, ListType) or is_array(kind)


class PointsTo:
    """The points-to sets of the values of a graph."""

    def __init__(self, uses: Uses) -> None:
        self._uses = uses
        self._points_to: dict[Value, Allocations] = {}
        self._reaches: dict[Value, Allocations] = {}
        self._aliases: dict[Value, set[Value]] = {}  # allocation -> the values that reach it
        self.external: set[Value] = set()  # allocations
        self._elements: dict[Value, Value] = {}  # list -> the allocation of its elements
        self._lists: dict[Value, Value] = {}  # that allocation -> the list
        self._constants: dict[Value, set[Value]] = {}  # allocation -> constants that it may be
        self._dead: set[Value] = set()  # values that are not used again in the current region

    def sets(self, operand: Operand) -> tuple[Allocations, Allocations]:
        """The allocations that an operand points to, and those that it reaches."""
        if not isinstance(operand, Value):
            return NONE, NONE
        return self._points_to[operand], self._reaches[operand]

    def reached(self, operands: Iterable[Operand]) -> Allocations:
        """The allocations that some operands reach."""
        return NONE.union(*(self.sets(operand)[1] for operand in operands))

    def constants(self, operands: Iterable[Operand]) -> set[Value]:
        """The constants that some operands may reach."""
        return {c for site in self.reached(operands) for c in self._constants.get(site, ())}

    def may_alias(self, allocations: Allocations, others: Iterable[Operand]) -> bool:
        """Whether one of some operands reaches one of some allocations."""
        return any(allocations & self.sets(other)[1] for other in others)

    def aliases(self, allocation: Value) -> set[Value]:
        """The values that reach an allocation."""
        return self._aliases[allocation]

    def is_live_after(self, allocation: Value, node: Node) -> bool:
        """Whether an allocation may be read after `node`.

        Nodes are visited in program order, so a value that is dead stays so until its region ends:
        a loop that was unrolled may have a thousand nested regions, and as many aliases.
        """
        for alias in self._aliases[allocation] - self._dead:
            if self._uses.is_live_after(alias, node):
                return True
            self._dead.add(alias)
        return False

    # -- changes -----------------------------------------------------------------------------------

    def set(self, value: Value, points_to: Allocations, reaches: Allocations) -> None:
        """Sets the objects that a value points to, and reaches."""
        if not _has_memory(value):
            points_to = reaches = NONE
        for allocation in self._reaches.get(value, NONE) - reaches:
            self._aliases[allocation].discard(value)
        self._points_to[value], self._reaches[value] = points_to, reaches
        for allocation in reaches:
            self._aliases.setdefault(allocation, set()).add(value)

    def add(self, value: Value, points_to: Allocations, reaches: Allocations) -> None:
        """Adds objects that a value points to, and reaches."""
        self.set(value, self._points_to[value] | points_to, self._reaches[value] | reaches)

    def allocate(self, value: Value) -> None:
        """Gives a value an allocation of its own."""
        self.set(value, frozenset([value]), frozenset(self.own(value)))

    def own(self, value: Value) -> tuple[Value, ...]:
        """The allocation of a value, and that of its elements if it is a list."""
        return (value, *self.elements(value))

    def elements(self, value: Value) -> tuple[Value, ...]:
        """The allocation of the elements of a list; nothing for other values."""
        if not isinstance(value.type, ListType):
            return ()
        if value not in self._elements:
            self._elements[value] = inside = Value(value.type.element, value.hint)
            self._lists[inside] = value
        return (self._elements[value],)

    def is_allocated_in(self, allocation: Value, region: Graph) -> bool:
        """Whether an allocation is made inside a region."""
        return self._uses.is_inside(self._lists.get(allocation, allocation), region)

    def parts(self, operand: Operand, value: Value) -> list[tuple[Allocations, Value]]:
        """The allocations of an operand that becomes a value, each set with the allocation of the
        value that it becomes part of: a list and its elements separately."""
        points_to, reaches = self.sets(operand)
        if not isinstance(value.type, ListType):
            return [(reaches, value)]
        return [(points_to, value), (reaches - points_to, self.elements(value)[0])]

    def leave_region(self, value: Value, region: Graph, place: int) -> None:
        """Lets a result point to what the output of a region at a place points to.

        An allocation that was made inside belongs to the result alone, unless another output
        reaches it; one that was made outside has aliases there.
        """
        output = region.outputs[place]
        points_to, reaches = self.sets(output)
        others = [other for i, other in enumerate(region.outputs) if i != place]
        outside = frozenset(site for site in reaches if not self.is_allocated_in(site, region))
        for allocations, own in self.parts(output, value):
            if self.may_alias(allocations, others) or self.external & (allocations - outside):
                self.external.add(own)
        if constants := self.constants([output]):
            self._constants.setdefault(value, set()).update(constants)
        self.add(value, points_to & outside, outside)
