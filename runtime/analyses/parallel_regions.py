"""Windows: runs of operations that fall into parts which do not need each other.

    a = x @ x           part 1
    b = np.exp(y)       part 2
    c = a @ x           part 1
    d = b.sum()         part 2        a window of two parts
    e = c * d                         needs both: behind the window

A window is a piece of the program without effects; within it, a part is what hangs together.  Small
parts are put with another one.  A window is worth its threads if it saves `LEAST_GAIN`, by the
figures of `analyses/cost_model.py`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from runtime.analyses.cost_model import cost
from runtime.ir.graph import Node

# Nanoseconds.
LEAST_GAIN = 200_000.0
LEAST_PART = 50_000.0  # what is less is no part of its own
START = 50_000.0  # handing a part to a thread, and waiting for it
TURN = 15_000.0  # taking turns at Python's interpreter, for each operation
FARTHEST = 128  # operations of some cost from the start of a window to its end


@dataclass(frozen=True)
class Window:
    """Operations in program order, and the parts that they fall into."""

    nodes: list[Node]
    parts: list[list[Node]]


class _Parts:
    """Sets of nodes that hang together, joined as nodes are added (union-find)."""

    def __init__(self) -> None:
        self._makers: dict = {}
        self._above: dict[Node, Node] = {}
        self._costs: dict[Node, float] = {}
        self.total = self.largest = 0.0  # the costs of all, and of the part that costs most
        self.count = 0  # of operations that cost something
        self.large: set[Node] = set()  # the parts that deserve a thread

    def root(self, node: Node) -> Node:
        """The node that stands for a node's part."""
        while self._above[node] is not node:
            self._above[node] = node = self._above[self._above[node]]
        return node

    def add(self, node: Node, price: float, reads) -> None:
        """Adds a node, which joins the parts that it reads from."""
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
        if self._costs[root] >= LEAST_PART:
            self.large.add(root)

    def _join(self, node, other):
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
        together = START * (len(self.large) - 1) + TURN * self.count
        return self.total - self.largest - together


def windows(
    nodes: list[Node], may_run_beside: Callable[[Node], bool], reads: Callable[[Node], list]
) -> Iterator[Node | Window]:
    """The nodes in program order; those of a window come as one."""
    prices = [cost(node) if may_run_beside(node) else None for node in nodes]
    known = {node: reads(node) for node in nodes}
    place = 0
    while place < len(nodes):
        end = _end(nodes, prices, place, known) if prices[place] else None
        if end is None:
            yield nodes[place]
            place += 1
        else:
            yield _window(nodes[place:end], prices[place:end], known)
            place = end


def _end(nodes, prices, start, reads):
    """Where the best window ends that starts at a node; None where none is worth it."""
    parts, best, end = _Parts(), LEAST_GAIN, None
    for place in range(start, len(nodes)):
        price = prices[place]
        if price is None or parts.count == FARTHEST:
            break
        parts.add(nodes[place], price, reads[nodes[place]])
        if parts.gain > best:
            best, end = parts.gain, place + 1
    return end


def _window(nodes, prices, reads):
    parts = _Parts()
    for node, price in zip(nodes, prices, strict=True):
        parts.add(node, price, reads[node])
    found: dict[Node, list[Node]] = {root: [] for root in map(parts.root, nodes)}
    found = {root: [] for root in found if root in parts.large}
    last = next(reversed(found))
    for node in nodes:
        root = parts.root(node)
        found[root if root in found else last].append(node)
    return Window(nodes, list(found.values()))
