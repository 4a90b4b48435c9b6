"""Directives about lists and loops.

z = []
autograph.set_element_type(z, np.float32)        the type of a staged list's elements
for i in range(n):
    autograph.set_loop_options(max_iterations=100)
    z.append(f(i))
return autograph.stack(z)                        a staged list as an array
"""

from typing import Any

from autograph import backend
from autograph.backend import backend_of


def set_element_type(items: list[Any], dtype: Any, shape: tuple[Any, ...] | None = None) -> None:
    """Sets the dtype (and shape) of the elements of a list, staged or plain.

    Elements of other dtypes are joined with it by NumPy's rules when the list is stacked.  Not
    needed if an element is appended before the list is used.
    """
    backend_of(items).set_element_type(items, dtype, shape)


def stack(items: list[Any]) -> Any:
    """A list or tuple as an array with a new first axis, staged if the list is; other objects
    unchanged.

    Raises `ValueError` for elements of different shapes, and for an empty list whose type is not
    set.  Without `runtime`, lists are returned unchanged.
    """
    return backend_of(items).stack(items)


def set_loop_options(
    *,
    max_iterations: int | None = None,
    unroll: bool | int | None = None,
    maximum_iterations: int | None = None,
) -> None:
    """Sets options of the loop in whose body it is called, in case the loop becomes staged.

    `max_iterations` is an upper bound for the number of iterations; a run that exceeds it
    raises `RuntimeError`.  `maximum_iterations`, as TensorFlow calls it, is the same option.

    `unroll` is about loops whose iterations are known while a graph is recorded, such as
    `for i in range(100)`.  True: each iteration is recorded.  False: the body is recorded once, as
    a staged loop; `StagingError` if that is not possible.  A number: the staged loop makes that
    many of them in one iteration, and the remainder before it; only in loops without `break`
    and `return`.  By default, the graph decides.  Raises `ValueError` for other values.
    """
    if unroll is not None and type(unroll) is not bool and (type(unroll) is not int or unroll < 1):
        raise ValueError(f"unroll is {unroll!r}; it is True, False, or a positive int")
    if None not in (max_iterations, maximum_iterations):
        raise TypeError("max_iterations and maximum_iterations are one option: pass one of them")
    if backend.may_be_staging:
        most = maximum_iterations if max_iterations is None else max_iterations
        backend.active().set_loop_options(max_iterations=most, unroll=unroll)
