"""Items of one container that change places.

    m[i], m[j] = m[j], m[i]    ->      m[i], m[j] = ag__.exchanged(m[j], m[i])

    row = m[i]                 ->      row = m[i]
    m[i] = m[j]                        m[i], moved = ag__.exchanged(m[j], row)
    m[j] = row                         m[j] = moved
                                       del moved

While the first item is written, Python has one object in two places.  A backend that holds the
items by value cannot have that; `exchanged` tells it that each item is in one place again when the
statement is complete, or the last of three.  That is certain if both sides name the same places of
one variable, by indices that the statements do not change.
"""

import gast

from autograph import backend
from autograph.constructs.expressions import Expressions
from autograph.syntax.walk import walk


class Exchange(Expressions):
    """Marks the values of assignments that exchange items."""

    rewrites = (gast.Tuple, gast.Subscript)

    def statements(self, block):
        """Visits a block, in which three statements may exchange two items."""
        done = []
        while block:
            if _exchange_by_name(block[:3]):
                done += self.with_moved(*block[:3])
                block = block[3:]
            else:
                done.append(block[0])
                block = block[1:]
        return super().statements(done)

    def with_moved(self, read, first, second):
        """The statements that read an item, and write two into each other's places."""
        moved = self.fresh("moved")
        (place,), item = first.targets, second.value
        template = "place, moved = ag__.exchanged(value, item)"
        return [
            read,
            *self.stmts(template, first, place=place, moved=moved, value=first.value, item=item),
            *self.stmts("place = moved\ndel moved", second, place=second.targets[0], moved=moved),
        ]

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


def _exchange_by_name(statements):
    """Whether three statements exchange two items of a variable, one of which has a name."""
    match statements:
        case [
            gast.Assign(targets=[gast.Name(id=item)], value=gast.Subscript() as place),
            gast.Assign(targets=[gast.Subscript() as first], value=gast.Subscript() as other),
            gast.Assign(targets=[gast.Subscript() as second], value=gast.Name(id=moved)),
        ] if item == moved:
            read, written = _places([place, other]), _places([first, second])
            is_exchange = read == written and len(set(read)) == 2
            is_in_order = is_exchange and _places([place]) == _places([first])
            return is_in_order and not any(_reads(one, item) for one in (place, other))
    return False


def _reads(node, name):
    return any(isinstance(part, gast.Name) and part.id == name for part in walk(node))


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
