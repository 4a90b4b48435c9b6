"""Impure calls: random numbers, clocks, file reads.

    np.random.rand(3), rng.normal(size=n), random.random(), time.time()      an op: each run calls
    rng.shuffle(x)                                                           an op, and x is written
    rng.bytes(3), np.random.get_state()                                      a call of each run
    open(path), np.load(path), datetime.now()                                a warning: runs once

Generators that the function itself creates are described in `made_generators.py`.
"""

import builtins
import datetime
import functools
import os
import random
import time
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ir.op import find
from runtime.ops.impure import SHARED, asked
from runtime.ops.sampling import NoResult
from runtime.staging.calls.drawn_streams import DrawnStreams, draw
from runtime.staging.calls.held_warnings import warn_of_recording
from runtime.staging.calls.host_values import HostValue
from runtime.staging.calls.list_draws import shuffling
from runtime.staging.calls.registry import register_call, replacement
from runtime.staging.calls.staged_range import StagedRange
from runtime.tracing import trace
from runtime.tracing.numpy_api.foreign_calls import template
from runtime.tracing.tensor import apply

# Methods of generators that draw no numbers, or values that graphs do not support.
NO_NUMBERS = {"bytes", "spawn", "get_state", "set_state", "tomaxint"}

CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")
STANDARD = (
    "random uniform triangular randint randrange gauss normalvariate expovariate betavariate "
    "gammavariate lognormvariate vonmisesvariate paretovariate weibullvariate getrandbits seed"
)


def impure_call(function: str, generator: Any = None) -> Callable[..., Any]:
    """The replacement of a function that returns another value in each run."""
    options = {} if generator is None else {"generator": generator}

    def ask(*args, **kwargs):
        if not function.startswith("time."):
            trace.current().state(DrawnStreams).add(generator)
        try:
            return _asked(function, args, kwargs, **options)
        except NoResult:  # a text
            return draw(asked(function, generator), *args, **kwargs)

    return ask


def draw_of_run(name: str, generator: HostValue, kind: str) -> Callable[..., Any]:
    """A method of a generator that each run makes; `kind` is the name of its class."""

    def ask(*args, **kwargs):
        try:
            return _asked(name, args, kwargs, generator, kind=kind)
        except NoResult:
            return HostValue.__getattr__(generator, name)(*args, **kwargs)

    return ask


def _asked(function: str, args: tuple, kwargs: dict, *generators: HostValue, **options: Any) -> Any:
    operands, given, named = template(
        function.rpartition(".")[2], tuple(map(_with_numbers, args)), kwargs
    )
    op = find("ask")
    return apply(op, *generators, *operands, function=function, given=given, named=named, **options)


def _with_numbers(value):
    """An argument, or the numbers of a range as an array: `np.random.choice(range(n))`."""
    if not isinstance(value, (range, StagedRange)):
        return value
    return replacement(np.arange)(value.start, value.stop, value.step)


# -- functions -------------------------------------------------------------------------------------

for _name in dir(np.random):
    _function = getattr(np.random, _name)
    if getattr(_function, "__self__", None) is not SHARED["numpy.random"]:
        continue
    if _name in NO_NUMBERS:
        register_call(_function, functools.partial(draw, _function))
    elif _name == "shuffle":
        places = impure_call("numpy.random.shuffle")
        register_call(_function, shuffling(impure_call("numpy.random.permutation"), places))
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
        warn_of_recording(
            f"{name} runs once, while the graph is being built; its result is part of the graph.  "
            "Call it outside of the function, and pass the result."
        )
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
