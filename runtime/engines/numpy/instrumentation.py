"""Instruments: statements that a generated program has besides the operations.

    _enter(3)                       TimedStatements (`engines/timing.py`)
    scores = q @ k                  the operation, in a statement of its own
    _leave()                        TimedStatements
    _check(3, scores, q, k)         CheckedStatements (`engines/nan_checks.py`)

The program without instruments is a different one.
"""

from typing import TYPE_CHECKING

from runtime.engines.nan_checks import NanCheck
from runtime.engines.timing import Timer
from runtime.ir.graph import Node

if TYPE_CHECKING:
    from runtime.engines.numpy.codegen import Writer


class Instrument:
    """Writes statements around the operations of a program, and around the regions of an
    operation; none, unless a subclass does."""

    def start(self, writer: "Writer") -> None:
        """Before everything."""

    def before(self, writer: "Writer", node: Node) -> None:
        """Before a node."""

    def after(self, writer: "Writer", node: Node) -> None:
        """After a node."""

    def open(self, writer: "Writer", node: Node, region: str) -> None:
        """At the start of a branch, or of a loop's iteration."""

    def close(self, writer: "Writer", node: Node, region: str) -> None:
        """At its end."""


class TimedStatements(Instrument):
    """Calls a timer's clock when operations, branches and iterations start and end."""

    def __init__(self, timer: Timer) -> None:
        self._timer = timer
        self._enter = self._leave = ""

    def start(self, writer: "Writer") -> None:
        self._enter, self._leave = writer.fresh("_enter"), writer.fresh("_leave")
        clock = writer.global_name("clock", self._timer.clock)
        writer.aside(f"{self._enter}, {self._leave} = {clock}()")

    def before(self, writer: "Writer", node: Node) -> None:
        if self._timer.times(node):
            self.open(writer, node, "")

    def after(self, writer: "Writer", node: Node) -> None:
        if self._timer.times(node):
            self.close(writer, node, "")

    def open(self, writer: "Writer", node: Node, region: str) -> None:
        writer.aside(f"{self._enter}({self._timer.number(node, region)})")

    def close(self, writer: "Writer", node: Node, region: str) -> None:
        writer.aside(f"{self._leave}()")


class CheckedStatements(Instrument):
    """Calls a check with the results and operands of each operation."""

    def __init__(self, check: NanCheck) -> None:
        self._check = check
        self._name = ""

    def start(self, writer: "Writer") -> None:
        self._name = writer.global_name("check", self._check.check)

    def after(self, writer: "Writer", node: Node) -> None:
        number = self._check.number(node)
        if number is None:
            return
        results = list(map(writer.operand, node.outputs))
        result = results[0] if len(results) == 1 else f"({', '.join(results)})"
        arguments = [str(number), result, *map(writer.operand, node.inputs)]
        writer.aside(f"{self._name}({', '.join(arguments)})")
