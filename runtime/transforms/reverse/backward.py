"""Reverse mode: the nodes of a graph are visited backwards, and their adjoints are recorded.

    y = sin(x)          d_x = d_y * cos(x)
    z = y * w      ->   d_y = d_z * w; d_w = d_z * y        (read from below)

Adjoints are recorded into the current region: gradients are nodes like others, so they are
differentiated, optimised and run like others.  The method is due to Speelpenning (1980); for nodes
with regions see `control_flow.py` and `loops.py`.

An elementwise adjoint is a product with a derivative, `scaled`, in which a zero cotangent gives
zero for any derivative: the operand that a `where` discards never contributes a nan.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from runtime.errors import NoDerivativeError, staging_error
from runtime.ir.derivative import Adjoint, Composition, NoDerivative, Partials, UserGradient
from runtime.ir.graph import Graph, Node, Operand, Value, operand_type
from runtime.ir.op import find
from runtime.ir.pytree import flatten
from runtime.ir.regions import control_flow_of
from runtime.ir.slot import fill_slots
from runtime.ir.types import PythonType
from runtime.ops.library import is_library_op, operand_cotangents
from runtime.ops.library_call import name_of
from runtime.tracing.tensor import Tensor, apply, staged
from runtime.tracing.trace import Trace
from runtime.transforms.node_range import NodeRange
from runtime.transforms.reverse.activity import ActiveValues, is_differentiable
from runtime.transforms.reverse.control_flow import recomputed, reverse_choice, user_cotangents
from runtime.transforms.reverse.cotangents import Cotangents
from runtime.transforms.reverse.loops import reverse_loop
from runtime.transforms.roots import Roots
from runtime.transforms.vmap.nested import MAPPED
from runtime.transforms.vmap.rules import unfolded


class Reverse:
    """A walk backwards through recorded nodes.

    `active` are the values that depend on the sources; `cotangents` holds the cotangents that are
    known, at the beginning those of the results.
    """

    def __init__(self, recorder: Trace, active: ActiveValues, cotangents: Cotangents | None = None):
        self.recorder = recorder
        self.active = active
        self.cotangents = cotangents or Cotangents(recorder)
        self.ones: set[Operand] = set()  # cotangents that are known to be one
        self.roots = Roots()

    def walk(self, ranges: Iterable[NodeRange]) -> None:
        """Collects the cotangents of all active values of some nodes, from last to first."""
        ranges = list(ranges)
        for one in ranges:
            self.roots.note(one.nodes)
        for one in reversed(ranges):
            for node in reversed(list(one.nodes)):
                self._visit(node, one.region)

    def note_one(self, value: Value, cotangent: Any) -> None:
        """Remembers where a cotangent is the scalar one: a product with it is the other factor."""
        if not isinstance(cotangent, Tensor) and cotangent == 1:
            self.ones.add(self.cotangents.of(value)._value)

    def walk_region(self, region: Graph) -> None:
        """Walks all nodes of a region."""
        self.walk([NodeRange(region, region.nodes)])

    def walk_instead(
        self,
        written: NodeRange,
        results: Iterable[Operand],
        known: Iterable[Any],
        is_fitting: bool = False,
    ) -> None:
        """Walks nodes that compute the results of another node, whose cotangents are known."""
        self.active.visit(written.nodes)
        for result, d in zip(results, known, strict=True):
            if d is not None and result in self.active:
                self.cotangents.add(result, d, is_fitting)
        self.walk([written])

    def inside(self) -> "Reverse":
        """A walk through a region of a node that this one walks."""
        inner = Reverse(self.recorder, self.active)
        inner.roots = self.roots
        return inner

    def _visit(self, node, region):
        known = [self.cotangents.of(value) for value in node.outputs]
        if all(d is None for d in known):
            return
        with self.recorder.on_behalf_of(node, takes_names=False):
            if control_flow_of(node) is not None:
                self._with_regions(node, region, known)
            elif any(operand in self.active for operand in node.inputs):
                self._plain(node, known)

    def _with_regions(self, node, region, known):
        flow, rule = node.op.control_flow, node.op.derivative
        if isinstance(rule, UserGradient):
            self._by_users_gradient(node, known)
        elif flow.is_choice:
            reverse_choice(self, node)
        elif flow.loop is not None:
            reverse_loop(self, node, region)
        elif not any(value in self.active for value in node.outputs):
            return
        elif isinstance(rule, NoDerivative):
            raise no_derivative(node, rule)
        elif node.op.name in MAPPED:
            self._written_again(node, known, unfolded, node)
        elif flow.runs_once:
            self._written_again(node, known, recomputed, self.recorder, node)
        else:
            raise no_derivative(node, NO_RULE)

    def _written_again(self, node, known, write, *args):
        results, written = NodeRange.of(self.recorder, write, *args)
        self.walk_instead(written, results, known, is_fitting=True)

    def _by_users_gradient(self, node, known):
        """Adds the cotangents that the user's gradient computes."""
        sources = node.inputs[node.attributes["count"] :]
        if not any(operand in self.active for operand in sources):
            return
        ds = [self.cotangents.of_or_zero(value) for value in node.outputs]
        found = user_cotangents(self.recorder, node, ds)
        for value, contribution in zip(sources, found, strict=True):
            if value in self.active:
                self.cotangents.add(value, contribution)

    # -- nodes without regions ---------------------------------------------------------------------

    def _plain(self, node, known):
        rule, behind = node.op.derivative, self.roots.behind(node)
        if behind is not None and self._composed(*behind, known):
            return
        match rule:
            case _ if node.op.name in ("alias", "recomputed"):  # also of lists
                self.cotangents.add(node.inputs[0], known[0], is_fitting=True)
            case UserGradient():
                self._by_users_gradient(node, known)
            case Partials():
                self._elementwise(node, rule, known[0])
            case Adjoint():
                self._adjoint(node, rule, known)
            case Composition():
                self._composed(node, rule, known)
            case _:
                raise no_derivative(node, rule or NO_RULE)

    def _elementwise(self, node, rule, d):
        operands = rule.given(node.inputs, self.cotangents.handle)
        result = self.cotangents.handle(node.output)
        spread = [o for o in node.inputs if operand_type(o).shape]
        for place, operand in enumerate(node.inputs):
            if operand in self.active and not rule.is_zero(place):
                partial = rule.partial(place, result, operands)
                is_fitting = spread == [operand] and operand_type(operand).ndim == d.type.ndim
                product = self._product(d, partial, rule.product(place))
                self.cotangents.add(operand, product, is_fitting)

    def _product(self, d, partial, by):
        """A cotangent times a derivative; a zero cotangent stays zero."""
        if isinstance(partial, Tensor) and not isinstance(partial._value, Value):
            partial = partial._value
        if isinstance(partial, (int, float, complex)) and math.isfinite(abs(partial)):
            return d if partial == 1 else -d if partial == -1 else d * partial.conjugate()
        if np.result_type(partial.dtype).kind == "c":
            partial = np.conj(partial)
        if d._value in self.ones:
            return partial
        return apply(find(by), d, partial)

    def _adjoint(self, node, rule, known):
        is_one = len(node.outputs) == 1
        ds = tuple(
            self.cotangents.of_or_zero(value)
            if is_one or d is not None and is_differentiable(value.type)
            else None
            for value, d in zip(node.outputs, known, strict=True)
        )
        results = tuple(map(self.cotangents.handle, node.outputs))
        d, r = (ds, results) if len(ds) > 1 else (ds[0], results[0])
        operands = tuple(map(self.cotangents.handle, node.inputs))
        if is_library_op(node.op):
            contributions = operand_cotangents(rule.rule, d, r, operands, **node.attributes)
        else:
            contributions = rule.rule(d, r, *operands, **node.attributes)
        if isinstance(contributions, NoDerivative):
            raise no_derivative(node, contributions)
        if len(node.inputs) == 1 and not isinstance(contributions, (tuple, list)):
            contributions = (contributions,)
        for operand, contribution in zip(node.inputs, contributions, strict=True):
            if operand in self.active:
                self.cotangents.add(operand, contribution)

    def _composed(self, node, rule, known):
        """Records a node again by ops that have derivatives, and walks these.

        Returns whether the rule accepts the node's arguments.
        """

        def compute():
            args, kwargs = arguments_of(node, tuple(map(self.cotangents.handle, node.inputs)))
            return rule.function(*args, **kwargs)

        found, written = NodeRange.of(self.recorder, compute)
        if isinstance(found, NoDerivative):
            raise no_derivative(node, found)
        if found is None:
            return False
        results = [staged(result)._value for result in flatten(found)[0]]
        self.walk_instead(written, results, known)
        return True


def arguments_of(node: Node, operands: tuple) -> tuple[tuple, dict]:
    """The arguments with which the function of a node, or the one of NumPy, is called."""
    if not is_library_op(node.op):
        return operands, dict(node.attributes)
    named = {name: fill_slots(part, operands) for name, part in node.attributes["named"]}
    return fill_slots(node.attributes["given"], operands), named


# -- errors ----------------------------------------------------------------------------------------

NO_RULE = NoDerivative("No rule for its derivative is known.")


def no_derivative(node: Node, rule: NoDerivative) -> BaseException:
    """The error about an operation that cannot be differentiated."""
    return staging_error(
        f"{_name(node)} cannot be differentiated",
        rule.why,
        rule.instead or "Keep it out of the gradient with rt.stop_gradient(x).",
        NoDerivativeError,
        where=node.location and node.location.in_message,
    )


def _name(node):
    """The user's name for an operation."""
    function = node.attributes.get("function")
    if function is None or isinstance(function, str):
        return function or node.op.name.strip("_")
    return name_of(function)


def seed(result: Tensor) -> Any:
    """The cotangent of a scalar with respect to itself: one."""
    if isinstance(result.type, PythonType):
        return result.type.kind(1)
    return result.dtype.type(1)
