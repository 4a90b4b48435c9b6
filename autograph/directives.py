"""What a user may say about lists and loops; on plain values it means nothing.

z = []
autograph.set_element_type(z, np.float32)        what a staged list will hold
for i in range(n):
    autograph.set_loop_options(maximum_iterations=100)
    z.append(f(i))
return autograph.stack(z)                        a staged list as an array
"""

from autograph import backend
from autograph.backend import backend_of


def set_element_type(items: list, dtype, shape: tuple | None = None) -> None:
    """Says which dtype (and shape) the elements of a list have, should the list become staged.

    Not needed where an element is appended before anybody asks.
    """
    backend_of(items).set_element_type(items, dtype, shape)


def stack(items: list):
    """A staged list as an array with a new first axis; a plain list unchanged."""
    return backend_of(items).stack(items)


def set_loop_options(*, maximum_iterations: int | None = None) -> None:
    """Says something about the loop in whose body it is called, should the loop become staged.

    `maximum_iterations` promises that the loop makes no more turns than that; a run that makes more
    raises `RuntimeError`.
    """
    if backend.may_be_staging:
        backend.active().set_loop_options(maximum_iterations=maximum_iterations)
