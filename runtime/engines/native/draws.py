"""Lowerings of draws from random generators, in the loops of a piece.

    random.random(), random.normalvariate(0.0, 1.0)     the formulas of Python (`draw.py`)
    rng.normal(0, s)                                    a call of the function that NumPy calls

Other draws stay in the NumPy program.
"""

import math
import random

import numpy as np

from runtime.engines.native.draw import Draw
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import DOUBLE, INTEGER, NotLowered, is_scalar
from runtime.engines.native.lowering import lowers, why_none
from runtime.engines.native.random_streams import (
    NORMAL,
    MadeStream,
    Stream,
    has_code,
    kind_of_made,
    stream_of,
)
from runtime.engines.native.storage import Objects
from runtime.engines.native.text import literal
from runtime.ir.graph import Node, Value, operand_type

MOST_EVENTS = 1e18  # that a Poisson distribution may have on average; NumPy raises for a few more
KINDERMAN_MONAHAN = 4.0 * math.exp(-0.5) / math.sqrt(2.0)


def _of_python(draw: Draw, name: str) -> str:
    text = draw.text
    if name == "random":
        return draw.unit()
    if name == "uniform":
        return draw.scaled(draw.unit(), draw.double(0), _width(draw))
    if name == "randrange":
        few = len(draw.given) == 1
        return draw.below(draw.integer(0)) if few else draw.between(*map(draw.integer, (0, 1)))
    if name == "randint":
        high = draw.integer(1)
        text.leave_if(text.register(f"icmp eq i64 {high}, {INTEGER.high}"), Exit.OVERFLOW)
        return draw.between(draw.integer(0), text.register(f"add i64 {high}, 1"))
    if name in _FLOATS:
        return _FLOATS[name](draw)
    bits = draw.argument(0)
    if type(bits) is not int or not 1 <= bits <= 32:
        raise NotLowered(why_none(draw.node))
    word = text.register(f"zext i32 {draw.word()} to i64")
    return text.register(f"lshr i64 {word}, {32 - bits}")


def _width(draw: Draw) -> str:
    """The width of an interval; Python subtracts integers exactly."""
    low, high = draw.argument(0), draw.argument(1)
    if type(low) is int and type(high) is int:
        return literal(DOUBLE, float(high - low))
    return draw.text.float("fsub", DOUBLE, draw.double(1), draw.double(0))


def _exponential(draw: Draw) -> str:
    """`-log(1.0 - random()) / rate`"""
    text, rate = draw.text, draw.double(0)
    is_zero = text.float_comparison("oeq", DOUBLE, rate, literal(DOUBLE, 0.0))
    text.leave_if(is_zero, Exit.RAISED)
    logged = draw.log(text.float("fsub", DOUBLE, literal(DOUBLE, 1.0), draw.unit()))
    return text.float("fdiv", DOUBLE, text.register(f"fneg double {logged}"), rate)


def _triangular(draw: Draw) -> str:
    """`low + (high - low) * sqrt(u * 0.5)`, from the other end if u is greater than a half"""
    text, half, one = draw.text, literal(DOUBLE, 0.5), literal(DOUBLE, 1.0)
    zero_to_one = (literal(DOUBLE, 0.0), one, one)
    low, high, width = (draw.double(0), draw.double(1), _width(draw)) if draw.given else zero_to_one
    unit = draw.unit()
    is_upper = text.float_comparison("ogt", DOUBLE, unit, half)

    def chosen(upper: str, lower: str) -> str:
        return text.register(f"select i1 {is_upper}, double {upper}, double {lower}")

    left = chosen(text.float("fsub", DOUBLE, one, unit), unit)
    width = chosen(text.register(f"fneg double {width}"), width)
    halved = text.float("fmul", DOUBLE, left, half)
    root = text.intrinsic("llvm.sqrt.f64", "double", ("double", halved))
    return draw.scaled(root, chosen(high, low), width)


