"""The joins of one of several objects: its options, and the number of the one that a run has.

f = np.sin or np.cos, and np.tan on the other path      three options, with other numbers
r = (i, x) or None, and 0.0 on the other path           None is one of the options
"""

import functools
from typing import Any

from autograph.backend import UNSET, Unset
from autograph.constructs.ternary import if_expr
from autograph.staging.accessors import Accessor, register_accessor
from autograph.staging.block_functions import itself
from autograph.staging.pytree import Container, register_container
from runtime.ir.op import find
from runtime.staging.chosen import NONE, Chosen, option_key
from runtime.staging.containers import StagedContainer
from runtime.staging.made_dicts import made_dicts, want_staged
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.tensor import Tensor, apply


def _made(keys: tuple, children: list) -> Any:
    which, *options = children
    return options[which] if isinstance(which, int) else Chosen(which, tuple(options), keys)


def _adapted(value: Any, keys: tuple) -> Any:
    """A value with the options that a join has found."""
    if isinstance(value, (MaybeNoneObject, MaybeNone)):
        found = _adapted(value.__unchecked__(), keys)
        none = keys.index(NONE)
        which = NumberOrNone(found.which, value.__is_none__, none)
        held = (None if i == none else one for i, one in enumerate(found.options))
        return Chosen(which, tuple(held), keys)
    if not isinstance(value, Chosen):
        key = option_key(value)
        held = [value if one == key else UNSET for one in keys]
        return Chosen(keys.index(key), tuple(held), keys)
    if value.keys == keys:
        return value
    numbers = tuple(keys.index(key) for key in value.keys)
    known = dict(zip(value.keys, value.options, strict=True))
    which = value.which
    if numbers != tuple(range(len(numbers))):
        which = numbers[which] if isinstance(which, int) else Renumbered(which, numbers)
    return Chosen(which, tuple(known.get(key, UNSET) for key in keys), keys)


class Renumbered:
    """The number of an option among others, which is recorded where it is needed."""

    def __init__(self, which: Tensor, numbers: tuple):
        self.which, self.numbers = which, numbers

    def recorded(self) -> Any:
        """The number."""
        found: Any = self.numbers[-1]
        for i, number in enumerate(self.numbers[:-1]):
            one, other = functools.partial(itself, number), functools.partial(itself, found)
            found = if_expr(apply(find("equal"), self.which, i), one, other)
        return found


class NumberOrNone(Renumbered):
    """The number of an option, or of None."""

    def __init__(self, which: Any, is_none: Any, none: int):
        self.which, self.is_none, self.none = which, is_none, none

    def recorded(self) -> Any:
        """The number."""
        known = self.which
        other = (
            known.recorded if isinstance(known, Renumbered) else functools.partial(itself, known)
        )
        return if_expr(self.is_none, functools.partial(itself, self.none), other)


def _possible(value):
    """The values that a variable may hold in a run."""
    return value.options if type(value) is Chosen else (value,)


def want_alike(*values: Any) -> None:
    """Notes that the dicts and sets among some values would have to be staged: others are, or have
    other keys."""
    held = [one for value in values for one in _possible(value)]
    dicts = [value for value in held if isinstance(value, dict)]
    have_other_keys = len({tuple(one) for one in dicts}) > 1
    if have_other_keys or any(isinstance(value, StagedContainer) for value in held):
        for value in held:
            want_staged(value)
        if any(one not in made_dicts() for one in dicts):  # a join has made it
            made_dicts().want_all()


CONTAINER = Container(
    children=lambda value: [value.which, *value.options],
    keys=lambda value: value.keys,
    make=_made,
    adapted=_adapted,
)
register_container(Chosen, CONTAINER)
register_accessor(
    Chosen,
    Accessor(
        lambda value: {i: one for i, one in enumerate(value.options) if not isinstance(one, Unset)},
        None,  # type: ignore[arg-type]
        None,  # type: ignore[arg-type]
        lambda path, key: path,
    ),
)
