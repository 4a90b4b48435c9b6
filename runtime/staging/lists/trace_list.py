"""Lists that the user's code creates while it is traced.

    z = []                       a TraceList: still an ordinary list
    for i in range(n):           the staged loop changes it: it becomes a staged list of the graph
        z.append(i)
    np.stack(z), z[0], len(z)    computed by the graph

The list object stays the same, so every variable and container that holds it sees the change.
"""

import itertools
from typing import Any

import numpy as np

from autograph.staging.heap_diff import Accessor, register_accessor
from runtime.errors import ValueNeededError, staging_error
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.ir.types import TensorType, Type, tensor_type
from runtime.staging.lists.aliasing import (
    item_at,
    list_item,
    listed_arrays,
    refuse_invalidated,
    register_listed,
)
from runtime.staging.lists.elements import (
    SeenAsList,
    element_type,
    stacked_type,
    staged_list,
    type_of_element,
    used_unconverted,
)
from runtime.staging.lists.plain_lists import added_to_list, repeats_list, stacked
from runtime.tracing import trace
from runtime.tracing.conversion import cast
from runtime.tracing.tensor import Tensor, apply


class TraceList(SeenAsList, list):
    """A list that is created while tracing."""

    __slots__ = ("_staged", "element", "home")

    def __init__(self, items=()):
        super().__init__(items)
        self._staged: Tensor | None = None
        self.element: Type | None = None  # as set by set_element_type
        recorder = trace.current()
        self.home = recorder and recorder.region  # the region in which it was created

    @property
    def value(self) -> Tensor | None:
        """The staged list; None as long as the list is an ordinary one."""
        if self._staged is not None:
            refuse_invalidated(self._staged.type)
        return self._staged

    @value.setter
    def value(self, value: Tensor | None):
        self._staged = value

    # -- becoming staged ---------------------------------------------------------------------------

    def contents(self) -> Tensor | tuple:
        """The staged list, or the elements of a list that is not staged."""
        return tuple(list.__iter__(self)) if self.value is None else self.value

    def is_local(self) -> bool:
        """Whether the list was created in a branch that has ended, so that no other code holds
        it."""
        recorder = trace.current()
        return recorder is not None and self.home not in recorder.regions

    def put(self, contents: Tensor | tuple) -> None:
        """Replaces the contents of the list."""
        list.clear(self)
        self.value = contents if isinstance(contents, Tensor) else None
        if self.value is None:
            list.extend(self, contents)

    def stage(self, *items) -> None:
        """Turns the list into a staged one; `items` are about to be added to it."""
        if self.value is None:
            element = element_type([*list.__iter__(self), *items], declared=self.element)
            register_listed(*self.contents())
            self.put(staged_list(self.contents(), element))

    def change(self, op: str, *operands) -> None:
        """Replaces the list by the result of an op."""
        self.value = apply(find(op), self.value, *operands)

    def as_element(self, item) -> Tensor:
        """An item as an element of the staged list; widens the element type if necessary."""
        element = element_type([item], self.value.type.element, self.element)
        self.value = staged_list(self.value, element)
        register_listed(item)
        return cast(item, element)

    # -- list methods ------------------------------------------------------------------------------

    def append(self, item):
        """Adds an element at the end."""
        if self.value is None:
            super().append(item)
        else:
            self.change("list_append", self.as_element(item))

    def extend(self, items):
        """Adds elements at the end."""
        if isinstance(items, Tensor) and items.type.shape:
            items = TraceList.of(apply(find("list_of"), items))
        if is_staged_list(items):
            self.add_all(items.value)
        elif self.value is None:
            super().extend(items)
        else:
            for item in items:
                self.append(item)

    @classmethod
    def of(cls, value: Tensor) -> "TraceList":
        """A list for a staged one."""
        made = cls()
        made.value = value
        return made

    def add_all(self, others: Tensor) -> None:
        """Adds the elements of a staged list."""
        known = self.contents()
        first = () if isinstance(known, Tensor) else known
        start = known.type.element if isinstance(known, Tensor) else None
        element = element_type([*first, others.type.element], start, self.element)
        others = staged_list(others, element)
        register_listed(*first)
        given = {"by": "__add__", "given": (Slot(1),)}
        self.put(apply(find("list_made"), staged_list(known, element), others, **given))

    def __iadd__(self, items):
        self.extend(items)
        return self

    def pop(self, index=-1):
        """Removes and returns an element, by default the last one."""
        if self.value is None and type(index) is not Tensor:
            return super().pop(index)
        self.stage()
        self.value, item = apply(find("list_pop"), self.value, index)
        return list_item(item, listed_arrays())

    def __getitem__(self, index):
        if self.value is None and not _is_staged_index(index):
            found = super().__getitem__(index)
            return TraceList(found) if isinstance(index, slice) else found
        if isinstance(index, slice):
            return self.derived("__getitem__", index)
        if self.value is None:
            return item_at(self.contents(), index, self.element)
        return list_item(apply(find("list_get"), self.value, index), listed_arrays())

    def __setitem__(self, index, item):
        if self.value is None and type(index) is not Tensor:
            super().__setitem__(index, item)
            return
        self.stage(item)
        self.change("list_set", index, self.as_element(item))

    def length(self):
        """The number of elements; staged if the list is."""
        return (
            super().__len__() if self._staged is None else apply(find("list_length"), self._staged)
        )

    def stacked(self) -> Tensor:
        """The elements along a new first axis."""
        if self.value is None and list.__len__(self):
            declared = None if self.element is None else self.element.dtype
            return stacked([*list.__iter__(self)], declared)
        element = self.element if self.value is None else self.value.type.element
        element = stacked_type(element_type([], element), self.value)
        element = element if isinstance(element, TensorType) else tensor_type(element.dtype)
        return apply(find("list_stack"), staged_list(self.contents(), element), element=element)

    # -- list methods that the run calls -----------------------------------------------------------

    def derived(self, by: str, *given) -> "TraceList":
        """Another list, the result of a list method (`ops/list_methods.py`)."""
        self.stage()
        call = _call(by, given)
        return TraceList.of(apply(find("list_made"), self.value, *_operands(given), **call))

    def queried(self, by: str, *given) -> Any:
        """The result of a list method, or of a function of a list."""
        self.stage()
        return apply(find("list_asked"), self.value, *_operands(given), **_call(by, given))

    def insert(self, index, item):
        """Inserts an element before another."""
        if self.value is None and type(index) is not Tensor:
            super().insert(index, item)
        else:
            self.stage(item)
            item = self.as_element(item)
            self.value = self.derived("insert", index, item).value

    def remove(self, item):
        """Removes the first element that equals `item`."""
        if not self.depends_on(item):
            super().remove(item)
        else:
            self.value = self.derived("remove", item).value

    def __delitem__(self, index):
        if self.value is None and not _is_staged_index(index):
            super().__delitem__(index)
        else:
            self.value = self.derived("__delitem__", index).value

    def reverse(self):
        """Reverses the order of the elements."""
        if self.value is None:
            super().reverse()
        else:
            self.value = self.derived("reverse").value

    def clear(self):
        """Removes all elements."""
        self.put(())

    def copy(self):
        """Another list of the same elements."""
        new = TraceList()
        new.put(self.contents())
        new.element = self.element
        return new

    def index(self, item, *bounds):
        """The index of the first element that equals `item`."""
        if self.depends_on(item, *bounds, *list.__iter__(self)):
            return self.queried("index", item, *bounds)
        return super().index(item, *bounds)

    def count(self, item):
        """How many elements equal `item`."""
        if self.depends_on(item, *list.__iter__(self)):
            return self.queried("count", item)
        return super().count(item)

    def __add__(self, others):
        if not isinstance(others, list):
            return added_to_list(others)
        return self.copy().__iadd__(others)

    def __radd__(self, others):
        return TraceList(others) + self if isinstance(others, list) else NotImplemented

    def __mul__(self, times):
        if not repeats_list(times):
            return NotImplemented
        if self.value is None and type(times) is not Tensor:
            return TraceList(super().__mul__(times))
        return self.derived("__mul__", times)

    __rmul__ = __mul__

    def __imul__(self, times):
        self.put((self * times).contents())
        return self

    def __eq__(self, others):
        if not isinstance(others, list):
            return NotImplemented
        if self.depends_on(*list.__iter__(self), *list.__iter__(others)) or is_staged_list(others):
            others = others if isinstance(others, TraceList) else TraceList(others)
            return _compared(self, others)
        return super().__eq__(others)

    def __ne__(self, others):
        same = self.__eq__(others)
        if isinstance(same, Tensor):
            return apply(find("not_"), same)
        return same if same is NotImplemented else not same

    def depends_on(self, *values):
        """Whether a result is known only at run time: the list or one of the values is staged."""
        return self.value is not None or any(map(_is_staged, values))

    def _refuse(name):
        plain = getattr(list, name)

        def method(self, *args, **kwargs):
            if self.value is None:
                return plain(self, *args, **kwargs)
            what = {"__len__": "the length", "__iter__": "an iterator"}.get(name, f"`{name}`")
            raise used_unconverted(what)

        return method

    for _name in ("len", "iter", "contains", "lt", "le", "gt", "ge", "reversed"):
        locals()[f"__{_name}__"] = _refuse(f"__{_name}__")
    del _name

    __hash__ = None

    def __bool__(self):
        if self.value is None:
            return super().__len__() > 0
        return bool(self.length() > 0)

    def __repr__(self):
        return super().__repr__() if self.value is None else f"<staged {self.value.type}>"

    def __array_function__(self, function, types, args, kwargs):
        return NotImplemented

    def __array__(self, dtype=None, copy=None):
        if self.value is None:
            return np.asarray(list(self), dtype=dtype)
        raise staging_error(
            "a staged list cannot be converted to a NumPy array",
            "The list grows in a staged loop; its elements are known only at run time.",
            "Use autograph.stack(z), in converted code.",
            ValueNeededError,
        )


