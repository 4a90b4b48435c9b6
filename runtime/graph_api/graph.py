"""Explicit graphs: built step by step, and run by a `Session`.

>>> import numpy as np
>>> import runtime as rt
>>> with rt.Graph().as_default():
...     a = rt.placeholder(np.float64, name="a")
...     b = np.sqrt(a) + 1.0
>>> with rt.Session() as session:
...     session.run(b, {a: 9.0})
np.float64(4.0)
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from autograph.backend import staging
from autograph.errors import message
from autograph.staging.refusals import Extent
from runtime.errors import NoGraphError, staging_error, users_location
from runtime.graph_api.deferred_output import deferred_output
from runtime.ir import graph as ir
from runtime.ir.types import tensor_type
from runtime.spellings.members import GRAPH, Answers
from runtime.staging.backend import BACKEND
from runtime.tracing import trace
from runtime.tracing.recorded_arrays import recorded_array
from runtime.tracing.tensor import Tensor
from runtime.tracing.unions import Unions


class SessionTrace(trace.Trace):
    """A trace whose values are the keys of a session's `feed_dict`."""

    takes_feeds = True


class Graph(Answers):
    """A graph that is built from the operations that run while it is the default."""

    _spellings = GRAPH

    def __init__(self, name: str = "graph"):
        self._trace = SessionTrace(name)
        self._trace.state(Unions).are_kept = False  # values may be differentiated later

    @property
    def graph(self) -> ir.Graph:
        """The graph built so far."""
        return self._trace.graph

    @contextmanager
    def as_default(self) -> Iterator["Graph"]:
        """Makes it the graph that receives operations."""
        with (
            trace.recording(self._trace, Extent.BUILDER),
            staging(BACKEND),
            deferred_output(),
        ):
            yield self

    def __enter__(self) -> Any:
        what = "an rt.Graph is entered by `with` itself"
        why = "A graph can be the default graph more than once."
        raise TypeError(message(what, users_location(), why, "Write: with graph.as_default():"))

    def __exit__(self, *exception: object) -> None:
        """Python looks it up before it enters the block."""

    def explain(self, name: str) -> str:
        """An explanation of the value called `name` in the printed graph.

        Raises `ValueError` if there is none.
        """
        return self.graph.explain(name)

    def as_graph_def(self) -> dict[str, Any]:
        """The graph as a dictionary that JSON supports (`runtime/observability/graph_def.py`)."""
        return self.graph.as_graph_def()

    def to_dot(self) -> str:
        """The graph as a program for Graphviz; branches and loops are nested clusters."""
        return self.graph.to_dot()

    def to_svg(self, depth: int | None = None) -> str:
        """The graph as an SVG picture; branches and loops nested deeper than `depth` are folded."""
        return self.graph.to_svg(depth)

    def _repr_html_(self):
        return self.graph._repr_html_()

    def __str__(self):
        return str(self.graph)

    def __repr__(self):
        count = len(self.graph.nodes)
        return f"<rt.Graph {self.graph.name}: {count} operation{'s' * (count != 1)}>"


def _default() -> trace.Trace:
    recorder = trace.current()
    if recorder is None:
        raise staging_error(
            "rt.placeholder needs a graph",
            "A placeholder belongs to the graph that is being built.",
            "Use it inside `with rt.Graph().as_default():`.",
            NoGraphError,
        )
    return recorder


def placeholder(dtype: Any, shape: tuple[Any, ...] = (), name: str = "placeholder") -> Tensor:
    """An input of the graph, a Tensor of this dtype and shape; sizes may be None or names.

    Raises `TypeError` for dtypes that graphs do not support, and outside of a graph.
    """
    recorder = _default()
    value = recorder.input(tensor_type(dtype, shape), trace.identifier(name))
    return Tensor(value, recorder.graph)


def constant(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A constant: a Tensor in a graph, else a NumPy array or scalar.

    Raises `TypeError` if the value cannot be converted to an array of the dtype.
    """
    if isinstance(value, Tensor):
        return value if dtype is None else value.astype(dtype)
    array = np.asarray(value, dtype=dtype)
    recorder = trace.current()
    if recorder is None:
        return array[()]
    tensor_type(array.dtype, array.shape)  # graphs support the dtype
    return Tensor(recorded_array(array[()], recorder, name or ""), recorder.region)


def name_scope(name: str):
    """A context manager that gives the operations in its block a common prefix."""
    recorder = trace.current()
    return nullcontext(name) if recorder is None else recorder.name_scope(name)
