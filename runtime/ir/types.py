"""Types: what is known about a value before it exists.

    f64[batch, 3]      an array: 64-bit floats, a dimension called `batch`, three columns
    f32[None, 3]       a dimension of unknown size
    i64                a NumPy scalar
    i64[()]            an array without dimensions: `np.array(3)`, which can be written into
    int                a number of Python's: unbounded, and weak where it meets an array (NEP 50)
    list[f64[2]]       a list whose elements are all of one type
    str                a text
    (int, f64)         a tuple, as an element of a list

`b1` is NumPy's bool, `bool` Python's.  The text of a type is an expression that `parse_type` reads.
"""

import ast
from dataclasses import dataclass
from functools import cache, reduce

import numpy as np

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
    """What all types have in common: their text, and a dtype (of lists, None)."""

    dtype: np.dtype | None = None


@dataclass(frozen=True)
class TensorType(Type):
    """An array or NumPy scalar: its dtype and the sizes of its dimensions."""

    dtype: np.dtype
    shape: tuple[Dimension, ...] = ()

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    def __str__(self):
        name = DTYPE_NAMES[self.dtype]
        return f"{name}[{', '.join(map(str, self.shape))}]" if self.shape else name


@dataclass(frozen=True)
class BoxType(TensorType):
    """An array without dimensions: a box with one element, written into as scalars cannot be."""

    def __str__(self):
        return f"{DTYPE_NAMES[self.dtype]}[()]"


def array_type(dtype: np.dtype, shape: tuple[Dimension, ...]) -> TensorType:
    """The type of what is an array whatever its shape, where a scalar would be another thing."""
    return TensorType(dtype, shape) if shape else BoxType(dtype)


def is_array(kind: Type) -> bool:
    """Whether values of a type are arrays, which have memory and can be written into.

    >>> is_array(tensor_type("f8", (2,))), is_array(tensor_type("f8")), is_array(INT)
    (True, False, False)
    """
    return isinstance(kind, TensorType) and (kind.ndim > 0 or isinstance(kind, BoxType))


@dataclass(frozen=True)
class PythonType(Type):
    """A number of Python's: `bool`, `int`, `float` or `complex`."""

    kind: type

    shape = ()
    ndim = 0

    @property
    def dtype(self) -> np.dtype:
        """The dtype that NumPy gives such a number where nothing else decides."""
        return np.dtype(self.kind)

    def __str__(self):
        return self.kind.__name__


@dataclass(frozen=True)
class ListType(Type):
    """A list that grows; its elements share a type."""

    element: Type

    def __str__(self):
        return f"list[{self.element}]"


@dataclass(frozen=True)
class TupleType(Type):
    """A tuple in a list: a type for each place."""

    places: tuple[Type, ...]

    def __str__(self):
        inside = ", ".join(map(str, self.places))
        return f"({inside},)" if len(self.places) == 1 else f"({inside})"


@dataclass(frozen=True)
class TextType(Type):
    """A text of Python's."""

    kind = str
    shape = ()
    ndim = 0

    def __str__(self):
        return "str"


TEXT = TextType()
BOOL, INT, FLOAT, COMPLEX = (PythonType(kind) for kind in (bool, int, float, complex))
PYTHON_TYPES = {kind.kind: kind for kind in (BOOL, INT, FLOAT, COMPLEX)}


# The kinds of dtypes that hold numbers of Python's without losing what they are.
NUMBER_KINDS = {bool: "biufc", int: "iufc", float: "fc", complex: "c"}


def tensor_type(dtype, shape=()) -> TensorType:
    """A tensor type from anything that NumPy takes for a dtype.

    Raises `TypeError` for dtypes that graphs do not carry (object, str, datetime, records).

    >>> print(tensor_type("float32", (None, 3)))
    f32[None, 3]
    """
    dtype = np.dtype(dtype).newbyteorder("=")
    if dtype not in DTYPE_NAMES:
        known = ", ".join(str(d) for d in DTYPE_NAMES)
        raise TypeError(f"arrays of dtype {dtype} cannot be staged; those of {known} can")
    return TensorType(dtype, tuple(shape))


