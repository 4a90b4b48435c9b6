"""`rt.vmap`: a function of one element becomes a function of a whole batch.

    def distance(x, y): ...                    of two points, f64[3]
    rt.vmap(distance)(xs, ys)                  of as many points in f64[n, 3]: f64[n]
    rt.vmap(distance, in_axes=(0, None))(xs, y)        of many points and one

What comes out is what a loop in Python would give, `np.stack([distance(x, y) for x, y in ...])`, in
one graph and mostly in one call of NumPy's for each operation.  The function is recorded for one
element (`replay.py`), and its nodes are replayed for all of them (`interpreter.py`).

    in_axes     the axis of each argument along which its elements stand; None: the argument is the
                same for all elements.  One number for all arguments, or one for each of them, or
                containers of numbers as the arguments are containers of arrays
    out_axes    the axis of each result along which its elements will stand, in the same manner;
                None: the result must be the same for all elements, and is given once

Only arrays are taken apart: a number of Python's, a text or an object is the same for all.
"""

import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

import numpy as np

from runtime.errors import staging_error
from runtime.function.function import Function
from runtime.function.transformation import Transform
from runtime.function.transformed import transformed
from runtime.ir.graph import NUMBERS, Operand, operand_type
from runtime.ir.op import find
from runtime.ir.pytree import LEAF, Structure, flatten, unflatten
from runtime.ir.types import ListType, PythonType, TensorType
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor, apply, staged, unwrap_all
from runtime.transforms.replay import TracedFunction, result_value, traced
from runtime.transforms.user_lists import plain_lists
from runtime.transforms.vmap.interpreter import BatchInterpreter
from runtime.transforms.vmap.nested import record_mapped
from runtime.transforms.vmap.rules import batch_of
from runtime.transforms.vmap.values import Batched

P = ParamSpec("P")
R = TypeVar("R")
Axes = Any  # an int, None, or containers of them


def vmap(fn: Callable[P, R], in_axes: Axes = 0, out_axes: Axes = 0) -> Function[P, R]:
    """A function that maps `fn` over axes of its arguments: over the first ones by default.

    Results are those of a loop over the elements, stacked along `out_axes`; branches and loops may
    go another way for each element.  Raises `ValueError` where axes or sizes do not fit.

    >>> def clipped(x, limit):
    ...     if x > limit:
    ...         return limit
    ...     return x
    >>> vmap(clipped, in_axes=(0, None))(np.array([1.0, 5.0, 2.0]), np.float64(3.0))
    array([1., 3., 2.])
    """
    mapped = functools.partial(Mapped, in_axes, out_axes)
    return transformed(fn, Transform(mapped, key=("vmap", repr(in_axes), repr(out_axes))))


@dataclass(frozen=True)
class Argument:
    """An array among the arguments: what the user calls it, and the axis of its elements."""

    name: str
    tensor: Tensor
    axis: int

    @property
    def size(self) -> Any:
        """How many elements there are; staged where only a run tells."""
        return self.tensor.shape[self.axis]

    def rows(self) -> Tensor:
        """The array with its elements along the first axis."""
        return np.moveaxis(self.tensor, self.axis, 0) if self.axis else self.tensor

    def element(self) -> TensorType:
        """The type of one element."""
        shape = self.tensor.type.shape
        return TensorType(self.tensor.dtype, shape[: self.axis] + shape[self.axis + 1 :])


@dataclass
class Nesting:
    """How many mapped functions are being recorded, one inside another."""

    depth: int = 0


