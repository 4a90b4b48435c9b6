"""A graph of a function as a record that a file holds.

    graph     x: f64[n, 3], w: f64[3] -> ...       inputs: argument 0, state 0 (`self.w`)
    result    [output, "ok"]                       a template (`values.py`)

States are the variables and arrays that functions read besides their arguments.  Functions of one
program share them.  Everything else that a function reads (numbers, strings, options) is part of
its graph, with the value that it has when the program is saved.
"""

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.errors import with_article
from runtime.errors import SaveError
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.graph_inputs import example_arguments, example_of, graph_inputs
from runtime.ir.graph import Graph, Node, walk
from runtime.ir.host import CalledFrom, Host, Method, described, hosts
from runtime.ir.layout import layout_of, memory_of
from runtime.ir.text import parse, show
from runtime.ir.types import DTYPE_NAMES, PythonType, type_of
from runtime.saved.classes import KNOWN
from runtime.saved.layouts import layout_from, layout_record
from runtime.saved.run_limits import without_limits
from runtime.saved.values import CannotSave, key, plain, structure, template
from runtime.state.variable import Variable
from runtime.tracing.signature import Identity

LIBRARY_CALLS = ("library_call", "ordered_library_call")


@dataclass
class States:
    """The states of a program: variables and arrays, each once, by identity."""

    found: list[tuple[Any, str]] = field(default_factory=list)  # each with its name
    _numbers: dict[int, int] = field(default_factory=dict)

    def number(self, value: Any, name: str = "") -> int:
        """The number of a state, which is added if it is new."""
        if id(value) not in self._numbers:
            self._numbers[id(value)] = len(self.found)
            self.found.append((value, name))
        return self._numbers[id(value)]


def refused(name: str, what: str, why: str, remedy: str, where: Any = None) -> SaveError:
    """The error about a function that cannot be saved."""
    return SaveError.about(f"{name} cannot be saved: {what}", where, why, remedy)


def function_record(
    name: str,
    parameters: list[inspect.Parameter],
    concretes: list[ConcreteFunction],
    states: States,
    graphs: list[str],
    owner: Any = None,
) -> dict[str, Any]:
    """A function as JSON; the texts of its graphs are appended to `graphs`.

    `owner` is the object whose method it is: its first argument.  Raises `SaveError`.
    """
    shown = parameters if owner is None else parameters[1:]
    records = []
    for concrete in concretes:
        records.append(_GraphRecord(name, concrete, states, owner).record(len(graphs)))
        graphs.append(show(without_limits(concrete.graph)))
    return {"parameters": [_parameter(name, one) for one in shown], "graphs": records}


def _parameter(name, parameter):
    record = {"name": parameter.name, "kind": parameter.kind.name}
    if parameter.default is not inspect.Parameter.empty:
        try:
            record["default"] = plain(parameter.default)
        except CannotSave as problem:
            raise refused(
                name,
                f"the default of {parameter.name} is {problem}",
                "A file holds numbers, strings and containers of them.",
                "Use None as the default, and make the object in the function.",
            ) from None
    return record


