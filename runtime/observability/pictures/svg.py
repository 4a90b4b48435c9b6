"""A graph as a picture: `graph.to_svg()`.

Operations are boxes, branches and loops are boxes with graphs inside, lines lead from values to
their uses.  A thick arrow leads from the results of a loop's body back to its inputs.  Tooltips
have the full text of an operation, its type and the user's line.  The picture needs no script;
classes and `data-line` let a page style it, and its colours follow the page (`currentColor`).
"""

from collections.abc import Iterator
from html import escape

from runtime.ir.graph import Graph, presents_graphs
from runtime.observability.pictures.drawing import (
    CAPTURE,
    CONSTANT,
    INPUT,
    RESULT,
    Box,
    Drawing,
    Edge,
    drawing_of,
)
from runtime.observability.pictures.layout import PADDING, SIDE, TITLE, place
from runtime.observability.pictures.movable import MEASURES, layers_text, numbers_of, path_text

OPENED = "\N{BLACK DOWN-POINTING SMALL TRIANGLE}"  # of a box whose regions are shown

STYLE = (
    "text{font:12px ui-monospace,monospace;fill:currentColor}"
    ".title{font-weight:600;fill-opacity:.7}"
    "rect{fill:currentColor;fill-opacity:.03;stroke:currentColor;stroke-opacity:.35}"
    "path{fill:none;stroke:currentColor;stroke-opacity:.45}"
    ":is(.capture rect,.order){stroke-dasharray:3 3}.back{stroke-width:2.5;stroke-opacity:.6}"
    ".head{fill:currentColor;fill-opacity:.6;stroke:none}"
)


@presents_graphs("svg")
def to_svg(graph: Graph, depth: int | None = None) -> str:
    """The graph as an SVG picture; branches and loops nested deeper than `depth` are folded."""
    return svg_of(drawing_of(graph, depth))


def svg_of(drawing: Drawing, movable: bool = False) -> str:
    """A drawing as an SVG picture; the places of its boxes are filled.

    In a `movable` one boxes with regions have a button that folds them, for the script of a page.
    """
    place(drawing)
    width, height = round(drawing.width), round(drawing.height)
    body = "\n".join(_drawing(drawing, movable))
    role = "group" if movable else "img"  # an image has no buttons for screen readers
    measures = f' data-measures="{" ".join(map(str, MEASURES))}"' if movable else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="{role}" class="graph"{measures} '
        f"aria-label={_attribute(f'the graph of {drawing.title}')}>\n"
        f"<style>.graph {STYLE.replace('}', '}.graph ').removesuffix('.graph ')}</style>\n"
        f"{body}\n</svg>"
    )


def _drawing(drawing: Drawing, movable: bool, inside: bool = False) -> Iterator[str]:
    numbers = numbers_of(drawing) if movable else {}
    if movable:
        yield f'<g class="drawing"{layers_text(drawing, numbers)}>'
    if inside:
        yield (
            f'<rect class="ground" x="{drawing.x:.1f}" y="{drawing.y:.1f}" '
            f'width="{drawing.width:.1f}" height="{drawing.height:.1f}" rx="5"/>'
        )
    yield _text(drawing.x + PADDING, drawing.y + TITLE - 8, drawing.title, "title")
    if drawing.repeats:
        yield from _way_back(drawing)
    for edge in drawing.edges:
        yield _edge(edge, path_text(edge, numbers) if movable else "")
    for box in drawing.boxes:
        yield from _box(box, movable)
    if movable:
        yield "</g>"


def _box(box: Box, movable: bool) -> Iterator[str]:
    line = "" if box.location is None else f' data-line="{box.location.lineno}"'
    yield f'<g class="{box.kind}{" folded" * box.folded}"{line}>'
    yield f"<title>{_escaped(box.tooltip)}</title>"
    round_ = 12 if box.kind in (INPUT, CAPTURE, CONSTANT, RESULT) else 5
    yield (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="{round_}"/>'
    )
    yield _text(box.x + PADDING, box.y + 16, box.text)
    if movable and box.drawings:
        yield (
            f'<text class="fold" x="{box.x + 2:.1f}" y="{box.y + 16:.1f}" role="button" '
            f'tabindex="0" aria-expanded="true" aria-label={_attribute(f"regions of {box.text}")}>'
            f"{OPENED}</text>"
        )
    for drawing in box.drawings.values():
        yield from _drawing(drawing, movable, True)
    yield "</g>"


def _edge(edge: Edge, path_attribute: str) -> str:
    """A line that is vertical at each of its points."""
    (x, y), *others = edge.points
    path = [f"M{x:.1f} {y:.1f}"]
    for to_x, to_y in others:
        middle = (y + to_y) / 2
        curve = f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}"
        path.append(f"V{to_y:.1f}" if x == to_x else curve)
        x, y = to_x, to_y
    kind = "order" if edge.is_order else "edge"
    title = f"<title>{_escaped(edge.tooltip)}</title>"
    return f'<path class="{kind}"{path_attribute} d="{" ".join(path)}">{title}</path>'


def _way_back(drawing: Drawing) -> Iterator[str]:
    """The arrow along the left side of a loop's body, from its results to its inputs."""
    results = [box for box in drawing.boxes if box.kind == RESULT]
    inputs = [box for box in drawing.boxes if box.kind == INPUT]
    if not results or not inputs:
        return
    start, end = min(results, key=_left), min(inputs, key=_left)
    x = drawing.x + SIDE / 2 + 2
    start_y, end_y = start.y + start.height / 2, end.y + end.height / 2
    way = f"M{start.x:.1f} {start_y:.1f} H{x:.1f} V{end_y:.1f} H{end.x:.1f}"
    yield f'<path class="back" d="{way}"/>'
    tip = f"M{end.x:.1f} {end_y:.1f} l-8 -5 v10 z"
    yield f'<path class="head" d="{tip}"/>'


def _left(box):
    return box.x


def _text(x, y, text, kind=""):
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{kind}>{_escaped(text)}</text>'


def _escaped(text: str) -> str:
    return escape(_printable(text), quote=False)


def _attribute(text: str) -> str:
    return '"' + escape(_printable(text)).replace("\n", "&#10;") + '"'


def _printable(text: str) -> str:
    """The text without characters that XML does not have."""
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)
