"""The fallback: a staged loop over the elements, for nodes without a rule for batches.

z = f(x)      x: f64[n, 3]     z = []
                               for i in range(n):
                                   z.append(f(x[i]))
                               z = np.stack(z)              if the elements have one shape
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from runtime.ir.graph import Node, Operand, Value, captures
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.ir.types import BoxType, ListType, PythonType, TensorType, TupleType, Type
from runtime.transforms.vmap.values import Batched, Deferred, ListBatched, batched_type, may_differ


class ElementLoop:
    """The part of `BatchInterpreter` that loops over the elements of a batch."""

    size: Operand
    known: dict[Value, Any]
    record: Any
    recorder: Any
    repeat: Any
    copied: Any
    rows: Any
    each_item: Any
    unpacked: Any
    of_type: Any
    known_size: int | None

    def for_each_element(
        self, node: Node, known: dict[Value, Any] | None = None
    ) -> tuple[Any, ...]:
        """Executes a node in a loop over the elements; `known` has the replaced operands."""
        kinds = [value.type for value in node.outputs]
        lists = self._listed(kinds, lambda i: self.for_element(node, known or self.known, i))
        return tuple(
            self._kept(items, kind) if may_differ(kind) else self.stacked(items, kind)
            for items, kind in zip(lists, kinds, strict=True)
        )

    def _kept(self, items, kind):
        """A list with a value for each element; of lists of arrays, also a table of all."""
        if not isinstance(kind, ListType) or may_differ(kind.element):
            return ListBatched(items, kind)
        attributes = {"element": TensorType(kind.element.dtype, kind.element.shape)}
        table = self.recorder.record(find("list_table"), (items,), attributes)
        owners = self.record("arange", 0, self.size, 1, dtype=np.dtype(np.intp))
        return ListBatched(items, kind, table, owners)

    def _listed(self, kinds, make):
        """Lists of the values that `make` returns for each element, one list for each kind."""
        starts = [self.record("list_new", element=kind) for kind in kinds]

        def iteration(i, *lists):
            found = make(i)
            lists = [self.record("list_append", *pair) for pair in zip(lists, found, strict=True)]
            i = self.record("add", i, 1)
            return self.record("less", i, self.size), i, *lists

        _, *lists = self.repeat(self.is_any(), (0, *starts), iteration)
        return lists

    def is_any(self) -> Operand:
        """Whether the batch has elements."""
        is_staged = isinstance(self.size, Value)
        return self.record("greater", self.size, 0) if is_staged else self.size > 0

    def for_element(self, node: Node, known: dict[Value, Any], i: Operand) -> Sequence[Value]:
        """Records a node for the element at an index."""
        inner = [v for region in node.regions.values() for v in captures(region)]
        read = {v for v in (*node.inputs, *inner) if isinstance(v, Value)}
        return self.copied(
            node, {value: self.element(known.get(value, value), value.type, i) for value in read}
        )

    def element(self, found: Any, kind: Type, i: Operand) -> Operand:
        """The replacement of a value for the element at an index, with the value's own type."""
        match found:
            case Deferred():
                return self.for_element(found.node, found.known, i)[found.place]
            case ListBatched():
                return self.record("list_get", found.value, i)
            case Batched():
                return self._row(found.value, kind, i)
        return found

    def _row(self, rows, kind, i):
        if isinstance(kind, ListType):
            element = kind.element
            return self.each_item(rows, element, lambda item: self._row(item, element, i))
        if isinstance(kind, TupleType):
            parts = zip(self.unpacked(rows), kind.places, strict=True)
            return self.record("pack", *[self._row(part, place, i) for part, place in parts])
        (value,) = self.recorder.record(
            find("getitem"), (rows, i), {"at": (Slot(0),)}, hints=[rows.hint]
        )
        if isinstance(kind, PythonType):
            return self.record("number", value, type=kind)
        if isinstance(kind, BoxType):
            return self.record("box", value)
        return self.of_type(value, kind)

    # -- values in a list --------------------------------------------------------------------------

    def as_listed(self, found: Any, kind: Type) -> ListBatched:
        """The replacement of a value, as a list with an item for each element."""
        if isinstance(found, ListBatched):
            return found
        (items,) = self._listed([kind], lambda i: [self.element(found, kind, i)])
        return ListBatched(items, kind)

    def gather_listed(self, found: ListBatched, places: Value) -> ListBatched:
        """Gathers the items of the selected elements."""
        count = self.record("size", places, axis=0)
        start = self.record("list_new", element=found.type)

        def iteration(i, made):
            place = self.record("getitem", places, i, at=(Slot(0),))
            made = self.record("list_append", made, self.record("list_get", found.value, place))
            i = self.record("add", i, 1)
            return self.record("less", i, count), i, made

        more = self.record("greater", count, 0)
        items = self.repeat(more, (0, start), iteration)[1]
        if found.owners is None:
            return ListBatched(items, found.type)
        owners = self.record("take", found.owners, places, axis=0)
        return replace(found, value=items, owners=owners)

    def stacked(self, items: Value, kind: Type) -> Batched:
        """A list with an item for each element, as a batched value.

        At run time, items of different shapes or lengths raise ValueError.
        """
        if isinstance(kind, ListType):
            return Batched(self._stacked_lists(items, kind.element), kind)
        if isinstance(kind, TupleType):
            rows = [self._stacked_place(items, kind, i) for i in range(len(kind.places))]
            return Batched(self.record("pack", *rows), kind)
        batched_type(kind, None)
        element = TensorType(kind.dtype, kind.shape)
        return self.batched(self.record("batch_stack", items, element=element), kind)

    def _stacked_place(self, tuples, kind, i):
        place = kind.places[i]
        items = self.each_item(tuples, place, lambda item: self.unpacked(item)[i])
        return self.stacked(items, place).value

    def _stacked_lists(self, lists, element):
        """Lists of one length as a list of batched items."""
        length = self._common_length(lists)
        start = self.record("list_new", element=batched_type(element, self.known_size))

        def iteration(j, made):
            items = self.each_item(lists, element, lambda one: self.record("list_get", one, j))
            made = self.record("list_append", made, self.stacked(items, element).value)
            j = self.record("add", j, 1)
            return self.record("less", j, length), j, made

        return self.repeat(self.record("greater", length, 0), (0, start), iteration)[1]

    def _common_length(self, lists):
        """The common length of some lists.  Records a check that their lengths are equal."""
        text = "lists that differ in length between the elements of a batch have no common one"

        def iteration(i, length):
            own = self.record("list_length", self.record("list_get", lists, i))
            first = self.record("equal", i, 0)
            is_same = self.branches(
                first, lambda: [True], lambda: [self.record("equal", own, length)]
            )
            attributes = {"error": ValueError, "arguments": (text,)}
            self.recorder.record(find("assert_"), is_same, attributes)
            i = self.record("add", i, 1)
            return self.record("less", i, self.size), i, own

        return self.repeat(self.is_any(), (0, 0), iteration)[1]
