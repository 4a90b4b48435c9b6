"""`rt.load`: a program from a file that is not trusted.

Everything is checked before anything is computed: sizes and checksums, then the manifest, then
every graph by its types.  Nothing in a file is executed, imported, or looked up by name; functions
of packages are found by the names that the caller allows.
"""

import inspect
import keyword
import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from runtime.ir.graph import Graph, operand_type
from runtime.ir.pytree import Structure
from runtime.ir.types import DTYPES, Type, fits, type_of
from runtime.saved import members
from runtime.saved.guarding import guarded
from runtime.saved.layouts import layout_from
from runtime.saved.limits import DEFAULT, Limits
from runtime.saved.loaded import LoadedFunction, LoadedGraph, LoadedModel, MadeFrom, State
from runtime.saved.run_limits import with_limits
from runtime.saved.template_check import check_template, stated_types
from runtime.saved.tensors import as_declared, unpacked
from runtime.saved.trusted_text import TrustedText
from runtime.saved.values import read_key, read_plain, read_structure, read_template
from runtime.state.variable import Variable
from runtime.tracing.signature import Signature

KINDS = {kind.name: kind for kind in inspect._ParameterKind}  # type: ignore[attr-defined]
WEIGHTS = "weights.safetensors"


def load(path: Any, *, allow: Iterable[str] = (), limits: Limits = DEFAULT) -> Any:
    """The function or model that `rt.save` has written to a path.

    It needs none of the code that it was made from, and traces nothing.  Each graph is checked now,
    and compiled for its first call.  `allow`: the full names of
    the functions of packages that its graphs may call (`"scipy.linalg.expm"`, or all that a module
    shows: `"scipy.linalg.*"`); the packages are imported.  `limits`: see `rt.saved.Limits`.

    Raises `LoadError` for any file that is not a saved program as `rt.save` writes it, whatever it
    holds; nothing of it has been executed then.
    """
    shown = Path(path).name
    return guarded(shown, lambda: _program(members.read(Path(path), limits), allow, limits))


def from_bytes(data: bytes, *, allow: Iterable[str] = (), limits: Limits = DEFAULT) -> Any:
    """The function or model in the bytes of `rt.saved.as_bytes`; see `rt.load`."""
    return guarded(
        "a saved program", lambda: _program(members.members_of(data, limits), allow, limits)
    )


def _program(files, allow, limits):
    program = members.opened(files, limits)
    return ReadProgram(files, TrustedText(tuple(allow), limits)).read(program)


