"""Variables that are bound on some paths of a graph only, and values that are None on some.

if x > 0:                 y is MaybeUnbound: using it records a check, which fails in a run
    y = x                 where the variable is unbound, with Python's error

best = None               best is MaybeNone: `best is None` is a staged bool, and any other
for x in xs:              use records a check, which fails as that use of None does in Python
    if best is None or x > best:
        best = x
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.errors import staging_error
from runtime.ir.graph import operand_type
from runtime.ir.op import Op, example, find
from runtime.ir.types import is_array
from runtime.tracing import trace
from runtime.tracing.aliases import Alias
from runtime.tracing.locate import here
from runtime.tracing.tensor import Tensor, handle


class MaybeUnbound(Tensor):
    """The value of a variable that is bound on some paths only.

    Using it records a check, which fails in a run where the variable is unbound, as Python would.
    """

    __slots__ = ("is_none", "is_bound", "guard", "location", "name")

    def __init__(self, value, region, is_bound: Tensor, name: str, is_none: Tensor | None = None):
        super().__init__(value, region)
        self.is_bound = is_bound
        self.is_none = is_none  # whether it is None, where it may be
        self.name = name
        self.location, _ = here()
        self.guard: Alias | None = None  # refuses a read if an array that it may share has changed

    def unchecked(self) -> Tensor:
        """The value itself, about which nothing is known where the variable is unbound."""
        if self.guard is not None:
            self.guard.check()
        if self.is_none is not None:
            return MaybeNone(self._value, self._region, self.is_none)
        return handle(self._value, self._region)

    def _assign(self, new):
        if is_array(self.type):
            raise _not_followed(f"{self.name}, which is bound on some paths only")
        super()._assign(new)

    def check_bound(self, location=None):
        if self.guard is not None:
            self.guard.check()
        text = f"cannot access local variable '{self.name}' where it is not associated with a value"
        attributes = {"error": UnboundLocalError, "arguments": (text,)}
        recorder = trace.current()
        recorder.record(find("assert_"), (self.is_bound._value,), attributes, location=location)

    def returned(self) -> Tensor:
        """The value as the result of a function, of which no line reads it any more."""
        self.check_bound(self.location)
        return self.unchecked()


class MaybeNone(Tensor):
    """A value that is None on some paths."""

    __slots__ = ("is_none", "guard")

    def __init__(self, value, region, is_none: Tensor):
        super().__init__(value, region)
        self.is_none = is_none
        self.guard: Alias | None = None  # refuses a read if an array that it may share has changed

    def unchecked(self) -> Tensor:
        """The value itself, about which nothing is known where it is None."""
        if self.guard is not None:
            self.guard.check()
        return handle(self._value, self._region)

    def checked(self, use: Callable[[None], Any]) -> Tensor:
        """The value, once a check is recorded that fails as `use` fails for None.

        Raises `StagingError` where `use` does not fail.
        """
        try:
            use(None)
        except Exception as error:
            present = find("not_")
            recorder = trace.current()
            (is_there,) = recorder.record(present, (self.is_none._value,))
            attributes = {"error": type(error), "arguments": error.args}
            recorder.record(find("assert_"), (is_there,), attributes)
            return self.unchecked()
        raise staging_error(
            f"{self!r} is used, which may be None",
            "What is done with it means something for None as well, and only a run can tell.",
            "Ask first: `if value is None:`.",
        )

    def used_by(self, op: Op, operands: tuple, attributes: dict) -> Tensor:
        """The value as an operand; the check fails as the op does for None and such operands."""

        def use(none):
            others = [_example(operand) for operand in operands]
            examples = (none if o is self else e for o, e in zip(operands, others, strict=True))
            with np.errstate(all="ignore"):
                return op.evaluate(np, tuple(examples), attributes)

        return self.checked(use)

    def check_bound(self, location=None):
        self.checked(lambda none: none + 1)

    def _assign(self, new):
        raise _not_followed(f"{self!r}, which may be None")

    def __len__(self):
        return len(self.checked(len))

    def __iter__(self):
        return iter(self.checked(iter))

    def __getattr__(self, name):
        return getattr(self.checked(lambda none: getattr(none, name)), name)

    shape = property(lambda self: self.__getattr__("shape"))
    ndim = property(lambda self: self.__getattr__("ndim"))
    size = property(lambda self: self.__getattr__("size"))
    T = property(lambda self: self.__getattr__("T"))


def _example(operand):
    """A value like an operand, to see what an op makes of None beside it."""
    if isinstance(operand, Tensor):
        return example(operand_type(operand._value))
    return operand


def _not_followed(what):
    return staging_error(
        f"an array is written into through {what}",
        "Which array that is depends on the run.",
        "Write into the array itself, or make a new one: `y = y + 1` in place of `y += 1`.",
    )
