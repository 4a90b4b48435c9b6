"""Guard records: each reads one thing, or states one condition under which a graph is valid.

    limit = 3; W = np.eye(2)
    def f(x): return x @ W + limit

    kind        source    constant    printed as Python
    array       x         f64[2]      type(x) is ndarray and x.dtype is c1 and ...
    global      g0        'W'         v0 = g0['W']
    array       v0        f64[2, 2]   type(v0) is ndarray and ...
    global      g0        'limit'     v1 = g0['limit']
    value       v1        3           v1 is c2 or type(v1) is int and v1 == c2

A record is (kind, source, constant): `source` names a variable of the guard, `constant` is a value
that is known when the graph is traced.  A record with a `target` reads; any other is a condition.
Conditions test identity first, because that is cheap and almost always decides.

Records are data: this module prints them as Python and explains them, and another printer can turn
the same records into native code.
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.staging.object_state import MISSING, read_slot
from runtime.ir.types import TensorType
from runtime.tracing.descriptions import described
from runtime.tracing.numpy_api.memory_layout import layout_of
from runtime.tracing.signature import same_value

# The exceptions of a read whose variable, attribute or item is gone.
GONE = (AttributeError, KeyError, IndexError, ValueError, TypeError)


@dataclass(frozen=True, eq=False)
class Record:
    """One read or one condition.  `path` is how the user writes its subject."""

    kind: str
    source: str
    constant: Any
    path: str
    target: str = ""  # the variable that a read binds
    expected: str = ""  # the subject while the graph was traced, as explanations show it

    @property
    def key(self) -> tuple:
        """Equal for records that read or require the same, while their constants are alive."""
        constant, kind = self.constant, type(self.constant)  # `__class__` may run code
        if not issubclass(kind, (str, int, TensorType)):
            constant, kind = id(constant), int
        return self.kind, self.source, kind, constant

    def explanation(self, subject: Any) -> str:
        """Why the condition does not hold for a subject, as a sentence."""
        if self.kind == "never" and self.expected:
            return f"the function has changed {self.path}, and no run of its graph changes it"
        if self.kind == "never":
            return f"each call of {self.path} gets another answer, so no graph can be used again"
        if self.kind == "layout":
            return f"{self.path} has another memory layout than before"
        if self.kind in ABSENCES:
            name = min(self.constant & subject.keys())
            return f"{self.path}{name} was not there, and is {_short(described(subject[name]))}"
        return f"{self.path} was {_short(self.expected)}, and is {_short(described(subject))}"


@dataclass
class Names:
    """The names of constants in the printed guard; `prefix` starts all of them.

    Threads that print at the same time get different names for different constants.
    """

    prefix: str = "_"
    constants: dict[str, Any] = field(default_factory=dict)
    _known: dict[int, str] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def of(self, constant: Any) -> str:
        """A name for a constant; the same object has one name."""
        name = self._known.get(id(constant))
        if name is None:
            new = f"{self.prefix}c{next(self._numbers)}"
            self.constants[new] = constant  # first: a thread that finds a name uses it
            name = self._known.setdefault(id(constant), new)
        return name

    def builtin(self, function: Any) -> str:
        """A name for a builtin, which the user's parameters cannot hide."""
        name = f"{self.prefix}{function.__name__}"
        self.constants[name] = function
        return name

    def variable(self, number: int) -> str:
        """A name for a variable that a read binds."""
        return f"{self.prefix}v{number}"


def python(record: Record, names: Names) -> str:
    """A record as a Python expression: the value of a read, or the truth of a condition."""
    return PRINTERS[record.kind](record.source, record.constant, names)


def subject(record: Record, names: Names) -> str:
    """The expression for the value that the explanation of a condition shows."""
    if record.kind == "answer":
        return f"{names.of(record.constant.again)}()"
    if record.kind == "never":
        return "None"
    return f"{record.source}.__dict__" if record.kind == "absent_attributes" else record.source


# -- reads -----------------------------------------------------------------------------------------


def _item(source, key, names):
    shown = repr(key) if isinstance(key, (int, str)) else names.of(key)
    return f"{source}[{shown}]"


READS: dict[str, Callable[[str, Any, Names], str]] = {
    "global": _item,
    "item": _item,
    "attribute": lambda source, name, names: f"{source}.{name}",
    "dict_item": lambda source, name, names: f"{source}.__dict__[{name!r}]",
    "slot": lambda source, member, names: f"{names.of(member)}.__get__({source})",
    "contents": lambda source, reader, names: f"{names.of(reader)}({source})",
    "referent": lambda source, _, names: f"{source}()",
    "cell": lambda source, index, names: f"{source}.__closure__[{index}].cell_contents",
}


# -- conditions ------------------------------------------------------------------------------------


def _same(source, constant, names):
    plain = constant is None or constant is True or constant is False
    return f"{source} is {constant if plain else names.of(constant)}"


def _value(source, constant, names):
    known = names.of(constant)
    kind = type(constant)
    if kind in (int, str, bytes) or kind is float and constant and constant == constant:
        exact = f"{_class(source, kind, names)} and {source} == {known}"
    else:  # -0.0 is not 0.0, and nan is the same as nan
        exact = f"{names.of(same_value)}({source}, {known})"
    return f"{source} is {known} or {exact}"


