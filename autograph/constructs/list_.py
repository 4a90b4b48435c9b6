"""Lists that code creates and may change.

    z = []                     ->      z = ag__.new_list([])
    z = [f(x) for x in xs]     ->      z = ag__.new_list([f(x) for x in xs])
    z = [0] * n                ->      z = ag__.new_list([0]) * n
    {**d, "a": 1}              ->      ag__.with_items(ag__.with_items({}, d), {"a": 1})
    h = {"t": [], "y": []}     ->      h = {"t": ag__.new_list([]), "y": ag__.new_list([])}
    log = Log([])              ->      log = Log(ag__.new_list([]))

While something is staged, `new_list` returns a list that the backend can follow.  Otherwise it
returns the list itself.  A list that no code can change later is not rewritten: of the lists that
are arguments, only empty ones are, which the callee may keep.  `append`, `pop` and the like are
calls.
"""

import gast

from autograph import backend
from autograph.constructs.expressions import Expressions
from autograph.functions.frames import hide_operators
from autograph.syntax import quote


class List(Expressions):
    """Wraps the lists that are assigned, and those in dicts, lists and objects."""

    rewrites = (gast.List, gast.ListComp, gast.Dict, gast.Set)

    def visit_Assign(self, node):
        self.generic_visit(node)
        node.value = self.wrapped(node.value)
        return node

    def visit_AnnAssign(self, node):
        super().visit_AnnAssign(node)
        if node.value is not None:
            node.value = self.wrapped(node.value)
        return node

    def visit_Dict(self, node):
        self.generic_visit(node)
        if None in node.keys:
            return self.merged(node)
        return self.display(node, node.keys, [self.wrapped(value) for value in node.values])

    def display(self, node, keys, values):
        """A display without stars; its keys may be staged."""
        if all(isinstance(key, gast.Constant) for key in keys):
            return quote.span(node).place(gast.Dict(keys=keys, values=values))
        return self.expr("ag__.new_dict(pairs)", node, pairs=_pairs(node, keys, values))

    def merged(self, node):
        """A display with stars: what Python adds at once is added by one call."""
        made, keys, values = None, [], []
        for key, value in [*zip(node.keys, node.values, strict=True), (None, None)]:
            if key is not None:
                keys.append(key)
                values.append(self.wrapped(value))
                continue
            if keys or made is None:
                group = self.display(node, keys, values)
                made = group if made is None else self.with_items(node, made, group)
                keys, values = [], []
            if value is not None:
                made = self.with_items(node, made, value)
        return made

    def with_items(self, node, items, mapping):
        return self.expr("ag__.with_items(items, mapping)", node, items=items, mapping=mapping)

    def visit_Set(self, node):
        self.generic_visit(node)
        elements = quote.span(node).place(gast.Tuple(elts=node.elts, ctx=gast.Load()))
        return self.expr("ag__.new_set(elements)", node, elements=elements)

    def visit_DictComp(self, node):
        node = self.visit_comprehension_scope(node)
        node.value = self.wrapped(node.value)
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        node.args = [self.wrapped(x) if _is_empty(x) else x for x in node.args]
        for keyword in node.keywords:
            if _is_empty(keyword.value):
                keyword.value = self.wrapped(keyword.value)
        return node

    def wrapped(self, node):
        if isinstance(node, gast.List):
            node.elts = [self.wrapped(element) for element in node.elts]
        if isinstance(node, gast.ListComp) and isinstance(node.elt, gast.Dict):
            node.elt = self.wrapped(node.elt) if _is_empty(node.elt) else node.elt
        if isinstance(node, gast.Dict):
            return self.expr("ag__.new_dict(items)", node, items=node)
        if isinstance(node, (gast.List, gast.ListComp)):
            return self.expr("ag__.new_list(items)", node, items=node)
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Mult)):
            node.left = self.wrapped(node.left)
            if isinstance(node.op, gast.Mult):
                node.right = self.wrapped(node.right)
        if isinstance(node, gast.IfExp):
            node.body, node.orelse = self.wrapped(node.body), self.wrapped(node.orelse)
        if isinstance(node, gast.Tuple):
            node.elts = [self.wrapped(element) for element in node.elts]
        return node


def _is_empty(node):
    if isinstance(node, gast.Dict):
        return not node.keys
    return isinstance(node, gast.List) and not node.elts


def _pairs(node, keys, values):
    """The pairs of a dict display, whose keys may be staged."""
    place = quote.span(node).place
    pairs = [
        place(gast.Tuple(elts=[key, value], ctx=gast.Load()))
        for key, value in zip(keys, values, strict=True)
    ]
    return place(gast.Tuple(elts=pairs, ctx=gast.Load()))


def new_dict(pairs):
    """The dict for a display that the user's code evaluates."""
    if backend.may_be_staging:
        return backend.active().new_dict(pairs)
    return pairs if isinstance(pairs, dict) else dict(pairs)


def with_items(items, mapping):
    """`{**items, **mapping}`, where nothing else holds `items`."""
    try:
        if backend.may_be_staging:
            return backend.active().with_items(items, mapping)
        return {**items, **mapping}
    except BaseException as error:
        hide_operators(error)
        raise


def new_set(elements):
    """The set for a display that the user's code evaluates."""
    return backend.active().new_set(elements) if backend.may_be_staging else set(elements)


def new_list(items):
    """The list for one that the user's code creates."""
    return backend.active().new_list(items) if backend.may_be_staging else items
