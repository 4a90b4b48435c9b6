"""Impure calls: random numbers, clocks, file reads.

    np.random.rand(3), rng.normal(size=n), random.random(), time.time()      an op: each run calls
    rng.shuffle(x)                                                           an op, and x is written
    open(path), np.load(path), datetime.now()                                a warning: runs once

A generator that the function itself creates would continue from run to run.  It is used while
tracing if each run would draw the same numbers, and refused otherwise.
"""

import builtins
import datetime
import functools
import os
import random
import time
import uuid
import warnings
from typing import Any

import numpy as np

from runtime.errors import GeneratorError, staging_error, unsupported, users_location
from runtime.ir.op import find
from runtime.staging.calls.iteration import StagedRange
from runtime.staging.calls.registry import register_call, replacement
from runtime.tracing import trace
from runtime.tracing.numpy_api.foreign_calls import template
from runtime.tracing.tensor import Tensor, apply, is_staged

GENERATORS = (np.random.Generator, np.random.RandomState)

# Methods of generators that draw no numbers, or values that graphs do not support.
NO_NUMBERS = {"bytes", "spawn", "get_state", "set_state", "bit_generator", "tomaxint"}

CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")
STANDARD = (
    "random uniform triangular randint randrange gauss normalvariate expovariate betavariate "
    "gammavariate lognormvariate vonmisesvariate paretovariate weibullvariate getrandbits seed"
)


def impure_call(function: str, generator: Any = None):
    """The replacement of a function that returns another value in each run."""
    name = function.rpartition(".")[2]

    def ask(*args, **kwargs):
        args = tuple(map(_with_numbers, args))
        operands, given, named = template(name, args, kwargs)
        options = {} if generator is None else {"generator": generator}
        op = find("ask")
        return apply(op, *operands, function=function, given=given, named=named, **options)

    return ask


def _with_numbers(value):
    """An argument, or the numbers of a range as an array: `np.random.choice(range(n))`."""
    if not isinstance(value, (range, StagedRange)):
        return value
    return replacement(np.arange)(value.start, value.stop, value.step)


def _shuffling(function, generator=None):
    """The replacement of `shuffle`: the array gets a permutation of itself as its new value."""

    def shuffle(x, *args, **kwargs):
        if not isinstance(x, Tensor):
            raise staging_error(
                "shuffle is called with an object that is not staged",
                "It would be shuffled once, while the graph is being built.",
                "Shuffle an array that is an argument, or that the function creates.",
                GeneratorError,
            )
        x._assign(impure_call(function, generator)(x, *args, **kwargs))

    return shuffle


# -- generators ------------------------------------------------------------------------------------


class NewGenerators(list[Any]):
    """The random generators that the traced function creates itself."""


def generator_call(method: Any, generator: Any) -> Any:
    """The replacement of a method of a random generator while tracing."""
    name, made = method.__name__, trace.current().state(NewGenerators)
    if any(generator is one for one in made):
        return functools.partial(_draw_while_tracing, method)
    if name == "shuffle":
        return _shuffling("permutation", generator)
    if name in NO_NUMBERS:
        raise unsupported(f"the method {name!r} of a random generator")
    return impure_call(name, generator)


def _draw_while_tracing(method, *args, **kwargs):
    """Numbers of a generator that the function itself has created, from a known seed: each run
    would draw the same numbers."""
    if trace.current().depends_on_run or is_staged([*args, *kwargs.values()]):
        raise staging_error(
            "a random generator that the function creates is used where it depends on the run",
            "The position in its stream would depend on the run, and every run restarts it.",
            "Create the generator outside of the function; graphs draw from it in every run.",
            GeneratorError,
        )
    return method(*args, **kwargs)


def _generator_constructor(maker):
    """The replacement of `np.random.default_rng` and `np.random.RandomState`."""

    @functools.wraps(maker, updated=())
    def make(seed=None, *args, **kwargs):
        if isinstance(seed, GENERATORS):
            return seed
        if isinstance(seed, Tensor) or seed is None or trace.current().depends_on_run:
            raise staging_error(
                f"{maker.__name__} is called with {'no' if seed is None else 'a staged'} seed, or "
                "in a staged branch or loop",
                "A graph cannot create a generator in every run.",
                "Create the generator outside of the function; graphs draw from it in every run.",
                GeneratorError,
            )
        made = maker(seed, *args, **kwargs)
        trace.current().state(NewGenerators).append(made)
        return made

    return make


for _maker in (np.random.default_rng, np.random.RandomState):
    register_call(_maker, _generator_constructor(_maker))


# -- functions -------------------------------------------------------------------------------------

_SHARED = np.random.rand.__self__  # the generator of the functions of np.random

for _name in dir(np.random):
    _function = getattr(np.random, _name)
    if getattr(_function, "__self__", None) is not _SHARED or _name in NO_NUMBERS:
        continue
    if _name == "shuffle":
        register_call(_function, _shuffling("numpy.random.permutation"))
    else:
        register_call(_function, impure_call(f"numpy.random.{_name}"))
register_call(np.random.seed, impure_call("numpy.random.seed"))

for _name in STANDARD.split():
    register_call(getattr(random, _name), impure_call(f"random.{_name}"))
for _name in CLOCKS:
    register_call(getattr(time, _name), impure_call(f"time.{_name}"))
    register_call(getattr(time, f"{_name}_ns"), impure_call(f"time.{_name}_ns"))


# -- functions that run once, while tracing --------------------------------------------------------


def _warning_call(function):
    """The replacement of a function that runs once, while tracing; it warns."""
    name = getattr(function, "__qualname__", function.__name__)

    @functools.wraps(function, updated=())
    def call(*args, **kwargs):
        place = users_location()
        if place is not None:
            text = (
                f"{name} runs once, while the graph is being built; its result is part of the "
                "graph.  Call it outside of the function, and pass the result."
            )
            warnings.warn_explicit(text, trace.TracingWarning, place.filename, place.lineno)
        return function(*args, **kwargs)

    return call


# In staged blocks each run calls them (`gate.py`).
RUN_ONCE = (
    builtins.open,
    builtins.input,
    np.load,
    np.loadtxt,
    np.genfromtxt,
    np.fromfile,
    datetime.datetime.now,
    datetime.datetime.utcnow,
    datetime.date.today,
    os.urandom,
    uuid.uuid4,
)
for _function in RUN_ONCE:
    register_call(_function, _warning_call(_function))