class Mapped:
    """A function that is mapped; called while a graph is recorded."""

    def __init__(self, in_axes: Axes, out_axes: Axes, entered: Callable):
        self.in_axes, self.out_axes, self.entered = in_axes, out_axes, entered
        self.__name__ = getattr(entered, "__name__", "function")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = plain_lists((args, kwargs))
        leaves, _ = flatten((args, kwargs))
        arguments = self._arguments(args, kwargs)
        if not arguments:
            raise staging_error(
                f"vmap maps {self.__name__} over no array",
                "No argument is an array with an axis that `in_axes` names.",
                "Give `in_axes` an axis for at least one array.",
            )
        size = self._size(list(arguments.values()))
        if trace.current().is_eager:
            return self._looped((args, kwargs), arguments, int(unwrap_all(size)))
        types = {place: one.element() for place, one in arguments.items()}
        names = {place: one.name for place, one in arguments.items()}
        rows = [staged(one.rows())._value for one in arguments.values()]
        recorder = trace.current()
        nesting = recorder.state(Nesting)
        nesting.depth += 1
        try:
            function = traced(self.entered, (args, kwargs), types, names)
        finally:
            nesting.depth -= 1
        batch, outputs = batch_of(size), function.region.outputs
        if nesting.depth:  # what it becomes is seen when the function around it is replayed
            found = record_mapped(function, rows)
        else:
            given = [Batched(row, kind) for row, kind in zip(rows, types.values(), strict=True)]
            batch.known.update(zip(function.region.inputs, given, strict=True))
            found = batch.run(function.region)
        values = iter(zip(found, outputs, strict=True))
        result = self._results(batch, function, values)
        self._write(batch, values, [arguments[place] for place in function.written])
        return result

    def _looped(self, arguments, mapped, size):
        """The result where operations run as they are recorded: of a loop over the elements."""
        leaves, structure = flatten(arguments)
        found = []
        for i in range(size):
            each = [
                mapped[place].rows()[i] if place in mapped else leaf
                for place, leaf in enumerate(leaves)
            ]
            args, kwargs = unflatten(structure, each)
            found.append(flatten(self.entered(*args, **kwargs)))
        if not found:
            raise ValueError(f"vmap maps {self.__name__} over no elements while it runs as Python")
        shape = found[0][1]
        axes = self._out_axes(shape)
        columns = zip(*(row for row, _ in found), strict=True)
        return unflatten(shape, [_joined(*pair) for pair in zip(columns, axes, strict=True)])

    # -- what goes in ------------------------------------------------------------------------------

    def _arguments(self, args, kwargs):
        """The arrays that are taken apart, by their places among the leaves."""
        leaves, structure = flatten((args, kwargs))
        names = _names(structure, self.entered)
        axes = [*self._axes_of(args), *[0] * (len(leaves) - len(flatten(args)[0]))]
        found = {}
        for place, (leaf, name, axis) in enumerate(zip(leaves, names, axes, strict=True)):
            is_array = isinstance(leaf, (Tensor, np.ndarray, np.generic))
            if axis is None or not is_array:
                continue
            if axis is MISSING:
                raise ValueError(
                    f"in_axes of vmap has {len(self.in_axes)} entries, and {self.__name__} is "
                    f"called with an array {name} besides: give in_axes an entry for each argument"
                )
            tensor = staged(leaf)
            if isinstance(tensor.type, PythonType):
                continue
            found[place] = Argument(name, tensor, self._axis(axis, tensor, name))
        return found

    def _axes_of(self, args):
        """The axis of each leaf of the positional arguments."""
        if self.in_axes is None or isinstance(self.in_axes, int):
            return [self.in_axes] * len(flatten(args)[0])
        given = tuple(self.in_axes)
        if len(given) > len(args):
            raise ValueError(
                f"in_axes of vmap has {len(given)} entries, and {self.__name__} is called with "
                f"{len(args)} arguments"
            )
        given += (MISSING,) * (len(args) - len(given))
        return [
            axis
            for one, axes in zip(args, given, strict=True)
            for axis in _matched(axes, flatten(one)[1], "in_axes")
        ]

    def _axis(self, axis, tensor, name):
        if not isinstance(axis, int) or not -tensor.ndim <= axis < tensor.ndim:
            raise ValueError(
                f"vmap maps {self.__name__} over axis {axis!r} of {name}, which is {tensor.type} "
                f"and has {tensor.ndim} axes: give in_axes None where it is the same for all"
            )
        return axis % tensor.ndim

    def _size(self, arguments: list[Argument]) -> Operand:
        """How many elements there are.  Raises `ValueError` where arguments differ in that."""
        known = [one for one in arguments if isinstance(one.size, int)]
        for one in known[1:]:
            if one.size != known[0].size:
                raise ValueError(self._mismatch(known[0], one).format(known[0].size, one.size))
        first = known[0] if known else arguments[0]
        for one in arguments:
            if one is not first and not isinstance(one.size, int):
                self._check(first, one)
        size = first.size
        return size if isinstance(size, int) else size._value

    def _mismatch(self, one, other):
        return (
            f"vmap maps {self.__name__} over arguments of different sizes: {one.name} has {{}} "
            f"elements along axis {one.axis}, {other.name} has {{}} along axis {other.axis}"
        )

    def _check(self, one, other):
        """Records a check that two arguments have as many elements."""
        text = self._mismatch(one, other).replace("{}", "another number of")
        same = apply(find("equal"), one.size, other.size)
        apply(find("assert_"), same, error=ValueError, arguments=(text,))

    # -- what comes out ----------------------------------------------------------------------------

    def _write(self, batch: BatchInterpreter, values: Iterator, arguments: list[Argument]) -> None:
        """Writes into the arguments what the function has written into their elements."""
        for one, (end, _) in zip(arguments, values, strict=True):
            new = batch.tensor(batch.as_batched(end, one.element()).value)
            one.tensor[...] = np.moveaxis(new, 0, one.axis) if one.axis else new

    def _results(self, batch: BatchInterpreter, function: TracedFunction, values: Iterator) -> Any:
        """The result, of what the outputs of the region became, and what they were."""
        axes = self._out_axes(function.structure)
        results: list[Any] = []
        for leaf, axis in zip(function.leaves, axes, strict=True):
            if leaf.is_plain:
                results.append(leaf.plain)
                continue
            found, operand = next(values)
            result = _result(batch, found, operand_type(operand), axis, self.__name__)
            absent = next(values)[0] if leaf.absent is not None else None
            if isinstance(absent, Batched):
                self._check_none(batch.tensor(absent.value))
                absent = None
            results.append(result_value(leaf, result, absent))
        return function.result(results)

    def _out_axes(self, structure):
        """The axis of each leaf of the result."""
        if self.out_axes is None or isinstance(self.out_axes, int):
            return [self.out_axes] * _leaves(structure)
        return _matched(self.out_axes, structure, "out_axes")

    def _check_none(self, absent):
        """Records a check that a result is None for no element."""
        text = f"{self.__name__} returns None for some elements of a batch, which no array holds"
        attributes = {"error": TypeError, "arguments": (text,)}
        apply(find("assert_"), np.logical_not(np.any(absent)), **attributes)


