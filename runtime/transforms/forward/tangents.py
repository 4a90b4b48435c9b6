"""Tangents of values, while nodes are replayed: each node, and behind it its result's tangent.

    y = sin(x)          t_y = t_x * cos(x)           elementwise: the derivative times the tangent
    y = sum(x)          t_y = sum(t_x)               linear: the same op, on the tangent
    y = x @ w           t_y = t_x @ w + x @ t_w      linear in each operand
    y = inv(x)          t_y = d/du <adjoint(u), t_x>      any other op: its adjoint, transposed

A value without a tangent does not depend on what is differentiated by: its tangent is zero, and
nothing is computed for it.  An adjoint is linear in the cotangent `u`, so the derivative of its
product with `t_x` by `u` is what the op makes of `t_x`; nothing is left of the adjoint itself.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from runtime.ir.derivative import Adjoint, Composition, NoDerivative, Partials
from runtime.ir.graph import Node, Operand, Value, captures, operand_type
from runtime.ir.op import find
from runtime.ir.pytree import flatten
from runtime.ir.slot import Slot
from runtime.ir.types import FLOAT, ListType, PythonType, TupleType
from runtime.ops.adjoints.sizes import grown
from runtime.tracing.tensor import Tensor, apply, operand
from runtime.tracing.trace import Trace
from runtime.transforms.forward import control_flow
from runtime.transforms.replay import Replay
from runtime.transforms.reverse.activity import Activity, is_differentiable
from runtime.transforms.reverse.backward import (
    NO_RULE,
    RECURSION,
    Reverse,
    Stretch,
    no_derivative,
    seed,
)
from runtime.transforms.reverse.cotangents import Cotangents, exactly

REMOVED = NoDerivative(
    "Which element `remove` takes out depends on the values.", "Take it out by its index: del z[i]."
)


class Tangents(Replay):
    """Replays nodes with their tangents; with `is_done`, the nodes are there already."""

    def __init__(self, is_done: bool = False):
        super().__init__()
        self._is_done = is_done
        self._tangents: dict[Value, Operand] = {}  # by what became of the values

    # -- what is known -----------------------------------------------------------------------------

    def tangent(self, operand: Operand) -> Any:
        """The tangent of a value that was replayed, None for zero."""
        found = self._tangents.get(operand) if isinstance(operand, Value) else None
        return None if found is None else self.handle(found)

    def set_tangent(self, value: Operand, tangent: Any) -> None:
        """Makes something, of the value's type, the tangent of a value; None for zero."""
        if tangent is not None and isinstance(value, Value):
            self._tangents[value] = operand(tangent, self.recorder)

    def tangent_or_zero(self, value: Operand) -> Operand:
        """The tangent of a value as an operand."""
        found = self._tangents.get(value) if isinstance(value, Value) else None
        if found is not None:
            return found
        return operand(Cotangents(self.recorder).zero(value), self.recorder)

    def handle(self, value: Operand) -> Any:
        """What stands for a value in NumPy code."""
        return Tensor(value, self.recorder.region) if isinstance(value, Value) else value

    # -- control flow: see `control_flow.py` ---------------------------------------------------

    def cond(self, node: Node) -> Sequence[Any]:
        return control_flow.branch(self, node)

    def loop(self, node: Node) -> Sequence[Any]:
        return control_flow.repeated(self, node)

    def checkpoint(self, node: Node) -> Sequence[Any]:
        return control_flow.checkpointed(self, node)

    def mapped(self, node: Node) -> Sequence[Any]:
        return control_flow.mapped(self, node)

    def custom_gradient(self, node: Node) -> Sequence[Any]:
        return control_flow.customized(self, node)

    def recursive(self, node: Node) -> Sequence[Any]:
        seen = [value for region in node.regions.values() for value in captures(region)]
        used = map(self.read, (*node.inputs, *seen))
        has_derivatives = any(is_differentiable(value.type) for value in node.outputs)
        if has_derivatives and any(self.tangent(operand) is not None for operand in used):
            raise no_derivative(node, RECURSION)
        return self.copied(node)

    # -- nodes -------------------------------------------------------------------------------------

    def copied(self, node: Node, known: dict | None = None) -> tuple[Value, ...]:
        return node.outputs if self._is_done else super().copied(node, known)

    def walk(self, nodes: Iterable[Node]) -> None:
        """Finds the tangents of what nodes make that are there already."""
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
        if not have or all(tangent is None for tangent in tangents):
            return
        with self.recorder.on_behalf_of(node, takes_names=False):
            found = self._of(node, operands, tangents, results)
            for value, tangent in zip(results, found, strict=True):
                if is_differentiable(value.type):
                    self.set_tangent(value, tangent)
                    self._name(value)

    def _name(self, value):
        found = self._tangents.get(value)
        if isinstance(found, Value) and found.hint in ("v", "p"):
            found.hint = f"t_{value.hint}"

    def _of(self, node, operands, tangents, results) -> Sequence[Any]:
        rule = node.op.derivative
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
                return tangents_by_transposition(self, node, operands, tangents, results)
        raise no_derivative(node, rule if isinstance(rule, NoDerivative) else NO_RULE)

    def _elementwise(self, rule, operands, tangents, result):
        handles = tuple(map(self.handle, operands))
        total = None
        for place, tangent in enumerate(tangents):
            if tangent is None or rule.is_zero(place):
                continue
            partial = rule.partial(place, self.handle(result), handles)
            term = self._product(tangent, partial)
            total = term if total is None else total + term
        return None if total is None else self._like(total, result)

    def _product(self, tangent, partial):
        if isinstance(partial, Tensor) and not isinstance(partial._value, Value):
            partial = partial._value
        if isinstance(partial, (int, float)) and np.isfinite(partial):
            return tangent if partial == 1 else -tangent if partial == -1 else tangent * partial
        return apply(find("scaled"), tangent, partial)

    def _like(self, tangent, value):
        """A tangent as one of just the type of a value."""
        kind = operand_type(value)
        if not isinstance(kind, (ListType, TupleType)):
            if kind.dtype.kind == "f" and tangent.dtype.kind == "c":
                tangent = np.real(tangent)
            if kind.shape and tangent.type.shape != kind.shape:
                tangent = grown(tangent, self.handle(value).shape)
        return exactly(tangent, kind)

    def _linear(self, node, operands, tangents, results):
        """The op on tangents in place of the operands in which it is linear."""
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
        """A list whose elements a method of lists has moved: so are their tangents."""
        by, given = node.attributes["by"], node.attributes["given"]
        if by == "remove":
            raise no_derivative(node, REMOVED)
        moved = [operand if by == "sorted" else self._or_itself(operand) for operand in operands]
        moved[0] = self.tangent_or_zero(operands[0])
        if by == "sorted" and given[0] is None:  # by the values themselves
            moved.append(operands[0])
            given = (Slot(len(moved) - 1), *given[1:])
        return self.handle(self.record("list_made", *moved, by=by, given=given))

    def _or_itself(self, operand):
        """The tangent of what has one, zero or not; an index as it is."""
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
        """What a node computes once more, by ops that have derivatives: their tangents."""
        region = self.recorder.region
        first = len(region.nodes)
        reverse = Reverse(self.recorder, Activity(()))
        args, kwargs = reverse._arguments(_at(node, operands))
        found = rule.function(*args, **kwargs)
        if isinstance(found, NoDerivative):
            raise no_derivative(node, found)
        results = flatten(found)[0]
        inner = Tangents(is_done=True)
        inner._tangents = self._tangents
        inner.walk(region.nodes[first:])
        return [self.tangent(result._value) for result in results]


