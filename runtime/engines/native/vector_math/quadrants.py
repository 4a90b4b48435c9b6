"""Arguments of sin, cos and tan as a number of quadrants and a rest in [-pi/4, pi/4].

Up to 2^20, pi/2 is a sum of three doubles, whose products with the number of quadrants are
exact as pairs (Cody and Waite).  Beyond, the argument is an integer m times 2^e, and only 192
bits of 2/pi matter: those before give multiples of four, those after less than the result shows
(Payne and Hanek, 1983). That is integer arithmetic on one lane after another.
"""

from functools import cache

from runtime.engines.native.vector_math.accurate import (
    Pair,
    exact_product,
    exact_sum,
    ordered_sum,
    pair_product,
)
from runtime.engines.native.vector_math.expressions import Formula, Value

HALF_PI = tuple(
    map(
        float.fromhex,
        ("0x1.921fb54442d18p+0", "0x1.1a62633145c07p-54", "-0x1.f1976b7ed8fbcp-110"),
    )
)
HALF_PI_SHORT = float.fromhex("0x1.921fb544p+0"), float.fromhex("0x1.0b4611a626331p-34")
TWO_OVER_PI = float.fromhex("0x1.45f306dc9c883p-1")
FRACTION_BITS = 1168
REDUCTION = "vector_quadrants"

REDUCTION_BODY = f"""\
declare i192 @llvm.ctlz.i192(i192, i1)
declare i192 @llvm.abs.i192(i192, i1)
define internal {{double, double, i64}} @{REDUCTION}(double %x) noinline nounwind memory(none) {{
  %bits = bitcast double %x to i64
  %fraction = and i64 %bits, {(1 << 52) - 1}
  %mantissa = or i64 %fraction, {1 << 52}
  %m = zext i64 %mantissa to i192
  %shifted = lshr i64 %bits, 52
  %biased = and i64 %shifted, 2047
  %place = sub i64 {FRACTION_BITS - 190 + 1075}, %biased
  %byte = lshr i64 %place, 3
  %rest = and i64 %place, 7
  %address = getelementptr i8, ptr @{REDUCTION}_table, i64 %byte
  %loaded = load i256, ptr %address, align 1
  %rest256 = zext i64 %rest to i256
  %moved = lshr i256 %loaded, %rest256
  %window = trunc i256 %moved to i192
  %product = mul i192 %m, %window
  %half = add i192 %product, {1 << 189}
  %quadrants = lshr i192 %half, 190
  %whole = shl i192 %quadrants, 190
  %part = sub i192 %product, %whole
  %size = call i192 @llvm.abs.i192(i192 %part, i1 false)
  %zeros = call i192 @llvm.ctlz.i192(i192 %size, i1 false)
  %left = shl i192 %size, %zeros
  %top = lshr i192 %left, 139
  %high = trunc i192 %top to i64
  %next = lshr i192 %left, 86
  %next64 = trunc i192 %next to i64
  %low = and i64 %next64, {(1 << 53) - 1}
  %high_float = sitofp i64 %high to double
  %low_float = sitofp i64 %low to double
  %zeros64 = trunc i192 %zeros to i64
  %exponent = sub i64 {1023 - 51}, %zeros64
  %power_bits = shl i64 %exponent, 52
  %power = bitcast i64 %power_bits to double
  %negative = icmp slt i192 %part, 0
  %minus = fneg double %power
  %signed = select i1 %negative, double %minus, double %power
  %y = fmul double %high_float, %signed
  %small = fmul double %signed, {2.0**-53:e}
  %y_low = fmul double %low_float, %small
  %quadrant64 = trunc i192 %quadrants to i64
  %sign = ashr i64 %bits, 63
  %flipped = xor i64 %quadrant64, %sign
  %n = sub i64 %flipped, %sign
  %back = and i64 %sign, {1 << 63}
  %y_bits = bitcast double %y to i64
  %y_signed = xor i64 %y_bits, %back
  %r = bitcast i64 %y_signed to double
  %low_bits = bitcast double %y_low to i64
  %low_signed = xor i64 %low_bits, %back
  %r_low = bitcast i64 %low_signed to double
  %first = insertvalue {{double, double, i64}} poison, double %r, 0
  %second = insertvalue {{double, double, i64}} %first, double %r_low, 1
  %all = insertvalue {{double, double, i64}} %second, i64 %n, 2
  ret {{double, double, i64}} %all
}}
"""


