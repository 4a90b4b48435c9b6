"""The inputs and results of a graph, as those of a model or of a function of another library.

    f(x, model)    inputs: x; constants: model.weight; results: result, or result[0], result['loss']

What runs of a graph do besides computing results is refused: writes into arrays, variables and
objects, and whatever is left to the Python function.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.errors import ExportError
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.graph_inputs import example_arguments, graph_inputs
from runtime.ir.graph import Value
from runtime.ir.types import PythonType
from runtime.staging.templates import (
    ArgumentRef,
    Const,
    ContainerTemplate,
    Output,
    VariableRef,
)
from runtime.state.variable import Variable


@dataclass(frozen=True)
class Form:
    """Another form of a function: its name in messages, its making, and whether it can write
    variables."""

    name: str
    made: str = "exported"
    writes_variables: bool = False

    @property
    def title(self) -> str:
        """The name as the first word of a sentence."""
        return self.name[0].upper() + self.name[1:]


ONNX = Form("a model of ONNX")


def refused(name: str, problem: str, why: str, remedy: str, made: str = "exported") -> ExportError:
    """The error about a whole function."""
    return ExportError.about(f"{name} cannot be {made}: {problem}", None, why, remedy)


def check(concrete: ConcreteFunction, form: Form = ONNX) -> None:
    """Raises `ExportError` for a graph whose runs do more than compute results."""
    name = concrete.name
    for effect in concrete.side_effects:
        _refuse_write(name, f"{type(effect.container).__name__} ({effect.key!r})", form)
    if concrete.written:
        _refuse_write(name, "an array of the caller", form)
    if concrete.variable_inputs.written and not form.writes_variables:
        _refuse_write(name, "a variable", form)
    if concrete.records_effects:
        raise refused(
            name,
            "it has effects while it is recorded, such as printing or calls of other code",
            f"{form.title} computes results only.",
            "Leave them to the caller.",
            form.made,
        )
    if concrete.caught:
        raise refused(
            name,
            f"it catches {', '.join(kind.__name__ for kind in concrete.caught)}",
            f"{form.title} handles no exceptions.",
            "Test for the condition before, instead of catching the exception.",
            form.made,
        )
    if any(record.kind == "layout" for record in concrete.guard.records):
        raise refused(
            name,
            "it reads the memory layout of an array",
            f"The arrays of {form.name} have no strides.",
            "Leave strides and flags to the caller.",
            form.made,
        )


def _refuse_write(name: str, place: str, form: Form) -> None:
    has = "inputs and results, and no state"
    if form.writes_variables:
        has = "inputs, results and variables, and no other state"
    raise refused(
        name,
        f"it writes into {place}",
        f"{form.title} has {has}.",
        "Return the new value, and store it outside of the function.",
        form.made,
    )


def inputs_of(concrete: ConcreteFunction) -> list[tuple[Value, str, Any]]:
    """The inputs of the graph: each with its name, and its array if it is no argument."""
    try:
        inputs = graph_inputs(concrete, example_arguments(concrete))
    except ReferenceError as problem:
        raise refused(
            concrete.name,
            f"{problem}",
            "Its graph needs it.",
            "Keep the variable, and trace again.",
        ) from None
    return [
        (
            one.value,
            one.path,
            None if one.leaf is not None else _array(concrete, one.value, one.held),
        )
        for one in inputs
    ]


def _array(concrete, value, held):
    if isinstance(held, Variable):
        held = held._read()
    array = np.array(held)
    if isinstance(value.type, PythonType) or array.dtype != value.type.dtype:
        raise refused(
            concrete.name,
            "it reads a number that its own runs change",
            "A model of ONNX has no state.",
            "Pass it as an argument.",
        )
    return array


def results_of(concrete: ConcreteFunction, form: Form = ONNX) -> list[tuple[str, Any]]:
    """The results, by name: an output of the graph is None, another a template."""
    found: list[tuple[str, Any]] = []

    def visit(template: Any, name: str) -> None:
        match template:
            case Output(optional=False):
                found.append((name, None))
            case Const(value=None):
                pass
            case Const() | VariableRef() | ArgumentRef():
                found.append((name, template))
            case ContainerTemplate() if template.has_known_parts:
                keys = template.keys or range(len(template.parts))
                for key, part in zip(keys, template.parts, strict=True):
                    visit(part, f"{name}[{key!r}]")
            case _:
                raise refused(
                    concrete.name,
                    "its result may be None, or one of several objects, or is an object, or only a "
                    "run knows its keys",
                    f"The results of {form.name} are arrays and lists of them.",
                    "Return arrays, in tuples, lists and dicts with constant keys.",
                    form.made,
                )

    visit(concrete.result.template, "result")
    return found
