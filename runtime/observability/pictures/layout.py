"""The places of boxes and lines: a layered layout, region by region.

1. A box is in the layer below those of all boxes that it depends on; results are in the last layer,
   and constants are in the layer above their use.
2. A line across several layers has a bend in each of them, so that it goes around boxes.
3. The boxes of a layer are ordered by the mean place of their neighbours (barycentre), layer by
   layer, down and up.
4. Each box is placed as near to the mean of its neighbours as the order allows: least squares, by
   pooling adjacent violators.

The method is that of Sugiyama, Tagawa and Toda (1981).
"""

from collections import defaultdict
from collections.abc import Sequence

from runtime.observability.pictures.drawing import CONSTANT, RESULT, Box, Drawing, Edge

CHARACTER, LINE = 7.25, 24.0  # the width of a character, the height of a box
PADDING, GAP, BETWEEN = 12.0, 18.0, 26.0  # inside boxes; between boxes; between layers
TITLE, SIDE = 22.0, 16.0  # the height of titles; the space around the boxes of a region
BEND = "bend"
SWEEPS = 6


def place(drawing: Drawing) -> None:
    """Fills the sizes and places of a drawing, whose upper left corner is at (0, 0)."""
    _arrange(drawing)
    _move(drawing, 0.0, 0.0)


def _arrange(drawing):
    """Places the boxes of a drawing relative to it, and sets its size."""
    for box in drawing.boxes:
        _set_size(box)
    layers, paths = _layers(drawing)
    near = _neighbours(paths)
    _order(layers, near)
    drawing.layers = layers
    _set_columns(layers, near)
    _set_rows(layers)
    left = min((box.x for layer in layers for box in layer), default=0.0)
    side = SIDE + (SIDE if drawing.repeats else 0.0)
    for layer in layers:
        for box in layer:
            box.x += side - left
    right = max((box.x + box.width for layer in layers for box in layer), default=side)
    drawing.width = max(right + SIDE, len(drawing.title) * CHARACTER + 2 * PADDING)
    drawing.height = max((box.y + box.height for box in drawing.boxes), default=0.0) + SIDE
    for edge, path in paths:
        edge.path, edge.points = path, _points(path)


def _set_size(box: Box) -> None:
    """The size of a box: of its text, or of the drawings of its regions, side by side."""
    box.width = len(box.text) * CHARACTER + 2 * PADDING
    box.height = LINE
    if not box.drawings:
        return
    x = GAP / 2
    for drawing in box.drawings.values():
        _arrange(drawing)
        drawing.x, drawing.y = x, LINE + GAP / 2
        x += drawing.width + GAP / 2
    box.width = max(box.width, x)
    box.height = max(d.height for d in box.drawings.values()) + LINE + GAP


def _layers(drawing):
    """The layers from above, with bends; and for each edge the boxes and bends that it joins."""
    before = defaultdict(list)
    for edge in drawing.edges:
        before[edge.end].append(edge.start)
    rank: dict[Box, int] = {}
    for box in drawing.boxes:  # operands come first
        rank[box] = 1 + max((rank[other] for other in before[box]), default=-1)
    for edge in drawing.edges:
        if edge.start.kind == CONSTANT:
            rank[edge.start] = rank[edge.end] - 1
    last = max(rank.values(), default=0)
    results = [box for box in drawing.boxes if box.kind == RESULT]
    last += any(rank[box] == last for box in drawing.boxes if box.kind != RESULT and results)
    rank.update(dict.fromkeys(results, last))
    layers: list[list[Box]] = [[] for _ in range(last + 1)]
    for box in drawing.boxes:
        layers[rank[box]].append(box)
    paths = []
    for edge in drawing.edges:
        path = [edge.start]
        for layer in layers[rank[edge.start] + 1 : rank[edge.end]]:
            path.append(Box(BEND, "", ""))
            layer.append(path[-1])
        paths.append((edge, [*path, edge.end]))
    return layers, paths


