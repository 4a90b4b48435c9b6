"""The random generators that a trace draws from.

Their states are variables.  A transformed function may change these variables, since a
transformation knows what that means (`transforms/streams.py`).

If operations run as they are traced, a mapped function is called for one element after another
(`ElementStreams`); the generators have another state for each element.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime.ir.op import find
from runtime.tracing.eager_values import unwrap_all
from runtime.tracing.tensor import Tensor


@dataclass
class RandomStreams:
    """The handles of the states of generators, by identity."""

    handles: dict[int, Tensor] = field(default_factory=dict)

    def add(self, handle: Tensor) -> None:
        """Remembers the handle of a generator's state."""
        self.handles[id(handle)] = handle

    def __contains__(self, handle: object) -> bool:
        return id(handle) in self.handles


@dataclass
class _ElementStream:
    """A generator in a loop over elements: its states, and the element that has set it last."""

    variable: Any
    states: np.ndarray
    after: np.ndarray
    last: int | None = None


class ElementStreams:
    """The loops over the elements of batches that are running, innermost last."""

    def __init__(self) -> None:
        self._loops: list[tuple[int, list[int], dict[int, _ElementStream]]] = []

    @contextmanager
    def elements(self, size: int) -> Iterator[Iterator[int]]:
        """A loop over elements; when it ends, the generators are one call further."""
        current, streams = [0], dict[int, _ElementStream]()
        self._loops.append((size, current, streams))
        try:
            yield self._counted(size, current)
        finally:
            self._loops.pop()
            for stream in streams.values():
                stream.variable.assign(stream.after)

    @staticmethod
    def _counted(size, current):
        for i in range(size):
            current[0] = i
            yield i

    def enter(self, variable: Any) -> None:
        """Gives a generator the state of the current element, before its first draw for it."""
        for size, (current,), streams in self._loops:
            if id(variable) not in streams:
                state = np.asarray(unwrap_all(variable._read()))
                states, after = find("split_state")(state, count=size), find("advanced")(state)
                streams[id(variable)] = _ElementStream(variable, states, after)
            stream = streams[id(variable)]
            if stream.last != current:
                stream.last = current
                variable.assign(stream.states[current])
