"""`print`, and calls of Python functions for their effects, in functions on a device.

    print(f"loss {x:.3f}")       a callback of the run keeps x; the text is printed after the run
    log.append(x)                the same: the method is called after the run

A run that fails is computed again by NumPy, which prints and calls, too.  So a run only keeps the
arguments, in order; the calls are made when it has succeeded, by the thread that called the
function.  A call whose result the program uses would have to be made in the run: it is refused.
"""

from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np
from jax.experimental import io_callback

from runtime.engines.xla.evaluation import check_type, is_known
from runtime.engines.xla.lowering import NotLowered
from runtime.errors import ExportError
from runtime.ir.graph import Graph, Node, Value, operand_type, walk
from runtime.ir.types import PythonType, UnionType, is_array


@dataclass(frozen=True)
class RunText:
    """A text that the host makes of values of a run."""

    node: Node
    operands: tuple[Any, ...]


@dataclass
class Prints:
    """The prints of a program: the calls that the current run has kept."""

    kept: list[tuple[Node, tuple[Any, ...], list[Any]]] = field(default_factory=list)
    has_prints: bool = False
    used: frozenset[Any] = frozenset()  # the values of the graph that nodes use, or that it returns

    def look_at(self, graph: Graph) -> None:
        """Finds which results the graph uses.  Raises `ExportError` for a call of a function that
        is given a scalar of Python in some runs, and one of NumPy in others."""
        nodes = list(walk(graph))
        regions = [graph, *(region for node in nodes for region in node.regions.values())]
        read = [one for node in nodes for one in node.inputs]
        read += [one for region in regions for one in region.outputs]
        self.used = frozenset(one for one in read if isinstance(one, Value))
        for node in nodes:
            kinds = map(operand_type, node.inputs) if node.op.name == "host_call" else ()
            if any(isinstance(kind, UnionType) for kind in kinds):
                raise ExportError.about(
                    "a function is called with a number of Python in some runs, and with one of "
                    "NumPy in others",
                    node.location,
                    "A device has one type for both.",
                    "Convert the number before: float(x).",
                )

    def takes(self, run: Any, node: Node) -> bool:
        """Whether a node is a print, or makes a text for one; then it is recorded here.

        Raises `NotLowered` for all other uses of such a text.
        """
        operands = tuple(run.read(operand) for operand in node.inputs)
        has_text = any(isinstance(one, RunText) for one in operands)
        if node.op.name in ("print", "host_call"):
            if not self.used.isdisjoint(node.outputs):
                raise NotLowered("the call is made after the run, which uses its result")
            self._record(node, operands)
            return True
        if node.op.name == "text" and (has_text or not all(map(is_known, operands))):
            _check_text(node)
            run.values[node.outputs[0]] = RunText(node, operands)
            return True
        if has_text:
            raise NotLowered("a text that depends on a run is only printed")
        return False

    def _record(self, node: Node, operands: tuple[Any, ...]) -> None:
        self.has_prints = True
        arrays: list[Any] = []
        _collect(node, operands, arrays)

        def keep(*found: Any) -> None:
            self.kept.append((node, operands, [np.array(one) for one in found]))

        io_callback(keep, None, *arrays, ordered=True)

    def discard(self) -> None:
        """Forgets the calls that a run has kept."""
        self.kept.clear()

    def print_kept(self) -> None:
        """Prints what the run has kept, which has succeeded."""
        if not self.has_prints:
            return
        jax.effects_barrier()
        for node, operands, found in self.kept:
            _evaluate(node, operands, iter(found))
        self.kept.clear()


def refuse_text(result: Any) -> None:
    """Raises `ExportError` for a result of a function that is a text."""
    if isinstance(result, RunText):
        raise ExportError.about(
            "a text that depends on a run is returned",
            result.node.location,
            "The results of a function on a device are arrays.",
            "Return its values, and make the text of them outside of the function.",
        )


def _check_text(node: Node) -> None:
    """Refuses the repr of a number: here Python scalars and NumPy scalars have one type."""
    numbers = any(isinstance(operand_type(operand), PythonType) for operand in node.inputs)
    if numbers and _has_repr(node.attributes["parts"]):
        raise NotLowered("the repr of a number is printed")


def _has_repr(parts: Any) -> bool:
    fields = [part for part in parts if not isinstance(part, str)]
    return any(conversion in ("r", "a") for _, conversion, _ in fields)


def _collect(node: Node, operands: tuple[Any, ...], arrays: list[Any]) -> None:
    """Adds the values of a run among operands and those of their texts, in order."""
    for operand, one in zip(node.inputs, operands, strict=True):
        if isinstance(one, RunText):
            _collect(one.node, one.operands, arrays)
        elif not is_known(one):
            check_type(operand_type(operand))
            arrays.append(one)


def _evaluate(node: Node, operands: tuple[Any, ...], found: Any) -> Any:
    """The result of a node on the host, with values of a run in the order of `_collect`."""
    given = [
        _evaluate(one.node, one.operands, found)
        if isinstance(one, RunText)
        else one
        if is_known(one)
        else _value(operand_type(operand), next(found))
        for operand, one in zip(node.inputs, operands, strict=True)
    ]
    return node.op.evaluate(np, tuple(given), node.attributes)


def _value(kind: Any, array: np.ndarray) -> Any:
    if isinstance(kind, PythonType):
        return array.item()
    return array if is_array(kind) else array[()]
