"""Backends: the meaning of converted statements.

The base class gives them their Python meaning (`python_meaning.py`).  A backend for *staged* values
(values that are not known while the program that computes them is being built) derives from it and
overrides the methods that differ:

    class Recorder(Backend):
        def if_stmt(self, test, body, orelse, state):
            ...record both branches...

    register_backend(Tracer, Recorder())

A value is staged if its type says so, by an attribute `__autograph__` that holds the backend or by
`register_backend`; both before the first value of the type is used.  Operators look at the type of
their operand.  Statements without a telling operand (`print('x')`, `z = []`, `d[i] = 1`) use
`active()`: the backend of the innermost staged block, or one that `register_ambient` has announced.
`autograph/staging/` has the parts that backends share.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import RLock
from typing import Any

from autograph.backend.calls import CallTable as CallTable
from autograph.backend.calls import describe_calls as describe_calls
from autograph.backend.calls import description_of as description_of
from autograph.backend.calls import is_replaced as is_replaced
from autograph.backend.calls import replace_for_all
from autograph.backend.known_types import builtin_types as builtin_types
from autograph.backend.known_types import forget_types, remember_plain, stages_builtin
from autograph.backend.known_types import plain_contents as plain_contents
from autograph.backend.known_types import plain_truth as plain_truth
from autograph.backend.known_types import plain_types as plain_types
from autograph.backend.python_meaning import PythonMeaning
from autograph.backend.state import UNSET as UNSET
from autograph.backend.state import State as State
from autograph.backend.state import Undefined as Undefined
from autograph.backend.state import Unset as Unset

# How many staged blocks are open, in all threads.
staged_blocks = 0

# How many reasons there are to run converted code: staged blocks, ambient backends, and backends
# whose staged values may exist anywhere.
reasons_to_stage = 0
counting = RLock()
_switches: list[Callable[[bool], None]] = []


def when_staging_changes(switch: Callable[[bool], None]) -> None:
    """Calls `switch` with True when the first reason to run converted code appears, and with False
    when the last one goes."""
    _switches.append(switch)


def _count_reasons(change: int) -> None:
    """Adds to the number of reasons; `counting` must be held."""
    global reasons_to_stage
    before = reasons_to_stage
    reasons_to_stage += change
    if bool(before) != bool(reasons_to_stage):
        for switch in _switches:
            switch(bool(reasons_to_stage))


class Backend(PythonMeaning):
    """The meaning of converted statements: Python's, where a subclass does not override it."""

    # Whether staged values exist only while one of the backend's staged blocks is open.  If all
    # backends say so, converted functions run the user's own code while no block is open.
    stages_in_blocks_only = False

    def __new__(cls, *args: Any, **options: Any) -> "Backend":
        forget_types()  # a new backend may be about to become the `__autograph__` of a type
        if cls is not Backend and not cls.stages_in_blocks_only:
            with counting:
                _count_reasons(1)
        return super().__new__(cls)

    def register_call(self, original: Callable[..., Any], replacement: Callable[..., Any]) -> None:
        """Makes converted code call `replacement` for `original` while this backend is active.

        Raises `ValueError` if `original` already has a replacement.
        """
        if self.calls is None:
            self.calls = CallTable()
        self.calls.register(original, replacement)

    def stages(self, value: Any) -> bool:
        """Whether a value whose type is staged by this backend is staged where it is used now."""
        return True


PYTHON = Backend()


def register_call(
    original: Callable[..., Any], replacement: Callable[..., Any], backend: Backend | None = None
) -> None:
    """Makes converted code call `replacement` for `original` while a block is being staged.

    It holds for all backends, or for `backend` only.  Raises `ValueError` if one of them already
    replaces `original`.
    """
    if backend is None:
        replace_for_all(original, replacement)
    else:
        backend.register_call(original, replacement)


_registered: dict[type, Backend] = {}


def register_backend(kind: type, backend: Backend) -> None:
    """Makes values of `kind` (and of its subclasses) staged by `backend`.

    Raises `ValueError` if `kind` has another backend.
    """
    known = _registered.setdefault(kind, backend)
    if known is not backend:
        raise ValueError(f"{kind.__qualname__} is already staged by {known!r}")
    stages_builtin(kind)
    forget_types()


def backend_of(value: Any) -> Backend:
    """The backend that stages `value`; `PYTHON` for values that are not staged."""
    kind = type(value)
    if id(kind) in plain_types:
        return PYTHON
    backend = getattr(kind, "__autograph__", None)
    if isinstance(backend, Backend):
        return backend if backend.stages(value) else PYTHON
    if _registered:
        for base in kind.__mro__:
            if base in _registered:
                return _registered[base]
    remember_plain(kind)
    return PYTHON


# -- the innermost staged block --------------------------------------------------------------------

_active: ContextVar[Backend] = ContextVar("autograph backend", default=PYTHON)

# Backends whose own transformations stage code without opening a block here.
ambient: list[tuple[Callable[[], bool], Backend]] = []

# Whether something may be staged: while it is 0, `active()` need not be called.
may_be_staging = 0


def register_ambient(is_tracing: Callable[[], bool], backend: Backend) -> None:
    """Makes `backend` active wherever `is_tracing()` is true and no staged block is open.

    For backends that trace functions themselves, as `jax.jit` does.  `is_tracing` is called for
    statements and calls without a staged operand whose meaning may depend on it (a new list, an
    f-string, a comprehension, a subscript that is no int, a builtin that the backend replaces, the
    construction of an object, a method of one); never for calls of functions.
    """
    global may_be_staging
    with counting:
        ambient.append((is_tracing, backend))
        may_be_staging += 1
        _count_reasons(1)


def unregister_ambient(backend: Backend) -> None:
    """Undoes `register_ambient`."""
    global may_be_staging
    with counting:
        kept = [entry for entry in ambient if entry[1] is not backend]
        may_be_staging -= len(ambient) - len(kept)
        _count_reasons(len(kept) - len(ambient))
        ambient[:] = kept


@contextmanager
def staging(backend: Backend) -> Iterator[None]:
    """Opens a staged block: `backend` is active while it is open."""
    global staged_blocks, may_be_staging
    with counting:
        staged_blocks += 1
        may_be_staging += 1
        _count_reasons(1)
    token = _active.set(backend)
    try:
        yield
    finally:
        _active.reset(token)
        with counting:
            staged_blocks -= 1
            may_be_staging -= 1
            _count_reasons(-1)


def activate(backend: Backend) -> None:
    """Makes a backend active again where a staged block may not have ended in order."""
    _active.set(backend)


def active() -> Backend:
    """The backend of the innermost staged block, or of an ambient tracing; else `PYTHON`."""
    found = _active.get() if staged_blocks else PYTHON
    if found is PYTHON:
        for is_tracing, backend in ambient:
            if is_tracing():
                return backend
    return found