@cache
def two_over_pi(bits: int) -> int:
    """floor(2/pi 2^bits), from Machin's formula for pi in integers."""
    one = 1 << (bits + 64)

    def arctan_of_inverse(n: int) -> int:
        total, power, k = 0, one // n, 1
        while power:
            total += power // k if k % 4 == 1 else -(power // k)
            power //= n * n
            k += 2
        return total

    pi = 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))
    return (2 * one << bits) // pi


def reduction_text() -> str:
    """The function for one lane: quadrants modulo 4, and the rest in quadrants as a pair.

    With x = m 2^e and `window` = floor(2/pi 2^(e + 190)) modulo 2^192, the product m window / 2^190
    is x 2/pi modulo 4.
    """
    table = two_over_pi(FRACTION_BITS).to_bytes(168, "little")
    data = "".join(f"\\{byte:02X}" for byte in table)
    return f'@{REDUCTION}_table = internal constant [168 x i8] c"{data}"\n{REDUCTION_BODY}'


def reduced(f: Formula, x: Value) -> tuple[Value, Pair]:
    """The quadrants as an integer and the rest as a pair, for |x| < 2^20."""
    whole, n = f.rounded(x * TWO_OVER_PI)
    if f.single:
        rest = x - whole * HALF_PI_SHORT[0]
        return n, (f.multiply_add(-HALF_PI_SHORT[1], whole, rest), f.value(0.0, "f64"))
    product, error = exact_product(f, whole, HALF_PI[0])
    first = (x - product) - error
    product, error = exact_product(f, whole, HALF_PI[1])
    high, low = exact_sum(first, -product)
    return n, ordered_sum(high, (low - error) - whole * HALF_PI[2])


def reduced_far(f: Formula, x: Value) -> tuple[Value, Pair]:
    """The quadrants modulo 4 and the rest as a pair, for finite |x| >= 2^20."""
    f.needs.add(reduction_text())
    n, high, low = _each_lane(f, x)
    return n, pair_product(f, (high, low), (f.value(HALF_PI[0], "f64"), f.value(HALF_PI[1], "f64")))


def _each_lane(f: Formula, x: Value) -> tuple[Value, Value, Value]:
    """The results of the function for one lane, in all lanes: a loop over the lanes."""
    result = "{double, double, i64}"
    kinds = ("i64", "f64", "f64")
    if f.lanes == 1:
        found = f.assign(f"call {result} @{REDUCTION}(double {x.text})", "")
        parts = [
            f.assign(f"extractvalue {result} {found.text}, {k}", kind)
            for k, kind in ((2, "i64"), (0, "f64"), (1, "f64"))
        ]
        return parts[0], parts[1], parts[2]
    f.count += 1
    name, before = f"lanes{f.count}", f.block
    f.lines.append(f"  br label %{name}")
    f.start(name)
    f.lines.append(f"  %{name}i = phi i64 [0, %{before}], [%{name}n, %{name}]")
    for k, kind in enumerate(kinds):
        type = f.type(kind)
        f.lines.append(f"  %{name}a{k} = phi {type} [poison, %{before}], [%{name}b{k}, %{name}]")
    lane = f.assign(f"extractelement {f.type('f64')} {x.text}, i64 %{name}i", "")
    found = f.assign(f"call {result} @{REDUCTION}(double {lane.text})", "")
    for k, kind in enumerate(kinds):
        scalar = "i64" if kind == "i64" else "double"
        part = f.assign(f"extractvalue {result} {found.text}, {(k + 2) % 3}", "")
        f.lines.append(
            f"  %{name}b{k} = insertelement {f.type(kind)} %{name}a{k}, "
            f"{scalar} {part.text}, i64 %{name}i"
        )
    f.lines.append(f"  %{name}n = add i64 %{name}i, 1")
    more = f.assign(f"icmp ult i64 %{name}n, {f.lanes}", "")
    after = f"{name}after"
    f.lines.append(f"  br i1 {more.text}, label %{name}, label %{after}")
    f.start(after)
    values = [Value(f, f"%{name}b{k}", kind) for k, kind in enumerate(kinds)]
    return values[0], values[1], values[2]
