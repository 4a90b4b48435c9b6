"""Whose memory a value stands in, and whether a program may write into it.

An op that changes one element (`setitem`, `list_append`) gives a new value.  It may take the old
one's memory where the program has made that memory, and nobody looks at it afterwards: neither at
the old value, nor at a view of it, nor at a list that holds it.

An elementwise op on a large array may put its result there, too (`out=`): memory that is new to the
processor takes it longer than the operation.  The elements of the result must stand in the same
order: so it is done where a product of matrices was, which stands in C order.

A *block* of memory is known by the value that was first put there.  For each value we know

    written    the blocks that an op writes into if it updates the value in place
    seen       the blocks that can be seen through the value (those of a list's elements included)

What stands in a list that a region hands on is one more block: the list may be the program's own
while its elements are the caller's.

Numbers and NumPy scalars never change, and have no block.  Where paths meet, a value may stand in
either's block.  A loop's variable stands in a block of its own: the start is copied where turns
write into it and somebody else may see it.
"""

import math

from runtime.analyses.liveness import Uses
from runtime.analyses.speculative_loops import speculative_loops
from runtime.ir.graph import Graph, Node, Operand, Value
from runtime.ir.regions import Carried, body_of, carried, control_flow_of, is_loop
from runtime.ir.traits import Aliasing
from runtime.ir.types import ListType, TensorType, TupleType, Type, is_array

NOTHING = frozenset()
LARGE = 1 << 16  # bytes


def _has_memory(value: Operand) -> bool:
    return isinstance(value, Value) and _is_in_memory(value.type)


def _is_in_memory(kind: Type) -> bool:
    if isinstance(kind, TupleType):
        return any(map(_is_in_memory, kind.places))
    return isinstance(kind, ListType) or is_array(kind)


