"""Lists that the user's code creates while it is traced.

    z = []                       a TraceList: still an ordinary list
    for i in range(n):           the staged loop changes it: it becomes a staged list of the graph
        z.append(i)
    np.stack(z), z[0], len(z)    computed by the graph

The list object stays the same, so every variable and container that holds it sees the change.
"""

from typing import Any

from runtime.errors import unsupported
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.ir.types import Type
from runtime.staging.lists.aliasing import (
    check_read,
    item_at,
    list_item,
    listed_arrays,
    register_listed,
)
from runtime.staging.lists.array_types import stacked_type
from runtime.staging.lists.elements import (
    SeenAsList,
    all_present,
    element_type,
    holds_lists,
    stack_of,
    staged_list,
    type_of_element,
    with_type,
)
from runtime.staging.lists.forms import FormedItem, GivenElements, refuse_compared
from runtime.staging.lists.inner_lists import (
    become_elements,
    becomes_element,
    inner_lists,
    note_read,
    note_shared,
)
from runtime.staging.lists.live_iterators import method_of_plain_lists, refuse_iterators
from runtime.staging.lists.method_arguments import (
    arguments_in,
    is_operand,
    is_staged_index,
    method_attributes,
)
from runtime.staging.lists.plain_lists import added_to_list, refuse_empty, repeats_list, stacked
from runtime.staging.lists.python_classes import named_as
from runtime.tracing import trace
from runtime.tracing.conversion import cast
from runtime.tracing.needed import refuse_elsewhere
from runtime.tracing.tensor import Tensor, apply
from runtime.tracing.unconverted_texts import text_outside

PARTS: dict[str, Any] = {}  # how lists that are elements are used (`nested_list.py`)


