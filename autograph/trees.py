"""The nodes of a tree, fast: `ast` and `gast` alike.

The standard library's own walks go through the names of fields and a generator for each node; a
conversion walks its tree twenty times.
"""

from ast import AST
from collections.abc import Iterator


def children(node: AST) -> list[AST]:
    """The nodes directly in a node, in the order in which they are written."""
    found = []
    for name in node._fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, AST)]
        elif isinstance(value, AST):
            found.append(value)
    return found


def walk(node: AST) -> Iterator[AST]:
    """A node and all nodes in it, in no particular order."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        pending += children(node)
