"""What an engine must know to make machine code of a whole call: guard, graph and result.

    f(x)  ->  the arguments, the guard's steps, the graph, the result        no Python code runs

`runtime/function/entry.py` requests it, with the guard and the template of the result as plain
data.  An engine that has no such code returns None.  Code that finds a condition not to hold leaves
the call to the next entry of the function, and the last one to the function's `__call__`.
"""

import ctypes
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Step:
    """One record of a guard (`runtime/function/guards/records.py`).

    `evaluated` returns a Python function that does the same, and the variables that it takes: it
    returns the value of a read, or the truth of a condition.
    """

    kind: str
    source: str
    constant: Any
    target: str
    evaluated: Callable[[], tuple[Callable[..., Any], list[str]]]


@dataclass(frozen=True)
class Field:
    """A slot of an object, and the object that it must hold."""

    owner: Any
    place: int  # in bytes, from the owner's address
    wanted: Any


@dataclass(frozen=True)
class Conditions:
    """When a call just runs a graph.

    `recording` and `local` hold None; then `usual` must hold, or `plain` must.  Where `usual` is
    None, `plain` must hold.  `local` matters only if `usual` does not hold.
    """

    recording: ContextVar[Any]
    local: ContextVar[Any]
    usual: Field | None
    plain: Field


@dataclass(frozen=True)
class Part:
    """A part of a result.

    kind        constant
    output      None: the next output of the graph
    constant    a Python object
    argument    the name of a parameter
    container   tuple, list or dict; `keys` are those of a dict
    """

    kind: str
    constant: Any = None
    parts: tuple["Part", ...] = ()
    keys: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Request:
    """A call that an engine may make machine code of."""

    parameters: list[str]
    positional: int  # how many of them a call may give by position
    defaults: list[Any]  # of the last parameters
    conditions: Conditions
    steps: list[Step]
    constants: dict[str, Any]  # the sources of steps that are no variables
    inputs: list[str]  # the variable of each input of the graph
    result: Part
    call_place: int  # where a function keeps its `__call__`, in bytes from its address


class Entry:
    """The code of a whole call, as a C function that Python calls by its vectorcall protocol.

    The code must live while it runs, also where the function forgets it meanwhile: `is_running`.
    """

    def __init__(self, address: int, links: Any, keeps: list[Any]) -> None:
        """`keeps` are the code and the objects that it names; `links` comes from `new_links`."""
        self.address = address
        self._links = links  # the address of the next entry, and how many calls run
        self._keeps = keeps

    @staticmethod
    def new_links() -> Any:
        """The memory of an entry that its code reads and writes."""
        return (ctypes.c_size_t * 2)(0, 0)

    @property
    def is_running(self) -> bool:
        """Whether a call is inside the code, in any thread."""
        return bool(self._links[1])

    def follow_with(self, next_entry: "Entry | None") -> None:
        """Sets the entry that takes the calls which this one leaves; None for `__call__`."""
        self._links[0] = 0 if next_entry is None else next_entry.address
