"""The pieces of a program as text, for people: `fn.native()`.

native_1(a: i64) -> counter: int                      model.py:4, 11 nodes
not native:
    print (model.py:9): the op has no machine code
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from runtime.ir.graph import Graph, Node, Value, walk


class Piece(Protocol):
    """Nodes of a graph that have become one function."""

    name: str
    nodes: list[Node]
    inputs: list[Value]
    outputs: list[Value]


def overview(pieces: Sequence[Piece], left: Iterable[tuple[Node, str]], word: str) -> str:
    """The pieces, and the nodes that are in none, with the reasons; `word` says what pieces are."""
    lines = [_heading(piece) for piece in pieces] or [f"no piece is {word}"]
    reasons = {f"    {named(node)}: {reason}": None for node, reason in left}
    return "\n".join([*lines, f"not {word}:", *reasons] if reasons else lines)


def _heading(piece: Piece) -> str:
    count = sum(1 for _ in walk(Graph("", [], piece.nodes)))
    results = _typed(piece.outputs)
    given = f"{piece.name}({_typed(piece.inputs)}) -> {results}"
    location = next((n.location for n in piece.nodes if n.location is not None), None)
    place = f"{location.short}:{location.lineno}, " if location is not None else ""
    return f"{given}    {place}{count} node{'s' if count > 1 else ''}"


def _typed(values: list[Value]) -> str:
    return ", ".join(f"{value.hint}: {value.type}" for value in values)


def named(node: Node) -> str:
    """The op of a node, with the line of the user's code."""
    name = node.op.name.strip("_")
    location = node.location
    return name if location is None else f"{name} ({location.short}:{location.lineno})"
