"""Errors about a variable that would be two kinds of value: after a branch, or after an iteration.

    StagingError: y is f64[2] after one branch of this `if` and f64 after the other
      model.py, line 3, in clip
          if x[0] > limit:
          ^^^^^^^^^^^^^^^^
      y = f64[2]   line 4
      y = f64      line 6
    The condition is staged, so both branches must leave values of one kind.
    Make arrays of one shape in both: np.full((2,), y) repeats a number.

A difference inside of a list, a dict or an object is shown with its path: `info['value']`.
"""

import functools
import inspect
import linecache
import re
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from autograph.functions.policy import is_users_class
from autograph.staging.abstract_values import AbstractLeaf, Mismatch
from autograph.staging.locate import users_frame
from runtime.errors import BranchError, LoopError, staging_error
from runtime.ir.pytree import Structure, is_list
from runtime.ir.types import STRING, TensorType, Type
from runtime.staging.chosen import Chosen
from runtime.staging.containers import OpenedContainer, StagedContainer
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.staging.unbound_object import MaybeUnboundObject
from runtime.tracing.tensor import Tensor

OF_SEVERAL = {
    Chosen: "one of several objects",
    MaybeNoneObject: "an object or None",
    MaybeUnboundObject: "an object that may be unbound",
    OpenedContainer: "a dict or set with staged keys",
}
FUNCTIONS = (FunctionType, BuiltinFunctionType, np.ufunc, type(np.sum))


def branch_error(path: str, row: tuple, mismatch: Mismatch) -> BaseException:
    """The error about a variable after the branches, whose values there are `row`."""
    sides = _Sides(path, mismatch, row)
    return staging_error(
        f"{sides.path} is {sides.left} after one branch of this `if` "
        f"and {sides.right} after the other",
        "\n".join(sides.rows()),
        "The condition is staged, so both branches must leave values of one kind.\n"
        + sides.remedy("in both branches"),
        BranchError,
    )


def loop_error(path: str, before: Any, after: Any, mismatch: Mismatch) -> BaseException:
    """The error about a variable before and after an iteration of a loop."""
    sides = _Sides(path, mismatch, (before, after))
    return staging_error(
        f"{sides.path} is {sides.left} before an iteration of this loop and {sides.right} after it",
        "\n".join(sides.rows()),
        "The loop is staged, so a variable must hold values of one kind in all iterations.\n"
        + sides.remedy("before the loop"),
        LoopError,
    )


class _Sides:
    """The two kinds of value that a variable would have."""

    def __init__(self, path: str, mismatch: Mismatch, values: tuple):
        is_returned = path == "result" and not occurs(path)
        shown = "the returned value" if is_returned else path or "the result"
        inside = f", at {mismatch.path}," if " " in shown and mismatch.path else mismatch.path
        self.path = shown + inside
        self.name = "y" if is_returned or not path else self.path
        self.values = values if not mismatch.path else (None, None)
        self.leaves = mismatch.left, mismatch.right
        self.left, self.right = map(side_text, self.leaves)
        if self.left == self.right and self.left.startswith("an object of "):
            self.left, self.right = self.left.replace("an object", "one object"), "another one"

    def rows(self) -> Iterator[str]:
        """A line for each side, with the line of the user's file that computes it."""
        shown = [self.left, self.right]
        lines = list(map(defining_line, self.values))
        width = max(map(len, shown))
        for text, line in zip(shown, lines, strict=True):
            if any(lines):
                yield f"  {self.path} = {text:<{width if line else 0}}{line}"

    def remedy(self, place: str) -> str:
        """One change that makes the two alike."""
        kinds = [leaf.type for leaf in self.leaves]
        plain = [leaf.plain for leaf in self.leaves]
        containers = [leaf.container for leaf in self.leaves]
        if any(one is not None and one.of is not None for one in containers):
            return f"Give {self.name} such a value {place}, or keep the objects in a list."
        if any(containers) or any(isinstance(value, TraceList) for value in plain):
            return _remedy_of_containers(self.name, containers, plain, kinds, place)
        if all(isinstance(value, StagedContainer) and value.kind is dict for value in plain):
            return "Give the dicts the same keys in the same order, or values of one type."
        if all(isinstance(value, FUNCTIONS) for value in plain):
            return "Call the function on each side, and assign its result."
        if any(value is None for value in plain):
            return f"Give {self.name} such a value {place}, or keep the objects in a list."
        if all(is_users_class(type(value)) for value in plain):
            return _remedy_of_objects(self.name, plain)
        if STRING in kinds:
            if place == "before the loop":
                return f"Start with {_first_value(self.name, *kinds)}"
            return "Use a text on both sides, or a number on both sides: -1, 0 and 1, for example."
        if all(isinstance(kind, Type) for kind in kinds):
            return _remedy_of_arrays(self.name, kinds, place)
        return f"Assign numbers, arrays or texts to {self.name}, of one kind {place}."


