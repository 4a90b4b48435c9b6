"""The model of a graph: inputs, constants, results; checked, and written to a file."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import helper

import runtime.export.onnx.control_flow
import runtime.export.onnx.conversion
import runtime.export.onnx.division
import runtime.export.onnx.elementwise
import runtime.export.onnx.library
import runtime.export.onnx.lists
import runtime.export.onnx.logic
import runtime.export.onnx.reductions
import runtime.export.onnx.shapes
import runtime.export.onnx.subscripts  # noqa: F401  (these fill the table of rules)
from runtime.errors import ExportError
from runtime.export.onnx.kinds import is_representable
from runtime.export.onnx.local_functions import DOMAIN, OPSET, VERSION
from runtime.export.onnx.writer import Model, Writer, nodes_of, value_info
from runtime.export.signature import check, inputs_of, refused, results_of
from runtime.export.unions import merge_unions
from runtime.function.concrete_function import ConcreteFunction
from runtime.ir.graph import copy, operand_type
from runtime.ir.types import type_of
from runtime.passes import optimized
from runtime.saved.members import write_file
from runtime.staging.templates import ArgumentRef, VariableRef

IR_VERSION = 10  # that of onnx 1.16


def write(concrete: ConcreteFunction, path: Any, drop_asserts: bool = False) -> None:
    """Writes the model of a graph to a file.  Raises `ExportError`."""
    write_file(Path(path), model_of(concrete, drop_asserts).SerializeToString())


def model_of(
    concrete: ConcreteFunction, drop_asserts: bool = False, refusals: list | None = None
) -> onnx.ModelProto:
    """The model of a graph, checked.  Raises `ExportError`; `refusals` then gets those of all
    operations."""
    check(concrete)
    graph = optimized(copy(concrete.graph))
    merge_unions(graph)
    model = Model(concrete.name, drop_asserts)
    writer = Writer(model)
    infos = []
    for value, (_, path, array) in zip(graph.inputs, inputs_of(concrete), strict=True):
        name = model.fresh(path)
        if array is not None:
            model.names[value] = model.constant(array, name, is_operand=True)
            continue
        if not is_representable(value.type):
            raise _no_type(concrete, path, value.type)
        infos.append(value_info(name, value.type))
        model.names[value] = name
    writer.write(graph)
    if model.refusals:
        if refusals is not None:
            refusals += model.refusals
        raise _first_of(model.refusals)
    outputs = _results(writer, concrete, graph)
    proto = helper.make_graph(
        writer.protos, concrete.name, infos, outputs, model.initializers(writer.protos)
    )
    made = helper.make_model(
        proto,
        functions=list(model.functions.protos.values()),
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid(DOMAIN, VERSION)],
        ir_version=IR_VERSION,
        producer_name="autograph-numpy",
    )
    _check(made, model.functions.lines)
    return made


def _first_of(refusals: list[ExportError]) -> ExportError:
    """The first refusal, with a note that has the problems and lines of the others."""
    first, *others = refusals
    told = [_in_one_line(one) for one in others]
    counts = Counter(one for one in told if one != _in_one_line(first))
    if counts:
        rows = [f"  {one}" + f" ({count} times)" * (count > 1) for one, count in counts.items()]
        first.add_note("\n".join([f"{sum(counts.values())} more operations are refused:", *rows]))
    return first


def _in_one_line(refusal: ExportError) -> str:
    """The problem and the line of a refusal."""
    place = _place(refusal)
    return f"{_problem(refusal)}{f', {place}' * bool(place)}"


def problem_of(refusal: ExportError) -> tuple[int | None, str]:
    """The number of the line of a refusal, if it has one, and the problem."""
    number = _place(refusal).rpartition(", line ")[2]
    return int(number) if number.isdigit() else None, _problem(refusal)


def _problem(refusal: ExportError) -> str:
    return str(refusal).partition("\n")[0].partition(": ")[2]


def _place(refusal: ExportError) -> str:
    rest = str(refusal).splitlines()[1:]
    return next((line.strip().partition(", in ")[0] for line in rest if ", line " in line), "")


def _check(made: onnx.ModelProto, lines: dict[str, str]) -> None:
    """Checks a model: operations of ONNX do not accept all dtypes.  Raises `ExportError`.

    `lines`: those that call a function first, for operations in its body.
    """
    try:
        onnx.checker.check_model(made, full_check=True)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as problem:
        found = re.search(r"node name: ([^).]*)", str(problem))
        lines |= {node.name: node.doc_string for node in nodes_of(made.graph.node)}
        raise ExportError.about(
            f"{made.graph.name} cannot be exported: ONNX refuses an operation",
            lines.get(found.group(1)) if found else None,
            str(problem),
            "Use another dtype, such as np.int64 or np.float64.",
        ) from None


def _no_type(concrete, path, kind):
    return refused(
        concrete.name,
        f"{path} is of type {kind}",
        "The values of ONNX are tensors of real numbers and bools, and lists of them.",
        "Pass arrays of such numbers.",
    )


def _results(writer, concrete, graph):
    """The declarations of the results, each of which has a node of its own."""
    remaining, infos = iter(graph.outputs), []
    for path, template in results_of(concrete):
        if template is None:
            operand = next(remaining)
            kind = operand_type(operand)
            if not is_representable(kind):
                raise _no_type(concrete, path, kind)
            name = writer.read(operand)
        else:
            name, kind = _known(writer, concrete, path, template)
        own = writer.nodes("Identity", [name], [writer.model.fresh(path)])[0]
        infos.append(value_info(own, kind))
    if not infos:
        raise refused(
            concrete.name, "it returns nothing", "A model of ONNX has a result.", "Return an array."
        )
    return infos


def _known(writer, concrete, path, template):
    """A result that the graph does not compute: a constant, an argument or a variable."""
    if isinstance(template, (ArgumentRef, VariableRef)):
        raise refused(
            concrete.name,
            f"{path} is an argument or a variable itself",
            "The results of a model of ONNX are values of their own.",
            "Return a copy: x.copy().",
        )
    kind = type_of(template.value)
    if kind is None or not is_representable(kind):
        raise _no_type(concrete, path, type(template.value).__name__)
    return writer.model.constant(np.array(template.value)), kind
