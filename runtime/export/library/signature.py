"""The parameters of a C function: sizes, arguments, results, workspace, message.

    def step(x: f64[n], rate: f64) -> f64[n]

    int32_t step(const step_shapes *shapes, const double *x, double rate, double *result, ...)

An array that the function writes into is a parameter that is not const.  Arrays and numbers that it
reads besides its arguments are constants, with the values that they have now.
"""

import re
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from runtime.errors import ExportError
from runtime.export.library.bounds import Bounds
from runtime.export.library.extents import Size
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.graph_inputs import GraphInput, example_arguments, graph_inputs
from runtime.ir.graph import Graph, Node, Operand, Value, operand_type, walk
from runtime.ir.types import PythonType, TensorType, Type, is_array, type_of
from runtime.staging.templates import ArgumentRef, Const, ContainerTemplate, Output, Updated
from runtime.state.variable import Variable

# Words that are no names of parameters.
C_WORDS = (
    " auto bool break case char const continue default do double else enum error extern float for "
    "goto if inline int long register restrict return shapes short signed sizeof static struct "
    "switch typedef union unsigned void volatile while workspace workspace_size "
)


@dataclass(frozen=True)
class Parameter:
    """An argument of the C function, and the input of the graph that it is."""

    name: str
    value: Value
    is_written: bool = False


@dataclass(frozen=True)
class Result:
    """A result: a pointer to memory of the caller, and the output of the graph that goes there.

    If a run decides how large an array is, `bounds` are the sizes that it has at most, and `shape`
    is the pointer to which the run writes the sizes.
    """

    name: str
    operand: Operand
    type: Type
    is_argument: bool = False  # an array that the function writes into
    bounds: tuple[Size, ...] = ()
    shape: str = ""


@dataclass
class CSignature:
    """What a C function takes and returns."""

    name: str
    title: str
    sizes: dict[str, str] = field(default_factory=dict)  # names of dimensions: those in C
    parameters: list[Parameter] = field(default_factory=list)
    constants: list[tuple[Value, np.ndarray]] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    parts: list[Result | None] = field(default_factory=list)  # of the result; None: an argument


def refused(name: str, problem: str, why: str, remedy: str, where: Any = None) -> ExportError:
    """The error about a function that cannot be a library."""
    return ExportError.about(f"{name} cannot be compiled: {problem}", where, why, remedy)


def signature_of(concrete: ConcreteFunction, graph: Graph, name: str | None) -> CSignature:
    """The signature of the C function for a graph.  Raises `ExportError`."""
    _check(concrete)
    names: set[str] = set()
    given = concrete.name.rpartition(".")[2]
    made = CSignature(name or _c_name(given, names), _title(concrete))
    try:
        inputs = graph_inputs(concrete, example_arguments(concrete))
    except ReferenceError as problem:
        why = "Its graph needs it."
        raise refused(concrete.name, str(problem), why, "Keep it, and trace again.") from None
    pairs = list(zip(graph.inputs, inputs, strict=True))
    for value, _ in pairs:
        _note_sizes(concrete.name, value, made.sizes)
    for number, (value, one) in enumerate(pairs):
        if one.leaf is None:
            made.constants.append((value, _constant(concrete, one)))
        else:
            written = number in concrete.written
            made.parameters.append(Parameter(_c_name(one.path, names), value, written))
    _add_results(concrete, graph, made, names)
    return made


def _title(concrete: ConcreteFunction) -> str:
    kinds = ", ".join(map(str, concrete.signature.keys))
    return f"{concrete.name}({kinds}) -> {concrete.result_types()}"


def _c_name(path: str, used: set[str]) -> str:
    """An identifier of C that is not used yet."""
    stem = re.sub(r"\W+", "_", path, flags=re.ASCII).strip("_") or "value"
    if stem[0].isdigit():
        stem = f"value_{stem}"
    if f" {stem} " in C_WORDS:
        stem += "_"
    found, number = stem, 1
    while found in used:
        number += 1
        found = f"{stem}_{number}"
    used.add(found)
    return found


def _note_sizes(name: str, value: Value, sizes: dict[str, str]) -> None:
    type = value.type
    if not isinstance(type, TensorType) or not is_array(type):
        return
    for size in type.shape:
        if size is None:
            raise refused(
                name,
                f"{value.hint} is {type}, and one of its sizes has no name",
                "The caller passes sizes by their names.",
                'Name it: rt.TensorSpec(("n",)).',
            )
        if isinstance(size, str) and size not in sizes:
            sizes[size] = _c_name(size, set(sizes.values()))


