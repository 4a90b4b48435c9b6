"""Fast walks over `ast` and `gast` trees.

The standard library's walks look at every field of a node, and use a generator for each node; a
conversion walks its tree twenty times.  These walks know which fields of a type of node hold nodes,
and skip those that no pass uses: contexts (`Load`) and operators (`Add`).
"""

from ast import AST
from collections.abc import Callable
from typing import Any

# Fields with a context, an operator, text, a number, or texts.
_OTHERS = frozenset(
    (
        *("ctx", "op", "ops", "id", "attr", "arg", "kind", "type_comment", "level", "module"),
        *("name", "names", "asname", "conversion", "simple", "is_async", "rest", "kwd_attrs"),
        *("str", "tag", "type_ignores", "lineno", "default_value"),
    )
)
# The nodes among them.
_NODES = {"ExceptHandler": ("name",), "TypeAlias": ("name",)}
_NODES |= {kind: ("names",) for kind in ("Import", "ImportFrom")}
_NODES |= {kind: ("default_value",) for kind in ("TypeVar", "TypeVarTuple", "ParamSpec")}
_WITHOUT = frozenset(("Constant", "MatchSingleton"))  # whose value is no node


class _ChildFields(dict[type[AST], tuple[str, ...]]):
    def __missing__(self, kind: type[AST]) -> tuple[str, ...]:
        known = () if kind.__name__ in _WITHOUT else kind._fields
        more = _NODES.get(kind.__name__, ())
        found = tuple(name for name in known if name not in _OTHERS or name in more)
        self[kind] = found
        return found


_fields = _ChildFields()


def child_fields(kind: type[AST]) -> tuple[str, ...]:
    """The fields of a type of node that hold a node, a list of nodes, or None."""
    return _fields[kind]


def children(node: AST) -> list[AST]:
    """The nodes directly in a node, in the order in which they are written."""
    found: list[AST] = []
    values = node.__dict__
    for name in _fields[node.__class__]:
        value = values.get(name)
        if value.__class__ is list:
            if value:
                # `**d` in a display, and a parameter without default, are None.
                found += value if None not in value else [v for v in value if v is not None]
        elif value is not None and value.__class__ is not str:
            found.append(value)
    return found


def walk(node: AST) -> list[AST]:
    """A node and all nodes in it, in no particular order."""
    found = [node]
    add = found.append
    for one in found:  # which grows
        values = one.__dict__
        for name in _fields[one.__class__]:
            value = values.get(name)
            if value.__class__ is list:
                if value:
                    found += value if None not in value else [v for v in value if v is not None]
            elif value is not None and value.__class__ is not str:
                add(value)
    return found


class Transformer:
    """Rewrites a tree in place: `visit_If` returns the node, or nodes, that replace an `If`.

    Unlike `ast.NodeTransformer` it looks up the method of a type of node once, and does not visit
    contexts and operators.
    """

    _methods: dict[type, Callable[[Any, Any], Any]]

    def __init_subclass__(cls) -> None:
        cls._methods = {}  # by type of node, filled on first use

    def visit(self, node: Any) -> Any:
        """The node that replaces a node, or the statements that replace a statement."""
        method = self._methods.get(node.__class__)
        if method is None:
            kind = type(node)
            method = getattr(type(self), f"visit_{kind.__name__}", type(self).generic_visit)
            self._methods[kind] = method
        return method(self, node)

    def visit_Constant(self, node: Any) -> Any:
        """Constants have no children."""
        return node

    def generic_visit(self, node: Any) -> Any:
        """Visits the nodes directly in a node, which is returned."""
        values = node.__dict__
        for name in _fields[node.__class__]:
            value = values.get(name)
            if value.__class__ is list:
                if value:
                    value[:] = self.visited(value)
            elif value is not None and value.__class__ is not str:
                new = self.visit(value)
                if new is not value:
                    setattr(node, name, new)
        return node

    def visited(self, nodes: list[Any]) -> list[Any]:
        """The nodes that replace the nodes of a list."""
        done: list[Any] = []
        for node in nodes:
            new = None if node is None else self.visit(node)
            if new.__class__ is list:
                done += new
            else:
                done.append(new)
        return done