def _normal_of_python(draw: Draw) -> str:
    """The ratio of two numbers; others, while it is outside of the curve.

    A. J. Kinderman and J. F. Monahan, Computer generation of random variables using the ratio of
    uniform deviates, ACM Transactions on Mathematical Software 3 (1977).
    """
    text, one = draw.text, literal(DOUBLE, 1.0)
    mean, spread = (draw.double(0), draw.double(1)) if draw.given else (literal(DOUBLE, 0.0), one)
    again, done = text.label("again"), text.label("drawn")
    text.line(f"br label %{again}")
    text.start(again)
    first, second = draw.unit(), text.float("fsub", DOUBLE, one, draw.unit())
    centred = text.float("fsub", DOUBLE, first, literal(DOUBLE, 0.5))
    scaled = text.float("fmul", DOUBLE, literal(DOUBLE, KINDERMAN_MONAHAN), centred)
    ratio = text.float("fdiv", DOUBLE, scaled, second)
    square = text.float("fmul", DOUBLE, ratio, ratio)
    quarter = text.float("fdiv", DOUBLE, square, literal(DOUBLE, 4.0))
    curve = text.register(f"fneg double {draw.log(second)}")
    fits = text.float_comparison("ole", DOUBLE, quarter, curve)
    text.line(f"br i1 {fits}, label %{done}, label %{again}")
    text.start(done)
    return draw.scaled(ratio, mean, spread)


_FLOATS = {
    "expovariate": _exponential,
    "triangular": _triangular,
    "normalvariate": _normal_of_python,
}


def _of_numpy(draw: Draw, name: str, is_legacy: bool) -> str:
    count = len(draw.given)
    if name in ("randint", "integers"):
        low = draw.integer(0) if count == 2 else literal(INTEGER, 0)
        return draw.bounded(low, draw.integer(count - 1), is_legacy)
    if name == "uniform" and count:
        return draw.uniform(not is_legacy)
    if name == "poisson":
        rate = draw.not_negative(0) if count else literal(DOUBLE, 1.0)
        few = draw.text.float_comparison("ole", DOUBLE, rate, literal(DOUBLE, MOST_EVENTS))
        draw.text.leave_if(draw.text.register(f"xor i1 {few}, true"), Exit.RAISED)
        return draw.distributed("random_poisson", "i64", f"double {rate}")
    if name in NORMAL:
        return _normal(draw, name, is_legacy)
    if name in ("exponential", "standard_exponential"):
        return draw.distributed("random_standard_exponential", "double")
    return draw.unit()


def _normal(draw: Draw, name: str, is_legacy: bool) -> str:
    zero, one = literal(DOUBLE, 0.0), literal(DOUBLE, 1.0)
    mean, spread = (draw.double(0), draw.not_negative(1)) if draw.given else (zero, one)
    if is_legacy:
        unit = draw.polar()
        return draw.scaled(unit, mean, spread) if name == "normal" else unit
    if draw.given:
        return draw.distributed("random_normal", "double", f"double {mean}", f"double {spread}")
    return draw.distributed("random_standard_normal", "double")


@lowers("ask")
def drawn(emitter: Emitter, node: Node) -> None:
    text = emitter.text
    is_inside = bool(text.loops) and isinstance(emitter.storage, Objects) and not emitter.is_whole
    stream = _stream(emitter, node) if is_inside and text.guard is None else None
    if stream is None or not is_scalar(operand_type(node.output)):
        raise NotLowered(why_none(node))
    draw, name = Draw(emitter, node, stream), node.attributes["function"].rpartition(".")[2]
    if issubclass(draw.kind, random.Random):
        found = _of_python(draw, name)
    else:
        found = _of_numpy(draw, name, draw.kind is np.random.RandomState)
    emitter.result(node, found)


def _stream(emitter: Emitter, node: Node) -> Stream | MadeStream | None:
    """The stream of a draw, which the text notes; None if there is no code for it."""
    text, kind = emitter.text, kind_of_made(node)
    if kind is None:
        found = stream_of(node)
        return None if found is None else text.streams.setdefault(id(found.generator), found)
    generator = node.inputs[0]
    if not has_code(node) or not text.is_main or not isinstance(generator, Value):
        return None
    emitter.held.setdefault(generator, ())  # no registers: the piece looks for its state
    number = len(text.made_streams)
    return text.made_streams.setdefault(generator, MadeStream(kind, number))