def _class(source, kind, names):
    return f"{names.builtin(type)}({source}) is {names.of(kind)}"  # `__class__` may be a property


def _array(source, known, names):
    exact = [_class(source, np.ndarray, names)]
    exact.append(f"{source}.dtype is {names.of(known.dtype)}")
    are_known = [isinstance(size, int) for size in known.shape]
    if all(are_known) and len(are_known) != 1:
        exact.append(f"{source}.shape == {known.shape!r}")
    else:
        exact.append(f"{source}.ndim == {len(are_known)}")
        sizes = enumerate(known.shape)
        exact += [f"{_size(source, i, names)} == {n}" for i, n in sizes if isinstance(n, int)]
    return f"{' and '.join(exact)} or {names.of(is_array_of)}({source}, {names.of(known)})"


def _size(source, axis, names):
    return f"{source}.shape[{axis}]" if axis else f"{names.of(len)}({source})"


def _scalar_or_array(source, known, names):
    scalar = _class(source, known.dtype.type, names)
    return f"{scalar} or {names.of(is_scalar_or_array_of)}({source}, {names.of(known)})"


def _layout(source, known, names):
    return f"{names.of(layout_of)}({source}) == {known!r}"


def _same_size(source, constant, names):
    axis, other, other_axis = constant
    return f"{source}.shape[{axis}] == {other}.shape[{other_axis}]"


def _serial(source, constant, names):
    kind, serial = constant
    return f"{_class(source, kind, names)} and {source}._serial == {serial}"


def _items(source, items, names):
    exact = f"{names.of(same_items)}({source}, {names.of(items)})"
    return f"{source} is {names.of(items)} or {exact}" if type(items) is tuple else exact


CONDITIONS: dict[str, Callable[[str, Any, Names], str]] = {
    "same": _same,
    "same_address": lambda source, address, names: f"{names.of(id)}({source}) == {address}",
    "same_variable": lambda source, other, names: f"{source} is {other}",
    "class": _class,
    "value": _value,
    "bases": lambda source, bases, names: f"{source}.__bases__ is {names.of(bases)}",
    "code": lambda source, code, names: f"{source}.__code__ is {names.of(code)}",
    "serial": _serial,
    "array": _array,
    "scalar_or_array": _scalar_or_array,
    "layout": _layout,
    "same_size": _same_size,
    "same_contents": lambda s, array, names: f"{names.of(same_array)}({s}, {names.of(array)})",
    "length": lambda source, length, names: f"{names.of(len)}({source}) == {length}",
    "keys": lambda source, keys, names: f"{names.of(same_items)}({source}, {names.of(keys)})",
    "items": _items,
    "dict_values": lambda s, items, n: f"{n.of(same_items)}({s}.values(), {n.of(items)})",
    "absent_globals": lambda s, absent, n: f"{s}.keys().isdisjoint({n.of(absent)})",
    "absent_attributes": lambda s, absent, n: f"{s}.__dict__.keys().isdisjoint({n.of(absent)})",
    "answer": lambda _, answer, names: f"{names.of(answer.is_same)}()",
    "counted": lambda _, results, names: f"{names.of(results.count)}()",
    "never": lambda *_: "False",
    "empty_slot": lambda s, m, n: f"{n.of(read_slot)}({s}, {n.of(m)}) is {n.of(MISSING)}",
}

PRINTERS = {**READS, **CONDITIONS}

# Conditions whose constant is a set of names that must not be bound.
ABSENCES = frozenset({"absent_globals", "absent_attributes"})


# -- functions that printed conditions call --------------------------------------------------------


def is_array_of(value: Any, known: TensorType) -> bool:
    """Whether a value is an array, or a memory map, of a type."""
    if type(value) is not np.ndarray and type(value) is not np.memmap:
        return False
    if value.dtype != known.dtype or value.ndim != len(known.shape):
        return False
    pairs = zip(value.shape, known.shape, strict=True)
    return value.shape == known.shape or all(
        size == wanted for size, wanted in pairs if isinstance(wanted, int)
    )


def is_scalar_or_array_of(value: Any, known: TensorType) -> bool:
    """Whether a value is a NumPy scalar, or an array without dimensions, of a type."""
    is_scalar = issubclass(type(value), np.generic) and value.dtype == known.dtype
    return is_scalar or is_array_of(value, known)


def same_array(now: Any, before: np.ndarray) -> bool:
    """Whether an array holds the same bits."""
    same_kind = type(now) is type(before) and now.dtype == before.dtype
    return same_kind and now.shape == before.shape and now.tobytes() == before.tobytes()


def same_items(now: Any, before: Any) -> bool:
    """Whether a container holds the same plain values, in the same order unless it is a set."""
    if len(now) != len(before):
        return False
    if isinstance(before, frozenset):
        return now == before and {(type(x), x) for x in now} == {(type(x), x) for x in before}
    return all(x is y or same_value(x, y) for x, y in zip(now, before, strict=True))


# -- explanations ----------------------------------------------------------------------------------


def _short(text, most=80):
    return text if len(text) <= most else text[: most - 3] + "..."