MISSING = object()


def _matched(axes: Axes, structure: Structure, called: str) -> list:
    """The axis of each leaf of a structure, from containers of axes that go as deep as it or less.

    Raises `ValueError` where they do not fit.
    """
    is_axis = axes is None or axes is MISSING or isinstance(axes, int)
    if is_axis or structure == LEAF:
        if not is_axis:
            raise ValueError(f"{called} of vmap has {axes!r} where there is one value")
        return [axes] * _leaves(structure)
    children = list(axes.values()) if isinstance(axes, dict) else list(axes)
    fits = len(children) == len(structure.children)
    if isinstance(axes, dict):
        fits = fits and structure.kind is dict and set(axes) == set(structure.keys)
        children = [axes[key] for key in structure.keys] if fits else children
    if not fits:
        raise ValueError(f"{called} of vmap has {axes!r} where there is {structure}")
    pairs = zip(children, structure.children, strict=True)
    return [axis for child, inside in pairs for axis in _matched(child, inside, called)]


def _leaves(structure):
    return 1 if structure.kind is None else sum(map(_leaves, structure.children))


def _names(structure: Structure, function: Callable) -> list[str]:
    """What the user calls each leaf of the arguments."""
    try:
        parameters = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        parameters = []
    args, kwargs = structure.children
    count = len(args.children)
    names = [*parameters[:count], *(f"argument_{i}" for i in range(len(parameters), count))]
    named = [
        *zip(names, args.children, strict=True),
        *zip(kwargs.keys, kwargs.children, strict=True),
    ]
    return [path for name, child in named for path in _paths(name, child)]


def _paths(path, structure):
    if structure.kind is None:
        return [path]
    keys = structure.keys or range(len(structure.children))
    pairs = zip(keys, structure.children, strict=True)
    return [inner for key, child in pairs for inner in _paths(f"{path}[{key!r}]", child)]


def _joined(column, axis):
    """What a loop gave for all elements, along an axis."""
    is_plain = not isinstance(column[0], (Tensor, np.ndarray, np.generic, *NUMBERS))
    return column[0] if axis is None or is_plain else np.stack(list(map(staged, column)), axis)


def _result(batch, found, kind, axis, called):
    """A result with the batch along an axis, in memory of its own."""
    if axis is None:
        if isinstance(found, Batched):
            raise ValueError(
                f"out_axes of vmap is None for a result of {called} that differs between elements"
            )
        return found
    rows = batch.as_batched(found, kind)
    if isinstance(kind, ListType):
        if axis != 0:
            raise ValueError("out_axes of vmap is 0 for a list: each item has the batch in front")
        return rows.value
    tensor = batch.tensor(rows.value)
    ndim = tensor.ndim
    if not isinstance(axis, int) or not -ndim <= axis < ndim:
        raise ValueError(
            f"out_axes of vmap is {axis!r} for a result of {called} that is {tensor.type}"
        )
    if axis % ndim:
        tensor = np.moveaxis(tensor, 0, axis % ndim)
    return apply(find("copy"), tensor)._value
