"""What a program runs as machine code, as text: `fn.native()` (`engines/piece_view.py`)."""

from dataclasses import dataclass

from runtime.engines.native import llvm
from runtime.engines.native.pieces import Piece
from runtime.engines.piece_view import overview
from runtime.ir.graph import Node

KINDS = ("pieces", "ir", "assembly")


@dataclass(frozen=True)
class Pieces:
    """The pieces of a program, and the nodes that are in none, with the reasons."""

    pieces: list[Piece]
    left: list[tuple[Node, str]]


def shown(found: Pieces, what: str) -> str:
    """The pieces as text: `pieces`, their LLVM `ir`, or their `assembly`.

    Raises `ValueError` for another word.
    """
    if what not in KINDS:
        raise ValueError(f"native() shows {', '.join(KINDS)}, not {what!r}")
    if what == "pieces":
        return overview(found.pieces, found.left, "native")
    if what == "ir":
        return "\n".join(piece.ir for piece in found.pieces)
    return "\n".join(llvm.assembly(piece.ir, piece.effort) for piece in found.pieces)
