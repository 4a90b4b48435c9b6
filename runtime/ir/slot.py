"""Slots: positions for operands in the attributes of a node.

(_0, slice(1, _1, None))         x[i, 1:n], for the operands i and n
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Slot:
    """The position of an operand in an attribute; printed as `_0`, `_1`..."""

    index: int

    def __repr__(self) -> str:
        return f"_{self.index}"


def fill_slots(template: Any, operands: Sequence[Any]) -> Any:
    """A subscript, or the arguments of a function, with the operands in its slots."""
    match template:
        case Slot(index):
            return operands[index]
        case tuple():
            return tuple(fill_slots(part, operands) for part in template)
        case slice():
            bounds = (template.start, template.stop, template.step)
            return slice(*(fill_slots(bound, operands) for bound in bounds))
    return template
