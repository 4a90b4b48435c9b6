"""Dicts that the user's code creates and whose keys are staged.

    counts = {}                          a list of keys and one of values
    for v in x:
        counts[v] = counts.get(v, 0) + 1

A key is found by op `key_place`.  The keys have the order in which they were added, as in Python.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FunctionType
from typing import Any

from autograph.constructs.ternary import if_expr
from autograph.functions.calls import converted_call
from runtime.ir.op import find
from runtime.staging.calls.run_errors import check
from runtime.staging.dicts import operations
from runtime.staging.dicts.dict_view import DictView
from runtime.staging.dicts.key_list import KeyedContainer, known_keys
from runtime.staging.generators import in_python
from runtime.staging.lists.forms import ContainerForm
from runtime.staging.lists.nested_list import ListPart, check_place, from_start
from runtime.staging.lists.python_classes import named_as
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.loop_trials import OPERATIONS
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor, apply

OPERATIONS.add(operations.__file__)


@named_as(dict)
class TraceDict(KeyedContainer):
    """A dict that is created while tracing."""

    kind: type = dict

    def __init__(self, pairs: Any = ()):
        self.held = {"keys": TraceList(), "values": TraceList()}
        self.list_read: tuple | None = None  # the last value that was read, if it is a list
        for key, value in pairs:
            self[key] = value

    @property
    def values_held(self) -> TraceList:
        """The values, in the order of the keys."""
        return self.held["values"]

    def plain(self) -> Any:
        """The same dict of Python, if all is known."""
        return self.filled(
            zip(known_keys(self.keys_held), known_keys(self.values_held), strict=True)
        )

    def filled(self, pairs: Any) -> Any:
        """A dict of Python of the same kind."""
        return self.kind(pairs)

    def staged_text(self) -> Any:
        return in_python(operations.text_of_items)(self.keys_held, self.values_held)

    # -- keys --------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        at = self.place(key)
        if type(at) is int:
            if at < 0:
                raise KeyError(key)
            return self._noted(key, self.values_held[at])
        return self._noted(key, in_python(operations.read)(self.values_held, at, key))

    def __setitem__(self, key: Any, value: Any) -> None:
        if self._is_put_back(key, value):
            return
        keys, values, at = self.keys_held, self.values_held, self.place(key)
        self.list_read = None
        if type(at) is not int:
            values.stage(value)
            in_python(operations.write)(keys, values, at, key, value)
        elif at >= 0:
            values[at] = value
        else:
            keys.append(key)
            values.append(value)

    def _noted(self, key, value):
        """A value that code reads by a key; it may put a list back, as in `d[key] += [v]`."""
        if isinstance(value, (TraceList, KeyedContainer)):
            self.list_read = key, value, self.removals, trace.current().region
        return from_start(value)

    def _is_put_back(self, key, value):
        """Whether a list is the value that the key has."""
        if self.list_read is None:
            return False
        now = key, value, self.removals, trace.current().region
        if any(one is not other for one, other in zip(self.list_read, now, strict=True)):
            return False
        part = value.keys_held if isinstance(value, KeyedContainer) else value
        return type(part) is not ListPart or check_place(part) is None

    def __delitem__(self, key: Any) -> None:
        at = self._removed_place(key)
        if type(at) is not int:
            self.values_held.stage()
            in_python(operations.check_there)(at, key)
        elif at < 0:
            raise KeyError(key)
        del self.keys_held[at]
        del self.values_held[at]

    def _removed_place(self, key):
        self.note_removal()
        return self.place(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, or a default."""
        at = self.place(key)
        if type(at) is int:
            return from_start(self.values_held[at]) if at >= 0 else default
        self.values_held.stage()
        return in_python(operations.read_or)(self.values_held, at, default)

    def pop(self, key: Any, *default: Any) -> Any:
        """Removes a key; returns its value, or a default."""
        if default:
            at = self._removed_place(key)
            if type(at) is int and at < 0:
                return default[0]
            if type(at) is not int:
                self.values_held.stage()
                return in_python(operations.popped_or)(
                    self.keys_held, self.values_held, at, default[0]
                )
        at = self._removed_place(key)
        if type(at) is not int:
            in_python(operations.check_there)(at, key)
        elif at < 0:
            raise KeyError(key)
        del self.keys_held[at]
        return self.values_held.pop(at)

    def popitem(self) -> tuple:
        """Removes the last key; returns it with its value."""
        self.note_removal()
        check(self.length() > 0, KeyError, "popitem(): dictionary is empty")
        return self.keys_held.pop(), self.values_held.pop()

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key, which gets a default if it is not there."""
        return self.made_if_missing(key, lambda: default)

    def made_if_missing(self, key: Any, make: Callable) -> Any:
        """The value of a key, which gets one that is made if it is not there."""
        keys, values, at = self.keys_held, self.values_held, self.place(key)
        if type(at) is int:
            if at < 0:
                made = make()
                keys.append(key)
                values.append(made)
                at = list.__len__(values) - 1 if values.value is None else values.length() - 1
            return self._noted(key, values[at])
        values.stage()
        length = keys.length()
        in_python(operations.make_missing)(keys, values, at, key, make)
        return self._noted(key, values[if_expr(at >= 0, lambda: at, lambda: length)])

    def clear(self) -> None:
        """Removes all keys."""
        self.note_removal()
        self.keys_held.clear()
        self.values_held.clear()

    # -- all keys ----------------------------------------------------------------------------------

    def has_item(self, key: Any, value: Any) -> Any:
        """Whether the dict has a key with an equal value."""
        return in_python(operations.has_item)(self, key, value, held_value)

    def keys(self) -> DictView:
        """The keys, as a view."""
        return DictView(self, "keys")

    def values(self) -> DictView:
        """The values, as a view."""
        return DictView(self, "values")

    def items(self) -> DictView:
        """The pairs of keys and values, as a view."""
        return DictView(self, "items")

    def __iter__(self) -> Iterator:
        if self.is_open:
            raise self.refused("an iterator")
        return iter(known_keys(self.keys_held))

    def update(self, other: Any = (), /, **others: Any) -> None:
        """Takes the keys and values of another dict, or of pairs."""
        if isinstance(other, TraceDict) and known_length(self.keys_held) == 0:
            self._hold_copies(other)
        else:
            self._update_with(pairs_in(other))
        for key, value in others.items():
            self[key] = value

    def _update_with(self, pairs):
        in_python(operations.updated)(self, pairs)

    def copy(self) -> "TraceDict":
        """Another dict of the same keys and values."""
        made = self._new()
        made._hold_copies(self)
        return made

    __copy__ = copy

    def _hold_copies(self, other):
        for name, items in self.held.items():
            items.put(other.held[name].copy().contents())

    def _new(self):
        return type(self)()

    def __or__(self, other: Any) -> Any:
        if not is_dict(other):
            return NotImplemented
        made = self.copy()
        made.update(other)
        return made

    def __ror__(self, other: Any) -> Any:
        if not is_dict(other):
            return NotImplemented
        made = self._new()
        made.update(other)
        made.update(self)
        return made

    def __ior__(self, other: Any) -> "TraceDict":
        self.update(other)
        return self

    def __eq__(self, other: Any) -> Any:
        if not is_dict(other):
            return NotImplemented
        if isinstance(other, dict):
            other = TraceDict(other.items())
        return in_python(operations.same_items)(self, other, held_value)

    def __ne__(self, other: Any) -> Any:
        same = self.__eq__(other)
        if same is NotImplemented:
            return same
        return apply(find("not_"), same) if isinstance(same, Tensor) else not same

    __hash__ = None  # type: ignore[assignment]


@named_as(OrderedDict)
class TraceOrderedDict(TraceDict):
    """An `OrderedDict` that is created while tracing."""

    kind = OrderedDict

    def staged_text(self) -> Any:
        is_shown_as_dict = "{" in repr(OrderedDict(a=1))
        text = in_python(operations.text_of_ordered)
        return text(self.keys_held, self.values_held, is_shown_as_dict)

    def popitem(self, last: Any = True) -> tuple:
        """Removes the last or first key; returns it with its value."""
        self.note_removal()
        check(self.length() > 0, KeyError, "dictionary is empty")
        at = -1 if last else 0
        return self.keys_held.pop(at), self.values_held.pop(at)

    def move_to_end(self, key: Any, last: Any = True) -> None:
        """Moves a key to the end, or to the start."""
        value = self.pop(key)
        at = self.length() if last else 0
        self.keys_held.insert(at, key)
        self.values_held.insert(at, value)

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, (TraceOrderedDict, OrderedDict)):
            raise self.refused("`==`, which compares the order,")
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]


@named_as(defaultdict)
class TraceDefaultDict(TraceDict):
    """A `defaultdict` that is created while tracing."""

    kind = defaultdict

    def __init__(self, default_factory: Any = None, pairs: Any = ()):
        self.default_factory = default_factory
        super().__init__(pairs)

    def staged_text(self) -> Any:
        text = in_python(operations.text_of_default)
        return text(repr(self.default_factory), self.keys_held, self.values_held)

    def filled(self, pairs: Any) -> Any:
        return defaultdict(self.default_factory, pairs)

    def __getitem__(self, key: Any) -> Any:
        if self.default_factory is None:
            return super().__getitem__(key)
        return self.made_if_missing(key, lambda: converted_call(self.default_factory)())

    def _new(self):
        return TraceDefaultDict(self.default_factory)

    @classmethod
    def of_lists(cls, form: ContainerForm, parts: tuple) -> Any:
        made = super().of_lists(form, parts)
        made.default_factory = form.factory
        return made

    def form(self) -> ContainerForm:
        made_by = self.default_factory
        if isinstance(made_by, FunctionType) and not (made_by.__closure__ or made_by.__defaults__):
            made_by = made_by.__code__
        return replace(super().form(), factory=self.default_factory, made_by=made_by)


def known_length(items: TraceList) -> int | None:
    """The number of elements of a list; None if only the run knows it."""
    return list.__len__(items) if items.value is None else None


def is_dict(value: Any) -> bool:
    """Whether a value is a dict for the user's code."""
    return isinstance(value, (dict, TraceDict))


def held_value(items: Any, key: Any) -> Any:
    """The value of a key that is there: a `defaultdict` makes none."""
    return TraceDict.__getitem__(items, key) if isinstance(items, TraceDict) else items[key]


def pairs_in(other: Any) -> Any:
    """The pairs of a dict, or of an iterable of pairs."""
    if isinstance(other, TraceDict):
        return other.items().as_list()
    return list(other.items()) if isinstance(other, dict) else other
