"""The strings of types, read back: `parse_type("list[f32[n, 2]]")`."""

import ast
from functools import cache

from runtime.ir.types import (
    DTYPES,
    NOTHING,
    OBJECT,
    PYTHON_TYPES,
    STRING,
    Dimension,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    array_type,
)
from runtime.ir.unions import union_of

FAULTS = (
    SyntaxError,
    KeyError,
    ValueError,
    AttributeError,
    TypeError,
    RecursionError,
    MemoryError,
)


@cache
def parse_type(text: str) -> Type:
    """The type with the given string.  Raises `ValueError` for other strings.

    >>> parse_type("list[f32[n, 2]]"), parse_type("int | f64")
    (<type list[f32[n, 2]]>, <type int | f64>)
    """
    try:
        return _from_syntax(ast.parse(text, mode="eval").body)
    except FAULTS:
        raise _no_type(text) from None


def type_of_syntax(node: ast.expr) -> Type:
    """The type that an annotation in the text of a graph names.  Raises `ValueError`."""
    try:
        return _from_syntax(node)
    except FAULTS:
        raise _no_type(ast.unparse(node)) from None


def _no_type(text: str) -> ValueError:
    return ValueError(f"{text!r} is not a type; types look like f64[3, n], int, list[i32]")


def _from_syntax(node: ast.expr) -> Type:
    match node:
        case ast.Name(id=name) if name in DTYPES:
            return TensorType(DTYPES[name])
        case ast.Name(id=name):
            by_name: dict[str, Type] = {
                str(kind): kind for kind in (*PYTHON_TYPES.values(), STRING, OBJECT, NOTHING)
            }
            return by_name[name]
        case ast.Tuple(elts=places):
            return TupleType(tuple(map(_from_syntax, places)))
        case ast.Subscript(value=ast.Name(id="list"), slice=element):
            return ListType(_from_syntax(element))
        case ast.Subscript(value=ast.Name(id="optional"), slice=present):
            return OptionalType((_from_syntax(present),))
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=sizes)):
            return array_type(DTYPES[name], tuple(map(_dimension, sizes)))
        case ast.Subscript(value=ast.Name(id=name), slice=size):
            return TensorType(DTYPES[name], (_dimension(size),))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return union_of(_from_syntax(left), _from_syntax(right))
    raise ValueError


def _dimension(node: ast.expr) -> Dimension:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Constant(value=None):
            return None
        case ast.Constant(value=int(size)) if type(size) is int and size >= 0:
            return size
    raise ValueError
