"""Results that are views of arrays.

r = x[0]
r *= 2                  r has the value that was written, which is an array of its own in a run
return r                the run returns getitem(setitem(x, ...)): a view of x, as in Python
"""

from runtime.tracing.aliases import is_view
from runtime.tracing.tensor import Tensor


def in_memory_of_base(handle: Tensor) -> Tensor:
    """A handle of the value of a view that a run computes from the base of the view.

    Returns the handle itself if it is no view, or if its value is computed so already.
    """
    views = []
    while is_view(handle):
        views.append(handle)
        handle = handle.sources[0]
    for view in reversed(views):
        if view.is_computed and handle is view.sources[0]:
            handle = view
        else:
            handle = Tensor(*view.recipe.applied(handle))
    return handle
