"""Trees of `ast` as trees of `gast`, whose nodes are the same in every version of Python, and back.

    to_gast(node)      parameters and the names of handlers become `Name` nodes, and so on
    to_ast(tree)       the tree to compile or to print

    become_gast(node), become_ast(tree)
                       the same without a copy: the nodes change their class

They do the same as gast's own functions (`tests/conversion/test_trees.py` compares them).  A
conversion owns its tree, which is parsed for it and compiled at the end, so it needs no copies.
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


# -- without a copy --------------------------------------------------------------------------------


def become_gast(tree: ast.AST) -> gast.AST:
    """The same tree, each of whose nodes has become a node of `gast`."""
    pending = [tree]
    for node in pending:  # which grows
        kind = node.__class__
        node.__class__, parts, others, complete = _BECOMES_GAST.get(kind) or _becomes_gast(kind)
        fields = node.__dict__
        for name in others:
            value = fields[name]
            fields[name] = (
                [_TO_GAST[one.__class__] for one in value]
                if value.__class__ is list
                else _TO_GAST[value.__class__]
            )
        if complete is not None:
            complete(fields)
        for name in parts:
            value = fields.get(name)
            if value.__class__ is list:
                pending += value if None not in value else filter(None, value)
            elif value is not None:
                pending.append(value)
    return tree


def become_ast(tree: gast.AST, constants: Mapping[str, Any]) -> ast.AST:
    """The same tree, each of whose nodes has become a node of `ast`.

    Names in `constants` become the constants that belong to them.
    """
    pending = [tree]
    for node in pending:  # which grows
        kind = node.__class__
        if kind is gast.Name:
            _become_name(node, constants)
            continue
        becomes = _BECOMES_AST.get(kind)
        if becomes is None:
            becomes = _becomes_ast(kind)
        node.__class__, parts, others, complete = becomes
        fields = node.__dict__
        for name in others:
            value = fields[name]
            fields[name] = (
                [_TO_AST[one.__class__] for one in value]
                if value.__class__ is list
                else _TO_AST[value.__class__]
            )
        for name in parts:
            value = fields.get(name)
            if value.__class__ is list:
                pending += value if None not in value else filter(None, value)
            elif value is not None:
                pending.append(value)
        if complete is not None:
            complete(fields)
    return tree


def _becomes_gast(kind):
    new_kind = getattr(gast, kind.__name__) if kind is not ast.arg else gast.Name
    _BECOMES_GAST[kind] = found = _becomes(kind, new_kind, _COMPLETE_GAST.get(kind))
    return found


def _becomes_ast(kind):
    if kind.__module__ == gast.Name.__module__:
        complete = _become_parameters if kind is gast.arguments else _COMPLETE_AST.get(kind)
        found = _becomes(kind, getattr(ast, kind.__name__), complete)
    else:  # a parameter, or a node that is in two places of the tree
        found = kind, ("annotation",) if kind is ast.arg else (), (), None
    _BECOMES_AST[kind] = found
    return found


def _becomes(kind, new_kind, complete):
    """The class that a node gets; its fields with nodes, and with nodes that all trees share; how
    its other fields change."""
    parts = child_fields(kind)
    if kind.__name__ == "ExceptHandler":
        parts = tuple(name for name in parts if name != "name")
    others = tuple(name for name in ("ctx", "op", "ops") if name in kind._fields)
    return new_kind, parts, others, complete


_BECOMES_GAST: dict[type, tuple[type, tuple[str, ...], tuple[str, ...], Any]] = {}
_BECOMES_AST: dict[type, tuple[type, tuple[str, ...], tuple[str, ...], Any]] = {}


def _become_name(node, constants):
    fields = node.__dict__
    del fields["annotation"], fields["type_comment"]
    context = fields.pop("ctx")
    if fields["id"] in constants:
        node.__class__ = ast.Constant
        fields["value"], fields["kind"] = constants[fields.pop("id")], None
    else:
        node.__class__ = ast.Name
        fields["ctx"] = _TO_AST[context.__class__]


def _become_parameters(fields):
    several = (*fields["posonlyargs"], *fields["args"], *fields["kwonlyargs"])
    for node in (*several, fields["vararg"], fields["kwarg"]):
        if node is not None:
            node.__class__ = ast.arg
            of_node = node.__dict__
            of_node["arg"] = of_node.pop("id")
            del of_node["ctx"]
