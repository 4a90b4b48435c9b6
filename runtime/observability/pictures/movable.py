"""What a script needs to lay a picture out again, when a box of it is folded or unfolded.

    <g class="drawing" data-layers="0|1 2|3">     the boxes of each layer from the left, by number
    <path data-path="0 2 3">                      the boxes that a line joins, and its bends

Numbers are those of the boxes in the drawing; bends have the numbers that follow.  The order in a
layer and the bends do not depend on sizes, so a script has to find the sizes and places only, as
`layout.py` does (`explorer/assets/layout.js`).
"""

from runtime.observability.pictures.drawing import Box, Drawing, Edge
from runtime.observability.pictures.layout import (
    BETWEEN,
    CHARACTER,
    GAP,
    LINE,
    PADDING,
    SIDE,
    SWEEPS,
    TITLE,
)

MEASURES = (CHARACTER, LINE, PADDING, GAP, BETWEEN, TITLE, SIDE, SWEEPS)


def numbers_of(drawing: Drawing) -> dict[Box, int]:
    """The number of each box and bend of a drawing."""
    bends = [box for layer in drawing.layers for box in layer if box not in set(drawing.boxes)]
    return {box: number for number, box in enumerate([*drawing.boxes, *bends])}


def layers_text(drawing: Drawing, numbers: dict[Box, int]) -> str:
    """The layers of a drawing as an attribute."""
    layers = [" ".join(str(numbers[box]) for box in layer) for layer in drawing.layers]
    return f' data-layers="{"|".join(layers)}" data-repeats="{int(drawing.repeats)}"'


def path_text(edge: Edge, numbers: dict[Box, int]) -> str:
    """The way of a line as an attribute."""
    return f' data-path="{" ".join(str(numbers[box]) for box in edge.path)}"'
