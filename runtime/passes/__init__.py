"""The optimiser: passes over graphs, run by the same driver as the transpiler's.

    marks           what only gradients ask about goes
    constants       what is known beforehand is computed beforehand
    algebra         x * 1 is x: rules, as text, that keep every bit
    shapes          sizes that are known are numbers; one transposition instead of two
    branches        what is decided is done; what flags say is said by what they stand for
    loop_state      what turns need not hand on is not carried
    repetition      what has been computed already is not computed again
    motion          what is the same in every turn is computed in front of the loop
    dead_code       what nobody uses goes, but for effects

Each pass is a function that changes a graph in place and returns it.
"""

from functools import partial

from autograph import pipeline
from autograph.pipeline import Pass
from runtime.ir.graph import Graph, verify
from runtime.passes.algebra import apply_algebra
from runtime.passes.branch_simplification import decide_branches
from runtime.passes.common_subexpressions import remove_repetition
from runtime.passes.constant_folding import fold_constants
from runtime.passes.dead_code import remove_dead_code
from runtime.passes.loop_invariant_motion import move_out_of_loops
from runtime.passes.loop_state import reduce_loop_state
from runtime.passes.shapes import simplify_shapes
from runtime.passes.strip_autodiff_markers import remove_marks

PIPELINE = (
    Pass("marks", remove_marks, "first: they hide what values are from all others"),
    Pass(
        "constants",
        fold_constants,
        "before the others: what it folds need not be looked at by the others",
    ),
    Pass("algebra", apply_algebra, "behind constants: rules look for numbers"),
    Pass("shapes", simplify_shapes, "behind algebra, which removes casts that hide an array"),
    Pass("loop_state", reduce_loop_state, "before branches: what it finds may decide one"),
    Pass("branches", decide_branches, "before repetition: branches that become one share more"),
    Pass("repetition", remove_repetition, "before motion: what is computed twice moves once"),
    Pass("motion", move_out_of_loops, "before dead code, which removes what it leaves unused"),
    Pass("dead_code", remove_dead_code, "last: the others leave values that nobody uses"),
)


def optimized(graph: Graph, passes=PIPELINE, after=None) -> Graph:
    """Sends a graph through the passes; it is changed in place and verified behind each of them."""
    return pipeline.run(passes, graph, None, after, check=partial(verify, known={}))
