"""Iterables with a star, in lists and sets, among targets, and among arguments.

    [a, *b, c]             ->      ag__.extended(ag__.extended([a], b), (c,))
    (a, *b)                ->      ag__.tuple_of(ag__.extended([a], b))
    {a, *b, c}             ->      ag__.updated(ag__.updated({a}, b), (c,))
    a, *b, c = x           ->      a, b, c = ag__.unpacked(x, 1, 1)
    f(a, *b)               ->      ag__.starred_call(f)(a, *ag__.spread(b))       (`call.py`)

The elements of a staged iterable are taken by the backend, which may know their number in a run
only.  Left alone are targets inside of targets, and the function's own `*args`, a tuple of
Python, in the arguments of a call.
"""

import gast

from autograph import backend
from autograph.backend import PYTHON
from autograph.backend.unpacking import assigned_parts
from autograph.constructs.expressions import Expressions
from autograph.functions.frames import hide_operators
from autograph.syntax import quote


class Starred(Expressions):
    """Rewrites stars."""

    rewrites = (gast.Starred,)

    def visit_Tuple(self, node):
        made = self.visit_List(node)
        return made if made is node else self.expr("ag__.tuple_of(x)", node, x=made)

    def visit_List(self, node):
        self.generic_visit(node)
        if not isinstance(node.ctx, gast.Load) or not any(map(_is_starred, node.elts)):
            return node
        made, waiting = None, []
        for element in node.elts:
            if _is_starred(element):
                made = self.extended(node, self.with_elements(node, made, waiting), element.value)
                waiting = []
            else:
                waiting.append(element)
        return self.with_elements(node, made, waiting)

    def with_elements(self, node, made, elements):
        """The code of a list with elements added to it; `made` is None before the first star."""
        place = quote.span(node).place
        if made is None:
            return place(gast.List(elts=elements, ctx=gast.Load()))
        if not elements:
            return made
        return self.extended(node, made, place(gast.Tuple(elts=elements, ctx=gast.Load())))

    def visit_Set(self, node):
        """Each element after a star is added before the next is evaluated."""
        self.generic_visit(node)
        stars = [i for i, element in enumerate(node.elts) if _is_starred(element)]
        if not stars:
            return node
        place = quote.span(node).place
        first, made = node.elts[: stars[0]], self.expr("ag__.new_set(())", node)
        if first:
            made = place(gast.Set(elts=first))
        for element in node.elts[stars[0] :]:
            added = place(gast.Tuple(elts=[element], ctx=gast.Load()))
            added = element.value if _is_starred(element) else added
            made = self.expr("ag__.updated(made, added)", node, made=made, added=added)
        return made

    def extended(self, node, items, iterable):
        return self.expr("ag__.extended(items, iterable)", node, items=items, iterable=iterable)

    def visit_Assign(self, node):
        self.generic_visit(node)
        match node.targets:
            case [gast.Tuple(elts=parts) | gast.List(elts=parts)]:
                stars = [i for i, part in enumerate(parts) if _is_starred(part)]
                if stars:
                    self.unpack(node, parts, stars[0])
        return node

    def unpack(self, node, parts, star):
        """Gives an assignment the parts of its value, of which one is the list of the rest."""
        parts[star] = parts[star].value
        call = self.expr("ag__.unpacked(x)", node.value, x=node.value)
        call.args += [quote.constant(n, node.value) for n in (star, len(parts) - star - 1)]
        node.value = call


def _is_starred(node):
    return isinstance(node, gast.Starred)


def extended(items, iterable):
    """The list of `items` and of the elements of an iterable."""
    try:
        if backend.may_be_staging:
            staged = backend.active()
            if staged is not PYTHON:
                return staged.extended(items, iterable)
        return [*items, *iterable]
    except BaseException as error:
        hide_operators(error)
        raise


def updated(elements, iterable):
    """The set `elements`, which nothing else holds, with the elements of an iterable."""
    try:
        if backend.may_be_staging:
            staged = backend.active()
            if staged is not PYTHON:
                return staged.updated(elements, iterable)
        elements.update(iterable)
        return elements
    except BaseException as error:
        hide_operators(error)
        raise


def tuple_of(items):
    """The tuple of the elements of a list that nothing else holds."""
    try:
        if backend.may_be_staging:
            staged = backend.active()
            if staged is not PYTHON:
                return staged.tuple_of(items)
        return tuple(items)
    except BaseException as error:
        hide_operators(error)
        raise


def spread(iterable):
    """The iterable after a star among the arguments of a call."""
    try:
        if backend.may_be_staging:
            staged = backend.active()
            if staged is not PYTHON:
                return staged.spread(iterable)
        return iterable
    except BaseException as error:
        hide_operators(error)
        raise


def unpacked(value, before, after):
    """The first elements of an iterable, a list of the others, and the last elements."""
    try:
        if backend.may_be_staging:
            staged = backend.active()
            if staged is not PYTHON:
                return staged.unpacked(value, before, after)
        return assigned_parts(before, after)(value)
    except BaseException as error:
        hide_operators(error)
        raise
