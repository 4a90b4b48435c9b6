"""Random programs of which everything that a run shows is compared are exact, or are refused.

exits        loops that exceptions, jumps and context managers leave
numbers      arithmetic of mixed dtypes, views, casts, and `out=`
rebinding    tuples, objects and nested containers that loops bind again
texts        strings and bytes, with numbers and conditions of the run
trees        dicts, lists and objects that are mapped, merged and replaced
yields       generators, and functions that consume them
"""

import random

import pytest
import random_exits
import random_numbers
import random_rebinding
import random_texts
import random_trees
import random_yields
import strict_runs
from budget import examples

GENERATORS = {
    "exits": random_exits,
    "numbers": random_numbers,
    "rebinding": random_rebinding,
    "texts": random_texts,
    "trees": random_trees,
    "yields": random_yields,
}
ENGINES = ["native", "numpy"]
EXAMPLES = examples(16)
MOST_REFUSED = {  # of 16
    **{"exits": 0, "numbers": 0, "rebinding": 3},
    **{"texts": 3, "trees": 8, "yields": 6},
}


def is_refused(kind, seed):
    """Whether a program is refused; fails if it differs from Python."""
    generator = GENERATORS[kind]
    source = generator.Writer(random.Random(seed)).module()
    return strict_runs.is_refused(
        source, f"<{kind} {seed}>", generator.arguments(), ENGINES[seed % 2]
    )


@pytest.mark.parametrize("kind", GENERATORS)
def test_programs_are_exact_and_few_are_refused(kind):
    assert sum(is_refused(kind, seed) for seed in range(EXAMPLES)) <= MOST_REFUSED[kind]


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(1000, 2000, 50))
@pytest.mark.parametrize("kind", GENERATORS)
def test_more_programs_are_exact_or_refused(kind, first):
    for seed in range(first, first + 50):
        is_refused(kind, seed)


# A context manager that raises another exception; an int8 that is stored as a uint8; a cast of a
# number of which the run decides the type; casts of complex numbers that warn for their line.
@pytest.mark.parametrize(
    "kind, seed",
    [("exits", 1041), ("numbers", 1525), ("numbers", 1973), ("numbers", 1148), ("numbers", 1990)],
)
def test_programs_that_once_differed(kind, seed):
    is_refused(kind, seed)
