"""Strings of staged values: f-strings, `str`, `repr`, `format`, `join`.

    f"x is {x}"            ["x is ", (x, "", "")]                  one op that builds the string
    f"{[x, y]}"            ["[", (x, "r", ""), ", ", (y, "r", ""), "]"]
    f"{point}"             the result of `Point.__str__`, which is converted
    f"{3.5:>8}"            "     3.5"                              formatted while tracing

A string is a list of parts: Python strings and formatted staged values.  If no part is staged, the
result is a Python string.
"""

import dataclasses
import string
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from autograph.constructs.ternary import if_expr
from autograph.functions.calls import converted_call
from autograph.functions.policy import is_users_class
from autograph.staging.dunder_methods import original_method
from autograph.staging.lazy_elements import LazyElements
from runtime.errors import unsupported
from runtime.ir.op import find
from runtime.ir.pytree import LEAF, flatten
from runtime.ir.slot import Slot
from runtime.ir.types import STRING, ListType
from runtime.ops.strings import CONVERSIONS, METHODS
from runtime.staging.calls.iterables import collected, staged_list_of
from runtime.staging.calls.iteration import StagedCombined
from runtime.staging.calls.recorded_effects import in_run
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.chosen import Chosen
from runtime.staging.containers import StagedContainer
from runtime.staging.generators import consumed_list
from runtime.staging.lists.forms import refuse_forms
from runtime.staging.lists.staged_tuple import StagedTuple
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.staging.staged_values import KNOWN, shows_staged
from runtime.tracing.array_like import ArrayLike, read
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.strings import StagedString, call_method, is_string
from runtime.tracing.tensor import Tensor, apply


def string_of(value: Any, spec: Any = "", conversion: str = "") -> Any:
    """The string of a value, as `format` returns it: a `str`, or a `StagedString` if it is staged.

    `conversion` is that of a replacement field: `r`, `s`, `a`, or nothing.
    """
    if type(value) in KNOWN and type(spec) is str:
        return format(CONVERSIONS[conversion](value), spec)
    return joined(_parts(value, spec, conversion))


def _maybe_none(part):
    """A part of a string; for an optional value, the string in either case."""
    value, conversion, spec = part if isinstance(part, tuple) else (part, "", "")
    if isinstance(value, Chosen):
        return value.each(lambda one: string_of(one, spec, conversion))
    if not isinstance(value, (MaybeNone, MaybeNoneObject)):
        return part
    present = value.__unchecked__()
    return if_expr(
        value.__is_none__,
        lambda: string_of(None, spec, conversion),
        lambda: string_of(present, spec, conversion),
    )


def joined(parts: Any) -> Any:
    """One string from parts: strings, staged strings, and triples (value, conversion, format)."""
    parts = [_maybe_none(part) for part in parts if not isinstance(part, str) or part]
    if len(parts) == 1 and isinstance(parts[0], StagedString):
        return parts[0]
    parts = [(part, "", "") if isinstance(part, Tensor) else part for part in parts]
    if all(isinstance(part, str) for part in parts):
        return "".join(parts)
    operands: list[Any] = []

    def slotted(part):
        if isinstance(part, str):
            return part
        value, conversion, spec = part
        if isinstance(value, Tensor):
            operands.append(value)
            value = Slot(len(operands) - 1)
        if not isinstance(spec, str):
            spec = (slotted((spec, "", "")),)
        return value, conversion, spec

    template = tuple(map(slotted, parts))
    return apply(find("text"), *operands, parts=template)


def _parts(value, spec, conversion) -> Iterator:
    """The parts of the string of one value."""
    has_spec = isinstance(spec, StagedString) or bool(spec)
    if conversion and has_spec and not isinstance(value, (ArrayLike, Tensor)):
        yield from _parts(joined(_parts(value, "", conversion)), spec, "")
        return
    if isinstance(value, (StagedContainer, StagedTuple)):
        if has_spec:
            format(value.kind(), spec)  # which raises
        yield value.text() if isinstance(value, StagedContainer) else _tuple_text(value)
        return
    if around := getattr(type(value), "text_around", None):  # a deque
        format(value.plain_example(), spec)  # which raises
        before, after = around(value)
        yield before
        yield from _repr(value.as_list())
        yield after
        return
    if isinstance(value, TraceList) and value.value is not None:
        refuse_forms(value.value.type, "printed or formatted")
        value = value.value
    value = value.of_run() if isinstance(value, StagedRange) else in_run(value)
    if isinstance(value, (Chosen, MaybeNoneObject)):
        yield (value, conversion, spec)
    elif isinstance(value, ArrayLike):
        yield from _of_variable(value, spec, conversion)
    elif isinstance(value, Tensor):
        is_itself = value.type == STRING and conversion != "r" and conversion != "a"
        plain = isinstance(spec, str) and not spec
        yield value if is_itself and plain else (value, conversion, spec)
    elif is_container(value) and any(map(_needs_parts, _leaves(value))):
        if has_spec:
            format(type(value)(), spec)  # which raises
        yield from _container(value)
    elif (method := _users_method(value, conversion)) is not None:
        yield from _by_method(value, method, spec)
    elif isinstance(spec, StagedString):
        yield (value, conversion, spec)
    else:
        yield _plain(value, spec, conversion)


def _of_variable(value, spec, conversion):
    """The string of a variable: that of its value, or for `repr` also its name."""
    held = read(value)
    if conversion in ("r", "a"):
        held = held if held.type.ndim else held[()]
        text = joined((f"<{value.title}: ", (held, conversion, ""), ">"))
        yield (text, "", spec) if isinstance(spec, StagedString) or spec else text
    else:
        yield (held if held.type.ndim or conversion else held[()], conversion, spec)


