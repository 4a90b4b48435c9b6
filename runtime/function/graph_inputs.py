"""Where the inputs of a graph of a function come from: for files and models without the function.

f(x), which reads self.w and a variable v      x: leaf 0; self.w: an array; v: the variable
"""

import weakref
from dataclasses import dataclass
from typing import Any

from runtime.function.concrete_function import ConcreteFunction
from runtime.function.pickling import example
from runtime.ir.graph import Value
from runtime.ir.pytree import unflatten
from runtime.tracing.signature import Identity


@dataclass(frozen=True)
class GraphInput:
    """An input: a leaf of the arguments, or an array, scalar or variable that the function reads.

    `leaf` is the number among the leaves of the arguments; None for others, which `held` is.
    """

    value: Value
    path: str
    leaf: int | None = None
    held: Any = None


def example_of(key: Any) -> Any:
    """An argument with a key; for a key of one object that object, None if it was freed."""
    if not isinstance(key, Identity):
        return example(key)
    reference = key.reference
    return reference() if isinstance(reference, weakref.ref) else reference


def example_arguments(concrete: ConcreteFunction) -> Any:
    """Arguments of the signature of a graph."""
    signature = concrete.signature
    return unflatten(signature.structure, list(map(example_of, signature.keys)))


def graph_inputs(concrete: ConcreteFunction, bound: Any) -> list[GraphInput]:
    """The inputs of a graph, in order, with the objects that it reads for these arguments.

    Raises `ReferenceError` if a variable was freed.
    """
    guard, variables = concrete.guard, concrete.variable_inputs
    alive = variables.variables
    if len(alive) != variables.count:
        raise ReferenceError("a variable was freed")
    count = len(concrete.graph.inputs) - variables.count
    values, expressions = concrete.graph.inputs[:count], guard.inputs[:count]
    leaves = {name: i for i, name in enumerate(guard.leaves)}
    others = [one for one in expressions if one not in leaves]
    held = dict(zip(others, guard.values(others, bound), strict=True))
    captured = dict(zip(others, guard.captured, strict=False))
    found = []
    for value, expression in zip(values, expressions, strict=True):
        if expression in leaves:
            leaf = leaves[expression]
            found.append(GraphInput(value, guard.paths[leaf], leaf))
        else:
            path = captured.get(expression, expression)
            found.append(GraphInput(value, path, held=held[expression]))
    rest = zip(concrete.graph.inputs[count:], variables.paths, alive, strict=True)
    return found + [GraphInput(value, path, held=variable) for value, path, variable in rest]
