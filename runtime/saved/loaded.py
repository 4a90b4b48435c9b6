"""Functions and models that were loaded: graphs with signatures, and no Python code.

f = rt.load("f.zip")
f(x)                     runs the graph for the types of the arguments; no other is ever traced
rt.grad(f)(x)            the graph is recorded again, operation by operation, into the new one
rt.export_onnx(f, path)  likewise; rt.save(path, f) writes the saved graphs with the states of now
model.variables          the states, which methods share, and code can read and assign
"""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from runtime.errors import SignatureError, users_location
from runtime.function.argument_aliasing import pattern_of
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.decorator import function
from runtime.function.executable import CompiledGraph
from runtime.function.pickling import traced_again
from runtime.ir.graph import Graph, copy
from runtime.ir.pytree import flatten
from runtime.passes import optimized
from runtime.saved.guarding import guarded
from runtime.saved.recording import recorded_again
from runtime.staging.templates import Output, RunValues, Template, rebuilt
from runtime.state.variable import WRITING, HoldsVariables, Variable
from runtime.tracing import trace
from runtime.tracing.parameters import Parameters
from runtime.tracing.signature import Key, Signature, key_of, signature_of
from runtime.tracing.tensor import Tensor


@dataclass(eq=False)
class LoadedGraph:
    """One graph of a loaded function.

    `inputs` are leaves of the arguments (numbers) and states; `written` the inputs that get the
    last outputs before those of `assigned`, which are states.
    """

    graph: Graph
    signature: Signature
    inputs: tuple["int | State", ...]
    written: tuple[int, ...]
    assigned: tuple["State", ...]
    result: Template
    text: str
    _running: list = field(default_factory=list)

    @cached_property
    def compiled(self) -> CompiledGraph:
        """The graph, compiled for the engine that the settings name.

        Raises `LoadError` for a graph that has passed all checks and cannot be compiled.
        """
        return guarded(  # type: ignore[no-any-return]
            self.graph.name,
            lambda: CompiledGraph(optimized(copy(self.graph)), self._write_back),
        )

    @property
    def source(self) -> str:
        """The generated program, as the engine shows it."""
        return self.compiled.source

    def accepts(self, given: Signature, leaves: list) -> bool:
        """Whether a call may use the graph."""
        return self.signature.accepts(given) and _sizes_agree(self.signature.keys, leaves)

    def run(self, bound: tuple, leaves: list) -> Any:
        """The result for the arguments of a call."""
        states = [one for one in self.inputs if isinstance(one, State)]
        self._check_memory(leaves)
        compiled = self.compiled
        if not (self.assigned or self.written):
            return self._run(compiled, bound, leaves, states)
        with WRITING:
            try:
                return self._run(compiled, bound, leaves, states)
            finally:
                self._running.clear()

    def _run(self, compiled, bound, leaves, states):
        values = {state: state.array() for state in states}
        self._running += values.items() if self.assigned else ()
        inputs = tuple(
            values[one] if isinstance(one, State) else leaves[one] for one in self.inputs
        )
        outputs = compiled(*inputs)
        last = len(outputs) - len(self.assigned)
        for state, new in zip(self.assigned, outputs[last:], strict=True):
            state.variable._array = new
        finals = outputs[last - len(self.written) : last]
        for i, new in zip(self.written, finals, strict=True):
            np.copyto(inputs[i], new)
        if self.result.__class__ is Output and not self.result.optional:
            return outputs[0]
        updated = dict(zip(self.written, finals, strict=True))
        return rebuilt(self.result, RunValues(iter(outputs), bound, inputs, updated))

    def _write_back(self, array, new):
        """Stores the new contents of an input after an exception has ended the run."""
        for state, held in self._running:
            if held is array:
                state.variable._array = np.array(new, order="C")
                return
        np.copyto(array, new)

    def _check_memory(self, leaves):
        """Refuses arguments that share memory, of which the graph writes into one."""
        if not self.written:
            return
        arrays = tuple(leaves[one] for one in self.inputs if not isinstance(one, State))
        places = [i for i, one in enumerate(self.inputs) if not isinstance(one, State)]
        written = frozenset(places.index(i) for i in self.written if i in places)
        if pattern_of(arrays, written):
            raise SignatureError.about(
                f"arguments of {self.graph.name} share memory, and it writes into one of them",
                users_location(),
                "It was saved for arguments that do not.",
                "Pass a copy of one of them: x.copy().",
            )


def _sizes_agree(keys: tuple[Key, ...], leaves: list) -> bool:
    """Whether sizes with one name are equal."""
    known: dict[str, Any] = {}
    for key, leaf in zip(keys, leaves, strict=True):
        given = leaf.type.shape if isinstance(leaf, Tensor) else np.shape(leaf)
        for name, size in zip(getattr(key, "shape", ()), given, strict=False):
            if isinstance(name, str) and known.setdefault(name, size) != size:
                return False
    return True


