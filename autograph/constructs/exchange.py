"""Items of one container that change places.

    m[i], m[j] = m[j], m[i]    ->      m[i], m[j] = ag__.exchanged(m[j], m[i])

While the first item is written, Python has one object in two places.  A backend that holds the
items by value cannot have that; `exchanged` tells it that each item is in one place again when the
statement is complete.  That is certain if both sides name the same places of one variable, by
indices that the statement does not change.
"""

import gast

from autograph import backend
from autograph.constructs.expressions import Expressions


class Exchange(Expressions):
    """Marks the values of assignments that exchange items."""

    rewrites = (gast.Tuple,)

    def visit_Assign(self, node):
        if _exchanges(node):
            call = self.expr("ag__.exchanged()", node.value)
            call.args = node.value.elts
            node.value = call
        return node

    def visit_Lambda(self, node):
        return node  # an expression assigns no items


def _exchanges(node):
    """Whether an assignment gives items of one variable other places."""
    match node:
        case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)):
            places, read = _places(targets), _places(values)
            return bool(places) and places == read and len(set(places)) == len(places)
    return False


def _places(nodes):
    """The places that subscripts of one variable name, as sorted text; empty for other code."""
    found = []
    for node in nodes:
        match node:
            case gast.Subscript(value=gast.Name(id=name), slice=index) if _is_steady(index):
                found.append((name, gast.dump(index)))
            case _:
                return []
    return sorted(found) if len({name for name, _ in found}) == 1 else []


def _is_steady(index):
    """Whether an index has one value all through the statement."""
    match index:
        case gast.Name() | gast.Constant():
            return True
        case gast.UnaryOp(operand=operand):
            return _is_steady(operand)
        case gast.BinOp(left=left, right=right):
            return _is_steady(left) and _is_steady(right)
    return False


def exchanged(*values):
    """The values that are written into the places from which they were read, in another order."""
    return backend.active().exchanged(values) if backend.may_be_staging else values
