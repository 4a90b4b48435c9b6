"""Lists that grow in staged loops.

    z = []                        a `GrowList`, as long as JAX traces: an ordinary list to Python
    for v in x:
        z.append(f(v))            only appended to, in each of n iterations: results of the scan
    while p:
        z.append(y)               anything else: rows of arrays, and a length that a run knows

While a list holds rows, the list of Python that it derives from is empty; each of its methods
works on the rows, or says that the items are not known.
"""

import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.tree_util import register_pytree_node

from autograph.backends.jax import operands as parts
from autograph.backends.jax.abstract import ArrayType, Mismatch, Node, Rows, generalized, join
from autograph.backends.jax.checks import check
from autograph.backends.jax.tracers import is_staged, is_tracing
from autograph.errors import ContainerError, ValueNeededError
from autograph.staging.accessors import Accessor, register_accessor
from autograph.staging.errors import staging_error


class ReadBack(BaseException):
    """More is done to a list than appending: it cannot become results of the scan."""


@dataclass
class Buffer(parts.Structured):
    """The items of a list whose length a run knows: rows of arrays, the first `length` of them."""

    element: Any
    capacity: int
    length: Any
    leaves: list
    grown: int | None = 0  # by how many items in this block; None if that is not certain
    most: int = -1  # the most items there can be at this place of the program; -1: the capacity

    def most_items(self) -> int:
        """The most items that there can be."""
        if isinstance(self.length, int):
            return self.length
        return self.capacity if self.most < 0 else self.most

    def abstract(self, taking: Any) -> Rows:
        taking.leaves += [self.length, *self.leaves]
        return Rows(self.capacity, self.element)

    def row(self, index: Any) -> Any:
        """The item at an index; a run checks it."""
        index = jnp.where(index < 0, index + self.length, index)
        check((index >= 0) & (index < self.length), IndexError, ("list index out of range",))
        rows = (lax.dynamic_index_in_dim(x, index, keepdims=False) for x in self.leaves)
        return parts.built(self.element, rows)

    def rows(self, count: int) -> list:
        """The first items, whose number is known."""
        return [parts.built(self.element, iter([x[i] for x in self.leaves])) for i in range(count)]

    def stored(self, index: Any, value: Any) -> "Buffer":
        """The buffer with a value at an index; the type of the items may widen."""
        spec, leaves = parts.taken_apart(value)
        try:
            wider = join(self.element, generalized(spec))
        except Mismatch as mismatch:
            raise staging_error(
                f"a list has items {mismatch.left} and {mismatch.right}",
                "Only a run knows how many items it has, and all have to be of one kind.",
                "Append values of one shape.",
                ContainerError,
            ) from None
        old = parts.widened_rows(wider, self.element, self.leaves)
        new = parts.operands(wider, spec, iter(leaves))
        rows = [
            lax.dynamic_update_index_in_dim(x, v, index, 0) for x, v in zip(old, new, strict=True)
        ]
        return replace(self, element=wider, leaves=rows)

    def longer(self, by: int) -> "Buffer":
        """The buffer with another length."""
        grown = None if self.grown is None else self.grown + by
        most = max(self.most_items() + by, 0)
        return replace(self, length=self.length + by, grown=grown, most=most)

    def with_room(self) -> "Buffer":
        """The buffer with room for another item."""
        if self.most_items() < self.capacity:
            return self
        longer = [jnp.pad(x, [(0, 1)] + [(0, 0)] * (x.ndim - 1)) for x in self.leaves]
        return replace(self, capacity=self.capacity + 1, leaves=longer, most=self.most_items())


Rows.made = Buffer


@dataclass
class Emitted(parts.Structured):
    """The items that an iteration appends to a list and does nothing else with."""

    start: tuple
    items: tuple = ()

    def abstract(self, taking: Any) -> Node:
        return Node(Emitted, None, taking.all(self.items), list)


