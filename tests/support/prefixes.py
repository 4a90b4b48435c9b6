"""A function as it stands after each pass of the conversion.

    for name, function in prefixes(collatz):      "fence", "jumps", "blocks", ... "call"
        assert function(27) == 111

The first k passes alone make a function that does what the original does, for every k; so a fault
shows at the pass that has it.
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
        code = rebuild.compiled(tree, blocks, function, conversion.operators, found.private_to)
    return rebuild.function_of(code, function, conversion.operators, operators)