def type_of(value) -> Type | None:
    """The type of a concrete value: a Python number, NumPy scalar or array; None for others.

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


# -- text ------------------------------------------------------------------------------------------


@cache
def parse_type(text: str) -> Type:
    """The type that a text stands for.  Raises `ValueError` for other texts.

    >>> parse_type("list[f32[n, 2]]") == ListType(tensor_type("f4", ("n", 2)))
    True
    """
    try:
        return _from_syntax(ast.parse(text, mode="eval").body)
    except (SyntaxError, KeyError, ValueError, AttributeError):
        raise ValueError(
            f"{text!r} is no type; types look like f64[3, n], int, list[i32]"
        ) from None


def _from_syntax(node):
    match node:
        case ast.Name(id=name) if name in DTYPES:
            return TensorType(DTYPES[name])
        case ast.Name(id=name):
            return {str(kind): kind for kind in (*PYTHON_TYPES.values(), TEXT)}[name]
        case ast.Tuple(elts=places):
            return TupleType(tuple(map(_from_syntax, places)))
        case ast.Subscript(value=ast.Name(id="list"), slice=element):
            return ListType(_from_syntax(element))
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=sizes)):
            return array_type(DTYPES[name], tuple(map(_dimension, sizes)))
        case ast.Subscript(value=ast.Name(id=name), slice=size):
            return TensorType(DTYPES[name], (_dimension(size),))
    raise ValueError


def _dimension(node):
    match node:
        case ast.Name(id=name):
            return name
        case ast.Constant(value=int() | None as size):
            return size
    raise ValueError


# -- what types become together --------------------------------------------------------------------


class ShapeError(ValueError):
    """Shapes that do not fit; the message names them."""


def broadcast(*shapes: tuple[Dimension, ...]) -> tuple[Dimension, ...]:
    """The shape that arrays of these shapes have together (NumPy's broadcasting rules).

    An unknown dimension beside a size other than one becomes that size: if it does not fit, the run
    fails.  Raises `ShapeError`.

    >>> broadcast((3, 1), (None, 4), ())
    (3, 4)
    >>> broadcast((1, 1), (None, 4))
    (None, 4)
    """
    rank = max(map(len, shapes), default=0)
    aligned = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    return tuple(_broadcast_sizes(sizes, shapes) for sizes in zip(*aligned, strict=True))


def _broadcast_sizes(sizes, shapes):
    fixed = {size for size in sizes if isinstance(size, int) and size != 1}
    if len(fixed) > 1:
        raise ShapeError(f"shapes {' and '.join(map(str, shapes))} do not broadcast together")
    if fixed:
        return fixed.pop()
    open_ = {size for size in sizes if size != 1}
    if not open_:
        return 1
    return open_.pop() if len(open_) == 1 else None


def unify(left: Type, right: Type) -> Type | None:
    """The type of a variable that holds `left` on one path and `right` on another, None for none.

    Numbers of Python's give way to NumPy's, dtypes are promoted, sizes that differ become unknown.

    >>> print(unify(INT, tensor_type("f4")))
    f32
    >>> print(unify(tensor_type("i4", (2,)), tensor_type("i8", (3,))))
    i64[None]
    """
    if left == right:
        return left
    if isinstance(left, ListType) and isinstance(right, ListType):
        element = unify(left.element, right.element)
        return None if element is None else ListType(element)
    if isinstance(left, TupleType) and isinstance(right, TupleType):
        return _unify_tuples(left.places, right.places)
    if isinstance(left, NO_ARRAYS) or isinstance(right, NO_ARRAYS):
        return None
    if isinstance(left, PythonType) and isinstance(right, PythonType):
        return max(left, right, key=lambda t: (bool, int, float, complex).index(t.kind))
    if left.ndim != right.ndim:
        return None
    shape = tuple(a if a == b else None for a, b in zip(left.shape, right.shape, strict=True))
    made = array_type if isinstance(left, BoxType) and isinstance(right, BoxType) else TensorType
    return made(promote(left, right), shape)


NO_ARRAYS = (ListType, TupleType, TextType)


def _unify_tuples(left, right):
    if len(left) != len(right):
        return None
    places = tuple(map(unify, left, right))
    return None if None in places else TupleType(places)


def batch_type(kind: Type, size: Dimension) -> Type | None:
    """The type that holds a value of a type for each of `size` elements of a batch: arrays with the
    batch in front, of numbers of Python's as well; None where there is none.

    >>> print(batch_type(tensor_type("f4", (3,)), None), batch_type(ListType(INT), 5))
    f32[None, 3] list[i64[5]]
    """
    match kind:
        case TensorType() | PythonType():
            return TensorType(kind.dtype, (size, *kind.shape))
        case ListType(element):
            inside = batch_type(element, size)
            return None if inside is None else ListType(inside)
        case TupleType(places):
            parts = tuple(batch_type(place, size) for place in places)
            return None if None in parts else TupleType(parts)
    return None


def promote(*types: Type) -> np.dtype:
    """The dtype of an array that holds values of all these types (NEP 50)."""
    if all(isinstance(t, PythonType) for t in types):
        return reduce(np.promote_types, (t.dtype for t in types))
    return np.result_type(*(t.kind(0) if isinstance(t, PythonType) else t.dtype for t in types))


def fits(value_type: Type, declared: Type) -> bool:
    """Whether a value of one type may stand where another is declared.

    Unknown and named dimensions take any size.
    """
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