@dataclass(eq=False)
class State:
    """A variable of a loaded program, or an array that its functions read and write."""

    variable: Variable
    path: str
    kind: str  # variable, array, scalar

    def array(self) -> Any:
        """Its array, as graphs take it."""
        array = self.variable._read()
        return array[()] if self.kind == "scalar" else array


@dataclass(frozen=True, eq=False)
class MadeFrom:
    """The program that a loaded function or model was made from: how it is pickled.

    `files` are the texts of the graphs, `values` the states; `called` names one method of a model.
    """

    program: Any
    files: dict[str, bytes]
    values: list[Variable]
    called: str | None = None


class LoadedFunction(HoldsVariables):
    """A function that `rt.load` has made; it is called as the one that was saved.

    It has the graphs that were saved, and makes no others: a call with other types raises
    `TypeError`, which lists the signatures.
    """

    made_from: MadeFrom
    _remedy = (
        "Convert the arguments, or save it with this signature too: "
        "rt.save(path, f, signatures=[...])."
    )

    def __init__(self, name: str, signature: inspect.Signature, graphs: list[LoadedGraph]):
        self.__name__ = self.__qualname__ = name
        self.__signature__ = signature
        self.graphs = graphs
        self._parameters = Parameters(_Declared(name, signature))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        bound = self._parameters.bind(*args, **kwargs)
        recorder = trace.current()
        if recorder is not None:
            return self._recorded(bound)
        leaves, given = signature_of(bound, self._parameters.names)
        return self._graph_for(given, leaves).run(bound, leaves)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The graph for these arguments, recorded from the saved one; it is exported and compiled.

        Arguments may be values, or `TensorSpec`s in place of arrays.  Without arguments, the only
        signature that was saved supplies them.  Raises `SignatureError` for types that no saved
        graph has.
        """
        staged = function(self)
        if args or kwargs or len(self.graphs) > 1:
            return staged.get_concrete_function(*args, **kwargs)
        saved = self.graphs[0].signature
        return traced_again(staged, saved.structure, saved.keys)

    def _recorded(self, bound):
        """The result in a function that is being traced."""
        leaves, structure = flatten(bound)
        keys = tuple(leaf.type if isinstance(leaf, Tensor) else key_of(leaf) for leaf in leaves)
        found = self._graph_for(Signature(structure, keys), leaves)
        return recorded_again(self.__name__, found, bound, leaves)

    def _graph_for(self, given, leaves):
        for graph in self.graphs:
            if graph.signature == given and graph.accepts(given, leaves):
                return graph
        for graph in self.graphs:
            if graph.accepts(given, leaves):
                return graph
        known = "; ".join(str(graph.signature) for graph in self.graphs)
        raise SignatureError.about(
            f"{self.__name__} was saved for other arguments than ({given})",
            users_location(),
            f"It has graphs for ({known}), and no code to make others from.",
            self._remedy,
        )

    def __repr__(self) -> str:
        shown = "; ".join(str(graph.signature) for graph in self.graphs)
        return f"<loaded function {self.__name__}({shown})>"


class LoadedConcreteFunction(LoadedFunction):
    """A graph of a function that came out of a pickle: the function for one signature."""

    _remedy = "Convert the arguments, or pickle the graph for them: f.get_concrete_function(...)."

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.__name__

    @property
    def graph(self) -> Graph:
        """The traced graph."""
        return self.graphs[0].graph

    @property
    def signature(self) -> Signature:
        """The types of the arguments."""
        return self.graphs[0].signature

    @property
    def source(self) -> str:
        """The generated program, as the engine shows it."""
        return self.graphs[0].source

    def __repr__(self) -> str:
        return f"<graph of {self.name}({self.signature})>"


class _Declared:
    """Something with the parameters of a function, from which `Parameters` reads them."""

    def __init__(self, name: str, signature: inspect.Signature):
        self.__name__ = self.__qualname__ = name
        self.__signature__ = signature

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError


class LoadedModel(HoldsVariables):
    """An object that `rt.load` has made: its methods are those that were saved.

    `variables` are its states by their paths in the saved object (`dense.kernel`).
    """

    def __init__(
        self,
        name: str,
        methods: Mapping[str, LoadedFunction],
        states: Mapping[str, Variable],
        made_from: MadeFrom,
    ):
        self._name, self.made_from = name, made_from
        self.methods = dict(methods)
        self.variables = dict(states)

    def __getattr__(self, name: str) -> Any:
        for found in (self.__dict__.get("methods", {}), self.__dict__.get("variables", {})):
            if name in found:
                return found[name]
        raise AttributeError(f"the loaded {self.__dict__.get('_name', 'model')} has no {name!r}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.methods, *self.variables})

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if "__call__" not in self.methods:
            raise TypeError(
                f"the loaded {self._name} cannot be called; its methods are "
                f"{', '.join(self.methods)}"
            )
        return self.methods["__call__"](*args, **kwargs)

    def __repr__(self) -> str:
        return f"<loaded {self._name}: {', '.join(self.methods)}>"

    def graphs(self) -> Iterator[LoadedGraph]:
        """All graphs of its methods."""
        for method in self.methods.values():
            yield from method.graphs
