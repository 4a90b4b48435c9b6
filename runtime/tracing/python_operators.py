"""Python's operators by method name, and the ops that record them."""

import operator
from collections.abc import Callable
from typing import Any

BINARY = {
    "__add__": "add",
    "__sub__": "subtract",
    "__mul__": "multiply",
    "__truediv__": "divide",
    "__floordiv__": "floor_divide",
    "__mod__": "remainder",
    "__divmod__": "divmod",
    "__pow__": "pow",
    "__matmul__": "matmul",
    "__and__": "bitwise_and",
    "__or__": "bitwise_or",
    "__xor__": "bitwise_xor",
    "__lshift__": "left_shift",
    "__rshift__": "right_shift",
}
COMPARISONS = {
    "__eq__": "equal",
    "__ne__": "not_equal",
    "__lt__": "less",
    "__le__": "less_equal",
    "__gt__": "greater",
    "__ge__": "greater_equal",
}
UNARY = {
    "__neg__": "negative",
    "__pos__": "positive",
    "__abs__": "absolute",
    "__invert__": "invert",
}


def reflected(name: str) -> str:
    """The method that the right operand answers with: `__add__` -> `__radd__`."""
    return name.replace("__", "__r", 1)


def in_place(name: str) -> str | None:
    """The method of the assignment form, `__add__` -> `__iadd__`; None where Python has none."""
    return None if name == "__divmod__" else name.replace("__", "__i", 1)


def function_of(name: str) -> Callable[..., Any]:
    """The function that applies an operator."""
    return divmod if name == "__divmod__" else getattr(operator, name)
