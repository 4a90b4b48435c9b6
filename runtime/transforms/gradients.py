"""Gradients of functions: `grad`, `value_and_grad`, `vjp`, `jacobian`, `hessian`.

    @rt.grad
    def slope(x):               slope(3.0) is 27.0
        return x * x * x

They are functions whose graph is that of the function, and behind it the same backwards; so they may
be called within other functions, differentiated, and saved like those.  Any control flow may be in
them.  A gradient has the structure, types, dtypes and shapes of what it is a gradient by.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import trace
from runtime.errors import staging_error
from runtime.function import Function, transformed
from runtime.ir import Value
from runtime.structure import Structure, flatten, unflatten
from runtime.tensor import Tensor, apply, operand, staged
from runtime.op import find
from runtime.transforms.activity import Activity, is_differentiable
from runtime.transforms.cotangents import Cotangents, exactly
from runtime.transforms.reverse import Reverse, Stretch, seed
from runtime.transforms.transform import Transform


def grad(fn: Callable, argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Function:
    """The function that gives the gradient of `fn`, whose result is one real number.

    `argnums`: the places of the arguments to differentiate by; several give a tuple of gradients.
    Each may be a number, an array, or lists, tuples and dicts of them; the gradient is like it.
    Floats of Python's are staged, so other values need no other graph.  With `has_aux`, `fn` returns
    a pair of that number and anything else, and so does the gradient.

    Raises `TypeError` for what has no derivatives: integers, results that are no single real number.

    >>> grad(lambda x: x * x * x)(3.0)
    27.0
    """
    def gradient(recording):
        (_, aux), gradients = recording
        return (gradients, aux) if has_aux else gradients

    return _differentiated(fn, argnums, has_aux, gradient)


def value_and_grad(
    fn: Callable, argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Function:
    """The function that gives what `fn` gives and its gradient, as a pair; see `grad`.

    With `has_aux`, the first of the pair is the pair that `fn` returns.

    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    def both(recording):
        (value, aux), gradients = recording
        return ((value, aux) if has_aux else value), gradients

    return _differentiated(fn, argnums, has_aux, both)


def _differentiated(fn, argnums, has_aux, chosen):
    places = _places(argnums)

    def apply_to(entered):
        def differentiated(*args, **kwargs):
            watched = Watched(places, args)
            found = entered(*watched.args, **kwargs)
            value, aux = found if has_aux else (found, None)
            watched.hand_back()
            total = _one_number(value, fn)
            gradients = watched.pulled_back([(total, seed(total._value))])
            gradients = gradients[0] if isinstance(argnums, int) else tuple(gradients)
            return chosen(((value, aux), gradients))

        return differentiated

    return transformed(fn, Transform(apply_to, places))


def _places(argnums):
    places = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    if not all(isinstance(place, int) and place >= 0 for place in places):
        raise TypeError(f"argnums are places of arguments, counted from 0, not {argnums!r}")
    return places


def _one_number(value, fn):
    """The result of a function that is to be differentiated."""
    total = staged(value)
    if isinstance(total._value, Value) and total.type.shape == () and total.dtype.kind == "f":
        return total
    if not isinstance(total._value, Value) and isinstance(total._value, float):
        return total
    name = getattr(fn, "__name__", "the function")
    raise staging_error(
        f"the gradient of {name} is asked for, which gives {total.type}",
        "A gradient is that of one real number.",
        "Sum it up (np.sum, np.mean), or use rt.jacobian for arrays.",
    )


class Watched:
    """Arguments of a call by which something is differentiated.

    They stand under names of their own, so that the same array in another argument, or in a variable
    that the function reads, is a constant.
    """

    def __init__(self, places: Sequence[int], args: Sequence[Any]):
        self.recorder = trace.current()
        self._first = len(self.recorder.region.nodes)
        self._leaves: list[list[Tensor]] = []
        self._structures: list[Structure] = []
        self._originals: list[tuple[Any, Tensor]] = []
        self.args = list(args)
        for place in places:
            if place >= len(args):
                raise TypeError(
                    f"argument {place} is differentiated by, but there are {len(args)} arguments; "
                    "those differentiated by are given by position"
                )
            leaves, structure = flatten(args[place])
            self._structures.append(structure)
            self._leaves.append([self._watch(leaf, place) for leaf in leaves])
            self.args[place] = unflatten(structure, self._leaves[-1])
        self._sources = [[leaf._value for leaf in leaves] for leaves in self._leaves]

    def _watch(self, leaf, place):
        tensor = watchable(leaf, f"argument {place}")
        watched = Tensor(operand(apply(find("alias"), tensor), self.recorder), self.recorder.region)
        self._originals.append((leaf, watched))
        return watched

    def hand_back(self) -> None:
        """Lets the caller's arrays hold what the function has written into them."""
        for leaf, watched in self._originals:
            if watched._at is not watched._origin and isinstance(leaf, Tensor):
                leaf._assign(watched)

    def pulled_back(self, results: list[tuple[Tensor, Any]]) -> list[Any]:
        """For each argument the cotangents, from pairs of a result and its cotangent."""
        region = self.recorder.region
        stretch = Stretch(region, region.nodes[self._first :])
        sources = [value for values in self._sources for value in values]
        found = iter(pull_back(self.recorder, [stretch], results, sources, zeros=True))
        return [
            unflatten(structure, [next(found) for _ in values])
            for structure, values in zip(self._structures, self._sources, strict=True)
        ]


def watchable(value: Any, name: str) -> Tensor:
    """A value by which one can differentiate, staged.  Raises `TypeError` for others."""
    tensor = value if isinstance(value, Tensor) else _staged(value, name)
    if is_differentiable(tensor.type):
        return tensor
    raise staging_error(
        f"{name} is {tensor.type}, and is differentiated by",
        "Derivatives are by floats and complex numbers.",
        "Pass a float: 3.0 for 3, x.astype(float) for an array.",
    )


def _staged(value, name):
    if isinstance(value, (bool, int, float, complex, np.ndarray, np.generic)):
        return staged(value)
    raise staging_error(
        f"{name} is differentiated by, and holds {value!r}",
        "Derivatives are by numbers, arrays, and lists, tuples and dicts of them.",
        "Pass the arrays of the object, or use rt.GradientTape, which watches its variables.",
    )


def pull_back(
    recorder: trace.Trace,
    stretches: list[Stretch],
    results: list[tuple[Tensor, Any]],
    sources: list[Value],
    zeros: bool,
) -> list[Any]:
    """The cotangents of some sources, from pairs of a result and its cotangent.

    Where a result does not depend on a source, its cotangent is zero, or None without `zeros`.
    """
    active = Activity(sources)
    for stretch in stretches:
        active.visit(stretch.nodes)
    reverse = Reverse(recorder, active, Cotangents(recorder))
    for result, cotangent in results:
        if result._value in active:
            reverse.cotangents.add(result._value, cotangent)
            reverse.note_one(result._value, cotangent)
    reverse.walk(stretches)
    known = reverse.cotangents
    return [known.of_or_zero(source) if zeros else known.of(source) for source in sources]
