"""Sums of elements that are next to each other, as NumPy adds them, in vectors.

    1,300 elements      the sums of 648 and 652 elements, of which each is such a sum
    128                 8 sums of every 8th element, and their sum; the last few one by one

NumPy's own loop adds eight numbers one after the other where this adds a vector; the bits are the
same.
"""

from runtime.engines.native.kinds import Kind
from runtime.engines.native.text import ROUNDING, STRICT, Text

LANES, LEAF = 8, 128  # `PW_BLOCKSIZE` of NumPy

BODY = """\
define internal {one} @{name}(ptr %p, i64 %n) noinline strictfp {{
entry:
  %few = icmp slt i64 %n, {lanes}
  br i1 %few, label %tail, label %sized
sized:
  %large = icmp sgt i64 %n, {leaf}
  br i1 %large, label %halves, label %vectors
halves:
  %shifted = lshr i64 %n, 1
  %half = and i64 %shifted, {mask}
  %others = sub i64 %n, %half
  %middle = getelementptr {one}, ptr %p, i64 %half
  %x = call {one} @{name}(ptr %p, i64 %half) strictfp
  %y = call {one} @{name}(ptr %middle, i64 %others) strictfp
  {both}
  ret {one} %both
vectors:
  %end = and i64 %n, {mask}
  %first = load {all}, ptr %p, align {size}
  %longer = icmp sgt i64 %end, {lanes}
  br i1 %longer, label %each, label %joined
each:
  %i = phi i64 [{lanes}, %vectors], [%next, %each]
  %sum = phi {all} [%first, %vectors], [%added, %each]
  %place = getelementptr {one}, ptr %p, i64 %i
  %vector = load {all}, ptr %place, align {size}
  {added}
  %next = add i64 %i, {lanes}
  %again = icmp slt i64 %next, %end
  br i1 %again, label %each, label %joined
joined:
  %sums = phi {all} [%first, %vectors], [%added, %each]
{folded}
  br label %tail
tail:
  %start = phi i64 [0, %entry], [%end, %joined]
  %begun = phi {one} [-0.0, %entry], [%v1, %joined]
  %rest = icmp slt i64 %start, %n
  br i1 %rest, label %last, label %done
last:
  %k = phi i64 [%start, %tail], [%after, %last]
  %so_far = phi {one} [%begun, %tail], [%longer_sum, %last]
  %where = getelementptr {one}, ptr %p, i64 %k
  %element = load {one}, ptr %where, align {size}
  {longer_sum}
  %after = add i64 %k, 1
  %more = icmp slt i64 %after, %n
  br i1 %more, label %last, label %done
done:
  %found = phi {one} [%begun, %tail], [%longer_sum, %last]
  ret {one} %found
}}
"""


def write_sum(text: Text, kind: Kind, place: str, count: str) -> str:
    """The register with the sum of elements from an address on."""
    name = f"pairwise_{kind.suffix}"
    body = _definition(text, kind, name)
    text.declare(body, body)
    text.uses_floats = True
    return text.register(f"call {kind.register} @{name}(ptr {place}, i64 {count}) strictfp")


def _definition(text: Text, kind: Kind, name: str) -> str:
    wide = kind.in_lanes(LANES)
    return BODY.format(
        one=kind.register,
        all=wide.register,
        name=name,
        lanes=LANES,
        leaf=LEAF,
        mask=-LANES,
        size=kind.itemsize,
        both=_sum(text, kind, "both", "x", "y"),
        added=_sum(text, wide, "added", "sum", "vector"),
        longer_sum=_sum(text, kind, "longer_sum", "so_far", "element"),
        folded="\n".join(_folded(text, kind)),
    )


def _folded(text: Text, kind: Kind) -> list[str]:
    """The sum of the lanes: of pairs, of pairs of those, and of the last two."""
    lines, given, count = [], "sums", LANES
    while count > 2:
        half = kind.in_lanes(count // 2)
        for part, start in (("even", 0), ("odd", 1)):
            places = ", ".join(f"i32 {k}" for k in range(start, count, 2))
            type = kind.in_lanes(count).register
            lines.append(
                f"  %{part}{count} = shufflevector {type} %{given}, {type} poison, "
                f"<{count // 2} x i32> <{places}>"
            )
        count //= 2
        lines.append(f"  {_sum(text, half, f'v{count}', f'even{2 * count}', f'odd{2 * count}')}")
        given = f"v{count}"
    for part, lane in (("even2", 0), ("odd2", 1)):
        type = kind.in_lanes(2).register
        lines.append(f"  %{part} = extractelement {type} %{given}, i64 {lane}")
    return [*lines, f"  {_sum(text, kind, 'v1', 'even2', 'odd2')}"]


def _sum(text: Text, kind: Kind, result: str, x: str, y: str) -> str:
    """The instruction that adds two registers, and keeps the flags exact."""
    name, type = f"llvm.experimental.constrained.fadd.{kind.suffix}", kind.register
    text.declare(name, f"declare {type} @{name}({type}, {type}, metadata, metadata)")
    given = f"{type} %{x}, {type} %{y}, {ROUNDING}, {STRICT}"
    return f"%{result} = call {type} @{name}({given}) strictfp"
