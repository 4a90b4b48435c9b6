"""`rt.vmap`: a function of one element becomes a function of a whole batch.

    def distance(x, y): ...                        two points, f64[3] each
    rt.vmap(distance)(xs, ys)                      points in f64[n, 3]: distances in f64[n]
    rt.vmap(distance, in_axes=(0, None))(xs, y)    many points and one point

The results are those of a Python loop, `np.stack([distance(x, y) for x, y in zip(xs, ys)])`, in one
graph, mostly with one NumPy call for each operation.  The function is traced for one element
(`replay.py`), and its nodes are replayed for all of them (`interpreter.py`).

    in_axes     the axis of each argument to map over; None for an argument that is the same for all
                elements.  An int for all arguments of a call (not for defaults), or one for each
                argument, or containers of ints like the containers of the arguments
    out_axes    the axis of each result along which the elements are stacked, in the same manner;
                None for a result that is the same for all elements, which is returned once

Only arrays are mapped over: Python scalars, strings and objects are the same for all elements.  An
object of a dataclass is a container of its fields if `in_axes` has an entry for it, or if it is the
only argument.
"""

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

import numpy as np

from runtime.errors import BatchError, staging_error
from runtime.function.boundary import shown_to_user
from runtime.function.function import Function
from runtime.function.transformation import Transform
from runtime.function.transformed import transformed
from runtime.ir.graph import PYTHON_SCALARS, Operand, operand_type
from runtime.ir.op import find
from runtime.ir.pytree import flatten, unflatten
from runtime.ir.records import is_mapping, is_record
from runtime.ir.types import ListType, PythonType, TensorType
from runtime.spellings.options import BATCH, answers_options
from runtime.staging.chosen import Chosen
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.state.random_streams import ElementStreams
from runtime.tracing import trace
from runtime.tracing.eager_values import unwrap_all
from runtime.tracing.tensor import Tensor, apply, staged
from runtime.transforms.replay import TracedFunction, result_value, traced
from runtime.transforms.streams import spread
from runtime.transforms.trees import closed, opened
from runtime.transforms.user_lists import plain_lists
from runtime.transforms.vmap.effects import refuse_unordered_calls
from runtime.transforms.vmap.interpreter import BatchInterpreter
from runtime.transforms.vmap.mapped_axes import MISSING, Axes, leaf_count, leaf_names, matched
from runtime.transforms.vmap.nested import record_mapped
from runtime.transforms.vmap.rules import batch_of
from runtime.transforms.vmap.values import Batched

P = ParamSpec("P")
R = TypeVar("R")


@shown_to_user
@answers_options("rt.vmap", BATCH)
def vmap(fn: Callable[P, R], in_axes: Axes = 0, out_axes: Axes = 0) -> Function[P, R]:
    """A function that maps `fn` over axes of its arguments: over the first ones by default.

    Results are those of a loop over the elements, stacked along `out_axes`; elements go through
    branches and loops independently.  A result of shape `s` becomes one of shape `(n, *s)` for n
    elements.  Raises `ValueError` if axes or sizes do not match.

    >>> def clipped(x, limit):
    ...     if x > limit:
    ...         return limit
    ...     return x
    >>> vmap(clipped, in_axes=(0, None))(np.array([1.0, 5.0, 2.0]), np.float64(3.0))
    array([1., 3., 2.])
    """
    mapped = functools.partial(Mapped, in_axes, out_axes)
    key, made_by = ("vmap", repr(in_axes), repr(out_axes)), (vmap, (in_axes, out_axes))
    passed = len(in_axes) if isinstance(in_axes, (tuple, list)) else 0
    transform = Transform(mapped, key=key, made_by=made_by, passed_defaults=passed)
    return transformed(fn, transform)


@dataclass(frozen=True)
class MappedArgument:
    """An array among the arguments: its name in messages, and the axis to map over."""

    name: str
    tensor: Tensor
    axis: int

    @property
    def size(self) -> Any:
        """The number of elements; staged if only a run knows it."""
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


