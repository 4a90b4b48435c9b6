"""Pictures of graphs: SVG, Graphviz and notebooks."""

import random
import xml.etree.ElementTree as ElementTree
from itertools import combinations

import numpy as np
from budget import random_seeds
from pytest import approx
from random_graphs import Maker

import runtime as rt
from runtime.ir.graph import walk
from runtime.observability.notebooks import LARGEST
from runtime.observability.pictures.drawing import RESULT, drawing_of, nesting
from runtime.observability.pictures.layout import nearest_increasing, place
from runtime.passes.dead_code import remove_dead_code

SVG = "{http://www.w3.org/2000/svg}"
HALVED = """
def f(x: f64[2], p: b1):

    def body(x_1: f64[2]):

        def then():
            y: f64[2] = sin(x_1)  # model.py:5
            return y

        def orelse():
            print(x_1, parts=('</script><b>', _0), sep=' ', end='')  # model.py:7
            print(parts=('"\\n\\\\',), sep=' ', end='')  # model.py:8
            return x_1
        z: f64[2] = cond(p, then=then, orelse=orelse)  # model.py:4
        return False, z
    x_2: f64[2] = loop(p, x, body=body)  # model.py:3
    return x_2, 7
"""


def placed(graph, depth=None):
    drawing = drawing_of(graph, depth)
    place(drawing)
    return drawing


def drawings(drawing):
    yield drawing
    for box in drawing.boxes:
        for inside in box.drawings.values():
            yield from drawings(inside)


def is_inside(inner, outer):
    return (
        inner.x >= outer.x
        and inner.y >= outer.y
        and inner.x + inner.width <= outer.x + outer.width + 1e-6
        and inner.y + inner.height <= outer.y + outer.height + 1e-6
    )


def overlap(one, other):
    return (
        one.x < other.x + other.width - 1e-6
        and other.x < one.x + one.width - 1e-6
        and one.y < other.y + other.height - 1e-6
        and other.y < one.y + one.height - 1e-6
    )


def check(graph):
    """Boxes do not overlap, are inside of their drawing, and each line leads down to its use."""
    count = 0
    for drawing in drawings(placed(graph)):
        count += sum(box.kind in ("operation", "regions") for box in drawing.boxes)
        for box in drawing.boxes:
            assert is_inside(box, drawing)
            sides = list(box.drawings.values())
            assert all(is_inside(side, box) for side in sides)
            assert not any(overlap(*pair) for pair in combinations(sides, 2))
        assert not any(overlap(*pair) for pair in combinations(drawing.boxes, 2))
        for edge in drawing.edges:
            heights = [y for _, y in edge.points]
            assert heights == sorted(heights)
            assert edge.points[0] == approx((edge.start.center, edge.start.y + edge.start.height))
            assert edge.points[-1] == approx((edge.end.center, edge.end.y))
    assert count == sum(1 for _ in walk(graph))


@random_seeds(20)
def test_random_graphs_are_drawn_without_overlaps(seed):
    graph = remove_dead_code(Maker(random.Random(seed)).graph())
    check(graph)
    ElementTree.fromstring(graph.to_svg())
    ElementTree.fromstring(graph._repr_html_())


def test_branches_and_loops_are_boxes_inside_of_boxes():
    graph = rt.parse(HALVED)
    check(graph)
    assert nesting(graph) == 2
    (loop,) = [box for box in drawing_of(graph).boxes if box.drawings]
    (body,) = loop.drawings.values()
    (cond,) = [box for box in body.boxes if box.drawings]
    assert body.repeats and list(cond.drawings) == ["then", "orelse"]
    orelse = cond.drawings["orelse"]
    assert [(e.start.text[:5], e.end.text[:5]) for e in orelse.edges if e.is_order] == [
        ("print", "print")
    ]
    assert [box.text for box in orelse.boxes if box.kind == RESULT] == ["x_1"]


def test_a_picture_has_the_names_of_the_text_at_each_depth():
    graph = rt.parse(HALVED)
    tops = [[box.text for box in drawing_of(graph, depth).boxes] for depth in (0, 1, None)]
    assert tops[0] == tops[1] == tops[2]
    assert "x_2: f64[2] = loop(p, x)" in tops[0]
    folded = ElementTree.fromstring(graph.to_svg(1))
    kinds = [group.get("class") for group in folded.iter(f"{SVG}g")]
    assert kinds.count("regions folded") == 1 and kinds.count("regions") == 1


def test_a_picture_is_well_formed_and_its_boxes_know_their_lines():
    root = ElementTree.fromstring(rt.parse(HALVED).to_svg())
    titles = {
        group.find(f"{SVG}title").text.partition("\n")[0]: group.get("data-line")
        for group in root.iter(f"{SVG}g")
    }
    assert titles["y: f64[2] = sin(x_1)"] == "5"
    assert titles["print(x_1, parts=('</script><b>', _0), sep=' ', end='')"] == "7"
    assert "<b>" not in rt.parse(HALVED).to_svg()


def test_graphviz_gets_nested_clusters_and_quoted_strings():
    text = rt.parse(HALVED).to_dot()
    assert text.startswith('digraph "f" {') and text.count("{") == text.count("}")
    assert text.count("subgraph") == 5  # loop, body, cond, then, orelse
    assert r"parts=('\"\\n\\\\',)" in text
    assert "style=bold, constraint=false" in text


def test_notebooks_show_functions_and_graphs_with_all_text_escaped():
    @rt.function
    def told(x):
        print("</script><img src=x>", x)
        return x

    assert "0 graphs" in told._repr_html_() and "<img" not in told._repr_html_()
    told(np.ones(2))
    concrete = told.graphs[0]
    for shown in (told, concrete, concrete.graph):
        html = shown._repr_html_()
        assert "<svg" in html and "<img" not in html and "&lt;img" in html
        ElementTree.fromstring(html)


def test_a_graph_that_is_being_built_is_drawn():
    with rt.Graph().as_default() as graph:
        np.sqrt(rt.placeholder(np.float64, name="a"))
    assert "sqrt(a)" in graph.to_svg() and "sqrt(a)" in graph.to_dot()
    assert "sqrt(a)" in graph._repr_html_()


def test_notebooks_do_not_draw_a_graph_that_is_too_large():
    lines = [f"    v_{i}: f64 = sin(x)" for i in range(LARGEST + 1)]
    graph = rt.parse("\n".join(["def f(x: f64):", *lines, "    return x"]))
    assert "<svg" not in graph._repr_html_()


def test_places_that_decrease_are_pooled():
    assert nearest_increasing([3.0, 2.0, 1.0]) == [2.0, 2.0, 2.0]
    assert nearest_increasing([]) == []
    found = nearest_increasing([0.0, 5.0, 1.0, 2.0, 9.0])
    assert found == sorted(found) and sum(found) == 17.0
