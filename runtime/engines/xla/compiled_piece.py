"""A piece as a function that XLA has compiled: NumPy arrays in, NumPy arrays out.

XLA knows all sizes when it compiles, so a piece is compiled once for each combination of shapes,
and of the capacities that its lists need (`lists.py`).  The last `MOST` are kept.
"""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.engines.xla.evaluation import UNKNOWN, Evaluation, Rows
from runtime.engines.xla.lists import FIRST_CAPACITY, Capacities, objects
from runtime.engines.xla.lowering import NotLowered
from runtime.ir.graph import Graph, Node, Value, captures
from runtime.ir.types import ListType, PythonType, Type, is_array

MOST = 64
MOST_ATTEMPTS = 5  # to find the capacities of lists, each of which is a compilation
ERRORS = (NotLowered, TypeError, ValueError, IndexError, OverflowError, jax.errors.JAXTypeError)
Shapes = tuple[tuple[int, ...], ...]


class CompiledPiece:
    """Nodes of a graph as a function; `native_piece` calls it (`ops/native_pieces.py`)."""

    def __init__(self, name: str, nodes: list[Node], outputs: list[Value]) -> None:
        self.name, self.nodes, self.outputs = name, nodes, outputs
        self.inputs = captures(Graph("piece", [], nodes, list(outputs)))
        self.reasons: dict[Any, str] = {}  # why NumPy computes it, for some shapes
        self._left = (False, *(None for _ in outputs))
        self._compiled: dict[Any, Any] = {}
        self._capacities: dict[Shapes, dict[int, int]] = {}
        self._exact: set[int] = set()  # the lists whose capacity is their length

    def __call__(self, *operands: Any) -> tuple[Any, ...]:
        """Whether XLA has computed the outputs, and these."""
        try:
            given = [_array(v.type, one) for v, one in zip(self.inputs, operands, strict=True)]
        except (OverflowError, TypeError):  # an int beyond 64 bits, a subclass of an array
            return self._left
        shapes = tuple(one.shape for one in given)
        with jax.enable_x64(True):
            results = self._results(shapes, given)
        if results is None:
            return self._left
        found = self._found(results[0], results[1], operands)
        return self._left if found is None else (True, *found)

    def text(self) -> str:
        """The programs of XLA, for each combination of shapes that was compiled."""
        return "\n".join(one.as_text() for one in self._compiled.values())

    def _results(self, shapes: Shapes, given: Sequence[Any]) -> Any:
        """The results and their identities; None where NumPy must compute the piece."""
        for _ in range(MOST_ATTEMPTS):
            capacities = self._capacities.get(shapes, {})
            compiled = self._program((shapes, *capacities.items()), capacities, given)
            if compiled is None:
                return None
            failed, differs, results, identities, needed = compiled(*given)
            wanted = self._wanted(capacities, np.asarray(needed).tolist(), bool(failed))
            if wanted == capacities:
                return None if failed or differs else (results, np.asarray(identities).tolist())
            self._capacities[shapes] = wanted
        self._capacities.pop(shapes, None)
        return None

    def _wanted(self, given: dict[int, int], needed: list[int], failed: bool) -> dict[int, int]:
        """The capacities for lists of so many elements; the given ones if these are enough.

        A failed run may not have come to each `append`: such lists often are as long as others.
        """
        longest = max(needed, default=0)
        wanted = dict(given)
        for place, length in enumerate(needed):
            capacity = given.get(place, FIRST_CAPACITY)
            if place in self._exact and length != capacity:
                wanted[place] = longest if failed else length
            elif place not in self._exact and length > capacity:
                wanted[place] = 1 << (length - 1).bit_length()
        return wanted

    def _program(self, key: Any, capacities: dict[int, int], given: Sequence[Any]) -> Any:
        if key in self.reasons:
            return None
        if key not in self._compiled:
            if len(self._compiled) >= MOST:
                self._compiled.pop(next(iter(self._compiled)), None)
            try:
                traced = jax.jit(lambda *inputs: self._traced(capacities, *inputs))
                self._compiled[key] = traced.lower(*given).compile()
            except ERRORS as error:
                self.reasons[key] = str(error).partition("\n")[0]
                return None
        return self._compiled[key]

    def _traced(self, capacities: dict[int, int], *given: Any) -> Any:
        run = Evaluation()
        run.capacities = Capacities(capacities, {}, self._exact)
        for place, (value, one) in enumerate(zip(self.inputs, given, strict=True)):
            run.define(value, one, -2 - place)
        run.run(self.nodes)
        results = [run.converted(value, value.type) for value in self.outputs]
        identities = [self._identity(run, value) for value in self.outputs]
        needed = [jnp.asarray(one, np.int64) for one in run.capacities.needed.values()]
        failed = jnp.asarray(run.failed, bool)
        differs = jnp.asarray(run.capacities.differs, bool)
        numbers = _stacked(identities, np.int32), _stacked(needed, np.int64)
        return failed, differs, results, *numbers

    def _identity(self, run: Evaluation, value: Value) -> Any:
        """-2 - i: the input i, or the output i - len(inputs); 0: another value than an array."""
        if not is_array(value.type):
            return jnp.int32(0)
        found = jnp.asarray(run.identities[value], np.int32)
        for place, output in enumerate(self.outputs):
            made = run.identities.get(output)
            if isinstance(made, int) and made > 0:
                found = jnp.where(found == made, np.int32(-2 - len(self.inputs) - place), found)
        return found

    def _found(self, results: Any, identities: list[int], operands: Any) -> list[Any] | None:
        """The outputs as objects of NumPy and Python; None if one is a view that only NumPy has."""
        found: list[Any] = []
        arrays: dict[int, Any] = dict(enumerate(operands))
        seen: set[int] = set()
        for value, result, identity in zip(self.outputs, results, identities, strict=True):
            place = -2 - identity
            if identity == UNKNOWN or (identity > 0 and identity in seen):
                return None
            if place >= 0 and place in arrays:
                found.append(arrays[place])
                continue
            found.append(_object(value.type, result))
            seen.add(identity)
            if place >= 0:
                arrays[place] = found[-1]
        return found


def _stacked(numbers: list[Any], dtype: Any) -> Any:
    return jnp.stack(numbers) if numbers else jnp.zeros(0, dtype)


def _array(kind: Type, value: Any) -> Any:
    """An operand as an array, of the dtype of its type."""
    if isinstance(kind, PythonType):
        return np.array(value, kind.dtype)
    if type(value) is np.ndarray or isinstance(value, np.generic):
        return np.asarray(value)
    raise TypeError(f"{type(value).__name__} is not an array")


def _object(kind: Type, result: Any) -> Any:
    """A result as a Python scalar, a NumPy scalar, a list, or an array that may be written into."""
    if isinstance(kind, ListType):
        assert isinstance(result, Rows)
        return objects(kind, result.rows, int(result.length))
    if isinstance(kind, PythonType):
        return kind.kind(result.item())
    array = np.array(result)
    return array if is_array(kind) else array[()]
