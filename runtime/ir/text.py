"""The text of a graph is a subset of Python.

    def collatz(a: i64):
        p: b1 = not_equal(a, 1)  # collatz.py:3

        def body(a_1: i64, counter: int):
            ...
            return p_1, a_4, counter_1
        a_5, counter_2 = loop(p, a, 0, body=body)  # collatz.py:3
        return counter_2

Operands stand first, attributes and regions by keyword.  Names are the user's own, numbered where a
name comes again.  A comment carries the line that a node comes from.

Three laws, tested on every graph that the tests make:

    show(parse(text)) == text
    run(parse(show(graph))) == run(graph)
    a text is a Python program: given functions for the ops, it runs
"""

import ast
import builtins
import io
import itertools
import os
import re
import sys
import tokenize
from collections.abc import Iterator

import numpy as np

from runtime.ir import op as ops
from runtime.ir.graph import (
    NUMBERS,
    Graph,
    Location,
    Node,
    Value,
    operand_type,
    presents_graphs,
    verify,
)
from runtime.ir.slot import Slot
from runtime.ir.types import DTYPE_NAMES, DTYPES, Type, parse_type

# Numbers that have no literal of their own.
NAMED_NUMBERS = {"inf": float("inf"), "nan": float("nan")}


# -- printing --------------------------------------------------------------------------------------


@presents_graphs("text")
def show(graph: Graph) -> str:
    """The text of a graph."""
    return "\n".join(_lines(graph, Names(), ""))


def names_in_text(graph: Graph) -> "Names":
    """The names that values have in the text of a graph."""
    names = Names()
    for _ in _lines(graph, names, ""):
        pass
    return names


class Names:
    """Names for values: what the user calls them, numbered where a name is taken."""

    def __init__(self):
        self._names: dict[Value, str] = {}
        self._numbers: dict[str, Iterator[int]] = {}
        self._taken = {*ops.names(), *NAMED_NUMBERS, *DTYPES}

    def __getitem__(self, value: Value) -> str:
        if value not in self._names:
            self._names[value] = self.fresh(value.hint)
        return self._names[value]

    def values(self) -> dict[str, Value]:
        """The values that have a name by now."""
        return {name: value for value, name in self._names.items()}

    def fresh(self, stem: str) -> str:
        """`stem`, or `stem_1`, `stem_2`... where it is taken."""
        name = stem
        numbers = self._numbers.setdefault(stem, itertools.count(1))
        while name in self._taken:
            name = f"{stem}_{next(numbers)}"
        self._taken.add(name)
        return name


def _lines(graph, names, indent):
    parameters = ", ".join(f"{names[v]}: {v.type}" for v in graph.inputs)
    yield f"{indent}def {graph.name}({parameters}):"
    inside = indent + "    "
    for node in graph.nodes:
        regions = {}
        for name, region in node.regions.items():
            yield ""
            regions[name] = names.fresh(name)
            yield from _lines(_Named(region, regions[name]), names, inside)
        yield inside + statement(node, regions, names) + _comment(node)
    yield inside + f"return {', '.join(_operand(o, names) for o in graph.outputs)}".rstrip()


def _Named(region, name):
    return Graph(name, region.inputs, region.nodes, region.outputs)


def statement(node: Node, regions: dict[str, str], names: Names) -> str:
    """The text of a node; `regions` says what its regions are called."""
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


def _comment(node):
    at = node.location and f"{os.path.basename(node.location.filename)}:{node.location.lineno}"
    where = " ".join(filter(None, (at, node.scope)))
    return f"  # {where}" if where else ""


def _operand(operand, names):
    return names[operand] if isinstance(operand, Value) else number_text(operand)


def number_text(number) -> str:
    """The text of a number of Python's, which `parse` reads back to the same number."""
    if isinstance(number, complex):
        return f"complex({number.real!r}, {number.imag!r})"
    return repr(number)


def attribute_text(value) -> str:
    """The text of an attribute: a literal, a dtype or type by its name, an array by its
    elements."""
    match value:
        case np.ndarray() | np.generic():
            elements = ", ".join(map(number_text, np.ravel(value).tolist()))
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
            return number_text(value)
    return repr(value)


# -- parsing ---------------------------------------------------------------------------------------


def parse(text: str) -> Graph:
    """The graph that a text stands for.

    Raises `SyntaxError` with the line of the text for what is no graph: unknown ops, values that
    are used before they are defined, types that do not follow from the op's rule.
    """
    tree = ast.parse(text)
    match tree.body:
        case [ast.FunctionDef() as function]:
            graph = _Reader(text).graph(function, {})
            verify(graph)
            return graph
    raise SyntaxError("line 1: the text of a graph is one function definition")


