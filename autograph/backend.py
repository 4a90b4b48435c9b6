"""Backends: what converted statements mean.

The base class is plain Python.  A backend for staged values (the graph runtime, JAX tracers)
derives from it and overrides what differs:

    class Recorder(Backend):
        def if_stmt(self, test, body, orelse, state):
            ...record both branches...

    register_backend(Tracer, Recorder())

A value is staged when its type says so, by an attribute `__autograph__` that holds the backend or
by `register_backend`.  Operators look at the type of their operand.  Statements without an operand
that could tell (`print('x')`, `z = []`, `d[i] = 1`) ask `active()` for the backend of the innermost
staged block.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock


class Undefined:
    """Stands for the value of a variable that has none.

    Only backends see it, as part of a state; in the user's code the variable stays unbound.
    """

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __repr__(self):
        return f"<undefined {self.name}>"


class Unset:
    """The value of a generated variable that is always bound before it is read."""

    def __repr__(self):
        return "<unset>"


UNSET = Unset()


class State:
    """The variables that a block may bind and that are read afterwards."""

    __slots__ = ("get_state", "names", "set_state")

    def __init__(
        self, names: tuple[str, ...], get_state: Callable | None, set_state: Callable | None
    ):
        self.names = names
        self.get_state = get_state
        self.set_state = set_state

    def get(self) -> tuple:
        """Their values; `Undefined` for those that are unbound."""
        if self.get_state is None:
            return ()
        try:
            return self.get_state()
        except NameError:
            return tuple(self._read(name) for name in self.names)

    def set(self, values: tuple) -> None:
        """Binds them; unbinds those whose value is `Undefined`."""
        if self.set_state is None:
            return
        self.set_state(tuple(values))
        for name, value in zip(self.names, values, strict=True):
            if isinstance(value, Undefined):
                self._delete(name)

    def _cell(self, name):
        code = self.set_state.__code__
        if name in code.co_freevars:
            return self.set_state.__closure__[code.co_freevars.index(name)]
        return None

    def _read(self, name):
        cell = self._cell(name)
        try:
            return self.set_state.__globals__[name] if cell is None else cell.cell_contents
        except (KeyError, ValueError):
            return Undefined(name)

    def _delete(self, name):
        cell = self._cell(name)
        if cell is None:
            del self.set_state.__globals__[name]
        else:
            del cell.cell_contents


class Backend:
    """The meaning of converted statements; this class is the meaning that Python gives them.

    Bodies, tests and operands arrive as functions without arguments (`loop_body` of a `for` takes
    the element).  `state` holds the variables that they bind and that are read afterwards.
    """

    # -- statements --------------------------------------------------------------------------------

    def if_stmt(self, test, body: Callable, orelse: Callable | None, state: State) -> None:
        """`if test: body() else: orelse()`"""
        if test:
            body()
        elif orelse is not None:
            orelse()

    def cond_stmt(self, holds, arms: tuple, orelse: Callable | None, state: State) -> None:
        """`if`, `elif`..., `else`; `holds` is the value of the first arm's test.

        By default a chain of `if_stmt`, each in the `else` of the one before it.
        """
        (_, body), others = arms[0], arms[1:]

        def otherwise():
            if others:
                self.cond_stmt(others[0][0](), others, orelse, state)
            elif orelse is not None:
                orelse()

        self.if_stmt(holds, body, otherwise, state)

    def while_stmt(self, holds, test: Callable, body: Callable, state: State) -> None:
        """`while test(): body()`; `holds` is the value of the first test."""
        while holds:
            body()
            holds = test()

    def for_stmt(self, iterable, body: Callable, test: Callable | None, state: State) -> None:
        """`for element in iterable: body(element)`, left early once `test()` is false."""
        for element in iterable:
            body(element)
            if test is not None and not test():
                break

    def holds(self, test, message: Callable | None) -> bool:
        """The test of an `assert`; a backend records the check and returns True."""
        return bool(test)

    def choice(self, case_of: Callable, subject) -> int:
        """The number of the case of a `match` that the subject matches, -1 for none."""
        return case_of(subject)

    # -- expressions -------------------------------------------------------------------------------

    def if_expr(self, test, body: Callable, orelse: Callable):
        """`body() if test else orelse()`"""
        return body() if test else orelse()

    def and_(self, left, right: Callable):
        """`left and right()`"""
        return left and right()

    def or_(self, left, right: Callable):
        """`left or right()`"""
        return left or right()

    def not_(self, operand):
        """`not operand`"""
        return not operand

    def contains(self, container, item):
        """`item in container`"""
        return item in container

    def is_none(self, value):
        """`value is None`"""
        return value is None

    def get_item(self, container, key):
        """`container[key]`"""
        return container[key]

    def set_item(self, container, key, value) -> None:
        """`container[key] = value`"""
        container[key] = value

    def delete_item(self, container, key) -> None:
        """`del container[key]`"""
        del container[key]

    def call(self, function: Callable) -> Callable:
        """What is called where the user's code calls `function`."""
        return replacement(function)

    def entered(self, function: Callable, converted: Callable) -> Callable:
        """What is called for a function of the user's, which has been converted."""
        return converted

    def text(self, parts: tuple):
        """`f"..."` of texts and of what `shown` gives."""
        return "".join(parts)

    def shown(self, value, spec, conversion: str):
        """`f"{value!conversion:spec}"`"""
        converted = {"": _same, "s": str, "r": repr, "a": ascii}[conversion](value)
        return format(converted, spec)

    def percent(self, template, values):
        """`template % values`, where `template` is a text."""
        return template % values

    def comprehension(self, collect: Callable):
        """`[...]`, where `collect` is `lambda: [...]`"""
        return collect()

    def elements(self, iterable):
        """What a comprehension without conditions runs over."""
        return iterable

    # -- lists, and what the user says about them and about loops ----------------------------------

    def new_list(self, items: list) -> list:
        """A list that the user's code has made and may change."""
        return items

    def set_element_type(self, items: list, dtype, shape=None) -> None:
        """`set_element_type(items, dtype)`"""

    def stack(self, items: list):
        """`stack(items)`"""
        return items

    def set_loop_options(self, **options) -> None:
        """`set_loop_options(...)` in the body of a loop."""


