"""Buffer reuse: which ops may write into the memory of an operand.

An op that changes one element (`setitem`, `list_append`) returns a new value.  It may take the old
value's memory if the program made that memory, and nothing reads it afterwards: neither the old
value, nor a view of it, nor a list that contains it (`points_to.py`).

An elementwise op on large arrays may put its result there, too (`out=`): the first access to new
memory takes longer than the operation.  The elements of the result must be in the same order, so it
takes the memory of matrix products, which are in C order.

The start of a loop's variable is copied if iterations write into the variable and the start has
other aliases.
"""

import math
from collections.abc import Iterator

from runtime.analyses.liveness import Uses
from runtime.analyses.points_to import NONE, Allocations, PointsTo
from runtime.analyses.speculative_loops import speculative_loops
from runtime.ir.graph import Graph, Node, Operand, Value
from runtime.ir.regions import Carried, body_of, carried, control_flow_of, is_loop
from runtime.ir.traits import Aliasing
from runtime.ir.types import ListType, TensorType, TupleType

LARGE = 1 << 16  # bytes


class BufferReuse(PointsTo):
    """The points-to sets of a graph, and the decisions that follow from them."""

    def __init__(self, graph: Graph, uses: Uses) -> None:
        super().__init__(uses)
        self._graph = graph
        self._speculative = speculative_loops(graph)  # they may have to run again
        self._starts: dict[Value, Allocations] = {}  # a loop's variable -> where it starts
        self._in_place: set[Node] = set()
        self._reused: dict[Node, int] = {}
        self._copied: set[tuple[Node, int]] = set()
        for value in graph.inputs:
            self.allocate(value)
            self.external.add(value)
        self._visit(graph)
        self._returned = self.constants(graph.outputs)

    def is_returned(self, constant: Value) -> bool:
        """Whether the caller may get a constant: each run must make one of its own."""
        return constant in self._returned

    def is_in_place(self, node: Node) -> bool:
        """Whether an op takes the memory of the operand that it updates."""
        return node in self._in_place

    def reused_operand(self, node: Node) -> int | None:
        """The place of the operand in whose memory an op puts its result; None if in none."""
        return self._reused.get(node)

    def copies_start(self, loop: Node, place: int) -> bool:
        """Whether a loop copies the start of a variable."""
        return (loop, place) in self._copied

    # -- nodes -------------------------------------------------------------------------------------

    def _visit(self, graph: Graph) -> None:
        dead_before = self._dead.copy()
        for node in graph.nodes:
            if is_loop(node):
                self._visit_loop(node)
            elif control_flow_of(node) is not None:
                self._visit_branches(node)
            else:
                self._visit_plain(node)
        self._dead = dead_before

    def _visit_plain(self, node: Node) -> None:
        aliases = node.op.traits.aliases
        for value in node.outputs:
            self.allocate(value)
            if node.op.name != "list_new":
                self.external.update(self.elements(value))
        if node.op.name == "constant":
            self.external.add(node.output)
            self._constants[node.output] = {node.output}
        elif node.op.shares:
            self._view(node)
        elif aliases is Aliasing.ANY:
            self._call(node)
        elif aliases is Aliasing.ITEM:
            self._take_item(node)
        elif node.op.updates is not None:
            self._update(node)
        elif node.op.traits.takes_out:
            self._reuse(node)
        if aliases is Aliasing.CONTAINER:
            self.add(node.output, NONE, self.reached(node.inputs))

    def _view(self, node: Node) -> None:
        points_to, reaches = self.sets(node.inputs[0])
        if node.op.traits.aliases is Aliasing.READ_ONLY_VIEW:
            self.external.add(node.output)
            points_to = frozenset([node.output])
            reaches = reaches | points_to
        self.set(node.output, points_to, reaches)

    def _call(self, node: Node) -> None:
        """A function may return its arguments, or values that reach parts of them."""
        given = self.reached(node.inputs)
        for value in node.outputs:
            self.external.update(self.own(value))
            self.set(value, frozenset([value]), given | {*self.own(value)})

    def _take_item(self, node: Node) -> None:
        container = node.inputs[0]
        points_to, reaches = self.sets(container)
        assert isinstance(container, Value)
        inside = reaches - points_to if isinstance(container.type, ListType) else reaches
        is_tuple = isinstance(container.type, TupleType)
        for item in node.outputs if is_tuple else node.outputs[-1:]:
            self.set(item, inside, inside)

    def _update(self, node: Node) -> None:
        old = node.inputs[node.op.updates]
        self._in_place.discard(node)
        points_to, reaches = self.sets(old)
        if self._may_update(points_to, node):
            self._in_place.add(node)
            if self._uses.home[node.output] is self._graph:
                # No branch or later iteration can read it either: there are no other aliases.
                for allocation in points_to:
                    self.aliases(allocation).clear()
            self.set(node.output, *self.sets(old))
        elif isinstance(node.output.type, ListType):
            own = frozenset([node.output])
            self.set(node.output, own, reaches - points_to | own)

    def _may_update(self, points_to: Allocations, node: Node) -> bool:
        """Whether a node may write into some allocations."""
        return bool(points_to) and not any(
            site in self.external or self.is_live_after(site, node) for site in points_to
        )

    def _reuse(self, node: Node) -> None:
        self._reused.pop(node, None)
        for place, old in enumerate(node.inputs):
            if isinstance(old, Value) and self._is_large_product(old, node):
                self._reused[node] = place
                self.set(node.output, *self.sets(old))
                return

    def _is_large_product(self, old: Value, node: Node) -> bool:
        """Whether an operand is a matrix product with a name, or in the memory of one, of the type
        of the result and without other uses."""
        maker = self._uses.makers.get(old)
        if maker is None or old.type != node.output.type or not self._uses.inlines:
            return False
        if self._uses.count[old] > 1:
            return False
        kind = old.type
        if not isinstance(kind, TensorType) or kind.ndim != 2:
            return False
        sizes = [size for size in kind.shape if isinstance(size, int)]
        if len(sizes) < 2 or math.prod(sizes) * kind.dtype.itemsize < LARGE:
            return False
        is_product = maker.op.name == "matmul" and old not in self._uses.inlined
        is_here = self._uses.home[old] is self._uses.home[node.output]
        return (is_product or maker in self._reused) and is_here

    # -- regions -----------------------------------------------------------------------------------

    def _visit_branches(self, node: Node) -> None:
        flow = node.op.control_flow
        for region in node.regions.values():
            self._visit(region)
        for i, value in enumerate(node.outputs):
            self.allocate(value)
            ends = []
            for name, region in node.regions.items():
                place = flow.regions[name].results + i
                self.leave_region(value, region, place)
                ends.append((region, region.outputs[place]))
            self._drop_own(value, ends)

    def _drop_own(self, value: Value, ends: list[tuple[Graph, Operand]]) -> None:
        """Takes away the allocation of a result that no region has made: the branches of a loop
        that was unrolled, which write into one array, would have as many."""
        if isinstance(value.type, (ListType, TupleType)) or value in self.external:
            return
        sites = [(site, region) for region, end in ends for site in self.sets(end)[1]]
        if sites and not any(self.is_allocated_in(site, region) for site, region in sites):
            points_to, reaches = self.sets(value)
            self.set(value, points_to - {value}, reaches - {value})

    def _visit_loop(self, node: Node) -> None:
        body, variables = body_of(node), carried(node)
        shared = self._visit_body(body, variables)
        origins = self._origins(variables)
        known = self._written_into()
        written = [places for v, places in zip(variables, origins, strict=True) if v.given in known]
        for i in range(len(variables)):
            self._decide_copy(node, variables, i, any(i in places for places in written))
        first = node.op.control_flow.loop[1].carried
        for i, (variable, places) in enumerate(zip(variables, origins, strict=True)):
            starts = [variables[p].start for p in places if (node, p) not in self._copied]
            sets = [self.sets(start) for start in starts]
            self._starts[variable.given] = NONE.union(*(points_to for points_to, _ in sets))
            self._leave_loop(variable, body, first + i, shared)
            for points_to, reaches in sets:
                self.add(variable.result, points_to, reaches)

    def _visit_body(self, body: Graph, variables: list[Carried]) -> set[Value]:
        """Visits the body of a loop until it is known which allocations of its variables are
        shared with others; returns these."""
        shared = self._elements_of_starts(variables)
        while True:
            for given in body.inputs:
                self.allocate(given)
                self.external.difference_update(self.own(given))
            self.external |= shared
            self._visit(body)
            unsafe = {site for v in variables for site in self._shared_ends(body, variables, v)}
            if unsafe <= shared:
                return shared
            shared |= unsafe

    def _elements_of_starts(self, variables: list[Carried]) -> set[Value]:
        """The allocations of the elements of lists that are not empty when the loop starts."""
        return {
            site
            for start, given, _, _ in variables
            for site in self.elements(given)
            if self.sets(start)[1] - self.sets(start)[0]
        }

    def _shared_ends(
        self, body: Graph, variables: list[Carried], variable: Carried
    ) -> Iterator[Value]:
        """The allocations of a variable that have other aliases during the next iteration."""
        others = [other.end for other in variables if other is not variable]
        for allocations, own in self.parts(variable.end, variable.given):
            is_outside = any(not self.is_allocated_in(site, body) for site in allocations)
            if is_outside or allocations & self.external or self.may_alias(allocations, others):
                yield own

    def _leave_loop(self, variable: Carried, body: Graph, place: int, shared: set[Value]) -> None:
        """Lets the result of a loop point to the memory that the last iteration has left."""
        value = variable.result
        self.allocate(value)
        for given, own in zip(self.own(variable.given), self.own(value), strict=True):
            if given in shared:
                self.external.add(own)
        self.leave_region(value, body, place)

    def _origins(self, variables: list[Carried]) -> list[set[int]]:
        """For each variable, the places of those whose starts it may be in after the loop: its own,
        and those that an iteration assigns to it."""
        places = {variable.given: i for i, variable in enumerate(variables)}
        origins = []
        for i in range(len(variables)):
            found, pending = {i}, [i]
            while pending:
                _, reaches = self.sets(variables[pending.pop()].end)
                more = {places[site] for site in reaches if site in places} - found
                found |= more
                pending += more
            origins.append(found)
        return origins

    def _decide_copy(
        self, node: Node, variables: list[Carried], place: int, is_written_into: bool
    ) -> None:
        start, given, _, _ = variables[place]
        self._copied.discard((node, place))
        if not is_written_into:
            return
        (allocations, _), *_ = self.parts(start, given)
        others = [other.start for i, other in enumerate(variables) if i != place]
        is_exclusive = (
            bool(self.sets(start)[0])
            and not any(self._is_used_around(site, node) for site in allocations)
            and not self.may_alias(allocations, others)
        )
        if not is_exclusive or node in self._speculative:
            self._copied.add((node, place))

    def _is_used_around(self, allocation: Value, loop: Node) -> bool:
        """Whether an allocation is external, or read in a loop or after it."""
        return allocation in self.external or any(
            self._uses.is_live_after(alias, loop) or alias in self._uses.inside(loop)
            for alias in self.aliases(allocation)
        )

    def _written_into(self) -> set[Value]:
        """The allocations that ops write into, and those of the starts of such loop variables."""
        targets: list[Operand] = [inner.inputs[inner.op.updates] for inner in self._in_place]
        pending = [site for target in targets for site in self.sets(target)[0]]
        found: set[Value] = set()
        while pending:
            site = pending.pop()
            if site not in found:
                found.add(site)
                pending += self._starts.get(site, NONE)
        return found
