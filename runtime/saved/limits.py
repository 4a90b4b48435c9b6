"""Limits of a loader: how large the parts of a saved program may be."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The limits that `rt.load` holds a file to, before it allocates or computes anything.

    `file_bytes`: the whole file; `text_bytes`: the manifest, and all graphs; `tokens`: the words,
    numbers and signs of all graphs, of which each takes up to a kilobyte while it is read; `nodes`:
    the operations of all graphs, which take about seven kilobytes each;
    `nesting`: regions inside regions, and containers inside containers;
    `elements`: of an array that a graph states, and of the numbers that an operation is given;
    `text_length`: a string in a graph, and the widths in a format.

    `example_elements` and `example_work`: the types of some functions of NumPy are found by calling
    them with examples of the sizes that the graph states (`np.linalg.inv`, `np.median`): the
    elements of each example with its results, and the steps of all together.

    `steps` and `seconds` hold for each call of a loaded function: the iterations of all its loops
    and its recursive calls together, and the time, which is compared at each step; None, the
    default, for any number.  A run beyond them raises `RunLimitError`.  They cost time in each
    iteration, and keep loops out of machine code.
    """

    file_bytes: int = 4 * 2**30
    text_bytes: int = 16 * 2**20
    tokens: int = 2_000_000
    nodes: int = 200_000
    nesting: int = 50
    elements: int = 2**28
    text_length: int = 100_000
    example_elements: int = 2**24
    example_work: int = 2**36
    steps: int | None = None
    seconds: float | None = None


DEFAULT = Limits()


class OverLimit(ValueError):
    """A part of a saved program is larger than a limit."""
