"""Sessions run explicit graphs (`graph.py`).

session = rt.Session(graph=graph)
session.run(total, {x: 3.0})                  values, or
session.run("total", {"x": 3.0})              their names in the printed graph
"""

import difflib
from typing import Any

import numpy as np

from autograph.errors import message, with_article
from runtime.errors import users_location
from runtime.function.boundary import shown_to_user
from runtime.function.executable import CompiledGraph
from runtime.graph_api.graph import Graph
from runtime.ir import graph as ir
from runtime.ir import unsupported
from runtime.ir.graph import Operand, Value, used_values
from runtime.ir.pytree import flatten, transform, unflatten
from runtime.ir.text import names_in_text
from runtime.ir.types import DTYPE_NAMES, array_type, fits
from runtime.passes import optimized
from runtime.spellings import members, options
from runtime.spellings.options import AnswersOptions
from runtime.tracing.tensor import Tensor


class Session(AnswersOptions):
    """Runs graphs.  A run computes the fetched values, with all effects of the graph."""

    _spellings, _options = members.SESSION, options.SESSION

    def __init__(self, graph: Graph | None = None) -> None:
        """`graph`: the graph whose values have names.  Raises `TypeError` for other objects."""
        if graph is not None and not isinstance(graph, Graph):
            raise _error(
                TypeError,
                f"the graph of a Session is {_described(graph)}",
                "A session runs the values of an rt.Graph.",
                "Write rt.Session(graph=graph), after graph = rt.Graph()",
            )
        self.graph = graph
        self._executables: dict[tuple, tuple] = {}

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_executables": {}}  # the programs are compiled again

    def __repr__(self) -> str:
        return "<rt.Session>" if self.graph is None else f"<rt.Session of {self.graph.graph.name}>"

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *exception: object) -> None:
        self._executables.clear()

    @shown_to_user
    def run(self, fetches: Any, feed_dict: dict[Any, Any] | None = None) -> Any:
        """The values of `fetches`: a Tensor or its name, or nested lists, tuples and dicts of them.

        `feed_dict` has the values of placeholders, by the placeholder or its name; they are cast to
        the dtype of the placeholder where NumPy's rule `same_kind` allows it.  Raises `TypeError`
        if other objects are fetched or fed, or if a value does not have its placeholder's dtype and
        shape; `ValueError` if a placeholder that is needed has no value, or for an unknown name.
        """
        fetches = transform(self._fetched, fetches)
        leaves, structure = flatten(fetches)
        graphs = {id(leaf._region): leaf._region for leaf in leaves}
        if len(graphs) > 1:
            names = [f"{leaf._value.hint} of {leaf._region.name}" for leaf in leaves]
            raise _error(
                ValueError,
                f"the fetched values belong to {len(graphs)} graphs: {', '.join(names)}",
                "A run is of one graph.",
                "Run each graph by itself, or build both values in one graph.",
            )
        if not graphs:
            return unflatten(structure, [])
        (graph,) = graphs.values()
        fed = {}
        for key, value in (feed_dict or {}).items():
            placeholder = self._placeholder(key)
            fed[placeholder._value] = _fitting(placeholder, value)
        inputs, run = self._executable(graph, tuple(leaf._value for leaf in leaves))
        for value in inputs:
            if value not in fed:
                raise _error(
                    ValueError,
                    f"the placeholder {value.hint} is needed, but feed_dict has no value for it",
                    f"The fetched values depend on it; it is {value.type}.",
                    f"Pass one: session.run(fetches, {{{value.hint}: ...}})",
                )
        return unflatten(structure, run(*(fed[value] for value in inputs)))

    def _fetched(self, leaf):
        if isinstance(leaf, str):
            return self._named(leaf)
        if isinstance(leaf, Tensor):
            return leaf
        raise _error(
            TypeError,
            f"{_described(leaf)} is fetched, which is not a staged value",
            "A session computes values of its graph.",
            "Fetch a value that was computed inside `with graph.as_default():`.",
        )

    def _placeholder(self, key):
        found = self._named(key) if isinstance(key, str) else key
        if isinstance(found, Tensor) and found._value in found._region.inputs:
            return found
        raise _error(
            TypeError,
            f"{_described(key)} is fed, which is not a placeholder",
            "Only placeholders have values that come from outside of the graph.",
            "Feed the result of rt.placeholder(dtype, shape, name), or its name.",
        )

    def _named(self, name):
        """The value with a name in the printed graph."""
        if self.graph is None:
            raise _error(
                ValueError,
                f"{name!r} is a name, and the session has no graph",
                "Names belong to a graph.",
                "Write rt.Session(graph=graph), or pass the value itself.",
            )
        graph = self.graph.graph
        outer = [*graph.inputs, *(value for node in graph.nodes for value in node.outputs)]
        names = names_in_text(graph)
        values = {names[value]: value for value in outer}
        if name in values:
            return Tensor(values[name], graph)
        near = difflib.get_close_matches(name, values, 1)
        raise _error(
            ValueError,
            f"no value of {graph.name} is called {name!r}",
            f"Its values are {', '.join(list(values)[:10])}{', ...' * (len(values) > 10)}.",
            f"Did you mean {near[0]!r}?" if near else "print(graph) shows all names.",
        )

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


def _fitting(placeholder, value):
    """A fed value as an array of its placeholder's type."""
    name, wanted = placeholder._value.hint, placeholder.type
    array = np.asarray(value)
    if array.dtype.newbyteorder("=") not in DTYPE_NAMES:
        raise _error(
            TypeError,
            f"the placeholder {name} is {wanted}, and is fed {unsupported.named(array.dtype)}",
            unsupported.SUPPORTED,
            "Feed numbers, or arrays of numbers.",
        )
    if not np.can_cast(array.dtype, wanted.dtype, "same_kind"):
        target = wanted.dtype.name
        raise _error(
            TypeError,
            f"the placeholder {name} is {wanted}, and is fed {array.dtype.name}",
            f"Casting {array.dtype.name} to {target} would lose a part of the values.",
            f"Convert it: np.asarray(x).astype(np.{target}), or make the placeholder "
            f"{array.dtype.name}.",
        )
    array = array.astype(wanted.dtype, copy=False)
    given = array_type(array.dtype, array.shape)
    if not fits(given, wanted):
        raise _error(
            TypeError,
            f"the placeholder {name} is {wanted}, and is fed an array of shape {array.shape}",
            "The shape of a placeholder says which arrays it takes.",
            "Feed such an array, or leave sizes open: rt.placeholder(dtype, (None,))",
        )
    return array[()]


def _described(value):
    if isinstance(value, Tensor):
        return value.staged_value
    is_short = isinstance(value, (str, int, float, bool, complex, type(None)))
    return repr(value) if is_short else with_article(type(value).__name__)


def _error(kind, what, why, remedy):
    return kind(message(what, users_location(), why, remedy))
