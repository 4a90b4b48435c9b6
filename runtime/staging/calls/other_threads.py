"""Work that a function starts in another thread or process reaches no staged value.

    Thread(target=work).start()        refused, where `work` reaches a staged value: a variable of
    pool.map(work, parts)              its closure, an attribute of its object, a global variable

A graph has the operations of one thread.  In any other thread a staged value is an object like any
other: `type(v)`, `json.dumps(v)` or `isinstance(v, float)` would see that object, not the number.
Stand-ins are no such values: other threads see the array (`tracing/stand_ins.py`).

A thread that is older than the recording gets a staged value by a container that both use.  There,
converted code refuses to call a function with it, or waits for its value (`plain_elsewhere`).
"""

from collections.abc import Iterator
from types import FunctionType
from typing import Any

from autograph.staging.heap_diff import HeapSnapshot
from autograph.staging.held_objects import held_objects
from autograph.staging.object_state import attributes
from autograph.staging.refusals import is_recorded
from runtime.errors import LeakedValueError, staging_error
from runtime.ir.host import described
from runtime.ir.pytree import flatten, transform
from runtime.staging.calls.natures import Nature
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.staged_values import holds_staged
from runtime.tracing.leaks import leaked
from runtime.tracing.recording_lock import RECORDING
from runtime.tracing.stand_ins import StandsForArray
from runtime.tracing.tensor import Tensor

# Modules whose functions that take a function may call it in another thread or process.
MODULES = ("threading.", "_thread.", "concurrent.futures.", "multiprocessing.")
METHODS = (".run_in_executor", ".call_soon_threadsafe")  # of the loops of asyncio
COROUTINE = "asyncio.to_thread"  # makes a coroutine, which starts the work
STARTING = frozenset({"effect", "higher"})


def starts_work(nature: Nature) -> bool:
    """Whether a call may run a function in another thread or process."""
    if nature.name == COROUTINE:
        return True
    if not STARTING.issubset(nature.kinds):
        return False
    return nature.name.startswith(MODULES) or nature.name.endswith(METHODS)


def refuse_shared(function: Any, args: tuple, kwargs: dict) -> None:
    """Raises `StagingError` if the work that a call starts in another thread or process reaches a
    staged value."""
    owner = getattr(function, "__self__", None)
    roots = (function, *args, *kwargs.values(), *attributes(owner).values())
    found = next(filter(_is_shared, _reached(roots)), None)
    if found is None:
        return
    name = getattr(found, "staged_value", None) or "a container that holds staged values"
    raise staging_error(
        f"{described(function)} starts work in another thread or process, which reaches {name}",
        "A graph has the operations of one thread: code in another one would see the object that "
        "stands for the value.",
        "Compute with it in the function itself, or start the work outside of the function, with "
        "the result of the function.",
        LeakedValueError,
    )


def _reached(roots: tuple) -> Iterator[Any]:
    """Everything that code which has these objects can reach."""
    snapshot = HeapSnapshot(roots=roots)
    for value in (*roots, *snapshot.containers(), *snapshot.held()):
        yield from _with_held(value)


def _with_held(value: Any) -> Iterator[Any]:
    """An object, and what it holds if it is a function with defaults, a method or a partial."""
    yield value
    held = list((held_objects(value) or {}).values())
    if isinstance(value, FunctionType):
        held += [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
    for one in held:
        yield from _with_held(one)


def _is_shared(value: Any) -> bool:
    if isinstance(value, StandsForArray) or isinstance(value, Tensor) and value.is_eager:
        return False
    is_container = isinstance(value, (list, tuple, dict, set)) and not isinstance(value, TraceList)
    return not is_container and holds_staged(value, objects=False)


def plain_elsewhere(arguments: Any) -> Any:
    """The arguments of a call in a thread that records no graph: values that the recording thread
    has assigned are awaited.

    Raises `StagingError` for other values of the graph that another thread is recording.
    """
    if not RECORDING.is_elsewhere() or not any(map(_is_foreign, flatten(arguments)[0])):
        return arguments
    return transform(_plain, arguments)


def _is_foreign(value: Any) -> bool:
    return isinstance(value, Tensor) and not value.is_eager and is_recorded(value._region)


def _plain(value: Any) -> Any:
    if not _is_foreign(value):
        return value
    plain = value.plain_value()
    if plain is value:
        raise leaked(value)
    return plain
