"""How control and values pass between a node and its regions.

    y = cond(p, then=then, orelse=orelse)      each region runs at most once, by the predicate p;
                                               its outputs become the results
    x = loop(p, x_0, body=body)                the body runs any number of times; x_0 enters it,
                                               its outputs enter the next iteration, or become x

The record of an op with regions has a `ControlFlow`, which says this for each region.  Analyses and
passes ask it, and name no op: a new control-flow op brings its record along, and they work on it.
The model is MLIR's RegionBranchOpInterface.

Operands, outputs and results that belong together are next to each other, so a place (counted from
0) is enough: with `inputs=1`, the operands from the second one on are the inputs of the region.
Everything between regions of other kinds is up to the op: an opaque one (a function that calls
itself, a function that is mapped over rows) has results of which only the types are known.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

# How often a run of the node runs a region: the least and the largest number, None for any.
NEVER = (0, 0)
ONCE = (1, 1)
AT_MOST_ONCE = (0, 1)
ANY_NUMBER = (0, None)


@dataclass(frozen=True)
class RegionFlow:
    """How one region of an op is entered and left.

    runs         how often a run of the node runs it: at least, and at most
    when         the truth of the predicate with which it runs first; None if it always does
    inputs       the first of the operands that are the inputs of the region, up to the last
                 operand; None if none is
    results      the first output that becomes a result of the node; None if none does
    carried      the first output that is an input of the next iteration; None if none is
    condition    the output that says whether there is a next iteration; None without one
    """

    runs: tuple[int, int | None] = ONCE
    when: bool | None = None
    inputs: int | None = None
    results: int | None = None
    carried: int | None = None
    condition: int | None = None

    @property
    def repeats(self) -> bool:
        """Whether a run of the node may run the region more than once."""
        return self.runs[1] is None or self.runs[1] > 1

    @property
    def is_run(self) -> bool:
        """Whether a run of the node ever runs the region: rules for gradients are never run."""
        return self.runs[1] != 0


class Carried(NamedTuple):
    """A variable of a loop: its value before the first iteration, at the start of an iteration, at
    the end of it, and after the last one."""

    start: Any
    given: Any
    end: Any
    result: Any


@dataclass(frozen=True)
class ControlFlow:
    """How control passes through a node with regions.

    regions      the flow of each region, by its name
    predicate    the operand that decides whether, or which, region runs first
    bypass       the first operand that is a result as it is if no region runs
    recursive    whether a region may call itself from inside, with other inputs
    """

    regions: Mapping[str, RegionFlow]
    predicate: int | None = None
    bypass: int | None = None
    recursive: bool = False

    # -- kinds of ops ------------------------------------------------------------------------------

    @cached_property
    def loop(self) -> tuple[str, RegionFlow] | None:
        """The name and the flow of the region that runs on its own outputs, None without one."""
        found = [(n, flow) for n, flow in self.regions.items() if flow.carried is not None]
        return found[0] if found else None

    @cached_property
    def is_choice(self) -> bool:
        """Whether the only operand, a predicate, chooses one of two regions without inputs, whose
        outputs are the results."""
        sides = {RegionFlow(AT_MOST_ONCE, when=truth, results=0) for truth in (True, False)}
        return self.predicate == 0 and set(self.regions.values()) == sides

    @cached_property
    def is_opaque(self) -> bool:
        """Whether results depend on the regions in a way that the record does not tell."""
        flows = [flow for flow in self.regions.values() if flow.is_run]
        return self.recursive or any(flow.results is None for flow in flows)

    @cached_property
    def runs_once(self) -> bool:
        """Whether there is one region, which runs exactly once."""
        return not self.is_opaque and [flow.runs for flow in self.regions.values()] == [ONCE]

    @cached_property
    def has_removable_results(self) -> bool:
        """Whether a node may have fewer results, and its regions fewer outputs."""
        flows = self.regions.values()
        starts = {flow.inputs for flow in flows if flow.carried is not None}
        return (
            not self.is_opaque
            and all(flow.results is not None for flow in flows)
            and all(flow.carried in (None, flow.results) for flow in flows)
            and (self.bypass is None or self.bypass in starts)
        )

    # -- one node ----------------------------------------------------------------------------------

    def entering(self, node: Any, name: str) -> tuple[Any, ...]:
        """The operands that are the inputs of a region when it first runs."""
        place = self.regions[name].inputs
        return () if place is None else node.inputs[place:]

    def leaving(self, node: Any, name: str) -> list[Any]:
        """The outputs of a region that may become the results of the node, one for each."""
        place = self.regions[name].results
        return [] if place is None else node.regions[name].outputs[place:]

    def result_sources(self, node: Any, place: int) -> list[Any]:
        """The values that may be a result: outputs of regions, and operands that bypass them.

        For a recursive op, these are all operands and all outputs.
        """
        if self.recursive:
            return [*node.inputs, *(o for r in node.regions.values() for o in r.outputs)]
        sources = [
            self.leaving(node, name)[place]
            for name, flow in self.regions.items()
            if flow.is_run and flow.results is not None
        ]
        return sources if self.bypass is None else [node.inputs[self.bypass + place], *sources]

    def input_sources(self, node: Any, name: str, place: int) -> list[Any]:
        """The values that may be an input of a region: an operand, an output of an iteration."""
        flow, sources = self.regions[name], []
        if flow.inputs is not None:
            sources.append(self.entering(node, name)[place])
        if flow.carried is not None:
            sources.append(node.regions[name].outputs[flow.carried + place])
        return sources

    def carried(self, node: Any) -> list[Carried]:
        """The variables of a loop; none where no region runs on its own outputs."""
        if self.loop is None:
            return []
        name, flow = self.loop
        body = node.regions[name]
        starts, ends = self.entering(node, name), body.outputs[flow.carried :]
        columns = zip(starts, body.inputs, ends, node.outputs, strict=True)
        return [Carried(*column) for column in columns]

    def conditions(self, node: Any) -> list[Any]:
        """The operands and outputs that decide which regions run: predicate, loop conditions."""
        found = [] if self.predicate is None else [node.inputs[self.predicate]]
        for name, flow in self.regions.items():
            if flow.condition is not None:
                found.append(node.regions[name].outputs[flow.condition])
        return found

    def chosen(self, node: Any, truth: bool) -> Any:
        """The region of a choice that runs if the predicate is true, or if it is false."""
        return next(node.regions[n] for n, flow in self.regions.items() if flow.when is truth)


def control_flow_of(node: Any) -> ControlFlow | None:
    """How control passes through the regions of a node, None for a node without regions."""
    return node.op.control_flow if node.regions else None


def carried(node: Any) -> list[Carried]:
    """The variables of a loop; none for other nodes."""
    flow = control_flow_of(node)
    return [] if flow is None else flow.carried(node)


def body_of(loop: Any) -> Any:
    """The region of a loop that runs on its own outputs."""
    return loop.regions[loop.op.control_flow.loop[0]]


def is_loop(node: Any) -> bool:
    """Whether a region of a node runs on its own outputs."""
    flow = control_flow_of(node)
    return flow is not None and flow.loop is not None


def is_repeated(node: Any) -> bool:
    """Whether a region of a node may run any number of times: a loop, or by calling itself."""
    flow = control_flow_of(node)
    return flow is not None and (flow.recursive or flow.loop is not None)


def is_choice(node: Any) -> bool:
    """Whether a node runs one of two regions, by a predicate."""
    flow = control_flow_of(node)
    return flow is not None and flow.is_choice


def keep_results(node: Any, places: list[int]) -> None:
    """Removes all results of a node but some, and the variables and outputs for the others."""
    flow = node.op.control_flow
    for name, part in flow.regions.items():
        region = node.regions[name]
        if part.carried is not None:
            inputs = node.inputs[: part.inputs]
            node.inputs = (*inputs, *(node.inputs[part.inputs + i] for i in places))
            region.inputs = [region.inputs[i] for i in places]
        outputs = region.outputs[: part.results]
        region.outputs = [*outputs, *(region.outputs[part.results + i] for i in places)]
    node.outputs = tuple(node.outputs[i] for i in places)