def _remedy_of_containers(path, containers, plain, kinds, place):
    kinds_of = {structure.kind for structure in containers if structure is not None}
    if any(isinstance(kind, TensorType) for kind in kinds):
        return f"Make an array of the list: np.array({path}), or autograph.stack({path})"
    if len(kinds_of) == 1 and all(containers):
        if kinds_of == {dict}:
            return "Give the dicts the same keys in the same order."
        return f"Give {path} the same number of elements on both sides."
    sides = list(zip(containers, plain, strict=True))
    lists = [_is_list(structure) or isinstance(value, TraceList) for structure, value in sides]
    others = [structure for (structure, _), is_one in zip(sides, lists, strict=True) if not is_one]
    if any(lists) and not any(others):
        start = (
            "Start with a list" if place == "before the loop" else "Assign a list in both branches"
        )
        return f"{start}: {path} = []"
    return f"Use one type of container for {path}, with the same elements on both sides."


def _is_list(structure):
    return structure is not None and structure.kind is not None and is_list(structure.kind)


def _remedy_of_objects(path, plain):
    left, right = map(type, plain)
    if left is right:
        return (
            f"Both are objects of the class {left.__name__}, and a graph cannot choose an object.  "
            "Choose its attributes instead, or make the objects in the branches."
        )
    return f"Use one class for both, or call the methods of {path} in each branch."


def _first_value(path, before, after):
    """A value before the loop of the kind that an iteration assigns, one of them being a text."""
    if before is not STRING:
        return f'a text: {path} = ""'
    shape = getattr(after, "shape", ())
    if shape:
        return f"an array of that shape: {path} = np.zeros({_sizes(shape)})"
    return f"a number: {path} = 0"


def _remedy_of_arrays(path, kinds, place):
    shapes = [getattr(kind, "shape", ()) for kind in kinds]
    if () in shapes:
        shape = shapes[0] or shapes[1]
        if place == "before the loop" and not shapes[0]:
            return f"Start with an array of that shape: {path} = np.zeros({_sizes(shape)})"
        return f"Make arrays of one shape: np.full({_sizes(shape)}, {path}) repeats a number."
    if place == "before the loop":
        return "Keep its number of dimensions, or collect the values in a list: ys.append(y)"
    return "Give both the same number of dimensions: y[np.newaxis] adds one, y[0] removes one."


def _sizes(shape):
    inside = ", ".join("..." if size is None else str(size) for size in shape)
    return f"({inside},)" if len(shape) == 1 else f"({inside})"


def side_text(leaf: AbstractLeaf) -> str:
    """One side in words: its type, its class or its elements."""
    if leaf.container is not None:
        return container_text(leaf.container)
    plain = leaf.plain
    if leaf.type is None and isinstance(plain, TraceList):
        return "a list"
    if leaf.type is None and isinstance(plain, FUNCTIONS):
        return f"the function {plain.__name__}"
    if leaf.type is None and isinstance(plain, type):
        return f"the class {plain.__name__}"
    if leaf.type is None and isinstance(plain, StagedContainer):
        return _staged_container_text(plain)
    if leaf.type is None and isinstance(plain, functools.partial):
        return f"a partial of {getattr(plain.func, '__name__', 'an object')}"
    if leaf.type is None and is_users_class(type(plain)):
        return f"an object of {type(plain).__qualname__.rpartition('.')[2]}"
    return str(leaf)


def _staged_container_text(container: StagedContainer) -> str:
    """A staged container in words: a dict with its keys, if they are known."""
    keys = getattr(container, "keys_held", None)
    if container.kind is dict and type(keys) is TraceList and keys.value is None:
        return _dict_text(list.__iter__(keys))
    return f"a {container.kind.__name__}"


def _dict_text(keys: Iterable[Any]) -> str:
    shown = [repr(key) for key in keys]
    if not shown:
        return "an empty dict"
    return f"a dict with the key{'s' * (len(shown) != 1)} {', '.join(shown)}"


def container_text(structure: Structure) -> str:
    """A container in words: `a tuple of 2 elements`.

    >>> from runtime.ir.pytree import flatten
    >>> print(container_text(flatten({"a": 1, "b": (2, 3)})[1]))
    a dict with the keys 'a', 'b'
    """
    if structure.of is not None:
        return f"an object of {structure.of.__qualname__.rpartition('.')[2]}"
    if structure.kind in OF_SEVERAL:
        return OF_SEVERAL[structure.kind]
    if structure.kind is dict:
        return _dict_text(structure.keys)
    kind = "list" if structure.kind is None or is_list(structure.kind) else structure.kind.__name__
    count = len(structure.children)
    article = "an" if re.match("[aeiouAEIOU]", kind) else "a"
    return f"{article} {kind} of {count} element{'s' * (count != 1)}"


def occurs(name: str) -> bool:
    """Whether a name is written in the user's function, rather than generated."""
    frame = users_frame()
    if frame is None:
        return True
    lines = linecache.getlines(frame.f_code.co_filename)[frame.f_code.co_firstlineno - 1 :]
    return any(re.search(rf"\b{name}\b", line) for line in inspect.getblock(lines))


def defining_line(value: Any) -> str:
    """The line that computes a staged value, as error messages add it."""
    if isinstance(value, Tensor):
        for node in value._region.nodes:
            if value._value in node.outputs and node.location is not None:
                return f"   line {node.location.lineno}"
    return ""
