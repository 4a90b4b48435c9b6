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

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import CodeType
from typing import Any

from autograph.backend import State, Undefined, Unset
from autograph.staging.abstract_values import AbstractValue, Mismatch
from autograph.staging.mutations import MutableLocation, one_sided
from runtime.errors import LoopError, staging_error
from runtime.ir.graph import Graph, Location, Operand, Value, substitute
from runtime.ir.op import find
from runtime.ir.pytree import flatten
from runtime.staging.chosen_joins import want_alike
from runtime.staging.control_flow.aliasing import join_aliases, refresh_all
from runtime.staging.control_flow.binding_lines import (
    bindings,
    line_at_end,
    line_at_start,
    lines_of_constants,
)
from runtime.staging.control_flow.cond import run_block
from runtime.staging.control_flow.growing_links import Growth
from runtime.staging.control_flow.join_errors import loop_error
from runtime.staging.control_flow.loop_sharing import EntrySharing
from runtime.staging.control_flow.mutations import (
    GraphMutationTracker,
    ListLocation,
    held_at_end,
    may_share,
    part_at_end,
)
from runtime.staging.control_flow.phi_types import DOMAIN
from runtime.staging.control_flow.tested_values import TestedValues
from runtime.staging.control_flow.type_widening import note_widenings
from runtime.staging.kept_places import note_kept
from runtime.staging.lists.aliasing import is_listed, refuse_written, register_listed
from runtime.staging.lists.homes import older_than
from runtime.staging.lists.inner_lists import refuse_shared_inside
from runtime.staging.lists.merged_containers import ContainerJoin
from runtime.staging.lists.nested_list import ListPart
from runtime.staging.lists.trees import Tree, containers, moved, shared, tree_of
from runtime.staging.made_dicts import note_one_sided
from runtime.tracing import trace
from runtime.tracing.aliases import is_staged_array
from runtime.tracing.tensor import Tensor, staged

# Types can widen from bool to complex, dimension by dimension, and locations be found one by one.
MOST_ATTEMPTS = 50


@dataclass
class Iteration:
    """An iteration that has been recorded."""

    region: Graph
    inputs: list[Value]
    more: Operand
    found: dict[MutableLocation, Any]
    raised: bool
    trees: dict[MutableLocation, Tree | None]
    is_older: Callable[[Any], bool]  # whether a container is older than the loop

    def value(self, location: MutableLocation) -> Any:
        """The value that the iteration leaves in a location."""
        tree = self.trees.get(location)
        same = shared(tree_of(location.before), tree)
        if location.before is None or isinstance(location.before, (Undefined, Unset)):
            # Where a later iteration finds it, or code after the loop, it is the older container.
            whole = (one for one in containers(tree) if type(one) is not ListPart)
            same |= {id(one) for one in whole if self.is_older(one)}
        return held_at_end(location, self.found, same)


