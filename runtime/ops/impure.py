"""Impure calls: functions whose results differ from run to run, such as random numbers and clocks.

    np.random.normal(0.0, scale)     ask(scale, function='numpy.random.normal', ...)
    time.perf_counter()              ask(function='time.perf_counter', ...)
    rng.integers(10, size=3)         ask(function='integers', given=(10,), ..., generator=rng)

A generator that each run makes is the first operand, and `kind` is the name of its class:

    rng = np.random.default_rng(n)   rng: object = host_call(n, function=host('default_rng'), ...)
    rng.integers(10)                 ask(rng, function='integers', given=(10,), kind='Generator')

A list is shuffled by the places that its elements get:

    rng.shuffle(deck)                v: i64[52] = ask(function='shuffle', given=(52,), ...)

Each call is an effect: it runs every time the program reaches it, in order, even if its result is
unused, since it advances a random stream.

Results are constants for gradients, unless an argument depends on a differentiated value: such a
call has no derivative.
"""

import random
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from runtime.ir.derivative import NoDerivative
from runtime.ir.op import Op
from runtime.ir.slot import Slot, fill_slots
from runtime.ir.traits import Effect, Traits
from runtime.ops.answers import noted, noting
from runtime.ops.examples import call
from runtime.ops.sampling import results

# Functions that change a stream and return nothing.
SILENT = {"seed"}

# The generators of the functions of modules.
SHARED: dict[str, Any] = {
    "numpy.random": np.random.rand.__self__,  # type: ignore[attr-defined]
    "random": random.seed.__self__,
}
# The classes of generators that a run may make, by name.
KINDS: dict[str, type] = {
    kind.__name__: kind for kind in (np.random.Generator, np.random.RandomState, random.Random)
}
CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")
CLOCKS = (*CLOCKS, *(f"{name}_ns" for name in CLOCKS))

# The functions by their dotted names, as the modules define them: a program that has replaced
# `random.random` by a function of its own calls that one, which is another call.
FUNCTIONS: dict[str, Callable] = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module, names in (
        (random, dir(random.Random)),
        (np.random, dir(np.random.RandomState)),
        (time, CLOCKS),
    )
    for name in names
    if not name.startswith("_") and hasattr(module, name)
}


def asked(function: str, generator: Any) -> Callable:
    """The function to call: a method of a generator, or a function with a dotted name.

    Raises `ValueError` for a name of anything else: the name may come from the text of a graph.
    """
    if generator is not None and not function.startswith("_"):
        found = getattr(type(generator), function).__get__(generator)
    elif function in FUNCTIONS:
        found = FUNCTIONS[function]
    else:
        raise ValueError(f"{function!r} is neither a clock nor a function that draws numbers")
    return _placing(found) if function.endswith("shuffle") else found


def _placing(function: Callable) -> Callable[[Any], np.ndarray]:
    """A function that returns the places which the elements of a list get."""

    def shuffle(size: Any) -> np.ndarray:
        order = list(range(size))
        function(order)
        places = np.empty(len(order), np.int64)
        places[order] = range(len(order))
        return places

    return shuffle


@cache
def rehearsed(function: str, kind: type | None) -> Callable:
    """A function with the same result types that changes no stream of the user's program.

    `kind` is the class of the generator.
    """
    module, _, name = function.rpartition(".")
    if kind is None and module in SHARED:
        kind = type(SHARED[module])
    if kind is None:
        return asked(function, None)
    base = next(known for known in KINDS.values() if issubclass(kind, known))
    return asked(name, np.random.default_rng(0) if base is np.random.Generator else base(0))


def _rule(*types, function, given=(), named=(), generator=None, kind=None):
    if function.rpartition(".")[2] in SILENT:
        return ()
    made = KINDS[kind] if kind is not None else None
    if made is not None:
        types = types[1:]
    rehearsal = rehearsed(function, made if generator is None else type(generator))
    found = results(rehearsal, False, types, given, named)
    if found.structure.kind is not None:
        raise TypeError(f"{function} returns several values at once, which graphs do not support")
    return found.types


def _evaluate(xp, operands, attributes):
    return caller(attributes)(*operands)


def caller(attributes: dict[str, Any]) -> Callable[..., Any]:
    """A function of the operands, which calls the impure function that attributes name."""
    name, generator = attributes["function"], attributes.get("generator")
    given, named = attributes.get("given") or (), attributes.get("named") or ()
    if attributes.get("kind") is not None:
        return lambda generator, *operands: _call(asked(name, generator), given, named, operands)
    function = asked(name, generator)
    takes_operands = given == tuple(map(Slot, range(len(given))))
    if named or not takes_operands and any(map(_has_slots, given)):
        return lambda *operands: _call(function, given, named, operands)

    def draw(*operands: Any) -> Any:
        answers = noting()
        arguments = operands if takes_operands else given
        if answers is None:
            return function(*arguments)
        return answers.noted(function, lambda: function(*arguments), True)

    return draw


def _call(function: Callable, given: tuple, named: tuple, operands: Sequence[Any]) -> Any:
    options = {name: fill_slots(part, operands) for name, part in named}
    arguments = fill_slots(given, operands)
    return noted(function, lambda: function(*arguments, **options))


def _has_slots(part: Any) -> bool:
    return isinstance(part, (Slot, tuple, slice))


ask = Op(
    "ask",
    "Calls an impure function: a method of `generator`, or a function with a dotted name.",
    _rule,
    _evaluate,
    arity=None,
    traits=Traits(effect=Effect.EXTERNAL),
    derivative=NoDerivative(
        "A drawn number is not a differentiable function of the generator's arguments.",
        "Draw from a fixed distribution and transform: mean + spread * rng.normal(size=3).",
    ),
    examples=lambda: [call(function="time.perf_counter")],
)
