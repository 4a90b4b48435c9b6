"""Whether values may become staged inside the `with` statements of a function.

    with open(path) as f:              a context of Python     they stay plain
    with np.errstate(all="raise"):     a context of NumPy      they stay plain
    with graph.as_default():           any other may begin to stage

Contexts are known by their names: globals and builtins, and attributes of modules.
"""

import ast
import contextlib
import sys
from collections.abc import Container
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from autograph.functions.policy import is_users_file

# Of the standard library, these enter contexts that they are given.
_ENTER_OTHERS = (contextlib.ExitStack, contextlib.AsyncExitStack)
_UNKNOWN = ""


def names_of_contexts(node: ast.AST, bound: Container[str]) -> tuple[str, ...]:
    """The dotted names of the contexts in a definition, "" for those without a name.

    `bound` has the names that code of the definition binds: they are no globals.
    """
    statements = [one for one in ast.walk(node) if isinstance(one, (ast.With, ast.AsyncWith))]
    items = [item.context_expr for statement in statements for item in statement.items]
    return tuple(_name_of(expression, bound) for expression in items)


def _name_of(expression, bound):
    path = []
    expression = expression.func if isinstance(expression, ast.Call) else expression
    while isinstance(expression, ast.Attribute):
        path.append(expression.attr)
        expression = expression.value
    if not isinstance(expression, ast.Name) or expression.id in bound:
        return _UNKNOWN
    return ".".join([expression.id, *reversed(path)])


def may_stage(function: FunctionType, names: tuple[str, ...]) -> bool:
    """Whether a context of these names, in a function, may begin to stage values."""
    return not all(_stays_plain(_named(function, name)) for name in names)


def _named(function: FunctionType, name: str) -> Any:
    root, *path = name.split(".")
    builtins = function.__builtins__
    found = function.__globals__.get(root, builtins.get(root))
    for part in path:
        found = vars(found).get(part) if isinstance(found, ModuleType) else None
    return found


def _stays_plain(made_by: Any) -> bool:
    """Whether a context is Python's or NumPy's own: `made_by` it, or itself."""
    if not isinstance(made_by, (type, FunctionType, BuiltinFunctionType)):
        made_by = type(made_by)  # a lock, say
        if made_by.__module__ not in ("_thread", "threading"):
            return False
    name = made_by.__module__ or ""
    file = vars(sys.modules.get(name, sys)).get("__file__")
    if made_by in _ENTER_OTHERS or (file is not None and is_users_file(file)):
        return False
    return name.partition(".")[0] in sys.stdlib_module_names | {"numpy"}
