"""The programs of a graph: the plain one, and those that look into it, made when they are wanted.

    f(x)                                          the plain program
    with rt.config.temporarily(check_numerics=True):
        f(x)                                      a program that looks for nan and inf
    with rt.profile():
        f(x)                                      one that takes times
    rt.config.use_threads(4)
    f(x)                                          one whose independent parts run in threads

Checks and profiles run in one thread.

Each is written and compiled when it is wanted for the first time, and kept.
"""

from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np

from runtime import config
from runtime.engines.numpy import Compiled
from runtime.engines.numpy.instrumentation import Instrument, Timed
from runtime.engines.numpy.nan_checks import Checked
from runtime.ir.graph import Graph
from runtime.observability import profiles


class Programs:
    """A graph as a function of its inputs, which returns a tuple of its outputs."""

    def __init__(self, graph: Graph, keep: Callable = np.copyto):
        """`keep` is called with an input that is written into, and what it holds, where a run ends
        by an exception."""
        self._graph, self._keep = graph, keep
        self._plain = Compiled(graph, keep=keep)
        self._checked: Compiled | None = None
        self._parallel: dict[int, Compiled] = {}
        self._timed: dict[bool, tuple[Compiled, Timed]] = {}
        self._lock = Lock()

    @property
    def source(self) -> str:
        """The plain program."""
        return self._plain.source

    def __call__(self, *inputs: Any) -> tuple:
        settings = config.current()
        if settings.are_plain:
            return self._plain(*inputs)
        if settings.profile is not None:
            return self._profiled(settings, inputs)
        if settings.check_numerics:
            return self._with_checks()(*inputs)
        return self._in_threads(settings.threads)(*inputs)

    def _with_checks(self):
        with self._lock:
            if self._checked is None:
                self._checked = Compiled(self._graph, [Checked()], keep=self._keep)
            return self._checked

    def _in_threads(self, threads):
        with self._lock:
            if threads not in self._parallel:
                compiled = Compiled(self._graph, threads=threads, keep=self._keep)
                nothing_to_do = compiled.source == self._plain.source
                self._parallel[threads] = self._plain if nothing_to_do else compiled
            return self._parallel[threads]

    def _profiled(self, settings, inputs):
        checks = settings.check_numerics
        with self._lock:
            if checks not in self._timed:
                timed = Timed(profiles.clock)
                instruments: list[Instrument] = [timed, Checked()] if checks else [timed]
                self._timed[checks] = Compiled(self._graph, instruments, keep=self._keep), timed
            compiled, timed = self._timed[checks]
        with settings.profile.run(self._graph.name, timed.spans):
            return compiled(*inputs)
