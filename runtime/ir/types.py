"""Types: the static types of values in a graph.

    f64[batch, 3]      an array: 64-bit floats, a dimension called `batch`, three columns
    f32[None, 3]       a dimension of unknown size
    i64                a NumPy scalar
    i64[()]            a 0-d array: `np.array(3)`, which can be written into
    int                a Python scalar: unbounded, and weak beside an array (NEP 50)
    list[f64[2]]       a list whose elements are all of one type
    str                a Python string
    (int, f64)         a tuple, as an element of a list
    optional[f64]      an element of a list that holds None in some places
    object             an object of Python that graphs only pass on, such as an open file
    int | f64          a scalar that has one of these types: the run decides which

`b1` is the NumPy bool, `bool` the Python bool.  `type_text.py` reads the string of a type back.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from runtime.ir import unsupported

Dimension = int | str | None

DTYPES = {
    "b1": np.dtype(np.bool_),
    **{f"i{n}": np.dtype(f"int{n}") for n in (8, 16, 32, 64)},
    **{f"u{n}": np.dtype(f"uint{n}") for n in (8, 16, 32, 64)},
    **{f"f{n}": np.dtype(f"float{n}") for n in (16, 32, 64)},
    **{f"c{n}": np.dtype(f"complex{n}") for n in (64, 128)},
}
DTYPE_NAMES = {dtype: name for name, dtype in DTYPES.items()}


class Type:
    """The base class of types.  `dtype` is None for lists, tuples and strings."""

    dtype: Any = None  # np.dtype[Any] | None

    def __repr__(self) -> str:
        return f"<type {self}>"


@dataclass(frozen=True, repr=False)
class TensorType(Type):
    """An array or NumPy scalar: its dtype and the sizes of its dimensions."""

    dtype: np.dtype[Any]
    shape: tuple[Dimension, ...] = ()

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    def __str__(self) -> str:
        name = DTYPE_NAMES.get(self.dtype) or str(self.dtype)
        return f"{name}[{', '.join(map(str, self.shape))}]" if self.shape else name


@dataclass(frozen=True, repr=False)
class BoxType(TensorType):
    """A 0-d array.  Unlike a scalar it has memory, which can be written into."""

    def __str__(self) -> str:
        return f"{DTYPE_NAMES[self.dtype]}[()]"


def array_type(dtype: np.dtype[Any], shape: tuple[Dimension, ...]) -> TensorType:
    """The type of an array: without dimensions a 0-d array, not a scalar."""
    return TensorType(dtype, shape) if shape else BoxType(dtype)


def is_array(kind: Type) -> bool:
    """Whether values of a type are arrays, which have memory and can be written into.

    >>> is_array(tensor_type("f8", (2,))), is_array(tensor_type("f8")), is_array(INT)
    (True, False, False)
    """
    return isinstance(kind, TensorType) and (kind.ndim > 0 or isinstance(kind, BoxType))


def has_unknown_size(kind: Type) -> bool:
    """Whether a size of an array type is known only at run time."""
    return isinstance(kind, TensorType) and any(not isinstance(n, int) for n in kind.shape)


@dataclass(frozen=True, repr=False)
class PythonType(Type):
    """A Python scalar: `bool`, `int`, `float` or `complex`.

    `dtype` is the default dtype of NumPy for such a scalar.
    """

    kind: type

    shape = ()
    ndim = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "dtype", np.dtype(self.kind))

    def __str__(self) -> str:
        return self.kind.__name__


@dataclass(frozen=True, repr=False)
class ListType(Type):
    """A Python list, whose elements have one type."""

    element: Type

    def __str__(self) -> str:
        return f"list[{self.element}]"


@dataclass(frozen=True, repr=False)
class TupleType(Type):
    """A tuple as an element of a list: one type for each item.

    `form` says what the tuple stands for in the user's code, if it is no tuple there.  Only code
    that records graphs reads it.
    """

    places: tuple[Type, ...]
    form: Any = field(default=None, compare=False)

    def __str__(self) -> str:
        inside = ", ".join(map(str, self.places))
        return f"({inside},)" if len(self.places) == 1 else f"({inside})"


@dataclass(frozen=True, repr=False)
class OptionalType(TupleType):
    """An element of a list that is None in some places: it has no place, or one value."""

    @property
    def present(self) -> Type:
        """The type of the values that are not None."""
        return self.places[0]

    def __str__(self) -> str:
        return f"optional[{self.present}]"


@dataclass(frozen=True, repr=False)
class StringType(Type):
    """A Python string."""

    kind = str
    shape = ()
    ndim = 0

    def __str__(self) -> str:
        return "str"


@dataclass(frozen=True, repr=False)
class ObjectType(Type):
    """An object of Python that graphs cannot look into: the result of a host call."""

    kind = object
    shape = ()
    ndim = 0

    def __str__(self) -> str:
        return "object"


@dataclass(frozen=True, repr=False)
class UnionType(Type):
    """A scalar that has one of several types, as an `if` with another type on each side leaves it.

    `options` are sorted (`union_of`).  `dtype` is the one that can hold all of them.
    """

    options: tuple["PythonType | TensorType", ...]

    shape = ()
    ndim = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "dtype", promote(*self.options))

    @property
    def widest(self) -> Type:
        """The one type that can hold all values."""
        found: Type = self.options[0]
        for option in self.options[1:]:
            found = _wider_scalar(found, option)
        return found

    def __str__(self) -> str:
        return " | ".join(map(str, self.options))


@dataclass(frozen=True, repr=False)
class NothingType(Type):
    """The type of the elements of a list that is empty so far: it has no values."""

    def __str__(self) -> str:
        return "nothing"


STRING = StringType()
NOTHING = NothingType()
OBJECT = ObjectType()
BOOL, INT, FLOAT, COMPLEX = (PythonType(kind) for kind in (bool, int, float, complex))
PYTHON_TYPES = {kind.kind: kind for kind in (BOOL, INT, FLOAT, COMPLEX)}


# The kinds of dtypes that can hold Python scalars without loss of their kind.
SCALAR_KINDS = {bool: "biufc", int: "iufc", float: "fc", complex: "c"}


def tensor_type(dtype: Any, shape: Iterable[Dimension] = ()) -> TensorType:
    """A tensor type; `dtype` is anything that `np.dtype` accepts.

    Raises `TypeError` for dtypes that graphs do not support (object, str, datetime, records).

    >>> print(tensor_type("float32", (None, 3)))
    f32[None, 3]
    """
    dtype = _known_dtype(dtype).newbyteorder("=")
    if dtype not in DTYPE_NAMES:
        raise TypeError(
            f"arrays of {unsupported.named(dtype)} cannot be staged\n{unsupported.SUPPORTED}\n"
            + unsupported.remedy(dtype, "x")
        )
    return TensorType(dtype, tuple(shape))


def _known_dtype(dtype: Any) -> np.dtype[Any]:
    try:
        found: np.dtype[Any] = np.dtype(dtype)
    except TypeError:
        known = ", ".join(str(one) for one in DTYPE_NAMES)
        raise TypeError(f"there is no dtype {dtype!r}\nThe dtypes of graphs are {known}.") from None
    return found


def type_of(value: Any) -> Type | None:
    """The type of a Python scalar, NumPy scalar or array; None for other values.

    >>> print(type_of(np.ones((2, 3))), type_of(True), type_of(np.float32(1)), type_of(np.array(1)))
    f64[2, 3] bool f32 i64[()]
    """
    known = PYTHON_TYPES.get(type(value))
    if known is not None:
        return known
    if not isinstance(value, (np.ndarray, np.generic)) or value.dtype not in DTYPE_NAMES:
        return None
    is_box = isinstance(value, np.ndarray) and not value.shape
    return BoxType(value.dtype) if is_box else TensorType(value.dtype, value.shape)


# -- joins --------------------------------------------------------------------


def unify(left: Type, right: Type) -> Type | None:
    """The type of a variable that is a `left` on one path and a `right` on another; None if there
    is none.

    Python scalars become NumPy scalars beside these, dtypes are promoted, and sizes that differ
    become unknown.  Beside an object of Python, anything but a list is one as well.

    >>> print(unify(INT, tensor_type("f4")))
    f32
    >>> print(unify(tensor_type("i4", (2,)), tensor_type("i8", (3,))))
    i64[None]
    """
    if left == right:
        return left if forms(left) == forms(right) else None
    if NOTHING in (left, right):
        return right if left == NOTHING else left
    if isinstance(left, OptionalType) or isinstance(right, OptionalType):
        return join_optional(left, right, unify)
    left, right = widest(left), widest(right)
    if OBJECT in (left, right):
        return None if isinstance(left, ListType) or isinstance(right, ListType) else OBJECT
    if isinstance(left, ListType) and isinstance(right, ListType):
        element = unify(left.element, right.element)
        return None if element is None else ListType(element)
    if isinstance(left, TupleType) and isinstance(right, TupleType):
        return _unify_tuples(left, right)
    if isinstance(left, NO_ARRAYS) or isinstance(right, NO_ARRAYS):
        return None
    if isinstance(left, PythonType) and isinstance(right, PythonType):
        return _wider_scalar(left, right)
    assert isinstance(left, HAVE_SHAPE) and isinstance(right, HAVE_SHAPE)
    if left.ndim != right.ndim:
        return None
    shape = tuple(a if a == b else None for a, b in zip(left.shape, right.shape, strict=True))
    made = array_type if isinstance(left, BoxType) and isinstance(right, BoxType) else TensorType
    return made(promote(left, right), shape)


def join_optional(
    left: Type, right: Type, joined: Callable[[Type, Type], Type | None]
) -> Type | None:
    """The join of two types of which one includes None; `joined` is that of the others."""
    ends = [kind.present if isinstance(kind, OptionalType) else kind for kind in (left, right)]
    found = joined(*ends)
    return None if found is None else OptionalType((found,))


def widest(kind: Type) -> Type:
    """The widest option of a union; any other type itself."""
    return kind.widest if isinstance(kind, UnionType) else kind


def _wider_scalar(left: Type, right: Type) -> Type:
    """The type that can hold two kinds of scalars."""
    if isinstance(left, PythonType) and isinstance(right, PythonType):
        return max(left, right, key=lambda t: (bool, int, float, complex).index(t.kind))
    return TensorType(promote(left, right))


HAVE_SHAPE = (TensorType, PythonType)
NO_ARRAYS = (ListType, TupleType, StringType, ObjectType)


def _unify_tuples(left: TupleType, right: TupleType) -> Type | None:
    if len(left.places) != len(right.places) or left.form != right.form:
        return None
    return tuple_of(tuple(map(unify, left.places, right.places)), left.form)


def tuple_of(kinds: tuple[Type | None, ...], form: Any = None) -> TupleType | None:
    """The tuple type of some types; None if one of them is None."""
    known = tuple(kind for kind in kinds if kind is not None)
    return TupleType(known, form) if len(known) == len(kinds) else None


def forms(kind: Type) -> Any:
    """The forms of the tuples in a type."""
    if isinstance(kind, ListType):
        return forms(kind.element)
    if isinstance(kind, TupleType):
        return kind.form, *map(forms, kind.places)
    return None


def promote(*types: Type) -> np.dtype[Any]:
    """The dtype of an array that can hold values of all these types (NEP 50)."""
    if all(isinstance(t, PythonType) for t in types):
        return reduce(np.promote_types, (t.dtype for t in types))
    return np.result_type(*(t.kind(0) if isinstance(t, PythonType) else t.dtype for t in types))


def fits(value_type: Type, declared: Type) -> bool:
    """Whether a value of one type is accepted where another type is declared.

    Unknown and named dimensions accept any size, and a union each of its options.
    """
    if isinstance(declared, OptionalType) and not isinstance(value_type, OptionalType):
        return fits(value_type, declared.present)
    if isinstance(declared, UnionType):
        options = value_type.options if isinstance(value_type, UnionType) else (value_type,)
        return set(options) <= set(declared.options)
    if isinstance(declared, TensorType) and isinstance(value_type, TensorType):
        return (
            value_type.dtype == declared.dtype
            and value_type.ndim == declared.ndim
            and all(
                a == b or not isinstance(b, int)
                for a, b in zip(value_type.shape, declared.shape, strict=True)
            )
        )
    return value_type == declared
