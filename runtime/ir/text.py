"""Graphs as text: a subset of Python.

    def collatz(a: i64):
        p: b1 = not_equal(a, 1)  # collatz.py:3

        def body(a_1: i64, counter: int):
            ...
            return p_1, a_4, counter_1
        a_5, counter_2 = loop(p, a, 0, body=body)  # collatz.py:3
        return counter_2

Operands come first, then attributes and regions by keyword.  Names are those of the user, with a
number if a name is repeated.  A comment gives the line of the source that a node comes from.

Three laws hold for every graph:

    show(parse(text)) == text
    run(parse(show(graph))) == run(graph)
    the text is a Python program: with functions for the ops, it runs
"""

import ast
import builtins
import io
import itertools
import re
import sys
import tokenize
from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.ir import op as ops
from runtime.ir.graph import (
    PYTHON_SCALARS,
    Graph,
    Location,
    Node,
    Operand,
    Value,
    operand_type,
    presents_graphs,
    verify,
)
from runtime.ir.host import Called, Host, Kept, Made, Method, Stream, imported
from runtime.ir.slot import Slot
from runtime.ir.type_text import parse_type
from runtime.ir.types import DTYPE_NAMES, DTYPES, Type

# Floats without a literal.
NAMED_FLOATS = {"inf": float("inf"), "nan": float("nan")}


# -- printing --------------------------------------------------------------------------------------


@presents_graphs("text")
def show(graph: Graph) -> str:
    """The text of a graph."""
    return "\n".join(_lines(graph, ValueNames(), ""))


def names_in_text(graph: Graph) -> "ValueNames":
    """The names of values in the text of a graph."""
    names = ValueNames()
    for _ in _lines(graph, names, ""):
        pass
    return names


class ValueNames:
    """Unique names for values: the names of the user, numbered if a name is taken."""

    def __init__(self) -> None:
        self._names: dict[Value, str] = {}
        self._numbers: dict[str, Iterator[int]] = {}
        self._taken = {*ops.names(), *NAMED_FLOATS, *DTYPES}

    def __getitem__(self, value: Value) -> str:
        if value not in self._names:
            self._names[value] = self.fresh(value.hint)
        return self._names[value]

    def values(self) -> dict[str, Value]:
        """The values that have a name so far, by name."""
        return {name: value for value, name in self._names.items()}

    def fresh(self, stem: str) -> str:
        """`stem`, or `stem_1`, `stem_2`... if it is taken."""
        name = stem
        numbers = self._numbers.setdefault(stem, itertools.count(1))
        while name in self._taken:
            name = f"{stem}_{next(numbers)}"
        self._taken.add(name)
        return name


def _lines(graph: Graph, names: ValueNames, indent: str) -> Iterator[str]:
    parameters = ", ".join(f"{names[v]}: {v.type}" for v in graph.inputs)
    yield f"{indent}def {graph.name}({parameters}):"
    inside = indent + "    "
    for node in graph.nodes:
        regions = {}
        for name, region in node.regions.items():
            yield ""
            regions[name] = names.fresh(name)
            named = Graph(regions[name], region.inputs, region.nodes, region.outputs)
            yield from _lines(named, names, inside)
        yield inside + statement(node, regions, names) + _comment(node)
    yield inside + f"return {', '.join(_operand(o, names) for o in graph.outputs)}".rstrip()


def statement(node: Node, regions: dict[str, str], names: ValueNames) -> str:
    """The text of a node; `regions` are the names of its regions."""
    parts = [_operand(o, names) for o in node.inputs]
    parts += [f"{name}={attribute_text(value)}" for name, value in node.attributes.items()]
    parts += [f"{name}={shown}" for name, shown in regions.items()]
    text = f"{node.op.name}({', '.join(parts)})"
    match node.outputs:
        case (only,):
            text = f"{names[only]}: {only.type} = {text}"
        case (_, _, *_):
            text = f"{', '.join(names[v] for v in node.outputs)} = {text}"
    return text


def _comment(node: Node) -> str:
    at = node.location and f"{node.location.short}:{node.location.lineno}"
    where = " ".join(filter(None, (at, node.scope)))
    return f"  # {where}" if where else ""


def _operand(operand: Operand, names: ValueNames) -> str:
    return names[operand] if isinstance(operand, Value) else scalar_text(operand)


