"""Machine types: how scalars of a graph are held in registers and in memory.

int, i64      i64        an `int` that leaves 64 bits leaves the piece
float, f64    double
bool, b1      i1         one byte in memory
u8            i8         LLVM's integers have no sign: the operations have
float | f64   double, and a bit that says whether the value is NumPy's
int | f64     i64, double, which of them has the value, and that bit (`mixed_scalars.py`)
complex, c128 two doubles: the real and the imaginary part
(int, f64)    i64, double: a tuple is the registers of its items
optional[f64] i1, double: whether it is None, and the value, 0 if it is
"""

from dataclasses import dataclass, replace
from typing import Any

from runtime.ir.types import (
    BOOL,
    ListType,
    NothingType,
    OptionalType,
    PythonType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    is_array,
)


class NotLowered(Exception):
    """A node has no machine code; the message is the reason."""


@dataclass(frozen=True)
class Kind:
    """A machine type: its family is `b`, `i`, `u` or `f`, as in dtypes.

    A register holds one value, or those of several lanes.
    """

    family: str
    bits: int
    lanes: int = 1

    def in_lanes(self, lanes: int) -> "Kind":
        """The kind of registers with so many values."""
        return replace(self, lanes=lanes)

    def _of_lanes(self, type: str) -> str:
        return type if self.lanes == 1 else f"<{self.lanes} x {type}>"

    @property
    def register(self) -> str:
        """The LLVM type of a register."""
        if self.family == "f":
            return self._of_lanes({32: "float", 64: "double"}[self.bits])
        return self._of_lanes(f"i{self.bits}")

    @property
    def memory(self) -> str:
        """The LLVM type of elements of an array."""
        return self._of_lanes("i8") if self.family == "b" else self.register

    @property
    def truth(self) -> str:
        """The LLVM type of a comparison's result."""
        return self._of_lanes("i1")

    @property
    def itemsize(self) -> int:
        """The bytes of an element of an array."""
        return (self.bits + 7) // 8

    @property
    def suffix(self) -> str:
        """The type in the name of an LLVM intrinsic."""
        of_one = f"f{self.bits}" if self.family == "f" else f"i{self.bits}"
        return of_one if self.lanes == 1 else f"v{self.lanes}{of_one}"

    @property
    def is_float(self) -> bool:
        """Whether values are floats."""
        return self.family == "f"

    @property
    def is_integer(self) -> bool:
        """Whether values are integers; bools are not."""
        return self.family in "iu"

    @property
    def low(self) -> int:
        """The least integer."""
        return -(1 << (self.bits - 1)) if self.family == "i" else 0

    @property
    def high(self) -> int:
        """The largest integer."""
        return (1 << (self.bits - (self.family == "i"))) - 1


TRUTH = Kind("b", 1)
INTEGER = Kind("i", 64)
DOUBLE = Kind("f", 64)


def kind_of_dtype(dtype: Any) -> Kind:
    """The kind of an array's elements.  Raises `NotLowered` for complex numbers and f16."""
    if dtype.kind == "b":
        return TRUTH
    if dtype.kind in "iu" or dtype.kind == "f" and dtype.itemsize in (4, 8):
        return Kind(dtype.kind, 8 * dtype.itemsize)
    if dtype.kind == "c":
        raise NotLowered(f"it has no machine code for values of {dtype}")
    raise NotLowered(f"values of {dtype} have no machine code")


def options_of(type: Type) -> tuple[Type, ...]:
    """The types that a scalar may have in a run."""
    return tuple(type.options) if isinstance(type, UnionType) else (type,)


def kind_of(type: Type) -> Kind:
    """The kind of a scalar.

    Raises `NotLowered` for other values, and for scalars of which the run decides the kind.
    """
    kinds = kinds_of(type)
    if len(kinds) > 1:
        raise NotLowered(f"a run decides whether a scalar of type {type} is an integer or a float")
    return kinds[0]


def kinds_of(type: Type) -> tuple[Kind, ...]:
    """The kinds that a scalar may have in a run.  Raises `NotLowered` for other values."""
    if is_array(type) or not isinstance(type, PythonType | TensorType | UnionType):
        raise NotLowered(f"type {type} is not that of a scalar")
    return tuple(dict.fromkeys(kind_of_dtype(option.dtype) for option in options_of(type)))


def is_mixed(type: Type) -> bool:
    """Whether a run decides of which kind a scalar is: an integer or a float."""
    if not isinstance(type, UnionType):
        return False
    try:
        return len(kinds_of(type)) > 1
    except NotLowered:
        return False


