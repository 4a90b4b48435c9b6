"""Subscripts.

    x[i]               ->      ag__.indexed(x)[i]
    x[i:j] = y         ->      ag__.indexed(x)[i:j] = y
    x[i] += y          ->      ag__.indexed(x)[i] += y
    del x[i]           ->      del ag__.indexed(x)[i]

`indexed(x)` is `x` itself, unless something is being staged: a list, a tuple or a NumPy array has
no element at a staged index and cannot hold a staged element, so a proxy calls the backend.  Reads
with literal subscripts and writes with string keys, which only a mapping accepts, are not
rewritten.
"""

import gast

from autograph import backend
from autograph.backend import PYTHON, backend_of
from autograph.constructs.expressions import Expressions
from autograph.syntax.walk import walk


class Item(Expressions):
    """Rewrites subscripts."""

    rewrites = (gast.Subscript,)

    def __init__(self, conversion):
        super().__init__(conversion)
        self.written = None  # the objects that the function writes into, as text

    def visit_function(self, node):
        outer, self.written = self.written, _written_into(node)
        super().visit_function(node)
        self.written = outer

    def visit_Subscript(self, node):
        is_read = isinstance(node.ctx, gast.Load) and _is_literal(node.slice)
        is_read = is_read and not (self.written and gast.dump(node.value) in self.written)
        self.generic_visit(node)
        if not is_read:
            node.value = self.expr("ag__.indexed(x)", node.value, x=node.value)
        return node


def _written_into(function):
    """The objects whose items a function writes, as text; constants are no state."""
    stores = (gast.Store, gast.Del)
    found = [
        node.value
        for node in walk(function)
        if isinstance(node, gast.Subscript) and isinstance(node.ctx, stores)
    ]
    return set(map(gast.dump, found))


def _is_literal(node):
    match node:
        case None | gast.Constant():
            return True
        case gast.UnaryOp(operand=operand):
            return _is_literal(operand)
        case gast.Slice(lower=lower, upper=upper, step=step):
            return all(map(_is_literal, (lower, upper, step)))
        case gast.Tuple(elts=elements):
            return all(map(_is_literal, elements))
    return False


def indexed(x):
    """The object to subscript in place of `x`."""
    if backend.may_be_staging and backend_of(x) is PYTHON:
        is_outside = backend.staged_blocks and backend.active() is PYTHON
        return x if is_outside else _Indexed(x)
    return x


class _Indexed:
    """The proxy for a Python container while something is staged."""

    __slots__ = ("container",)

    def __init__(self, container):
        self.container = container

    def __getitem__(self, key):
        return _backend_for(key).get_item(self.container, key)

    def __setitem__(self, key, value):
        backend.active().set_item(self.container, key, value)

    def __delitem__(self, key):
        _backend_for(key).delete_item(self.container, key)


def _backend_for(key):
    """The backend that subscripts a container; an ambient one has no say in int subscripts."""
    return PYTHON if type(key) is int and not backend.staged_blocks else backend.active()