class GrowList(parts.Structured, list):
    """A list that the user's code has made while JAX traces."""

    held: Buffer | Emitted | None = None  # the contents if the list of Python has no items
    grows = True  # lists of different lengths can be joined
    stale = ""  # why it must not be changed, if so

    @classmethod
    def holding(cls, contents: Any) -> "GrowList":
        """A list with these contents: a tuple of items, or a buffer."""
        made = cls()
        made.put(contents)
        return made

    def contents(self) -> Any:
        """A tuple of the items, or the buffer."""
        return tuple(list.__iter__(self)) if self.held is None else self.held

    def put(self, contents: Any) -> None:
        """Gives the list its contents."""
        is_known = isinstance(contents, (tuple, list))
        self.held = None if is_known else contents
        list.__setitem__(self, slice(None), contents if is_known else ())

    def abstract(self, taking: Any) -> Node:
        return Node(GrowList, None, (taking.spec(self.contents()),), _holding)

    def buffer(self) -> Buffer | None:
        """The rows, if the list holds any."""
        if isinstance(self.held, Emitted):
            raise ReadBack
        return self.held

    def known(self) -> list:
        """The items, if their number is known."""
        held = self.buffer()
        if held is None:
            return list(list.__iter__(self))
        if isinstance(held.length, int):
            return held.rows(held.length)
        raise staging_error(
            "the items of a list are needed, of which only a run knows the number",
            f"It holds {describe(held)}; XLA has no arrays of unknown length.",
            "Read single items, z[i], its length, or append in every iteration of a loop over "
            "an array, which makes the number known.",
            ValueNeededError,
        )

    def size(self) -> Any:
        """The number of items."""
        held = self.buffer()
        return list.__len__(self) if held is None else held.length

    # -- changes -----------------------------------------------------------------------------------

    def check_current(self) -> None:
        """Raises `StagingError` if another name may hold the list that this one was joined from."""
        if self.stale:
            raise staging_error(
                f"a list is changed that is one of two {self.stale}",
                "Only a run knows which of them would have to change.",
                "Change a copy: z = list(z).",
                ContainerError,
            )

    def append(self, item: Any) -> None:
        self.check_current()
        if self.held is None:
            list.append(self, item)
        elif isinstance(self.held, Emitted):
            self.held = Emitted(self.held.start, (*self.held.items, item))
        else:
            self.held = self.held.with_room().stored(self.held.length, item).longer(1)

    def extend(self, items: Any) -> None:
        known = items.known() if isinstance(items, GrowList) else items
        for item in known:
            self.append(item)

    def pop(self, index: Any = -1) -> Any:
        self.check_current()
        held = self.buffer()
        if held is None:
            if is_staged(index):
                raise _not_known("pop(i)")
            return list.pop(self, index)
        if is_staged(index) or index != -1:
            raise _not_known("pop(i)")
        check(held.length > 0, IndexError, ("pop from empty list",))
        item = held.row(held.length - 1)
        self.held = held.longer(-1)
        return item

    def __getitem__(self, index: Any) -> Any:
        held = self.buffer()
        if held is not None:
            return self.known()[index] if isinstance(index, slice) else held.row(index)
        if is_staged(index):
            return item_at(tuple(list.__iter__(self)), index)
        return list.__getitem__(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.check_current()
        held = self.buffer()
        if held is not None and not isinstance(index, slice):
            at = jnp.where(index < 0, index + held.length, index)
            check((at >= 0) & (at < held.length), IndexError, _NO_PLACE)
            self.held = held.stored(at, value)
            return
        if held is not None:
            self.put(tuple(self.known()))
        if is_staged(index):
            self.put(with_item(tuple(list.__iter__(self)), index, value))
        else:
            list.__setitem__(self, index, value)

    # -- as a whole --------------------------------------------------------------------------------

    def __iter__(self) -> Iterator:
        return iter(self.known())

    def __len__(self) -> int:
        return list.__len__(self) if self.held is None else len(self.known())

    def __repr__(self) -> str:
        return list.__repr__(self) if not isinstance(self.held, Buffer) else describe(self.held)

    def masked(self, neutral: Any) -> Any:
        """The rows as one array, with a neutral element after the last."""
        held = self.buffer()
        if held is None or isinstance(held.length, int) or not isinstance(held.element, ArrayType):
            return self.stacked()
        (rows,) = held.leaves
        inside = (jnp.arange(held.capacity) < held.length).reshape(-1, *[1] * (rows.ndim - 1))
        return jnp.where(inside, rows, jnp.asarray(neutral, rows.dtype))

    def stacked(self) -> Any:
        """The items as one array with a new first axis."""
        held = self.buffer()
        is_one = held is not None and isinstance(held.element, ArrayType)
        if held is not None and is_one and isinstance(held.length, int):
            return held.leaves[0][: held.length]
        return jnp.stack([jnp.asarray(item) for item in self.known()])


def growing(value: Any) -> Any:
    """A value in whose tuples, dicts and lists the lists of Python are lists that can grow."""
    kind = type(value)
    if kind is list:
        return GrowList(map(growing, value))
    if kind is dict:
        return {key: growing(one) for key, one in value.items()}
    return tuple(map(growing, value)) if kind is tuple else value


def _holding(items: list) -> GrowList:
    return GrowList.holding(items[0])


_NO_PLACE = ("list assignment index out of range",)


def _on_items(name: str) -> Any:
    """A method of lists that works on the items, whose number has to be known."""
    method = getattr(list, name)

    @functools.wraps(method)
    def wrapped(self: GrowList, *args: Any, **kwargs: Any) -> Any:
        if name in CHANGING:
            self.check_current()
        if self.held is not None:
            self.put(tuple(self.known()))
        known = [x.known() if type(x) is GrowList else x for x in args]
        return method(self, *known, **kwargs)

    return wrapped


CHANGING = set(
    ["sort", "reverse", "insert", "remove", "clear", "__iadd__", "__imul__", "__delitem__"]
)
READING = [
    "index",
    "count",
    "copy",
    "__add__",
    "__mul__",
    "__rmul__",
    "__contains__",
    "__eq__",
    "__ne__",
    "__reversed__",
]
for _name in (*CHANGING, *READING):
    setattr(GrowList, _name, _on_items(_name))
GrowList.__hash__ = None  # type: ignore[assignment]


def _not_known(what: str) -> BaseException:
    return staging_error(
        f"{what} is called for a list, and only a run knows which item that is",
        "All items after it would move.",
        "Take the last one, z.pop(), or keep an index.",
        ContainerError,
    )


def most_items(contents: Any) -> int:
    """The most items that there can be in the contents of a list."""
    return contents.most_items() if isinstance(contents, Buffer) else len(contents)


def describe(buffer: Buffer) -> str:
    """The contents of a list, for messages."""
    return str(Rows(buffer.capacity, buffer.element))


def item_at(items: tuple | list, index: Any) -> Any:
    """`items[index]`, where a run knows the index."""
    if index.shape != () or not jnp.issubdtype(index.dtype, jnp.integer):
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    size = len(items)
    text = f"{'tuple' if type(items) is tuple else 'list'} index out of range"
    check((index >= -size) & (index < size), IndexError, (text,))
    if not size:
        raise IndexError(text)
    element, columns = parts.row_of(items, "read at a traced index")
    at = jnp.where(index < 0, index + size, index)
    rows = (lax.dynamic_index_in_dim(x, at, keepdims=False) for x in columns)
    return parts.built(element, rows)


def with_item(items: tuple | list, index: Any, value: Any) -> tuple:
    """The items after `items[index] = value`, where a run knows the index."""
    size = len(items)
    check((index >= -size) & (index < size), IndexError, _NO_PLACE)
    at = jnp.where(index < 0, index + size, index)
    spec, leaves = parts.taken_apart(value)
    found = []
    for number, item in enumerate(items):
        own, before = parts.taken_apart(item)
        try:
            wider = join(generalized(own), generalized(spec))
        except Mismatch as mismatch:
            raise staging_error(
                f"an item of a list is {mismatch.left}, and would become {mismatch.right}",
                "Only a run knows which item it is, and all have to be of one kind.",
                "Store a value of the same shape.",
                ContainerError,
            ) from None
        new, old = (
            parts.operands(wider, spec, iter(leaves)),
            parts.operands(wider, own, iter(before)),
        )
        chosen = [jnp.where(at == number, a, b) for a, b in zip(new, old, strict=True)]
        found.append(parts.built(wider, iter(chosen)))
    return tuple(found)


def _contents(items: GrowList) -> dict:
    held = items.held
    return dict(enumerate(list.__iter__(items))) if held is None else {"staged": held}


def _fill(items: GrowList, held: dict) -> None:
    items.put(held["staged"] if "staged" in held else tuple(held.values()))


def _unflattened(_: None, items: Any) -> list:
    """A list again for JAX's own functions while it traces, which compare types; else Python's."""
    return GrowList(items) if is_tracing() else list(items)


register_pytree_node(GrowList, lambda z: (z.known(), None), _unflattened)
register_accessor(GrowList, Accessor(_contents, None, _fill, lambda path, key: f"{path}[{key!r}]"))
register_accessor(jax.core.Tracer, None)
register_accessor(jax.Array, None)
