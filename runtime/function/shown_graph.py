"""Views of one graph of a function: after each pass, line by line, and in notebooks."""

from runtime.function.outcomes import Outcomes, outcomes_of
from runtime.ir.graph import Graph, copy, walk
from runtime.observability.notebooks import LARGEST, shown
from runtime.passes.snapshots import Snapshot, history, snapshots


class ShownGraph:
    """The views of a `ConcreteFunction`."""

    name: str

    @property
    def optimized(self) -> Graph:
        """A copy of the graph after all passes, which the engine compiles."""
        return copy(self.compiled.graph)

    def passes(self) -> list[Snapshot]:
        """The graph as it was recorded, and after each pass; values keep their names.

        `print(snapshot)` shows one of them, with signs for lines that are new, changed or removed.
        """
        return snapshots(self.graph)

    def history(self, name: str) -> list[tuple[str, str]]:
        """The effect of each pass on a value: pairs of the pass and its effect.

        `name` is one in `passes()`.  The first pair has the line that defines the value; the others
        say that it was changed, moved, removed, or replaced by another.  Raises `ValueError` for a
        name that no value has.
        """
        found = history(self.passes(), name)
        if not found:
            raise ValueError(f"the graph of {self.name} has no value {name!r}")
        return found

    def explain(self) -> Outcomes:
        """The outcome of each line: staged, unrolled, operations, a call, or Python.

        `autograph.explain(f)` tells for each line how it can be staged, whatever the arguments.
        """
        return outcomes_of(self.__wrapped__, self.graph, self.loops)

    def _repr_html_(self) -> str:
        """The graph in a notebook: a picture, what happened to each line, the program."""
        graph = self.optimized
        is_drawn = sum(1 for _ in walk(graph)) <= LARGEST
        picture = f'<div style="overflow:auto">{graph.to_svg()}</div>' if is_drawn else ""
        texts = {"Lines": str(self.explain()), "Graph": str(graph), "Program": self.source}
        return shown(repr(self), picture, texts)
