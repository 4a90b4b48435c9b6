"""Functions and graphs after each pass of their pipelines.

    for name, function in prefixes(collatz):
        assert function(27) == 111

Every prefix of a pipeline preserves the meaning of a program, so a comparison after each pass names
the pass that is faulty.
"""

from collections.abc import Iterator
from types import FunctionType

import gast

from autograph import operators
from autograph.conversion.converter import converted_definition
from autograph.conversion.passes import PIPELINE, deep_recursion
from autograph.functions import rebuild
from autograph.functions.staleness import current_origin as origin
from autograph.pipeline import Pass, upto
from runtime import show
from runtime.ir.graph import Graph, copy
from runtime.passes import optimized


def prefixes(function: FunctionType) -> Iterator[tuple[str, FunctionType]]:
    """The name of each pass, and the function after it and all passes before it."""
    for step in PIPELINE:
        yield step.name, prefix(function, step.name)


def prefix(function: FunctionType, name: str) -> FunctionType:
    """The function after the pass called `name` and all passes before it.

    Raises `ValueError` where there is no such pass, `ConversionError` where it cannot be converted.
    """
    return converted_by(function, upto(PIPELINE, name))


def converted_by(function: FunctionType, passes: tuple[Pass, ...]) -> FunctionType:
    """The function after some passes."""
    found = origin(function)
    tree, conversion = converted_definition(found, function, True, passes)
    if not conversion.changed:
        return function
    blocks = {node.name for node in conversion.blocks if isinstance(node, gast.FunctionDef)}
    with deep_recursion():
        called = rebuild.Operators(conversion.operators, operators)
        code = rebuild.compiled(tree, blocks, function, called, found.private_to)
    return rebuild.function_of(code, function)


def graphs_after_passes(graph: Graph) -> list[tuple[str, Graph]]:
    """A copy of the graph after each pass that changed it, with the name of the pass."""
    found, last = [], None

    def note(name, current):
        nonlocal last
        if (text := show(current)) != last:
            found.append((name, copy(current)))
            last = text

    optimized(copy(graph), after=note)
    return found