def _neighbours(paths: list[tuple[Edge, list[Box]]]) -> tuple[dict, dict]:
    """For each box those that it is joined with in the layer above, and in the layer below."""
    above, below = defaultdict(list), defaultdict(list)
    for _, path in paths:
        for upper, lower in zip(path, path[1:], strict=False):
            above[lower].append(upper)
            below[upper].append(lower)
    return above, below


def _sweeps(layers, near):
    """The layers down and up again, several times, each with the neighbours to go by."""
    above, below = near
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for layer in layers if down else reversed(layers):
            yield layer, above if down else below


def _order(layers: list[list[Box]], near: tuple[dict, dict]) -> None:
    """Orders the boxes of each layer by the mean places of their neighbours."""
    at = {box: float(i) for layer in layers for i, box in enumerate(layer)}
    for layer, neighbours in _sweeps(layers, near):
        wanted = {box: _mean([at[other] for other in neighbours[box]], at[box]) for box in layer}
        layer.sort(key=wanted.__getitem__)
        at.update((box, float(i)) for i, box in enumerate(layer))


def _set_columns(layers: list[list[Box]], near: tuple[dict, dict]) -> None:
    """Places each box near the mean of its neighbours, without overlaps."""
    for layer in layers:
        _set_centers(layer, [0.0] * len(layer))
    for layer, neighbours in _sweeps(layers, near):
        wanted = [_mean([o.center for o in neighbours[box]], box.center) for box in layer]
        _set_centers(layer, wanted)


def _set_centers(layer: list[Box], wanted: list[float]) -> None:
    """Centers boxes, in order, as near to the wanted places as their widths allow."""
    offsets, end = [], 0.0
    for box in layer:
        offsets.append(end + box.width / 2)
        end += box.width + GAP
    places = nearest_increasing([w - offset for w, offset in zip(wanted, offsets, strict=True)])
    for box, found, offset in zip(layer, places, offsets, strict=True):
        box.x = found + offset - box.width / 2


def nearest_increasing(wanted: Sequence[float]) -> list[float]:
    """The increasing numbers with the least squared distance from others: isotonic regression.

    Neighbours that decrease are pooled to their mean, until none do.

    >>> nearest_increasing([1.0, 3.0, 2.0, 4.0])
    [1.0, 2.5, 2.5, 4.0]
    """
    pools: list[tuple[float, int]] = []  # sum and count
    for number in wanted:
        total, count = number, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            more, others = pools.pop()
            total, count = total + more, count + others
        pools.append((total, count))
    return [total / count for total, count in pools for _ in range(count)]


def _mean(places, default):
    return sum(places) / len(places) if places else default


def _set_rows(layers: list[list[Box]]) -> None:
    """Places the layers below each other; bends are as high as their layer."""
    y = TITLE
    for layer in layers:
        height = max((box.height for box in layer), default=0.0)
        for box in layer:
            box.y = y
            if box.kind == BEND:
                box.height = height
        y += height + BETWEEN


def _points(path: list[Box]) -> list[tuple[float, float]]:
    """The points of a line: from the lower edge of its first box to the upper edge of its last."""
    first, *bends, last = path
    points = [(first.center, first.y + first.height)]
    for bend in bends:
        points += [(bend.center, bend.y), (bend.center, bend.y + bend.height)]
    return [*points, (last.center, last.y)]


def _move(drawing: Drawing, x: float, y: float) -> None:
    """Makes the places in a drawing absolute."""
    drawing.x, drawing.y = drawing.x + x, drawing.y + y
    for edge in drawing.edges:
        edge.points = [(drawing.x + px, drawing.y + py) for px, py in edge.points]
    for box in drawing.boxes:
        box.x, box.y = box.x + drawing.x, box.y + drawing.y
        for inside in box.drawings.values():
            _move(inside, box.x, box.y)
