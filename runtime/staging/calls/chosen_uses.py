"""Uses of one of several known objects: a branch for each of them (`staging/chosen.py`).

f(x)           sin(x) if f is np.sin else cos(x)
d[state]       d[State.A] if state is State.A else d[State.B]
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograph.backend import State
from autograph.functions.calls import converted_call
from runtime.ir.op import find
from runtime.staging.chosen import Chosen, ChosenMethod
from runtime.staging.control_flow.cond import stage_if
from runtime.tracing.tensor import apply

NO_STATE = State((), None, None)


def each(chosen: Chosen, use: Callable[[Any], Any], *given: Any, state: State = NO_STATE) -> Any:
    """The result of `use` for the object that a variable has in a run.

    `given` are further objects that `use` may change.
    """
    return Cases(chosen, use, given, state).used(0)


@dataclass
class Cases:
    """The uses of the objects that a variable may have.

    It is not a function, since the variables of functions that blocks call would be those of the
    blocks.
    """

    chosen: Chosen
    use: Callable[[Any], Any]
    given: tuple
    state: State

    def used(self, number: int) -> Any:
        """The result of a use of the object with a number, or of one after it."""
        option, others = self.chosen.options[number], self.chosen.options[number + 1 :]
        if not others:
            return self.use(option)
        is_it = apply(find("equal"), self.chosen.which, number)
        blocks = Case(self.use, option), Case(self.used, number + 1)
        return stage_if(is_it, *blocks, self.state, (option, *others, *self.given))


@dataclass
class Case:
    """A block of a branch: the use of one object."""

    use: Callable[[Any], Any]
    given: Any

    def __call__(self) -> Any:
        return self.use(self.given)


def call(chosen: Chosen, /, *args: Any, **options: Any) -> Any:
    """The result of a call of one of several functions."""
    return each(chosen, lambda one: converted_call(one)(*args, **options), args, options)


def call_method(method: ChosenMethod, /, *args: Any, **options: Any) -> Any:
    """The result of a call of a method of one of several objects."""

    def use(one):
        return converted_call(getattr(one, method.name))(*args, **options)

    return each(method.owner, use, args, options)


Chosen.each = each
ChosenMethod.__call__ = call_method  # type: ignore[attr-defined]
Chosen.__call__ = call  # type: ignore[attr-defined]