class ReadProgram:
    """A program while it is read.

    `values` are its states, if they are at hand: variables, arrays and scalars; otherwise they are
    read from the file of the arrays.  `kind` is the class of its functions.
    """

    def __init__(
        self,
        files: dict[str, bytes],
        text: TrustedText,
        values: list | None = None,
        kind: type[LoadedFunction] = LoadedFunction,
    ):
        self.files, self.text, self.values, self.kind = files, text, values, kind
        self.states: list[State] = []
        self.read_graphs: set[int] = set()

    def read(self, program: Any) -> Any:
        """The function or model of a program.  Raises exceptions of any kind if it is none."""
        entries = {"kind", "name", "functions", "states"}
        if type(program) is not dict or set(program) != entries:
            raise ValueError("the program has other entries than a program")
        name, functions = program["name"], program["functions"]
        if type(name) is not str or type(functions) is not dict or not functions:
            raise ValueError("the program has no functions")
        records = program["states"]
        if type(records) is not list:
            raise ValueError("the program has no list of states")
        self.states = self._states(records)
        made = {
            self._name(called): self._function(called, one) for called, one in functions.items()
        }
        graphs = {one: data for one, data in self.files.items() if one.endswith(".txt")}
        made_from = MadeFrom(program, graphs, [one.variable for one in self.states])
        if program["kind"] == "function" and len(made) == 1:
            (function,) = made.values()
            function.made_from = made_from
            return function
        if program["kind"] != "model":
            raise ValueError("the program is neither a function nor a model")
        for called, function in made.items():
            function.made_from = replace(made_from, called=called)
        variables = {one.path: one.variable for one in self.states if one.kind == "variable"}
        return LoadedModel(self._name(name), made, variables, made_from)

    def _name(self, name):
        if type(name) is not str or not name.isidentifier() or len(name) > 200:
            raise ValueError(f"{str(name)[:80]!r} is not a name")
        return name

    def _states(self, records):
        if self.values is not None:
            pairs = zip(self.values, records, strict=True)
            return [State(_held(value), one["path"], one["kind"]) for value, one in pairs]
        arrays = unpacked(self.files[WEIGHTS]) if WEIGHTS in self.files else {}
        if set(arrays) != {f"state_{i}" for i in range(len(records))}:
            raise ValueError("the arrays are not those of the states")
        return [self._state(i, one, arrays) for i, one in enumerate(records)]

    def _state(self, number, record, arrays):
        entries = {"name", "path", "trainable", "kind", "dtype", "shape", "tensor"}
        if type(record) is not dict or set(record) - {"layout"} != entries:
            raise ValueError("a state has other entries than a state")
        kind, dtype, shape = record["kind"], DTYPES[record["dtype"]], tuple(record["shape"])
        if kind not in ("variable", "array", "scalar") or record["tensor"] != f"state_{number}":
            raise ValueError("a state has no known kind")
        if not all(type(record[one]) is str for one in ("name", "path")):
            raise ValueError("a state has no name")
        if kind == "scalar" and shape:
            raise ValueError("a scalar has dimensions")
        trainable = record["trainable"] is True
        if "layout" in record:
            if kind != "array" or not math.prod(shape):
                raise ValueError("only arrays with elements have a layout")
            layout = layout_from(record["layout"], shape)
            memory = as_declared(arrays[record["tensor"]], dtype, layout.sizes)
            return State(_held(layout.of(memory)), record["path"], kind)
        array = as_declared(arrays[record["tensor"]], dtype, shape)
        variable = Variable(array, name=record["name"] or None, trainable=trainable)
        return State(variable, record["path"], kind)

    # -- functions ---------------------------------------------------------------------------------

    def _function(self, name, record):
        if type(record) is not dict or set(record) != {"parameters", "graphs"}:
            raise ValueError("a function has other entries than a function")
        if type(record["graphs"]) is not list or not record["graphs"]:
            raise ValueError(f"{name} has no graphs")
        if type(record["parameters"]) is not list:
            raise ValueError(f"{name} has no parameters")
        signature = inspect.Signature(list(map(self._parameter, record["parameters"])))
        count = len(signature.parameters)
        graphs = [self._graph(one, count) for one in record["graphs"]]
        return self.kind(name, signature, graphs)

    def _parameter(self, record):
        if type(record) is not dict or not {"name", "kind"} <= set(record) <= {
            "name", "kind", "default"
        }:  # fmt: skip
            raise ValueError("a parameter has other entries than a parameter")
        name = self._name(record["name"])
        if keyword.iskeyword(name):
            raise ValueError(f"{name!r} is not a name of a parameter")
        default = inspect.Parameter.empty
        if "default" in record:
            default = read_plain(record["default"])
        return inspect.Parameter(name, KINDS[record["kind"]], default=default)

    def _graph(self, record, parameters):
        entries = {"graph", "structure", "keys", "inputs", "written", "assigned", "result", "calls"}
        if type(record) is not dict or set(record) != entries:
            raise ValueError("a graph has other entries than a graph")
        structures = tuple(map(read_structure, record["structure"]))
        signature = _signature(structures, tuple(map(read_key, record["keys"])))
        if len(structures) != parameters:
            raise ValueError("a graph has other parameters than its function")
        if record["graph"] in self.read_graphs:
            raise ValueError("two signatures have one graph")
        self.read_graphs.add(record["graph"])
        graph, text = self.text.graph(self.files, record["graph"])
        self.text.check_calls(graph, record["calls"])
        graph = with_limits(graph, self.text.limits)
        inputs = tuple(self._input(one) for one in record["inputs"])
        states = [one.variable for one in self.states]
        result = read_template(record["result"], states)
        written = tuple(_index(i, len(inputs)) for i in record["written"])
        assigned = tuple(self.states[_index(i, len(self.states))] for i in record["assigned"])
        check_template(result, signature.structure, written)
        found = LoadedGraph(graph, signature, inputs, written, assigned, result, text)
        _check_types(found)
        return found

    def _input(self, record):
        match record:
            case {"argument": int(number), **rest} if not rest and number >= 0:
                return number
            case {"state": int(number), **rest} if not rest and number >= 0:
                return self.states[number]
        raise ValueError("an input is neither an argument nor a state")


def _held(value):
    """A variable with a value: the variable itself, or one that holds this very array."""
    if isinstance(value, Variable):
        return value
    variable = Variable(value, trainable=False)
    if isinstance(value, np.ndarray):
        variable._array = value
    return variable


def _index(number, count):
    if type(number) is not int or not 0 <= number < count:
        raise ValueError("a number is out of range")
    return number


def _signature(structures, keys):
    if sum(map(_leaves, structures)) != len(keys):
        raise ValueError("a signature has other keys than arguments")
    return Signature(Structure(tuple, (), structures), keys)


def _leaves(structure):
    return 1 if structure.kind is None else sum(map(_leaves, structure.children))


def _check_types(found: LoadedGraph) -> None:
    """Raises `ValueError` unless arguments and states fit the inputs, and results the template."""
    graph: Graph = found.graph
    if len(graph.inputs) != len(found.inputs):
        raise ValueError(f"{graph.name} has other inputs than its record")
    for value, one in zip(graph.inputs, found.inputs, strict=True):
        if isinstance(one, State):
            fit = type_of(one.array()) == value.type
        else:
            fit = isinstance(found.signature.keys[one], Type) and (
                found.signature.keys[one] == value.type
            )
        if not fit:
            raise ValueError(f"an input of {graph.name} is not of the type of its argument")
    count = len(graph.outputs) - len(found.written) - len(found.assigned)
    stated = list(stated_types(found.result))
    if len(stated) != count:
        raise ValueError(f"{graph.name} has other results than its template")
    outputs = [operand_type(one) for one in graph.outputs]
    for wanted, kind in zip(stated, outputs, strict=False):
        if wanted is not None and wanted != kind:
            raise ValueError(f"{graph.name} has a result of another type than its template")
    for i, kind in zip(found.written, outputs[count:], strict=False):
        if not fits(kind, graph.inputs[i].type):
            raise ValueError(f"{graph.name} writes another type into an input")
    for state, kind in zip(found.assigned, outputs[count + len(found.written) :], strict=True):
        if kind != type_of(np.asarray(state.array())):
            raise ValueError(f"{graph.name} writes another type into a variable")
