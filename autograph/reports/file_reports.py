"""Reports about the functions of a file, which is parsed and never imported."""

import ast

from autograph.conversion.files import (
    BYTE_ORDER_MARK,
    DEFINITIONS,
    NoSuchFunction,
    named_functions,
)
from autograph.conversion.passes import deep_recursion
from autograph.reports.callees import StaticCallees
from autograph.reports.report import Report, report
from autograph.syntax import quote
from autograph.syntax.trees import to_gast


def reports_of(text: str, filename: str, path: str | None = None) -> list[Report]:
    """A report for each function of a file, or for the one called `path`.

    Nested functions belong to the report of the outermost one.  Raises `SyntaxError` if the text is
    not Python, `NoSuchFunction` if it has no such function.
    """
    with deep_recursion():
        tree = quote.checked(text.removeprefix(BYTE_ORDER_MARK))
    named = named_functions(tree)
    if path is None:
        chosen = _outermost(tree)
        names = {node: name for name, node in named}
    elif path in dict(named):
        chosen, names = [dict(named)[path]], {dict(named)[path]: path}
    else:
        raise NoSuchFunction(path, [name for name, _ in named])
    callees = StaticCallees(tree)
    with deep_recursion():
        return [
            report(
                to_gast(node),
                (names.get(node, "<lambda>"), filename, node.lineno),
                callees,
            )
            for node in chosen
        ]


def _outermost(tree):
    """The outermost functions and lambdas of a file, in order."""
    found, pending = [], [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, DEFINITIONS):
            found.append(node)
        else:
            pending += reversed(list(ast.iter_child_nodes(node)))
    return found
