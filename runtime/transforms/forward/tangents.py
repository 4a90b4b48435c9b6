"""Tangents of values: each node is replayed, followed by the tangents of its results.

    y = sin(x)          t_y = t_x * cos(x)           elementwise: the derivative times the tangent
    y = sum(x)          t_y = sum(t_x)               linear: the same op, on the tangent
    y = x @ w           t_y = t_x @ w + x @ t_w      linear in each operand
    y = inv(x)          t_y = d/du <adjoint(u), t_x>      any other op: its adjoint, transposed

A value without a tangent does not depend on the differentiated arguments: its tangent is zero, and
nothing is computed for it.  For transposition see `transposition.py`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from runtime.ir.derivative import Adjoint, Composition, NoDerivative, Partials, UserGradient
from runtime.ir.graph import UNNAMED, Node, Operand, Value, captures, operand_type
from runtime.ir.op import find
from runtime.ir.pytree import flatten
from runtime.ir.slot import Slot
from runtime.ir.types import OBJECT, STRING, ListType, TupleType, Type
from runtime.ops.adjoints.sizes import grown
from runtime.ops.list_methods import BY_KEYS
from runtime.tracing.tensor import Tensor, apply, operand, staged
from runtime.transforms.forward.transposition import transposed
from runtime.transforms.node_range import NodeRange
from runtime.transforms.receivers import Receivers
from runtime.transforms.regions import replay_regions
from runtime.transforms.replay import Replay
from runtime.transforms.reverse.activity import ActiveValues, influencing, is_differentiable
from runtime.transforms.reverse.backward import NO_RULE, Reverse, arguments_of, no_derivative
from runtime.transforms.reverse.control_flow import user_cotangents
from runtime.transforms.reverse.cotangents import Cotangents, exactly
from runtime.transforms.roots import Roots
from runtime.transforms.vmap.nested import MAPPED
from runtime.transforms.vmap.rules import unfolded

REMOVED = NoDerivative(
    "Which element `remove` takes out depends on the values.", "Take it out by its index: del z[i]."
)


class Tangents(Replay):
    """Replays nodes with their tangents; with `is_done`, the nodes themselves exist already."""

    def __init__(self, is_done: bool = False):
        super().__init__()
        self._is_done = is_done
        self._tangents: dict[Value, Operand] = {}  # of replayed values
        self._roots = Roots()
        self.objects: set[Any] = set()  # that may hold values with tangents
        self._receivers = Receivers()

    # -- tangents ----------------------------------------------------------------------------------

    def tangent(self, operand: Operand) -> Any:
        """The tangent of a replayed value, None for zero."""
        found = self._tangents.get(operand) if isinstance(operand, Value) else None
        return None if found is None else self.handle(found)

    def set_tangent(self, value: Operand, tangent: Any) -> None:
        """Sets the tangent of a value, of its type; None for zero."""
        if tangent is not None and isinstance(value, Value):
            self._tangents[value] = operand(tangent, self.recorder)

    def tangent_or_zero(self, value: Operand) -> Operand:
        """The tangent of a value as an operand."""
        found = self._tangents.get(value) if isinstance(value, Value) else None
        if found is not None:
            return found
        zero = exactly(Cotangents(self.recorder).zero(value), operand_type(value))
        return operand(zero, self.recorder)

    def handle(self, value: Operand) -> Any:
        """The handle of a value, for NumPy code; scalars are returned unchanged."""
        return Tensor(value, self.recorder.region) if isinstance(value, Value) else value

    # -- nodes with regions ------------------------------------------------------------------------

    def with_regions(self, node: Node) -> Sequence[Any]:
        flow = node.op.control_flow
        if isinstance(node.op.derivative, UserGradient):
            return self.plain(node)
        if isinstance(node.op.derivative, NoDerivative):
            return self._underived(node)
        if node.op.name in MAPPED:
            return self._unfolded(node)
        if flow.is_opaque:
            raise no_derivative(node, NO_RULE)
        return replay_regions(self, node)

    def _underived(self, node):
        captured = [v for region in node.regions.values() for v in captures(region)]
        used = map(self.read, (*node.inputs, *captured))
        has_derivatives = any(is_differentiable(value.type) for value in node.outputs)
        if has_derivatives and any(self.tangent(operand) is not None for operand in used):
            raise no_derivative(node, node.op.derivative)
        return self.copied(node)

    def _unfolded(self, node):
        """Replays the nodes that a `mapped` node stands for."""
        inputs = tuple(map(self.read, node.inputs))
        own = replace(node, inputs=inputs)
        results, written = NodeRange.of(self.recorder, unfolded, own)
        nodes = written.region.nodes
        del nodes[len(nodes) - len(written.nodes) :]
        for one in written.nodes:
            with self.recorder.on_behalf_of(one):
                made = self.visit(one)
            self.known.update(zip(one.outputs, made, strict=True))
        return [self.read(value) for value in results]

    def form(self, found: Any) -> int:
        return int(self.tangent(found) is not None)

    def representation(self, kind: Type, form: int) -> tuple[Type, ...]:
        return (kind,) * (1 + form)

    def components(self, found: Any, kind: Type, form: int) -> tuple[Operand, ...]:
        return (found, self.tangent_or_zero(found)) if form else (found,)

    def assembled(self, components: Sequence[Operand], kind: Type, form: int) -> Any:
        value, *tangents = components
        for tangent in tangents:
            self.set_tangent(value, self.handle(tangent))
        return value

    # -- nodes -------------------------------------------------------------------------------------

    def copied(self, node: Node, known: dict | None = None) -> tuple[Value, ...]:
        return node.outputs if self._is_done else super().copied(node, known)

    def walk(self, nodes: Iterable[Node]) -> None:
        """Finds the tangents of the results of nodes that exist already."""
        for node in nodes:
            with self.recorder.on_behalf_of(node, takes_names=False):
                self._push(node, node.outputs)

    def plain(self, node: Node) -> Sequence[Any]:
        results = self.copied(node)
        self._push(node, results)
        return results

    def _push(self, node, results):
        """Finds the tangents of the results of a node."""
        operands = tuple(map(self.read, node.inputs))
        tangents = tuple(map(self.tangent, operands))
        have = any(is_differentiable(operand_type(value)) for value in results)
        depends = any(tangent is not None for tangent in tangents)
        if self._follow_objects(node, operands, results, depends) and have and not depends:
            raise no_derivative(node, _rule(node))
        if not have or not depends:
            return
        with self.recorder.on_behalf_of(node, takes_names=False):
            found = self._of(node, operands, tangents, results)
            for value, tangent in zip(results, found, strict=True):
                if is_differentiable(value.type):
                    self.set_tangent(value, tangent)
                    self._name(value)

    def _follow_objects(self, node, operands, results, depends):
        """Notes the objects that may hold values with tangents after a node; whether it may get a
        value from one of them, or from a string."""
        held = self._receivers.of(node, operands, results)
        gets = not self.objects.isdisjoint((*operands, *held))
        if depends or gets:
            self.objects |= held
            self.objects.update(one for one in results if operand_type(one) == OBJECT)
        return gets or any(operand_type(one) == STRING for one in operands)

    def _name(self, value):
        found = self._tangents.get(value)
        if isinstance(found, Value) and found.hint in UNNAMED:
            found.hint = f"t_{value.hint}"

    def _of(self, node, operands, tangents, results) -> Sequence[Any]:
        rule = node.op.derivative
        self._roots.note([node])
        behind = self._roots.behind(node)
        if behind is not None:
            found = self._composed(behind[0], behind[1], map(self.read, behind[0].inputs))
            if found is not None:
                return [self._like(found[0], results[0])]
        if node.op.traits.linear:
            return self._linear(node, operands, tangents, results)
        if node.op.name == "list_made":
            return [self._moved(node, operands)]
        if node.op.traits.bilinear:
            return [self._bilinear(node, operands, tangents, results[0])]
        match rule:
            case Partials():
                return [self._elementwise(rule, operands, tangents, results[0])]
            case Composition():
                return self._composed(node, rule, operands)
            case Adjoint():
                return self._transposed(node, operands, tangents, results)
            case UserGradient():
                return self._by_users_gradient(node, tangents, results)
        raise no_derivative(node, _rule(node))

    def _elementwise(self, rule, operands, tangents, result):
        handles = rule.given(operands, self.handle)
        total = None
        for place, tangent in enumerate(tangents):
            if tangent is None or rule.is_zero(place):
                continue
            partial = rule.partial(place, self.handle(result), handles)
            term = self._product(tangent, partial, rule.product(place))
            total = term if total is None else total + term
        return None if total is None else self._like(total, result)

    def _product(self, tangent, partial, by):
        if isinstance(partial, Tensor) and not isinstance(partial._value, Value):
            partial = partial._value
        if isinstance(partial, (int, float)) and np.isfinite(partial):
            return tangent if partial == 1 else -tangent if partial == -1 else tangent * partial
        return apply(find(by), tangent, partial)

    def _like(self, tangent, value):
        """A tangent, converted to the type of a value."""
        kind = operand_type(value)
        if not isinstance(kind, (ListType, TupleType)):
            if kind.dtype.kind == "f" and tangent.dtype.kind == "c":
                tangent = np.real(tangent)
            if kind.shape and tangent.type.shape != kind.shape:
                tangent = grown(tangent, self.handle(value).shape)
        return exactly(tangent, kind)

    def _linear(self, node, operands, tangents, results):
        """The op, applied to tangents in place of the operands in which it is linear."""
        places = node.op.traits.linear
        if all(tangents[place] is None for place in places if place < len(tangents)):
            return [None] * len(results)
        given = [
            self.tangent_or_zero(operand) if place in places else operand
            for place, operand in enumerate(operands)
        ]
        found = self.recorder.record(node.op, tuple(given), dict(node.attributes))
        return [
            self._exactly(one, value) if is_differentiable(value.type) else None
            for one, value in zip(found, results, strict=True)
        ]

    def _moved(self, node, operands):
        """The tangents of a list that a list method has rearranged, rearranged the same way."""
        by, given = node.attributes["by"], node.attributes["given"]
        if by == "remove":
            raise no_derivative(node, REMOVED)
        moved = [operand if by in BY_KEYS else self._or_itself(operand) for operand in operands]
        moved[0] = self.tangent_or_zero(operands[0])
        if by in BY_KEYS and given[0] is None:  # by the values themselves
            moved.append(operands[0])
            given = (Slot(len(moved) - 1), *given[1:])
        return self.handle(self.record("list_made", *moved, by=by, given=given))

    def _or_itself(self, operand):
        """The tangent, materialised as zeros if absent; integers are returned unchanged."""
        has = is_differentiable(operand_type(operand))
        return self.tangent_or_zero(operand) if has else operand

    def _exactly(self, found, value):
        is_same = isinstance(value.type, (ListType, TupleType)) or found.type == value.type
        return (
            Tensor(found, self.recorder.region)
            if is_same
            else self._like(self.handle(found), value)
        )

    def _bilinear(self, node, operands, tangents, result):
        total = None
        for place, tangent in enumerate(tangents):
            if tangent is not None:
                given = [self.handle(o) for o in operands]
                given[place] = tangent
                term = apply(node.op, *given, **node.attributes)
                total = term if total is None else total + term
        return self._like(total, result)

    def _composed(self, node, rule, operands):
        """The tangents of a node that is recorded again by ops that have derivatives."""

        def compute():
            args, kwargs = arguments_of(node, tuple(map(self.handle, operands)))
            return rule.function(*args, **kwargs)

        found, written = NodeRange.of(self.recorder, compute)
        if isinstance(found, NoDerivative):
            raise no_derivative(node, found)
        if found is None:
            return None
        inner = Tangents(is_done=True)
        inner._tangents = self._tangents
        results = [staged(result)._value for result in flatten(found)[0]]
        inner.walk(influencing(written.nodes, results))
        return list(map(self.tangent, results))

    def _transposed(self, node, operands, tangents, results):
        """The tangents of results whose op has a rule for its adjoint."""
        own = replace(node, inputs=operands, outputs=tuple(results), regions={})
        active = ActiveValues([o for o, t in zip(operands, tangents, strict=True) if t is not None])
        directed = dict(zip(operands, tangents, strict=True))  # each operand once

        def adjoint(directions):
            reverse = Reverse(self.recorder, active, Cotangents(self.recorder))
            for value, direction in zip(results, directions, strict=True):
                if direction is not None:
                    reverse.cotangents.put(value, direction)
            reverse.walk([NodeRange(self.recorder.region, [own])])
            return list(map(reverse.cotangents.of, directed))

        return transposed(self.recorder, results, list(directed.values()), adjoint)

    def _by_users_gradient(self, node, tangents, results):
        """The tangents of results whose gradient the user has written."""

        def adjoint(directions):
            zero = Cotangents(self.recorder).zero
            pairs = zip(results, directions, strict=True)
            ds = [zero(value) if d is None else d for value, d in pairs]  # of integers
            return user_cotangents(self.recorder, node, ds, self.known)

        own = tangents[node.attributes["count"] :]
        if all(tangent is None for tangent in own):
            return [None] * len(results)
        return transposed(self.recorder, results, own, adjoint)


def _rule(node: Node) -> NoDerivative:
    """Why a node has no tangents."""
    rule = node.op.derivative
    return rule if isinstance(rule, NoDerivative) else NO_RULE
