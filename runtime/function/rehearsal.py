"""A run without its effects, which finds out whether a handler would catch an exception of it.

    print("start", x)                    rehearsal:  raises ValueError, or nothing
    try:                                 then the run, with its effects, if nothing was raised;
        if x < 0:                        the Python function if ValueError was
            raise ValueError("neg")
    except ValueError:
        x = 0

A graph has no handlers, so the Python function computes the call in which one would catch an
exception.  If the run had printed before, Python would print again.  So functions with effects are
rehearsed: an effect whose results are not used does not decide whether the run raises.
"""

from typing import Any

import numpy as np

from runtime.ir.graph import Graph, copy, walk
from runtime.ir.traits import Effect
from runtime.staging.calls.undeclared_errors import UndeclaredErrors
from runtime.staging.control_flow.try_blocks import HandledErrors
from runtime.tracing.trace import Trace

OUTSIDE = (Effect.EXTERNAL, Effect.REPORT)


def left_to_python(
    recorder: Trace, has_effects: bool, repeats: bool
) -> tuple[tuple[type[Exception], ...], Graph | None]:
    """The exceptions for which a run of a graph that has been recorded is left to Python, and the
    graph without effects where it is run first.  `repeats`: recording has had no effect.

    Raises `StagingError` for an exception that an operation declares, if it is not possible.
    """
    errors = recorder.state(HandledErrors)
    undeclared = recorder.state(UndeclaredErrors).keep(recorder)
    found = (*errors.keep(recorder, has_effects), *undeclared)
    if not found or not has_effects:
        return found, None
    made = rehearsal(recorder.graph) if repeats else None
    if made is None:
        errors.refuse()
        return (), None
    return found, made


def rehearsal(graph: Graph) -> Graph | None:
    """The graph without effects and results; None if computations use the results of effects."""
    nodes = list(walk(graph))
    used = {value for node in nodes for value in (*node.inputs, *_results_of_regions(node))}
    for node in nodes:
        is_used = not used.isdisjoint(node.outputs)
        if node.op.effect is Effect.CALL or (node.op.effect in OUTSIDE and is_used):
            return None
    made = copy(graph)
    made.outputs = []
    _remove_effects(made)
    return made


def _results_of_regions(node):
    return [value for region in node.regions.values() for value in region.outputs]


def _remove_effects(graph):
    graph.nodes[:] = [node for node in graph.nodes if node.op.effect not in OUTSIDE]
    for node in graph.nodes:
        for region in node.regions.values():
            _remove_effects(region)


def quiet() -> Any:
    """While it is open, NumPy does not report floating-point errors: the run reports them."""
    raised = {kind: how for kind, how in np.geterr().items() if how == "raise"}
    return np.errstate(**{**dict.fromkeys(np.geterr(), "ignore"), **raised})
