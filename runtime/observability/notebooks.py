"""How notebooks show graphs and functions: a picture, and texts that open.

All text is escaped: names, strings and file names of the user never become markup.
"""

from html import escape

from runtime.ir.graph import Graph, presents_graphs, walk
from runtime.observability.pictures.svg import to_svg

LARGEST = 300  # operations that are drawn; a larger picture cannot be read


@presents_graphs("html")
def graph_html(graph: Graph) -> str:
    """A picture of a graph, with its text below it."""
    count = sum(1 for _ in walk(graph))
    head = f"{graph.name}: {count} operation{'s' * (count != 1)}"
    picture = f'<div style="overflow:auto">{to_svg(graph)}</div>' if count <= LARGEST else ""
    return shown(head, picture, {"Graph": str(graph)})


def shown(heading: str, picture: str, texts: dict[str, str]) -> str:
    """A heading, a picture, which is markup, and texts that open, by their titles."""
    parts = [
        f"<details><summary>{escape(title)}</summary>"
        f'<pre style="text-align:left">{escape(text)}</pre></details>'
        for title, text in texts.items()
    ]
    return f"<div><div><code>{escape(heading)}</code></div>{picture}{''.join(parts)}</div>"