def _at(node, operands, outputs=None):
    """A node like one, of what became of its operands."""
    outputs = outputs or node.outputs
    return Node(node.op, operands, outputs, node.attributes, {}, node.location, node.scope)


def tangents_by_transposition(
    forward: Tangents, node: Node, operands: tuple, tangents: tuple, results: Sequence[Value]
) -> list[Any]:
    """The tangents of results whose op says what its adjoint is."""
    recorder = forward.recorder
    own = _at(node, operands, tuple(results))
    active = Activity([o for o, t in zip(operands, tangents, strict=True) if t is not None])

    def adjoint(directions):
        reverse = Reverse(recorder, active, Cotangents(recorder))
        for value, direction in zip(results, directions, strict=True):
            if direction is not None:
                reverse.cotangents.put(value, direction)
        reverse.walk([Stretch(recorder.region, [own])])
        return list(map(reverse.cotangents.of, directed))

    directed = dict(zip(operands, tangents, strict=True))  # each operand once
    return transposed(recorder, results, list(directed.values()), adjoint)


def transposed(
    recorder: Trace, results: Sequence[Value], tangents: Sequence[Any], adjoint: Callable
) -> list[Any]:
    """The tangents of results: `adjoint` gives cotangents of operands for some of the results, and
    is linear, so that its derivatives by these are what makes tangents of the operands' ones."""
    region = recorder.region
    first = len(region.nodes)
    directions = [
        apply(find("alias"), Cotangents(recorder).zero(v)) if is_differentiable(v.type) else None
        for v in results
    ]
    total: Any = None
    for cotangent, tangent in zip(adjoint(directions), tangents, strict=True):
        if tangent is not None and cotangent is not None:
            term = _inner(cotangent, tangent)
            total = term if total is None else total + term
    nodes = region.nodes[first:]
    dependent = Activity([one._value for one in directions if one is not None])
    dependent.visit(nodes)
    if total is None or total._value not in dependent:
        return [None] * len(results)
    back = Reverse(recorder, dependent, Cotangents(recorder))
    back.cotangents.add(total._value, seed(total))
    back.walk([Stretch(region, nodes)])
    return [None if one is None else back.cotangents.of(one._value) for one in directions]


def _inner(cotangent, tangent):
    """The inner product of a cotangent and a tangent, as a real number."""
    if isinstance(cotangent.type, ListType):
        return _inner_of_lists(cotangent, tangent)
    if isinstance(cotangent.type, PythonType):
        return cotangent * tangent
    if cotangent.dtype.kind == "c" or tangent.dtype.kind == "c":
        real = np.real(cotangent) * np.real(tangent)
        return np.sum(real) + np.sum(np.imag(cotangent) * np.imag(tangent))
    return np.sum(cotangent * tangent)


def _inner_of_lists(cotangent, tangent):
    """The sum of the inner products of the elements of two lists."""
    replay, one, other = Replay(), cotangent._value, tangent._value
    length = replay.record("list_length", one)

    def turn(i, total):
        items = (
            Tensor(replay.record("list_get", items, i), replay.recorder.region)
            for items in (one, other)
        )
        found = apply(find("number"), _inner(*items), type=FLOAT)
        total = replay.record("add", total, found._value)
        i = replay.record("add", i, 1)
        return replay.record("less", i, length), i, total

    more = replay.record("greater", length, 0)
    total = replay.repeat(more, (0, 0.0), turn)[1]
    return Tensor(total, replay.recorder.region)
