"""Random functions with staged control flow do as graphs what Python does with them, or are refused.

What is compared: the result, bit for bit, with types and shapes; what is printed; the exception; what
the arguments are afterwards.  A program that differs is made smaller before it is shown.
"""

import itertools
import random
import time
import warnings

import numpy as np
import pytest
from random_programs import load
from random_staged import PRELUDE, Writer, arguments
from reduce import smaller
from test_programs import check_same, is_container, outcome, same_but_wider, same_exactly

import runtime as rt


def same_bits(a, b):
    """Whether two values are of the same types and have the same bits, -0.0 being not 0.0."""
    if isinstance(a, (np.ndarray, np.generic)) and same_exactly(a, b):
        return a.tobytes() == b.tobytes()
    if is_container(a) and type(a) is type(b):
        return len(a) == len(b) and all(map(same_bits, a, b))
    return same_exactly(a, b)


def difference(source, mixed):
    """How the graph of a program differs: None, 'refused', or what is seen on either side."""
    fn = load(source, f"<program {hash(source)}>").f
    staged = rt.function(fn)
    for given in arguments():
        wanted = outcome(fn, given)
        got = outcome(staged, given)
        if isinstance(got.error, rt.StagingError):
            return "refused"
        try:
            check_same(got, wanted, same_but_wider if mixed else same_bits)
        except Exception:
            return f"with {given}\nPython: {wanted}\ngraph:  {got}"
    return None


def smallest(source, mixed, seconds=60):
    """The smallest program found that still differs, with what it does either way."""
    limit = time.monotonic() + seconds

    def differs(text):
        if "def f(" not in text or time.monotonic() > limit:
            return False
        return difference(f"{PRELUDE}\n\n{text}\n", mixed) not in (None, "refused")

    text = smaller(source.removeprefix(PRELUDE), differs)
    return f"{text}\n\n{difference(f'{PRELUDE}{chr(10) * 2}{text}{chr(10)}', mixed)}"


def refusals(seeds, mixed):
    """How many of the programs are refused; fails where one differs."""
    refused = 0
    for seed in seeds:
        source = Writer(random.Random(seed), mixed).module()
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            match difference(source, mixed):
                case None:
                    pass
                case "refused":
                    refused += 1
                case _:
                    pytest.fail(f"seed {seed}\n{smallest(source, mixed)}")
    return refused
