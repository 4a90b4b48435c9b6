"""Settings of the runtime, for debugging programs and for running them faster.

    rt.config.run_functions_eagerly(True)         everywhere, from now on
    rt.config.check_numerics(True)
    rt.config.use_threads(4)
    rt.config.use_engine("eager")

    with rt.config.temporarily(check_numerics=True, threads=1):
        f(x)                                      in this block and thread only

Each setting has a function that sets it and one that returns it.  None changes a graph, so setting
them causes no retracing.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from threading import RLock
from typing import TYPE_CHECKING, Any

from autograph.spellings import module_getattr
from runtime.engines import registry
from runtime.spellings.modules import CONFIG


def _default_object_cache() -> str | None:
    """The directory for machine code: `AUTOGRAPH_OBJECT_CACHE`, else one of the user's caches.

    None if the variable is empty, and on systems without owners of files.
    """
    chosen = os.environ.get("AUTOGRAPH_OBJECT_CACHE")
    if chosen is not None:
        return chosen or None
    if not hasattr(os, "geteuid"):
        return None
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(caches, "autograph-numpy", "objects")


@dataclass(frozen=True)
class Settings:
    """All settings.

    run_functions_eagerly   an `rt.function` calls its Python function
    check_numerics          a run raises FloatingPointError where an operation produces nan or inf
    threads                 how many parts of one run may be computed at the same time
    profile                 the `rt.Profile` that measures runs, if any
    engine                  the name of the engine that runs graphs, unless their function says one
    full_tracebacks         tracebacks of exceptions also show the frames of the library
    object_cache            the directory in which the native engine keeps machine code, or None
    """

    run_functions_eagerly: bool = False
    check_numerics: bool = False
    threads: int = 1
    profile: Any = None
    engine: str = registry.DEFAULT
    full_tracebacks: bool = False
    object_cache: str | None = field(default_factory=_default_object_cache)
    are_plain: bool = field(init=False)  # runs need no checks, times, threads or other engine
    need_a_run_only: bool = field(init=False)  # no checks, times or threads, by whatever engine

    def __post_init__(self):
        for name in ("run_functions_eagerly", "check_numerics", "full_tracebacks"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} is True or False, not {getattr(self, name)!r}")
        if not isinstance(self.object_cache, (str, type(None))):
            raise TypeError(f"the object cache is a directory, not {self.object_cache!r}")
        if isinstance(self.threads, bool) or not isinstance(self.threads, int):
            raise TypeError(f"the number of threads is an int, not {self.threads!r}")
        if self.threads < 1:
            raise ValueError(f"the number of threads is at least 1, not {self.threads}")
        registry.available(self.engine)
        plain = not self.check_numerics and self.threads == 1 and self.profile is None
        object.__setattr__(self, "need_a_run_only", plain)
        object.__setattr__(self, "are_plain", plain and self.engine == registry.DEFAULT)


class Process:
    """The settings of the process, replaced as a whole, and a summary of them for calls."""

    __slots__ = ("settings", "is_plain", "plain_engine", "is_unusual", "lock")

    def __init__(self) -> None:
        self.lock = RLock()
        self.is_unusual = False  # whether settings have ever been changed, here or by `temporarily`
        self.set(Settings())

    def set(self, settings: Settings) -> None:
        """Makes these the settings.

        `plain_engine` is the name of the engine if calls then just run a graph, else None;
        `is_plain` says whether it is the default.
        """
        self.settings = settings
        runs_graphs = settings.need_a_run_only and not settings.run_functions_eagerly
        self.plain_engine = sys.intern(settings.engine) if runs_graphs else None
        self.is_plain = self.plain_engine == registry.DEFAULT
        self.is_unusual |= not self.is_plain


PROCESS = Process()


def plain_engine() -> str:
    """The engine of calls that are prepared for: the one that is set, if they just run a graph."""
    return PROCESS.plain_engine or registry.DEFAULT


_local: ContextVar[dict | None] = ContextVar("settings", default=None)

# The settings of a `temporarily` block that the running code is in, None outside of such blocks.
local_settings: Callable[[], dict | None] = _local.get


def current() -> Settings:
    """The settings that hold for the code that is running."""
    changes = local_settings()
    return PROCESS.settings if changes is None else replace(PROCESS.settings, **changes)


def _set(**changes):
    with PROCESS.lock:
        PROCESS.set(replace(PROCESS.settings, **changes))


@contextmanager
def temporarily(**settings: Any) -> Iterator[None]:
    """Changes settings, by their names in `Settings`, for the code inside the `with` block.

    Other threads are not affected, and other settings keep their values.  Raises `TypeError` for a
    setting that does not exist, and `TypeError` or `ValueError` for a wrong value.
    """
    replace(Settings(), **settings)  # checks names and values
    PROCESS.is_unusual = True
    token = _local.set({**(local_settings() or {}), **settings})
    try:
        yield
    finally:
        _local.reset(token)


def run_functions_eagerly(on: bool) -> None:
    """Sets whether an `rt.function` calls its Python function instead of a graph.

    Then prints happen in each call, debuggers stop in the function itself, and NumPy computes every
    operation.
    """
    _set(run_functions_eagerly=on)


def functions_run_eagerly() -> bool:
    """Whether functions run as Python: in this block, or everywhere."""
    return current().run_functions_eagerly


def check_numerics(on: bool) -> None:
    """Sets whether a run raises FloatingPointError at the first operation that produces nan or inf
    from finite operands."""
    _set(check_numerics=on)


def numerics_are_checked() -> bool:
    """Whether runs check for nan and inf: in this block, or everywhere."""
    return current().check_numerics


def full_tracebacks(on: bool) -> None:
    """Sets whether tracebacks show the frames of the library besides the user's own.

    They are left out by default; they help to report a fault of the library.
    """
    _set(full_tracebacks=on)


def tracebacks_are_full() -> bool:
    """Whether tracebacks show the frames of the library: in this block, or everywhere."""
    return current().full_tracebacks


def use_threads(number: int) -> None:
    """Sets how many independent parts of a run may be computed at the same time; 1 by default.

    Results do not depend on it.  Raises `ValueError` for numbers below 1.
    """
    _set(threads=number)


def threads() -> int:
    """How many independent parts of a run may be computed at the same time."""
    return current().threads


def use_engine(name: str) -> None:
    """Which engine runs graphs, those that are already there included; "auto" at first.

    A function that is made with `rt.function(engine=...)` keeps its own.  Raises `ValueError`,
    which lists the engines, for other names, and `ImportError` for an engine whose packages are
    not installed.
    """
    _set(engine=name)


def engine() -> str:
    """The name of the engine that runs graphs here."""
    return current().engine


def use_object_cache(directory: str | os.PathLike[str] | None) -> None:
    """Sets the directory in which the native engine keeps machine code for later processes.

    None turns it off.  By default it is `AUTOGRAPH_OBJECT_CACHE`, else `autograph-numpy/objects` in
    the user's directory of caches.  The directory must belong to the user and deny access to all
    others (mode 0700), as its content is executed; it is not used otherwise.
    """
    _set(object_cache=None if directory is None else os.fspath(directory))


def object_cache() -> str | None:
    """The directory in which the native engine keeps machine code; None if it keeps none."""
    return current().object_cache


if not TYPE_CHECKING:
    __getattr__ = module_getattr(__name__, "rt.config", CONFIG)
