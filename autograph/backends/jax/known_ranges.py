"""Long loops over a `range` that Python knows: a scan where nothing differs from unrolling.

    for i in range(1000):          scan: 1000 iterations, traced once
        w = w - 0.1 * slope(w)

Unrolled, `i` is an int of Python; in a scan it has 32 bits and no value.  So a loop is staged only

* if its code calls nothing that may answer in another way the next time (`repeatable.py`);
* if an iteration can be traced so, and leaves arrays alone, of the shapes and dtypes that they had:
  lists, and numbers of Python, have elements and digits that a scan would not keep;
* if intervals show that no int which is computed from `i` and constants leaves the bits of its
  dtype, or of the digits of a float.

All other loops are unrolled.
"""

from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np

from autograph.backends.jax.abstract import ArrayType, is_array
from autograph.backends.jax.loops import Iteration, Loop
from autograph.backends.jax.repeatable import is_repeatable

LONG = 64  # iterations that are worth the attempt
Interval = tuple[int, int]
# primitives whose result is no int that is greater than all operands
BOUNDED = frozenset(
    ("rem", "div", "sign", "clamp", "select_n", "copy", "convert_element_type", "squeeze")
    + ("broadcast_in_dim", "reshape", "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "not")
)
# the beginnings of the names of primitives that take ints as positions
POSITIONS = "dynamic_slice", "dynamic_update_slice", "gather", "scatter"


class IntTooWide(Exception):
    """An int may leave the bits that it has in a run."""


def staged_alike(loop: Loop, over: range, blocks: tuple[Any, ...]) -> bool:
    """Whether a loop over a range was staged, as nothing differs from unrolling it; `blocks` are
    the functions of its body and test."""
    if not all(map(is_repeatable, blocks)):
        return False
    try:
        iteration = loop.settled()
        assert iteration is not None  # only a loop over arrays records its first one before it
        jaxpr = iteration.jaxpr.jaxpr
        counter = jaxpr.invars[0]
        _Ints({counter: (0, len(over) - 1)}).check(jaxpr)
    except Exception:  # of any kind: if the loop is at fault, unrolling it raises, too
        return False
    if not _leaves_arrays(loop, iteration):
        return False
    loop.write(iteration)
    return True


def _leaves_arrays(loop: Loop, iteration: Iteration) -> bool:
    """Whether all that an iteration changes is arrays, which keep their shapes and dtypes."""
    if loop.emitted or loop.buffered:
        return False
    for location in iteration.recorder.specs:
        before, after = location.before, loop.carried.get(location)
        if location in loop.unchanged and after is None:
            continue
        if isinstance(before, bool) and not isinstance(iteration.more, bool):
            continue  # whether the loop was left, which a run decides
        if not is_array(before) or not isinstance(after, ArrayType):
            return False
        if (jnp.shape(before), jnp.result_type(before)) != (after.shape, after.dtype):
            return False
    return True


@dataclass
class _Ints:
    """The intervals of the scalars that an iteration computes from its element and constants."""

    known: dict[Any, Interval | None]

    def check(self, jaxpr: Any) -> None:
        """Raises `IntTooWide` if an int may leave its bits."""
        for equation in jaxpr.eqns:
            operands = [self.interval(one) for one in equation.invars]
            if not any(_is_variable(one) and self.interval(one) for one in equation.invars):
                continue
            name, params = equation.primitive.name, equation.params
            if name.startswith(POSITIONS) or not equation.outvars:  # a check
                continue
            if name == "cond":
                for branch in params["branches"]:
                    self.called(equation, branch, operands[1:])
            elif name in ("jit", "pjit"):
                self.called(equation, params["jaxpr"], operands)
            elif any("jaxpr" in param for param in params):
                raise IntTooWide  # a loop in the body, of which no interval is known here
            elif None not in operands:
                self.computed(equation, operands)
            # Where an array takes part, its elements have the same bits in both forms.

    def called(self, equation: Any, closed: Any, operands: list[Any]) -> None:
        """A branch, or a function that JAX calls by name, such as `//`."""
        jaxpr = closed.jaxpr
        inner = _Ints(dict(zip(jaxpr.invars, operands, strict=True)))
        inner.check(jaxpr)
        for outer, one in zip(equation.outvars, jaxpr.outvars, strict=True):
            found = inner.interval(one)
            self.known[outer] = _hull(self.known[outer], found) if outer in self.known else found

    def computed(self, equation: Any, operands: list[Any]) -> None:
        """A primitive of scalars whose intervals are known."""
        (result,) = equation.outvars
        low, high = _bounds(equation, operands)
        dtype = result.aval.dtype
        if jnp.issubdtype(dtype, jnp.bool_):
            self.known[result] = 0, 1
            return
        if jnp.issubdtype(dtype, jnp.integer):
            limits: Any = jnp.iinfo(dtype)
            least, most = limits.min, limits.max
            self.known[result] = low, high
        else:
            most = 2 ** (jnp.finfo(dtype).nmant + 1)
            least = -most
        if low < least or high > most:
            raise IntTooWide

    def interval(self, operand: Any) -> Interval | None:
        """The interval of an operand; None for an array of the run, or a float."""
        if _is_variable(operand):
            return self.known.get(operand)
        value = np.asarray(operand.val)
        is_whole = value.ndim == 0 and value.dtype.kind in "iub"
        return (int(value), int(value)) if is_whole else None


def _bounds(equation: Any, operands: list[Interval]) -> Interval:
    """The interval of the result of a primitive."""
    name = equation.primitive.name
    ends = [end for one in operands for end in one]
    match name, operands:
        case "add", [(a, b), (c, d)]:
            return a + c, b + d
        case "sub", [(a, b), (c, d)]:
            return a - d, b - c
        case "neg", [(a, b)]:
            return -b, -a
        case "mul", [(a, b), (c, d)]:
            products = [a * c, a * d, b * c, b * d]
            return min(products), max(products)
        case "integer_pow", _:
            most = max(map(abs, ends)) ** abs(equation.params["y"])
            return -most, most
        case (("max" | "min" | "abs"), _):
            return min(*ends, 0), max(map(abs, ends))
    if name not in BOUNDED:
        raise IntTooWide
    most = max(map(abs, ends))
    most = 2 * most + 1 if name in ("and", "or", "not") else most
    return -most, most


def _hull(one: Interval | None, other: Interval | None) -> Interval | None:
    """The interval that covers two branches."""
    if one is None or other is None:
        return None
    return min(one[0], other[0]), max(one[1], other[1])


def _is_variable(operand: Any) -> bool:
    return not hasattr(operand, "val")
