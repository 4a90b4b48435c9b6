"""Sessions run explicit graphs (`graph.py`)."""

from typing import Any

import numpy as np

from runtime.function.executable import CompiledGraph
from runtime.ir import graph as ir
from runtime.ir.graph import Operand, Value, used_values
from runtime.ir.pytree import flatten, unflatten
from runtime.ir.types import fits, tensor_type
from runtime.passes import optimized
from runtime.spellings import members, options
from runtime.spellings.options import AnswersOptions
from runtime.tracing.tensor import Tensor


class Session(AnswersOptions):
    """Runs graphs.  A run computes the fetched values, with all effects of the graph."""

    _spellings, _options = members.SESSION, options.SESSION

    def __init__(self) -> None:
        self._executables: dict[tuple, tuple] = {}

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_executables": {}}

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *exception: object) -> None:
        self._executables.clear()

    def run(self, fetches: Any, feed_dict: dict[Tensor, Any] | None = None) -> Any:
        """The values of `fetches`: a Tensor, or nested lists, tuples and dicts of them.

        `feed_dict` has the values of placeholders.  Raises `TypeError` if other objects are fetched
        or fed, or if a value does not have its placeholder's dtype and shape; `ValueError` if a
        placeholder that is needed has no value.
        """
        leaves, structure = flatten(fetches)
        for leaf in leaves:
            if not isinstance(leaf, Tensor):
                raise TypeError(f"{leaf!r} is fetched, which is not a staged value")
        graphs = {id(leaf._region): leaf._region for leaf in leaves}
        if len(graphs) != 1:
            raise ValueError("the fetched values belong to different graphs")
        (graph,) = graphs.values()
        inputs, run = self._executable(graph, tuple(leaf._value for leaf in leaves))
        fed = _fed(feed_dict or {})
        missing = [value.hint for value in inputs if value not in fed]
        if missing:
            raise ValueError(
                f"the placeholder {missing[0]} is needed, but feed_dict has no value for it"
            )
        return unflatten(structure, run(*(fed[value] for value in inputs)))

    def _executable(self, graph: ir.Graph, wanted: tuple[Operand, ...]):
        key = (id(graph), len(graph.nodes), wanted)
        if key not in self._executables:
            names: dict[Value, Operand] = {}
            whole = ir.Graph(graph.name, graph.inputs, graph.nodes, list(wanted))
            copied = optimized(ir.copy(whole, names))
            used = set(used_values(copied))
            chosen = [
                (mine, theirs)
                for mine, theirs in zip(copied.inputs, graph.inputs, strict=True)
                if mine in used
            ]
            copied.inputs = [mine for mine, _ in chosen]
            self._executables[key] = [theirs for _, theirs in chosen], CompiledGraph(copied), graph
        inputs, run, _ = self._executables[key]
        return inputs, run


def _fed(feed_dict):
    """The fed values, as arrays of their placeholders' types."""
    fed = {}
    for placeholder, value in feed_dict.items():
        if not isinstance(placeholder, Tensor):
            raise TypeError(f"{placeholder!r} is fed, which is not a placeholder")
        wanted = placeholder.type
        array = np.asarray(value)
        if not isinstance(value, (np.ndarray, np.generic)) and np.can_cast(
            array.dtype, wanted.dtype, "same_kind"
        ):
            array = array.astype(wanted.dtype)  # a Python scalar or list has no dtype yet
        if not fits(tensor_type(array.dtype, array.shape), wanted):
            given = tensor_type(array.dtype, array.shape)
            raise TypeError(f"the placeholder {placeholder._value.hint} is {wanted}, not {given}")
        fed[placeholder._value] = array[()]
    return fed
