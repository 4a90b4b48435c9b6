"""Objects and arguments of host calls: calls of Python functions that graphs do not know.

    file.write(f"{x}")        host_call(text, function=host('<TextIOWrapper>.write'), given=(_0,))
    q.put([x, 1])             given=(made(list, (_0, 1)),)

An object of the host is kept as it is.  A container of the user's code is created again in
each run, from the values that it has there.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import BuiltinFunctionType, CellType, FunctionType, MethodType
from typing import Any

import numpy as np

from autograph.staging.object_state import object_with
from runtime.ir.slot import Slot


@dataclass(frozen=True)
class Caller:
    """A frame of the user's code that a host call is made from."""

    filename: str
    name: str
    lineno: int
    variables: dict[str, Any]  # the global variables


@dataclass(frozen=True)
class CalledFrom:
    """A function that looks at its callers, and these: the innermost first."""

    function: Any  # a template
    callers: tuple[Caller, ...]

    def __repr__(self) -> str:
        return repr(self.function)


@dataclass(frozen=True, eq=False)
class Watched:
    """A function that gets copies of arrays and containers, which it should not change.

    `place` is the user's line, for messages; `may_change` if nothing is known about the function;
    `later` names the arguments that the program changes after the call.
    """

    function: Any  # a template
    place: Any
    may_change: bool
    later: list[str]

    @property
    def callers(self) -> tuple[Caller, ...]:
        """The frames that the function is called from; none if it does not look at them."""
        return getattr(self.function, "callers", ())

    def __repr__(self) -> str:
        return repr(self.function)


@dataclass(frozen=True, eq=False)
class Host:
    """An object of the host."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Host) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)

    def __repr__(self) -> str:
        return f"host({described(self.value)!r})"


@dataclass(frozen=True)
class Stream:
    """A standard stream, as `sys` holds it in the run: `name` is stdin, stdout or stderr."""

    name: str

    def __repr__(self) -> str:
        return f"stream({self.name!r})"


@dataclass(frozen=True)
class Kept:
    """The slot of an object that a run has computed: the function gets that object, not a copy."""

    index: int

    def __repr__(self) -> str:
        return f"kept(_{self.index})"


@dataclass(frozen=True)
class Method:
    """A method of an object that a template describes."""

    owner: Any
    name: str

    def __repr__(self) -> str:
        return f"method({self.owner!r}, {self.name!r})"


@dataclass(frozen=True)
class Made:
    """A container that each run makes: its kind, the keys of a dict, and the parts in it.

    With names of attributes for keys, it is an object of a user's class.
    """

    kind: type
    keys: tuple[Any, ...]
    parts: tuple[Any, ...]

    def __repr__(self) -> str:
        name = self.kind.__qualname__
        if self.kind.__module__.startswith("numpy"):  # a named tuple, such as `EigResult`
            name = f"{self.kind.__module__}.{name}"
        return f"made({name}, {self.keys!r}, {self.parts!r})"

    def filled(self, operands: Sequence[Any]) -> Any:
        """The container for the operands of a run."""
        parts = [filled(part, operands) for part in self.parts]
        if self.kind is dict:
            return dict(zip((filled(key, operands) for key in self.keys), parts, strict=True))
        if self.kind is slice:
            return slice(*parts)
        if self.keys:
            return object_with(self.kind, dict(zip(self.keys, parts, strict=True)))
        return self.kind(*parts) if hasattr(self.kind, "_fields") else self.kind(parts)


@dataclass(frozen=True)
class Called:
    """The result of a function, which an argument or the owner of a method is."""

    function: Any
    given: tuple[Any, ...]
    named: tuple[tuple[str, Any], ...] = ()

    def __repr__(self) -> str:
        return f"called({self.function!r}, {self.given!r}, {self.named!r})"

    def filled(self, operands: Sequence[Any]) -> Any:
        """The result for the operands of a run."""
        given = filled(self.given, operands)
        named = {name: filled(part, operands) for name, part in self.named}
        return filled(self.function, operands)(*given, **named)


@dataclass(frozen=True)
class MadeFunction:
    """A user's function whose closure holds values of the run."""

    function: Host
    cells: tuple[Any, ...]

    def __repr__(self) -> str:
        return f"function({self.function!r}, {self.cells!r})"

    def filled(self, operands: Sequence[Any]) -> Any:
        """The function for the operands of a run."""
        written = self.function.value
        cells = tuple(CellType(filled(part, operands)) for part in self.cells)
        made = FunctionType(
            written.__code__, written.__globals__, written.__name__, written.__defaults__, cells
        )
        made.__kwdefaults__ = written.__kwdefaults__
        return made


