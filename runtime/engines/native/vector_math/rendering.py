"""Formulas as definitions of LLVM functions."""

from dataclasses import dataclass
from functools import cache

from runtime.engines.native.vector_math.expressions import KINDS, Formula, Value
from runtime.engines.native.vector_math.functions import ARITIES, FORMULAS
from runtime.engines.native.vector_math.short import SHORT, vanishing

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
    if fma and name in SHORT[kind]:
        return _short(name, kind, lanes)
    return _long(name, kind, lanes, fma, symbol(name, kind, lanes), ATTRIBUTES)


def _long(
    name: str, kind: str, lanes: int, fma: bool, function: str, attributes: str
) -> Definition:
    """A formula in double precision, whose result may be rounded to single precision."""
    f = Formula(lanes, fma, single=kind == "f32")
    arguments = [f.argument(k, kind) for k in range(ARITIES[name])]
    widened = [f.converted("fpext", x, "f64") if f.single else x for x in arguments]
    result = FORMULAS[name](f, *widened)
    if f.single:
        result = f.converted("fptrunc", f.fence(result), "f32")
    return _defined(f, function, arguments, result, attributes)


def _short(name: str, kind: str, lanes: int) -> Definition:
    """A short formula, and the long one where an argument is rare."""
    function = symbol(name, kind, lanes)
    wide = _long(name, kind, lanes, True, f"{function}_rare", f"noinline {ATTRIBUTES}")
    f = Formula(lanes, True, real=kind, needs={*wide.texts}, declarations={*wide.declarations})
    x = f.argument(0, kind)
    rare, y = SHORT[kind][name](f, x)

    def of_rare() -> tuple[Value]:
        given, type = f.chosen(rare, x, 0.75), f.type(kind)
        found = f.assign(f"call {type} @{function}_rare({type} {given.text})", kind)
        return (_flagged(f, found, rare),)

    return _defined(f, function, [x], f.where_any(rare, (y,), of_rare)[0], ATTRIBUTES)


def _flagged(f: Formula, y: Value, rare: Value) -> Value:
    """A result, with the flag of underflow where it is below the normal numbers and not 0."""
    given = f.chosen(rare & vanishing(f, y), 2.0**-1000 if f.real == "f64" else 2.0**-120, 0.0)
    return y + given * -given  # + -0.0


def _defined(
    f: Formula, function: str, arguments: list[Value], result: Value, attributes: str
) -> Definition:
    """The function that a formula has written."""
    kind = result.kind
    type = f.type(kind)
    given = ", ".join(f"{type} {x.text}" for x in arguments)
    width = f'"min-legal-vector-width"="{f.lanes * KINDS[kind][1]}"'
    head = f"define internal {type} @{function}({given}) {attributes} {width} {{"
    text = "\n".join([head, "entry:", *f.lines, f"  ret {type} {result.text}", "}", ""])
    return Definition((*sorted(f.needs), text), frozenset(f.declarations))