def _check(concrete: ConcreteFunction) -> None:
    """Raises `ExportError` for a graph whose runs do more than compute and write into arguments."""
    name, pure = concrete.name, "A C function has its arguments and results, and no state."
    for effect in concrete.side_effects:
        kind = type(effect.container).__name__
        remedy = "Return the new value."
        raise refused(name, f"it writes into {kind} ({effect.key!r})", pure, remedy)
    if concrete.variable_inputs.written:
        raise refused(name, "it writes into a variable", pure, "Return the new value.")
    if concrete.records_effects:
        why = "Code without Python computes results only."
        raise refused(name, "it has effects while it is recorded", why, "Leave them to the caller.")
    if concrete.caught:
        kinds = ", ".join(kind.__name__ for kind in concrete.caught)
        why, remedy = "A C function has a status instead.", "Test for the condition before."
        raise refused(name, f"it catches {kinds}", why, remedy)
    if any(record.kind == "layout" for record in concrete.guard.records):
        why = "Its arrays are contiguous."
        raise refused(name, "it reads the memory layout of an array", why, "Do not read strides.")


def _constant(concrete: ConcreteFunction, one: GraphInput) -> np.ndarray:
    held = one.held._read() if isinstance(one.held, Variable) else one.held
    array, type = np.ascontiguousarray(held).reshape(np.shape(held)), one.value.type
    if not isinstance(type, PythonType | TensorType) or array.dtype != type.dtype:
        why, remedy = "A C function has no state.", "Pass it as an argument."
        raise refused(concrete.name, f"it reads {one.path}, which runs change", why, remedy)
    return array


# -- results ---------------------------------------------------------------------------------------


def _add_results(
    concrete: ConcreteFunction, graph: Graph, made: CSignature, names: set[str]
) -> None:
    outputs, exact, largest = iter(graph.outputs), Bounds(graph, is_exact=True), Bounds(graph)
    known = {value for parameter in made.parameters for value in [parameter.value]}

    def visit(template: Any, path: str) -> None:
        match template:
            case Output(optional=False):
                operand = next(outputs)
                type = _sized(operand, exact)
                result = Result(_c_name(path, names), operand, type)
                if _is_open(type, made):
                    found = largest.of(operand)
                    if None in found:
                        raise _unbounded(concrete.name, path, operand, graph, largest)
                    shape = _c_name(f"{path}_shape", names)
                    result = replace(result, bounds=found, shape=shape)
                made.parts.append(result)
            case Const(value=None):
                pass
            case ArgumentRef() | Updated(is_view=False):
                made.parts.append(None)  # the caller has it
            case Const() if (type_ := type_of(template.value)) and not is_array(type_):
                made.parts.append(Result(_c_name(path, names), template.value, type_))
            case ContainerTemplate() if template.has_known_parts:
                keys = template.keys or range(len(template.parts))
                for key, part in zip(keys, template.parts, strict=True):
                    visit(part, f"{path}_{key}")
            case _:
                raise refused(
                    concrete.name,
                    f"its {path} may be one of several objects, or is an object, or only a run "
                    "knows its keys or length",
                    "The results of a C function are numbers and arrays.",
                    "Return arrays and numbers, in tuples, lists and dicts with constant keys.",
                )

    visit(concrete.result.template, "result")
    made.results += [part for part in made.parts if part is not None]
    for number in concrete.written:
        value = graph.inputs[number]
        assert value in known
        name = next(one.name for one in made.parameters if one.value is value)
        made.results.append(Result(name, next(outputs), value.type, is_argument=True))


def _sized(operand: Operand, exact: Bounds) -> Type:
    """The type of a result, with the sizes that are known."""
    type = operand_type(operand)
    if not isinstance(operand, Value) or not isinstance(type, TensorType) or not is_array(type):
        return type
    return TensorType(type.dtype, exact.of(operand))


def _is_open(type: Type, made: CSignature) -> bool:
    """Whether a run decides one of the sizes of a result."""
    shape = type.shape if isinstance(type, TensorType) else ()
    return any(not isinstance(size, int) and size not in made.sizes for size in shape)


def _unbounded(
    function: str, path: str, result: Value, graph: Graph, bounds: Bounds
) -> ExportError:
    """The error about a result without a bound; it names the operation that nothing bounds."""
    maker = _first_unbounded(result, graph, bounds)
    name, where = path, None
    if maker is not None:
        name, where = maker.op.users_name or maker.op.name, maker.location
    return refused(
        function,
        f"its {path} is {result.type}, and nothing bounds the sizes of {name}",
        "The caller passes the memory of results, and must know how large they are at most.",
        "Make it as large as an argument, or as a number that is known, and return how many "
        "elements are used.",
        where and where.in_message,
    )


def _first_unbounded(result: Value, graph: Graph, bounds: Bounds) -> Node | None:
    """The operation whose result has no bound although its operands have: the result's sizes come
    from it."""
    makers = {value: node for node in walk(graph) for value in node.outputs}
    maker, value = None, result
    while value in makers:
        maker = makers.pop(value)
        ends = [end for region in maker.regions.values() for end in region.outputs]
        arrays = [one for one in (*ends, *maker.inputs) if _is_array_value(one)]
        value = next((one for one in arrays if None in bounds.of(one) and one in makers), value)
    return maker


def _is_array_value(operand: Operand) -> bool:
    return isinstance(operand, Value) and is_array(operand.type)
