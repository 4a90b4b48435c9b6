"""Programs of the NumPy engine that call pieces which XLA has compiled."""

from runtime.engines.numpy import Compiled
from runtime.engines.piece_view import overview
from runtime.engines.registry import Options
from runtime.engines.xla import (
    arithmetic,
    arrays,
    control_flow,
    lists,
    random_numbers,
    subscripts,
)
from runtime.engines.xla.pieces import Cut, cut
from runtime.ir.graph import Graph

LOWERINGS = (
    arithmetic,
    arrays,
    control_flow,
    lists,
    random_numbers,
    subscripts,
)  # they fill the table


class XlaProgram(Compiled):
    """A program of the NumPy engine that calls pieces."""

    def __init__(self, found: Cut, options: Options) -> None:
        super().__init__(found.graph, options)
        self.pieces, self.left = found.pieces, found.left

    def native(self, what: str) -> str:
        """The pieces and what NumPy computes; or XLA's program, `ir`, for the calls so far.

        Raises `ValueError` for another word.
        """
        if what not in ("pieces", "ir"):
            raise ValueError(f"native() shows pieces, ir for the engine 'xla', not {what!r}")
        if what == "ir":
            return "\n".join(piece.text() for piece in self.pieces)
        given_up = [
            (piece.nodes[0], f"{piece.name} for operands of shapes {key[0]}: {reason}")
            for piece in self.pieces
            for key, reason in piece.reasons.items()
        ]
        return overview(self.pieces, [*self.left, *given_up], "on a device")


def compiled(graph: Graph, options: Options) -> XlaProgram:
    """The program of a graph."""
    return XlaProgram(cut(graph), options)
