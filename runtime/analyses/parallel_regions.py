"""Parallel regions: runs of operations that fall into independent tasks.

    a = x @ x           task 1
    b = np.exp(y)       task 2
    c = a @ x           task 1
    d = b.sum()         task 2        a region of two tasks
    e = c * d                         needs both: after the region

A region is a sequence of operations without effects.  Operations that depend on each other, also
indirectly, are one task; small tasks are merged with others.  A region is worth its threads if it
saves at least `LEAST_GAIN`, by the figures of `cost_model.py`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from runtime.analyses.cost_model import cost
from runtime.ir.graph import Node, Value

# Nanoseconds.
LEAST_GAIN = 200_000.0
LEAST_TASK = 50_000.0  # a cheaper task is merged with another one
START = 50_000.0  # to hand a task to a thread, and wait for it
SWITCH = 15_000.0  # to acquire the interpreter's lock, for each operation
FARTHEST = 128  # operations with a cost in one region


@dataclass(frozen=True)
class ParallelRegion:
    """Operations in program order, and the tasks that they fall into."""

    nodes: list[Node]
    tasks: list[list[Node]]


class _Tasks:
    """Sets of dependent nodes, joined as nodes are added (union-find)."""

    def __init__(self) -> None:
        self._makers: dict[Value, Node] = {}
        self._above: dict[Node, Node] = {}
        self._costs: dict[Node, float] = {}
        self.total = self.largest = 0.0  # the cost of all tasks, and of the most expensive one
        self.count = 0  # of operations that cost something
        self.large: set[Node] = set()  # the tasks that are worth a thread

    def root(self, node: Node) -> Node:
        """The node that represents a node's task."""
        while self._above[node] is not node:
            self._above[node] = node = self._above[self._above[node]]
        return node

    def add(self, node: Node, price: float, reads: Any) -> None:
        """Adds a node, and joins the tasks that it depends on."""
        self._above[node], self._costs[node] = node, price
        for value in reads:
            other = self._makers.get(value)
            if other is not None:
                self._join(node, self.root(other))
        self._makers.update(dict.fromkeys(node.outputs, node))
        self.total += price
        self.count += price > 0
        root = self.root(node)
        self.largest = max(self.largest, self._costs[root])
        if self._costs[root] >= LEAST_TASK:
            self.large.add(root)

    def _join(self, node: Node, other: Node) -> None:
        root = self.root(node)
        if root is not other:
            self._above[other] = root
            self._costs[root] += self._costs[other]
            self.large.discard(other)

    @property
    def gain(self) -> float:
        """The time that threads save."""
        if len(self.large) < 2:
            return 0.0
        together = START * (len(self.large) - 1) + SWITCH * self.count
        return self.total - self.largest - together


def parallel_regions(
    nodes: list[Node], may_run_beside: Callable[[Node], bool], reads: Callable[[Node], list[Value]]
) -> Iterator[Node | ParallelRegion]:
    """The nodes in program order; those of a parallel region come as one."""
    prices = [cost(node) if may_run_beside(node) else None for node in nodes]
    known = {node: reads(node) for node in nodes}
    place = 0
    while place < len(nodes):
        end = _end(nodes, prices, place, known) if prices[place] else None
        if end is None:
            yield nodes[place]
            place += 1
        else:
            yield _region(nodes[place:end], prices[place:end], known)
            place = end


def _end(nodes: list[Node], prices: Any, start: Any, reads: Any) -> Any:
    """The end of the best region that starts at a node; None if none is worth it."""
    tasks, best, end = _Tasks(), LEAST_GAIN, None
    for place in range(start, len(nodes)):
        price = prices[place]
        if price is None or tasks.count == FARTHEST:
            break
        tasks.add(nodes[place], price, reads[nodes[place]])
        if tasks.gain > best:
            best, end = tasks.gain, place + 1
    return end


def _region(nodes: list[Node], prices: Any, reads: Any) -> Any:
    tasks = _Tasks()
    for node, price in zip(nodes, prices, strict=True):
        tasks.add(node, price, reads[node])
    found: dict[Node, list[Node]] = {root: [] for root in map(tasks.root, nodes)}
    found = {root: [] for root in found if root in tasks.large}
    last = next(reversed(found))
    for node in nodes:
        root = tasks.root(node)
        found[root if root in found else last].append(node)
    return ParallelRegion(nodes, list(found.values()))
