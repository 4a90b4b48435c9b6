"""Instruments: what looks into a run, written into a program of its own.

    _enter(3)                       Timed
    scores = q @ k                  the operation, in a statement of its own
    _leave()                        Timed
    _check(3, scores, q, k)         Checked (`nan_checks.py`)

The program without instruments is another one, and knows nothing of them.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from runtime.ir.graph import Node

if TYPE_CHECKING:
    from runtime.engines.numpy.codegen import Writer


class Instrument:
    """What is written around the operations of a program, and around the regions of an operation;
    nothing, unless a subclass says so."""

    def start(self, writer: "Writer") -> None:
        """In front of everything."""

    def before(self, writer: "Writer", node: Node) -> None:
        """In front of a node."""

    def after(self, writer: "Writer", node: Node) -> None:
        """Behind a node."""

    def open(self, writer: "Writer", node: Node, region: str) -> None:
        """At the start of a branch, or of a loop's turn."""

    def close(self, writer: "Writer", node: Node, region: str) -> None:
        """At its end."""


class Span(NamedTuple):
    """What is timed: a node, or one of its regions."""

    node: Node
    region: str = ""


class Timed(Instrument):
    """Tells a clock when operations, branches and turns start and end.

    `clock` gives, at the start of a run, the functions that are called then: one takes the number
    of a span (see `spans`), the other ends the span that was entered last.
    """

    def __init__(self, clock: Callable[[], tuple[Callable[[int], None], Callable[[], None]]]):
        self.spans: list[Span] = []
        self._clock = clock
        self._enter = self._leave = ""

    def start(self, writer):
        self._enter, self._leave = writer.fresh("_enter"), writer.fresh("_leave")
        writer.aside(f"{self._enter}, {self._leave} = {writer.global_name('clock', self._clock)}()")

    def before(self, writer, node):
        if node.op.name != "constant":
            self.open(writer, node, "")

    def after(self, writer, node):
        if node.op.name != "constant":
            self.close(writer, node, "")

    def open(self, writer, node, region):
        writer.aside(f"{self._enter}({len(self.spans)})")
        self.spans.append(Span(node, region))

    def close(self, writer, node, region):
        writer.aside(f"{self._leave}()")
