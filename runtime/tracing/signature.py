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

import enum
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.errors import with_article
from runtime.errors import DtypeError, SignatureError, users_location
from runtime.ir import unsupported
from runtime.ir.pytree import Structure, flatten
from runtime.ir.types import (
    DTYPE_NAMES,
    PYTHON_TYPES,
    ListType,
    PythonType,
    TensorType,
    Type,
    UnionType,
    fits,
    tensor_type,
    type_of,
    unify,
)
from runtime.ir.unions import is_scalar, join, union_of
from runtime.tracing.descriptions import VALUES, described, kind_name


def is_value(value: Any) -> bool:
    """Whether an object is compared by value."""
    kind = type(value)
    return kind in VALUES or issubclass(kind, (enum.Enum, np.dtype))


def same_value(one: Any, other: Any) -> bool:
    """Whether two plain values are the same: of one type, -0.0 is not 0.0, and nan is nan.

    Members of enumerations are the same if they are one object.  No user code runs.
    """
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if kind is slice:
        pairs = ((one.start, other.start), (one.stop, other.stop), (one.step, other.step))
        return all(same_value(*pair) for pair in pairs)
    if kind in VALUES:
        return one.__repr__() == other.__repr__()
    return issubclass(kind, np.dtype) and one == other


@dataclass(frozen=True)
class Constant:
    """A Python value in a signature."""

    kind: type
    text: str  # distinguishes -0.0 from 0.0, and is the same for every nan
    value: Any = field(compare=False)

    def __str__(self):
        return self.text


@dataclass(frozen=True, eq=False)
class Identity:
    """An object in a signature, compared by identity; if possible it is not kept alive.

    Another object that later gets the address of one that has been freed is not equal to it.
    """

    address: int
    kind: type
    reference: Any  # the object, or the only weak reference to it that has no callback

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.reference is other.reference

    def __hash__(self) -> int:
        return self.address

    @property
    def is_gone(self) -> bool:
        """Whether the object has been freed, so that no call can match."""
        return isinstance(self.reference, weakref.ref) and self.reference() is None

    def __str__(self):
        return f"<{kind_name(self.kind)}>"


@dataclass(frozen=True)
class ListKey:
    """A list that code in a graph passes to a function, compared by identity."""

    identity: Identity
    type: ListType = field(compare=False)


Key = Type | Constant | Identity | ListKey


@dataclass(frozen=True, repr=False)
class Signature:
    """The structure of a call's arguments, and a key for each leaf."""

    structure: Structure
    keys: tuple[Key, ...]

    def __str__(self):
        return ", ".join(map(str, self.keys))

    def __repr__(self):
        return f"<signature {self}>"

    def accepts(self, other: "Signature") -> bool:
        """Whether calls of another signature may use a graph of this one."""
        return self.structure == other.structure and all(map(accepts, self.keys, other.keys))

    def relaxed(self, other: "Signature") -> "Signature | None":
        """A signature that accepts the calls of both: sizes that differ become unknown, Python
        scalars that differ become staged.  None if anything else differs."""
        if self.structure != other.structure:
            return None
        keys = tuple(map(_relaxed, self.keys, other.keys))
        return None if None in keys else Signature(self.structure, keys)


def accepts(declared: Key, given: Key) -> bool:
    """Whether an argument may be used where a signature declares a type or a constant."""
    if isinstance(declared, PythonType | UnionType) and isinstance(given, Constant):
        return given.kind in PYTHON_TYPES and fits(PYTHON_TYPES[given.kind], declared)
    if isinstance(declared, Type) and isinstance(given, ListKey):
        return join(given.type, declared) == declared
    if isinstance(declared, Type) and isinstance(given, Type):
        return fits(given, declared)
    return declared == given


def _relaxed(one, other):
    if one == other:
        return one
    if isinstance(one, TensorType) and isinstance(other, TensorType):
        return unify(one, other) if one.dtype == other.dtype else None
    types = _type_of_key(one), _type_of_key(other)
    if all(isinstance(kind, ListType) for kind in types):
        return join(*types)
    if UnionType in map(type, types):
        return union_of(*types) if all(map(is_scalar, types)) else None
    is_number = types[0] is types[1] and isinstance(types[0], PythonType)
    return types[0] if is_number and types[0].kind is not bool else None


def _type_of_key(key):
    """The type that stands for a key where its values differ; None if there is none."""
    if isinstance(key, ListKey):
        return key.type
    return PYTHON_TYPES.get(key.kind) if isinstance(key, Constant) else key


