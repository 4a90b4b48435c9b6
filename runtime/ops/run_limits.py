"""Limits of a run: how many iterations it may make, and how long it may take.

    limit_run(steps=1000, seconds=2.0)      at the start of a graph
    def body(x):
        count_step()                        at the start of each iteration and recursive call

Loading puts them into the graphs of a file that is not trusted (`saved/run_limits.py`).  A single
operation is not interrupted: the time is compared at each step.
"""

from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic
from typing import Any

from autograph.errors import Explained
from runtime.ir.op import Op
from runtime.ir.traits import Effect, Traits
from runtime.ops.examples import call


@dataclass(slots=True)
class Budget:
    """The steps and the time that are left to a run; None for any number."""

    steps: int | None
    seconds: float | None
    error: type[Explained]
    end: float
    taken: int = 0

    def count(self) -> None:
        """Counts a step.  Raises the error of the limits where they end."""
        self.taken += 1
        if self.steps is not None and self.taken > self.steps:
            raise self._beyond(f"made more than {self.steps} steps", "steps")
        if self.seconds is not None and monotonic() > self.end:
            raise self._beyond(f"taken more than {self.seconds} seconds", "seconds")

    def _beyond(self, fact: str, name: str) -> Explained:
        return self.error.about(
            f"the run has {fact}",
            None,
            "The code that has loaded the function allows no more.",
            f"If the run is right to take so long, raise {name} in rt.load(..., limits=...).",
        )


_budget: ContextVar[Budget | None] = ContextVar("budget", default=None)


def _types(*, steps: int | None, seconds: float | None, error: type[Explained]) -> tuple:
    if not (isinstance(error, type) and issubclass(error, Explained)):
        raise TypeError("limit_run raises errors that are explained")
    return ()


def _limit(xp: Any, operands: Any, attributes: Any) -> None:
    seconds = attributes["seconds"]
    _budget.set(Budget(**attributes, end=monotonic() + (seconds or 0.0)))


def _count(xp: Any, operands: Any, attributes: Any) -> None:
    budget = _budget.get()
    if budget is not None:
        budget.count()


limit_run = Op(
    "limit_run",
    "Sets the number of steps and the seconds that the run may take from here on.",
    _types,
    _limit,
    arity=0,
    traits=Traits(effect=Effect.EXTERNAL),
    examples=lambda: [call(steps=10, seconds=None, error=Explained)],
    called="",
)
count_step = Op(
    "count_step",
    "Counts an iteration of a loop or a recursive call, and compares the time with its limit.",
    lambda: (),
    _count,
    arity=0,
    traits=Traits(effect=Effect.EXTERNAL),
    called="",
)
