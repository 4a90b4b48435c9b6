"""The operations of a whole graph, as JAX records them: to be differentiated, mapped and exported.

It differs from pieces of the engine `xla` (`engines/xla/evaluation.py`), which NumPy computes again
where something is unusual.  Here nothing is computed again:

    NumPy warns                        the result is that of NumPy; the warning is left out
    NumPy raises                       the run fails; `jax_function.py` raises the exception
    an int leaves 64 bits              the run fails

So only the second and third kind are conditions of the run, and only where intervals of integers
(`analyses/intervals.py`) do not show that they are false, as for the counters of most loops.
"""

from typing import Any

import jax

from runtime.analyses.intervals import Interval, Ranges, is_integer
from runtime.engines.xla.compiled_piece import ERRORS
from runtime.engines.xla.evaluation import Evaluation, is_known
from runtime.engines.xla.lowering import LOWERINGS, NotLowered
from runtime.errors import ExportError
from runtime.frameworks.jax_prints import Prints
from runtime.ir.graph import Node, captures, operand_type
from runtime.ir.slot import Slot
from runtime.ir.types import ListType

# op names: operations on Python floats that raise where a result is not finite
RAISING = ("pow", "power")
# op names: operations on integers that fail only where the result leaves the dtype
RING = ("add", "subtract", "multiply", "negative", "absolute")
MACHINE = Interval(-(1 << 63), (1 << 63) - 1)


class GraphEvaluation(Evaluation):
    """The values of the nodes of a graph, or of a region in it."""

    def __init__(self, outer: "GraphEvaluation | None" = None) -> None:
        super().__init__(outer)
        self.repeats: int | None = outer.repeats if outer else 1  # runs of the region, if known
        self.is_conditional: bool = outer.is_conditional if outer else False
        self.ranges: Ranges | None = outer.ranges if outer else None  # of the integers of the graph
        self._node: Node | None = None  # the current one
        self.prints: Prints | None = outer.prints if outer else None  # None if they are refused

    def fail_if(self, condition: Any) -> None:
        """Fails if a condition is true; where intervals show that it is false, there is none."""
        if self._node is None or not self._is_proven(self._node):
            super().fail_if(condition)

    def _is_proven(self, node: Node) -> bool:
        """Whether an integer result never leaves 64 bits."""
        if self.ranges is None or node.op.name not in RING or not self.ranges.is_exact(node):
            return False
        return self.ranges[node.outputs[0]].within(MACHINE)

    def check_index(self, part: Any, index: Any, size: int) -> None:
        """Fails if an index is outside, unless intervals show that it is not."""
        node = self._node
        if isinstance(part, Slot) and node is not None and self.ranges is not None:
            operand = node.inputs[part.index + (1 if node.op.name == "getitem" else 2)]
            if is_integer(operand) and self.ranges[operand].within(Interval(-size, size - 1)):
                return
        super().check_index(part, index, size)

    def warn_if(self, condition: Any) -> None:
        """Fails where Python raises, or `np.errstate` says that NumPy does."""
        if self._is_python or "raise" in self.errors[-1].values():
            self.fail_if(condition)

    def finite(self, result: Any, *operands: Any) -> Any:
        """A result of floats; one that is not finite fails where that raises."""
        name = "" if self._node is None else self._node.op.name
        is_raising = name in RAISING or name.startswith("math_")
        if "raise" in self.errors[-1].values() or (self._is_python and is_raising):
            return super().finite(result, *operands)
        return result

    def all_finite(self, result: Any) -> Any:
        """A result each element of which comes from many."""
        return super().all_finite(result) if "raise" in self.errors[-1].values() else result

    def node(self, node: Node) -> None:
        """Computes one node.  Raises `ExportError`, with the user's line."""
        before, self._node = self._node, node
        try:
            if self.prints is None or not self.prints.takes(self, node):
                super().node(node)
        except ExportError:
            raise
        except ERRORS as error:
            raise ExportError.about(
                f"{node.op.users_name or node.op.name} has no form in JAX here",
                node.location,
                str(error).partition("\n")[0].rstrip(".") + ".",
                "Leave this operation to the caller, or compute it in another way.",
            ) from error
        finally:
            self._node = before

    def lowering_of(self, name: str) -> Any:
        """The function that computes an op."""
        return GRAPH_LOWERINGS.get(name) or super().lowering_of(name)


GRAPH_LOWERINGS: dict[str, Any] = {}


def lowers_in_graphs(*names: str) -> Any:
    """Registers a function in place of the lowering that pieces have: a decorator."""

    def register(lowering: Any) -> Any:
        GRAPH_LOWERINGS.update(dict.fromkeys(names, lowering))
        return lowering

    return register


@lowers_in_graphs("stop_gradient")
def stop_gradient(run: GraphEvaluation, node: Node, x: Any) -> Any:
    """The operand, a constant for gradients."""
    return jax.lax.stop_gradient(LOWERINGS["stop_gradient"](run, node, x))


@lowers_in_graphs("written")
def written(run: GraphEvaluation, node: Node, *_: Any) -> tuple[()]:
    """Nothing: it says what an input holds when a run fails, which NumPy repeats from the start."""
    return ()


@lowers_in_graphs("custom_gradient")
def custom_gradient(run: GraphEvaluation, node: Node, *_: Any) -> None:
    """The first operands, with a gradient that a region computes."""
    region, count = node.regions["backward"], node.attributes["count"]
    outside = [value for value in captures(region) if not is_known(run.values[value])]
    if any(isinstance(value.type, ListType) for value in outside):
        raise NotLowered("a gradient of the user's reads a list")
    kinds = [operand_type(operand) for operand in node.inputs]

    @jax.custom_vjp
    def passed(results: Any, by: Any, held: Any) -> Any:
        return results

    def forward(results: Any, by: Any, held: Any) -> Any:
        return results, held

    def backward(held: Any, cotangents: Any) -> Any:
        given = (*outside, *region.inputs), (*held, *cotangents)
        with jax.enable_x64(True):
            inner = type(run)(run)
            for value, one in zip(*given, strict=True):
                inner.define(value, one)
            inner.run(region.nodes)
            pairs = zip(region.outputs, kinds[count:], strict=True)
            return None, tuple(inner.converted(one, kind) for one, kind in pairs), None

    passed.defvjp(forward, backward)
    inputs = [run.converted(one, kind) for one, kind in zip(node.inputs, kinds, strict=True)]
    held = tuple(run.values[value] for value in outside)
    results = passed(tuple(inputs[:count]), tuple(inputs[count:]), held)
    for value, result in zip(node.outputs, results, strict=True):
        run.define(value, result)
