"""The types of values for all elements of a batch at once."""

from runtime.ir.types import (
    Dimension,
    ListType,
    OptionalType,
    PythonType,
    TensorType,
    TupleType,
    Type,
    tuple_of,
)


def batch_type(kind: Type, size: Dimension) -> Type | None:
    """The type of a batch of `size` values of one type: arrays whose first axis is the batch, also
    for Python scalars; None if there is none (strings).

    >>> from runtime.ir.types import INT, tensor_type
    >>> print(batch_type(tensor_type("f4", (3,)), None), batch_type(ListType(INT), 5))
    f32[None, 3] list[i64[5]]
    """
    match kind:
        case TensorType() | PythonType():
            return TensorType(kind.dtype, (size, *kind.shape))
        case ListType(element):
            inside = batch_type(element, size)
            return None if inside is None else ListType(inside)
        case OptionalType():
            return None
        case TupleType(places):
            return tuple_of(tuple(batch_type(place, size) for place in places), kind.form)
    return None