def is_staged_list(items: Any) -> bool:
    """Whether a value is a list whose elements are known only at run time."""
    return isinstance(items, TraceList) and items._staged is not None


def _is_staged(value):
    """Whether a value is staged, or a list with staged elements."""
    if isinstance(value, TraceList):
        return value.depends_on(*list.__iter__(value))
    return isinstance(value, Tensor)


def _is_staged_index(index):
    if isinstance(index, slice):
        return any(isinstance(part, Tensor) for part in (index.start, index.stop, index.step))
    return isinstance(index, Tensor)


def _parts(given):
    """The arguments of a method, and the bounds of slices among them."""
    for value in given:
        yield from (value.start, value.stop, value.step) if isinstance(value, slice) else (value,)


def _operands(given):
    return [_operand(part) for part in _parts(given) if _is_operand(part)]


def _is_operand(part):
    return isinstance(part, (Tensor, TraceList, tuple, np.generic, np.ndarray))


def _operand(part):
    if isinstance(part, TraceList):
        part.stage()
        return part.value
    return cast(part, type_of_element(part)) if isinstance(part, tuple) else part


def _call(by, given):
    """The attributes of a method's op: its arguments, with slots for staged values."""
    numbers = itertools.count(1)

    def slotted(part):
        return Slot(next(numbers)) if _is_operand(part) else part

    template = tuple(
        slice(*map(slotted, (v.start, v.stop, v.step))) if isinstance(v, slice) else slotted(v)
        for v in given
    )
    return {"by": by, "given": template}


def _compared(items, others):
    """`items == others`"""
    for one, other in ((items, others), (others, items)):
        if not is_staged_list(one) and not list.__len__(one):
            return other.length() == 0
    return items.queried("__eq__", others)


# -- how autograph's heap looks into such a list ---------------------------------------------------


def _read(items):
    if items.value is not None:
        return {"staged": items.value}
    return dict(enumerate(list.__iter__(items)))


def _fill(items, held):
    list.clear(items)
    items.value = held.get("staged")
    if items.value is None:
        list.extend(items, held.values())


def _write(items, key, value):
    raise TypeError("the contents of a list are put back as a whole")


register_accessor(TraceList, Accessor(_read, _write, _fill, lambda path, key: f"{path}[{key!r}]"))
