"""A graph as something that can be called: compiled for the engine and the settings that hold.

    f(x)                                          the plain executable
    with rt.config.temporarily(check_numerics=True):
        f(x)                                      one that looks for nan and inf
    with rt.profile():
        f(x)                                      one that takes times
    rt.config.use_threads(4)
    f(x)                                          one whose independent parts run in threads
    rt.config.use_engine("eager")
    f(x)                                          one of another engine

Each is compiled when it is first needed, and kept.  Checks and profiles run in one thread.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import config
from runtime.engines import registry
from runtime.engines.executable import Executable
from runtime.engines.nan_checks import NanCheck
from runtime.engines.registry import Options
from runtime.engines.timing import Timer
from runtime.ir.graph import Graph
from runtime.observability import profiles


class CompiledGraph:
    """A graph as a function of its inputs, which returns a tuple of its outputs.

    `plain` is the executable that runs while `config.current().are_plain`: a caller that has
    checked this may call `plain.function` directly, and passes an exception to `plain.translate`.
    """

    def __init__(
        self, graph: Graph, store: Callable[[Any, Any], None] = np.copyto, engine: str | None = None
    ):
        """`store(array, new)` writes into an input when an exception ends a run early.

        `engine` is the name of the engine; None for the one that the settings name at each run.
        Raises `CannotLower` if the engine cannot run the graph, `ImportError` if it is unavailable.
        """
        self._graph, self._store, self._engine = graph, store, engine
        self._executables: dict[tuple, Executable] = {}
        self._timers: dict[Executable, Timer] = {}
        self._plain: Executable | None = None
        self._executable(self._engine_of(config.current()))

    @property
    def graph(self) -> Graph:
        """The graph that is compiled, after all passes."""
        return self._graph

    @property
    def plain(self) -> Executable:
        """The executable without checks, times and threads, of the function's or default engine."""
        if self._plain is None:
            self._plain = self._executable(self._engine or registry.DEFAULT)
        return self._plain

    def engine(self, default: str) -> str:
        """The name of the engine of the function; `default` if it has none of its own."""
        return self._engine or default

    def plain_of(self, engine: str) -> Executable:
        """The executable of an engine without checks, times and threads, for many runs."""
        return self._executable(engine).successor()

    @property
    def source(self) -> str:
        """The program of the engine that the next call uses."""
        return self._executable(self._engine_of(config.current())).source

    def native(self, what: str) -> str:
        """What the next call runs as machine code (`engines/native/view.py`).

        Raises `TypeError` if its engine has no machine code.
        """
        engine = self._engine_of(config.current())
        text = self._executable(engine).native(what)
        if text is None:
            raise TypeError(
                f"the engine {engine!r} has no machine code\nChoose the engine: "
                "@rt.function(engine='native'), or rt.config.use_engine('native')."
            )
        return text

    def __call__(self, *inputs: Any) -> tuple[Any, ...]:
        settings = config.current()
        if settings.are_plain:
            return (self._plain or self.plain)(*inputs)
        engine = self._engine_of(settings)
        if settings.profile is not None:
            return self._profiled(engine, settings, inputs)
        if settings.check_numerics:
            return self._executable(engine, check=True)(*inputs)
        return self._executable(engine, threads=settings.threads)(*inputs)

    def _engine_of(self, settings: config.Settings) -> str:
        return self._engine or settings.engine

    def _executable(
        self, engine: str, timed: bool = False, check: bool = False, threads: int = 1
    ) -> Executable:
        key = engine, timed, check, threads
        found = self._executables.get(key)
        return self._compiled(key) if found is None else found

    def _compiled(self, key):
        # Without a lock: a signal's handler may call the function while it is being compiled.
        if key not in self._executables:
            self._executables.setdefault(key, self._made(key))
        return self._executables[key]

    def _made(self, key):
        engine, timed, check, threads = key
        timer = Timer(profiles.clock) if timed else None
        cache = config.current().object_cache
        options = Options(timer, NanCheck() if check else None, threads, self._store, cache)
        made = registry.available(engine).compiled(self._graph, options)
        if timer is not None:
            self._timers[made] = timer
        plain = self._executables.get((engine, False, False, 1))
        is_plain = threads > 1 and plain is not None and made.source == plain.source
        return plain if is_plain else made

    def _profiled(self, engine, settings, inputs):
        executable = self._executable(engine, timed=True, check=settings.check_numerics)
        with settings.profile.run(self._graph, self._timers[executable].spans):
            return executable(*inputs)