class _GraphRecord:
    """One graph of a function, while its record is being made."""

    def __init__(self, name: str, concrete: ConcreteFunction, states: States, owner: Any):
        self.name, self.concrete, self.states = name, concrete, states
        keys = concrete.signature.keys
        self.has_owner = owner is not None
        if self.has_owner and not (keys and _is_of(keys[0], owner)):
            raise ValueError(f"{name} has no graph for its object")
        self.bound = example_arguments(concrete)

    def record(self, number: int) -> dict[str, Any]:
        """The record; `number` is that of the graph among those of the program."""
        concrete, first = self.concrete, int(self.has_owner)
        check_graph(self.name, without_limits(concrete.graph))
        self._check_behaviour()
        found = concrete.signature
        keys = found.keys[first:]
        children = found.structure.children[first:]
        inputs = self._inputs(first)
        count = concrete.variable_inputs.count
        variables = inputs[len(inputs) - count :] if count else []
        assigned = [variables[i]["state"] for i in concrete.variable_inputs.written]
        return {
            "graph": number,
            "structure": self._encoded("an argument", lambda: list(map(structure, children))),
            "keys": self._encoded("an argument", lambda: list(map(key, keys))),
            "inputs": inputs,
            "written": concrete.written,
            "assigned": assigned,
            "result": self._encoded("its result", self._result),
            "calls": library_functions(concrete.graph),
        }

    def _result(self):
        return _without_owner(
            template(self.concrete.result.template, self.states.number), self.has_owner
        )

    def _encoded(self, what: str, encode: Callable[[], Any]) -> Any:
        try:
            return encode()
        except CannotSave as problem:
            raise refused(
                self.name,
                f"{what} is {problem}",
                "A file holds arrays, numbers and strings, in tuples, lists and dicts.",
                "Pass and return those; hold state in an rt.Variable.",
            ) from None

    def _inputs(self, first):
        """Where each input of the graph comes from: a leaf of the arguments, or a state."""
        found = []
        try:
            inputs = graph_inputs(self.concrete, self.bound)
        except ReferenceError as problem:
            raise self._stale(str(problem)) from None
        for one in inputs:
            if one.leaf is not None:
                found.append({"argument": one.leaf - first})
                continue
            if isinstance(one.held, Variable):
                if type(one.held._array) is not np.ndarray:
                    raise self._stale(f"the {one.held.described} has no value yet")
            elif isinstance(one.value.type, PythonType) or type_of(one.held) is None:
                raise self._changes(one.path)
            found.append({"state": self.states.number(one.held, one.path)})
        return found

    def _check_behaviour(self):
        """Refuses what runs of a graph do by means of the Python function, or to its objects."""
        concrete = self.concrete
        for effect in concrete.side_effects:
            container = effect.container
            if effect.variable is not None:
                (container,) = concrete.guard.values([effect.variable], self.bound)
            raise self._changes(f"{with_article(type(container).__name__)} ({effect.key!r})")
        if concrete.caught:
            names = ", ".join(kind.__name__ for kind in concrete.caught)
            raise refused(
                self.name,
                f"it catches {names}",
                "When a run raises one, the call is left to the Python function.",
                "Test for the condition before, instead of catching the exception.",
            )
        for record in concrete.guard.records:
            if record.kind == "layout":
                raise refused(
                    self.name,
                    f"it reads the memory layout of {record.path}",
                    "Its graph is valid for arrays of that layout only.",
                    "Leave strides and flags to the caller.",
                )
        if concrete.guard.is_fleeting:
            raise self._stale("its graph is valid for one call only")
        difference = concrete.guard.difference(self.bound)
        if difference is not None:
            raise self._stale(difference)

    def _changes(self, place):
        return refused(
            self.name,
            f"it changes {place}",
            "The object exists in this process only.",
            "Hold what changes in an rt.Variable, or pass and return it.",
        )

    def _stale(self, why):
        return refused(
            self.name,
            "a graph is not valid any more",
            why[0].upper() + why[1:] + ".",
            "Call the function again, or give its signatures: rt.save(path, f, signatures=[...]).",
        )


def _is_of(found, owner):
    if not isinstance(found, Identity):
        return False
    return example_of(found) is owner


def _without_owner(data, has_owner):
    """A template whose arguments are counted without the object whose method it is."""
    if not has_owner or type(data) is not list:
        return data
    if data[:1] == ["argument"]:
        (kind, number), *rest = data[1]
        if number == "0":
            raise CannotSave("the object itself")
        return ["argument", [[kind, str(int(number) - 1)], *rest]]
    if data[:1] == ["constant"]:
        return data
    return [_without_owner(part, has_owner) for part in data]


# -- graphs ----------------------------------------------------------------------------------------


