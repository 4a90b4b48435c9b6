"""`match` on traced subjects: Python asks a stand-in, and each answer is a staged branch."""

import operator
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jax

from autograph.backends.jax.branches import stage_if
from autograph.backends.jax.tracers import is_staged, truth_of
from autograph.staging import match
from autograph.staging.walrus_state import walrus_state


class Subject:
    """A tracer whose truth, and that of its comparisons, Python asks while it chooses a case."""

    def __init__(self, value: Any):
        self.value = value

    def __jax_array__(self) -> Any:
        return self.value

    def __bool__(self) -> bool:
        answer = _answers[-1]
        truth = truth_of(self.value)
        return answer(truth) if is_staged(truth) else truth


_answers: list[Any] = []


def _asking(name: str) -> Any:
    function = getattr(operator, f"__{name}__")

    def method(self: Subject, *others: Any) -> Subject:
        return Subject(function(self.value, *map(plain, others)))

    return method


for _name in [
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "lt",
    "le",
    "gt",
    "ge",
    "eq",
    "ne",
    "neg",
    "abs",
    "and",
    "or",
    "invert",
]:
    setattr(Subject, f"__{_name}__", _asking(_name))
Subject.__hash__ = None  # type: ignore[assignment]


def plain(value: Any) -> Any:
    """The tracer that a stand-in stands for; other values unchanged."""
    return value.value if isinstance(value, Subject) else value


def decide(case_of: Any, subject: Any) -> Any:
    """The index of the case that matches, -1 for none."""

    def unwrapped(given: Any) -> int:
        number = case_of(given)
        state = walrus_state(case_of)
        state.set(tuple(map(plain, state.get())))
        return number

    stand_in = jax.tree.map(lambda x: Subject(x) if is_staged(x) else x, subject)
    return match.decide(unwrapped, stand_in, _answering, stage_if)


@contextmanager
def _answering(answer: match.Answer) -> Iterator[None]:
    _answers.append(answer)
    try:
        yield
    finally:
        _answers.pop()
