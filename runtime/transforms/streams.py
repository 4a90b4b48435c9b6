"""Random generators that a transformed function draws from.

    rt.jvp(f, ...)      f draws from the generators as without the transformation
    rt.vmap(f)(xs)      element i draws from a generator of its own: the one that `rng.split(n)[i]`
                        would return.  The whole batch counts as one call of the generator, as
                        `split` does

So the elements of a batch have independent streams, whichever branches they take and however many
numbers they draw, and the results are those of a loop over the elements and the split generators.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.ir.graph import Graph, Operand, Value, substitute
from runtime.ir.op import find
from runtime.ir.traits import Effect
from runtime.state.random_streams import RandomStreams
from runtime.tracing import trace
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.tensor import Tensor, apply


@dataclass(frozen=True)
class Stream:
    """The state of a generator in a transformed function: its handle, and its values before and
    after the function."""

    handle: Tensor
    start: Value
    end: Operand

    def write(self, state: Tensor) -> None:
        """Gives the generator another state, where the transformed function is called."""
        self.handle._assign(state)


class StreamsBefore:
    """The states of all generators before a function is traced."""

    def __init__(self) -> None:
        handles = trace.current().state(RandomStreams).handles
        self._before = {place: handle._at for place, handle in handles.items()}

    def drawn_from(self, region: Graph) -> tuple[Stream, ...]:
        """The generators that the function in a region draws from; their states are restored."""
        recorder, found = trace.current(), []
        inputs = recorder.state(ArrayInputs).of_graph
        for place, handle in recorder.state(RandomStreams).handles.items():
            input = inputs[place][1]
            before = self._before.get(place, (input, recorder.graph))
            if handle._at[0] is not before[0]:
                found.append(Stream(handle, before[0], handle._value))
                handle._at = before
                _remove_reports(region, input)
        return tuple(found)


def _remove_reports(region, input):
    """Removes the nodes that report the states inside of the function to the caller."""
    region.nodes = [
        node
        for node in region.nodes
        if node.op.effect is not Effect.REPORT or node.inputs[0] is not input
    ]
    for node in region.nodes:
        for inner in node.regions.values():
            _remove_reports(inner, input)


def spread(streams: Sequence[Stream], region: Graph, size: Operand) -> list[Value]:
    """The states of the streams for all elements of a batch, of which the region takes one."""
    rows = []
    count = size if isinstance(size, Value) else int(size)
    for stream in streams:
        own = Value(stream.start.type, "random_state")
        substitute(region, {stream.start: own})
        region.inputs.append(own)
        state = stream.handle.snapshot()
        operands = [count] if isinstance(count, Value) else []
        given = [Tensor(one, trace.current().region) for one in operands]
        known = None if isinstance(count, Value) else count
        rows.append(apply(find("split_state"), state, *given, count=known)._value)
        stream.write(apply(find("advanced"), state))
    return rows
