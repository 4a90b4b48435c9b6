"""Backends: what converted statements mean.

The base class gives them their Python meaning.  A backend for *staged* values (values that are not
known while the program that computes them is being built) derives from it and overrides what
differs:

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

from autograph.backend import plain_lists
from autograph.backend.calls import CallTable as CallTable
from autograph.backend.calls import describe_calls as describe_calls
from autograph.backend.calls import description_of as description_of
from autograph.backend.calls import is_replaced as is_replaced
from autograph.backend.calls import replace_for_all, replacement_for_all
from autograph.backend.known_types import builtin_types as builtin_types
from autograph.backend.known_types import forget_types, remember_plain, stages_builtin
from autograph.backend.known_types import plain_contents as plain_contents
from autograph.backend.known_types import plain_truth as plain_truth
from autograph.backend.known_types import plain_types as plain_types
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


class Backend:
    """The meaning of converted statements; this class gives them their Python meaning.

    Bodies, tests and operands arrive as functions without arguments (the body of a `for` takes the
    element).  `state` holds the variables that they bind and that may be read after them.
    """

    calls: CallTable | None = None  # created by the first `register_call`

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

    # -- statements --------------------------------------------------------------------------------

    def if_stmt(
        self, test: Any, body: Callable[..., Any], orelse: Callable[..., Any] | None, state: State
    ) -> None:
        """`if test: body() else: orelse()`"""
        if test:
            body()
        elif orelse is not None:
            orelse()

    def cond_stmt(
        self, holds: Any, arms: tuple[Any, ...], orelse: Callable[..., Any] | None, state: State
    ) -> None:
        """`if`, `elif`..., `else`; `holds` is the value of the first arm's test.

        By default a chain of `if_stmt`, each in the `else` of the one before it.
        """
        (_, body), others = arms[0], arms[1:]

        def otherwise() -> None:
            if others:
                self.cond_stmt(others[0][0](), others, orelse, state)
            elif orelse is not None:
                orelse()

        self.if_stmt(holds, body, otherwise, state)

    def while_stmt(
        self, holds: Any, test: Callable[..., Any], body: Callable[..., Any], state: State
    ) -> None:
        """`while test(): body()`; `holds` is the value of the first test."""
        while holds:
            body()
            holds = test()

    def for_stmt(
        self, iterable: Any, body: Callable[..., Any], test: Callable[..., Any] | None, state: State
    ) -> None:
        """`for element in iterable: body(element)`, left early once `test()` is false."""
        for element in iterable:
            body(element)
            if test is not None and not test():
                break

    def for_range(
        self,
        numbers: range,
        body: Callable[..., Any],
        test: Callable[..., Any] | None,
        state: State,
    ) -> bool:
        """A `for` over a Python range, offered to the active backend before the loop starts.

        Returns whether the backend has staged the loop; if not, Python runs it, iteration by
        iteration.
        """
        return False

    def raised(self, error: BaseException) -> bool:
        """An exception has left a block that is being staged (`autograph/staging/blocks.py`).

        Returns whether the staged program will raise it; if not, it is an error of staging, and
        goes on to the caller.
        """
        return False

    def holds(self, test: Any, message: Any) -> bool:
        """The test of an `assert`, with its constant message or a function that returns it.

        A backend records the check and returns True.
        """
        return bool(test)

    def choice(self, case_of: Callable[..., Any], subject: Any) -> Any:
        """The index of the case of a `match` that the subject matches, -1 for none."""
        return case_of(subject)

    def check_subject(self, subject: Any) -> None:
        """Refuses the subject of a `match` if Python cannot tell its class or structure."""

    # -- expressions -------------------------------------------------------------------------------

    def if_expr(self, test: Any, body: Callable[..., Any], orelse: Callable[..., Any]) -> Any:
        """`body() if test else orelse()`"""
        return body() if test else orelse()

    def and_(self, left: Any, right: Callable[..., Any]) -> Any:
        """`left and right()`"""
        return left and right()

    def or_(self, left: Any, right: Callable[..., Any]) -> Any:
        """`left or right()`"""
        return left or right()

    def not_(self, operand: Any) -> Any:
        """`not operand`"""
        return not operand

    def contains(self, container: Any, item: Any) -> Any:
        """`item in container`"""
        return item in container

    def is_none(self, value: Any) -> Any:
        """`value is None`"""
        return value is None

    def is_bool(self, value: Any, constant: bool) -> Any:
        """`value is constant`, where `constant` is True or False."""
        return value is constant

    def is_same(self, value: Any, other: Any) -> Any:
        """`value is other`, where `other` is not None, True or False."""
        return value is other

    def get_item(self, container: Any, key: Any) -> Any:
        """`container[key]`"""
        return container[key]

    def set_item(self, container: Any, key: Any, value: Any) -> None:
        """`container[key] = value`"""
        container[key] = value

    def delete_item(self, container: Any, key: Any) -> None:
        """`del container[key]`"""
        del container[key]

    def context(self, manager: Any) -> Any:
        """The context manager to enter where the user's code enters `manager`."""
        return manager

    def iterated(self, iterable: Any) -> Any:
        """The iterable of a Python loop, before its iterator is made."""
        return iterable

    def call(self, function: Any) -> Any:
        """The callable to use where the user's code calls `function`."""
        return replacement_for_all(function) if self.calls is None else self.calls.get(function)

    def entered(
        self, function: Callable[..., Any], converted: Callable[..., Any]
    ) -> Callable[..., Any]:
        """The callable to use in a staged block for a user function, given its conversion."""
        return converted

    def text(self, parts: tuple[Any, ...]) -> Any:
        """`f"..."`, from literal strings and results of `shown`."""
        return "".join(parts)

    def shown(self, value: Any, spec: Any, conversion: str) -> Any:
        """`f"{value!conversion:spec}"`"""
        return format(_CONVERSIONS[conversion](value), spec)

    def percent(self, template: str, values: Any) -> Any:
        """`template % values`, where `template` is a string."""
        return template % values

    def comprehension(self, collect: Callable[..., Any], iterable: Any) -> Any:
        """`[... for ... in iterable ...]`; `collect` is `lambda itr: [... for ... in itr ...]`"""
        return collect(iterable)

    def elements(self, iterable: Any) -> Any:
        """The iterable of a comprehension without conditions; its elements, if they are known."""
        return iterable

    # -- lists, and directives about them and about loops ------------------------------------------

    def new_list(self, items: list[Any]) -> list[Any]:
        """A list that the user's code has created and may change."""
        return items

    def set_element_type(
        self, items: list[Any], dtype: Any, shape: tuple[Any, ...] | None = None
    ) -> None:
        """`set_element_type(items, dtype)`"""
        plain_lists.current().set_element_type(items, dtype, shape)

    def stack(self, items: Any) -> Any:
        """`stack(items)`"""
        return plain_lists.current().stack(items)

    def set_loop_options(self, **options: Any) -> None:
        """`set_loop_options(...)` in the body of a loop."""


_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "": lambda value: value,
    "s": str,
    "r": repr,
    "a": ascii,
}


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
    construction of an object); never for calls of functions.
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
