"""The variables of the graph that is being built: those it uses, and those it creates."""

from dataclasses import dataclass, field
from typing import Any

from runtime.ir.graph import Value
from runtime.tracing.tensor import Tensor


@dataclass(eq=False)
class VariableInput:
    """A variable in a graph that is being built: its staged value, and the graph's input."""

    variable: Any
    tensor: Tensor
    value: Value


@dataclass
class TraceVariables:
    """The variables that a trace reads or writes, by identity, and those that it creates.

    `created` pairs each with the user's line that creates it.
    """

    inputs: dict[int, VariableInput] = field(default_factory=dict)
    created: list[tuple[Any, Any]] = field(default_factory=list)
    may_create: bool = True
