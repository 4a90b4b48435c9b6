"""Operations on scalars of which only the run knows the type (`UnionType`).

    x + 1            an operator is computed as Python does: dynamic_add(x, 1)
    z_f64 * x        the result has one type: x is cast to the widest of its types
    z_i64 * x        an array of ints or of floats: x is cast, and a widening is noted
    z[x], [1] * x    x is taken as an int, since Python takes only ints there (`as_integer`); a run
                     in which it is a float leaves the call to the Python function

Code that is differentiated or mapped over a batch needs one type for each value, so there every
operation casts (`without_unions`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from runtime.errors import LibraryResultError, UnknownTypeError, staging_error
from runtime.ir.graph import Operand, Value, operand_type
from runtime.ir.op import Op, find
from runtime.ir.types import BOOL, INT, ListType, PythonType, TensorType, TupleType, Type, UnionType
from runtime.ir.unions import is_scalar, without_options
from runtime.ops.unions import choices, dynamic, results_of
from runtime.tracing.widenings import note


@dataclass
class Unions:
    """Whether the scalars of a trace may have a type that only the run knows."""

    are_kept: bool = True


@contextmanager
def without_unions(recorder: Any) -> Iterator[None]:
    """While it is open, each value has one type: it is differentiated, or mapped."""
    mode = recorder.state(Unions)
    before, mode.are_kept = mode.are_kept, False
    try:
        yield
    finally:
        mode.are_kept = before


def has_union(inputs: tuple[Operand, ...]) -> bool:
    """Whether one of some operands is a scalar of which only the run knows the type."""
    return any(isinstance(v, Value) and type(v.type) in MAY_HOLD and holds(v) for v in inputs)


OTHER = "a number that other runs make an int is a float here, where Python takes only ints"
MAY_HOLD = {UnionType, ListType, TupleType}


def holds(value: Value) -> bool:
    """Whether a value is such a scalar, or a list or tuple of them."""
    return without_options(value.type) != value.type


def settled(
    recorder: Any, op: Op, inputs: tuple[Operand, ...], attributes: dict[str, Any]
) -> tuple[Op, tuple[Operand, ...]]:
    """The op and the operands to record in place of an op on such scalars."""
    if op.traits.takes_unions or op.control_flow is not None:
        return op, inputs
    inputs = _with_integer_sizes(recorder, inputs, attributes)
    kinds = tuple(map(operand_type, inputs))
    form = dynamic_form(recorder, op, kinds, attributes)
    if form is not None:
        return form, inputs
    if not _accepts(op, tuple(map(without_options, kinds)), attributes):
        integers = tuple(as_integer(recorder, value) for value in inputs)
        if _accepts(op, tuple(map(operand_type, integers)), attributes):
            return op, integers
    return op, with_one_type(recorder, op, inputs, attributes)


def dynamic_form(
    recorder: Any, op: Op, kinds: tuple[Type, ...], attributes: dict[str, Any]
) -> Op | None:
    """The form of an op that takes such scalars as they are; None if it has none."""
    form = dynamic(op) if recorder.state(Unions).are_kept and not attributes else None
    return form if form is not None and _accepts(form, kinds) else None


def _with_integer_sizes(
    recorder: Any, inputs: tuple[Operand, ...], attributes: dict[str, Any]
) -> tuple[Operand, ...]:
    """The operands, of which the last are sizes: one for each unknown size of a shape."""
    shape = attributes.get("shape")
    count = shape.count(None) if isinstance(shape, tuple) else 0
    first = len(inputs) - count
    return (*inputs[:first], *(as_integer(recorder, size) for size in inputs[first:]))


def as_integer(recorder: Any, value: Operand, takes_bools: bool = False) -> Any:
    """A value that may be an int, in a place where Python takes only ints, as an int.

    A bool of Python is an int in some of these places (`takes_bools`), and a mask in a subscript of
    an array.  Other values are returned as they are.
    """
    if not isinstance(value, Value) or not isinstance(value.type, UnionType):
        return value
    options = value.type.options
    whole = tuple(one for one in options if _is_integer(one) or takes_bools and one == BOOL)
    if not whole:
        return value
    kind = whole[0] if len(whole) == 1 else INT
    return _of_types(recorder, value, whole, INT if kind == BOOL else kind)


def _of_types(recorder: Any, value: Value, kinds: tuple[Type, ...], kind: Type) -> Value:
    """A scalar that has one of some of its types, as a value of one type.

    A run in which it has another type leaves the call to the Python function.
    """
    if kinds != value.type.options:  # type: ignore[attr-defined]
        (holds,) = recorder.record(find("has_type"), (value,), {"types": kinds})
        recorder.record(
            find("assert_"), (holds,), {"error": LibraryResultError, "arguments": (OTHER,)}
        )
    name, attributes = "number", {"type": kind}
    if isinstance(kind, TensorType):
        name, attributes = "cast", {"dtype": kind.dtype}
    (found,) = recorder.record(find(name), (value,), attributes, hints=[value.hint])
    return found


def with_accepted_types(
    recorder: Any, op: Op, inputs: tuple[Operand, ...], attributes: dict[str, Any]
) -> tuple[Operand, ...]:
    """The operands, of which one has a single type that the op accepts, as a value of this type.

    np.negative(v)      of a bool of NumPy or an int: a TypeError for the bool
    """
    places = [i for i, one in enumerate(inputs) if is_union(one)]
    if len(places) != 1 or op.traits.takes_unions or op.control_flow is not None:
        return inputs
    if not recorder.state(Unions).are_kept:
        return inputs
    (place,) = places
    value, kinds = inputs[place], tuple(map(operand_type, inputs))
    options = value.type.options  # type: ignore[union-attr]
    accepted = tuple(
        one
        for one in options
        if _accepts(op, (*kinds[:place], one, *kinds[place + 1 :]), attributes)
    )
    if len(accepted) != 1 or len(options) == 1:
        return inputs
    found = _of_types(recorder, value, accepted, accepted[0])  # type: ignore[arg-type]
    return (*inputs[:place], found, *inputs[place + 1 :])


def is_union(value: Operand) -> bool:
    """Whether a value is a scalar of which only the run knows the type."""
    return isinstance(value, Value) and isinstance(value.type, UnionType)


def _is_integer(option: Type) -> bool:
    return option == INT or isinstance(option, TensorType) and option.dtype.kind in "iu"


def with_one_type(
    recorder: Any, op: Op, inputs: tuple[Operand, ...], attributes: dict[str, Any]
) -> tuple[Operand, ...]:
    """The operands as the widest of their types; notes a widening if the results may differ."""
    kinds = tuple(map(operand_type, inputs))
    if not has_one_type(op, kinds, attributes):
        _check_failure(op, kinds, attributes)
        for value in inputs:
            if isinstance(value, Value) and holds(value):
                note_use(recorder, value)
    return tuple(widened(recorder, value) for value in inputs)


def _accepts(form: Op, kinds: tuple[Type, ...], attributes: dict[str, Any] | None = None) -> bool:
    try:
        form.infer(*kinds, **attributes or {})
    except (TypeError, ValueError, IndexError):
        return False
    return True


def _check_failure(op: Op, kinds: tuple[Type, ...], attributes: dict[str, Any]) -> None:
    """Refuses an op that fails for the widest operands, if it is not known to fail for each type
    that a run may have in the same way."""
    widest = _failure(op, tuple(map(without_options, kinds)), attributes)
    if widest is None or all(
        _failure(op, chosen, attributes) == widest for chosen in choices(kinds)
    ):
        return
    types = " or ".join(map(str, (kind for kind in kinds if without_options(kind) != kind)))
    raise staging_error(
        f"an operation takes a scalar of type {types}, and some of the types make it raise "
        f"{widest[0].__name__}: {widest[1]}",
        "A branch or loop has left values of several types in the variable.",
        "Give the value one type: np.float64(y), or y.astype(np.int8).",
        UnknownTypeError,
    )


def _failure(op, kinds, attributes):
    """The class and the text of the exception that a type rule raises."""
    try:
        op.infer(*kinds, **attributes)
    except (TypeError, ValueError, IndexError) as error:
        return type(error), str(error)
    return None


def note_use(recorder: Any, value: Value) -> None:
    """Notes that a value is used as the widest of its types."""
    name = "a value" if value.hint == "v" else value.hint
    note(recorder, f"{name} is {value.type}, and is used as {without_options(value.type)}")


def has_one_type(op: Op, kinds: tuple[Type, ...], attributes: dict[str, Any]) -> bool:
    """Whether the results have the types that they have for the widest operands."""
    if "types" in attributes:  # of the results, as known for the widest operands
        return False
    if not all(map(is_scalar, filter(lambda kind: without_options(kind) != kind, kinds))):
        return False
    try:
        found = results_of(op, kinds, attributes)
        return all(one == op.infer(*map(without_options, kinds), **attributes) for one in found)
    except (TypeError, ValueError, IndexError):
        return False


def widened(recorder: Any, value: Operand) -> Operand:
    """A value as the widest of its types."""
    if not isinstance(value, Value) or not holds(value):
        return value
    kind: Any = without_options(value.type)
    name, attributes = ("cast", {"dtype": kind.dtype})
    if isinstance(kind, PythonType):
        name, attributes = "number", {"type": kind}
    if isinstance(kind, ListType):
        name, attributes = "list_cast", {"element": kind.element}
    (found,) = recorder.record(find(name), (value,), attributes, hints=[value.hint])
    return found