def scalar_text(number: bool | int | float | complex) -> str:
    """The text of a Python scalar, which `parse` reads back to an equal scalar."""
    if isinstance(number, complex):
        return f"complex({number.real!r}, {number.imag!r})"
    return repr(number)


def attribute_text(value: Any) -> str:
    """The text of an attribute: a literal, a name of a dtype or type, elements of an array."""
    match value:
        case np.ndarray() | np.generic():
            elements = ", ".join(map(scalar_text, np.ravel(value).tolist()))
            return f"array([{elements}], {DTYPE_NAMES[value.dtype]}, {np.shape(value)!r})"
        case np.dtype():
            return DTYPE_NAMES[value]
        case Type():
            return str(value)
        case tuple():
            inside = ", ".join(map(attribute_text, value))
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        case slice():
            return f"slice({', '.join(map(attribute_text, (value.start, value.stop, value.step)))})"
        case type():
            outside = value.__module__ != "builtins"
            return f"{value.__module__}.{value.__qualname__}" if outside else value.__qualname__
        case complex():
            return scalar_text(value)
    return repr(value)


# -- parsing ---------------------------------------------------------------------------------------


def parse(text: str) -> Graph:
    """The graph of a text.

    Raises `SyntaxError`, with the line, for a text that is not a graph: unknown ops, values used
    before they are defined, types that do not follow from the type rule of the op.
    """
    tree = ast.parse(text)
    match tree.body:
        case [ast.FunctionDef() as function]:
            graph = _Reader(text).graph(function, {})
            verify(graph)
            return graph
    raise SyntaxError("line 1: the text of a graph is one function definition")