def part_of_dtype(dtype: Any) -> Kind | None:
    """The kind of the parts of complex numbers; None for other dtypes."""
    if dtype.kind != "c" or dtype.itemsize > 16:
        return None
    return Kind("f", 4 * dtype.itemsize)


def element_type(dtype: Any) -> str:
    """The LLVM type of elements of an array.  Raises `NotLowered` for f16 and long doubles."""
    part = part_of_dtype(dtype)
    if part is None:
        return kind_of_dtype(dtype).memory
    return f"{{{part.register}, {part.register}}}"


def part_of(type: Type) -> Kind | None:
    """The kind of the parts of a scalar that is complex in every run; None for other values."""
    if is_array(type) or not isinstance(type, PythonType | TensorType | UnionType):
        return None
    parts = {part_of_dtype(option.dtype) for option in options_of(type)}
    return parts.pop() if len(parts) == 1 else None


def is_scalar(type: Type) -> bool:
    """Whether a value of a type is held in one register, or in two if a run decides the type."""
    try:
        kind_of(type)
    except NotLowered:
        return False
    return True


def is_number(type: Type) -> bool:
    """Whether a value of a type is a scalar, of one kind or of one that a run decides."""
    return is_scalar(type) or is_mixed(type)


def is_record(type: Type) -> bool:
    """Whether values of a type are tuples of scalars, or scalars or tuples that may be None."""
    if not isinstance(type, TupleType):
        return False
    return all(is_number(p) or is_record(p) or isinstance(p, NothingType) for p in type.places)


def scalars_of(type: Type) -> tuple[Type, ...]:
    """The types of the scalars that a value is held as, in order (`records.py`)."""
    if isinstance(type, NothingType):
        return ()
    if not isinstance(type, TupleType):
        return (type,)
    first: tuple[Type, ...] = (BOOL,) if isinstance(type, OptionalType) else ()
    return first + tuple(one for place in type.places for one in scalars_of(place))


def is_python(type: Type) -> bool:
    """Whether all values of a type are Python's."""
    return isinstance(type, PythonType)


def may_be_python(type: Type) -> bool:
    """Whether values of a type may be Python's."""
    return any(isinstance(option, PythonType) for option in options_of(type))


def is_list(type: Type) -> bool:
    """Whether values of a type are lists of scalars, tuples, arrays of one shape (`lists.py`), or
    lists of scalars or tuples (`list_rows.py`)."""
    return is_row(type) or (
        isinstance(type, ListType) and (is_item(type.element) or is_row(type.element))
    )


def is_row(type: Type) -> bool:
    """Whether values of a type are lists of scalars or tuples, or empty lists of no known type."""
    if not isinstance(type, ListType):
        return False
    element = type.element
    return is_number(element) or is_record(element) or isinstance(element, NothingType)


def is_item(type: Type) -> bool:
    """Whether values of a type are arrays of one dtype and shape: a list holds their elements."""
    if not isinstance(type, TensorType) or not is_array(type) or not type.ndim:
        return False
    has_kind = is_scalar(TensorType(type.dtype, ()))
    return has_kind and all(isinstance(size, int) for size in type.shape)


def is_counted(type: Type) -> bool:
    """Whether a piece counts references to values of a type: arrays and lists."""
    return is_array(type) or isinstance(type, ListType)


def components(type: Type) -> tuple[str, ...]:
    """The LLVM types of the registers that hold a value; of an array: the object, the address of
    its first element, and the sizes that the type does not know."""
    if is_list(type):
        return ("ptr", "ptr", "i64", "i64", "ptr")
    if isinstance(type, NothingType):
        return ()
    if is_record(type):
        return tuple(one for scalar in scalars_of(type) for one in components(scalar))
    if isinstance(type, TensorType) and is_array(type):
        element_type(type.dtype)
        if not type.ndim:
            raise NotLowered("a 0-d array has no machine code")
        return ("ptr", "ptr", *("i64" for size in type.shape if not isinstance(size, int)))
    if is_mixed(type):
        return (*(kind.register for kind in kinds_of(type)), "i8", "i1")
    part = part_of(type)
    registers = (kind_of(type).register,) if part is None else (part.register,) * 2
    return (*registers, "i1") if isinstance(type, UnionType) else registers


def zeros(type: Type) -> list[str]:
    """Registers of zeros, or of None, also for a value that is never read."""
    if is_record(type):
        assert isinstance(type, TupleType)
        first = ["true"] if isinstance(type, OptionalType) else []
        return first + [one for place in type.places for one in zeros(place)]
    found = {"float": "0.0", "double": "0.0", "ptr": "null"}
    return [found.get(one, "0") for one in components(type)]
