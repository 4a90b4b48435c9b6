"""Nested containers of arguments and results, while graphs are recorded.

They are those of `runtime/ir/pytree.py`, and lists that the user's code makes while it is staged,
as long as the number of their elements is known.  Lists that are made for the user's code are of
that kind, too: staged loops may change them.
"""

from collections.abc import Callable, Iterable
from typing import Any

from runtime.ir import pytree
from runtime.ir.pytree import Structure
from runtime.staging.lists.merged_list import is_known_list
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing import trace


def opened(value: Any) -> Any:
    """The same containers, with lists of Python's in place of lists of the user's code."""
    return pytree.transform(_opened, value)


def _opened(leaf):
    return [opened(item) for item in leaf.contents()] if is_known_list(leaf) else leaf


def flatten(value: Any) -> tuple[list, Structure]:
    """The leaves of nested containers, and their structure."""
    return pytree.flatten(opened(value))


def unflatten(shape: Structure, leaves: Iterable) -> Any:
    """The nested containers of a structure, filled with leaves."""
    recorder = trace.current()
    found = pytree.unflatten(shape, leaves)
    return found if recorder is None or recorder.is_eager else _made(found)


def transform(function: Callable[[Any], Any], value: Any) -> Any:
    """The same containers with `function` applied to every leaf."""
    leaves, shape = flatten(value)
    return unflatten(shape, map(function, leaves))


def _made(value):
    """Containers in which lists are such as the user's code makes."""
    if type(value) is list:
        return TraceList(map(_made, value))
    if type(value) is dict:
        return {key: _made(item) for key, item in value.items()}
    if type(value) is tuple:
        return tuple(map(_made, value))
    return type(value)(*map(_made, value)) if hasattr(type(value), "_fields") else value
