"""Variables that functions create: allowed the first time that a function is recorded.

    def __call__(self, x):
        if self.w is None:                              first call: recorded with w is None
            self.w = rt.Variable(np.zeros(3))           that graph runs once, and is not kept
        return x @ self.w                               later calls: recorded with w as it is then

A function is asked once for each set of objects that it is about (`self`).  A graph that creates
would be wrong for a later call, which creates another variable, or finds this one; so where all
that the function reads is as it was before, it would create one at every call, and is refused.
"""

import numpy as np

from autograph.errors import message
from runtime.errors import StagingError
from runtime.function.concrete_function import ConcreteFunction, Recording
from runtime.tracing.signature import Identity, Signature


class Creations:
    """For which objects a function has created its variables."""

    def __init__(self, function: str):
        self._function = function
        self._known: list[frozenset[Identity]] = []

    def may_come(self, signature: Signature) -> bool:
        """Whether a call may create variables."""
        return not any(known == _objects(signature) for known in self._known)

    def add(
        self, signature: Signature, recording: Recording, bound: tuple, concrete: ConcreteFunction
    ) -> None:
        """Notes that a graph creates variables.

        Raises `StagingError` where the next call would create others.
        """
        if concrete.guard.difference(bound) is None:
            variable, place = concrete.created[0]
            raise StagingError(
                message(
                    f"{self._function} creates a variable at every call: a {variable.described}",
                    place,
                    "It is kept in no place that the function looks at, so the next call would "
                    "create another one.",
                    "Create it outside of the function, or once: `if self.v is None: self.v = "
                    "rt.Variable(...)`.",
                )
            )
        self._known = [known for known in self._known if not any(o.is_gone for o in known)]
        self._known.append(_objects(signature))


def _objects(signature):
    return frozenset(key for key in signature.keys if isinstance(key, Identity))


def refuse_without_run(concrete: ConcreteFunction) -> None:
    """Raises `StagingError` for variables whose initial values only a run would tell, where a
    graph is recorded and does not run."""
    for variable, place in concrete.created:
        if not isinstance(variable._array, np.ndarray):
            raise StagingError(
                message(
                    f"a {variable.described} is created with a staged initial value, and the "
                    "function is recorded without a run",
                    place,
                    "Its initial value would be known behind the first run.",
                    "Call the function first, or create the variable outside of it.",
                )
            )
