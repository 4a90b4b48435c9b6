"""Variables that are bound on some paths only, and values that are None on some paths.

if x > 0:                 y is MaybeUnbound: a use records a check, which raises Python's error
    y = x                 in a run where the variable is unbound

best = None               best is MaybeNone: `best is None` is a staged bool, and any other use
for x in xs:              records a check, which raises what Python raises for None
    if best is None or x > best:
        best = x
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.functions.policy import is_users_file
from runtime.errors import MaybeNoneError, SharedMemoryError, staging_error
from runtime.ir.graph import operand_type
from runtime.ir.op import Op, example, find
from runtime.ir.types import Type, is_array
from runtime.tracing import trace
from runtime.tracing.aliases import Alias, unknown_alias
from runtime.tracing.array_attributes import of_present
from runtime.tracing.known_truth import known_truth
from runtime.tracing.locate import here
from runtime.tracing.matching import class_needed
from runtime.tracing.needed import refuse_elsewhere
from runtime.tracing.tensor import Tensor, handle


class MaybeUnbound(Tensor):
    """A variable that is bound on some paths only; each use records a check."""

    __slots__ = ("__is_none__", "is_bound", "guard", "location", "name")

    def __init__(self, value, region, is_bound: Tensor, name: str, is_none: Tensor | None = None):
        super().__init__(value, region)
        self.is_bound = is_bound
        self.__is_none__ = is_none  # a staged bool, if it may be None
        self.name = name
        self.location, _ = here()
        self.guard: Alias | None = None  # refuses a read if an array that it may share has changed

    def __unchecked__(self) -> Tensor:
        """The value without a check; it is arbitrary if the variable is unbound."""
        refuse_elsewhere(self.staged_value, self._region)
        if self.guard is not None:
            self.guard.check()
        if self.__is_none__ is not None:
            found = MaybeNone(self._value, self._region, self.__is_none__)
            found.guard = self.guard
            return found
        return _present(self, self.name)

    def _assign(self, new):
        if is_array(self.type):
            raise _not_followed(f"{self.name}, which is bound on some paths only")
        super()._assign(new)

    def check_bound(self, location=None):
        self.read(self.name, location=location)

    def read(self, name: str, is_free=False, location=None) -> Tensor:
        """The value, after a check that raises what Python raises for an unbound variable."""
        refuse_elsewhere(self.staged_value, self._region)
        if self.guard is not None:
            self.guard.check()
        record_unbound(self.is_bound, name, is_free, location)
        # A handle of its own would not refuse writes, nor reads after writes by another name.
        return self if is_array(self.type) else self.__unchecked__()

    def array_itself(self) -> Tensor:
        return _present(self, self.name)

    def returned(self) -> Tensor:
        """The value as the result of a function, checked at the line of the variable."""
        self.check_bound(self.location)
        return self.__unchecked__()


def record_unbound(is_bound: Tensor, name: str, is_free=False, location=None):
    """Records the exception that Python raises for an unbound variable: of the function that reads
    it, or of one around it (`is_free`)."""
    if is_free:
        text = f"cannot access free variable '{name}' where it is not associated with a value in "
        attributes = {"error": NameError, "arguments": (f"{text}enclosing scope",)}
    else:
        text = f"cannot access local variable '{name}' where it is not associated with a value"
        attributes = {"error": UnboundLocalError, "arguments": (text,)}
    recorder = trace.current()
    recorder.record(find("assert_"), (is_bound._value,), attributes, location=location)


class MaybeNone(Tensor):
    """A value that is None on some paths."""

    __slots__ = ("__is_none__", "guard")

    def __init__(self, value, region, is_none: Tensor):
        super().__init__(value, region)
        self.__is_none__ = is_none
        self.guard: Alias | None = None  # refuses a read if an array that it may share has changed

    def matched_type(self) -> Type:
        raise class_needed("a value that may be None", "of both")

    def __unchecked__(self) -> Tensor:
        """The value without a check; it is arbitrary if it is None."""
        if self.guard is not None:
            self.guard.check()
        return _present(self, "the array")

    def array_itself(self) -> Tensor:
        return _present(self, "the array")

    def __checked__(self, use: Callable[[None], Any]) -> Tensor:
        """The value, after a check that raises what `use(None)` raises.

        Raises `StagingError` if `use` accepts None: a graph cannot follow both.
        """
        refuse_elsewhere(self.staged_value, self._region)
        if known_truth(self.__is_none__._value) is False:
            return self.__unchecked__()
        try:
            use(None)
        except Exception as error:
            present = find("not_")
            recorder = trace.current()
            (is_there,) = recorder.record(present, (self.__is_none__._value,))
            attributes = {"error": type(error), "arguments": error.args}
            recorder.record(find("assert_"), (is_there,), attributes)
            return self.__unchecked__()
        raise staging_error(
            f"{self.staged_value} may be None where it is used",
            "The operation accepts None as well, and whether it is None is known only at run time.",
            "Test it first: `if value is None:`.",
            MaybeNoneError,
        )

    def as_operand(self, op: Op, operands: tuple, attributes: dict) -> Tensor:
        """The value as an operand; the check raises what the op raises for None and such
        operands."""

        def use(none):
            others = [_example(operand) for operand in operands]
            examples = (none if o is self else e for o, e in zip(operands, others, strict=True))
            with np.errstate(all="ignore"):
                return op.evaluate(np, tuple(examples), attributes)

        return self.__checked__(use)

    def check_bound(self, location=None):
        self.__checked__(lambda none: none + 1)

    def _assign(self, new):
        raise _not_followed(f"{self.staged_value}, which may be None")

    def __len__(self):
        return len(self.__checked__(len))

    def __iter__(self):
        return iter(self.__checked__(iter))

    def __getattr__(self, name):
        if name.startswith("__") and not is_users_file(sys._getframe(1).f_code.co_filename):
            raise AttributeError(name)  # protocols, which libraries ask every object
        return getattr(self.__checked__(lambda none: getattr(none, name)), name)

    users_attribute = __getattr__
    dtype = of_present("dtype")
    shape = property(lambda self: self.__getattr__("shape"))
    ndim = property(lambda self: self.__getattr__("ndim"))
    size = property(lambda self: self.__getattr__("size"))
    T = property(lambda self: self.__getattr__("T"))
    real = property(lambda self: self.__getattr__("real"))
    imag = property(lambda self: self.__getattr__("imag"))


def _present(maybe: MaybeUnbound | MaybeNone, path: str) -> Tensor:
    """The value of one that is there: writes into an array, or its views, would be lost, so they
    are refused, and so are reads after writes into an array that it may share."""
    if not is_array(maybe.type):
        return handle(maybe._value, maybe._region)
    if maybe.guard is None:
        maybe.guard = unknown_alias(maybe._at, (), path)
    return maybe.guard


def bound(value: Any) -> Any:
    """A value, after a check that it is bound."""
    if isinstance(value, MaybeUnbound):
        value.check_bound()
        value = value.__unchecked__()
    return value


def _example(operand):
    """A value like an operand, to evaluate an op with None beside it."""
    if isinstance(operand, Tensor):
        return example(operand_type(operand._value))
    return operand


def _not_followed(what):
    return staging_error(
        f"an array is written into through {what}",
        "Which array that is depends on the run.",
        "Write into the array itself, or create a new one: `y = y + 1` instead of `y += 1`.",
        SharedMemoryError,
    )
