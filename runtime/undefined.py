"""Variables that are bound on some paths of a graph only."""

from runtime import trace
from runtime.locate import here
from runtime.op import find
from runtime.tensor import Tensor, handle


class PerhapsUndefined(Tensor):
    """The value of a variable that is bound on some paths only.

    Using it records a check, which fails in a run where the variable is unbound, as Python would.
    """

    __slots__ = ("defined", "name", "location")

    def __init__(self, value, region, defined: Tensor, name: str):
        super().__init__(value, region)
        self.defined = defined
        self.name = name
        self.location, _ = here()

    def unchecked(self) -> Tensor:
        """The value itself, about which nothing is known where the variable is unbound."""
        return handle(self._value, self._region)

    def check_defined(self, location=None):
        text = f"cannot access local variable '{self.name}' where it is not associated with a value"
        attributes = {"error": UnboundLocalError, "arguments": (text,)}
        recorder = trace.current()
        recorder.record(find("assert_"), (self.defined._value,), attributes, location=location)

    def returned(self) -> Tensor:
        """The value as the result of a function, of which no line reads it any more."""
        self.check_defined(self.location)
        return self.unchecked()
