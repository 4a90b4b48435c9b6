"""`rt.function`: a Python function that runs as a graph.

    @rt.function
    def area(radius):
        return 3.1415 * radius ** 2

    call -> signature -> graph, if there is one already
                      -> convert -> trace -> optimise -> compile -> run

A function keeps one graph for each signature (`signature.py`).  While another graph is being
recorded, a call records the function's operations into that graph.
"""

import functools
import inspect
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import RLock
from types import MethodType
from typing import Any

import numpy as np

import autograph
from autograph.backend import staging
from runtime import trace
from runtime.engines.numpy import Compiled, compile_graph
from runtime.errors import staging_error
from runtime.ir import Graph, Operand, copy
from runtime.passes import optimized
from runtime.signature import Signature, signature_of
from runtime.staging import BACKEND
from runtime.staging.branches import run_function
from runtime.staging.classes import methods_converted
from runtime.staging.leaks import nothing_left_behind
from runtime.staging.lists import TraceList
from runtime.structure import Structure, flatten, unflatten
from runtime.tensor import Tensor, operand
from runtime.types import TensorType
from runtime.undefined import PerhapsUndefined


@dataclass
class ConcreteFunction:
    """A function for one signature: its graph as it was recorded, and the compiled program."""

    signature: Signature
    graph: Graph
    compiled: Compiled
    structure: Structure  # of the result
    plain: list[Any]  # the leaves of the result; those that the graph computes are PLACE
    changed: list[int]  # leaves of the arguments that the function writes into

    @property
    def source(self) -> str:
        """The generated NumPy program."""
        return self.compiled.source

    def run(self, leaves: list) -> Any:
        """The result for the leaves of a call's arguments."""
        staged = [leaf for leaf in leaves if isinstance(leaf, (np.ndarray, np.generic))]
        outputs = iter(self.compiled(*staged))
        result = [next(outputs) if leaf is PLACE else leaf for leaf in self.plain]
        for place, new in zip(self.changed, outputs, strict=True):
            np.copyto(leaves[place], new)
        return unflatten(self.structure, result)


PLACE = object()


class Function:
    """A Python function that runs as a graph; see the module's documentation."""

    def __init__(self, python_function: Callable, convert_packages: Iterable[str] = ()):
        functools.update_wrapper(self, python_function)
        self.python_function = python_function
        self._packages = tuple(convert_packages)
        self._signature = inspect.signature(python_function)
        self._concrete: dict[Signature, ConcreteFunction] = {}
        self._lock = RLock()

    def __reduce__(self):
        """Pickles by name where the name leads to this object, else through the original."""
        found: Any = sys.modules.get(self.__module__)
        for name in self.__qualname__.split("."):
            found = getattr(found, name, None)
        if found is self:
            return self.__qualname__
        return Function, (self.python_function, self._packages)

    @functools.cached_property
    def converted(self) -> Callable:
        """The converted function that is traced."""
        return autograph.to_graph(self.python_function, convert_packages=self._packages)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if trace.current() is not None:
            return self.converted(*args, **kwargs)
        concrete, leaves = self._find(args, kwargs)
        return concrete.run(leaves)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The function for the signature of these arguments, which is traced if it is a new one."""
        return self._find(args, kwargs)[0]

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def _find(self, args, kwargs):
        bound = self._signature.bind(*args, **kwargs)
        leaves, signature = signature_of((bound.args, bound.kwargs))
        found = self._concrete.get(signature)
        if found is None:
            with self._lock:
                found = self._concrete.get(signature)
                if found is None:
                    found = self._concrete[signature] = self._trace(signature, leaves)
        return found, leaves

    def _trace(self, signature, leaves):
        name = getattr(self.python_function, "__name__", "graph")
        recorder = trace.Trace(name if name.isidentifier() else "graph")
        names = iter(_argument_names(self._signature, signature))
        inputs = {}
        for i, key in enumerate(signature.keys):
            hint = next(names)
            if isinstance(key, TensorType):
                inputs[i] = Tensor(recorder.input(key, hint), recorder.graph)
        given = [inputs.get(i, leaf) for i, leaf in enumerate(leaves)]
        originals = {i: tensor._value for i, tensor in inputs.items()}
        args, kwargs = unflatten(signature.structure, given)
        left = nothing_left_behind(self.converted, (args, kwargs))
        methods = methods_converted(self.converted, (args, kwargs))
        with trace.recording(recorder), staging(BACKEND), left, methods:
            result = run_function(functools.partial(self.converted, *args, **kwargs))
            if recorder.refusal is not None:
                raise recorder.refusal
            structure, plain, outputs = _result(result, recorder)
            changed = [i for i, t in inputs.items() if t._value is not originals[i]]
            recorder.graph.outputs = outputs + [operand(inputs[i], recorder) for i in changed]
        self._check_changes(leaves, changed)
        compiled = compile_graph(optimized(copy(recorder.graph)))
        return ConcreteFunction(signature, recorder.graph, compiled, structure, plain, changed)

    def _check_changes(self, leaves, changed):
        for place in changed:
            if not isinstance(leaves[place], np.ndarray):
                raise staging_error(
                    "a NumPy scalar among the arguments is written into",
                    "NumPy's scalars cannot be changed.",
                    "Pass an array: np.array(x).",
                )


def _argument_names(python_signature, signature):
    """A name for each leaf of a call's arguments: that of the parameter it belongs to."""
    positional, by_keyword = signature.structure.children
    parameters = list(python_signature.parameters.values())
    for i, child in enumerate(positional.children):
        name = parameters[min(i, len(parameters) - 1)].name
        yield from _numbered(name, child)
    for name, child in zip(by_keyword.keys, by_keyword.children, strict=True):
        yield from _numbered(name, child)


def _numbered(name, structure):
    if structure.kind is None:
        yield name
    else:
        for i, child in enumerate(structure.children):
            key = structure.keys[i] if structure.keys else i
            yield from _numbered(f"{name}_{key}", child)


def _result(result, recorder) -> tuple[Structure, list, list[Operand]]:
    """The structure of a result, its leaves, and the operands for those that the graph computes."""
    leaves, structure = flatten(_without_lists(result))
    plain, outputs = [], []
    for leaf in leaves:
        if isinstance(leaf, PerhapsUndefined):
            leaf = leaf.returned()
        if isinstance(leaf, Tensor):
            outputs.append(operand(leaf, recorder))
            leaf = PLACE
        plain.append(leaf)
    return structure, plain, outputs


def _without_lists(value):
    """A result in which lists that were made while it was staged are ordinary or staged ones."""
    if isinstance(value, TraceList):
        return (
            value.value
            if value.value is not None
            else [_without_lists(v) for v in list.__iter__(value)]
        )
    if type(value) is dict:
        return {key: _without_lists(item) for key, item in value.items()}
    if type(value) is tuple:
        return tuple(map(_without_lists, value))
    if type(value) is list:
        return [_without_lists(item) for item in value]
    return value


def function(
    python_function: Callable | None = None, *, convert_packages: Iterable[str] = ()
) -> Any:
    """Makes a Python function one that runs as a graph; a decorator, or called directly.

    Arrays and NumPy scalars among the arguments are staged, everything else is part of the graph;
    one graph is made for each signature.  Results are what the Python function would return.
    Functions of the packages named in `convert_packages` are converted like the user's own.

    >>> import numpy as np
    >>> @function
    ... def area(radius):
    ...     return 3.1415 * radius ** 2
    >>> round(float(area(np.float64(3.0))), 4)
    28.2735
    """
    if python_function is None:
        return functools.partial(function, convert_packages=convert_packages)
    return Function(python_function, convert_packages)
