"""Texts: what `print`, messages and f-strings make of values, and what is asked of texts.

    f"x is {x}"               text(x, parts=("x is ", (_0, "", "")))
    f"{x!r:>10}, {n}"         text(x, n, parts=((_0, "r", ">10"), ", ", (_1, "", "")))
    "%d of %d" % (x, n)       text_call("%d of %d", x, n, method="__mod__", given=((_0, _1),))
    name.ljust(8)             text_call(name, method="ljust", given=(8,))

A piece is a value, its conversion (`r`, `s`, `a`, or none) and its format, which may have pieces of
its own.  The text is made when the graph runs, of the value that Python would have there.
"""

from contextlib import suppress

import numpy as np

from runtime.ir.op import Op
from runtime.ir.slot import filled
from runtime.ir.traits import NoTraits, Traits
from runtime.ir.types import BOOL, INT, TEXT, ListType, TensorType, TextType, Type

CONVERSIONS = {"": lambda value: value, "s": str, "r": repr, "a": ascii}

# The methods of texts that graphs know, by what they give.
TEXTS = (
    "capitalize casefold center expandtabs ljust lower lstrip join removeprefix removesuffix "
    "replace rjust rstrip strip swapcase title upper zfill __add__ __getitem__ __mod__ __mul__"
)
TRUTHS = (
    "endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable "
    "isspace istitle isupper startswith __contains__ __eq__ __ge__ __gt__ __le__ __lt__ __ne__"
)
NUMBERS = "count find index rfind rindex __len__"
METHODS: dict[str, Type] = {
    **dict.fromkeys(TEXTS.split(), TEXT),
    **dict.fromkeys(TRUTHS.split(), BOOL),
    **dict.fromkeys(NUMBERS.split(), INT),
}


def formatted(parts, operands) -> str:
    """The text of some parts: texts, and pieces (value, conversion, format)."""
    texts = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
            continue
        value, conversion, spec = part
        spec = spec if isinstance(spec, str) else formatted(spec, operands)
        texts.append(format(CONVERSIONS[conversion](filled(value, operands)), spec))
    return "".join(texts)


def _example(type: Type):
    """A value of a type, which can be formatted as others of it can."""
    match type:
        case TextType():
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
        with suppress(OverflowError):  # which depends on the value
            formatted((piece,), [_example(operand) for operand in operands])
    return TEXT


def _pieces(parts):
    """The pieces whose format is known, which may not be one for such a value."""
    for part in parts:
        if not isinstance(part, str):
            if isinstance(part[2], str):
                yield part
            else:
                yield from _pieces(part[2])


text = Op(
    "text",
    "A text: its parts, which are texts and pieces (value, conversion, format), one after another.",
    _text_rule,
    lambda xp, operands, attributes: formatted(attributes["parts"], operands),
    arity=None,
    traits=NoTraits("It formats values of any types."),
)


def _call_rule(*operands, method, given):
    examples = [_example(operand) for operand in operands]
    if method != "__mod__":  # whose text says what may be given
        with suppress(ValueError, IndexError, OverflowError):  # which depend on the value
            _called(examples, method, given)
    return METHODS[method]


def _called(operands, method, given):
    """What a method of the first operand, which is a text, gives."""
    return getattr(operands[0], method)(*filled(given, operands))


text_call = Op(
    "text_call",
    "What a method of a text gives; `given` are its arguments, with slots for operands.",
    _call_rule,
    lambda xp, operands, attributes: _called(operands, **attributes),
    arity=None,
    traits=Traits(raises=(ValueError, IndexError)),
)
