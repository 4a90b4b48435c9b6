"""The primitives of `lax.cond`, `lax.scan` and `lax.while_loop`, given jaxprs that exist already.

    cond(p, then, orelse)            lax.cond(p, lambda: eval(then), lambda: eval(orelse))

`lax` takes functions, which it traces: the operations of a block would be recorded twice.  Here the
jaxprs of the blocks become parameters of the primitive.  The functions return None where that is
not possible: if a jaxpr has effects, if a type is not the same on all paths, and if the primitives
of the installed version of JAX have other parameters.  A scan counts its operands and results by
numbers (JAX 0.10), or by trees with a place for each (JAX 0.12).
"""

import functools
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import ClosedJaxpr, Jaxpr, Var
from jax.extend.core.primitives import cond_p, scan_p, while_p

from autograph.backends.jax.abstract import element_type
from autograph.backends.jax.tracers import jaxpr_of, results_of


@dataclass
class Body:
    """An iteration as a jaxpr: which of its operands are carried, and which results they get.

    `carried` has a pair for each: the number of an operand, and that of a result, None if the
    iteration leaves it as it is.  `elements` are the operands that are elements of arrays, `rows`
    the results that are stacked, `going` the result that says whether the loop goes on.
    """

    jaxpr: ClosedJaxpr
    carried: list[tuple[int, int | None]]
    elements: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    going: int | None = None


def cond(predicate: Any, then: ClosedJaxpr, orelse: ClosedJaxpr) -> list:
    """The results of one of two jaxprs without operands."""
    sides = orelse, then
    kinds = [[one.aval for one in side.jaxpr.outvars] for side in sides]
    is_plain = is_possible() and not any(side.effects for side in sides)
    if not is_plain or kinds[0] != kinds[1]:
        return lax.cond(predicate, partial(results_of, then), partial(results_of, orelse))
    constants = {id(value): value for side in sides for value in side.consts}
    branches = tuple(_with_operands(side, constants) for side in sides)
    index = lax.convert_element_type(predicate, np.int32)
    return cond_p.bind(index, *constants.values(), branches=branches)


def scan(body: Body, start: list, stacked: list, trips: int) -> tuple[list, list] | None:
    """The final values of the carried operands, and the stacked results."""
    if not _is_plain(body, start):
        return None
    inner = body.jaxpr.jaxpr
    fixed, moving = _split(body)
    closed = _closed(
        [*inner.constvars, *(inner.invars[body.carried[i][0]] for i in fixed)],
        [inner.invars[body.carried[i][0]] for i in moving],
        [inner.invars[i] for i in body.elements],
        results=[inner.outvars[body.carried[i][1]] for i in moving]
        + [inner.outvars[i] for i in body.rows],
        of=inner,
    )
    constants = [*body.jaxpr.consts, *(start[i] for i in fixed)]
    counts = len(constants), len(moving), len(stacked), len(body.rows)
    found = scan_p.bind(
        *constants,
        *(start[i] for i in moving),
        *stacked,
        reverse=False,
        length=trips,
        jaxpr=closed,
        unroll=1,
        **_counted(*counts),
    )
    return _final(start, moving, found), found[len(moving) :]


def scan_of(step: Any, start: list, stacked: list, trips: int) -> list:
    """The final values of `lax.scan`; `step` takes two lists, and returns the next first one."""
    body = None
    if is_possible():
        size = len(start)
        kinds = [_kind(jax.typeof(one)) for one in start] + [element_type(one) for one in stacked]
        jaxpr = jaxpr_of(lambda *given: step(given[:size], given[size:]), kinds)
        body = Body(jaxpr, [(i, i) for i in range(size)], list(range(size, len(kinds))))
        step = lambda carried, elements: results_of(jaxpr, *carried, *elements)  # noqa: E731
    found = scan(body, start, stacked, trips) if body is not None else None
    if found is not None:
        return found[0]
    return lax.scan(lambda *given: (step(*given), None), start, stacked, length=trips)[0]


def while_loop(body: Body, start: list, going: Any, test: Any) -> list | None:
    """The final values of the carried operands; `test(going, *moving)` is whether there is another
    iteration; `body.going` is the result that becomes `going`, or None if that stays True."""
    if not _is_plain(body, start):
        return None
    inner = body.jaxpr.jaxpr
    fixed, moving = _split(body)
    fresh = Var(jax.typeof(going))
    more = [] if body.going is None else [inner.outvars[body.going]]
    closed = _closed(
        [*inner.constvars, *(inner.invars[body.carried[i][0]] for i in fixed)],
        [fresh] if more else [],
        [inner.invars[body.carried[i][0]] for i in moving],
        results=more + [inner.outvars[body.carried[i][1]] for i in moving],
        of=inner,
    )
    state = [going] * len(more) + [start[i] for i in moving]
    results = [_carried_type(one.aval) for one in closed.jaxpr.outvars]
    if results != [_carried_type(jax.typeof(one)) for one in state]:
        return None
    places = {place: number for number, place in enumerate(moving)}

    def goes_on(*values: Any) -> list:
        carried = values[len(more) :]
        return [test(values[0] if more else None, lambda i: carried[places[i]])]

    condition = jaxpr_of(goes_on, [_kind(jax.typeof(one)) for one in state])
    if condition.effects:
        return None
    constants = [*body.jaxpr.consts, *(start[i] for i in fixed)]
    found = while_p.bind(
        *condition.consts,
        *constants,
        *state,
        cond_nconsts=len(condition.consts),
        cond_jaxpr=_closed(
            condition.jaxpr.constvars,
            condition.jaxpr.invars,
            results=condition.jaxpr.outvars,
            of=condition.jaxpr,
        ),
        body_nconsts=len(constants),
        body_jaxpr=closed,
    )
    return _final(start, moving, found[len(more) :])


