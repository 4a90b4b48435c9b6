"""f-strings, and `%` with a literal string.

    f'x is {x}'            ->      ag__.text('x is ', ag__.shown(x))
    f'{x:.3f}'             ->      ag__.shown(x, '.3f')
    f'{x!r:>10}'           ->      ag__.shown(x, '>10', 'r')
    f'{x:.{n}f}'           ->      ag__.shown(x, ag__.text('.', ag__.shown(n), 'f'))
    'x is %s' % x          ->      ag__.percent('x is %s', x)

Each value is formatted before the next one is evaluated, as in Python.  Plain values are formatted
by `format`.  If the string for a value is known only in a run, the backend makes a staged string
from the parts.

An f-string of literals is not rewritten.  Neither is one with both a conversion and a computed
format: the order of the two depends on Python's version.
"""

import operator

import gast

from autograph import backend
from autograph.backend import PYTHON
from autograph.constructs.expressions import Expressions
from autograph.functions.frames import as_user
from autograph.syntax import quote

PLAIN = frozenset((str, int, float))
CONVERSIONS = {"s": str, "r": repr, "a": ascii}


class FString(Expressions):
    """Rewrites f-strings and `%` with literal strings."""

    rewrites = (gast.JoinedStr, gast.BinOp)

    def visit_JoinedStr(self, node):
        if not self.can_be_rewritten(node):
            return self.generic_visit(node)
        return self.text(node)

    def can_be_rewritten(self, node):
        fields = _fields(node)
        return bool(fields) and not any(
            field.conversion != -1 and field.format_spec is not None and _fields(field.format_spec)
            for field in fields
        )

    def text(self, node):
        """The call that makes the string of an f-string."""
        parts = [
            self.shown(part) if isinstance(part, gast.FormattedValue) else part
            for part in node.values
        ]
        if len(parts) == 1:
            return parts[0]
        call = self.expr("ag__.text()", node)
        call.args = parts
        return call

    def shown(self, field):
        """The call that formats one value."""
        call = self.expr("ag__.shown(x)", field, x=self.visit(field.value))
        if field.format_spec is not None and field.format_spec.values:
            call.args.append(self.text(field.format_spec))
        if field.conversion != -1:
            if len(call.args) == 1:
                call.args.append(quote.constant("", field))
            call.args.append(quote.constant(chr(field.conversion), field))
        return call

    def visit_FormattedValue(self, node):
        """A field that is not rewritten: its value and the fields of its format are visited."""
        node.value = self.visit(node.value)
        for field in _fields(node.format_spec) if node.format_spec is not None else ():
            self.visit(field)
        return node

    def visit_BinOp(self, node):
        is_text = _is_text(node.left)
        self.generic_visit(node)
        if not is_text or not isinstance(node.op, gast.Mod):
            return node
        return self.expr("ag__.percent(left, right)", node, left=node.left, right=node.right)


def _fields(node):
    return [part for part in node.values if isinstance(part, gast.FormattedValue)]


def _is_text(node):
    if isinstance(node, gast.Constant):
        return isinstance(node.value, str)
    return isinstance(node, gast.JoinedStr)


def text(*parts):
    """The parts of an f-string in one string."""
    if backend.may_be_staging:
        staged = backend.active()
        if staged is not PYTHON:
            return staged.text(parts)
    return "".join(parts)


def shown(value, spec="", conversion=""):
    """A value as an f-string formats it."""
    if backend.may_be_staging:
        staged = backend.active()
        if staged is not PYTHON:
            return staged.shown(value, spec, conversion)
    if conversion:
        value = as_user(CONVERSIONS[conversion], value)(value)
    return format(value, spec) if type(value) in PLAIN else as_user(format, value)(value, spec)


def percent(template, values):
    """`template % values`"""
    if backend.may_be_staging:
        staged = backend.active()
        if staged is not PYTHON:
            return staged.percent(template, values)
    return as_user(operator.mod, values)(template, values)
