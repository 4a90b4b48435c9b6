"""Formulas as definitions of LLVM functions."""

from dataclasses import dataclass
from functools import cache

from runtime.engines.native.vector_math.expressions import KINDS, Formula
from runtime.engines.native.vector_math.functions import ARITIES, FORMULAS

# The flags are such memory: no call is left out, or moved over an instruction that reads them.
ATTRIBUTES = "nounwind willreturn memory(inaccessiblemem: readwrite)"


@dataclass(frozen=True)
class Definition:
    """The texts of a function and of those that it calls, and the intrinsics that they declare."""

    texts: tuple[str, ...]
    declarations: frozenset[str]


def symbol(name: str, kind: str, lanes: int) -> str:
    """The name of a function in the text of a library."""
    return f"vector_{name}_{kind}x{lanes}"


@cache
def definition(name: str, kind: str, lanes: int, fma: bool) -> Definition:
    """The definition of a function: its name, `f32` or `f64`, its lanes, and whether FMA exists."""
    f = Formula(lanes, fma, single=kind == "f32")
    arguments = [f.argument(k, kind) for k in range(ARITIES[name])]
    widened = [f.converted("fpext", x, "f64") if f.single else x for x in arguments]
    result = FORMULAS[name](f, *widened)
    if f.single:
        result = f.converted("fptrunc", f.fence(result), "f32")
    type = f.type(kind)
    given = ", ".join(f"{type} {x.text}" for x in arguments)
    width = f'"min-legal-vector-width"="{lanes * KINDS[kind][1]}"'
    head = f"define internal {type} @{symbol(name, kind, lanes)}({given}) {ATTRIBUTES} {width} {{"
    text = "\n".join([head, "entry:", *f.lines, f"  ret {type} {result.text}", "}", ""])
    return Definition((*sorted(f.needs), text), frozenset(f.declarations))