class OpenedFunction:
    """A function whose arguments and results have dicts in place of objects (`trees.py`)."""

    def __init__(self, function: Callable, given: Any):
        self._function, self._given = function, given
        self._result: Any = None
        self.__name__ = getattr(function, "__name__", "function")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = closed(self._given, (args, kwargs))
        self._result = self._function(*args, **kwargs)
        return opened(self._result)

    def closed(self, result: Any) -> Any:
        """The result of the mapped function, with objects as in that of the function."""
        return closed(self._result, result)


class Mapped:
    """A mapped function; called while a graph is traced."""

    def __init__(self, in_axes: Axes, out_axes: Axes, entered: Callable):
        self.in_axes, self.out_axes, self.entered = in_axes, out_axes, entered
        self.__name__ = getattr(entered, "__name__", "function")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = plain_lists((args, kwargs))
        args, kwargs = self._opened(*given)
        entered = OpenedFunction(self.entered, given)
        arguments = self._arguments(args, kwargs)
        if not arguments:
            (args, kwargs) = opened(given)
            arguments = self._arguments(args, kwargs)
        if not arguments:
            raise staging_error(
                f"vmap maps {self.__name__} over no array",
                "No argument is an array to which `in_axes` assigns an axis.",
                "Set `in_axes` to an axis for at least one array.",
                BatchError,
            )
        size = self._size(list(arguments.values()))
        if trace.current().is_eager:
            found = self._looped(entered, (args, kwargs), arguments, int(unwrap_all(size)))
            return entered.closed(found)
        types = {place: one.element() for place, one in arguments.items()}
        names = {place: one.name for place, one in arguments.items()}
        rows = [staged(one.rows())._value for one in arguments.values()]
        recorder = trace.current()
        nesting = recorder.state(Nesting)
        nesting.depth += 1
        try:
            function = traced(entered, (args, kwargs), types, names, is_mapped=True)
        finally:
            nesting.depth -= 1
        refuse_unordered_calls(function.region)
        rows += spread(function.streams, function.region, size)
        batch, outputs = batch_of(size), function.region.outputs
        if nesting.depth:  # it is replayed with the function around it
            found = record_mapped(function, rows)
        else:
            inputs = function.region.inputs
            batch.known.update(
                (v, Batched(row, v.type)) for v, row in zip(inputs, rows, strict=True)
            )
            found = batch.run(function.region)
        values = iter(zip(found, outputs, strict=True))
        result = self._results(batch, function, values)
        self._write(batch, values, [arguments[place] for place in function.written])
        return entered.closed(result)

    def _opened(self, args, kwargs):
        """The arguments, with dicts in place of the objects and dicts that are mapped over."""
        axes = self.in_axes
        is_each = axes is not None and not isinstance(axes, int)
        named = [is_each and i < len(axes) and axes[i] is not None for i in range(len(args))]
        pairs = zip(args, named, strict=True)
        found = tuple(opened(one, is_record if is_named else is_mapping) for one, is_named in pairs)
        return found, opened(kwargs, is_mapping)

    def _looped(self, entered, arguments, mapped, size):
        """The result if operations run as they are traced: by a loop over the elements."""
        leaves, structure = flatten(arguments)
        found = []
        with trace.current().state(ElementStreams).elements(size) as elements:
            for i in elements:
                each = [
                    mapped[place].rows()[i] if place in mapped else leaf
                    for place, leaf in enumerate(leaves)
                ]
                args, kwargs = unflatten(structure, each)
                found.append(flatten(entered(*args, **kwargs)))
        if not found:
            raise ValueError(
                f"vmap maps {self.__name__} over zero elements while it runs as Python"
            )
        shape = found[0][1]
        axes = self._out_axes(shape)
        columns = zip(*(row for row, _ in found), strict=True)
        return unflatten(shape, [_joined(*pair) for pair in zip(columns, axes, strict=True)])

    # -- arguments ---------------------------------------------------------------------------------

    def _arguments(self, args, kwargs):
        """The arrays that are mapped over, by their positions among the leaves."""
        leaves, structure = flatten((args, kwargs))
        names = leaf_names(structure, self.entered)
        axes = [*self._axes_of(args), *[0] * (len(leaves) - len(flatten(args)[0]))]
        found = {}
        for place, (leaf, name, axis) in enumerate(zip(leaves, names, axes, strict=True)):
            is_array = isinstance(leaf, (Tensor, np.ndarray, np.generic))
            if axis is None or not is_array:
                continue
            if axis is MISSING:
                raise ValueError(
                    f"in_axes of vmap has {len(self.in_axes)} entries, and {self.__name__} is "
                    f"called with another array, {name}: give in_axes an entry for each argument"
                )
            tensor = staged(leaf)
            if isinstance(tensor.type, PythonType):
                continue
            found[place] = MappedArgument(name, tensor, self._axis(axis, tensor, name))
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
            for axis in matched(opened(axes), flatten(one)[1], "in_axes")
        ]

    def _axis(self, axis, tensor, name):
        if not isinstance(axis, int) or not -tensor.ndim <= axis < tensor.ndim:
            raise ValueError(
                f"vmap maps {self.__name__} over axis {axis!r} of {name}, which is {tensor.type} "
                f"and has {tensor.ndim} axes: use None in in_axes if it is the same for all"
            )
        return axis % tensor.ndim

    def _size(self, arguments: list[MappedArgument]) -> Operand:
        """The number of elements.  Raises `ValueError` if arguments have different ones."""
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
        """Records a check that two arguments have the same number of elements."""
        text = self._mismatch(one, other).replace("{}", "a different number of")
        same = apply(find("equal"), one.size, other.size)
        apply(find("assert_"), same, error=ValueError, arguments=(text,))

    # -- results -----------------------------------------------------------------------------------

    def _write(
        self, batch: BatchInterpreter, values: Iterator, arguments: list[MappedArgument]
    ) -> None:
        """Writes the final values of the elements into the arguments."""
        for one, (end, _) in zip(arguments, values, strict=True):
            new = batch.tensor(batch.as_batched(end, one.element()).value)
            one.tensor[...] = np.moveaxis(new, 0, one.axis) if one.axis else new

    def _results(self, batch: BatchInterpreter, function: TracedFunction, values: Iterator) -> Any:
        """Rebuilds the result from batched region outputs, paired with the original ones."""
        _refuse_choice(function.structure, self.__name__)
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
            return [self.out_axes] * leaf_count(structure)
        return matched(self.out_axes, structure, "out_axes")

    def _check_none(self, absent):
        """Records a check that a result is None for no element."""
        text = f"{self.__name__} returns None for some elements of a batch; arrays cannot hold it"
        attributes = {"error": TypeError, "arguments": (text,)}
        apply(find("assert_"), np.logical_not(np.any(absent)), **attributes)


