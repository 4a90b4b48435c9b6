"""Fast walks over `ast` and `gast` trees.

The standard library's walks use field names and a generator for each node; a conversion walks its
tree twenty times.  These walks skip nodes that no pass uses: contexts (`Load`) and operators
(`Add`).
"""

from ast import AST
from collections.abc import Iterator

# Fields with a context, an operator, or no node.
_OTHERS = {"ctx", "op", "ops", "id", "attr", "arg", "kind", "type_comment", "level", "module"}

_fields: dict[type, tuple[str, ...]] = {}


def _fields_of(kind):
    """The fields of a type of node that may contain nodes."""
    fields = tuple(name for name in kind._fields if name not in _OTHERS)
    _fields[kind] = fields = () if kind.__name__ == "Constant" else fields
    return fields


def children(node: AST) -> list[AST]:
    """The nodes directly in a node, in the order in which they are written."""
    kind = type(node)
    fields = _fields.get(kind)
    if fields is None:
        fields = _fields_of(kind)
    found = []
    for name in fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            if value:
                found += [item for item in value if isinstance(item, AST)]
        elif value is not None and isinstance(value, AST):
            found.append(value)
    return found


def walk(node: AST) -> Iterator[AST]:
    """A node and all nodes in it, in no particular order."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        pending += children(node)
