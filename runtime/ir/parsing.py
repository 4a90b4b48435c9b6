"""Reads the text of graphs (`text.py`): a subset of Python, which is parsed and never executed."""

import ast
import builtins
import re
import sys
from typing import Any

import numpy as np

from autograph.errors import with_article
from runtime.ir import op as ops
from runtime.ir.comments import Comments
from runtime.ir.graph import (
    PYTHON_SCALARS,
    Graph,
    Location,
    Node,
    Operand,
    Value,
    operand_type,
    rule_inputs,
    verify,
)
from runtime.ir.host import Called, Host, Kept, Made, Method, Stream, imported
from runtime.ir.slot import Slot
from runtime.ir.syntax import parsed
from runtime.ir.type_text import type_of_syntax
from runtime.ir.types import DTYPES, Type

# Floats without a literal.
NAMED_FLOATS = {"inf": float("inf"), "nan": float("nan")}

# Attributes whose lists stay lists: an exception shows its arguments, and has notes.
LISTED = ("arguments", "state")

# The comment of a node: its line, its scope, or both.
PLACE = re.compile(r"(?:(.*):(\d+))?(?:(?:^| )(\S+))?")

# What the type rules of ops, and reading of a wrong text, raise.
FAILURES = (Exception, RecursionError, MemoryError)


class Names:
    """What the names in a text stand for: classes and functions of modules that are imported.

    A subclass can know fewer (`saved/trusted_text.py`), and check the parts of a graph before
    anything is computed from them.  Its methods raise `LookupError` and `ValueError`.
    """

    def function(self, name: str) -> Any:
        """The function or class of the host that has a full name."""
        return imported(name)

    def kind(self, path: list[str]) -> type:
        """The class with a dotted name."""
        if len(path) == 1 and isinstance(getattr(builtins, path[0], None), type):
            return getattr(builtins, path[0])  # type: ignore[no-any-return]
        for i in range(len(path) - 1, 0, -1):
            found: Any = sys.modules.get(".".join(path[:i]))
            for name in path[i:] if found is not None else ():
                found = getattr(found, name, None)
            if isinstance(found, type):
                return found
        raise LookupError(f"{'.'.join(path)!r} is not a class of an imported module")

    def check_type(self, kind: Type) -> None:
        """Checks the type of a value."""

    def check_node(self, op: ops.Op, attributes: dict[str, Any], depth: int) -> None:
        """Checks an operation, before its types are inferred; `depth`: of the regions around it."""

    def check_file(self, name: str) -> None:
        """Checks the name of the file that an operation comes from, which errors may read."""


def parse(text: str) -> Graph:
    """The graph of a text.

    Raises `SyntaxError`, with the line, for a text that is not a graph: unknown ops, values used
    before they are defined, types that do not follow from the type rule of the op.  Raises
    `TypeError` for another object than a text.
    """
    if not isinstance(text, str):
        raise TypeError(
            f"rt.parse takes the text of a graph, not {with_article(type(text).__name__)}"
        )
    return parse_with(text, Names())


def parse_with(text: str, names: Names) -> Graph:
    """The graph of a text, whose names stand for what `names` says.  Raises `SyntaxError`."""
    try:
        return _parsed(text, names)
    except SyntaxError:
        raise
    except (RecursionError, MemoryError):
        raise SyntaxError("line 1: the text is nested too deeply") from None
    except Exception as error:
        raise SyntaxError(f"line 1: the text is not a graph: {error}") from error


def _parsed(text: str, names: Names) -> Graph:
    match parsed(text).body:
        case [ast.FunctionDef() as function]:
            reader = _Reader(text, names)
            graph = reader.graph(function, {})
            verify(graph, reader.checked)
            return graph
    raise SyntaxError("line 1: the text of a graph is one function definition")


