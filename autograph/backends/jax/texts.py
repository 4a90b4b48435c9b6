"""f-strings with tracers in them.

A text with traced values in it is a format and these values; it can be printed, and be the message
of an exception or of an `assert`.
"""

from typing import Any

import jax

from autograph.staging.errors import asked_for


class Text:
    """A text that a run makes: a format and the values in it."""

    def __init__(self, form: str, values: list):
        self.form, self.values = form, values

    @classmethod
    def of(cls, part: Any) -> "Text":
        """A value as a text; tracers are shown by the run."""
        if isinstance(part, Text):
            return part
        if isinstance(part, jax.core.Tracer):
            return cls("{}", [part])
        if type(part) in (tuple, list) and any(isinstance(x, jax.core.Tracer) for x in part):
            inside = [cls.of(one) for one in part]
            marks = "[]" if type(part) is list else "()"
            comma = "," if type(part) is tuple and len(part) == 1 else ""
            form = marks[0] + ", ".join(text.form for text in inside) + comma + marks[1]
            return cls(form, [value for text in inside for value in text.values])
        return cls(str(part).replace("{", "{{").replace("}", "}}"), [])

    def __str__(self) -> str:
        raise asked_for("a text with traced values in it is needed")

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return str(self)

    def __add__(self, other: Any) -> "Text":
        return joined((self, other)) if isinstance(other, (str, Text)) else NotImplemented

    def __radd__(self, other: Any) -> "Text":
        return joined((other, self)) if isinstance(other, str) else NotImplemented


def joined(parts: tuple, separator: str = "") -> Text:
    """The parts of a text, one after the other."""
    texts = [Text.of(part) for part in parts]
    form = separator.replace("{", "{{").replace("}", "}}").join(text.form for text in texts)
    return Text(form, [value for text in texts for value in text.values])


def shown(value: Any, spec: str, conversion: str) -> Text:
    """`f"{value!conversion:spec}"`, where the value is staged."""
    if isinstance(value, Text):
        return value
    if conversion in ("r", "a"):
        raise asked_for("the repr of a traced value is needed")
    return Text("{" + (f":{spec}" if spec else "") + "}", [value])


def has_staged(value: Any) -> bool:
    """Whether a run has to print a value."""
    if type(value) in (tuple, list):
        return any(map(has_staged, value))
    return isinstance(value, (jax.core.Tracer, Text))
