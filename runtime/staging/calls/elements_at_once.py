"""Elements that a graph takes at once, where Python takes one after the other.

    for total in itertools.accumulate(x, add):      the graph computes all sums first
        if total > 3:
            break

So taking an element must not have effects: neither those of a run nor changes of objects.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autograph.staging.heap_diff import HeapSnapshot
from runtime.errors import IterationError, staging_error
from runtime.ir.graph import Graph, walk
from runtime.ir.traits import Effect
from runtime.staging.calls.made_calls import MadeCalls
from runtime.staging.generators import started_of
from runtime.tracing import trace

SEEN = (Effect.EXTERNAL, Effect.CALL)


@contextmanager
def without_effects(told: str, *code: Any) -> Iterator[None]:
    """A block that takes elements earlier than Python: `code` are the functions and generators that
    compute them.  Raises `StagingError` about `told` if they have effects."""
    recorder = trace.current()
    region = recorder.region
    first, made = len(region.nodes), len(recorder.state(MadeCalls))
    heap = HeapSnapshot(roots=tuple(_roots(code)), with_memory=True)
    yield
    nodes = Graph("", [], region.nodes[first:])
    is_seen = any(node.op.effect in SEEN for node in walk(nodes))
    is_seen = is_seen or len(recorder.state(MadeCalls)) > made
    if is_seen or any(True for _ in heap.changes()) or any(True for _ in heap.rewritten()):
        raise staging_error(
            f"{told} has effects",
            "A graph takes all elements first, Python one after the other.",
            "Take the elements in a loop.",
            IterationError,
        )


def _roots(code):
    for one in code:
        started = started_of(one)
        if started is None:
            yield one
        else:
            yield started.function
            yield from _roots((*started.args, *started.kwargs.values()))