class _Reader:
    """Builds a graph from the syntax tree of its text."""

    def __init__(self, text: str, names: Names) -> None:
        self.names = names
        self.depth = 0
        self.keeps_lists = False
        self.comments = Comments(text)
        self.types: dict[str, Type] = {}  # by their text
        self.checked: dict[Node, tuple[Any, ...]] = {}  # nodes whose type rule has been applied

    def fault(self, node: ast.stmt | ast.expr, problem: object) -> SyntaxError:
        return SyntaxError(f"line {node.lineno}: {problem}")

    def graph(self, function: ast.FunctionDef, around: dict[str, Value]) -> Graph:
        self.check_plain(function)
        self.depth += 1
        try:
            return self.body(function, around)
        finally:
            self.depth -= 1

    def check_plain(self, function: ast.FunctionDef) -> None:
        """Refuses parts of a definition that the text of a graph does not have."""
        given = function.args
        others = (given.posonlyargs, given.kwonlyargs, given.defaults, given.kw_defaults)
        if any(others) or given.vararg or given.kwarg:
            raise self.fault(function, "the inputs of a graph are names with types")
        if function.decorator_list or function.returns or getattr(function, "type_params", None):
            raise self.fault(function, "the definition of a graph has a name and inputs only")

    def body(self, function: ast.FunctionDef, around: dict[str, Value]) -> Graph:
        known = dict(around)
        regions: dict[str, Graph] = {}
        inputs = [self.define(known, a) for a in function.args.args]
        graph = Graph(function.name, inputs)
        *statements, last = function.body
        if not isinstance(last, ast.Return):
            raise self.fault(last, "a graph ends with `return`")
        for statement in (*statements, last):
            match statement:
                case ast.Return() if statement is not last:
                    raise self.fault(statement, "a graph ends at its `return`")
                case ast.FunctionDef() if statement.name in regions:
                    raise self.fault(statement, f"there are two regions {statement.name!r}")
                case ast.FunctionDef():
                    regions[statement.name] = self.graph(statement, known)
                case ast.Return():
                    values = [] if statement.value is None else _parts(statement.value)
                    graph.outputs = [self.operand(value, known) for value in values]
                case ast.AnnAssign(
                    target=ast.Name(id=name), annotation=annotation, value=ast.Call() as call
                ):
                    graph.nodes.append(
                        self.node(call, [(name, self.annotated(annotation))], known, regions)
                    )
                case ast.Assign(targets=[target], value=call):
                    wanted = [self.target(part) for part in _parts(target)]
                    graph.nodes.append(self.node(call, wanted, known, regions))
                case ast.Expr(value=call):
                    graph.nodes.append(self.node(call, [], known, regions))
                case _:
                    raise self.fault(statement, f"{ast.unparse(statement)!r} is not a node")
        if regions:
            raise self.fault(last, f"no node has the region {next(iter(regions))!r}")
        return graph

    def target(self, part: ast.expr) -> tuple[str, Type | None]:
        if not isinstance(part, ast.Name):
            raise self.fault(part, f"{ast.unparse(part)!r} is not a name of a result")
        return part.id, None

    def define(self, known: dict[str, Value], argument: ast.arg) -> Value:
        if argument.annotation is None:
            raise SyntaxError(f"line {argument.lineno}: {argument.arg} has no type")
        name = argument.arg
        known[name] = value = Value(self.annotated(argument.annotation), name)
        return value

    def annotated(self, annotation: ast.expr) -> Type:
        written = self.comments.written(annotation)
        if written in self.types:
            return self.types[written]
        try:
            kind = type_of_syntax(annotation)
            self.names.check_type(kind)
        except ValueError as error:
            raise self.fault(annotation, error) from None
        if written:
            self.types[written] = kind
        return kind

    def node(
        self,
        call: ast.expr,
        wanted: "_Wanted",
        known: dict[str, Value],
        regions: dict[str, Graph],
    ) -> Node:
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
            value, key = keyword.value, keyword.arg
            if key is None or key in attributes or key in own:
                raise self.fault(call, f"{name} has an attribute without a name of its own")
            if isinstance(value, ast.Name) and value.id in regions:
                own[key] = region = regions.pop(value.id)
                region.name = key
            else:
                is_type = key in ("type", "element")
                if key == "types":
                    attributes[key] = tuple(map(self.annotated, _parts(value)))
                else:
                    self.keeps_lists = key in LISTED
                    attributes[key] = self.annotated(value) if is_type else self.attribute(value)
        try:
            self.names.check_node(op, attributes, self.depth)
            self.check_regions(op, own)
            types = op.infer_types(tuple(map(operand_type, inputs)), attributes, own)
            for kind in types:
                self.names.check_type(kind)
        except FAILURES as error:
            raise self.fault(call, f"{name}: {error}") from None
        if len(types) != len(wanted) or any(
            t not in (None, u) for (_, t), u in zip(wanted, types, strict=True)
        ):
            made = ", ".join(map(str, types)) or "nothing"
            raise self.fault(call, f"{name} returns {made} here")
        outputs = tuple(Value(t, n) for (n, _), t in zip(wanted, types, strict=True))
        known.update((n, v) for (n, _), v in zip(wanted, outputs, strict=True))
        try:
            location, scope = self.comment(call)
        except ValueError as error:
            raise self.fault(call, error) from None
        node = Node(op, inputs, outputs, attributes, own, location, scope)
        self.checked[node] = rule_inputs(node)
        return node

    @staticmethod
    def check_regions(op: ops.Op, own: dict[str, Graph]) -> None:
        """Raises `ValueError` unless an op has the regions that its record declares."""
        declared = set() if op.control_flow is None else set(op.control_flow.regions)
        if not set(own) <= declared:
            raise ValueError(f"it has no region {min(set(own) - declared)!r}")

    def comment(self, call: ast.expr) -> tuple[Location | None, str]:
        match = PLACE.fullmatch(self.comments.after(call))
        filename, line, scope = match.groups() if match else (None, None, None)
        if not filename or not line:
            return None, scope or ""
        self.names.check_file(filename)
        return Location(filename, int(line)), scope or ""

    def operand(self, node: ast.expr, known: dict[str, Value]) -> Operand:
        if isinstance(node, ast.Name) and node.id in known:
            return known[node.id]
        value = self.attribute(node)
        if not isinstance(value, PYTHON_SCALARS):
            raise self.fault(node, f"{ast.unparse(node)!r} is neither a value nor a Python scalar")
        return value

    def attribute(self, node: ast.expr) -> Any:
        try:
            return self.value_of(node)
        except SyntaxError:
            raise
        except FAILURES as error:
            raise self.fault(node, f"{type(error).__name__}: {error}") from None

    def value_of(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.attribute(operand)
            case ast.List(elts=parts) if self.keeps_lists:
                return list(map(self.attribute, parts))
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return tuple(map(self.attribute, parts))
            case ast.Call(func=ast.Name(id="complex"), args=parts):
                return complex(*map(self.attribute, parts))
            case ast.Call(func=ast.Name(id="slice"), args=parts):
                return slice(*map(self.attribute, parts))
            case ast.Call(func=ast.Name(id="host"), args=[ast.Constant(value=str(name))]):
                try:
                    return Host(self.names.function(name))
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
            case ast.Call(func=ast.Name(id="ufunc"), args=[ast.Constant(value=str(name))]):
                return _ufunc(name)
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
            case ast.Attribute() | ast.Name():
                try:
                    return self.names.kind(ast.unparse(node).split("."))
                except LookupError:
                    pass
        raise self.fault(node, f"{ast.unparse(node)!r} is not an attribute")


_Wanted = list[tuple[str, Type | None]]  # names of results, and their types if they are given


def _ufunc(name: str) -> np.ufunc:
    """The function of NumPy with a name, an argument of exceptions.  Raises `LookupError`."""
    found = vars(np).get(name)
    if not isinstance(found, np.ufunc):
        raise LookupError(f"NumPy has no universal function {name!r}")
    return found


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]
