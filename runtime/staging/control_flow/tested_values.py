"""Values that the test of a loop keeps from being None in its body.

    while k is not None:          `k` may be None where the loop ends, but not in an iteration:
        path.append(a[k])         the test before each of them says so
        k = previous[k]

The body is recorded with this assumption if the test before the loop implies it.  It is true for
all iterations if the test at the end of an iteration implies it for the values that the iteration
leaves.  If that is not so, the body is recorded again without the assumption.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from autograph.staging.mutations import MutableLocation
from runtime.ir.graph import Operand, Value
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing import trace
from runtime.tracing.known_truth import KnownTest, known_test
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.tensor import Tensor, staged


class TestedValues:
    """The variables of a loop that are assumed not to be None in its body."""

    def __init__(self) -> None:
        self.is_allowed = True
        self.predicate: Any = None  # the test before the loop
        self.locations: list[MutableLocation] = []

    @contextmanager
    def assumed(self, values: dict[MutableLocation, Any], inputs: list[Value]) -> Iterator[None]:
        """While it is open, the body is recorded, whose inputs are in the values of locations."""
        self.locations = []
        with ExitStack() as stack:
            for location, value in values.items():
                flag = _flag(value)
                is_input = any(flag is one for one in inputs)
                if is_input and self.is_allowed and _is_there(location.before, self.predicate):
                    self.locations.append(location)
                    stack.enter_context(known_test(flag, False))
            yield

    def are_confirmed(self, ends: dict[MutableLocation, Any], more: Any) -> bool:
        """Whether the values of these locations at the end of an iteration are not None if the loop
        continues; else nothing is assumed any more.  The region of the body is open."""
        self.is_allowed = all(_is_there(value, more) for value in ends.values())
        return self.is_allowed


def _flag(value: Any) -> Operand:
    """Whether a value is None, as an operand; False if it cannot be."""
    if isinstance(value, (MaybeNone, MaybeNoneObject)):
        return staged(value.__is_none__)._value
    return value is None


def _is_there(value: Any, test: Any) -> bool:
    """Whether a value is not None if a test holds."""
    flag = _flag(value)
    if not isinstance(flag, Value):
        return flag is False
    if not isinstance(test, Tensor):
        return False
    recorder = trace.current()
    assert recorder is not None
    return KnownTest(staged(test)._value, True).implied(recorder).get(flag) is False