@named_as(list)
class TraceList(SeenAsList, list):
    """A list that is created while tracing."""

    __slots__ = ("_staged", "element", "home", "iterated", "moves", "named_in")

    def __init__(self, items=()):
        super().__init__(items)
        self._staged: Tensor | None = None
        self.iterated: tuple = ()  # the iterators of it that may have elements left
        self.moves = (0, 0)  # how often elements were moved, and added at the end
        self.named_in: dict[int, Any] = {}  # regions that use names of its elements
        self.element: Type | None = None  # as set by set_element_type
        recorder = trace.current()
        self.home = recorder and recorder.region  # the region in which it was created

    @property
    def value(self) -> Tensor | None:
        """The staged list; None as long as the list is an ordinary one."""
        note_read(self)
        if self._staged is not None:
            check_read(self._staged)
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
        if isinstance(contents, Tensor) and self._staged is None:
            refuse_iterators(self.iterated)
            become_elements(tuple(list.__iter__(self)), self)
            trace.current().state(GivenElements).add(tuple(list.__iter__(self)))
        list.clear(self)
        self.value = contents if isinstance(contents, Tensor) else None
        if self.value is None:
            list.extend(self, contents)

    def stage(self, *items) -> None:
        """Turns the list into a staged one; `items` are about to be added to it."""
        if self.value is None:
            refuse_elsewhere("a list", self.home)
            element = element_type([*list.__iter__(self), *items], declared=self.element)
            register_listed(*self.contents())
            self.put(staged_list(self.contents(), element))

    def change(self, op: str, *operands) -> None:
        """Replaces the list by the result of an op."""
        self.value = apply(find(op), self.value, *operands)

    def as_element(self, item) -> Tensor:
        """An item as an element of the staged list; widens the element type if necessary."""
        known = self.value
        element = element_type([item], known.type.element, self.element)
        if element != known.type.element:
            self.value = staged_list(known, element)
        register_listed(item)
        trace.current().state(GivenElements).add(item)
        found = with_type(item, element)
        becomes_element(item, self)
        return found

    # -- list methods ------------------------------------------------------------------------------

    def append(self, item):
        """Adds an element at the end."""
        if self.value is None:
            super().append(item)
        else:
            PARTS["moved"](self, at_end=True)
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
        note_shared(others.type.element)
        PARTS["moved"](self, at_end=True)
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
        refuse_empty(self, "pop from empty list")
        self.stage()
        PARTS["moved"](self)
        self.value, item = apply(find("list_pop"), self.value, index)
        return PARTS["taken"](list_item(item, listed_arrays()))

    def __getitem__(self, index):
        if self.value is None and not is_staged_index(index):
            found = super().__getitem__(index)
            return TraceList(found) if isinstance(index, slice) else found
        if isinstance(index, slice):
            return self.derived("__getitem__", index)
        refuse_empty(self, "list index out of range")
        if self.value is None and not any(map(inner_lists, list.__iter__(self))):
            return item_at(self.contents(), index, self.element)
        self.stage()
        found = list_item(apply(find("list_get"), self.value, index), listed_arrays())
        return PARTS["part"](self, index, found)

    def __setitem__(self, index, item):
        if self.value is None and type(index) is not Tensor:
            super().__setitem__(index, item)
            return
        if PARTS["is_put_back"](self, index, item):
            return
        self.stage(item)
        PARTS["moved"](self)
        self.change("list_set", index, self.as_element(item))

    def length(self):
        """The number of elements; staged if the list is."""
        if self._staged is None:
            return super().__len__()
        return apply(find("list_length"), self._staged)

    def stacked(self, dtype: Any = None) -> Tensor:
        """The elements along a new first axis; `dtype` is that of the call, or None."""
        if self.value is None and list.__len__(self):
            declared = None if self.element is None else self.element.dtype
            return stacked([*list.__iter__(self)], declared)
        items = all_present(self.contents())
        element = items.type.element if isinstance(items, Tensor) else self.element
        kind = stacked_type(element_type([], element), self.value)
        return stack_of(items, kind, dtype)

    # -- list methods that the run calls -----------------------------------------------------------

    def derived(self, by: str, *given) -> "TraceList":
        """Another list, the result of a list method (`ops/list_methods.py`)."""
        self.stage()
        note_shared(self.value.type.element)
        return self._made(by, *given)

    def _made(self, by, *given):
        refuse_compared(self.value.type.element, by, given)
        call = method_attributes(by, given)
        return TraceList.of(apply(find("list_made"), self.value, *_operands(given), **call))

    def change_by(self, by: str, *given) -> None:
        """Replaces the list by the result of a list method."""
        self.stage()
        PARTS["moved"](self)
        self.value = self._made(by, *given).value

    def queried(self, by: str, *given) -> Any:
        """The result of a list method, or of a function of a list."""
        self.stage()
        refuse_compared(self.value.type.element, by, given)
        if by in ("max", "min") and holds_lists(self.value.type.element):
            note_shared(self.value.type.element)
            raise unsupported(f"{by} of a staged list of lists", "Compare the lists in a loop.")
        found = apply(
            find("list_asked"), self.value, *_operands(given), **method_attributes(by, given)
        )
        return list_item(found, listed_arrays()) if isinstance(found, FormedItem) else found

    def insert(self, index, item):
        """Inserts an element before another."""
        if self.value is None and type(index) is not Tensor:
            super().insert(index, item)
        else:
            self.stage(item)
            item = self.as_element(item)
            self.change_by("insert", index, item)

    def remove(self, item):
        """Removes the first element that equals `item`."""
        if not self.depends_on(item):
            super().remove(item)
        else:
            self.change_by("remove", item)

    def __delitem__(self, index):
        if self.value is None and not is_staged_index(index):
            super().__delitem__(index)
        else:
            self.change_by("__delitem__", index)

    def reverse(self):
        """Reverses the order of the elements."""
        if self.value is None:
            super().reverse()
        else:
            self.change_by("reverse")

    def clear(self):
        """Removes all elements."""
        PARTS["moved"](self)
        self.put(())

    def copy(self):
        """Another list of the same elements."""
        new = TraceList()
        if self.value is not None:
            note_shared(self.value.type.element)
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

    for _name in ("len", "iter", "contains", "reversed"):
        locals()[f"__{_name}__"] = method_of_plain_lists(f"__{_name}__")
    del _name

    __hash__ = None

    def __bool__(self):
        return super().__len__() > 0 if self.value is None else bool(self.length() > 0)

    def __repr__(self):
        if self.value is None:
            return super().__repr__()
        return text_outside("a staged list", f"<staged {self.value.type}>", self.home)


def is_staged_list(items: Any) -> bool:
    """Whether a value is a list whose elements are known only at run time."""
    return issubclass(type(items), TraceList) and items._staged is not None


def _is_staged(value):
    """Whether a value is staged, or a list or tuple with staged elements."""
    if isinstance(value, TraceList):
        return value.depends_on(*list.__iter__(value))
    return any(map(_is_staged, value)) if isinstance(value, tuple) else isinstance(value, Tensor)


def _operands(given):
    return [_operand(part) for part in arguments_in(given) if is_operand(part)]


def _operand(part):
    if isinstance(part, list):
        part = part if isinstance(part, TraceList) else TraceList(part)
        part.stage()
        return part.value
    return cast(part, type_of_element(part)) if isinstance(part, tuple) else part


def _compared(items, others):
    """`items == others`"""
    for one, other in ((items, others), (others, items)):
        if not is_staged_list(one) and not list.__len__(one):
            return other.length() == 0
    return items.queried("__eq__", others)
