"""Times the operations of a run, for profiles (`observability/profiles.py`).

    enter, leave = timer.clock()     at the start of a run
    enter(3)                         span 3 starts: an operation, a branch, or a loop's iteration
    ...
    leave()                          the span that was entered last ends

An executable that is compiled with a timer makes these calls; one without knows nothing of them.
"""

from collections.abc import Callable
from typing import NamedTuple

from runtime.ir.graph import Node

Clock = Callable[[], tuple[Callable[[int], None], Callable[[], None]]]


class TimedSpan(NamedTuple):
    """A node that is timed, or one of its regions."""

    node: Node
    region: str = ""


class Timer:
    """Numbers the spans of one executable.

    `clock` returns, at the start of a run, the functions `enter` and `leave`: `enter` takes the
    number of a span, `leave` ends the span that was entered last.  `sources` has the nodes of the
    graph by those that a program has in their place.
    """

    def __init__(self, clock: Clock) -> None:
        self.spans: list[TimedSpan] = []
        self.sources: dict[Node, Node] = {}
        self.clock = clock

    def number(self, node: Node, region: str = "") -> int:
        """Adds a span, and returns its number."""
        self.spans.append(TimedSpan(self.sources.get(node, node), region))
        return len(self.spans) - 1

    @staticmethod
    def times(node: Node) -> bool:
        """Whether a node is timed: constants take no time."""
        return bool(node.op.name != "constant")
