"""Programs with several arguments each, run by every engine and compared in all that shows.

@CASES.program((x,), (x[:0],))
def ordered(x): ...

check_with_engine(CASES["ordered"], "native")
"""

from collections.abc import Callable
from dataclasses import dataclass

from outcomes import check_same, same_exactly
from strict_runs import seen

import runtime as rt


@dataclass
class Case:
    """A function, and the arguments of several calls, of which some are refused or none."""

    function: Callable
    calls: tuple
    refused: bool = False


class Cases(dict[str, Case]):
    """Programs by name."""

    def program(self, *calls, refused=False):
        """Adds a function that is called with several arguments; a decorator.

        A call with one argument may be given by that argument.
        """
        calls = tuple(one if type(one) is tuple else (one,) for one in calls)

        def add(function):
            assert function.__name__ not in self
            self[function.__name__] = Case(function, calls, refused)
            return function

        return add


def in_handler(function: Callable) -> Callable:
    """The function, called while an exception is handled, which is the context of its own."""

    def call(*args):
        try:
            raise LookupError("handled")
        except LookupError:
            return function(*args)

    return call


def check_with_engine(case: Case, engine: str, called: Callable = lambda function: function):
    """Compares two runs of each call with plain Python, warnings too, if it is not refused.

    Both functions are called by `called(function)`.  Fails if calls are refused that should not be,
    and if none is that should be.
    """
    staged, refused = called(rt.function(case.function, engine=engine)), 0
    for arguments in case.calls:
        wanted, expected = seen(called(case.function), arguments)
        for _ in range(2):
            found, told = seen(staged, arguments)
            if case.refused and isinstance(found.error, rt.StagingError):
                refused += 1
                continue
            try:
                check_same(found, wanted, same_exactly)
                assert told <= expected, f"warnings {told}, in Python {expected}"
            except Exception as error:
                error.add_note(f"{case.function.__name__}{arguments}")
                raise
    assert (refused > 0) == case.refused