@dataclass(frozen=True, init=False, repr=False)
class TensorSpec:
    """The declaration of an array argument: its shape and dtype; sizes may be None or names.

    >>> print(TensorSpec((None, 3), np.float32))
    f32[None, 3]
    """

    shape: tuple = ()
    dtype: Any = np.float64
    name: str | None = None

    def __init__(self, shape: Sequence = (), dtype: Any = np.float64, name: str | None = None):
        """Raises `TypeError` if the shape is not a sequence of ints, names and None."""
        object.__setattr__(self, "shape", _checked_shape(shape))
        object.__setattr__(self, "dtype", dtype)
        object.__setattr__(self, "name", name)

    @property
    def type(self) -> TensorType:
        """The type.  Raises `TypeError` for dtypes that graphs do not support."""
        return tensor_type(self.dtype, tuple(self.shape))

    def __str__(self):
        return str(self.type)

    def __repr__(self):
        name = "" if self.name is None else f", name={self.name!r}"
        return f"rt.TensorSpec({self.shape!r}, np.{np.dtype(self.dtype).name}{name})"


def _checked_shape(shape):
    """A shape as a tuple.  Raises `TypeError` for anything that is no shape."""
    if isinstance(shape, (tuple, list)):
        if all(size is None or isinstance(size, (str, int, np.integer)) for size in shape):
            return tuple(int(size) if isinstance(size, np.integer) else size for size in shape)
        why = "Its sizes are ints, None for any size, or names of sizes."
    else:
        why = "A shape is a tuple, and comes before the dtype."
    what = f"an rt.TensorSpec has the shape {shape!r}"
    remedy = "Write rt.TensorSpec((None, 3), np.float64); rt.TensorSpec(()) is a scalar."
    raise SignatureError.about(what, users_location(), why, remedy)


def key_of(leaf: Any, path: str = "x") -> Key:
    """The key of one argument.  Raises `TypeError` for arrays that cannot be staged."""
    kind = type(leaf)
    if issubclass(kind, (np.ndarray, np.generic)):
        if leaf.dtype not in DTYPE_NAMES:
            raise _unsupported_dtype(leaf, path)
        if issubclass(kind, np.ndarray) and kind not in (np.ndarray, np.memmap):
            raise _unsupported_class(leaf, path)
        return type_of(leaf)
    if is_value(leaf):
        return Constant(kind, described(leaf), leaf)
    if kind is TensorSpec:
        return leaf.type
    try:
        reference = weakref.ref(leaf)
    except TypeError:
        reference = leaf
    return Identity(id(leaf), kind, reference)


def _unsupported_dtype(array, path):
    kind = "an array" if isinstance(array, np.ndarray) else "a scalar"
    what = f"{path} is {kind} of {unsupported.named(array.dtype)}, which graphs do not support"
    remedy = unsupported.remedy(array.dtype, path)
    return DtypeError.about(what, users_location(), unsupported.SUPPORTED, remedy)


def _unsupported_class(array, path):
    what = f"{path} is {with_article(type(array).__name__)}, which graphs do not support"
    why = "Its operators and methods differ from those of np.ndarray."
    remedy = f"Pass a plain array: np.asarray({path})"
    if isinstance(array, np.ma.MaskedArray):
        remedy = f"Pass a plain array, {path}.filled(0), and the mask, {path}.mask, as arguments."
    return DtypeError.about(what, users_location(), why, remedy)


def signature_of(arguments: tuple, parameters: list[str]) -> tuple[list, Signature]:
    """The leaves of a call's arguments, and its signature.

    Raises `TypeError`, which names the argument, for arrays that cannot be staged.
    """
    leaves, structure = flatten(arguments)
    try:
        keys = tuple(map(key_of, leaves))
    except TypeError:
        for path, leaf in zip(leaf_paths(structure, parameters), leaves, strict=True):
            key_of(leaf, path)
        raise
    return leaves, Signature(structure, keys)


def leaf_paths(structure: Structure, parameters: list[str]) -> list[str]:
    """The path of each leaf of a call's arguments: `x`, `options['rate']`."""
    children = zip(parameters, structure.children, strict=True)
    return [path for name, child in children for path in _paths(name, child)]


def _paths(path, structure):
    if structure.kind is None:
        yield path
    for i, child in enumerate(structure.children):
        yield from _paths(f"{path}[{structure.keys[i] if structure.keys else i!r}]", child)