class Memory:
    """The memory behind the values of a graph."""

    def __init__(self, graph: Graph, uses: Uses):
        self._uses, self._graph = uses, graph
        self._optimistic = speculative_loops(graph)  # which may have to begin once more
        self._written: dict[Value, frozenset] = {}
        self._seen: dict[Value, frozenset] = {}
        self._viewers: dict[Value, set[Value]] = {}  # block -> the values through which it is seen
        self._foreign: set[Value] = set()  # blocks that the program has been given
        self._elements: dict[Value, Value] = {}  # list -> the block of what stands in it
        self._lists: dict[Value, Value] = {}  # that block -> the list
        self._starts: dict[Value, frozenset] = {}  # a loop's variable -> the blocks it starts in
        self._constants: dict[Value, set[Value]] = {}  # block -> the constants that it may be
        self._in_place: set[Node] = set()
        self._reused: dict[Node, int] = {}  # the place of an operand that takes the result
        self._copied: set[tuple[Node, int]] = set()
        self._done: set[Value] = set()  # that nobody uses from here on, in the region being visited
        for value in graph.inputs:
            self._make(value)
            self._foreign.add(value)
        self._visit(graph)
        self._handed_out = self._constants_behind(graph.outputs)

    def is_handed_out(self, constant: Value) -> bool:
        """Whether the caller may get a constant: it needs one of its own, made in each run."""
        return constant in self._handed_out

    def in_place(self, node: Node) -> bool:
        """Whether an op takes the memory of the operand that it updates."""
        return node in self._in_place

    def reused(self, node: Node) -> int | None:
        """The place of the operand in whose memory an op puts its result, None for none."""
        return self._reused.get(node)

    def starts_on_copy(self, loop: Node, place: int) -> bool:
        """Whether a loop copies the start of a variable."""
        return (loop, place) in self._copied

    # -- blocks ------------------------------------------------------------------------------------

    def _set(self, value, written, seen):
        if not _has_memory(value):
            written = seen = NOTHING
        for block in self._seen.get(value, NOTHING) - seen:
            self._viewers[block].discard(value)
        self._written[value], self._seen[value] = written, seen
        for block in seen:
            self._viewers.setdefault(block, set()).add(value)

    def _make(self, value):
        self._set(value, frozenset([value]), frozenset([value, *self._inside(value)]))

    def _inside(self, value):
        """The block of what stands in a list, alone; nothing for other values."""
        if not isinstance(value.type, ListType):
            return ()
        if value not in self._elements:
            self._elements[value] = inside = Value(value.type.element, value.hint)
            self._lists[inside] = value
        return (self._elements[value],)

    def _is_made_in(self, block, region):
        return self._uses.is_inside(self._lists.get(block, block), region)

    def _parts(self, operand, value):
        """The blocks of an operand that a value stands for, and its own block: of a list, those of
        the list and of what stands in it."""
        written, seen = self._blocks(operand)
        if not isinstance(value.type, ListType):
            return [(seen, value)]
        return [(written, value), (seen - written, self._inside(value)[0])]

    def _blocks(self, operand):
        if not isinstance(operand, Value):
            return NOTHING, NOTHING
        return self._written[operand], self._seen[operand]

    def _constants_behind(self, operands):
        """The constants that may be seen through some operands."""
        blocks = frozenset().union(*(self._blocks(operand)[1] for operand in operands))
        return {c for block in blocks for c in self._constants.get(block, ())}

    def _may_update(self, operand, node):
        """Whether a node may write into an operand's memory."""
        written, _ = self._blocks(operand)
        return bool(written) and all(
            block not in self._foreign and not self._is_seen_later(block, node) for block in written
        )

    def _is_seen_later(self, block, node):
        """Whether a block may be looked at once `node` is done.

        Nodes are visited in their order, so nobody uses what is done with until the region ends: a
        loop that was unrolled may have a thousand regions in each other, and as many views.
        """
        for viewer in self._viewers[block] - self._done:
            if self._uses.later(viewer, node):
                return True
            self._done.add(viewer)
        return False

    # -- nodes -------------------------------------------------------------------------------------

    def _visit(self, graph):
        done_before = self._done.copy()
        for node in graph.nodes:
            if is_loop(node):
                self._visit_loop(node)
            elif control_flow_of(node) is not None:
                self._visit_branches(node)
            else:
                self._visit_plain(node)
        self._done = done_before

    def _visit_plain(self, node):
        aliases = node.op.traits.aliases
        for value in node.outputs:
            self._make(value)
            if node.op.name != "list_new":
                self._foreign.update(self._inside(value))
        if node.op.name == "constant":
            self._foreign.add(node.output)
            self._constants[node.output] = {node.output}
        elif node.op.shares:
            written, seen = self._blocks(node.inputs[0])
            if aliases is Aliasing.READ_ONLY_VIEW:
                self._foreign.add(node.output)
                written = frozenset([node.output])
                seen = seen | written
            self._set(node.output, written, seen)
        elif aliases is Aliasing.ANY:
            self._return(node)
        elif aliases is Aliasing.ITEM:
            written, seen = self._blocks(node.inputs[0])
            inside = seen - written if isinstance(node.inputs[0].type, ListType) else seen
            is_tuple = isinstance(node.inputs[0].type, TupleType)
            for item in node.outputs if is_tuple else node.outputs[-1:]:
                self._set(item, inside, inside)
        elif node.op.updates is not None:
            self._update(node)
        elif node.op.traits.takes_out:
            self._reuse(node)
        if aliases is Aliasing.CONTAINER:
            for operand in node.inputs:
                written, seen = self._blocks(node.output)
                self._set(node.output, written, seen | self._blocks(operand)[1])

    def _return(self, node):
        """The function that is called may return what it was given, or show parts of it."""
        given = frozenset().union(*(self._blocks(operand)[1] for operand in node.inputs))
        for value in node.outputs:
            self._foreign.update((value, *self._inside(value)))
            self._set(value, frozenset([value]), given | {value, *self._inside(value)})

    def _update(self, node):
        old = node.inputs[node.op.updates]
        self._in_place.discard(node)
        if self._may_update(old, node):
            self._in_place.add(node)
            if self._uses.home[node.output] is self._graph:
                # Nobody looks at it again, in no branch or turn either: there is nothing to ask.
                for block in self._written[old]:
                    self._viewers[block].clear()
            self._set(node.output, *self._blocks(old))
        elif isinstance(node.output.type, ListType):
            written, seen = self._blocks(old)
            self._set(node.output, frozenset([node.output]), seen - written | {node.output})

    def _reuse(self, node):
        self._reused.pop(node, None)
        for place, old in enumerate(node.inputs):
            if self._is_large_product(old, node):
                self._reused[node] = place
                self._set(node.output, *self._blocks(old))
                return

    def _is_large_product(self, old, node):
        """Whether an operand is like the result, and a product of matrices with a name, or in the
        memory of one, and nobody else uses it."""
        maker = self._uses.makers.get(old) if isinstance(old, Value) else None
        if maker is None or old.type != node.output.type or not self._uses.is_merging:
            return False
        if self._uses.count[old] > 1:
            return False
        kind, is_waiting = old.type, old in self._uses.waiting
        if not isinstance(kind, TensorType) or not all(isinstance(n, int) for n in kind.shape):
            return False
        if kind.ndim != 2 or math.prod(kind.shape) * kind.dtype.itemsize < LARGE:
            return False
        is_product = maker.op.name == "matmul" and not is_waiting or maker in self._reused
        return is_product and self._uses.home[old] is self._uses.home[node.output]

    def _visit_branches(self, node):
        flow = node.op.control_flow
        for region in node.regions.values():
            self._visit(region)
        for i, value in enumerate(node.outputs):
            self._make(value)
            for name, region in node.regions.items():
                place = flow.regions[name].results + i
                self._take_over(value, region, region.outputs[place], place)

    def _take_over(self, value, region, handed_out, place):
        """Lets a value stand in the memory of what a region hands out for it.

        Memory that was made inside is the value's alone, unless it is handed out twice; what was
        made outside can be seen from there as well.
        """
        written, seen = self._blocks(handed_out)
        others = [o for i, o in enumerate(region.outputs) if i != place]
        outside = frozenset(block for block in seen if not self._is_made_in(block, region))
        for blocks, own in self._parts(handed_out, value):
            shared = any(blocks & self._blocks(other)[1] for other in others)
            if shared or any(block in self._foreign for block in blocks - outside):
                self._foreign.add(own)
        if constants := self._constants_behind([handed_out]):
            self._constants.setdefault(value, set()).update(constants)
        self._set(value, self._written[value] | (written & outside), self._seen[value] | outside)

    def _visit_loop(self, node):
        body, variables = body_of(node), carried(node)
        shared = self._elements_of_starts(node)
        while True:
            for given in body.inputs:
                self._make(given)
                self._foreign.difference_update((given, *self._inside(given)))
            self._foreign |= shared
            self._visit(body)
            unsafe = {b for v in variables for b in self._shared_ends(body, variables, v)}
            if unsafe <= shared:
                break
            shared |= unsafe
        origins = self._origins(variables)
        known = self._written_into()
        written = [places for v, places in zip(variables, origins, strict=True) if v.given in known]
        for i in range(len(variables)):
            self._decide_copy(node, variables, i, any(i in places for places in written))
        first = node.op.control_flow.loop[1].carried
        for i, (variable, places) in enumerate(zip(variables, origins, strict=True)):
            starts = [variables[p].start for p in places if (node, p) not in self._copied]
            blocks = [self._blocks(start) for start in starts]
            self._starts[variable.given] = NOTHING.union(*(written for written, _ in blocks))
            self._leave_loop(variable, body, first + i, shared)
            value = variable.result
            for own, seen in blocks:
                self._set(value, self._written[value] | own, self._seen[value] | seen)

    def _leave_loop(self, variable, body, place, shared):
        """Lets the result of a loop stand in the memory that the last iteration has left."""
        value = variable.result
        self._make(value)
        for given, own in zip(self._own(variable.given), self._own(value), strict=True):
            if given in shared:
                self._foreign.add(own)
        self._take_over(value, body, variable.end, place)

    def _origins(self, variables: list[Carried]):
        """For each variable of a loop, the places of those whose starts it may hold after the loop:
        its own, and those that some iteration hands on as the variable."""
        places = {variable.given: i for i, variable in enumerate(variables)}
        origins = []
        for i in range(len(variables)):
            found, pending = {i}, [i]
            while pending:
                _, seen = self._blocks(variables[pending.pop()].end)
                more = {places[block] for block in seen if block in places} - found
                found |= more
                pending += more
            origins.append(found)
        return origins

    def _own(self, value):
        return (value, *self._inside(value))

    def _elements_of_starts(self, loop):
        """The blocks of what stands in lists that a loop starts with: it is not the loop's own."""
        return {
            block
            for start, given, _, _ in carried(loop)
            for block in self._inside(given)
            if self._blocks(start)[1] - self._blocks(start)[0]
        }

    def _shared_ends(self, body, variables, variable):
        """The blocks of a variable that are also visible elsewhere during the next iteration."""
        others = [other.end for other in variables if other is not variable]
        for blocks, own in self._parts(variable.end, variable.given):
            given = any(b in self._foreign or not self._is_made_in(b, body) for b in blocks)
            if given or any(blocks & self._blocks(other)[1] for other in others):
                yield own

    def _decide_copy(self, node, variables, place, is_written_into):
        start, given, _, _ = variables[place]
        self._copied.discard((node, place))
        if not is_written_into:
            return
        (seen, _), *_ = self._parts(start, given)
        starts = [other.start for i, other in enumerate(variables) if i != place]
        exclusive = (
            bool(self._blocks(start)[0])
            and all(
                block not in self._foreign
                and not any(
                    self._uses.later(viewer, node) or viewer in self._uses.inside(node)
                    for viewer in self._viewers[block]
                )
                for block in seen
            )
            and not any(seen & self._blocks(other)[1] for other in starts)
        )
        if not exclusive or node in self._optimistic:
            self._copied.add((node, place))

    def _written_into(self):
        """The blocks that some op writes into, also as the variable of a loop that starts there."""
        targets = (inner.inputs[inner.op.updates] for inner in self._in_place)
        pending = [block for target in targets for block in self._blocks(target)[0]]
        found = set()
        while pending:
            block = pending.pop()
            if block not in found:
                found.add(block)
                pending += self._starts.get(block, NOTHING)
        return found
