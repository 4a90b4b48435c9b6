"""Random generators that the traced function creates itself: each call of it starts their streams.

    rng = np.random.default_rng(3)      made now: as long as each run would draw the same numbers,
    w = rng.normal(size=(4, 4))         they are drawn while the graph is being built

    if x > limit:                       whether the next number is drawn depends on the run, so the
        x = x + rng.normal()            function is recorded again (`function/recorded_again.py`)

In the second recording each run makes the generator, and draws from it:

    rng: object = host_call(function=host('default_rng'), given=(3,), types=(object,))
    ask(rng, function='normal', kind='Generator')

So it is for a seed that only the run knows, and without a seed.  A generator that other code has
made is none of these: each run continues its stream.
"""

import copy
import random
from functools import partial, wraps
from typing import Any

import numpy as np

from runtime.errors import GeneratorError, staging_error
from runtime.ops.impure import KINDS, SHARED, SILENT
from runtime.staging.calls.drawn_streams import draw
from runtime.staging.calls.host_values import HostValue
from runtime.staging.calls.impure import (
    NO_NUMBERS,
    STANDARD,
    draw_of_run,
    impure_call,
)
from runtime.staging.calls.iterables import known_items
from runtime.staging.calls.list_draws import choosing, shuffling
from runtime.staging.calls.made_objects import MadeObjects
from runtime.staging.calls.registry import register_call
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing import trace
from runtime.tracing.numpy_api.foreign_calls import BEFORE_OUTSIDE_WRITE
from runtime.tracing.read_as_array import numbers_of
from runtime.tracing.tensor import is_staged

GENERATORS = (np.random.Generator, np.random.RandomState)
# The classes of objects that hold the position in a stream.
STREAMS = (*GENERATORS, np.random.BitGenerator, np.random.SeedSequence, random.Random)


def generator_call(method: Any, generator: Any) -> Any:
    """The replacement of a method of a random generator of NumPy while tracing."""
    name = method.__name__
    made = trace.current().state(MadeObjects)
    if made.is_made(generator):
        return partial(_draw_while_tracing, method, generator)
    made.note_used(generator, "draws numbers in each run")
    if name == "shuffle":
        return shuffling(*(impure_call(one, generator) for one in ("permutation", name)))
    if name in NO_NUMBERS:
        return partial(draw, method)
    return impure_call(name, generator)


def _draw_while_tracing(method, generator, /, *args, **kwargs):
    """Numbers of a generator that the function itself has created, from a known seed: each run
    would draw the same numbers."""
    recorder = trace.current()
    args = tuple(map(numbers_of, args))
    if recorder.depends_on_run or is_staged([*args, *kwargs.values()]):
        recorder.state(MadeObjects).want_own(generator)
        raise staging_error(
            "a random generator that the function creates is used where it depends on the run",
            "The position in its stream would depend on the run, and every run restarts it.",
            "Create the generator outside of the function; graphs draw from it in every run.",
            GeneratorError,
        )
    if method.__name__ != "shuffle":
        args = tuple(known_items(one) if type(one) is TraceList else one for one in args)
    found = method(*args, **kwargs)
    note_streams(recorder, found, args)
    return found


def _want_streams() -> None:
    """Lets each run draw the numbers: a staged value is written into an array, which may have been
    computed from drawn ones."""
    recorder = trace.current()
    if recorder is not None:
        recorder.state(MadeObjects).want_kinds(STREAMS)


BEFORE_OUTSIDE_WRITE.append(_want_streams)


def note_streams(recorder: Any, made: Any, args: tuple) -> None:
    """Notes the streams that a call has made: its result, or elements of it."""
    for one in made if type(made) in (list, tuple) else (made,):
        is_new = isinstance(one, STREAMS) and one is not SHARED["numpy.random"]
        if is_new and not any(one is value for value in args):
            recorder.state(MadeObjects).note_own(one)


def _constructor(maker: Any) -> Any:
    """The replacement of a function that makes a stream: it may need a value of the run."""

    @wraps(maker, updated=())
    def make(*args, **kwargs):
        recorder, seeds = trace.current(), (*args, *kwargs.values())
        is_copy = bool(seeds) and isinstance(seeds[0], STREAMS)
        if (is_staged(seeds) or not seeds or seeds[0] is None or recorder.depends_on_run) and (
            not is_copy
        ):
            recorder.state(MadeObjects).want_this()
            raise staging_error(
                f"{maker.__name__} is called with {'a staged' if is_staged(seeds) else 'no'} seed, "
                "or in a staged branch or loop",
                "A graph cannot create a generator in every run.",
                "Create the generator outside of the function; graphs draw from it in every run.",
                GeneratorError,
            )
        made = maker(*args, **kwargs)
        note_streams(recorder, made, args)
        return made

    return make


MAKERS = {
    np.random.default_rng: np.random.Generator,
    np.random.Generator: np.random.Generator,
    np.random.RandomState: np.random.RandomState,
    random.Random: random.Random,
    **{
        kind: None
        for kind in vars(np.random).values()
        if isinstance(kind, type)
        and issubclass(kind, (np.random.BitGenerator, np.random.SeedSequence))
    },
}
for _maker in MAKERS:
    register_call(_maker, _constructor(_maker))


def _deepcopy(value: Any, memo: Any = None) -> Any:
    """The replacement of `copy.deepcopy`: it may copy streams, in objects that hold some."""
    memo = {} if memo is None else memo
    made = copy.deepcopy(value, memo)
    note_streams(trace.current(), list(memo.values()), ())
    return made


register_call(copy.deepcopy, _deepcopy)


# -- generators of runs ----------------------------------------------------------------------------


class GeneratorOfRun(HostValue):
    """The handle of a generator that each run makes: the numbers that it draws have types."""

    __slots__ = ()
    kind: type

    def __getattribute__(self, name: str) -> Any:
        kind = object.__getattribute__(self, "kind")
        if name == "shuffle":
            drawn = partial(draw_of_run, generator=self, kind=kind.__name__)
            is_of_arrays = kind is not random.Random
            return shuffling(drawn("permutation") if is_of_arrays else None, drawn(name))
        if name == "choice" and kind is random.Random:
            return choosing(draw_of_run("randrange", self, kind.__name__), partial(_choice, self))
        if _draws(kind, name):
            return draw_of_run(name, self, kind.__name__)
        return super().__getattribute__(name)


def _choice(generator: GeneratorOfRun, *args: Any, **kwargs: Any) -> Any:
    """A choice among objects that are no numbers, which each run makes."""
    return HostValue.__getattr__(generator, "choice")(*args, **kwargs)


def _draws(kind: type, name: str) -> bool:
    """Whether a method draws numbers, or starts the stream again."""
    if kind is random.Random:
        return name in STANDARD.split()
    if name.startswith("_") or name in NO_NUMBERS:
        return False
    return name in SILENT or callable(getattr(kind, name, None))


_HANDLES = {
    kind: type(f"{name}OfRun", (GeneratorOfRun,), {"__slots__": (), "kind": kind})
    for name, kind in KINDS.items()
}


def made_in_run(function: Any, value: Any) -> Any:
    """The result of a call that each run makes: the handle of a generator, if it makes one."""
    is_maker = any(function is maker for maker in MAKERS)
    kind = MAKERS[function] if is_maker and isinstance(value, HostValue) else None
    return value if kind is None else _HANDLES[kind](*value._origin)