def _same(value):
    return value


PYTHON = Backend()

_registered: dict[type, Backend] = {}
_replacements: dict[Callable, Callable] = {}


def register_call(original: Callable, replacement: Callable) -> None:
    """Makes converted code call `replacement` for `original` while a block is being staged.

    Raises `ValueError` where `original` has a replacement already.
    """
    if _replacements.setdefault(original, replacement) is not replacement:
        raise ValueError(f"{original!r} is already replaced by {_replacements[original]!r}")


def replacement(function: Callable) -> Callable:
    """What is registered for a function, or the function itself."""
    try:
        return _replacements.get(function, function)
    except TypeError:  # an object that is called may be unhashable
        return function


def register_backend(kind: type, backend: Backend) -> None:
    """Makes values of `kind` (and of its subclasses) staged by `backend`.

    Raises `ValueError` where `kind` has another backend already.
    """
    known = _registered.setdefault(kind, backend)
    if known is not backend:
        raise ValueError(f"{kind.__qualname__} is already staged by {known!r}")


def backend_of(value) -> Backend:
    """The backend that stages `value`; `PYTHON` for everything that is not staged."""
    kind = type(value)
    backend = getattr(kind, "__autograph__", None)
    if isinstance(backend, Backend):
        return backend
    if _registered:
        for base in kind.__mro__:
            if base in _registered:
                return _registered[base]
    return PYTHON


# -- the innermost staged block --------------------------------------------------------------------

_active: ContextVar[Backend] = ContextVar("autograph backend", default=PYTHON)

# How many staged blocks are open, in all threads: while there is none, nothing needs to be asked.
staged_blocks = 0
_counting = Lock()


@contextmanager
def staging(backend: Backend) -> Iterator[None]:
    """While it is open, `backend` gives the meaning of what has no operand that could tell."""
    global staged_blocks
    with _counting:
        staged_blocks += 1
    token = _active.set(backend)
    try:
        yield
    finally:
        _active.reset(token)
        with _counting:
            staged_blocks -= 1


def active() -> Backend:
    """The backend of the innermost staged block around; `PYTHON` where there is none."""
    return _active.get() if staged_blocks else PYTHON
