"""Lists as arrays of a fixed capacity, of which the first elements are in use.

    z = []                  rows = zeros((capacity, ...)), length = 0
    z.append(x)             rows[length] = x, length = length + 1
    np.stack(z)             rows, if the length is the capacity

XLA must know the capacity when it compiles, but only a run knows the length.  So a piece is
compiled for some capacities, runs, and tells how many elements each list needed; if they were
others, it is compiled again, for these (`compiled_piece.py`).  A list of the same length in each
call costs two compilations.  Each `list_new` of a piece is a *place*; the versions of a list share
their place.
"""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engines.xla.arithmetic import result_dtype
from runtime.engines.xla.evaluation import Evaluation, Rows
from runtime.engines.xla.lowering import NotLowered, lowers
from runtime.ir.graph import Node, operand_type
from runtime.ir.types import ListType

FIRST_CAPACITY = 16


@dataclass
class Capacities:
    """The capacities for which a piece is compiled, and how many elements its lists need.

    `needed` has the number of elements for each place; `exact` has the places where the capacity
    must be just that, as all rows are used, and `differs` says whether it is not in the run.
    """

    given: dict[int, int]
    needed: dict[int, Any]
    exact: set[int]
    differs: Any = False

    def of(self, place: int) -> int:
        """The capacity of the list that a place makes."""
        return self.given.get(place, FIRST_CAPACITY)

    def need(self, place: int, length: Any) -> None:
        """Notes that a list had so many elements."""
        self.needed[place] = jnp.maximum(self.needed.get(place, jnp.int64(0)), length)


def element_of(kind: Any) -> Any:
    """The type of the elements of a list."""
    return kind.element


def _list_of(run: Evaluation, value: Any) -> Rows:
    if not isinstance(value, Rows):
        raise NotLowered("a list enters the piece")
    return value


@lowers("list_new")
def new(run: Evaluation, node: Node, *_: Any) -> Rows:
    """A list of the operands."""
    if run.capacities is None or not run.is_outermost:
        raise NotLowered("a list is made in a branch or loop")
    element = element_of(node.outputs[0].type)
    place = len(run.capacities.needed)
    capacity = run.capacities.of(place)
    items = [run.cast(operand, element.dtype) for operand in node.inputs]
    run.capacities.needed[place] = jnp.int64(len(items))
    rows = jnp.zeros((capacity, *element.shape), element.dtype)
    for i, item in enumerate(items[:capacity]):
        rows = rows.at[i].set(item)
    return Rows(rows, jnp.int64(len(items)), jnp.int64(len(items)), place)


@lowers("list_append")
def append(run: Evaluation, node: Node, items: Any, _: Any) -> Rows:
    """The list with one element appended; one beyond the capacity is only counted."""
    given = _list_of(run, items)
    item = run.cast(node.inputs[1], given.rows.dtype)
    if item.shape != given.rows.shape[1:]:
        raise NotLowered("the elements of a list have two shapes")
    rows = _with_row(given, given.length, item)
    length = given.length + 1
    return Rows(rows, length, jnp.maximum(given.most, length), given.place)


def _with_row(items: Rows, index: Any, item: Any) -> Any:
    """The rows with one of them replaced; one beyond the capacity is left out."""
    if not items.rows.shape[0]:
        return items.rows
    return items.rows.at[index].set(item, mode="drop")


@lowers("list_length")
def length(run: Evaluation, node: Node, items: Any) -> Any:
    """The length of the list."""
    return _list_of(run, items).length


def _index(run: Evaluation, node: Node, items: Rows) -> Any:
    """The index that the second operand is, from 0; others fail."""
    dtype = operand_type(node.inputs[1]).dtype
    if dtype.kind not in "iu":
        raise NotLowered("the index of a list is no integer")
    index = run.cast(node.inputs[1], np.dtype(np.int64))
    index = jnp.where(index < 0, index + items.length, index)
    run.fail_if((index < 0) | (index >= items.length) | (index >= items.rows.shape[0]))
    return index


@lowers("list_get")
def get(run: Evaluation, node: Node, items: Any, _: Any) -> Any:
    """The element at an index."""
    given = _list_of(run, items)
    return _row(given, _index(run, node, given))


def _row(items: Rows, index: Any) -> Any:
    """A row; of a list without capacity, from which nothing is read, zeros."""
    if not items.rows.shape[0]:
        return jnp.zeros(items.rows.shape[1:], items.rows.dtype)
    return items.rows.at[index].get(mode="clip")


@lowers("list_set")
def replaced(run: Evaluation, node: Node, items: Any, *_: Any) -> Rows:
    """The list with the element at an index replaced."""
    given = _list_of(run, items)
    item = run.cast(node.inputs[2], given.rows.dtype)
    rows = _with_row(given, _index(run, node, given), item)
    return Rows(rows, given.length, given.most, given.place)


@lowers("list_pop")
def pop(run: Evaluation, node: Node, items: Any, _: Any) -> tuple[Rows, Any]:
    """The list without the element at an index, and that element."""
    given = _list_of(run, items)
    index = _index(run, node, given)
    item = _row(given, index)
    numbers = jnp.arange(given.rows.shape[0])
    moved = jnp.roll(given.rows, -1, axis=0)
    behind = jnp.reshape(numbers >= index, (-1,) + (1,) * (given.rows.ndim - 1))
    rows = jnp.where(behind, moved, given.rows)
    return Rows(rows, given.length - 1, given.most, given.place), item


@lowers("list_stack")
def stack(run: Evaluation, node: Node, items: Any) -> Any:
    """The elements as an array: all rows, so that the capacity must be the length."""
    given = _list_of(run, items)
    if run.capacities is None or not run.is_outermost:
        raise NotLowered("a list is stacked in a branch or loop")
    run.capacities.exact.add(given.place)
    run.capacities.differs |= given.length != given.rows.shape[0]
    return given.rows.astype(result_dtype(node))


@lowers("list_joined")
def joined(run: Evaluation, node: Node, items: Any) -> Any:
    """The elements stacked by a function of NumPy, which raises for none."""
    if node.attributes["by"] != "stack" or node.attributes["given"] not in ((), (0,)):
        raise NotLowered("a list is joined in another way than by np.stack along the first axis")
    run.fail_if(_list_of(run, items).length == 0)
    return stack(run, node, items)


@lowers("list_cast")
def cast(run: Evaluation, node: Node, items: Any) -> Rows:
    """The list with its elements in another dtype."""
    given = _list_of(run, items)
    kinds = (operand_type(node.inputs[0]), node.outputs[0].type)
    before, after = (element_of(kind) for kind in kinds)
    rows = run.to(given.rows, before, after.dtype)
    return Rows(rows, given.length, given.most, given.place)


def objects(kind: ListType, rows: Any, length: int) -> list[Any]:
    """The list as an object of Python, of scalars."""
    element: Any = kind.element
    found = np.asarray(rows)[:length]
    if isinstance(element.dtype, np.dtype) and hasattr(element, "kind"):
        return [element.kind(one) for one in found.tolist()]
    return list(found)


jax.tree_util.register_dataclass(
    Rows, data_fields=["rows", "length", "most"], meta_fields=["place"]
)
