"""The constants of branches and loops, and the statements that bind them.

    counter = 0                              no node computes the 0 and the 1.0 of
    while x > 1:
        x = x / 2                            x_3, counter = loop(p, x, 0, body=body)
        counter = 1.0

A scalar of Python among the operands of a node has no location.  A node with regions therefore
keeps a `Binding` for each variable that a constant is bound to.  Passes may replace the constants,
so a binding counts only as long as its variable has one.
"""

from collections.abc import Iterator
from typing import NamedTuple

from runtime.ir.graph import Location, Node, Operand, Value
from runtime.ir.regions import is_loop


class BoundConstant(NamedTuple):
    """A constant of a branch or loop, and where the user's code binds it.

    `place` counts the variables: the carried variables of a loop, the results of a branch.
    """

    name: str
    region: str
    place: int
    constant: bool | int | float | complex
    location: Location


def bound_constants(node: Node) -> Iterator[BoundConstant]:
    """The constants of a node whose statements are known."""
    locations = {(one.name, one.region): one.location for one in node.bindings}
    if not locations:
        return
    names = [value.hint for value in node.outputs]
    for region, operands in _ends(node):
        for place, (name, operand) in enumerate(zip(names, operands, strict=False)):
            location = locations.get((name, region))
            if location is not None and not isinstance(operand, Value):
                yield BoundConstant(name, region, place, operand, location)


def _ends(node: Node) -> Iterator[tuple[str, list[Operand]]]:
    """The operands that variables have at the start of a loop, and at the end of each region."""
    if is_loop(node):
        yield "", list(node.inputs[1:])
        yield "body", node.regions["body"].outputs[1:]
        return
    for role, region in node.regions.items():
        yield role, region.outputs
