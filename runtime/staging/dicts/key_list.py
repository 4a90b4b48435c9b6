"""The keys of a dict or a set that a function makes, as a list that may become staged.

place(keys, "a")      the index of a key; -1 if it is not there
"""

import functools
from typing import Any

import numpy as np

from autograph.constructs.ternary import if_expr
from autograph.staging.accessors import Accessor, register_accessor
from runtime.errors import ContainerError, staging_error
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.ir.types import OBJECT, BoxType, TensorType, Type
from runtime.staging.calls.host_values import HostValue, hidden_key_error
from runtime.staging.containers import StagedContainer
from runtime.staging.lists.elements import type_of_element
from runtime.staging.lists.forms import ContainerForm
from runtime.staging.lists.method_arguments import is_operand
from runtime.staging.lists.nested_list import ListPart
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing.conversion import cast
from runtime.tracing.known_truth import known_truth
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.tensor import apply, is_staged, staged
from runtime.tracing.unconverted_texts import text_outside


class KeyedContainer(StagedContainer):
    """A dict or a set of which only the run knows the keys."""

    own_removals = 0

    @classmethod
    def of_lists(cls, form: ContainerForm, parts: tuple) -> Any:
        """One of these parts, which are lists, or staged lists of the graph."""
        made = cls()
        for name, part in zip(form.names, parts, strict=True):
            made.held[name] = part if isinstance(part, TraceList) else TraceList.of(part)
        return made

    def form(self) -> ContainerForm:
        return ContainerForm(self.kind, type(self), tuple(self.held))

    def element_form(self) -> ContainerForm:
        return self.form()

    @classmethod
    def joined(cls, form: ContainerForm, lists: list, ends: tuple = ()) -> Any:
        return cls.of_lists(form, tuple(lists))

    def with_lists(self, lists: Any) -> Any:
        made = self.of_lists(self.form(), tuple(lists))
        made.own_removals = self.removals
        return made

    @property
    def is_part(self) -> bool:
        """Whether it is the name of a place in a staged list."""
        return isinstance(self.keys_held, ListPart)

    @property
    def removals(self) -> int:
        """How often keys were removed or moved."""
        return self.keys_held.moves[0] if self.is_part else self.own_removals

    def note_removal(self) -> None:
        """Before keys are removed or moved."""
        self.own_removals += 1

    @property
    def keys_held(self) -> TraceList:
        """The keys, in the order in which they were added."""
        return self.held["keys"]

    @property
    def is_staged(self) -> bool:
        """Whether a part is known only at run time."""
        return any(
            items.value is not None or is_staged(tuple(list.__iter__(items)))
            for items in self.held.values()
            if isinstance(items, TraceList)
        )

    @property
    def is_open(self) -> bool:
        """Whether only the run knows the number of its keys."""
        return self.keys_held.value is not None

    def place(self, key: Any) -> Any:
        """The index of a key; -1 if it is not there."""
        return place(self.keys_held, key)

    def length(self) -> Any:
        """The number of keys."""
        return self.keys_held.length()

    def refused(self, what: str) -> BaseException:
        """The error about a use that needs the keys while the graph is being built."""
        name = self.kind.__name__
        return staging_error(
            f"{what} of a staged {name} is used by code that is not converted",
            "Its keys are staged, so they are known only at run time.",
            "Use len, `in`, subscripts, loops and its own methods in converted code, or "
            "make a list of its elements.",
            ContainerError,
            region=getattr(self.keys_held, "home", None),
        )

    def __deepcopy__(self, memo):
        raise self.refused("a deep copy")

    def __reduce_ex__(self, protocol):
        raise self.refused("a copy")

    def __array__(self, *args, **options):
        raise self.refused("an array")

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return bool(self.length() > 0)

    def __len__(self) -> int:
        if self.is_open:
            raise self.refused("the length")
        return list.__len__(self.keys_held)

    def __contains__(self, key: Any) -> bool:
        found = self.place(key)
        if type(found) is not int:
            raise self.refused("`in`")
        return found >= 0

    def __repr__(self) -> str:
        if not self.is_staged:
            return repr(self.plain())
        home = getattr(self.keys_held, "home", None)
        return text_outside(
            f"a staged {self.kind.__name__}", f"<staged {self.kind.__name__}>", home
        )

    def refuse_text(self) -> None:
        if self.is_staged:
            raise self.refused("the text")

    def text(self) -> Any:
        return self.staged_text() if self.is_staged else repr(self.plain())

    def staged_text(self) -> Any:
        """The `repr` of one with staged parts."""
        raise NotImplementedError

    def plain(self) -> Any:
        """The same container of Python, if all is known."""
        raise NotImplementedError

    def __format__(self, spec: str) -> str:
        self.refuse_text()
        return format(repr(self), spec)


def _no_write(container, key, value):
    raise TypeError("the lists of a staged dict or set stay the same")


register_accessor(
    KeyedContainer,
    Accessor(lambda one: dict(one.held), _no_write, lambda one, held: None, lambda path, key: path),
)


def place(keys: TraceList, key: Any) -> Any:
    """The index of a key; -1 if it is not there."""
    if isinstance(key, HostValue) and not _are_hidden(keys):
        raise hidden_key_error(key)
    if isinstance(key, (MaybeNone, MaybeNoneObject)):
        return _place_of_optional(keys, key)
    kind = type_of_element(key)
    refuse_unhashable(kind, key)
    if keys.value is None:
        known = tuple(list.__iter__(keys))
        for at, one in enumerate(known):
            if one is key:  # keys differ from one another, so no other one is equal
                return at
        if not known:
            return -1
        if not is_staged(key) and not is_staged(known):
            found = dict(zip(known, range(len(known)), strict=True))
            return found.get(key, -1)
    keys.stage()
    if not is_operand(key):
        return apply(find("key_place"), keys.value, given=(key,))
    given = cast(key, kind) if isinstance(key, tuple) else key
    return apply(find("key_place"), keys.value, given, given=(Slot(1),))


def _are_hidden(keys: TraceList) -> bool:
    """Whether all keys are objects that only a run has."""
    if keys.value is not None:
        return bool(keys.value.type.element == OBJECT)
    return all(isinstance(one, HostValue) for one in list.__iter__(keys))


def _place_of_optional(keys: TraceList, key: MaybeNone | MaybeNoneObject) -> Any:
    """The index of a key that may be None."""
    present = functools.partial(place, keys, key.__unchecked__())
    if known_truth(staged(key.__is_none__)._value) is False:
        return present()
    return if_expr(key.__is_none__, functools.partial(place, keys, None), present)


def refuse_unhashable(kind: Type | None, key: Any) -> None:
    """Raises Python's `TypeError` for a key that has no hash; an error for one that is no value of
    a graph."""
    if kind is None or isinstance(key, list):
        hash(key)
        raise staging_error(
            "an object is a key of a staged dict, or an element of a staged set",
            "Staged keys are numbers, strings, and tuples of them.",
            "Use a number or a string that stands for the object.",
            ContainerError,
        )
    if isinstance(kind, BoxType) or isinstance(kind, TensorType) and kind.shape:
        hash(np.zeros(0))
    if isinstance(key, tuple):
        for part in key:
            refuse_unhashable(type_of_element(part), part)


def known_keys(keys: TraceList) -> list:
    """The keys of a container that is not open."""
    return [*list.__iter__(keys)]
