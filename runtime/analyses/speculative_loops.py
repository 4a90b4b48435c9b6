"""Which loops of adjoints an engine may run speculatively, without care for zero times infinity.

A product of a zero cotangent and infinity is defined as zero (op `scaled`), which costs a test.  A
plain product gives nan there, and a sum with a nan is nan.  So if no cotangent that the loop
returns is nan, the plain products were right; else the loop runs again with `scaled`.
"""

from runtime.ir.graph import Graph, Node, walk


def speculative_loops(graph: Graph) -> set[Node]:
    """The outermost loops of adjoints that contain products with cotangents."""
    found: set[Node] = set()
    _find(graph, found)
    return found


def _find(graph: Graph, found: set[Node]) -> None:
    for node in graph.nodes:
        if node.attributes.get("adjoint") and _has_products(node):
            found.add(node)
        else:
            for region in node.regions.values():
                _find(region, found)


def _has_products(loop: Node) -> bool:
    return any(node.op.name == "scaled" for node in walk(loop.regions["body"]))
