"""The lowerings: for each op that has machine code, the function that writes it.

    @lowers("negative")
    def negative(emitter, node):
        ...
        emitter.result(node, register)

    @lowers_complex("negative")
    def negative_of_complex(emitter, node): ...       where a scalar of the node is complex

An operation on a scalar of which a run decides the kind is written for each kind
(`mixed_scalars.py`).

A lowering raises `NotLowered` for operands that it has no code for.  Such a node stays in the NumPy
program, and `fn.native()` shows the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from runtime.engines.native.kinds import NotLowered, is_mixed, is_number, part_of
from runtime.ir.graph import Node, Operand, operand_type
from runtime.ir.types import Type
from runtime.ops.unions import PREFIX

if TYPE_CHECKING:
    from runtime.engines.native.emitter import Emitter

Lowering = Callable[["Emitter", Node], None]

Writer = Callable[["Emitter", Iterable[Node]], None]

_lowerings: dict[str, Lowering] = {}
_of_complex: dict[str, Lowering] = {}  # of scalars
_of_mixed: list[Lowering] = []  # for scalars of which a run decides the kind
_general: list[Lowering] = []  # for all other ops
_calls: list[Lowering] = []  # of NumPy, for operations on arrays
_writers: list[Writer] = []  # of the nodes of a region


REASONS = {  # op names: why some ops have no machine code
    "ask": "{function} has a state outside of the graph",
    "drawn": "NumPy draws the numbers of rt.random.{method}",
    "advanced": "it belongs to a number of rt.random, which NumPy draws",
    "host_call": "it calls a function of Python",
    "library_call": "it calls a function of a package",
    "ordered_library_call": "it calls a function of a package",
}


def lowers(*names: str) -> Callable[[Lowering], Lowering]:
    """Registers a function as the lowering of ops: a decorator."""

    return _registration(_lowerings, names)


def lowers_complex(*names: str) -> Callable[[Lowering], Lowering]:
    """Registers a function as the lowering of ops for complex scalars: a decorator."""
    return _registration(_of_complex, names)


def _registration(
    table: dict[str, Lowering], names: tuple[str, ...]
) -> Callable[[Lowering], Lowering]:
    def register(lowering: Lowering) -> Lowering:
        for name in names:
            if table.setdefault(name, lowering) is not lowering:
                raise ValueError(f"there are two lowerings of {name}")
        return lowering

    return register


def lowers_mixed(lowering: Lowering) -> Lowering:
    """Registers a function as the lowering of ops on scalars of which a run decides the kind, for
    all ops that have one for each kind: a decorator."""
    _of_mixed.append(lowering)
    return lowering


def lowers_others(lowering: Lowering) -> Lowering:
    """Registers a function as the lowering of all ops that have none by name: a decorator."""
    _general.append(lowering)
    return lowering


def calls_numpy(lowering: Lowering) -> Lowering:
    """Registers the function that writes a call of NumPy in place of a kernel: a decorator."""
    _calls.append(lowering)
    return lowering


def numpy_call() -> Lowering:
    """The function that writes a call of NumPy.  Raises `NotLowered` where there may be none."""
    return _calls[0]


def writes_nodes(writer: Writer) -> Writer:
    """Registers the function that writes several nodes, some of them together: a decorator."""
    _writers.append(writer)
    return writer


def writer() -> Writer:
    """The function that writes several nodes."""
    return _writers[0]


def lowering_of(node: Node) -> Lowering:
    """The lowering of a node's op.  Raises `NotLowered` if there is none."""
    if _has_mixed_scalar(node):
        return _of_mixed[0]
    name = node.op.name.removeprefix(PREFIX)
    found = _of_complex.get(name) if _has_complex_scalar(node) else None
    found = found or _lowerings.get(name) or next(iter(_general), None)
    if found is None:
        raise NotLowered(why_none(node))
    return found


def _has_complex_scalar(node: Node) -> bool:
    operands = (*node.inputs, *node.outputs)
    return any(part_of(operand_type(operand)) is not None for operand in operands)


def _has_mixed_scalar(node: Node) -> bool:
    """Whether a scalar of an operation on scalars may have several kinds."""
    if node.regions or node.op.effect is not None or not any(map(is_mixed, _types(node.inputs))):
        return False
    return all(map(is_number, _types((*node.inputs, *node.outputs))))


def _types(operands: Iterable[Operand]) -> list[Type]:
    return [operand_type(operand) for operand in operands]


def why_none(node: Node) -> str:
    """Why an op has no lowering."""
    reason = REASONS.get(node.op.name, "the op has no machine code")
    return reason.format_map(node.attributes)


def advice(node: Node) -> str:
    """What a reason adds for a node in a loop: how the loop gets machine code."""
    if node.op.name not in ("ask", "drawn"):
        return ""
    return "; call it before the loop (random numbers with `size=n`): then the loop has some"


def lowered_names() -> list[str]:
    """The names of the ops that have a lowering."""
    return sorted({*_lowerings, *_of_complex})
