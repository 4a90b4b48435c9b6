"""Strings: formatting values, as `print`, messages and f-strings do, and methods of strings.

    f"x is {x}"               text(x, parts=("x is ", (_0, "", "")))
    f"{x!r:>10}, {n}"         text(x, n, parts=((_0, "r", ">10"), ", ", (_1, "", "")))
    "%d of %d" % (x, n)       text_call("%d of %d", x, n, method="__mod__", given=((_0, _1),))
    name.ljust(8)             text_call(name, method="ljust", given=(8,))
    for c in str(n)           characters(text), a list of strings
    int(digit)                integer_of_text(digit, function="int")

A replacement field is a triple: a value, its conversion (`r`, `s`, `a`, or none) and its format
specification, which may contain fields itself.  The string is built when the graph runs, from the
value that Python would have at this point.
"""

from contextlib import suppress

import numpy as np

from runtime.ir.derivative import NoDerivative
from runtime.ir.op import Op
from runtime.ir.slot import Slot, fill_slots
from runtime.ir.traits import NoTraits, Traits
from runtime.ir.types import (
    BOOL,
    FLOAT,
    INT,
    OBJECT,
    STRING,
    ListType,
    StringType,
    TensorType,
    Type,
    UnionType,
)
from runtime.ir.unions import without_options
from runtime.ops.examples import SCALAR, call

CONVERSIONS = {"": lambda value: value, "s": str, "r": repr, "a": ascii}

# The string methods that graphs support, by the type of their results.
TEXTS = (
    "capitalize casefold center expandtabs ljust lower lstrip join removeprefix removesuffix "
    "replace rjust rstrip strip swapcase title translate upper zfill "
    "__add__ __getitem__ __mod__ __mul__"
)
TRUTHS = (
    "endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable "
    "isspace istitle isupper startswith __contains__ __eq__ __ge__ __gt__ __le__ __lt__ __ne__"
)
NUMBERS = "count find index rfind rindex __len__"
PARTITIONS = "partition rpartition"  # as lists of three
LISTS = f"rsplit split splitlines {PARTITIONS}"
METHODS: dict[str, Type] = {
    **dict.fromkeys(TEXTS.split(), STRING),
    **dict.fromkeys(TRUTHS.split(), BOOL),
    **dict.fromkeys(NUMBERS.split(), INT),
    **dict.fromkeys(LISTS.split(), ListType(STRING)),
}


def formatted(parts, operands) -> str:
    """The string built from parts: strings, and fields (value, conversion, format)."""
    texts = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
            continue
        value, conversion, spec = part
        spec = spec if isinstance(spec, str) else formatted(spec, operands)
        texts.append(format(CONVERSIONS[conversion](fill_slots(value, operands)), spec))
    return "".join(texts)


def _example(type: Type):
    """A value of a type that accepts the same format specifications as all values of the type."""
    type = without_options(type)
    match type:
        case StringType():
            return "1"
        case ListType():
            return []
        case TensorType(dtype, ()):
            return dtype.type(1)
        case TensorType(dtype, shape):
            return np.ones(tuple(size if isinstance(size, int) else 1 for size in shape), dtype)
    return type.kind(1)


def _text_rule(*operands, parts):
    for piece in _pieces(parts):
        if any(map(_is_known_in_run, operands)):
            break
        with suppress(OverflowError):  # it depends on the value
            formatted((piece,), [_example(operand) for operand in operands])
    return STRING


def _is_known_in_run(operand):
    """Whether only the run knows the class of an operand, and so which formats it accepts."""
    return operand == OBJECT or isinstance(operand, UnionType)


def _format_errors(types, attributes):
    if any(map(_is_known_in_run, types)) or _has_formats_of_run(attributes["parts"]):
        return ValueError, TypeError
    is_character = any(piece[2].endswith("c") for piece in _pieces(attributes["parts"]))
    return (OverflowError,) if is_character else ()


def _has_formats_of_run(parts):
    """Whether a field has a format that only a run knows."""
    return any(not isinstance(part, str) and not isinstance(part[2], str) for part in parts)


def _pieces(parts):
    """The fields with a constant format, which may be invalid for values of the operand's type."""
    for part in parts:
        if not isinstance(part, str):
            if isinstance(part[2], str):
                yield part
            else:
                yield from _pieces(part[2])


text = Op(
    "text",
    "A formatted string: its parts, strings and fields (value, conversion, format), concatenated.",
    _text_rule,
    lambda xp, operands, attributes: formatted(attributes["parts"], operands),
    arity=None,
    traits=Traits(raises=_format_errors, takes_unions=True),
    examples=lambda: [call(SCALAR, parts=("x is ", (Slot(0), "", ".3f")))],
)


def _call_rule(*operands, method, given):
    examples = [_example(operand) for operand in operands]
    if method != "__mod__":  # its arguments must match the string, which is unknown
        with suppress(ValueError, IndexError, OverflowError):  # these depend on the value
            _called(examples, method, given)
    return METHODS[method]


def _called(operands, method, given):
    """The result of a method of the first operand, which is a string."""
    if method not in METHODS:
        raise ValueError(f"{method!r} is not a method of strings that graphs call")
    filled = fill_slots(given, operands)
    filled = (dict(filled[0]),) if method == "translate" else filled  # a table as its pairs
    found = getattr(operands[0], method)(*filled)
    return list(found) if method in PARTITIONS.split() else found


def _errors_of_call(types, attributes):
    """The values of `template % values` may not match the template."""
    errors = ValueError, IndexError
    is_formatting = attributes["method"] == "__mod__"
    return (*errors, TypeError, OverflowError) if is_formatting else errors


text_call = Op(
    "text_call",
    "Calls a string method; `given` are its arguments, with slots for operands.",
    _call_rule,
    lambda xp, operands, attributes: _called(operands, **attributes),
    arity=None,
    traits=Traits(raises=_errors_of_call, takes_unions=True),
    examples=lambda: [call("graph", method="upper", given=())],
)


characters = Op(
    "characters",
    "The characters of a string, as a list of strings.",
    lambda text: ListType(STRING),
    lambda xp, operands, attributes: list(operands[0]),
    traits=NoTraits("It makes a list of the characters of one string."),
    examples=lambda: [call("graph")],
)

# The functions that make an integer of a string.
INTEGERS = {"int": int, "ord": ord}


def _integer_rule(text, *base, function):
    if function not in INTEGERS:
        raise ValueError(f"{function!r} is not a function that makes an integer of a string")
    return INT


def _integer_errors(types, attributes):
    return (TypeError,) if attributes["function"] == "ord" else (ValueError,)


integer_of_text = Op(
    "integer_of_text",
    "`int` or `ord` of a string; `int` may have a base.",
    _integer_rule,
    lambda xp, operands, attributes: INTEGERS[attributes["function"]](*operands),
    arity=None,
    traits=Traits(raises=_integer_errors),
    examples=lambda: [call("12", function="int"), call("ff", 16, function="int")],
)

float_of_text = Op(
    "float_of_text",
    "`float` of a string.",
    lambda text: FLOAT,
    lambda xp, operands, attributes: float(operands[0]),
    derivative=NoDerivative("A string has none: convert the number before it becomes a string."),
    traits=Traits(raises=(ValueError,)),
    examples=lambda: [call("1.5")],
)