class _Reader:
    """Builds a graph from the syntax tree of its text."""

    def __init__(self, text: str) -> None:
        self.comments = {
            token.start[0]: token.string[1:].strip()
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type == tokenize.COMMENT
        }

    def fault(self, node: ast.stmt | ast.expr, problem: object) -> SyntaxError:
        return SyntaxError(f"line {node.lineno}: {problem}")

    def graph(self, function: ast.FunctionDef, around: dict[str, Value]) -> Graph:
        known = dict(around)
        regions: dict[str, Graph] = {}
        inputs = [self.define(known, a) for a in function.args.args]
        graph = Graph(function.name, inputs)
        for statement in function.body:
            match statement:
                case ast.FunctionDef():
                    regions[statement.name] = self.graph(statement, known)
                case ast.Return():
                    values = [] if statement.value is None else _parts(statement.value)
                    graph.outputs = [self.operand(value, known) for value in values]
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=call):
                    graph.nodes.append(
                        self.node(call, [(name, self.annotated(annotation))], known, regions)
                    )
                case ast.Assign(targets=[target], value=call):
                    wanted: _Wanted = [
                        (part.id, None) for part in _parts(target) if isinstance(part, ast.Name)
                    ]
                    graph.nodes.append(self.node(call, wanted, known, regions))
                case ast.Expr(value=call):
                    graph.nodes.append(self.node(call, [], known, regions))
                case _:
                    raise self.fault(statement, f"{ast.unparse(statement)!r} is not a node")
        return graph

    def define(self, known: dict[str, Value], argument: ast.arg) -> Value:
        if argument.annotation is None:
            raise SyntaxError(f"line {argument.lineno}: {argument.arg} has no type")
        name = argument.arg
        known[name] = value = Value(self.annotated(argument.annotation), name)
        return value

    def annotated(self, annotation: ast.expr) -> Type:
        try:
            return parse_type(ast.unparse(annotation))
        except ValueError as error:
            raise self.fault(annotation, error) from None

    def node(
        self,
        call: ast.expr | None,
        wanted: "_Wanted",
        known: dict[str, Value],
        regions: dict[str, Graph],
    ) -> Node:
        assert call is not None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise self.fault(call, f"{ast.unparse(call)!r} does not apply an op")
        name = call.func.id
        try:
            op = ops.find(name)
        except KeyError:
            raise self.fault(call, f"there is no op {name!r}") from None
        inputs = tuple(self.operand(argument, known) for argument in call.args)
        attributes: dict[str, Any] = {}
        own: dict[str, Graph] = {}
        for keyword in call.keywords:
            value, key = keyword.value, keyword.arg or "**"
            if isinstance(value, ast.Name) and value.id in regions:
                own[key] = region = regions.pop(value.id)
                region.name = key
            else:
                is_type = key in ("type", "element")
                if key == "types":
                    attributes[key] = tuple(map(self.annotated, _parts(value)))
                else:
                    attributes[key] = self.annotated(value) if is_type else self.attribute(value)
        try:
            types = op.infer_types(tuple(map(operand_type, inputs)), attributes, own)
        except (TypeError, ValueError, IndexError) as error:
            raise self.fault(call, f"{name}: {error}") from None
        if len(types) != len(wanted) or any(
            t not in (None, u) for (_, t), u in zip(wanted, types, strict=True)
        ):
            made = ", ".join(map(str, types)) or "nothing"
            raise self.fault(call, f"{name} returns {made} here")
        outputs = tuple(Value(t, n) for (n, _), t in zip(wanted, types, strict=True))
        known.update((n, v) for (n, _), v in zip(wanted, outputs, strict=True))
        location, scope = self.comment(call.lineno)
        return Node(op, inputs, outputs, attributes, own, location, scope)

    def comment(self, lineno: int) -> tuple[Location | None, str]:
        match = re.fullmatch(r"(?:(.*):(\d+))?(?:(?:^| )(\S+))?", self.comments.get(lineno, ""))
        filename, line, scope = match.groups() if match else (None, None, None)
        return Location(filename, int(line)) if filename and line else None, scope or ""

    def operand(self, node: ast.expr, known: dict[str, Value]) -> Operand:
        if isinstance(node, ast.Name) and node.id in known:
            return known[node.id]
        value = self.attribute(node)
        if not isinstance(value, PYTHON_SCALARS):
            raise self.fault(node, f"{ast.unparse(node)!r} is neither a value nor a Python scalar")
        return value

    def attribute(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.attribute(operand)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return tuple(map(self.attribute, parts))
            case ast.Call(func=ast.Name(id="complex"), args=parts):
                return complex(*map(self.attribute, parts))
            case ast.Call(func=ast.Name(id="slice"), args=parts):
                return slice(*map(self.attribute, parts))
            case ast.Call(func=ast.Name(id="host"), args=[ast.Constant(value=str(name))]):
                try:
                    return Host(imported(name))
                except LookupError as error:
                    raise self.fault(node, error) from None
            case ast.Call(func=ast.Name(id="stream"), args=[ast.Constant(value=str(name))]):
                return Stream(name)
            case ast.Call(func=ast.Name(id="method"), args=[owner, ast.Constant(value=str(name))]):
                return Method(self.attribute(owner), name)
            case ast.Call(func=ast.Name(id="kept"), args=[ast.Name(id=name)]):
                return Kept(int(name[1:]))
            case ast.Call(func=ast.Name(id="made"), args=[kind, keys, parts]):
                return Made(*map(self.attribute, (kind, keys, parts)))
            case ast.Call(func=ast.Name(id="called"), args=parts):
                return Called(*map(self.attribute, parts))
            case ast.Call(func=ast.Name(id="array"), args=[elements, ast.Name(id=dtype), shape]):
                values = np.array(self.attribute(elements), dtype=DTYPES[dtype])
                return values.reshape(self.attribute(shape))
            case ast.Name(id=name) if re.fullmatch(r"_\d+", name):
                return Slot(int(name[1:]))
            case ast.Name(id=name) if name in NAMED_FLOATS:
                return NAMED_FLOATS[name]
            case ast.Name(id="Ellipsis"):
                return Ellipsis
            case ast.Name(id=name) if name in DTYPES:
                return DTYPES[name]
            case ast.Name(id=name) if isinstance(getattr(builtins, name, None), type):
                return getattr(builtins, name)
            case ast.Attribute():
                return self.imported(node)
        raise self.fault(node, f"{ast.unparse(node)!r} is not an attribute")

    def imported(self, node: ast.expr) -> type:
        """A class by its dotted name, from a module that is already imported."""
        path = ast.unparse(node).split(".")
        for i in range(len(path) - 1, 0, -1):
            found: Any = sys.modules.get(".".join(path[:i]))
            for name in path[i:] if found is not None else ():
                found = getattr(found, name, None)
            if isinstance(found, type):
                return found
        raise self.fault(node, f"{ast.unparse(node)!r} is not a class of an imported module")


_Wanted = list[tuple[str, Type | None]]  # names of results, and their types if they are given


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]
