"""The lines of generated code, each with the line of the user's file that it comes from.

    9  ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('x',))
    9  def loop_body():
   10      x = ag__.converted_call(np.tanh)(x)

The converted tree has the user's positions.  Its printed text is parsed again, and both trees are
walked side by side.  A function that the conversion has made is given to an operator: it has the
line of that statement.
"""

import ast
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

from autograph.constructs.context import FUNCTIONS
from autograph.conversion.converter import (
    converted_definition,
    function_in,
    is_excluded,
    is_printed,
    origin_of_any,
)
from autograph.conversion.passes import deep_recursion
from autograph.syntax import quote
from autograph.syntax.trees import to_ast

STATE = ("get_state", "set_state")


class CodeLine(NamedTuple):
    """A line of generated code; `lineno` is None where no line of the user is meant.

    `is_state` says that it only reads or sets the variables of a block, for backends.
    """

    text: str
    lineno: int | None
    is_state: bool = False


def code_lines(fn: Callable[..., Any], *, source: str | None = None) -> list[CodeLine]:
    """The lines of `to_code(fn)`, each with the line of the user's file.

    Raises the errors of `to_code`; a class has no code of its own.

    >>> def relu(x):
    ...     return x if x > 0 else 0
    >>> [line.lineno for line in code_lines(relu)]
    [1, 2]
    """
    function = function_in(fn)
    if is_printed(function) or is_excluded(function):
        texts, first = inspect.getsourcelines(function)
        return [CodeLine(text.rstrip("\n"), first + i) for i, text in enumerate(texts)]
    tree, _ = converted_definition(origin_of_any(function, source), function, True)
    if isinstance(tree, FUNCTIONS):
        tree.decorator_list = []
    with deep_recursion():
        text, positioned = quote.source(tree), to_ast(tree)
        printed = quote.parsed(text).body[0]
        if isinstance(printed, ast.Expr):
            printed = printed.value
        lines = {printed.lineno: positioned.lineno}
        _follow(printed, positioned, lines)
        state = _of_operators(printed, lines)
    return [
        CodeLine(line, lines.get(i), i in state) for i, line in enumerate(text.split("\n"), start=1)
    ]


def _follow(printed, positioned, lines):
    """Notes the user's lines, as long as both trees are the same."""
    if type(printed) is not type(positioned):
        return
    lineno = getattr(positioned, "lineno", None)
    if lineno is not None and hasattr(printed, "lineno"):
        lines.setdefault(printed.lineno, lineno)  # a statement comes before its parts
    pairs = zip(ast.iter_child_nodes(printed), ast.iter_child_nodes(positioned), strict=False)
    for one, other in pairs:
        _follow(one, other, lines)


def _of_operators(tree, lines):
    """Gives functions that operators take the line of the operator; the lines that hold state."""
    made = {
        node.name: node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node is not tree
    }
    state: set[int] = set()
    for call in (node for node in ast.walk(tree) if _is_operator(node)):
        for argument in call.args:
            if isinstance(argument, ast.Name) and argument.id in made:
                _give_line(made[argument.id], lines.get(call.lineno), lines, state)
    return state


def _is_operator(node):
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
            return name.startswith("ag__")
    return False


def _give_line(function, lineno, lines, state):
    lines[function.lineno] = lineno
    whole = range(function.lineno, function.end_lineno + 1)
    if function.name.startswith(STATE):
        lines.update(dict.fromkeys(whole, lineno))
        state.update(whole)
    for statement in function.body:
        if isinstance(statement, (ast.Nonlocal, ast.Global)):
            lines[statement.lineno] = lineno
