"""Which staged arrays are inputs of the graph that is being built.

    def step(w, x):           inputs of the graph: w, x
        w -= x                recorded as `written(w, ...)`: the caller's array changes, too

A write into such an array has to reach the caller, so the trace remembers the handle of each.
"""

from dataclasses import dataclass, field
from typing import Any

from runtime.ir.graph import Value

# The handle and its input, by the identity of the handle (which the entry keeps alive).
Handles = dict[int, tuple[Any, Value]]


@dataclass
class ArrayInputs:
    """The handles of the graph's array inputs, and those of the region that is being recorded.

    The two are the same, except inside the body of a recursive function, whose arrays are inputs of
    its own region.
    """

    of_graph: Handles = field(default_factory=dict)
    current: Handles = field(init=False)

    def __post_init__(self):
        self.current = self.of_graph

    def add(self, handle: Any, value: Value) -> None:
        """Remembers the handle of an input."""
        self.of_graph[id(handle)] = handle, value

    def input_of(self, handle: Any) -> Value | None:
        """The input that a handle was created for, None if there is none."""
        found = self.current.get(id(handle))
        return None if found is None else found[1]
