"""The optimiser: passes over graphs, run by the same driver as the transpiler's.

    dead_code       what nobody uses goes, but for effects
    repetition      what has been computed already is not computed again
    constants       what is known beforehand is computed beforehand

Each pass is a function that changes a graph in place and returns it.
"""

from autograph import pipeline
from autograph.pipeline import Pass
from runtime.ir import Graph, verify
from runtime.passes.constants import fold_constants
from runtime.passes.dead_code import remove_dead_code
from runtime.passes.repetition import remove_repetition

PIPELINE = (
    Pass("constants", fold_constants, "first: what it folds need not be looked at by the others"),
    Pass("repetition", remove_repetition, "before dead code, which removes what it leaves unused"),
    Pass("dead_code", remove_dead_code, "last: the others leave values that nobody uses"),
)


def optimized(graph: Graph, passes=PIPELINE, after=None) -> Graph:
    """Sends a graph through the passes; it is changed in place and verified behind each of them."""
    return pipeline.run(passes, graph, None, after, check=verify)
