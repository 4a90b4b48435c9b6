"""What a program runs as machine code, as text: `fn.native()`.

native_1(a: i64) -> counter: int                      model.py:4, 11 nodes
not native:
    print (model.py:9): the op has no machine code
"""

from dataclasses import dataclass

from runtime.engines.native.pieces import Piece
from runtime.ir.graph import Graph, Node, Value, walk

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
        return "\n".join(_overview(found))
    texts = [piece.code.ir if what == "ir" else piece.code.assembly for piece in found.pieces]
    return "\n".join(texts)


def _overview(found: Pieces) -> list[str]:
    lines = [_heading(piece) for piece in found.pieces] or ["no piece is native"]
    reasons = {f"    {_named(node)}: {reason}": None for node, reason in found.left}
    return [*lines, "not native:", *reasons] if reasons else lines


def _heading(piece: Piece) -> str:
    count = sum(1 for _ in walk(Graph("", [], piece.nodes)))
    results = _typed(piece.outputs)
    given = f"{piece.name}({_typed(piece.inputs)}) -> {results}"
    location = next((n.location for n in piece.nodes if n.location is not None), None)
    place = f"{location.short}:{location.lineno}, " if location is not None else ""
    return f"{given}    {place}{count} node{'s' if count > 1 else ''}"


def _typed(values: list[Value]) -> str:
    return ", ".join(f"{value.hint}: {value.type}" for value in values)


def _named(node: Node) -> str:
    name = node.op.name.strip("_")
    location = node.location
    return name if location is None else f"{name} ({location.short}:{location.lineno})"
