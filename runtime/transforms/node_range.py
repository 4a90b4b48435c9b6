"""Consecutive nodes of a region: the code that a transformation follows, or has just written."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.ir.graph import Graph, Node
from runtime.tracing.trace import Trace


@dataclass(frozen=True)
class NodeRange:
    """Consecutive nodes of a region."""

    region: Graph
    nodes: Sequence[Node]

    @classmethod
    def of(cls, recorder: Trace, function: Callable, *args: Any) -> "tuple[Any, NodeRange]":
        """The result of a function, and the nodes that the call adds to the current region."""
        region = recorder.region
        first = len(region.nodes)
        result = function(*args)
        return result, cls(region, region.nodes[first:])