def is_container(value):
    return isinstance(value, TraceList) or type(value) is not str and flatten(value)[1] != LEAF


def _leaves(value):
    return flatten(list(list.__iter__(value)) if isinstance(value, TraceList) else value)[0]


def _needs_parts(leaf):
    """Whether an item of a container is staged, or has a `__repr__` method of the user, which may
    return a staged string."""
    is_shown_so = hasattr(type(leaf), "text_around")
    return is_shown_so or shows_staged(leaf) or _users_method(leaf, "r") is not None


def _plain(value, spec, conversion):
    """The string of a value that is not staged.

    `repr` raises `StagingError` if it contains a staged value: see `unconverted_texts.py`.
    """
    return format(CONVERSIONS[conversion](value), spec)


# -- containers ------------------------------------------------------------------------------------


def _container(value) -> Iterator:
    """The string of a list, tuple or dict, as `repr` returns it."""
    if isinstance(value, dict):
        items = [[*_repr(key), ": ", *_repr(item)] for key, item in value.items()]
        yield from _enclosed("{", items, "}")
    elif isinstance(value, list):
        yield from _enclosed("[", map(_repr, list.__iter__(value)), "]")
    elif hasattr(value, "_fields"):
        yield from _fields(type(value).__name__, zip(value._fields, value, strict=True))
    else:
        yield from _enclosed("(", map(_repr, value), ",)" if len(value) == 1 else ")")


def _tuple_text(value):
    """The string of a staged tuple."""
    inside = string_of(value.items, "", "r")[1:-1]
    return joined(["(", inside, if_expr(value.length() == 1, lambda: ",)", lambda: ")")])


def _repr(value):
    return _parts(value, "", "r")


def _enclosed(start, items, end):
    yield start
    for i, item in enumerate(items):
        if i:
            yield ", "
        yield from item
    yield end


def _fields(name, fields):
    return _enclosed(f"{name}(", ([f"{field}=", *_repr(item)] for field, item in fields), ")")


# -- the user's objects ----------------------------------------------------------------------------


def _users_method(value, conversion):
    """The name of the user's method that makes a string of an object; None if there is none."""
    kind = type(value)
    if not is_users_class(kind) or issubclass(kind, type):
        return None
    names = {"": ("__format__", "__str__", "__repr__"), "s": ("__str__", "__repr__")}
    for name in names.get(conversion, ("__repr__",)):
        method = original_method(kind, name) or getattr(kind, name)
        if isinstance(method, FunctionType):
            return name
        if name == "__str__" and method is not object.__str__:
            return None  # of a class that is not written in Python, such as an exception
    return None


def _by_method(value, name, spec):
    """The result of the user's method for an object."""
    kind = type(value)
    written = original_method(kind, name)
    method = converted_call(written.__get__(value, kind))
    if name == "__format__":
        text = method(spec)
    elif isinstance(spec, str) and spec:
        object.__format__(value, spec)  # which raises
    elif _is_of_dataclass(kind, written):
        shown = [field.name for field in dataclasses.fields(value) if field.repr]
        yield from _fields(kind.__qualname__, [(name, getattr(value, name)) for name in shown])
        return
    else:
        text = method()
    if not is_string(text) and not isinstance(text, str):
        raise TypeError(f"{name} returned non-string (type {type(text).__name__})")
    yield text


def _is_of_dataclass(kind, method):
    """Whether a `__repr__` was generated by `dataclass`."""
    made = getattr(method, "__wrapped__", method)
    return dataclasses.is_dataclass(kind) and made.__code__.co_filename == "<string>"


# -- string methods --------------------------------------------------------------------------------


def string_method(function: Any) -> Any:
    """The replacement of a method of a Python string, whose arguments may be staged."""
    text, name = function.__self__, function.__name__

    def method(*args, **kwargs):
        if name == "join" and len(args) == 1 and not kwargs:
            return _join(text, args[0])
        given = (*args, *kwargs.values())
        made_of_objects = name == "format" and any(is_users_class(type(value)) for value in given)
        if not made_of_objects and not any(map(shows_staged, given)):
            found = function(*args, **kwargs)
            return TraceList(found) if type(found) is list else found
        if name == "format":
            return joined(_filled_template(text, args, kwargs, iter(range(len(args)))))
        if name not in METHODS:
            raise unsupported(f"str.{name} of staged values")
        if isinstance(METHODS[name], ListType):
            return getattr(apply(find("text"), parts=(text,)), name)(*args, **kwargs)
        return call_method(text, name, args)

    return method


def _join(separator, items):
    """`separator.join(items)`"""
    items = collected(items) if isinstance(items, LazyElements) else consumed_list(items)
    if isinstance(items, StagedCombined):
        items = staged_list_of(items)
    if is_staged_list(items):
        return call_method(separator, "join", (items.value,))
    items = list(items)
    if not any(isinstance(part, Tensor) for part in (separator, *items)):
        return separator.join(items)
    for i, item in enumerate(items):
        if not is_string(item):
            raise TypeError(
                f"sequence item {i}: expected str instance, {type(item).__name__} found"
            )
    return joined(part for i, item in enumerate(items) for part in ((separator, item)[not i :]))


StagedString.join = _join


def _filled_template(template, args, kwargs, numbers) -> Iterator:
    """The parts of `template.format(*args, **kwargs)`; `numbers` counts fields without a number."""
    formatter = string.Formatter()
    for text, field, spec, conversion in formatter.parse(template):
        yield text
        if field is None:
            continue
        if field == "" or field[0] in ".[":
            field = f"{next(numbers)}{field}"
        value, _ = formatter.get_field(field, args, kwargs)
        spec = joined(_filled_template(spec, args, kwargs, numbers))
        yield from _parts(value, spec, conversion or "")
