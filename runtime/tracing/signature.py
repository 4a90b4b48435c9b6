"""Signatures: which calls of a function can share a graph.

    f(np.ones((2, 3)), 4)          f64[2, 3], 4
    f(np.zeros((2, 3)), 4)         the same graph
    f(np.ones((2, 3)), 4.0)        another one: 4 and 4.0 are different values

Arrays and NumPy scalars are staged; they are compared by dtype and shape.  Python scalars, strings
and None are constants of the graph; they are compared by type and value (1, 1.0, True and -0.0 are
four values).  Other objects are compared by identity, containers by structure.

A signature may be more general: unknown or named sizes, and staged Python scalars (`TensorSpec`,
`reduce_retracing`).
"""

import datetime
import decimal
import enum
import fractions
import weakref
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime.ir.pytree import Structure, flatten
from runtime.ir.types import (
    DTYPE_NAMES,
    PYTHON_TYPES,
    PythonType,
    TensorType,
    Type,
    fits,
    tensor_type,
    type_of,
    unify,
)

# Types of immutable objects, compared by value; `repr` distinguishes -0.0 from 0.0.
VALUES = frozenset(
    (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), range, slice)
    + (decimal.Decimal, fractions.Fraction, datetime.date, datetime.datetime, datetime.timedelta)
)


def is_value(value: Any) -> bool:
    """Whether an object is compared by value."""
    return type(value) in VALUES or isinstance(value, (enum.Enum, np.dtype))


def same_value(one: Any, other: Any) -> bool:
    """Whether two plain values are the same: of one type, -0.0 is not 0.0, and nan is nan."""
    return one is other or (
        type(one) is type(other) and is_value(one) and one.__repr__() == other.__repr__()
    )


@dataclass(frozen=True)
class Constant:
    """A Python value in a signature."""

    kind: type
    text: str  # distinguishes -0.0 from 0.0, and is the same for every nan
    value: Any = field(compare=False)

    def __str__(self):
        return self.text


@dataclass(frozen=True)
class Identity:
    """An object in a signature, compared by identity; if possible it is not kept alive."""

    address: int
    kind: type
    reference: Any = field(compare=False)

    @property
    def is_gone(self) -> bool:
        """Whether the object has been freed, so that no call can match."""
        return isinstance(self.reference, weakref.ref) and self.reference() is None

    def __str__(self):
        return f"<{self.kind.__name__}>"


Key = Type | Constant | Identity


@dataclass(frozen=True)
class Signature:
    """The structure of a call's arguments, and a key for each leaf."""

    structure: Structure
    keys: tuple[Key, ...]

    def __str__(self):
        return ", ".join(map(str, self.keys))

    def accepts(self, other: "Signature") -> bool:
        """Whether calls of another signature may use a graph of this one."""
        return self.structure == other.structure and all(map(_accepts, self.keys, other.keys))

    def relaxed(self, other: "Signature") -> "Signature | None":
        """A signature that accepts the calls of both: sizes that differ become unknown, Python
        scalars that differ become staged.  None if anything else differs."""
        if self.structure != other.structure:
            return None
        keys = tuple(map(_relaxed, self.keys, other.keys))
        return None if None in keys else Signature(self.structure, keys)


def _accepts(declared, given):
    if isinstance(declared, PythonType) and isinstance(given, Constant):
        return given.kind is declared.kind
    if isinstance(declared, Type) and isinstance(given, Type):
        return fits(given, declared)
    return declared == given


def _relaxed(one, other):
    if one == other:
        return one
    if isinstance(one, TensorType) and isinstance(other, TensorType):
        return unify(one, other) if one.dtype == other.dtype else None
    kinds = {key.kind for key in (one, other) if isinstance(key, (Constant, PythonType))}
    staged = not isinstance(one, TensorType) and not isinstance(other, TensorType)
    if staged and len(kinds) == 1 and kinds <= {int, float, complex}:
        return PYTHON_TYPES[kinds.pop()]
    return None


