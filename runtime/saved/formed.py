"""Lists whose elements are dicts, in results of saved programs.

    rows.append({"x": x, "n": n})      the graph holds list[(f64, int)], its elements are dicts

    ["formed", "list[(f64, int)]", ["list", ["tuple", [["str", "x"], ["str", "n"]], [leaf, leaf]]]]

Elements of other classes, such as named tuples of the user, only their code can make.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from runtime.ir.type_text import parse_type
from runtime.ir.types import ListType, OptionalType, TupleType, Type
from runtime.staging.lists.forms import KEYS, Form, formed
from runtime.staging.templates import FormedOutput

LEAF = ["leaf"]


def formed_record(kind: Type, plain: Callable[[Any], list], error: type[Exception]) -> list:
    """The type of an output, and the dicts in it, as JSON; raises `error` for other elements."""

    def record(part):
        if isinstance(part, ListType):
            return ["list", record(part.element)]
        if isinstance(part, OptionalType):
            return ["optional", record(part.present)]
        if not isinstance(part, TupleType):
            return LEAF
        keys = None
        if part.form is not None:
            if not isinstance(part.form, Form) or part.form.kind is not dict:
                raise error("a list of named tuples, sets or objects")
            keys = list(map(plain, part.form.names))
        return ["tuple", keys, list(map(record, part.places))]

    return ["formed", str(kind), record(kind)]


def read_formed(text: str, record: Any, read_plain: Callable[[Any], Any]) -> FormedOutput:
    """The template of an output with dicts in it.  Raises `ValueError`."""

    def formed_type(kind, part):
        match part:
            case ["leaf"] if not isinstance(kind, (ListType, TupleType)):
                return kind
            case ["list", inside] if isinstance(kind, ListType):
                return replace(kind, element=formed_type(kind.element, inside))
            case ["optional", inside] if isinstance(kind, OptionalType):
                return replace(kind, places=(formed_type(kind.present, inside),))
            case ["tuple", keys, [*places]] if type(kind) is TupleType:
                found = tuple(map(formed_type, kind.places, places))
                if len(places) != len(kind.places):
                    break_off()
                return replace(kind, places=found, form=form_of(keys, len(found)))
        break_off()

    def form_of(keys, count):
        if keys is None:
            return None
        names = tuple(map(read_plain, keys)) if type(keys) is list else ()
        if len(set(names)) != count or not all(isinstance(one, KEYS) for one in names):
            break_off()
        return Form(dict, names)

    def break_off():
        raise ValueError("a result has other elements than its type")

    return FormedOutput(formed_type(parse_type(text), record), formed)
