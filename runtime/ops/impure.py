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
import sys
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

# The classes whose methods the functions of a module are, and the clocks.
STREAMS = {"numpy.random": np.random.RandomState, "random": random.Random}
# The classes of generators that a run may make, by name.
KINDS: dict[str, type] = {
    kind.__name__: kind for kind in (np.random.Generator, np.random.RandomState, random.Random)
}
CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")


def asked(function: str, generator: Any) -> Callable:
    """The function to call: a method of a generator, or a function with a dotted name.

    Raises `ValueError` for a name of anything else: the name may come from the text of a graph.
    """
    if generator is not None and not function.startswith("_"):
        return _drawing(generator, function)
    module, name = _module_and_name(function)
    return _drawing(sys.modules[module], name)


def _drawing(owner: Any, name: str) -> Callable:
    """A function of a generator or module; for `shuffle` one that returns the places of elements"""
    function = getattr(owner, name)
    if name != "shuffle":
        return function

    def shuffle(size: Any) -> np.ndarray:
        order = list(range(size))
        function(order)
        places = np.empty(len(order), np.int64)
        places[order] = range(len(order))
        return places

    return shuffle


@cache
def _module_and_name(function: str) -> tuple[str, str]:
    """The module and the name of a clock or of a function that draws numbers."""
    module, _, name = function.rpartition(".")
    is_clock = module == "time" and name.removesuffix("_ns") in CLOCKS
    is_drawn = not name.startswith("_") and hasattr(STREAMS.get(module), name)
    if not is_clock and not is_drawn:
        raise ValueError(f"{function!r} is neither a clock nor a function that draws numbers")
    return module, name


@cache
def rehearsed(function: str, kind: type | None) -> Callable:
    """A function with the same result types that changes no stream of the user's program.

    `kind` is the class of the generator.
    """
    module, _, name = function.rpartition(".")
    if kind is np.random.Generator:
        return _drawing(np.random.default_rng(0), name)
    if kind is random.Random or module == "random":
        return _drawing(random.Random(0), name)
    if kind is not None or module == "numpy.random":
        return _drawing(np.random.RandomState(0), name)
    return asked(function, None)


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
    """A function of the operands, which calls the impure function that attributes name.

    It looks the function up in each call, as the program does.
    """
    name, generator = attributes["function"], attributes.get("generator")
    given, named = attributes.get("given") or (), attributes.get("named") or ()
    if attributes.get("kind") is not None:
        return lambda generator, *operands: _call(asked(name, generator), given, named, operands)
    takes_operands = given == tuple(map(Slot, range(len(given))))
    is_known = takes_operands or not any(map(_has_slots, given))
    if named or not is_known or name.rpartition(".")[2] == "shuffle":
        return lambda *operands: _call(asked(name, generator), given, named, operands)
    owner = generator
    if generator is None:
        module, name = _module_and_name(name)
        owner = sys.modules[module]

    def draw(*operands: Any) -> Any:
        function, answers = getattr(owner, name), noting()
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
