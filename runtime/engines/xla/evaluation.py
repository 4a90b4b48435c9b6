"""The evaluation of a piece: its nodes become operations of JAX, while JAX traces.

A value is an array of JAX, of exactly the dtype that its type says; a Python int has 64 bits.
Values that do not depend on the run, such as sizes, are computed by NumPy while JAX traces.

Where NumPy would warn or raise, or an int would leave 64 bits, the run *fails*: the piece is left,
and the NumPy program of the same nodes warns or raises.  So a failure is a condition, not an
exception:

    run.fail_if(y == 0)         anywhere in a lowering
    run.failed                  whether the nodes so far have failed

**Identity.**  NumPy may return an array that the caller knows: an argument, or the same array
twice.  Each array has a number, its identity, which branches and loops pass on beside the elements;
the caller of a piece finds the array by it.  `UNKNOWN` is the identity of views.
"""

import itertools
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.analyses.computed_dtypes import is_python
from runtime.engines.xla.lowering import LOWERINGS, NotLowered
from runtime.ir.graph import Graph, Node, Operand, Value, operand_type
from runtime.ir.traits import Aliasing
from runtime.ir.types import ListType, PythonType, TensorType, Type, has_unknown_size, is_array

UNKNOWN = -1
# op names: those whose result is the first operand itself
SAME = frozenset({"relax", "alias", "stop_gradient", "recomputed", "option"})


@dataclass(frozen=True)
class Rows:
    """A list (`lists.py`): its first `length` rows; `most` is the greatest length that it had."""

    rows: Any
    length: Any
    most: Any
    place: int


def check_type(kind: Type) -> None:
    """Raises `NotLowered` for a type whose values XLA has no equivalent of."""
    if isinstance(kind, ListType) and isinstance(kind.element, (TensorType, PythonType)):
        if has_unknown_size(kind.element):
            raise NotLowered("the elements of a list have no known shape")
        return
    if not isinstance(kind, (TensorType, PythonType)):
        raise NotLowered(f"XLA has no values of type {kind}")


def is_known(value: Any) -> bool:
    """Whether a value is known while JAX traces."""
    return not isinstance(value, (jax.Array, Rows))


