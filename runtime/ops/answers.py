"""Answers: the results of the calls of a run that reach outside of it, for a caller who needs them.

    with noting_answers() as answers:
        compiled(*inputs)               answers.given: the result of each call, or its exception

A call of the Python function without effects (`staging/calls/replayed_calls.py`) gets the same
answers.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Answer:
    """The result of a call, or the exception that it has raised."""

    function: Any
    result: Any = None
    error: BaseException | None = None


class Answers:
    """The results and exceptions of the calls of a run, where the program may use them.

    No more than `MOST` are kept; `are_complete` says whether these are all.
    """

    MOST = 100_000

    def __init__(self) -> None:
        self.given: list[Answer] = []
        self.are_complete = True

    def noted(self, function: Any, call: Callable[[], Any], is_used: bool) -> Any:
        """The result of a call, which is kept if it is used."""
        token = _answers.set(None)  # the function may run another graph
        try:
            found = call()
        except BaseException as error:
            self._add(Answer(function, error=error))
            raise
        finally:
            _answers.reset(token)
        if is_used:
            kept = np.copy(found) if isinstance(found, np.ndarray) else found
            self._add(Answer(function, kept))
        return found

    def _add(self, answer: Answer) -> None:
        if len(self.given) < self.MOST:
            self.given.append(answer)
        else:
            self.are_complete = False


_answers: ContextVar[Answers | None] = ContextVar("answers", default=None)
noting = _answers.get  # the answers that the caller of the run needs to know; None if none


@contextmanager
def noting_answers() -> Iterator[Answers]:
    """While it is open, the answers of calls are noted."""
    answers = Answers()
    token = _answers.set(answers)
    try:
        yield answers
    finally:
        _answers.reset(token)


def noted(function: Any, call: Callable[[], Any], is_used: bool = True) -> Any:
    """The result of a call of a function, noted if the caller of the run needs to know it."""
    answers = noting()
    return call() if answers is None else answers.noted(function, call, is_used)
