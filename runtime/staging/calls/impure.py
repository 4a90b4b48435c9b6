"""Calls whose result is another at every run: random numbers and the time become ops, and what is
read from files is known to be part of the graph.

    np.random.rand(3), rng.normal(size=n), random.random(), time.time()      ask
    rng.shuffle(x)                                                           ask, x stands for it
    open(path), np.load(path), datetime.now()                                a warning

A generator that is made while the graph is recorded would go on from run to run: it is asked at
once where every run would ask it for the same, and refused elsewhere.
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

from runtime.errors import staging_error, unsupported, users_location
from runtime.ir.op import find
from runtime.staging.calls.registry import register_call
from runtime.tracing import trace
from runtime.tracing.numpy_api.foreign_calls import template
from runtime.tracing.tensor import Tensor, apply, is_staged

GENERATORS = (np.random.Generator, np.random.RandomState)

# Methods of generators that draw no numbers, or nothing that a graph holds.
NO_NUMBERS = {"bytes", "spawn", "get_state", "set_state", "bit_generator", "tomaxint"}

CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")
STANDARD = (
    "random uniform triangular randint randrange gauss normalvariate expovariate betavariate "
    "gammavariate lognormvariate vonmisesvariate paretovariate weibullvariate getrandbits seed"
)


def asking(function: str, generator: Any = None):
    """What is called for a function that gives something else at every run."""
    name = function.rpartition(".")[2]

    def ask(*args, **kwargs):
        operands, given, named = template(name, args, kwargs)
        options = {} if generator is None else {"generator": generator}
        op = find("ask")
        return apply(op, *operands, function=function, given=given, named=named, **options)

    return ask


def _shuffling(function, generator=None):
    """What is called for `shuffle`: the array stands for what a permutation of it is."""

    def shuffle(x, *args, **kwargs):
        if not isinstance(x, Tensor):
            raise staging_error(
                "shuffle is called for something that is not staged",
                "It would be shuffled once, while the graph is recorded.",
                "Shuffle an array that is an argument, or that the function makes.",
            )
        x._assign(asking(function, generator)(x, *args, **kwargs))

    return shuffle


# -- generators ------------------------------------------------------------------------------------


class NewGenerators(list[Any]):
    """The random generators that the traced function creates itself."""


def drawing(method: Any, generator: Any) -> Any:
    """What is called for a method of a generator while a graph is recorded."""
    name, made = method.__name__, trace.current().state(NewGenerators)
    if any(generator is one for one in made):
        return functools.partial(_draw_now, method)
    if name == "shuffle":
        return _shuffling("permutation", generator)
    if name in NO_NUMBERS:
        raise unsupported(f"the method {name!r} of a random generator")
    return asking(name, generator)


def _draw_now(method, *args, **kwargs):
    """Numbers of a generator that the function itself has made, from a seed that is known: every
    run would draw the same."""
    if trace.current().is_staged_block or is_staged([*args, *kwargs.values()]):
        raise staging_error(
            "a random generator that is made in the function is used where it depends on the run",
            "How far its stream has got would depend on the run, and every run begins it anew.",
            "Make the generator outside of the function; graphs draw from it at every run.",
        )
    return method(*args, **kwargs)


def _making(maker):
    """What is called for `np.random.default_rng` and the like."""

    @functools.wraps(maker, updated=())
    def make(seed=None, *args, **kwargs):
        if isinstance(seed, GENERATORS):
            return seed
        if isinstance(seed, Tensor) or seed is None or trace.current().is_staged_block:
            raise staging_error(
                f"{maker.__name__} is called with {'no' if seed is None else 'a staged'} seed, or "
                "in a staged branch or loop",
                "A graph has no place for a generator that every run would make anew.",
                "Make the generator outside of the function; graphs draw from it at every run.",
            )
        made = maker(seed, *args, **kwargs)
        trace.current().state(NewGenerators).append(made)
        return made

    return make


for _maker in (np.random.default_rng, np.random.RandomState):
    register_call(_maker, _making(_maker))


# -- functions -------------------------------------------------------------------------------------

_SHARED = np.random.rand.__self__  # the generator behind the functions of np.random

for _name in dir(np.random):
    _function = getattr(np.random, _name)
    if getattr(_function, "__self__", None) is not _SHARED or _name in NO_NUMBERS:
        continue
    if _name == "shuffle":
        register_call(_function, _shuffling("numpy.random.permutation"))
    else:
        register_call(_function, asking(f"numpy.random.{_name}"))
register_call(np.random.seed, asking("numpy.random.seed"))

for _name in STANDARD.split():
    register_call(getattr(random, _name), asking(f"random.{_name}"))
for _name in CLOCKS:
    register_call(getattr(time, _name), asking(f"time.{_name}"))
    register_call(getattr(time, f"{_name}_ns"), asking(f"time.{_name}_ns"))


# -- what becomes part of the graph ----------------------------------------------------------------


def _warning_of(function):
    """What is called for a function that runs once, when the graph is recorded."""
    name = getattr(function, "__qualname__", function.__name__)

    @functools.wraps(function, updated=())
    def call(*args, **kwargs):
        place = users_location()
        if place is not None:
            text = (
                f"{name} runs once, while the graph is recorded; what it gives is part of the "
                "graph.  Call it outside of the function, and pass what it gives."
            )
            warnings.warn_explicit(text, trace.TracingWarning, place.filename, place.lineno)
        return function(*args, **kwargs)

    return call


for _function in (
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
):
    register_call(_function, _warning_of(_function))