def hosts(template: Any) -> list[Any]:
    """The objects of the host in a template, in order."""
    match template:
        case Host(value):
            return [value]
        case tuple():
            return [value for part in template for value in hosts(part)]
        case CalledFrom() | Watched():
            return hosts(template.function)
        case Called(function, given, named):
            return hosts((function, given, named))
        case Made(kind, keys, parts):
            return [kind, *hosts(keys), *hosts(parts)]
        case MadeFunction(function, cells):
            return hosts((function, cells))
        case Method(owner, _):
            return hosts(owner)
    return []


def filled(template: Any, operands: Sequence[Any]) -> Any:
    """The value of a template for the operands of a run."""
    match template:
        case Slot(index):
            return _own(operands[index])
        case Kept(index):
            return operands[index]
        case Host(value):
            return value
        case Stream(name):
            return getattr(sys, name)
        case CalledFrom() | Watched():
            return filled(template.function, operands)
        case Method(owner, name):
            return getattr(filled(owner, operands), name)
        case Made() | Called() | MadeFunction():
            return template.filled(operands)
        case tuple():
            return tuple(filled(part, operands) for part in template)
    return template


def _own(operand: Any) -> Any:
    """An operand that the function may keep, or change."""
    if isinstance(operand, np.ndarray):
        return _copied(operand)
    return [_own(item) for item in operand] if isinstance(operand, list) else operand


def _copied(array: np.ndarray) -> np.ndarray:
    """A copy of an array with the same strides, which the function may look at."""
    if array.flags.forc or not array.size or 0 in array.strides:
        return array.copy("K")
    low, high = np.lib.array_utils.byte_bounds(array)
    memory = np.empty(high - low, np.uint8)
    place = array.__array_interface__["data"][0] - low
    made = np.ndarray(array.shape, array.dtype, memory, place, array.strides)
    made[...] = array
    return made


def described(value: Any) -> str:
    """An object of the host for people: its name if it can be imported, else its class.

    No code of the user's runs.
    """
    if isinstance(value, MethodType) or _is_bound(value):
        return f"{described(value.__self__)}.{value.__name__}"
    if isinstance(value, FUNCTIONS):
        return f"{value.__module__ or 'builtins'}.{value.__qualname__}"
    return f"<{type(value).__qualname__}>"


# The last two are those of NumPy: dispatched by the types of arguments, and compiled by Cython.
FUNCTIONS = (
    type, FunctionType, BuiltinFunctionType, type(np.block), type(np.random.default_rng),
)  # fmt: skip


def _is_bound(value: Any) -> bool:
    return isinstance(value, BuiltinFunctionType) and not (
        value.__self__ is None or isinstance(value.__self__, type(sys))
    )


def imported(name: str) -> Callable[..., Any]:
    """The function or class with a full name, from a module that is imported already.

    Raises `LookupError` if there is none: the object exists in another process only.
    """
    path = name.split(".")
    for i in range(len(path) - 1, 0, -1):
        found: Any = sys.modules.get(".".join(path[:i]))
        for part in path[i:] if found is not None else ():
            found = getattr(found, part, None)
        if callable(found):
            return found  # type: ignore[no-any-return]
    raise LookupError(f"{name!r} is not a function of an imported module")
