"""Staged loops: `while` and `for`.

    while x > 1:              p: b1 = greater(x, 1)
        x = x / 2
                      ->      def body(x_1: f64):
                                  x_2: f64 = divide(x_1, 2)
                                  p_1: b1 = greater(x_2, 1)
                                  return p_1, x_2
                              x_3: f64 = loop(p, x, body=body)

The body is recorded with the locations that it changes as inputs.  If an iteration leaves another
kind of value than it started with (an int becomes a float, a list grows, another attribute
changes), the body is recorded again with the join of both, until a fixed point is reached.  A
location that no iteration changes is not carried.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from autograph.backend import State, Undefined
from autograph.errors import message
from autograph.staging.abstract_values import AbstractValue, Mismatch
from autograph.staging.mutations import MutableLocation, one_sided
from runtime.errors import StagingError, users_location
from runtime.ir.graph import Graph, Operand, Value, substitute
from runtime.ir.op import find
from runtime.staging.control_flow.aliasing import enter_loop, join_aliases, refresh_all
from runtime.staging.control_flow.cond import made_at, run_block
from runtime.staging.control_flow.mutations import (
    ListLocation,
    MutationTracker,
    held_at_end,
    may_share,
)
from runtime.staging.control_flow.phi_types import DOMAIN
from runtime.staging.control_flow.type_widening import note_widenings
from runtime.staging.lists.aliasing import is_listed, keep, refuse_written
from runtime.tracing import trace
from runtime.tracing.aliases import is_staged_array
from runtime.tracing.tensor import Tensor, staged

# Types can widen bool -> int -> float -> complex, dimension by dimension, and places be found one
# by one.
MOST_ATTEMPTS = 50


@dataclass
class Turn:
    """An iteration that has been recorded."""

    region: Graph
    inputs: list[Value]
    more: Operand
    found: dict[MutableLocation, Any]
    raised: bool


class Loop:
    """A loop that is being staged.

    `iteration` runs the body and returns whether the loop continues.  `carried` are further
    locations that it changes, besides the variables of the state and everything that `blocks` and
    `roots` reach.
    """

    def __init__(self, turn: Callable, state: State, blocks: tuple, carried=(), roots=()):
        self.turn = turn
        self.recorder = trace.current()
        self.changes = MutationTracker(state, *blocks, roots=roots)
        self.layouts: dict[MutableLocation, AbstractValue] = {}
        for place in (*carried, *self.changes.variables):
            if not is_staged_array(place.before):  # else it is carried where it is found to change
                self.layouts[place] = DOMAIN.generalized(DOMAIN.abstract(place.before))
        self.listed: set[MutableLocation] = set()  # that hand arrays on that are in staged lists
        self.options: dict[str, Any] = {}

    def stage(self, predicate: Tensor) -> None:
        """Records the loop and writes its results to their locations."""
        for _ in range(MOST_ATTEMPTS):
            turn = self.record_turn()
            if not self.widen(turn):
                self.finish(predicate, turn)
                return
        why = "After each turn recorded, a variable has another type again."
        remedy = "Give the variables their final types before the loop."
        what = "the types in this loop do not settle"
        raise StagingError(message(what, users_location(), why, remedy))

    def record_turn(self) -> Turn:
        """Records one iteration, with inputs of the abstract values found so far."""
        with self.recorder.open_region("body") as region, self._is_innermost():
            inputs = [
                Value(type, trace.identifier(place.path))
                for place, layout in self.layouts.items()
                for type in layout.types()
            ]
            operands = iter(inputs)
            region.inputs = inputs
            values = {p: DOMAIN.value(lay, operands, p.path) for p, lay in self.layouts.items()}
            for place, value in values.items():
                if may_share(place, value):
                    values[place] = enter_loop(value, place.before, place.path)
                if place in self.listed:
                    keep(values[place])
            self.changes.write(values)
            more, raised = run_block(self.turn)
            found = {**self.changes.changes(), **self.changes.variable_values()}
            found.update({p: p.read() for p in self.layouts if p.read is not None})
        self.changes.restore()
        return Turn(region, inputs, False if raised else more, found, raised)

    @contextmanager
    def _is_innermost(self) -> Iterator[None]:
        """Makes the loop the one that `set_loop_options` is about."""
        loops = self.recorder.state(OpenLoops)
        loops.append(self)
        try:
            yield
        finally:
            loops.pop()

    def widen(self, turn: Turn) -> bool:
        """Joins the abstract values with those that an iteration leaves; returns whether one has
        changed."""
        if turn.raised:
            return False
        changed = False
        for place in turn.found:
            value = held_at_end(place, turn.found)
            known = self.layouts.get(place)
            if known is None and turn.found[place] is place.before:
                continue
            ends = (place.before, turn.found[place])
            if place.is_slot and len({isinstance(end, Undefined) for end in ends}) > 1:
                raise one_sided(place)
            try:
                if isinstance(place, ListLocation):
                    wider = DOMAIN.join_lists(place.before, value, place.element)
                else:
                    start = DOMAIN.abstract(place.before) if known is None else known
                    wider = DOMAIN.join(start, DOMAIN.abstract(value))
            except Mismatch as mismatch:
                raise _cannot_join(place, value, mismatch) from None
            if known is None or wider != known:
                self.layouts[place] = wider if known is None else join_known(known, wider)
                changed = True
        listed = {place for place, value in turn.found.items() if is_listed(value)}
        changed |= not listed & self.layouts.keys() <= self.listed
        self.listed |= listed
        return changed

    def finish(self, predicate: Tensor, turn: Turn) -> None:
        """Records the node, from the last iteration."""
        outputs = []
        for place, layout in self.layouts.items():
            note_widenings(place.path, layout, [place.before])
        with self.recorder.reopened(turn.region):
            for place, layout in self.layouts.items():
                if turn.raised:
                    outputs += [
                        self.recorder.record(find("unreachable"), (), {"type": type})[0]
                        for type in layout.types()
                    ]
                else:
                    outputs += DOMAIN.operands(layout, held_at_end(place, turn.found))
            more = staged(turn.more)._value if isinstance(turn.more, Tensor) else bool(turn.more)
        starts = [
            operand
            for place, layout in self.layouts.items()
            for operand in DOMAIN.operands(layout, place.before)
        ]
        refuse_written(self.layouts)
        hints = [place.path for place, lay in self.layouts.items() for _ in lay.types()]
        results = self.record(predicate, turn, more, starts, outputs, hints)
        operands = iter(results)
        values = {p: DOMAIN.value(lay, operands, p.path) for p, lay in self.layouts.items()}
        shared = [p for p, value in values.items() if may_share(p, value)]
        rows = {p: (turn.found.get(p, p.before), p.before) for p in shared}
        values.update(join_aliases({p: values[p] for p in rows}, rows, predicate))
        keep(*(values[p] for p in rows if is_listed(*rows[p])))
        self.changes.write(values)
        refresh_all(values.values())

    def record(self, predicate, turn, more, starts, outputs, hints):
        """Records the node; values that no iteration changes are captured instead of carried."""
        varies = [out is not given for out, given in zip(outputs, turn.inputs, strict=True)]
        fixed = {
            given: start
            for given, start, moves in zip(turn.inputs, starts, varies, strict=True)
            if not moves
        }
        turn.region.inputs = _those(turn.inputs, varies)
        turn.region.outputs = [more, *_those(outputs, varies)]
        substitute(turn.region, fixed)
        results = iter(
            self.recorder.record(
                find("loop"),
                (staged(predicate)._value, *_those(starts, varies)),
                self.options,
                {"body": turn.region},
                _those(hints, varies),
            )
        )
        return [
            next(results) if moves else start for moves, start in zip(varies, starts, strict=True)
        ]


class OpenLoops(list[Loop]):
    """The loops whose bodies are being recorded, innermost last."""


def join_known(known: AbstractValue, wider: AbstractValue) -> AbstractValue:
    """The join of two abstract values, of which the second may have another structure."""
    return wider if known.structure != wider.structure else DOMAIN.join(known, wider)


def _those(items, chosen):
    return [item for item, take in zip(items, chosen, strict=True) if take]


def _cannot_join(place, value, mismatch):
    return StagingError(
        message(
            f"{place.path} is {mismatch.left} before a turn of this loop "
            f"and {mismatch.right} after it",
            users_location(),
            f"  {place.path} = {mismatch.right}{made_at(value)}",
            "The loop is staged, so it must hold one kind of value throughout: a number, or arrays "
            "of one rank.  Give it such a value before the loop.",
        )
    )
