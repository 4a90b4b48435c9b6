"""Places for operands in attributes: subscripts and arguments with slots.

(_0, slice(1, _1, None))         x[i, 1:n], for the operands i and n
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Slot:
    """Stands for an operand in an attribute; printed as `_0`, `_1`..."""

    index: int

    def __repr__(self):
        return f"_{self.index}"


def filled(template, operands):
    """A subscript, or the arguments of a function, with its slots filled."""
    match template:
        case Slot(index):
            return operands[index]
        case tuple():
            return tuple(filled(part, operands) for part in template)
        case slice():
            return slice(
                *(filled(part, operands) for part in (template.start, template.stop, template.step))
            )
    return template
