"""A `try` around operations that may raise when the graph runs.

    try:                                     the graph goes on as if nothing was raised;
        y = np.linalg.solve(a, b)            a run that raises LinAlgError is ended, and the
    except np.linalg.LinAlgError:            Python function computes the result of that call
        y = np.zeros(len(b))

So it is for the exceptions `LEFT_TO_PYTHON`, if a run has no effect that would be repeated.  All
others are refused; `autograph/staging/try_blocks.py` finds the handlers.  An operation that raises
in every run raises at once, where a handler is around it; one at a position that the trace knows to
exist does not raise.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from autograph.errors import HandledInRunError
from autograph.staging.protocol_exceptions import method_that_tells, refuse_telling
from autograph.staging.try_blocks import is_handled, refuse_in_try
from runtime.analyses.exceptions import may_raise
from runtime.errors import staging_error
from runtime.ir.graph import Graph, Node, operand_type
from runtime.ir.op import find
from runtime.ir.types import TensorType
from runtime.tracing import trace


class KnownPositions:
    """Whether the positions that code reads now are known to exist: those of a loop's elements."""

    def __init__(self) -> None:
        self.are_inside = False


@contextmanager
def inside() -> Iterator[None]:
    """While it is open, each element that is read exists."""
    recorder = trace.current()
    if recorder is None:
        yield
        return
    state = recorder.state(KnownPositions)
    before, state.are_inside = state.are_inside, True
    try:
        yield
    finally:
        state.are_inside = before


MOST_OFTEN = 100  # recordings of one line
LEFT_TO_PYTHON = (ArithmeticError, AssertionError, LookupError, TypeError, ValueError)


class HandledErrors:
    """The exceptions of runs that handlers of the recorded function would catch."""

    def __init__(self) -> None:
        self.are_allowed = False
        self.known: dict[type[Exception], Any] = {}  # each with the line that may raise it
        self.caught: tuple[type[Exception], ...] = ()  # those that handlers of the code would catch
        self.in_handlers: dict[type[Exception], Any] = {}  # of operations inside of handlers
        self.outer = sys.exception()  # which the caller handles
        self._seen: Counter[Any] = Counter()  # how often each line has been recorded

    def note(self, error: type[Exception], location: Any) -> bool:
        """Notes an exception; returns whether that is possible.

        Code that only the exception ends is recorded again and again: `while True`, a recursion.
        """
        self._seen[location] += 1
        self.known.setdefault(error, location)
        return self._seen[location] <= MOST_OFTEN

    def keep(self, recorder: trace.Trace, has_effects: bool) -> tuple[type[Exception], ...]:
        """The exceptions for which a run is left to Python; keeps the operations that may raise
        them.  Raises `StagingError` if that would repeat an effect.

        Without effects, those of operations inside of handlers are among them: their context is the
        exception that is handled, which a graph does not have.
        """
        self.caught = tuple(self.known)
        if not has_effects:
            self.known = {**self.in_handlers, **self.known}
        if self.known:
            _keep_what_may_raise(recorder.graph, tuple(self.known))
        return tuple(self.known)

    def refuse(self) -> None:
        """Raises `StagingError`: a run has effects that Python would repeat."""
        for error, location in self.known.items():
            raise staging_error(
                f"{error.__name__}, which only a run can raise, is inside a `try`",
                "Python computes the result of such a call, and would repeat effects of the run.",
                "Test the condition outside the `try`, or choose the result with `if`.",
                HandledInRunError,
                where=None if location is None else location.in_message,
            )


def _keep_what_may_raise(region, errors):
    def is_kept(node):
        types = tuple(map(operand_type, node.inputs))
        return not set(errors).isdisjoint(may_raise(node.op, types, node.attributes))

    keep_operations(region, is_kept)


def keep_operations(region: Graph, is_kept: Callable[[Node], bool]) -> None:
    """Marks operations, so that they are executed also where their results are not used."""
    for i in range(len(region.nodes) - 1, -1, -1):
        node = region.nodes[i]
        for inner in node.regions.values():
            keep_operations(inner, is_kept)
        if not node.outputs or not is_kept(node):
            continue
        kept = Node(find("observed"), node.outputs[:1], (), {}, {}, node.location)
        kept.scope = node.scope
        region.nodes.insert(i + 1, kept)


def refuse_raise_in_try(error: type[BaseException]) -> None:
    """Raises `StagingError` if a handler or `finally` would have to see the exception of a `raise`
    under a staged condition, and runs that raise it cannot be left to Python; or if a method tells
    Python something by it."""
    refuse_telling(error)
    if not _is_left_to_python(error, Exception) or issubclass(error, RecursionError):
        refuse_in_try(error)


def _is_left_to_python(error, kinds=LEFT_TO_PYTHON):
    return _may_be_left(error, kinds) and (not is_handled(error) or _noted(error))


def is_left_to_python(error: type[BaseException], is_stated: bool) -> bool:
    """Whether Python computes the calls whose runs raise an exception that a context catches.

    `is_stated`: a `raise` names the exception.
    """
    if issubclass(error, RecursionError):
        return False
    return _may_be_left(error, Exception if is_stated else LEFT_TO_PYTHON) and _noted(error)


def _may_be_left(error, kinds):
    recorder = trace.current()
    is_allowed = recorder.state(HandledErrors).are_allowed and not recorder.is_mapped
    return is_allowed and issubclass(error, kinds)


def _noted(error):
    recorder = trace.current()
    return recorder.state(HandledErrors).note(error, recorder.location()[0])


def _refuse_what_may_raise(op, types, attributes):
    for error in may_raise(op, types, attributes):
        tells = issubclass(error, LookupError) and method_that_tells(error)
        if error is IndexError and (tells or is_handled(error)):
            if trace.current().state(KnownPositions).are_inside:
                continue
            _raise_if_outside(op, types, attributes)
        if tells:
            refuse_telling(error)
        if not _is_left_to_python(error):
            refuse_in_try(error)
        _note_handled(error)


def _note_handled(error):
    """Notes that an operation inside of a handler may raise an exception."""
    state = trace.current().state(HandledErrors)
    if sys.exception() is not state.outer and _may_be_left(error, Exception):
        state.in_handlers.setdefault(error, trace.current().location()[0])


def _raise_if_outside(op, types, attributes):
    """Raises NumPy's exception for an index that is known to be out of range."""
    if op.name != "getitem" or len(types) != 1 or not isinstance(types[0], TensorType):
        return
    at, sizes = attributes["at"], types[0].shape
    if len(at) > len(sizes) or not all(type(part) in (int, slice) for part in at):
        return
    for axis, (part, size) in enumerate(zip(at, sizes, strict=False)):
        if type(part) is int and isinstance(size, int) and not -size <= part < size:
            text = f"index {part} is out of bounds for axis {axis} with size {size}"
            raise IndexError(text)


trace.CHECKS.append(_refuse_what_may_raise)