def _is_plain(body: Body, start: list) -> bool:
    """Whether an iteration has no effects, and leaves the types that it was given."""
    inner = body.jaxpr.jaxpr
    if not is_possible() or body.jaxpr.effects:
        return False
    used = {id(one) for equation in inner.eqns for one in equation.invars}
    used |= {id(one) for one in inner.outvars}
    given = {place for place, _ in body.carried} | set(body.elements)
    if any(id(one) in used for i, one in enumerate(inner.invars) if i not in given):
        return False
    for (place, result), value in zip(body.carried, start, strict=True):
        given = _carried_type(inner.invars[place].aval)
        if given != _carried_type(jax.typeof(value)):
            return False
        if result is not None and given != _carried_type(inner.outvars[result].aval):
            return False
    return True


def _carried_type(aval: Any) -> Any:
    """The type of a carried operand: comparisons of weak numbers give weak bools, which are
    promoted as others are."""
    is_weak_bool = aval.dtype == bool and aval.weak_type
    return aval.update(weak_type=False) if is_weak_bool else aval


def _split(body: Body) -> tuple[list[int], list[int]]:
    """The carried operands that no iteration changes, and the others, by their numbers."""
    inner = body.jaxpr.jaxpr
    fixed, moving = [], []
    for number, (place, result) in enumerate(body.carried):
        is_fixed = result is None or inner.outvars[result] is inner.invars[place]
        (fixed if is_fixed else moving).append(number)
    return fixed, moving


def _final(start: list, moving: list[int], found: list) -> list:
    results = list(start)
    for number, value in zip(moving, found, strict=False):
        results[number] = value
    return results


def _with_operands(side: ClosedJaxpr, constants: dict[int, Any]) -> ClosedJaxpr:
    """A jaxpr with an operand for each constant of both sides, and no constants."""
    own = {id(value): var for value, var in zip(side.consts, side.jaxpr.constvars, strict=True)}
    operands = [own.get(key) or Var(jax.typeof(value)) for key, value in constants.items()]
    return _closed(operands, results=side.jaxpr.outvars, of=side.jaxpr)


def _closed(*operands: Iterable[Var], results: Iterable[Any], of: Jaxpr) -> ClosedJaxpr:
    invars = [one for group in operands for one in group]
    return ClosedJaxpr(of.replace(constvars=[], invars=invars, outvars=list(results)), [])


def is_possible() -> bool:
    """Whether the primitives can be called at all; with arrays that vary over the axes of a mesh,
    `lax` gives all paths one type."""
    return is_known() and jax.sharding.get_abstract_mesh().empty


def _kind(aval: Any) -> Any:
    return jax.ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=aval.weak_type)


@functools.cache
def is_known() -> bool:
    """Whether the primitives have the parameters that are given to them here."""
    x = jnp.float32(1.0)
    made = {
        cond_p: lambda x: lax.cond(x > 0, lambda: x + 1, lambda: x * 2),
        scan_p: lambda x: lax.scan(lambda c, _: (c * 2, None), x, None, length=3),
        while_p: lambda x: lax.while_loop(lambda c: c < 5, lambda c: c + 1, x),
    }
    found = {primitive: set(_parameters(make, primitive, x)) for primitive, make in made.items()}
    return all(found[one] in WANTED[one] for one in found) and _is_counted_so()


def _parameters(make: Any, primitive: Any, *given: Any) -> dict[str, Any]:
    equations = jax.make_jaxpr(make)(*given).jaxpr.eqns
    return next((one.params for one in equations if one.primitive is primitive), {})


def _counted(constants: int, carried: int, elements: int, rows: int) -> dict[str, Any]:
    """The parameters of a scan that say how many operands and results of each kind it has."""
    trees = _trees_of_scan()
    if trees is None:
        return {"num_consts": constants, "num_carry": carried}
    given, taken = trees
    group, leaf = type(given), given.elts[0].elts[0]
    row = taken.elts[1].elts[0]
    return {
        "ft_in": group(*(group(*[leaf] * n) for n in (constants, carried, elements))),
        "ft_out": group(group(*[leaf] * carried), group(*[row] * rows)),
    }


@functools.cache
def _trees_of_scan() -> tuple[Any, Any] | None:
    """The trees of a scan with one operand and result of each kind; None if it has numbers."""
    x, stacked = jnp.float32(1.0), jnp.ones(3, np.float32)
    params = _parameters(
        lambda x, stacked: lax.scan(lambda c, y: (c * x + y, c * 2), x, stacked),
        scan_p,
        x,
        stacked,
    )
    return (params["ft_in"], params["ft_out"]) if set(params) >= TREES else None


def _is_counted_so() -> bool:
    """Whether the trees of a scan have the form that `_counted` gives to them."""
    trees = _trees_of_scan()
    try:
        return trees is None or tuple(_counted(1, 1, 1, 1).values()) == trees
    except (AttributeError, IndexError, TypeError):
        return False


TREES, NUMBERS = {"ft_in", "ft_out"}, {"num_consts", "num_carry"}
SCAN = {"reverse", "length", "jaxpr", "unroll"}
WANTED = {
    cond_p: [{"branches"}],
    scan_p: [SCAN | NUMBERS, SCAN | TREES],
    while_p: [{"cond_nconsts", "cond_jaxpr", "body_nconsts", "body_jaxpr"}],
}
