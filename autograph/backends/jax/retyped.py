"""An iteration whose operands get other types, where a second trace would record the same jaxpr.

    total = 0.0                          weakly typed: a float32 that widens no array
    for x in xs: total += x * x          leaves a strong float32
    while p: ... return x                no code reads the generated variable before it is bound

A strong type records what a weak one of the same dtype does, unless a narrower dtype is involved:
`0.0 * x` of a `bfloat16` x is a `bfloat16`, and a strong `float32` times x is a `float32`.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import jax
from jax.extend.core import ClosedJaxpr, Jaxpr, Literal, Var, jaxprs_in_params

from autograph.backends.jax.abstract import (
    NEVER_READ,
    ArrayType,
    Node,
    Optional,
    Rows,
    is_widened_alike,
    types,
)


def retyped(jaxpr: ClosedJaxpr, before: dict, after: dict) -> ClosedJaxpr | None:
    """The jaxpr for operands of other abstract values; None if a trace might record another one.

    Both dicts have the abstract value of each location; the last operands of the jaxpr stand for
    the first dict, and those of the result for the second one.
    """
    if list(before) != list(after):
        return None
    inner = jaxpr.jaxpr
    carried = sum(len(list(types(spec))) for spec in before.values())
    rest = len(inner.invars) - carried
    given = iter(inner.invars[rest:])
    operands, stronger = list(inner.invars[:rest]), {}
    for location, old in before.items():
        new = after[location]
        if old == NEVER_READ:
            if any(getattr(kind, "sharding", None) is not None for kind in types(new)):
                return None
            operands += [Var(_aval(kind)) for kind in types(new)]
            continue
        if old != new and strong(old) != strong(new):
            return None
        for kind in types(new):
            var = next(given)
            if var.aval.weak_type and not kind.weak_type:
                stronger[var] = Var(var.aval.update(weak_type=False))
            elif var.aval.weak_type != bool(kind.weak_type):
                return None
            operands.append(stronger.get(var, var))
    if stronger and not _records_the_same(inner, set(stronger)):
        return None
    return ClosedJaxpr(_renamed(inner, operands, stronger), jaxpr.consts)


def strong(spec: Any) -> Any:
    """The abstract value with strong types."""
    match spec:
        case ArrayType(weak=True):
            return replace(spec, weak=False)
        case Node():
            return replace(spec, items=tuple(map(strong, spec.items)))
        case Optional(inner=inner) if inner is not None:
            return replace(spec, inner=strong(inner))
        case Rows():
            return replace(spec, element=strong(spec.element))
    return spec


def _aval(kind: Any) -> Any:
    return jax.core.ShapedArray(kind.shape, kind.dtype, weak_type=bool(kind.weak_type))


def _renamed(inner: Jaxpr, operands: list[Var], names: dict[Var, Var]) -> Jaxpr:
    """The jaxpr with these operands, some of which have got another name."""

    def of(one):
        return one if isinstance(one, Literal) else names.get(one, one)

    equations = [
        equation.replace(invars=list(map(of, equation.invars)))
        if any(of(one) is not one for one in equation.invars)
        else equation
        for equation in inner.eqns
    ]
    return inner.replace(invars=operands, eqns=equations, outvars=list(map(of, inner.outvars)))


def _records_the_same(inner: Jaxpr, stronger: set[Var]) -> bool:
    """Whether a trace records the same for strong types of these operands.

    No dtype of the jaxpr may be promoted otherwise with the strong type, and no result may get a
    strong type in place of a weak one: none that is weak may follow from these operands, or from
    constants, which may be made like them.
    """
    changed = {var.aval.dtype for var in stronger}
    if not all(is_widened_alike(one, other) for one in changed for other in _dtypes(inner)):
        return False
    follows: set[Var] = set(stronger)
    for equation in inner.eqns:
        operands = [one for one in equation.invars if isinstance(one, Var)]
        if not operands or any(one in follows for one in operands):
            follows.update(equation.outvars)
    follows.update(inner.constvars)
    weak = [one for one in inner.outvars if getattr(one.aval, "weak_type", False)]
    return not any(isinstance(one, Literal) or one in follows for one in weak)


def depends_on_run(inner: Jaxpr, known: list[bool], after: int) -> bool:
    """Whether the result before the last `after` ones follows from a value of the run: from a
    constant of the jaxpr, or one of the last operands of which `known` says no."""
    operands = inner.invars[len(inner.invars) - len(known) :]
    unknown = [var for var, is_known in zip(operands, known, strict=True) if not is_known]
    follows = {*inner.constvars, *unknown}
    for equation in inner.eqns:
        if any(isinstance(one, Var) and one in follows for one in equation.invars):
            follows.update(equation.outvars)
    result = inner.outvars[-1 - after]
    return isinstance(result, Var) and result in follows


def _dtypes(jaxpr: Jaxpr) -> set:
    """The dtypes in a jaxpr, those of its blocks included."""
    return {getattr(aval, "dtype", None) for aval in _avals(jaxpr)} - {None}


def _avals(jaxpr: Jaxpr) -> Iterator[Any]:
    for var in (*jaxpr.invars, *jaxpr.constvars):
        yield var.aval
    for equation in jaxpr.eqns:
        for var in (*equation.invars, *equation.outvars):
            yield var.aval
        for inner in jaxprs_in_params(equation.params):
            yield from _avals(inner)
