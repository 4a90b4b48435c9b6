"""The errors of Python about values without axes: scalars, and arrays of no dimensions."""

from runtime.ir.types import BoxType, PythonType, StringType, Type


def has_no_length(kind: Type) -> TypeError:
    """The error about `len(x)`."""
    return _error(kind, "object of type {!r} has no len()", "len() of unsized object")


def not_iterable(kind: Type, instruction: str = "") -> TypeError:
    """The error about a loop over `x`, or about an instruction that takes its elements."""
    scalar = _OF_INSTRUCTIONS.get(instruction, "{!r} object is not iterable")
    return _error(kind, scalar, "iteration over a 0-d array")


_OF_INSTRUCTIONS = {
    "UNPACK_SEQUENCE": "cannot unpack non-iterable {} object",
    "UNPACK_EX": "cannot unpack non-iterable {} object",
    "LIST_EXTEND": "Value after * must be an iterable, not {}",
}


def not_an_integer(kind: Type) -> TypeError:
    """The error about a bound of a range."""
    return TypeError(f"{_class_of(kind)!r} object cannot be interpreted as an integer")


def not_rounded(kind: Type) -> TypeError:
    """The error about `round(x)`."""
    return TypeError(f"type {_class_of(kind)} doesn't define __round__ method")


def _error(kind, scalar, array):
    return TypeError(array if isinstance(kind, BoxType) else scalar.format(_class_of(kind)))


def _class_of(kind):
    if isinstance(kind, (PythonType, StringType)):
        return kind.kind.__name__
    is_array = kind.shape or isinstance(kind, BoxType)
    return "numpy.ndarray" if is_array else f"numpy.{kind.dtype.type.__name__}"
