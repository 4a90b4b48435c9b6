"""What a transformation of functions is: grad, jvp, vmap make one function of another.

    rt.grad(f)      a function whose graph is that of f, differentiated while it is recorded

A transformation gets a function that can be called while a graph is recorded, and gives another
one.  So transformations of transformed functions need nothing of their own: each sees what the one
inside it has recorded.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from runtime.ir.types import PYTHON_TYPES
from runtime.tracing.signature import Constant, Signature


@dataclass(frozen=True)
class Transform:
    """`apply` makes one function of another, both called while a graph is recorded.

    Floats of Python's among the arguments at the places `staged` are staged: the graph is for all
    of them, not for one value.  Transformations with one `key` do the same; None for one that is
    like no other.
    """

    apply: Callable[[Callable], Callable]
    staged: tuple[int, ...] = ()
    key: Any = None

    def __call__(self, entered: Callable) -> Callable:
        return self.apply(entered)

    def after(self, inner: "Transform | None") -> "Transform":
        """This transformation of what another one makes."""
        if inner is None:
            return self
        return Transform(
            lambda entered: self.apply(inner.apply(entered)), (*self.staged, *inner.staged)
        )

    def staging(self, signature: Signature) -> Signature:
        """A signature in which the floats that are to be staged are."""
        places = [
            place
            for place, child in enumerate(signature.structure.children)
            for _ in range(_leaves(child))
        ]
        keys = (
            _staged(key) if place in self.staged else key
            for place, key in zip(places, signature.keys, strict=True)
        )
        return Signature(signature.structure, tuple(keys))


AS_IT_IS = Transform(lambda entered: entered, key="as it is")


def _leaves(structure):
    return 1 if structure.kind is None else sum(map(_leaves, structure.children))


def _staged(key: Any):
    is_float = isinstance(key, Constant) and key.kind in (float, complex)
    return PYTHON_TYPES[key.kind] if is_float else key