def _refuse_choice(structure, called):
    """Raises `StagingError` if elements of a batch may have results of different kinds."""
    if structure.kind in (Chosen, MaybeNoneObject):
        raise staging_error(
            f"vmap is applied to {called}, which returns values of different kinds",
            "Results are stacked, so those of all elements must be of one kind and shape.",
            "Return a value of the same kind on each path.",
            BatchError,
        )
    for child in structure.children:
        _refuse_choice(child, called)


def _joined(column, axis):
    """The results of a loop over the elements, stacked along an axis."""
    is_plain = not isinstance(column[0], (Tensor, np.ndarray, np.generic, *PYTHON_SCALARS))
    return column[0] if axis is None or is_plain else np.stack(list(map(staged, column)), axis)


def _result(batch, found, kind, axis, called):
    """A result with the batch along an axis, in memory of its own."""
    if axis is None:
        if isinstance(found, Batched):
            raise ValueError(
                f"out_axes of vmap is None, but a result of {called} differs between elements"
            )
        return found
    rows = batch.as_batched(found, kind)
    if isinstance(kind, ListType):
        if axis != 0:
            raise ValueError("out_axes of vmap must be 0 for a list, whose items are batched")
        return rows.value
    tensor = batch.tensor(rows.value)
    ndim = tensor.ndim
    if not isinstance(axis, int) or not -ndim <= axis < ndim:
        raise ValueError(f"out_axes of vmap is {axis!r}, but a result of {called} is {tensor.type}")
    if axis % ndim:
        tensor = np.moveaxis(tensor, 0, axis % ndim)
    return apply(find("copy"), tensor)._value
