"""Transformations of functions: grad, jvp and vmap.

    rt.grad(f)      a function whose graph is that of f, differentiated while it is traced

A transformation takes a function that can be called while a graph is traced, and returns another
one.  So transformations compose: each sees the operations that the one inside it has traced.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from runtime.ir.types import PYTHON_TYPES
from runtime.tracing.signature import Constant, Signature


@dataclass(frozen=True)
class Transform:
    """`apply` takes a function and returns another one; both are called while a graph is traced.

    Python floats among the arguments at the positions `staged` are staged: the graph is valid for
    all of them, not for one value.  It sees the defaults of the first `passed_defaults`
    parameters only (None: of all).  Transformations with the same `key` are equal; None for one
    that equals no other.  `made_by` is the public function that makes the transformed function, and
    its arguments after the function.
    """

    apply: Callable[[Callable], Callable]
    staged: tuple[int, ...] = ()
    key: Any = None
    made_by: tuple[Callable, tuple] | None = None
    applied: tuple[str, ...] = ()
    passed_defaults: int | None = None

    def __call__(self, entered: Callable) -> Callable:
        return self.apply(entered)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the transformations that are applied, the outer ones first."""
        if self.applied or self.made_by is None:
            known = isinstance(self.key, tuple) and isinstance(self.key[0], str)
            return self.applied or ((self.key[0],) if known else ())
        return (self.made_by[0].__name__,)

    def after(self, inner: "Transform | None") -> "Transform":
        """This transformation applied after another one."""
        if inner is None:
            return self
        return Transform(
            lambda entered: self.apply(inner.apply(entered)),
            (*self.staged, *inner.staged),
            applied=(*self.names, *inner.names),
            passed_defaults=self.passed_defaults,
        )

    def staging(self, signature: Signature) -> Signature:
        """The signature with the floats at the positions `staged` staged."""
        positions = [
            position
            for position, child in enumerate(signature.structure.children)
            for _ in range(_leaves(child))
        ]
        keys = (
            _staged(key) if position in self.staged else key
            for position, key in zip(positions, signature.keys, strict=True)
        )
        return Signature(signature.structure, tuple(keys))


AS_IT_IS = Transform(lambda entered: entered, key="as it is")


def _leaves(structure):
    return 1 if structure.kind is None else sum(map(_leaves, structure.children))


def _staged(key: Any):
    is_float = isinstance(key, Constant) and key.kind in (float, complex)
    return PYTHON_TYPES[key.kind] if is_float else key
