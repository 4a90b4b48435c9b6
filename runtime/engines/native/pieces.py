"""The cut of a graph into pieces, and the graph in which they are calls.

    nodes that have machine code, one after the other        ->      done, y = native_piece(x)
                                                                     y_1 = cond(done, then, orelse)

A piece is a longest run of nodes, in program order, that all have a lowering, with everything
inside them (`engines/piece_calls.py`).  Loops that have none stay in the NumPy program, and the
nodes inside them are cut in turn.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from runtime.analyses.checked_ranges import CheckedRanges
from runtime.analyses.intervals import Ranges
from runtime.analyses.liveness import Uses
from runtime.analyses.written_contents import Contents, WrittenContents
from runtime.engines.native import python_objects
from runtime.engines.native.call_wrapper import Shell
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.endings import values_read
from runtime.engines.native.first_runs import FirstRuns, is_brief
from runtime.engines.native.kept_views import insert_copies
from runtime.engines.native.kernels import is_kernel_node
from runtime.engines.native.kinds import NotLowered, components, is_item, is_row, part_of
from runtime.engines.native.lowering import advice
from runtime.engines.native.machine import Assembled, Effort, Unassembled, assembled
from runtime.engines.native.repeated_views import repeat_views
from runtime.engines.native.text import Text
from runtime.engines.native.views import is_view_node
from runtime.engines.numpy.closure_lifting import closed
from runtime.engines.piece_calls import calling_nodes, results_of, used_after, views_used
from runtime.engines.piece_view import named
from runtime.ir.graph import Graph, Node, Value, captures, copy, walk
from runtime.ir.op import find
from runtime.ir.regions import is_loop, is_repeated
from runtime.ir.types import ListType, UnionType

# A call of a piece takes as long as a few operations on scalars.
FEWEST_NODES = 4
# Compile time grows with the length of a function, more than in proportion.
MOST_NODES = 2000


@dataclass(eq=False)
class Piece:
    """Nodes of a graph that have become one function of machine code."""

    name: str
    nodes: list[Node]
    inputs: list[Value]
    outputs: list[Value]
    ir: str
    effort: Effort  # of its last code
    function: Callable[..., Any]  # or a `FirstRuns`

    @property
    def code(self) -> Assembled | None:
        """The machine code, which is made now if it has not been; None if LLVM refused the text."""
        if isinstance(self.function, FirstRuns):
            return self.function.code
        return self.function.__self__.code  # type: ignore[attr-defined, no-any-return]


@dataclass
class Cut:
    """A graph with pieces, and why other nodes are none.

    left    nodes that stay in the NumPy program, each with the reason
    """

    graph: Graph
    pieces: list[Piece] = field(default_factory=list)
    left: list[tuple[Node, str]] = field(default_factory=list)


def cut(
    graph: Graph, cache: str | None = None, formulas: bool = False, is_first: bool = False
) -> Cut:
    """The graph with calls of its pieces; the graph itself is left as it is.

    `cache` is a directory in which machine code is looked up and kept.  `formulas`: kernels
    compute functions by the vector math.  `is_first`: the graph has not run yet, and the code of
    a piece is made when it runs (`first_runs.py`).
    """
    found = Cut(_own(graph))
    copies = insert_copies(found.graph)
    _Cutting(found, cache, formulas, is_first).region(found.graph)
    inside = {node for piece in found.pieces for node in walk(Graph("", [], piece.nodes))}
    if not inside.issuperset(copies):  # NumPy's program would copy for nothing
        found = Cut(_own(graph))
        _Cutting(found, cache, formulas, is_first).region(found.graph)
    return found


def _own(graph: Graph) -> Graph:
    """A copy of a graph, in which each piece can make the views that it reads."""
    found = copy(closed(graph))
    repeat_views(found)
    return found


class _Inputs(dict[Value, tuple[str, ...]]):
    """Registers of values; those that nothing has defined are the inputs of a piece."""

    def __init__(self, text: Text, takes_lists: bool) -> None:
        super().__init__()
        self._text, self._takes_lists = text, takes_lists

    def __missing__(self, value: Value) -> tuple[str, ...]:
        if isinstance(value.type, UnionType) and part_of(value.type) is not None:
            raise NotLowered("a complex scalar of which the run decides the type enters the piece")
        if isinstance(value.type, ListType):
            _check_entry(value.type, self._takes_lists)
        self[value] = tuple(self._text.fresh() for _ in components(value.type))
        return self[value]


def _check_entry(kind: ListType, takes_lists: bool) -> None:
    """Raises `NotLowered` for a list that no piece takes as an input.

    A list is read as a whole where it enters, so none enters a piece inside a loop of the NumPy
    program, or a piece that has no loop: its own nodes may take less time.
    """
    if is_item(kind.element) or is_row(kind.element):
        of = "arrays" if is_item(kind.element) else "lists"
        raise NotLowered(f"a list of {of} enters the piece")
    if not takes_lists:
        raise NotLowered("a list that enters the piece would be read as a whole")


class _Cutting:
    """Cuts the regions of one graph."""

    def __init__(self, found: Cut, cache: str | None, formulas: bool, is_first: bool) -> None:
        self.found, self.cache, self.formulas, self.is_first = found, cache, formulas, is_first
        self.ranges = Ranges(found.graph)
        self.uses = Uses(found.graph, inlines=False, reports=False)
        self.contents = WrittenContents(found.graph)
        self.loops = 0  # of the NumPy program, around the region that is cut
        self.refused: set[Node] = set()  # nodes that stay in the NumPy program

    def region(self, region: Graph) -> None:
        """Replaces runs of nodes by pieces, and cuts the regions of the nodes that remain."""
        nodes: list[Node] = []
        place = 0
        for run in self.runs_of(region.nodes):
            after = region.nodes[place + len(run) :]
            nodes += self.replaced(run, used_after(after, region)) or self.inside(run)
            place += len(run)
        region.nodes[:] = nodes

    def runs_of(self, nodes: list[Node]) -> Iterator[list[Node]]:
        """Runs of nodes; those that lists enter have a loop, and are in none."""
        for run in self.runs(nodes, not self.loops):
            inputs = captures(Graph("piece", [], run, []))
            takes_lists = any(isinstance(value.type, ListType) for value in inputs)
            if takes_lists and not any(map(is_repeated, walk(Graph("", [], run)))):
                yield from self.runs(run, False)
            else:
                yield run

    def runs(self, nodes: list[Node], takes_lists: bool) -> Iterator[list[Node]]:
        """All nodes, divided into longest runs that have machine code and single other nodes."""
        run: list[Node] = []
        emitter = self.attempt(takes_lists)
        for node in nodes:
            reason = self.reason(emitter, node)
            if reason is not None and run:
                yield run
                run, emitter = [], self.attempt(takes_lists)
                reason = self.reason(emitter, node)
            if reason is None:
                run.append(node)
                continue
            self.found.left.append((node, reason))
            self.refused.add(node)
            yield [node]
            emitter = self.attempt(takes_lists)
        if run:
            yield run

    def attempt(self, takes_lists: bool) -> Emitter:
        """An emitter whose text is dropped: it tells which nodes have machine code."""
        emitter = Emitter(Text(), self.ranges, self.uses, self.formulas)
        emitter.held = emitter.ownership.held = _Inputs(emitter.text, takes_lists)
        return emitter

    def reason(self, emitter: Emitter, node: Node) -> str | None:
        """Why a node has no machine code after those that an emitter has written."""
        if sum(1 for _ in walk(Graph("", [], [node]))) > MOST_NODES:
            return f"it has more than {MOST_NODES} nodes"
        if not self.contents.are_known(node):
            return "it writes into an array whose contents are in no variable after it"
        try:
            emitter.nodes([node])
        except NotLowered as error:
            inner = emitter.text.node
            if inner is None or inner is node or inner not in list(walk(Graph("", [], [node]))):
                return f"{error}{advice(node) if self.loops else ''}"
            is_repeated_there = self.loops or emitter.text.loops
            return f"{named(inner)} in it: {error}{advice(inner) if is_repeated_there else ''}"
        return None

    def inside(self, run: list[Node]) -> list[Node]:
        """Nodes that stay in the NumPy program, with their regions cut."""
        for node in run:
            self.loops += is_loop(node)
            for region in node.regions.values():
                self.region(region)
            self.loops -= is_loop(node)
        return run

    def replaced(self, run: list[Node], used: set[Value]) -> list[Node]:
        """The nodes in place of a run; none if it is no piece."""
        if run[0] in self.refused:
            return []
        reports = self.reports(run)
        if reports is None:
            return []
        used = used | {v for node in reports for v in node.inputs[1:] if isinstance(v, Value)}
        shown = views_used(run, used, is_view_node)
        used = used | {v for node in shown for v in node.inputs if isinstance(v, Value)}
        outputs = results_of(run, used, [node for node in run if is_view_node(node)])
        if not outputs or not _is_worth_a_call(run):
            return []
        inputs = values_read(run, outputs, self.uses)
        name = f"native_{len(self.found.pieces) + 1}"
        try:
            ir, effort, function = self.compiled(run, inputs, outputs, name)
        except (NotLowered, Unassembled) as error:
            self.found.left += [(node, str(error)) for node in run]
            return []
        self.found.pieces.append(Piece(name, run, inputs, outputs, ir, effort, function))
        return [*calling_nodes(run, inputs, outputs, name, function), *shown, *reports]

    def reports(self, run: list[Node]) -> list[Node] | None:
        """What the program reports after a piece of the arrays that it writes into (op `written`);
        None if the piece may overwrite the contents that an array has at its end."""
        made = {value for node in run for value in node.outputs}
        contents: Contents = {}
        for node in run:
            contents |= self.contents.after.get(node, {})
        reports = []
        for given, values in contents.items():
            kept = [v for v in values if v not in made or self.uses.is_live_after(v, run[-1])]
            if not kept:
                return None
            node = Node(find("written"), (given, kept[0]), (), {}, {}, run[-1].location)
            reports.append(node)
        return reports

    def compiled(
        self, run: list[Node], inputs: list[Value], outputs: list[Value], name: str
    ) -> tuple[str, Effort, Callable[..., Any]]:
        """The text of the machine code of a run, the effort of its last code, and the function that
        the program calls."""
        text, graph = Text(), Graph("piece", inputs, run, list(outputs))
        # Values that enter may have wrapped around in the NumPy program.
        ranges = CheckedRanges(graph, {value: self.ranges[value] for value in inputs})
        emitter = Emitter(text, ranges, self.uses, self.formulas)
        shell = Shell(text, emitter)
        for place, value in enumerate(inputs):
            shell.unbox(place, value)
        emitter.nodes(run)
        if text.uses_floats:
            text.leave_if_flagged()
        shell.return_results(list(outputs))
        whole = shell.whole(name, len(inputs), len(outputs))
        make = partial(_made, whole, text.symbols, text.objects, name, self.cache)
        last = partial(make, text.effort)
        if not self.is_first:
            return whole, text.effort, last()[1]
        brief = not self.loops and not text.uses_formulas and is_brief(run)
        first = partial(make, Effort.LEAST) if brief else None
        return whole, text.effort, FirstRuns(first, last, len(outputs))


def _made(
    ir: str,
    symbols: dict[str, int],
    objects: list[Any],
    name: str,
    cache: str | None,
    effort: Effort,
) -> tuple[Assembled, Callable[..., Any]]:
    """The machine code of a text, and a Python function that runs it."""
    code = assembled(ir, symbols, name, cache, effort)
    return code, python_objects.built_in(code, name, objects)


def _is_worth_a_call(run: list[Node]) -> bool:
    """Whether nodes take longer than the call of a piece."""
    nodes = list(walk(Graph("", [], run)))
    if any(map(is_repeated, nodes)) or len(nodes) >= FEWEST_NODES:
        return True
    return any(map(is_kernel_node, nodes))
