"""Random generators of Python and NumPy, and runs that begin with the same states of all of them.

seen(f, 10) == seen(rt.function(f), 10)       also the states after the runs
"""

import random

import numpy as np

PYTHON, MERSENNE = random.Random(5), np.random.Generator(np.random.MT19937(5))
LEGACY, PERMUTED = np.random.RandomState(5), np.random.default_rng(5)
STREAMS = [random, PYTHON, np.random.mtrand._rand, LEGACY, PERMUTED, MERSENNE]


def state(stream):
    if isinstance(stream, np.random.RandomState):
        return stream.get_state()
    return stream.bit_generator.state if hasattr(stream, "bit_generator") else stream.getstate()


def restore(stream, known):
    if isinstance(stream, np.random.RandomState):
        stream.set_state(known)
    elif hasattr(stream, "bit_generator"):
        stream.bit_generator.state = known
    else:
        stream.setstate(known)


STARTS = [state(stream) for stream in STREAMS]


def sums(n):
    """A program that draws from the generator of `random`."""
    total = 0.0
    for _ in range(n):
        total += random.random()
    return total


def sums_of_numpy(n):
    """A program that draws from one of NumPy."""
    total = 0.0
    for _ in range(n):
        total += PERMUTED.random()
    return total


def seen(function, *args, calls=3):
    """The results of some calls from the same states on, and the states after them."""
    for stream, known in zip(STREAMS, STARTS, strict=True):
        restore(stream, known)
    results = []
    for _ in range(calls):
        try:
            results.append(repr(function(*args)))
        except (ArithmeticError, ValueError, IndexError, RuntimeWarning) as error:
            results.append(f"{type(error).__name__}: {error}")
    return results, repr([state(stream) for stream in STREAMS])


def is_native(function):
    shown = function.native()
    return "native_1(" in shown and "    loop (" not in shown
