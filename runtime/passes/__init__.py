"""The optimiser: passes over graphs, run by the same driver as the transpiler's.

    strip_autodiff_markers    removes nodes that only mark values for gradients
    constant_folding          computes operations on constants
    algebra                   x * 1 is x: rules, as text, that preserve every bit
    shapes                    known sizes become constants; one transposition instead of two
    redundant_stores          removes stores of elements that are there already
    loop_state                removes loop-carried variables that need not be carried
    branch_simplification     inlines known branches; replaces flags by the predicates they copy
    common_subexpressions     computes equal operations once
    loop_invariant_motion     computes invariant operations before a loop
    dead_code                 removes unused nodes without effects

Each pass is a function that changes a graph in place and returns it.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from autograph import pipeline
from autograph.pipeline import Constraint, Pass, ordered
from runtime.ir.graph import Graph, verify, walk
from runtime.ir.op import records
from runtime.passes.algebra import simplify_algebra
from runtime.passes.branch_simplification import simplify_branches
from runtime.passes.common_subexpressions import eliminate_common_subexpressions
from runtime.passes.constant_folding import fold_constants
from runtime.passes.dead_code import remove_dead_code
from runtime.passes.loop_invariant_motion import move_loop_invariants
from runtime.passes.loop_state import reduce_loop_state
from runtime.passes.redundant_stores import eliminate_redundant_stores
from runtime.passes.shapes import simplify_shapes
from runtime.passes.strip_autodiff_markers import strip_autodiff_markers

MARKERS = tuple(op.name for op in records() if op.traits.marker)

PASSES = (
    Pass(
        "strip_autodiff_markers",
        strip_autodiff_markers,
        removes=(*MARKERS, "checkpoint"),
    ),
    Pass("constant_folding", fold_constants),
    Pass("algebra", simplify_algebra),
    Pass("shapes", simplify_shapes),
    Pass("redundant_stores", eliminate_redundant_stores),
    Pass("loop_state", reduce_loop_state),
    Pass("branch_simplification", simplify_branches),
    Pass("common_subexpressions", eliminate_common_subexpressions),
    Pass("loop_invariant_motion", move_loop_invariants),
    Pass("dead_code", remove_dead_code),
)

ORDER = (
    *(
        Constraint("strip_autodiff_markers", step.name, "a marker hides the node that it marks")
        for step in PASSES[1:]
    ),
    Constraint("constant_folding", "algebra", "rules match scalars that are known"),
    Constraint("constant_folding", "shapes", "sizes that are computed become known"),
    Constraint("constant_folding", "branch_simplification", "a predicate that is known decides"),
    Constraint("algebra", "shapes", "a cast that changes nothing hides an array"),
    Constraint("algebra", "redundant_stores", "a cast that changes nothing hides what was read"),
    Constraint(
        "redundant_stores", "loop_state", "a variable that a store leaves alone is constant"
    ),
    Constraint("loop_state", "branch_simplification", "a variable that keeps its value may decide"),
    Constraint(
        "branch_simplification", "common_subexpressions", "branches that were merged share more"
    ),
    Constraint(
        "common_subexpressions", "loop_invariant_motion", "equal operations are moved only once"
    ),
    *(
        Constraint(step.name, "dead_code", "it leaves nodes that are not used any more")
        for step in PASSES[1:-1]
    ),
)

PIPELINE = ordered(PASSES, ORDER)


def optimized(
    graph: Graph,
    passes: Iterable[Pass] = PIPELINE,
    after: Callable[[str, Graph], None] | None = None,
) -> Graph:
    """Sends a graph through the passes; it is changed in place and verified (see `pipeline.run`).

    Raises `InvalidGraph` or `BrokenContract` if a pass is faulty.
    """
    check = partial(verify, known={})
    pipeline.run(passes, graph, None, after, check, _remainder)
    return graph


def _remainder(graph: Graph, context: Any, names: frozenset[str]) -> str | None:
    """Describes a node of an op that was removed; None if there is none."""
    for node in walk(graph):
        if node.op.name in names:
            return f"a node of {node.op.name} ({node.location or 'no location'}) remains"
    return None
