"""How many random examples a test tries: all of them, or a twentieth with `--fast`."""

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

FRACTION = 0.05
is_fast = False  # set by conftest.py before tests are collected


def examples(number: int) -> int:
    """The number of examples to try, of `number` in the whole suite."""
    return max(1, round(number * FRACTION)) if is_fast else number


def random_seeds(number: int):
    """A decorator: the test runs with so many seeds, the same ones in every run.

    A seed cannot be made smaller, only the program that is made from it.
    """
    return lambda test: settings(
        max_examples=examples(number),
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )(given(seed=st.integers(0, 2**32))(test))