class _Reader:
    def __init__(self, text):
        self.comments = {
            token.start[0]: token.string[1:].strip()
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type == tokenize.COMMENT
        }

    def fault(self, node, what):
        return SyntaxError(f"line {node.lineno}: {what}")

    def graph(self, function, around):
        known, regions = dict(around), {}
        inputs = [self.define(known, a, a.arg, a.annotation) for a in function.args.args]
        graph = Graph(function.name, inputs)
        for statement in function.body:
            match statement:
                case ast.FunctionDef():
                    regions[statement.name] = self.graph(statement, known)
                case ast.Return():
                    values = [] if statement.value is None else _parts(statement.value)
                    graph.outputs = [self.operand(value, known) for value in values]
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=call):
                    wanted = [(name, self.type(annotation))]
                    graph.nodes.append(self.node(call, wanted, known, regions))
                case ast.Assign(targets=[target], value=call):
                    wanted = [(part.id, None) for part in _parts(target)]
                    graph.nodes.append(self.node(call, wanted, known, regions))
                case ast.Expr(value=call):
                    graph.nodes.append(self.node(call, [], known, regions))
                case _:
                    raise self.fault(statement, f"{ast.unparse(statement)!r} is no node")
        return graph

    def define(self, known, where, name, annotation):
        known[name] = value = Value(self.type(annotation), name)
        return value

    def type(self, annotation):
        try:
            return parse_type(ast.unparse(annotation))
        except ValueError as error:
            raise self.fault(annotation, error) from None

    def node(self, call, wanted, known, regions):
        match call:
            case ast.Call(func=ast.Name(id=name)):
                pass
            case _:
                raise self.fault(call, f"{ast.unparse(call)!r} applies no op")
        try:
            op = ops.find(name)
        except KeyError:
            raise self.fault(call, f"there is no op {name!r}") from None
        inputs = tuple(self.operand(argument, known) for argument in call.args)
        attributes, own = {}, {}
        for keyword in call.keywords:
            value = keyword.value
            if isinstance(value, ast.Name) and value.id in regions:
                own[keyword.arg] = region = regions.pop(value.id)
                region.name = keyword.arg
            else:
                is_type = keyword.arg in ("type", "element")
                if keyword.arg == "types":
                    attributes[keyword.arg] = tuple(map(self.type, _parts(value)))
                else:
                    attributes[keyword.arg] = self.type(value) if is_type else self.attribute(value)
        try:
            types = op.infer_types(tuple(map(operand_type, inputs)), attributes, own)
        except (TypeError, ValueError, IndexError) as error:
            raise self.fault(call, f"{name}: {error}") from None
        if len(types) != len(wanted) or any(
            t not in (None, u) for (_, t), u in zip(wanted, types, strict=True)
        ):
            made = ", ".join(map(str, types)) or "nothing"
            raise self.fault(call, f"{name} makes {made} here")
        outputs = tuple(Value(t, n) for (n, _), t in zip(wanted, types, strict=True))
        known.update((n, v) for (n, _), v in zip(wanted, outputs, strict=True))
        location, scope = self.comment(call.lineno)
        return Node(op, inputs, outputs, attributes, own, location, scope)

    def comment(self, lineno):
        match = re.fullmatch(r"(?:(.*):(\d+))?(?:(?:^| )(\S+))?", self.comments.get(lineno, ""))
        filename, line, scope = match.groups()
        return Location(filename, int(line)) if filename else None, scope or ""

    def operand(self, node, known):
        if isinstance(node, ast.Name) and node.id in known:
            return known[node.id]
        value = self.attribute(node)
        if type(value) not in NUMBERS:
            raise self.fault(node, f"{ast.unparse(node)!r} is neither a value nor a number")
        return value

    def attribute(self, node):
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
            case ast.Call(func=ast.Name(id="array"), args=[elements, dtype, shape]):
                values = np.array(self.attribute(elements), dtype=DTYPES[dtype.id])
                return values.reshape(self.attribute(shape))
            case ast.Name(id=name) if re.fullmatch(r"_\d+", name):
                return Slot(int(name[1:]))
            case ast.Name(id=name) if name in NAMED_NUMBERS:
                return NAMED_NUMBERS[name]
            case ast.Name(id="Ellipsis"):
                return Ellipsis
            case ast.Name(id=name) if name in DTYPES:
                return DTYPES[name]
            case ast.Name(id=name) if isinstance(getattr(builtins, name, None), type):
                return getattr(builtins, name)
            case ast.Attribute():
                return self.imported(node)
        raise self.fault(node, f"{ast.unparse(node)!r} is no attribute")

    def imported(self, node):
        """A class by its dotted name, from a module that is imported already."""
        path = ast.unparse(node).split(".")
        for i in range(len(path) - 1, 0, -1):
            found = sys.modules.get(".".join(path[:i]))
            for name in path[i:] if found is not None else ():
                found = getattr(found, name, None)
            if isinstance(found, type):
                return found
        raise self.fault(node, f"{ast.unparse(node)!r} is no class of an imported module")


def _parts(node):
    return node.elts if isinstance(node, ast.Tuple) else [node]
