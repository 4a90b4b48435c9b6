"""Lists of the user's code while it is staged.

    z = []                       a TraceList: still an ordinary list
    for i in range(n):           the staged loop changes it: it becomes a staged list of the graph
        z.append(i)
    np.stack(z), z[0], len(z)    answered by the graph

The list object stays the same throughout, so every variable and container that holds it sees what
becomes of it.
"""

import numpy as np

from autograph.heap import Contents, register_contents
from runtime.errors import staging_error
from runtime.op import find
from runtime.staging.aliases import Tangled
from runtime.tensor import Tensor, apply, cast, staged_type
from runtime.types import ListType, TensorType, Type, is_array, tensor_type, unify

# What code that was not converted asks of a list, and no graph can answer while it is recorded.
_UNKNOWN_TO_GRAPHS = (
    "__len__",
    "__iter__",
    "__add__",
    "__mul__",
    "__rmul__",
    "__imul__",
    "__contains__",
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__delitem__",
    "__reversed__",
    "insert",
    "remove",
    "reverse",
    "sort",
    "index",
    "count",
    "clear",
    "copy",
)


def of_list(item: Tensor) -> Tensor:
    """An element of a staged list; an array may be in the list more than once: none is written
    into."""
    return Tangled(item._at, "an array of a staged list", ()) if is_array(item.type) else item


class TraceList(list):
    """A list that the user's code makes while it is staged."""

    __slots__ = ("element", "value")

    def __init__(self, items=()):
        super().__init__(items)
        self.value: Tensor | None = None  # of list type, once the list is staged
        self.element: Type | None = None  # what the user says about the elements

    # -- becoming staged ---------------------------------------------------------------------------

    def contents(self) -> Tensor | tuple:
        """The staged list, or the elements of a list that is not staged."""
        return tuple(list.__iter__(self)) if self.value is None else self.value

    def put(self, contents: Tensor | tuple) -> None:
        """Makes the list hold other contents."""
        list.clear(self)
        self.value = contents if isinstance(contents, Tensor) else None
        if self.value is None:
            list.extend(self, contents)

    def stage(self, *items) -> None:
        """Makes the list a staged one; `items` are about to be added to it."""
        if self.value is None:
            element = element_type([*list.__iter__(self), *items], self.element)
            self.put(staged_list(self.contents(), element))

    def change(self, op: str, *operands) -> None:
        """Makes the list what an op makes of it."""
        self.value = apply(find(op), self.value, *operands)

    def fitting(self, item) -> Tensor:
        """An item as an element of the staged list, whose element type is widened where it must."""
        element = element_type([item], self.value.type.element)
        self.value = staged_list(self.value, element)
        return cast(item, element)

    # -- what lists do -----------------------------------------------------------------------------

    def append(self, item):
        """Adds an element at the end."""
        if self.value is None:
            super().append(item)
        else:
            self.change("list_append", self.fitting(item))

    def extend(self, items):
        """Adds elements at the end."""
        if self.value is None and not isinstance(items, Tensor):
            super().extend(items)
        else:
            for item in items:
                self.append(item)

    def __iadd__(self, items):
        self.extend(items)
        return self

    def pop(self, index=-1):
        """Takes an element out, the last one by default."""
        if self.value is None and type(index) is not Tensor:
            return super().pop(index)
        self.stage()
        self.value, item = apply(find("list_pop"), self.value, index)
        return of_list(item)

    def __getitem__(self, index):
        if self.value is None and type(index) is not Tensor:
            found = super().__getitem__(index)
            return TraceList(found) if isinstance(index, slice) else found
        if isinstance(index, slice):
            raise staging_error(
                "a slice of a staged list is taken",
                "The list grows in a staged loop; how long a slice of it is, only a run can tell.",
                "Make an array of it, and take a slice of that: autograph.stack(z).",
            )
        element = element_type(list.__iter__(self), self.element) if self.value is None else None
        return of_list(apply(find("list_get"), staged_list(self.contents(), element), index))

    def __setitem__(self, index, item):
        if self.value is None and type(index) is not Tensor:
            super().__setitem__(index, item)
            return
        self.stage(item)
        self.change("list_set", index, self.fitting(item))

    def length(self):
        """The number of elements; staged where the list is."""
        return super().__len__() if self.value is None else apply(find("list_length"), self.value)

    def stacked(self) -> Tensor:
        """The elements along a new first axis."""
        if self.value is None and list.__len__(self):
            return apply(find("stack"), *list.__iter__(self))
        element = self.element if self.value is None else self.value.type.element
        element = element_type([], element)
        element = element if isinstance(element, TensorType) else tensor_type(element.dtype)
        return apply(find("list_stack"), staged_list(self.contents(), element), element=element)

    def _refuse(name):
        plain = getattr(list, name)

        def method(self, *args, **kwargs):
            if self.value is None:
                return plain(self, *args, **kwargs)
            what = {"__len__": "the length", "__iter__": "an iterator"}.get(name, f"`{name}`")
            raise staging_error(
                f"{what} of a staged list is asked for by code that cannot wait for the graph",
                "The list grows in a staged loop; its elements are known only in a run.",
                "Use autograph.stack(z), z[i], len(z) or a for loop, in converted code.",
            )

        return method

    for _name in _UNKNOWN_TO_GRAPHS:
        locals()[_name] = _refuse(_name)
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
            "a NumPy array is made of a staged list",
            "The list grows in a staged loop; its elements are known only in a run.",
            "Use autograph.stack(z), in converted code.",
        )


def element_type(items, known: Type | None = None) -> Type:
    """The type of a staged list's elements: one that holds `items` and what is `known`.

    Raises `StagingError` where there is none.
    """
    for item in items:
        kind = staged_type(item)
        joined = kind if known is None or kind is None else unify(known, kind)
        if joined is None:
            raise staging_error(
                f"a staged list cannot hold {item!r}"
                + (f" beside elements of type {known}" if known else ""),
                "The elements of a staged list are numbers or arrays of one type.",
                "Use a list for each type.",
            )
        known = joined
    if known is None:
        raise staging_error(
            "an empty list is staged, and the type of its elements is not known",
            "A graph's lists hold elements of one type, which nothing here tells.",
            "Say it: autograph.set_element_type(z, np.float64).",
        )
    return known


def staged_list(contents: Tensor | tuple, element: Type | None = None) -> Tensor:
    """The contents of a list as a staged list with elements of a type."""
    if not isinstance(contents, Tensor):
        items = [cast(item, element) for item in contents]
        return apply(find("list_new"), *items, element=element)
    return contents if element is None else cast(contents, ListType(element))


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


register_contents(TraceList, Contents(_read, _write, _fill, lambda path, key: f"{path}[{key!r}]"))