class Loop:
    """A loop that is being staged.

    `iteration` runs the body and returns whether the loop continues.  `carried` are further
    locations that it changes, besides the variables of the state and everything that `blocks` and
    `roots` reach.
    """

    def __init__(self, iteration: Callable, state: State, blocks: tuple, carried=(), roots=()):
        self.iteration = iteration
        self.recorder = trace.current()
        self.changes = GraphMutationTracker(state, *blocks, roots=roots)
        self.changes.repeats = True
        self.carried_values: dict[MutableLocation, AbstractValue] = {}
        for location in (*carried, *self.changes.variables):
            if not any(
                map(is_staged_array, flatten(location.before)[0])
            ):  # else only if it changes
                self.carried_values[location] = DOMAIN.generalized(DOMAIN.abstract(location.before))
        self.listed: set[MutableLocation] = set()  # with arrays that staged lists hold
        self.first_wider: dict[MutableLocation, Any] = {}  # the first values of another type
        self.sharing = EntrySharing()
        self.ends: dict[MutableLocation, Tree | None] = {}  # other containers that places get
        self.options: dict[str, Any] = {}
        self.lines: dict[str, list[Location | None]] = {}  # of constants, by region
        self.codes = [getattr(block, "__code__", None) for block in blocks]
        self.memory = LoopMemory()
        self.tested = TestedValues()

    def stage(self, predicate: Tensor) -> None:
        """Records the loop and writes its results to their locations."""
        loops = self.recorder.state(OpenLoops)
        self.memory = loops[-1].memory.of_inner(self.codes[0]) if loops else self.memory
        self._expect(self.memory.carried)
        self.tested.predicate = predicate
        growth = Growth()
        for _ in range(MOST_ATTEMPTS):
            iteration = self.record_iteration()
            if not self.widen(iteration) and self._is_as_assumed(iteration):
                self.memory.carried.update(self.carried_values)
                self.finish(predicate, iteration)
                return
            growth.check(self.carried_values)
        why = "After each recorded iteration, a variable has another type."
        remedy = "Give the variables their final types before the loop."
        what = "the types in this loop do not settle"
        raise staging_error(what, why, remedy, LoopError)

    def _expect(self, known: dict[MutableLocation, AbstractValue]) -> None:
        """Begins with abstract values that an earlier recording of this loop has found."""
        for location, abstract in known.items():
            here = self.changes.location_again(location)
            if here is None:
                continue
            with suppress(Mismatch):
                if isinstance(here, ListLocation):
                    contents = DOMAIN.value(abstract, map(Value, abstract.types()), here.path)
                    found = DOMAIN.join_lists(here.before, contents, here.element)
                else:
                    start = self.carried_values.get(here) or DOMAIN.abstract(here.before)
                    found = DOMAIN.join(start, abstract)
                self.carried_values[here] = found

    def record_iteration(self) -> Iteration:
        """Records one iteration, with inputs of the abstract values found so far."""
        self.memory.begin()
        with self.recorder.open_region("body") as region, self._is_innermost():
            inputs = [
                Value(type, trace.identifier(location.path))
                for location, abstract in self.carried_values.items()
                for type in abstract.types()
            ]
            operands = iter(inputs)
            region.inputs = inputs
            values = {
                p: DOMAIN.value(abstract, operands, p.path)
                for p, abstract in self.carried_values.items()
            }
            shared = {p: value for p, value in values.items() if may_share(p, value)}
            values.update(self.sharing.enter(shared))
            register_listed(*(values[p] for p in self.listed if p in values))
            joins = self._join_containers(values, self.ends)
            self.changes.write(values)
            self.sharing.refresh()
            joins.refresh()
            with self.tested.assumed(values, inputs):
                more, raised = run_block(self.iteration)
            found = {**self.changes.changes(), **self.changes.variable_values()}
            found.update({p: p.read() for p in self.carried_values if p.read is not None})
        self.changes.restore()
        trees, is_older = dict(self.changes.trees), older_than(self.changes.heap)
        more = False if raised else more
        return Iteration(region, inputs, more, found, raised, trees, is_older)

    def _is_as_assumed(self, iteration: Iteration) -> bool:
        """Whether the test of the loop implies that the values are there which the body assumes to
        be there."""
        if iteration.raised or not self.tested.locations:
            return True
        with self.recorder.reopened(iteration.region):
            ends = {place: iteration.value(place) for place in self.tested.locations}
            return self.tested.are_confirmed(ends, iteration.more)

    def _join_containers(self, values, ends, predicate=None):
        """Puts the containers of each run into the values of some locations."""
        joins = ContainerJoin(older_than(self.changes.heap), predicate)
        for location, value in values.items():
            start = tree_of(location.before)
            path = location.path
            values[location] = joins.joined(value, ends.get(location, start), start, path)
        return joins

    @contextmanager
    def _is_innermost(self) -> Iterator[None]:
        """Makes the loop the one that `set_loop_options` is about."""
        loops = self.recorder.state(OpenLoops)
        loops.append(self)
        try:
            yield
        finally:
            loops.pop()

    def widen(self, iteration: Iteration) -> bool:
        """Joins the abstract values with those that an iteration leaves; returns whether one has
        changed."""
        if iteration.raised:
            return False
        changed = False
        for location in iteration.found:
            value = iteration.value(location)
            known = self.carried_values.get(location)
            if known is None and iteration.found[location] is location.before:
                continue
            ends = (location.before, iteration.found[location])
            if location.is_slot and len({isinstance(end, Undefined) for end in ends}) > 1:
                note_one_sided(location)
                raise one_sided(location)
            try:
                if isinstance(location, ListLocation):
                    start = known
                    wider = DOMAIN.join_lists(location.before, value, location.element)
                else:
                    start = DOMAIN.abstract(location.before) if known is None else known
                    wider = DOMAIN.join(start, DOMAIN.abstract(value))
            except Mismatch as mismatch:
                want_alike(location.before, value)
                first = self.first_wider.get(location, value)
                found = DOMAIN.abstract(first)
                if not mismatch.path and found.structure.kind is None:
                    value, mismatch.right = first, found.leaves[0]
                raise loop_error(location.path, location.before, value, mismatch) from None
            if wider != start:
                self.first_wider.setdefault(location, value)
            if known is None or wider != known:
                self.carried_values[location] = wider if known is None else join_known(known, wider)
                changed = True
        listed = {location for location, value in iteration.found.items() if is_listed(value)}
        changed |= self.sharing.grown(iteration.found)
        for location, tree in iteration.trees.items():
            if moved(tree_of(location.before), tree):
                changed |= location in self.carried_values and location not in self.ends
                self.ends[location] = tree
        changed |= not listed & self.carried_values.keys() <= self.listed
        self.listed |= listed
        return changed

    def finish(self, predicate: Tensor, iteration: Iteration) -> None:
        """Records the node, from the last iteration."""
        for location, abstract in self.carried_values.items():
            note_widenings(location.path, abstract, [location.before])
            note_kept(location, location.before)
        self.lines = {"": [], "body": []}
        outputs, more = self._region_outputs(iteration)
        initial = []
        for location, abstract in self.carried_values.items():
            start = part_at_end(location.before, {})
            initial += self._operands(abstract, start, "", line_at_start(location))
        refuse_written(self.carried_values)
        hints = [
            location.path
            for location, abstract in self.carried_values.items()
            for _ in abstract.types()
        ]
        results = self.record(predicate, iteration, more, initial, outputs, hints)
        operands = iter(results)
        values = {
            p: DOMAIN.value(abstract, operands, p.path)
            for p, abstract in self.carried_values.items()
        }
        refuse_shared_inside(values, iteration.trees)
        shared = [p for p, value in values.items() if may_share(p, value)]
        rows = {p: (iteration.found.get(p, p.before), p.before) for p in shared}
        values.update(join_aliases({p: values[p] for p in rows}, rows, predicate))
        self.sharing.note_results({p: values[p] for p in rows})
        register_listed(*(values[p] for p in rows if is_listed(*rows[p])))
        opened = list(values.values())
        joins = self._join_containers(values, iteration.trees, predicate)
        self.changes.write(values)
        joins.refresh()
        refresh_all(opened)

    def _region_outputs(self, iteration):
        """The final values of an iteration as operands, and whether the loop continues."""
        outputs = []
        with self.recorder.reopened(iteration.region):
            for location, abstract in self.carried_values.items():
                if iteration.raised:
                    outputs += [
                        self.recorder.record(find("unreachable"), (), {"type": type})[0]
                        for type in abstract.types()
                    ]
                    self.lines["body"] += [None] * len(abstract.types())
                    continue
                line = line_at_end(location, self.codes)
                outputs += self._operands(abstract, iteration.value(location), "body", line)
            if isinstance(iteration.more, Tensor):
                return outputs, staged(iteration.more)._value
        return outputs, bool(iteration.more)

    def _operands(self, abstract, value, region, line):
        """A value as operands at the start of the loop or the end of an iteration."""
        with self.recorder.at_line(line):
            operands = DOMAIN.operands(abstract, value)
        self.lines[region] += lines_of_constants(operands, line)
        return operands

    def record(self, predicate, iteration, more, initial, outputs, hints):
        """Records the node; values that no iteration changes are captured instead of carried."""
        varies = [out is not given for out, given in zip(outputs, iteration.inputs, strict=True)]
        fixed = {
            given: start
            for given, start, moves in zip(iteration.inputs, initial, varies, strict=True)
            if not moves
        }
        iteration.region.inputs = _selected(iteration.inputs, varies)
        iteration.region.outputs = [more, *_selected(outputs, varies)]
        substitute(iteration.region, fixed)
        recorded = self.recorder.record(
            find("loop"),
            (staged(predicate)._value, *_selected(initial, varies)),
            self.options,
            {"body": iteration.region},
            _selected(hints, varies),
        )
        self.recorder.region.nodes[-1].bindings = tuple(
            binding
            for region, lines in self.lines.items()
            for binding in bindings(recorded, region, _selected(lines, varies))
        )
        results = iter(recorded)
        return [
            next(results) if moves else start for moves, start in zip(varies, initial, strict=True)
        ]


class LoopMemory:
    """What a loop carries, and the loops in its body, as the last recording has found.

    The next recording begins with it: types only widen from one recording to the next.  So nested
    loops are not recorded twice on each level.
    """

    def __init__(self) -> None:
        self.carried: dict[MutableLocation, AbstractValue] = {}
        self._inner: dict[tuple, LoopMemory] = {}
        self._met: Counter[CodeType | None] = Counter()  # in the recording that is under way

    def begin(self) -> None:
        """Begins another recording of the body."""
        self._met.clear()

    def of_inner(self, code: CodeType | None) -> "LoopMemory":
        """The memory of the next loop in the body, which has this code."""
        self._met[code] += 1
        return self._inner.setdefault((code, self._met[code]), LoopMemory())


class OpenLoops(list[Loop]):
    """The loops whose bodies are being recorded, innermost last."""


def join_known(known: AbstractValue, wider: AbstractValue) -> AbstractValue:
    """The join of two abstract values, of which the second may have another structure."""
    return wider if known.structure != wider.structure else DOMAIN.join(known, wider)


def _selected(items, chosen):
    return [item for item, take in zip(items, chosen, strict=True) if take]