class Evaluation:
    """The values of the nodes of a piece, or of a region in it."""

    def __init__(self, outer: Any = None) -> None:
        self.values: dict[Value, Any] = dict(outer.values) if outer else {}
        self.identities: dict[Value, Any] = dict(outer.identities) if outer else {}
        self.failed: Any = False
        self._numbers: Iterable[int] = outer._numbers if outer else itertools.count(1)
        # The capacities of lists; None while the cut tries which nodes have an equivalent.
        self.capacities: Any = outer.capacities if outer else None
        self.is_outermost = outer is None
        self._own: set[Value] = set()  # arrays that nodes of this region have made
        # How NumPy treats each kind of floating-point error, as far as `np.errstate` says so.
        self.errors: list[dict[str, str]] = list(outer.errors) if outer else [{}]
        self._is_python = False  # whether the current node has Python's meaning

    # -- operands ------------------------------------------------------------------------------

    def read(self, operand: Operand) -> Any:
        """The value of an operand."""
        return self.values[operand] if isinstance(operand, Value) else operand

    def cast(self, operand: Operand, dtype: np.dtype) -> Any:
        """The value of an operand in the dtype in which an op computes."""
        return self.to(self.read(operand), operand_type(operand), dtype)

    def converted(self, operand: Operand, kind: Type) -> Any:
        """The value of an operand as one of the type that a variable has."""
        if not isinstance(kind, ListType):
            return self.cast(operand, kind.dtype)
        if operand_type(operand) != kind:
            raise NotLowered("a variable is a list of two types")
        return self.read(operand)

    def to(self, value: Any, kind: Type, dtype: np.dtype) -> Any:
        """A value of a type in another dtype; a Python int that does not fit fails."""
        given = np.dtype(kind.dtype)
        if is_known(value):
            if type(value) is int and dtype.kind in "iu":
                bounds = np.iinfo(dtype)
                if not bounds.min <= value <= bounds.max:
                    raise NotLowered(f"the int {value} does not fit into {dtype}")
            if type(value) is int and self._is_python and dtype.kind == "f" and abs(value) > 2**53:
                raise NotLowered(f"the int {value} is compared or computed with exactly")
            return jnp.asarray(np.asarray(value).astype(dtype))
        if given == dtype:
            return value
        if given.kind == "c" and dtype.kind != "c":
            raise NotLowered("a complex number becomes a real one")
        if given.kind == "f" and dtype.kind in "iu":
            return self._whole(value, dtype)
        if given.kind in "iu" and dtype.kind in "iu" and isinstance(kind, PythonType):
            bounds = np.iinfo(dtype)
            self.fail_if((value < bounds.min) | (value > min(bounds.max, 2**63 - 1)))
        if given.kind in "iu" and dtype.kind == "f" and isinstance(kind, PythonType):
            self.fail_if((value < -(2**53)) | (value > 2**53))
        found = value.astype(dtype)
        if given.kind == "f" and dtype.kind == "f" and dtype.itemsize < given.itemsize:
            self.warn_if(jnp.isinf(found) & jnp.isfinite(value))
        return found

    def _whole(self, value: Any, dtype: np.dtype) -> Any:
        """Floats as integers; those that no integer of the dtype is near fail, as NumPy warns."""
        bounds = np.iinfo(dtype)
        low, high = float(bounds.min), float(bounds.max)
        wide = value.astype(np.float64)
        above = wide >= high if bounds.max > 2**53 else wide >= high + 1
        below = wide < low if bounds.min < -(2**53) else wide <= low - 1
        self.fail_if(above | below | jnp.isnan(wide))
        return value.astype(dtype)

    # -- failures ------------------------------------------------------------------------------

    def fail_if(self, condition: Any) -> None:
        """Leaves the piece if a condition, or an element of it, is true."""
        if is_known(condition):
            if np.any(condition):
                self.failed = True
            return
        condition = jnp.any(condition)
        self.failed = condition if self.failed is False else self.failed | condition

    def check_index(self, part: Any, index: Any, size: int) -> None:
        """Leaves the piece if a part of a subscript, which is `index` in the run, is outside."""
        self.fail_if((index < -size) | (index >= size))

    def warn_if(self, condition: Any) -> None:
        """Leaves the piece where NumPy warns, unless `np.errstate` tells it not to."""
        kinds = ("divide", "over", "invalid")
        is_silent = all(self.errors[-1].get(kind) == "ignore" for kind in kinds)
        if self._is_python or not is_silent:
            self.fail_if(condition)

    def finite(self, result: Any, *operands: Any) -> Any:
        """A result of floats; one that is not finite, from finite elements, fails: NumPy warns."""
        if result.dtype.kind not in "fc":
            return result
        floats = [x for x in operands if x.dtype.kind in "fc"]
        given = jnp.asarray(True)
        for operand in floats:
            given = given & jnp.isfinite(operand)
        wrong = ~jnp.isfinite(result) & given
        if floats:
            known = jnp.asarray(True)
            for operand in floats:
                known = known & ~jnp.isnan(operand)
            wrong = wrong | (jnp.isnan(result) & known)
        self.warn_if(wrong)
        return result

    def all_finite(self, result: Any) -> Any:
        """A result each element of which comes from many; one that is not finite fails."""
        if result.dtype.kind in "fc":
            self.warn_if(~jnp.isfinite(result))
        return result

    # -- nodes ---------------------------------------------------------------------------------

    def define(self, value: Value, known: Any, identity: Any = None) -> None:
        """Sets a value; an array without an identity gets one of its own."""
        self.values[value] = known
        if is_array(value.type):
            self.identities[value] = next(iter(self._numbers)) if identity is None else identity

    def identity(self, operand: Operand) -> Any:
        """The identity of an array."""
        return self.identities.get(operand, UNKNOWN) if isinstance(operand, Value) else UNKNOWN

    def run(self, nodes: Sequence[Node]) -> None:
        """Computes nodes, in order."""
        for node in nodes:
            self.node(node)

    def node(self, node: Node) -> None:
        """Computes one node.  Raises `NotLowered` if it has no equivalent."""
        operands = [self.read(operand) for operand in node.inputs]
        if self._is_constant(node, operands):
            self._define_all(node, _by_numpy(node, operands))
            return
        lowering = self.lowering_of(node.op.name)
        if lowering is None:
            raise NotLowered(f"XLA has no equivalent of {node.op.users_name or node.op.name}")
        for value in (*node.inputs, *node.outputs):
            check_type(operand_type(value))
        self._is_python = is_python(node)
        found = lowering(self, node, *operands)
        if not node.regions:
            results = found if isinstance(found, tuple) else (found,) * len(node.outputs)
            self._define_all(node, results)

    def lowering_of(self, name: str) -> Any:
        """The function that computes an op; None if there is none."""
        return LOWERINGS.get(name)

    def _is_constant(self, node: Node, operands: Sequence[Any]) -> bool:
        """Whether NumPy computes a node while JAX traces."""
        if node.regions or node.op.effect is not None or not all(map(is_known, operands)):
            return False
        kinds = map(operand_type, (*node.inputs, *node.outputs))
        return not any(isinstance(kind, ListType) for kind in kinds)

    def _define_all(self, node: Node, results: Sequence[Any]) -> None:
        for value, result in zip(node.outputs, results, strict=True):
            if isinstance(result, jax.Array):
                result = result.astype(value.type.dtype)
            self.define(value, result, self._identity_of_result(node))
            self._own.add(value)

    def _identity_of_result(self, node: Node) -> Any:
        is_item = node.op.traits.aliases is Aliasing.ITEM
        if not (node.op.shares or is_item) or not node.inputs:
            return None
        if node.op.name in SAME:
            return self.identity(node.inputs[0])
        kind = operand_type(node.inputs[0])
        if isinstance(kind, ListType) or node.op.traits.aliases is Aliasing.READ_ONLY_VIEW:
            return UNKNOWN
        # No other reference shows the rest of an array of the region's own.
        return None if node.inputs[0] in self._own else UNKNOWN

    # -- regions -------------------------------------------------------------------------------

    def region(self, region: Graph, given: Sequence[Any], identities: Sequence[Any]) -> Any:
        """The results of a region, their identities, and whether it has failed."""
        inner = type(self)(self)
        for value, one, identity in zip(region.inputs, given, identities, strict=True):
            inner.define(value, one, identity)
        inner.run(region.nodes)
        makers = {value: node for node in region.nodes for value in node.outputs}
        roots = [_root(makers, operand) for operand in region.outputs]
        found = [
            UNKNOWN
            if roots.count(root) > 1 and not _is_itself(makers, operand)
            else inner.identity(operand)
            if is_array(operand_type(operand))
            else 0
            for operand, root in zip(region.outputs, roots, strict=True)
        ]
        return inner, found


