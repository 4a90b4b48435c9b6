"""What a graph asks of the world around it, at every run anew: random numbers, the time.

    np.random.normal(0.0, scale)     ask(scale, function='numpy.random.normal', ...)
    time.perf_counter()              ask(function='time.perf_counter', ...)
    rng.integers(10, size=3)         ask(function='integers', given=(10,), ..., generator=rng)

Each is an effect: it happens once for every time that the program gets there, in order, also where
nobody uses the number, since a stream of random numbers moves on.
Gradients take what was given for a constant, whatever it was drawn from.
"""

import random
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from runtime.ir.derivative import NoDerivative
from runtime.ir.op import Op
from runtime.ir.slot import filled
from runtime.ir.traits import Effect, Traits
from runtime.ops.sampling import results

# Functions that change a stream and give nothing.
SILENT = {"seed"}


def asked(function: str, generator: Any) -> Callable:
    """The function that is called: a method of a generator, or one by its dotted name."""
    if generator is not None:
        return getattr(generator, function)
    module, _, name = function.rpartition(".")
    return getattr(sys.modules[module], name)


@cache
def rehearsed(function: str, kind: type | None) -> Callable:
    """A function that gives the same kind of thing, and leaves every stream as it is; `kind` is
    that of the generator."""
    module, _, name = function.rpartition(".")
    if kind is np.random.Generator:
        return getattr(np.random.default_rng(0), name)
    if kind is not None or module == "numpy.random":
        return getattr(np.random.RandomState(0), name)
    return getattr(random.Random(0), name) if module == "random" else asked(function, None)


def _rule(*types, function, given=(), named=(), generator=None):
    if function.rpartition(".")[2] in SILENT:
        return ()
    rehearsal = rehearsed(function, None if generator is None else type(generator))
    found = results(rehearsal, False, types, given, named)
    if found.structure.kind is not None:
        raise TypeError(f"{function} gives several things at once, which graphs do not ask for")
    return found.types


def _evaluate(xp, operands, attributes):
    function = asked(attributes["function"], attributes.get("generator"))
    named = {name: filled(part, operands) for name, part in attributes.get("named", ())}
    return function(*filled(attributes.get("given", ()), operands), **named)


ask = Op(
    "ask",
    "What a function that is another at every run gives: of `generator`, or by its dotted name.",
    _rule,
    _evaluate,
    arity=None,
    traits=Traits(effect=Effect.EXTERNAL),
    derivative=NoDerivative(
        "What is drawn depends on what the generator is given in many ways, by jumps as well.",
        "Draw from a fixed distribution, and compute: mean + spread * rng.normal(size=3).",
    ),
)
