"""Lists in graphs that JAX records: their capacities are known before the run.

    z = []                              a place: the list that one `list_new` makes
    for i in range(5): z.append(x)      5 rows: each `append`, as often as the loops around it run
    if p: z.append(y)                   at most one more; np.stack(z) is refused then

The number of rows is found by tracing: an `append` notes how often it runs, and the graph is traced
again with the capacities that were found, until they stay.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp

from runtime.engines.xla.arithmetic import result_dtype
from runtime.engines.xla.evaluation import Rows
from runtime.engines.xla.lowering import LOWERINGS, NotLowered
from runtime.errors import ExportError
from runtime.frameworks.jax_evaluation import GraphEvaluation, lowers_in_graphs
from runtime.ir.graph import Node

JOINED = (None, (), (0,))  # the arguments of np.stack that the rows are the result of
MOST_TRACES = 20  # to find the capacities of lists; a trace finds those of one list at least


@dataclass
class Growth:
    """How far lists grow, by place; it is the `capacities` of an evaluation."""

    given: dict[int, int] = field(default_factory=dict)
    needed: dict[int, Any] = field(default_factory=dict)  # by place, as the engine's lists note it
    first: dict[int, int] = field(default_factory=dict)  # the length that a list is made with
    appended: dict[int, dict[Node, int]] = field(default_factory=dict)
    inexact: set[int] = field(default_factory=set)  # places whose length depends on the run
    exact: set[int] = field(default_factory=set)
    differs: Any = False

    def of(self, place: int) -> int:
        """The capacity of the list that a place makes."""
        return self.given.get(place, 0)

    def need(self, place: int, length: Any) -> None:
        """Nothing: what a run needs is known before it."""

    def found(self) -> dict[int, int]:
        """The capacities that the trace has found."""
        return {
            place: first + sum(self.appended.get(place, {}).values())
            for place, first in self.first.items()
        }


def traced_with_capacities(trace: Callable[[Growth], Any]) -> dict[int, int]:
    """The capacities of the lists of a graph, which `trace` traces.  Raises its `ExportError`."""
    given: dict[int, int] = {}
    for _ in range(MOST_TRACES):
        growth, problem = Growth(given), None
        try:
            trace(growth)
        except ExportError as error:
            problem = error
        if growth.found() == given:
            if problem is not None:
                raise problem
            break
        given = growth.found()
    return given


@lowers_in_graphs("list_new")
def new(run: GraphEvaluation, node: Node, *operands: Any) -> Rows:
    """A list of the operands."""
    place = len(run.capacities.needed)
    run.capacities.first[place] = len(node.inputs)
    made: Rows = LOWERINGS["list_new"](run, node, *operands)
    return made


@lowers_in_graphs("list_append")
def append(run: GraphEvaluation, node: Node, items: Any, item: Any) -> Rows:
    """The list with one element appended."""
    if run.repeats is None:
        raise NotLowered(
            "a list grows in a loop of which only the run knows the number of iterations; "
            "autograph.set_loop_options(max_iterations=...) in the loop bounds it"
        )
    if isinstance(items, Rows):
        run.capacities.appended.setdefault(items.place, {})[node] = run.repeats
        if run.is_conditional:
            run.capacities.inexact.add(items.place)
    found: Rows = LOWERINGS["list_append"](run, node, items, item)
    return found


@lowers_in_graphs("list_pop")
def pop(run: GraphEvaluation, node: Node, items: Any, index: Any) -> Any:
    """The list without the element at an index, and that element."""
    if isinstance(items, Rows):
        run.capacities.inexact.add(items.place)
    return LOWERINGS["list_pop"](run, node, items, index)


@lowers_in_graphs("list_stack", "list_joined")
def stack(run: GraphEvaluation, node: Node, items: Any) -> Any:
    """The elements as an array: the length must be known."""
    if not isinstance(items, Rows) or not items.rows.shape[0]:
        return LOWERINGS[node.op.name](run, node, items)
    check_length(run, items)
    if node.attributes.get("by", "stack") != "stack" or node.attributes.get("given") not in JOINED:
        raise NotLowered("a list is joined in another way than by np.stack along the first axis")
    return items.rows.astype(result_dtype(node))


def check_length(run: GraphEvaluation, items: Rows) -> None:
    """Raises `NotLowered` for a list whose length only the run knows."""
    if items.place in run.capacities.inexact:
        raise NotLowered("the length of a list depends on the run; XLA knows all shapes before")


@dataclass(frozen=True)
class RowsOfRun:
    """A list that a program returns, whose length only the run knows: its first rows."""

    rows: Any
    length: Any

    def elements(self) -> list[Any]:
        """The list, as one of arrays; waits for the run."""
        return list(jnp.unstack(self.rows[: int(self.length)])) if int(self.length) else []


jax.tree_util.register_dataclass(RowsOfRun, data_fields=["rows", "length"], meta_fields=[])


def elements(run: GraphEvaluation, items: Rows) -> list[Any]:
    """A list that the graph returns, as one of arrays.  Raises `NotLowered`, as above."""
    check_length(run, items)
    return list(jnp.unstack(items.rows)) if items.rows.shape[0] else []