def _root(makers: dict[Value, Node], operand: Operand) -> Any:
    """The array of which an operand is a view, as far as the nodes of a region tell; a result that
    shares memory with no other is its own root."""
    if not isinstance(operand, Value) or not is_array(operand.type):
        return object()
    while operand in makers and makers[operand].op.shares and makers[operand].inputs:
        inner = makers[operand].inputs[0]
        if not isinstance(inner, Value):
            break
        operand = inner
    return operand


def _is_itself(makers: dict[Value, Node], operand: Operand) -> bool:
    """Whether an operand is an array itself, not a view of one."""
    while isinstance(operand, Value) and operand in makers and makers[operand].op.shares:
        if makers[operand].op.name not in SAME:
            return False
        operand = makers[operand].inputs[0]
    return True


def _by_numpy(node: Node, operands: Sequence[Any]) -> Sequence[Any]:
    """The results of a node whose operands are known, as NumPy computes them."""
    if node.op.name == "unreachable":
        kind: Any = node.outputs[0].type
        return (np.zeros([n if isinstance(n, int) else 0 for n in kind.shape], kind.dtype)[()],)
    try:
        with np.errstate(all="raise"), warnings.catch_warnings():
            warnings.simplefilter("error")
            found = node.op.evaluate(np, tuple(operands), node.attributes)
    except Exception as error:
        raise NotLowered(f"it raises {type(error).__name__}") from error
    return found if len(node.outputs) > 1 else (found,)