@dataclass(frozen=True)
class TensorSpec:
    """The declaration of an array argument: its shape and dtype; sizes may be None or names.

    >>> print(TensorSpec((None, 3), np.float32))
    f32[None, 3]
    """

    shape: tuple = ()
    dtype: Any = np.float64
    name: str | None = None

    @property
    def type(self) -> TensorType:
        """The type.  Raises `TypeError` for dtypes that graphs do not carry."""
        return tensor_type(self.dtype, tuple(self.shape))

    def __str__(self):
        return str(self.type)


def key_of(leaf: Any) -> Key:
    """The key of one argument.  Raises `TypeError` for arrays that cannot be staged."""
    if isinstance(leaf, (np.ndarray, np.generic)):
        if leaf.dtype not in DTYPE_NAMES:
            raise TypeError(
                f"an argument has dtype {leaf.dtype}, which graphs do not support; "
                "convert it to numbers or bools"
            )
        if isinstance(leaf, np.ndarray) and type(leaf) not in (np.ndarray, np.memmap):
            raise TypeError(
                f"an argument is a {type(leaf).__name__}, whose operators differ from those of "
                "np.ndarray; pass np.asarray(x)"
            )
        return type_of(leaf)
    if is_value(leaf):
        return Constant(type(leaf), repr(leaf), leaf)
    if isinstance(leaf, TensorSpec):
        return leaf.type
    try:
        reference = weakref.ref(leaf)
    except TypeError:
        reference = leaf
    return Identity(id(leaf), type(leaf), reference)


def signature_of(arguments: Any) -> tuple[list, Signature]:
    """The leaves of a call's arguments, and its signature."""
    leaves, structure = flatten(arguments)
    return leaves, Signature(structure, tuple(map(key_of, leaves)))


# -- signatures that the user gives ----------------------------------------------------------------


def declared_type(spec: Any) -> Type | None:
    """The type that a leaf of an `input_signature` declares; None for a plain value."""
    if isinstance(spec, TensorSpec):
        return spec.type
    return PYTHON_TYPES.get(spec) if isinstance(spec, type) else None


def declared(specs: Any, given: tuple[list, Signature], names: list[str], function: str):
    """The signature of a call of a function that has an `input_signature`.

    `specs` has a spec for each of the first parameters, nested like the arguments.  Raises
    `TypeError` for an argument that does not match; nothing is converted.
    """
    leaves, signature = given
    wanted, structure = flatten(tuple(specs))
    count = len(specs)
    if count > len(signature.structure.children):
        raise TypeError(f"the input_signature of {function} has {count} specs, which are too many")
    if structure.children != signature.structure.children[:count]:
        raise TypeError(
            f"{function} is called with arguments {signature.structure}, but its input_signature "
            f"says {structure}"
        )
    keys = list(signature.keys)
    for i, spec in enumerate(wanted):
        kind = declared_type(spec)
        if kind is None:
            kind = key_of(spec)
        if not _accepts(kind, keys[i]):
            raise TypeError(_mismatch(function, names[i], leaves[i], keys[i], kind))
        keys[i] = kind
    _check_named_sizes(keys, [getattr(leaf, "shape", ()) for leaf in leaves], names, function)
    return Signature(signature.structure, tuple(keys))


def _mismatch(function, name, leaf, given, wanted):
    shown = str(type_of(leaf) or given) if not isinstance(given, Type) else str(given)
    text = f"{name} is {shown}, but the input_signature of {function} says {wanted}"
    if not isinstance(wanted, Type) or isinstance(wanted, PythonType):
        return f"{text}; nothing is cast"
    kind = np.dtype(wanted.dtype).name
    remedy = f"np.{kind}({name})" if not wanted.shape else f"np.asarray({name}, dtype=np.{kind})"
    return f"{text}; nothing is cast: pass {remedy}"


def _check_named_sizes(keys, shapes, names, function):
    sizes: dict[str, tuple] = {}
    for key, shape, name in zip(keys, shapes, names, strict=True):
        if not isinstance(key, TensorType):
            continue
        for dimension, size in zip(key.shape, shape, strict=True):
            if not isinstance(dimension, str) or not isinstance(size, int):
                continue
            known, of = sizes.setdefault(dimension, (size, name))
            if known != size:
                raise TypeError(
                    f"the size {dimension!r} is {known} in {of} and {size} in {name}, "
                    f"but the input_signature of {function} says that they are equal"
                )
