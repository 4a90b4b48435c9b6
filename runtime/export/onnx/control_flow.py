"""Conditionals as `If`, loops as `Loop`; the regions of other ops are written in place.

Subgraphs of ONNX use the values of the graphs around them, as regions do.  A loop of ONNX counts
its iterations, and takes and returns its condition:

    loop(p, a, body=body)          Loop("", p, a): body(i, p, a) -> p, a

Loops over the rows of arrays are `Scan` (`scans.py`).
"""

from typing import Any

from onnx import TensorProto, helper

from runtime.export.onnx.rules import lowers
from runtime.export.onnx.scans import scan_of
from runtime.export.onnx.writer import BOOL, Writer, value_info
from runtime.ir.graph import Graph, Node
from runtime.ir.types import INT, PYTHON_TYPES, Type


@lowers("cond")
def cond(writer: Writer, node: Node) -> list[str]:
    """The results of one of two regions."""
    if not node.outputs:
        for region in node.regions.values():
            _written_for_refusals(writer, region)
        return []
    condition = writer.cast(node.inputs[0], BOOL)
    graphs = {}
    for name, proto in (("then", "then_branch"), ("orelse", "else_branch")):
        region, inner = node.regions[name], writer.region()
        inner.write(region)
        kinds = [value.type for value in node.outputs]
        names = _results(inner, region.outputs, kinds)
        graphs[proto] = inner.graph(name, [], zip(names, kinds, strict=True))
    outputs = [writer.model.fresh(value.hint) for value in node.outputs]
    return writer.nodes("If", [condition], outputs, **graphs)


def _written_for_refusals(writer: Writer, region: Graph) -> None:
    """Writes a region without results, for the errors about operations in it."""
    writer.region().write(region)


def _results(writer: Writer, outputs: Any, kinds: list[Type]) -> list[str]:
    return [writer.converted(one, kind) for one, kind in zip(outputs, kinds, strict=True)]


@lowers("loop")
def loop(writer: Writer, node: Node) -> list[str]:
    """Repeats a region while its first result is true."""
    condition, *carried = node.inputs
    body, kinds = node.regions["body"], [value.type for value in node.outputs]
    if not carried:
        why = "A loop of ONNX has a result."
        writer.refuse(node, "a loop changes no variable", why)
    as_scan = scan_of(writer, node, writer.graph_around) if writer.graph_around else None
    if as_scan is not None:
        return as_scan
    inner = writer.region()
    count, given = inner.model.fresh("iteration"), inner.model.fresh("condition")
    infos = [
        value_info(count, INT),
        helper.make_tensor_value_info(given, TensorProto.BOOL, ()),
    ]
    for value in body.inputs:
        inner.model.names[value] = inner.model.fresh(value.hint)
        infos.append(value_info(inner.model.names[value], value.type))
    inner.write(body)
    again, *new = body.outputs
    test = inner.cast(again, BOOL)
    most = node.attributes.get("max_iterations")
    if most is not None:
        test = inner.require(test, inner.node("Less", count, inner.constant(most)))
    outputs = [(test, PYTHON_TYPES[bool])]
    outputs += zip(_results(inner, new, kinds), kinds, strict=True)
    graph = inner.graph("body", infos, outputs)
    start = [writer.converted(one, kind) for one, kind in zip(carried, kinds, strict=True)]
    names = [writer.model.fresh(value.hint) for value in node.outputs]
    return writer.nodes("Loop", ["", writer.cast(condition, BOOL), *start], names, body=graph)


@lowers("checkpoint")
def checkpoint(writer: Writer, node: Node) -> list[str]:
    """The results of the region, in place."""
    body = node.regions["body"]
    writer.write(body)
    return _results(writer, body.outputs, [value.type for value in node.outputs])


@lowers("custom_gradient")
def custom_gradient(writer: Writer, node: Node) -> list[str]:
    """The first operands: gradients are part of the graph already."""
    kinds = [value.type for value in node.outputs]
    return _results(writer, node.inputs[: node.attributes["count"]], kinds)


@lowers("recursive", "again")
def recursive(writer: Writer, node: Node) -> list[str]:
    """Refuses a function that calls itself."""
    why = "A function of ONNX cannot call itself."
    writer.refuse(node, "a function calls itself", why, "Write it as a loop.")


# -- effects ---------------------------------------------------------------------------------------


@lowers("assert_", "raise_", "failing")
def raises(writer: Writer, node: Node) -> list[str]:
    """Nothing, if assertions are dropped; else they are refused, as ONNX has no exceptions."""
    if not writer.model.drop_asserts:
        error = node.attributes.get("error", Exception)
        writer.refuse(
            node,
            f"it raises {error.__name__}",
            "ONNX has no exceptions.",
            "Check before the call, or leave such checks out: drop_asserts=True.",
        )
    return []


@lowers("observed", "leave_errors", "check_shared")
def nothing(writer: Writer, node: Node) -> list[str]:
    """Nothing: the node matters for exceptions and memory only, of which ONNX has none."""
    return []


@lowers("enter_errors")
def enter_errors(writer: Writer, node: Node) -> list[str]:
    """Nothing: ONNX reports no floating-point errors.  Blocks that raise are refused."""
    if any(word not in ("ignore", "warn", None) for _, word in node.attributes["options"]):
        why = "ONNX reports no floating-point errors."
        writer.refuse(node, "np.errstate raises, prints or calls", why)
    return []
