"""Trees of `ast` as trees of `gast`, whose nodes are the same in every version of Python, and back.

    to_gast(node)      parameters and the names of handlers become `Name` nodes, and so on
    to_ast(tree)       the tree to compile or to print

They do the same as gast's own functions (`tests/conversion/test_trees.py` compares them), and copy
the fields of a node at once: a conversion copies every node of a function twice.
"""

import ast
import sys
from collections.abc import Callable, Mapping
from typing import Any

import gast

from autograph.syntax.walk import child_fields


def to_gast(node: ast.AST) -> gast.AST:
    """A copy of a tree in the nodes of `gast`."""
    kind = type(node)
    new_kind = getattr(gast, kind.__name__) if kind is not ast.arg else gast.Name
    new = new_kind.__new__(new_kind)
    fields = new.__dict__
    fields.update(node.__dict__)
    for name in _node_fields(kind):
        value = fields.get(name)
        if value.__class__ is list:
            fields[name] = [_TO_GAST.get(v.__class__) or v and to_gast(v) for v in value]
        elif value is not None:
            fields[name] = _TO_GAST.get(value.__class__) or to_gast(value)
    complete = _COMPLETE_GAST.get(kind)
    if complete is not None:
        complete(fields)
    return new


def _node_fields(kind):
    """The fields of a type of node that hold nodes."""
    fields = _fields.get(kind)
    if fields is None:
        others = [name for name in ("ctx", "op", "ops") if name in kind._fields]
        fields = child_fields(kind)
        if kind is ast.ExceptHandler:
            fields = tuple(name for name in fields if name != "name")
        _fields[kind] = fields = (*fields, *others)
    return fields


_fields: dict[type, tuple[str, ...]] = {}


def _name(fields):
    fields["annotation"] = fields["type_comment"] = None


def _parameter(fields):
    fields["id"] = fields.pop("arg")
    fields["ctx"] = _PARAMETER


def _handler(fields):
    if fields["name"]:
        name = gast.Name(fields["name"], gast.Store(), None, None)
        fields["name"] = name


def _definition(fields):
    fields.setdefault("type_params", [])


def _type_parameter(fields):
    fields.setdefault("default_value", None)


_PARAMETER = gast.Param()
# Nodes without fields and positions, which all trees share.
_TO_GAST = {
    kind: getattr(gast, name)()
    for name, kind in vars(ast).items()
    if isinstance(kind, type)
    and issubclass(kind, (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop))
    and hasattr(gast, name)
}
_COMPLETE_GAST: dict[type, Callable[[dict[str, Any]], None]] = {
    ast.Name: _name,
    ast.arg: _parameter,
    ast.ExceptHandler: _handler,
    ast.FunctionDef: _definition,
    ast.AsyncFunctionDef: _definition,
    ast.ClassDef: _definition,
}
if sys.version_info >= (3, 12):
    _COMPLETE_GAST |= dict.fromkeys(ast.type_param.__subclasses__(), _type_parameter)


def to_ast(tree: gast.AST, constants: Mapping[str, Any] | None = None) -> ast.AST:
    """A copy of a tree in the nodes of `ast`.

    Names in `constants` become the constants that belong to them.
    """
    constants = constants or {}

    def copied(node):
        kind = node.__class__
        if kind is gast.Name and node.id in constants:
            return ast.copy_location(ast.Constant(constants[node.id], None), node)
        if kind is gast.arguments:
            return arguments(node)
        new_kind = getattr(ast, kind.__name__)
        new = new_kind.__new__(new_kind)
        fields = new.__dict__
        fields.update(node.__dict__)
        for name in _node_fields(kind):
            value = fields.get(name)
            if value.__class__ is list:
                fields[name] = [_TO_AST.get(v.__class__) or v and copied(v) for v in value]
            elif value is not None:
                fields[name] = _TO_AST.get(value.__class__) or copied(value)
        complete = _COMPLETE_AST.get(kind)
        if complete is not None:
            complete(fields)
        return new

    def arguments(node):
        return ast.arguments(
            posonlyargs=[argument(parameter) for parameter in node.posonlyargs],
            args=[argument(parameter) for parameter in node.args],
            vararg=node.vararg and argument(node.vararg),
            kwonlyargs=[argument(parameter) for parameter in node.kwonlyargs],
            kw_defaults=[value and copied(value) for value in node.kw_defaults],
            kwarg=node.kwarg and argument(node.kwarg),
            defaults=[copied(value) for value in node.defaults],
        )

    def argument(node):
        annotation = node.annotation and copied(node.annotation)
        new = ast.arg(arg=node.id, annotation=annotation, type_comment=node.type_comment)
        return ast.copy_location(new, node)

    return copied(tree)


def _plain_name(fields):
    del fields["annotation"], fields["type_comment"]


def _plain_handler(fields):
    fields["name"] = fields["name"] and fields["name"].id


def _plain_definition(fields):
    fields.pop("type_params", None)


def _plain_type_parameter(fields):
    fields.pop("default_value", None)


_TO_AST = {type(node): kind() for kind, node in _TO_GAST.items()}
_COMPLETE_AST: dict[type, Callable[[dict[str, Any]], None]] = {
    gast.Name: _plain_name,
    gast.ExceptHandler: _plain_handler,
}
if sys.version_info < (3, 12):
    definitions = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)
    _COMPLETE_AST |= dict.fromkeys(definitions, _plain_definition)
elif sys.version_info < (3, 13):
    kinds = (gast.TypeVar, gast.TypeVarTuple, gast.ParamSpec)
    _COMPLETE_AST |= dict.fromkeys(kinds, _plain_type_parameter)
