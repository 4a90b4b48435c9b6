"""Puts the graphs of definitions (`definitions/`) in the places of operations.

v = cumsum(x)      ->      nodes of cumulative_sum, traced for the type of x
"""

import inspect
from collections.abc import Callable
from typing import Any

import autograph
from runtime.export.library.definitions import DEFINITIONS, selected
from runtime.function.decorator import function
from runtime.function.pickling import example
from runtime.ir.graph import Graph, Node, Operand, Value, copy, operand_type, substitute
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.ir.types import PythonType, TensorType, is_array
from runtime.passes import optimized
from runtime.tracing.signature import TensorSpec


def definition_of(node: Node) -> Graph | None:
    """The nodes of the definition of an op, with the operands of a node; None if it has none.

    The output of the graph has the value of the node.
    """
    definition, arguments = _call(node)
    if definition is None or len(node.outputs) != 1:
        return None
    operands = [one for one in arguments if isinstance(one, Value)]
    if not all(isinstance(one.type, TensorType | PythonType) for one in operands):
        return None
    traced = _traced(definition, arguments)
    if traced is None or len(traced.outputs) != 1:
        return None
    known: dict[Value, Operand] = dict(zip(traced.inputs, operands, strict=True))
    body = copy(Graph(traced.name, [], traced.nodes, traced.outputs), known)
    return body if _fits(body.outputs[0], node.output) else None


def placed(body: Graph, node: Node) -> list[Node]:
    """The nodes of a definition, of which the last one computes the value of the node."""
    found, wanted = body.outputs[0], node.output
    assert isinstance(found, Value)
    if found.type != wanted.type:
        shape = {"shape": wanted.type.shape}
        body.nodes.append(Node(find("relax"), (found,), (wanted,), shape))
    else:
        maker = next(one for one in body.nodes if found in one.outputs)
        maker.outputs = tuple(wanted if one is found else one for one in maker.outputs)
        substitute(body, {found: wanted})
    _locate(body, node)
    return body.nodes


def _locate(graph: Graph, node: Node) -> None:
    """Gives the nodes of a definition the line of the user's call."""
    for one in graph.nodes:
        one.location, one.scope = node.location, node.scope
        for region in one.regions.values():
            _locate(region, node)


def _call(node: Node) -> tuple[Callable[..., Any] | None, list[Any]]:
    """The definition for a node, and its arguments: operands, and constants of Python."""
    attributes = dict(node.attributes)
    if node.op.name == "getitem":
        at = attributes.pop("at")
        is_plain = (
            len(at) == 1 and isinstance(at[0], Slot) and is_array(operand_type(node.inputs[1]))
        )
        return (selected, list(node.inputs)) if is_plain else (None, [])
    definition = DEFINITIONS.get(node.op.name)
    if definition is None or attributes.pop("named", ()):
        return None, []
    given = attributes.pop("given", None)
    if given is None:
        arguments = [*node.inputs, *attributes.values()]
    else:
        arguments = [node.inputs[one.index] if isinstance(one, Slot) else one for one in given]
    try:
        inspect.signature(definition).bind(*arguments)
    except TypeError:  # it has no such option
        return None, []
    return definition, arguments


def _traced(definition: Callable[..., Any], arguments: list[Any]) -> Graph | None:
    """The graph of a definition for some operands; its inputs are those that are values."""
    values = [one for one in arguments if isinstance(one, Value)]

    def called(given):
        rest = iter(given)
        return convert(*[next(rest) if isinstance(one, Value) else one for one in arguments])

    convert = autograph.to_graph(definition)
    staged = function(called, input_signature=[tuple(map(_spec, values))])
    graph = staged.get_concrete_function(tuple(map(_example, values))).compiled.graph
    return optimized(copy(graph)) if graph.outputs else None


def _spec(value: Value) -> Any:
    type = operand_type(value)
    if isinstance(type, PythonType):
        return type.kind
    assert isinstance(type, TensorType)
    return TensorSpec(type.shape if is_array(type) else (), type.dtype)


def _example(value: Value) -> Any:
    return example(operand_type(value))


def _fits(found: Operand, wanted: Value) -> bool:
    """Whether the value of a definition can stand for that of a node: its sizes may be unknown."""
    if not isinstance(found, Value) or type(found.type) is not type(wanted.type):
        return False
    if not isinstance(wanted.type, TensorType) or not isinstance(found.type, TensorType):
        return found.type == wanted.type
    is_same = found.type.dtype == wanted.type.dtype and found.type.ndim == wanted.type.ndim
    return is_same and is_array(found.type) == is_array(wanted.type)
