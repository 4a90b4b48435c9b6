"""Lists of staged code in nested containers: as Python lists, and back.

    flatten(plain_lists(arguments))             lists of staged code are containers like others
    user_lists(unflatten(structure, leaves))    lists that staged loops of the caller may change

While a graph is traced, the user's lists are of a type of their own (`TraceList`).  One whose
elements are known is a container; one that only the graph holds is a leaf.
"""

from typing import Any

from runtime.ir.pytree import transform
from runtime.staging.lists.merged_list import is_known_list
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing import trace


def plain_lists(value: Any) -> Any:
    """The same containers, with Python lists in place of lists of staged code."""
    return transform(_plain, value)


def _plain(leaf):
    return [plain_lists(item) for item in leaf.contents()] if is_known_list(leaf) else leaf


def user_lists(value: Any) -> Any:
    """The same containers with lists of staged code in place of Python lists.

    Outside of a trace, or if operations run as they are traced, lists stay Python lists.
    """
    recorder = trace.current()
    return value if recorder is None or recorder.is_eager else _staged(value)


def _staged(value):
    if type(value) is list:
        return TraceList(map(_staged, value))
    if type(value) is dict:
        return {key: _staged(item) for key, item in value.items()}
    if type(value) is tuple:
        return tuple(map(_staged, value))
    return type(value)(*map(_staged, value)) if hasattr(type(value), "_fields") else value
