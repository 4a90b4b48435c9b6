"""How many blocks of memory some calls leave allocated."""

import gc
import sys


def blocks_left_by(calls):
    """The smallest growth of three runs of `calls()`, in blocks of memory.

    Other threads of the process (the test runner's, the compiler's) allocate, too, but not in each
    run; calls that leave some allocated do so in each.
    """
    grown = []
    for _ in range(3):
        gc.collect()
        before = sys.getallocatedblocks()
        calls()
        gc.collect()
        grown.append(sys.getallocatedblocks() - before)
    return min(grown)
