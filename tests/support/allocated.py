"""How much memory some calls leave allocated, in blocks or in bytes, and the most at once."""

import gc
import sys
import tracemalloc


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


def bytes_left_by(calls):
    """The smallest growth of three runs of `calls()`, in bytes that Python and NumPy allocated.

    Only memory counts that was allocated while a function of the file of `calls` was running: a
    thread of the process may allocate at any time.
    """
    here = [tracemalloc.Filter(True, calls.__code__.co_filename, all_frames=True)]

    def held():
        gc.collect()
        return sum(trace.size for trace in tracemalloc.take_snapshot().filter_traces(here).traces)

    tracemalloc.start(25)
    try:
        after = []
        for _ in range(4):
            calls()
            after.append(held())
    finally:
        tracemalloc.stop()
    return min(later - before for before, later in zip(after, after[1:], strict=False))


def peak_bytes_of(calls):
    """The smallest of three runs of `calls()`: the most bytes that were allocated at once in it.

    A run may also make machine code or try it beside the NumPy program, and other threads of the
    process allocate, too.
    """
    peaks = []
    for _ in range(3):
        gc.collect()
        tracemalloc.start()
        try:
            calls()
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    return min(peaks)
