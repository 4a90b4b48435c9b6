"""The cut of a graph into pieces for XLA, and the graph in which they are calls.

A piece is a longest run of nodes, in program order, that all have an equivalent in XLA, with
everything inside them (`engines/piece_calls.py`).  A loop or branch that has none stays in the
NumPy program as a whole: XLA would be called in each iteration.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engines.piece_calls import calling_nodes, results_of, used_after, views_used
from runtime.engines.xla.compiled_piece import ERRORS, CompiledPiece
from runtime.engines.xla.evaluation import Evaluation, check_type
from runtime.engines.xla.lists import Capacities
from runtime.engines.xla.lowering import NotLowered
from runtime.ir.graph import Graph, Node, Value, copy, operand_type, walk
from runtime.ir.traits import FREE
from runtime.ir.types import ListType, PythonType, TensorType, has_unknown_size, is_array

ASSUMED = 4  # a size that only the run knows, while the cut tries which nodes have an equivalent


@dataclass
class Cut:
    """A graph with pieces, and why other nodes are none."""

    graph: Graph
    pieces: list[CompiledPiece] = field(default_factory=list)
    left: list[tuple[Node, str]] = field(default_factory=list)


def cut(graph: Graph) -> Cut:
    """The graph with its pieces; the graph itself is left as it is."""
    found = Cut(copy(graph))
    whole = found.graph
    reasons = _reasons(whole)
    _leave_open_blocks(whole.nodes, reasons)
    nodes: list[Node] = []
    place = 0
    for run in _runs(whole.nodes, reasons):
        used = used_after(whole.nodes[place + len(run) :], whole)
        nodes += _replaced(found, run, used, reasons) or run
        place += len(run)
    whole.nodes[:] = nodes
    found.left = [(node, reason) for node, reason in reasons.items()]
    return found


def _leave_open_blocks(nodes: list[Node], reasons: dict[Node, str]) -> None:
    """Gives a reason to the ends of `np.errstate` blocks of which one piece has not both."""
    open_blocks: list[Node] = []
    for node in nodes:
        if node.op.name == "enter_errors":
            open_blocks.append(node)
        elif node.op.name == "leave_errors" and open_blocks:
            start = open_blocks.pop()
            inside = nodes[nodes.index(start) : nodes.index(node)]
            if any(one in reasons for one in inside):
                reasons[start] = reasons[node] = "a block of np.errstate has nodes in NumPy"


def _runs(nodes: list[Node], reasons: dict[Node, str]) -> Iterator[list[Node]]:
    """All nodes, divided into longest runs without a reason and single other nodes."""
    run: list[Node] = []
    for node in nodes:
        if node not in reasons:
            run.append(node)
            continue
        if run:
            yield run
        yield [node]
        run = []
    if run:
        yield run


def _replaced(
    found: Cut, run: list[Node], used: set[Value], reasons: dict[Node, str]
) -> list[Node]:
    """The nodes in place of a run; none if it is no piece."""
    if run[0] in reasons or all(node.op.traits.cost is FREE for node in run):
        return []
    shown = views_used(run, used, _is_view_node)
    used = used | {v for node in shown for v in node.inputs if isinstance(v, Value)}
    outputs = results_of(run, used, [node for node in run if _is_view_node(node)])
    if any(isinstance(v.type, ListType) and is_array(v.type.element) for v in outputs):
        reasons[run[0]] = "a list of arrays is used by what NumPy computes"
        return []
    if not outputs:
        return []
    piece = CompiledPiece(f"xla_{len(found.pieces) + 1}", run, outputs)
    found.pieces.append(piece)
    return [*calling_nodes(run, piece.inputs, outputs, piece.name, piece), *shown]


def _is_view_node(node: Node) -> bool:
    """Whether the result of a node shares memory with an operand."""
    return node.op.shares and bool(node.inputs) and is_array(node.outputs[0].type)


# -- which nodes have an equivalent ----------------------------------------------------------------


def _reasons(graph: Graph) -> dict[Node, str]:
    """Why nodes of a graph have no equivalent, found by tracing them with JAX."""
    reasons: dict[Node, str] = {}

    def attempt(zero: Any) -> Any:
        run = _opaque(zero, graph.inputs)
        for node in graph.nodes:
            reason = _reason(run, node)
            if reason is None:
                continue
            reasons[node] = reason
            run = _opaque(zero, [*run.values, *node.outputs])
        return zero

    with jax.enable_x64(True):
        jax.eval_shape(attempt, np.float64(0))
    return reasons


def _reason(run: Evaluation, node: Node) -> str | None:
    values = [v for n in walk(Graph("", [], [node])) for v in (*n.inputs, *n.outputs)]
    try:
        for value in values:
            check_type(operand_type(value))
        run.node(node)
    except NotLowered as error:
        return str(error)
    except ERRORS as error:
        if not any(has_unknown_size(operand_type(value)) for value in values):
            return str(error).partition("\n")[0]
        for value in node.outputs:
            run.define(value, _placeholder(jnp.float64(0), value))
    return None


def _opaque(zero: Any, values: Any) -> Evaluation:
    """A state in which values are unknown to JAX, as the inputs of a piece are."""
    run = Evaluation()
    run.capacities = Capacities({}, {}, set())
    for value in values:
        if isinstance(value.type, (TensorType, PythonType)):
            run.define(value, _placeholder(zero, value))
        else:
            run.values[value] = None
    return run


def _placeholder(zero: Any, value: Value) -> Any:
    kind: Any = value.type
    shape = tuple(size if isinstance(size, int) else ASSUMED for size in kind.shape)
    return jnp.broadcast_to(zero.astype(kind.dtype), shape)
