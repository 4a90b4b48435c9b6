"""`x.tolist()`: nested lists of Python scalars.

x: i64[3]            a list of three staged Python ints
x: i64[None]         a staged list, whose length a run decides
x: f64[None, None]   a staged list of staged lists
"""

import functools
from collections.abc import Callable
from typing import Any

from autograph.conversion.converter import to_graph
from runtime.staging.calls.python_loops import listed_rows
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing.numpy_api.methods import METHODS, item
from runtime.tracing.tensor import Tensor


@functools.cache
def _rows() -> Callable:
    return to_graph(listed_rows)


def tolist(x: Tensor) -> Any:
    """The elements as Python scalars in nested lists; a scalar for an array without dimensions."""
    if not x.type.shape:
        return item(x)
    if isinstance(x.type.shape[0], int):
        return TraceList(tolist(x[i]) for i in range(x.type.shape[0]))
    return _rows()(x)


METHODS["tolist"] = tolist