def check_graph(name: str, graph: Graph) -> None:
    """Raises `SaveError`, with the user's line, if a graph calls what no file can hold."""
    for node in walk(graph):
        if node.op.name == "host_call":
            function = with_article(described(_function(node)))
            raise _node_error(
                name, node, f"it calls {function}", "The Python function is not in the graph."
            )
        if node.op.name in LIBRARY_CALLS:
            _check_library_call(name, node)
        if node.op.name == "ask" and "generator" in node.attributes:
            why = "Its generator exists in this process only.  Use rt.random.Generator."
            raise _node_error(name, node, "it draws from a NumPy generator", why)
        for value in node.attributes.values():
            error = next(_users_objects(value), None)
            if isinstance(error, type):
                why = "Its class exists in the user's code only."
                raise _node_error(name, node, f"it needs {error.__qualname__}", why)
            if error is not None:
                shown = with_article(type(error).__qualname__)
                why = "A file holds no such object."
                raise _node_error(name, node, f"it needs {shown}", why)
    text = show(graph)
    try:
        again = show(parse(text))
    except SyntaxError as problem:
        raise refused(
            name, "its graph has no complete text", str(problem), "Report this program."
        ) from None
    if again != text:
        raise refused(name, "its graph has no complete text", "It reads back as another graph.",
                      "Report this program.")  # fmt: skip


def _users_objects(value):
    """The classes in an attribute that no saved program may have, and objects of classes that are
    neither Python's nor of NumPy or this library."""
    if isinstance(value, (tuple, list)):
        for part in value:
            yield from _users_objects(part)
    elif isinstance(value, type):
        if value not in KNOWN:
            yield value
    elif type(value).__module__.partition(".")[0] not in KNOWN_MODULES:
        yield value


KNOWN_MODULES = ("builtins", "numpy", "runtime", "autograph")


def _node_error(name, node, what, why):
    where = None if node.location is None else node.location.in_message
    return refused(name, what, why, "Call it outside of the function that is saved.", where)


def _function(node: Node) -> Any:
    found = node.attributes["function"]
    while isinstance(found, CalledFrom) or hasattr(found, "may_change"):
        found = found.function
    if isinstance(found, Method):
        return found.name
    return found.value if isinstance(found, Host) else found


def _check_library_call(name, node):
    """Refuses a call of a package that its name does not describe: of a method of an object."""
    attributes = tuple(
        part for key, part in node.attributes.items() if key not in ("types", "recipe")
    )
    for value in hosts(attributes):
        if callable(value) and "<locals>" in described(value):
            raise _node_error(
                name, node, f"it calls {described(_function(node))} with a function of the code",
                "A function inside of another one has no name in another process."
            )  # fmt: skip
        if not callable(value) or described(value).startswith("<"):
            raise _node_error(
                name, node, f"it calls {described(_function(node))} with an object of Python",
                "The object exists in this process only."
            )  # fmt: skip


def library_functions(graph: Graph) -> dict[str, str]:
    """The functions of packages that a graph calls, each with the version of its package."""
    found = {}
    for node in walk(graph):
        if node.op.name in LIBRARY_CALLS:
            for value in hosts(tuple(node.attributes.values())):
                if getattr(value, "__module__", "builtins") != "builtins":
                    found[described(value)] = version_of(described(value))
    return dict(sorted(found.items()))


def version_of(name: str) -> str:
    """The version of the package that a function belongs to."""
    package = sys.modules.get(name.partition(".")[0])
    return str(getattr(package, "__version__", ""))


def state_array(value: Any, record: dict[str, Any]) -> np.ndarray:
    """The array of a state, copied; its memory, if its record states a layout."""
    array = np.asarray(value._read() if isinstance(value, Variable) else value)
    if "layout" in record:
        return memory_of(array, layout_from(record["layout"], array.shape))
    return np.array(array)


def state_record(number: int, value: Any, name: str) -> dict[str, Any]:
    """A state as JSON, without its array."""
    kind: Any = type_of(value._read() if isinstance(value, Variable) else value)
    if isinstance(value, Variable):
        record = {"name": value.name or "", "path": name, "trainable": value.trainable}
        record["kind"] = "variable"
    else:
        record = {"name": "", "path": name, "trainable": False}
        record["kind"] = "array" if isinstance(value, np.ndarray) else "scalar"
    record["dtype"] = DTYPE_NAMES[kind.dtype]
    record["shape"] = list(kind.shape)
    record["tensor"] = f"state_{number}"
    layout = layout_of(value) if isinstance(value, np.ndarray) else None
    if layout is not None:
        record["layout"] = layout_record(layout)
    return record
