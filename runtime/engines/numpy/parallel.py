"""Programs with tasks that run at the same time.

    def f_part(x):
        a = x @ x
        return (a,)

    def f_part_1(y):
        b = np.exp(y)
        return (b,)

    def f(x, y):
        done = _together((f_part, x), (f_part_1, y))
        if done is None:                        a task has failed, or NumPy has to warn
            a = x @ x
            b = np.exp(y)
        else:
            (a,), (b,) = done
        del done
        return (a @ b,)

Operations without effects may be computed twice.  So exceptions and warnings are raised as without
threads, in program order.  Results have the same bits, as each operation is the same call of NumPy
with the same operands.
"""

from collections.abc import Sequence
from typing import Any

from runtime.analyses.parallel_regions import ParallelRegion, parallel_regions
from runtime.engines.numpy.codegen import Writer
from runtime.engines.numpy.source_map import Line, Program
from runtime.engines.threads import thread_team
from runtime.ir.graph import Graph, Node, Value


class ParallelWriter(Writer):
    """Writes a program whose parallel_regions (`parallel_regions.py`) run in several threads."""

    def __init__(
        self, graph: Graph, threads: int, namespace: dict[str, Any], names: Sequence[str]
    ) -> None:
        super().__init__(graph, (), namespace, names)
        self._together = thread_team(threads)
        self._functions: list[Line] = []  # the lines of tasks

    def write(self) -> Program:
        program = super().write()
        program.lines[:0] = self._functions
        return program

    def block(self, region: Graph) -> None:
        """Writes the nodes of a region."""
        pieces = list(parallel_regions(region.nodes, self.may_run_beside, self.uses.reads))
        self.keep_apart(pieces)
        for piece in pieces:
            if isinstance(piece, ParallelRegion):
                self.parallel_region(piece, region)
            else:
                self.statement(piece, region)

    def may_run_beside(self, node: Node) -> bool:
        """Whether a node may run at another time, as far as memory is concerned."""
        if node in self.replaced or self.memory.reused_operand(node) is not None:
            return False
        return node.op.updates is None or not self.memory.is_in_place(node)

    def keep_apart(self, pieces: Any) -> None:
        """Keeps values that a parallel region computes from being inlined after it."""
        made: set[Value] = set()
        for piece in pieces:
            nodes = piece.nodes if isinstance(piece, ParallelRegion) else [piece]
            self.uses.inlined -= {v for node in nodes for v in node.inputs if v in made}
            if isinstance(piece, ParallelRegion):
                made.update(v for node in nodes for v in node.outputs)

    def parallel_region(self, parallel: ParallelRegion, region: Graph) -> None:
        """Writes a parallel region: its tasks as functions, and all of it in order."""
        start = len(self.out.lines)
        made = {value for node in parallel.nodes for value in node.outputs}
        self.indent += 1
        for node in parallel.nodes:
            self.statement(node, region, [v for v in self.uses.reads(node) if v in made])
        self.indent -= 1
        serial, self.out.lines[start:] = self.out.lines[start:], []
        done = self.fresh("done")
        calls, targets = self.tasks(parallel, made)
        self.aside(f"{done} = {self.global_name('together', self._together)}({', '.join(calls)})")
        self.aside(f"if {done} is None:")
        self.out.lines += serial
        self.aside("else:")
        self.indent += 1
        self.aside(f"{', '.join(targets)} = {done}")
        self.indent -= 1
        self.aside(f"del {done}")
        if region is self.graph:
            around = dict.fromkeys(v for node in parallel.nodes for v in self.uses.reads(node))
            self.delete_dead(parallel.nodes[-1], [v for v in around if v not in made])

    def tasks(
        self, parallel: ParallelRegion, made: set[Value]
    ) -> tuple[Sequence[str], Sequence[str]]:
        """Writes the functions of the tasks; returns their calls, and the names of the results."""
        calls, targets = [], []
        for nodes in parallel.tasks:
            name = self.fresh(f"{self.out.name}_part")
            reads = dict.fromkeys(v for node in nodes for v in self.uses.reads(node))
            given = [self.names[v] for v in reads if v not in made and v in self.names]
            made_here = [v for node in nodes for v in node.outputs if v in self.names]
            wanted = [
                self.names[v] for v in made_here if self.uses.is_live_after(v, parallel.nodes[-1])
            ]
            self.task(name, list(dict.fromkeys(given)), nodes, wanted)
            calls.append(_tuple([name, *dict.fromkeys(given)]))
            targets.append(_tuple(wanted))
        return calls, targets

    def task(self, name: str, given: Any, nodes: list[Node], wanted: Any) -> None:
        """Writes the function of a task."""
        lines, self.out.lines = self.out.lines, self._functions
        indent, self.indent = self.indent, 0
        self.aside(f"def {name}({', '.join(given)}):")
        self.indent = 1
        for node in nodes:
            self.node = node
            self.plain(node)
            self.delete_dead(
                node, [v for v in self.uses.reads(node) if self.names.get(v) not in given]
            )
        self.aside(f"return {_tuple(wanted)}")
        self.indent = 0
        self.aside("")
        self.out.lines, self.indent = lines, indent


def _tuple(texts: list[str]) -> str:
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
