"""The table of ops: for each the function that writes the nodes of ONNX that compute it.

    @lowers("sqrt")
    def sqrt(writer, node):
        return writer.node("Sqrt", ...)

The function returns the name of the result in the model, or a list of names for several results.
"""

from collections.abc import Callable
from typing import Any

Rule = Callable[[Any, Any], Any]  # (writer, node) -> names
RULES: dict[str, Rule] = {}


def lowers(*names: str) -> Callable[[Rule], Rule]:
    """Registers a function for the ops of these names: a decorator."""

    def register(rule: Rule) -> Rule:
        for name in names:
            if RULES.setdefault(name, rule) is not rule:
                raise ValueError(f"there are two ONNX rules for {name}")
        return rule

    return register
