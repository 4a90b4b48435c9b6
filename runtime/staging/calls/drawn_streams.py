"""Random streams that other code has made: each run draws from them, in the order of the program.

random.seed(3)                     each run starts the stream again
random.choice(words)               a call of each run, whose result only the run has
state = rng.get_state()            each run reads the state
random.shuffle(deck)               shuffled while the graph is being built, and again at each call,
                                   unless the run draws before: then each run draws the places

The state of a generator of NumPy is also an attribute, which code reads and sets while the graph is
being built: such a function is refused if it draws from the generator.
"""

from typing import Any

import numpy as np

from runtime.errors import GeneratorError, staging_error
from runtime.ir.types import OBJECT
from runtime.staging.calls.call_results import DRAWS
from runtime.staging.calls.host_calls import record_host_call
from runtime.staging.calls.outside_answers import comparable
from runtime.tracing import trace


class DrawnStreams:
    """The streams from which each run draws, before the code that is being recorded."""

    def __init__(self) -> None:
        self.happen = False
        self.read: list[Any] = []  # generators of NumPy whose state code may read or set
        self._drawn: dict[int, Any] = {}  # by identity

    def add(self, generator: Any = None) -> None:
        """Notes a draw from a generator; None for the shared one of a module."""
        self.happen = True
        self._drawn[id(generator)] = generator

    def compare(self) -> None:
        """Raises `StagingError` if each run draws from a generator whose state code may read or set
        by attributes: it would do so while the graph is being built."""
        streams = [getattr(one, "bit_generator", one) for one in self.read]
        for generator in self._drawn.values():
            bits = getattr(generator, "bit_generator", None)
            if bits is not None and any(bits is one for one in streams):
                raise staging_error(
                    "the function uses the state of a random generator, and draws numbers from it",
                    "Each run draws the numbers, but attributes are read and set once, while the "
                    "graph is being built.",
                    "Save and restore the state outside of the function, or draw from a generator "
                    "that the function makes.",
                    GeneratorError,
                )


def state_of(generator: Any) -> str:
    """The state of a random generator of NumPy."""
    if isinstance(generator, np.random.RandomState):
        return str(comparable(generator.get_state(legacy=False)))
    bits = getattr(generator, "bit_generator", generator)
    return str(comparable(bits.state))


def draw(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """The result of a function of a stream, which each run calls."""
    owner = getattr(function, "__self__", None)
    trace.current().state(DrawnStreams).add(owner)
    types = DRAWS.get(function.__name__, (OBJECT,))
    result = record_host_call(function, args, kwargs, types or (OBJECT,))
    return result if types else None
