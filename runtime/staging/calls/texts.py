"""Characters of texts, and integers that are written in texts.

sum(int(d) for d in str(n))      the characters of a staged string are a staged list
int(text, 16), ord(c)            integers of strings that a run has
text.encode()                    bytes, an object that a run has
"""

import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ir.op import find
from runtime.ops.strings import LISTS, PARTITIONS
from runtime.staging.calls.host_values import asked
from runtime.staging.calls.registry import answers
from runtime.staging.generators import AS_LISTS, EACH
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing.strings import StagedString, call_method, no_array_of_text
from runtime.tracing.tensor import Tensor, apply


def characters(text: StagedString) -> TraceList:
    """The characters of a staged string, as a staged list of strings."""
    return TraceList.of(apply(find("characters"), text))


EACH[StagedString] = AS_LISTS[StagedString] = characters


def _list_by(method: str) -> Callable:
    """A method of strings that returns a list."""

    def parts(text: StagedString, *args: Any, **kwargs: Any) -> TraceList:
        given = inspect.signature(_SIGNATURES[method]).bind(*args, **kwargs)
        given.apply_defaults()
        return TraceList.of(call_method(text, method, given.args))

    parts.__name__ = method
    return parts


_SIGNATURES: dict[str, Callable] = {
    "split": lambda sep=None, maxsplit=-1: None,
    "rsplit": lambda sep=None, maxsplit=-1: None,
    "splitlines": lambda keepends=False: None,
}
for _method in LISTS.split():
    setattr(StagedString, _method, _list_by(_method))


def _three_by(method: str) -> Callable:
    """A method of strings that returns a tuple of three."""

    def parts(text: StagedString, sep: Any, /) -> tuple:
        found = TraceList.of(call_method(text, method, (sep,)))
        return found[0], found[1], found[2]

    parts.__name__ = method
    return parts


for _method in PARTITIONS.split():
    setattr(StagedString, _method, _three_by(_method))


def integer_of(function: Callable, text: StagedString, *base: Any, **named: Any) -> Any:
    """The integer that `int`, which may get a base, or `ord` makes of a string."""
    operands = _base(*base, **named)
    return apply(find("integer_of_text"), text, *operands, function=function.__name__)


def _base(*base: Any, **named: Any) -> tuple:
    """The base of `int(text, base)` as an operand, if there is one."""
    if len(base) + len(named) > 1 or named.keys() - {"base"}:
        int("0", *base, **named)  # which raises
    given = (*base, *named.values())
    return tuple(one if isinstance(one, Tensor) else operator.index(one) for one in given)


def float_of(text: StagedString) -> Any:
    """The float that a string has."""
    return apply(find("float_of_text"), text)


@answers(ord)
def staged_ord(character: Any) -> Any:
    """The code of a character."""
    return integer_of(ord, character) if isinstance(character, StagedString) else ord(character)


def _encoded(text: StagedString, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
    """The bytes of a string, an object of each run."""
    return asked(str.encode, text, encoding, errors)


StagedString.encode = _encoded  # type: ignore[attr-defined]


# -- functions of arrays ---------------------------------------------------------------------------


def refusing_texts(function: Any, found: Callable) -> Callable:
    """The callable for calls of a function; a ufunc refuses texts of a run.  NumPy raises TypeError
    for these, since operators with them are not ufuncs, which a handler would take for its own."""
    return functools.partial(_without_texts, found) if type(function) is np.ufunc else found


def _without_texts(found, /, *args, **kwargs):
    text = next((one for one in args if type(one) is StagedString), None)
    if text is not None:
        raise no_array_of_text(text)
    return found(*args, **kwargs)
