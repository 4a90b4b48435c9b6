"""Variables that functions create: allowed only while a function is traced for the first time.

    def __call__(self, x):
        if self.w is None:                              first call: traced while w is None
            self.w = rt.Variable(np.zeros(3))           that graph runs once, and is not cached
        return x @ self.w                               later calls: traced with the variable

The rule holds for each set of objects among the arguments (`self`).  A graph that creates variables
is not valid for a later call, which creates other variables or finds these.  If its guard still
holds after tracing, every call would create variables, and the function is refused.
"""

import numpy as np

from autograph.errors import with_article
from runtime.errors import VariableError
from runtime.function.concrete_function import ConcreteFunction
from runtime.tracing.signature import Identity, Signature


class VariableCreation:
    """The sets of objects for which a function has created its variables."""

    def __init__(self, function: str):
        self._function = function
        self._known: list[frozenset[Identity]] = []

    def may_create(self, signature: Signature) -> bool:
        """Whether tracing for this signature may create variables."""
        return not any(known == objects_of(signature) for known in self._known)

    def add(self, signature: Signature, bound: tuple, concrete: ConcreteFunction) -> None:
        """Notes that a graph creates variables.

        Raises `StagingError` if the next call would create others.
        """
        if concrete.guard.difference(bound) is None:
            variable, place = concrete.created[0]
            raise VariableError.about(
                f"{self._function} creates a variable in every call: "
                f"{with_article(variable.described)}",
                place,
                "The function stores it nowhere that it reads, so the next call would create "
                "another one.",
                "Create it outside of the function, or once: `if self.v is None: self.v = "
                "rt.Variable(...)`.",
            )
        self._known = [known for known in self._known if not any(o.is_gone for o in known)]
        self._known.append(objects_of(signature))


def objects_of(signature: Signature) -> frozenset[Identity]:
    """The objects among the arguments of a signature."""
    return frozenset(key for key in signature.keys if isinstance(key, Identity))


def refuse_without_run(concrete: ConcreteFunction) -> None:
    """Raises `StagingError` if a graph that is traced without a run creates variables whose initial
    values only a run can compute."""
    for variable, place in concrete.created:
        if not isinstance(variable._array, np.ndarray):
            raise VariableError.about(
                f"{with_article(variable.described)} is created with a staged initial value, and "
                "the function is traced without a run",
                place,
                "Its initial value is known only after the first run.",
                "Call the function first, or create the variable outside of it.",
            )
