"""What a traced function leaves behind: nothing staged may stay where a later call finds it."""

from collections.abc import Iterator
from contextlib import contextmanager

from autograph.errors import Place, message
from autograph.heap import Heap, Slot
from runtime.errors import StagingError
from runtime.staging.lists import TraceList
from runtime.structure import flatten
from runtime.tensor import Tensor


@contextmanager
def nothing_left_behind(function, arguments) -> Iterator[None]:
    """Raises `StagingError` where staged values are left in what the function can reach.

    Globals, attributes of objects, items of lists and dicts: they are put back to what they held.
    Arrays are no matter of this: what is written into them is written back by the call.
    """
    heap = Heap(roots=(function, arguments))
    try:
        yield
    except BaseException:
        for slot in filter(_is_left, heap.changes()):
            slot.write(slot.before)
        raise
    left = [slot for slot in heap.changes() if _is_left(slot)]
    if left:
        heap.restore()
        code = getattr(function, "__code__", None)
        raise StagingError(
            message(
                f"{left[0].path.lstrip('.')} is left with a staged value when the function is done",
                code and Place(code.co_filename, code.co_firstlineno, code.co_name),
                "It has no value outside of the graph, and no later call would change it.",
                "Return the value, and store it where the function is called.",
            )
        )


def _is_left(slot: Slot) -> bool:
    if isinstance(slot.container, Tensor):
        return False
    leaves, _ = flatten(slot.after)
    return any(isinstance(leaf, (Tensor, TraceList)) and _is_staged(leaf) for leaf in leaves)


def _is_staged(leaf):
    return not isinstance(leaf, TraceList) or leaf.value is not None
