"""Programs with strings, built from staged values; see `programs.py`."""

from collections import namedtuple
from dataclasses import dataclass

import numpy as np
from numpy import array
from numpy import float64 as f64
from numpy import int64 as i64
from programs import program

SIGNS = [(f64(2.5),), (f64(-0.5),), (f64(0.0),), (f64(np.nan),), (f64(-np.inf),)]
COUNTS = [(i64(0),), (i64(1),), (i64(7),)]
ARRAYS = [(array([]),), (array([1.5]),), (array([3.0, -1.0, 2.25]),)]

Pair = namedtuple("Pair", "left right")


class TooLarge(ValueError):
    """An exception with a message of its own making."""

    def __init__(self, value, limit=3):
        super().__init__(f"{value} is above {limit}")
        self.value = value
        self.limit = limit


@dataclass
class Reading:
    """A value with a name."""

    name: str
    value: float


class Angle:
    """An object that makes its text with a staged condition."""

    def __init__(self, degrees):
        self.degrees = degrees

    def __str__(self):
        if self.degrees < 0:
            return f"{-self.degrees} to the left"
        return f"{self.degrees} to the right"

    def __repr__(self):
        return f"Angle({self.degrees!r})"

    def __format__(self, spec):
        return format(self.degrees, spec or ".1f") + " degrees"


@program(*SIGNS, staged=SIGNS)
def text_in_print(x):
    print(f"x is {x}")
    print(f"{x}", f"{x!r}", f"{x!s}", f"{x!a}", f"{x=}", sep="|")
    return f"{x}"


@program(*SIGNS, staged=SIGNS)
def text_with_formats(x):
    print(f"{x:.3f}|{x:>12}|{x:<12.2e}|{x:+}|{x:012.4f}|{x!r:>24}|{x:%}")
    return f"{x:g}"


@program(*COUNTS, staged=COUNTS)
def text_of_integers(n):
    return f"{n:d}", f"{n:>5}", f"{n:x}", f"{n:08b}", f"{n:,}", f"{n!r}", f"{n + 0.5}"


@program(*COUNTS, staged=COUNTS)
def text_with_a_width_that_varies(n):
    return f"{1.23456:.{n}f}", f"{'ab':>{n + 3}}", f"{n:{n + 1}}"


@program(*SIGNS, staged=SIGNS)
def text_of_truths(x):
    return f"{x > 0}", str(x > 0), repr(x > 0), f"{not x > 0}"


@program(*ARRAYS, staged=ARRAYS)
def text_of_arrays(xs):
    print(xs, f"{xs}", f"{xs!r}", str(xs), repr(xs * 2))
    return "{} and {!r}".format(xs, xs > 1)


@program(*SIGNS, staged=SIGNS)
def text_of_containers(x):
    print((x, 1), [x, "a"], {"k": x, 2: (x,)}, (x,), [[x], []], sep="; ")
    return f"{(x, None)} {[x]!r:}", str([x, (x, "it's")])


@program(*SIGNS, staged=SIGNS)
def text_of_a_named_tuple(x):
    pair = Pair(x, [x])
    print(pair)
    return f"{pair}", repr(pair)


@program(*SIGNS, staged=SIGNS)
def text_of_a_dataclass(x):
    reading = Reading("now", x * 2)
    print(reading)
    return f"{reading}", str([reading])


@program(*SIGNS, staged=SIGNS)
def text_of_an_object(x):
    angle = Angle(x)
    print(angle, [angle])
    return f"{angle}", f"{angle:.3f}", f"{angle!s}", f"{angle!r}", str(angle), repr(angle)


@program(*SIGNS, staged=SIGNS)
def text_that_is_chosen(x):
    size = "large" if x > 1 else "small"
    if x < 0:
        sign = f"minus {-x}"
    elif x > 0:
        sign = "plus"
    else:
        sign = "nothing"
    return size, sign, size + " " + sign


@program(*SIGNS, staged=SIGNS)
def text_of_a_message(x):
    message = f"x is {x}"
    if x > 1:
        raise ValueError(message)
    if x < 0:
        raise KeyError("low", x, message)
    return message


@program(*SIGNS, staged=SIGNS)
def text_of_an_own_exception(x):
    if x > 1:
        raise TooLarge(x)
    return x


@program(*SIGNS, staged=SIGNS)
def text_of_an_exception_with_a_tuple(x):
    if x > 1:
        raise RuntimeError(("pair", x), f"{x:.1f}")
    if x < 0:
        raise OSError(2, f"nothing at {x}", "file.txt")
    return x


@program(*SIGNS, staged=SIGNS)
def text_of_an_assertion(x):
    assert x > -1, f"{x} is too small"
    assert x < 2, (x, "is too large")
    return x


@program(*SIGNS, staged=SIGNS)
def text_then_an_exception(x):
    print(f"before {x}")
    raise ValueError(f"always, with {x}")


@program(*SIGNS, staged=SIGNS)
def text_by_percent(x):
    print("%s and %r" % (x, x))
    return "%.2f" % x, "%10s|" % x, "%s%%" % x, "%d of %s" % (3, x)


@program(*SIGNS, staged=SIGNS)
def text_by_format(x):
    template = "{0:>8} {name!r} {0}"
    return template.format(x, name=x), "{:.{}f}".format(x, 2), "{a[0]} {a[1]}".format(a=(x, 1))


@program(*SIGNS, staged=SIGNS)
def text_by_functions(x):
    return str(x) + "!", format(x, ".2f"), repr(x), ascii(x), "a" + repr(x) * 2


@program(*COUNTS, staged=COUNTS)
def text_that_grows(n):
    line = ""
    for i in range(n):
        line += f"{i},"
    return line


@program(*COUNTS, staged=COUNTS)
def text_that_is_counted_down(n):
    text, rest = "", n
    while rest > 0:
        text = text + str(rest % 2)
        rest = rest // 2
    return text or "0"


@program(*COUNTS, staged=COUNTS)
def text_that_is_compared(n):
    name = "even" if n % 2 == 0 else "odd"
    if name == "even":
        return n // 2
    assert name != "even" and name in ("odd", "even") and "d" in name
    return n * 3 + 1


@program(*SIGNS, staged=SIGNS)
def text_and_its_methods(x):
    text = f" {x} "
    trimmed = text.strip().upper()
    return trimmed, len(text), text.startswith(" -"), text.replace(".", ","), text[1], text[1:3]


@program(*SIGNS, staged=SIGNS)
def text_that_is_joined(x):
    parts = [str(x), "and", f"{x:.1f}"]
    return ", ".join(parts), "".join([str(v) for v in (x, x + 1)])


@program(*ARRAYS, staged=ARRAYS)
def text_that_is_joined_in_a_loop(xs):
    return ", ".join(f"{x:.1f}" for x in xs if x > 0), "; ".join([str(x) for x in xs])


@program(*ARRAYS, staged=ARRAYS)
def text_in_a_list(xs):
    names = []
    for x in xs:
        names.append("positive" if x > 0 else f"not {x}")
    print(names)
    return names, len(names)


@program(*ARRAYS, staged=ARRAYS)
def text_of_a_list_that_grows(xs):
    kept = [x for x in xs if x > 0]
    print(f"kept {kept}", kept, str(kept))
    return f"{len(kept)} of {len(xs)}"


@program(*COUNTS, staged=COUNTS)
def text_by_cases(n):
    if n == 0:
        return "none"
    if n == 1:
        return "one"
    return f"{n} things"


@program(*COUNTS, staged=COUNTS)
def text_of_an_error_of_pythons(n):
    if n > 3:
        return f"{n:.2z}"
    return ""


@program(*SIGNS, staged=SIGNS)
def text_added_to_a_number(x):
    text = f"{x}"
    if x > 1:
        return text * 2
    return text + "" + text[-1]


@program(*COUNTS, staged=COUNTS)
def text_formatted_in_order(n):
    state = [n]

    def change():
        state[0] = state[0] + 1
        return ""

    return f"{state} {change()}{state} {change()}{state[0]}"


@program(*ARRAYS, staged=ARRAYS)
def text_of_an_array_before_it_changes(xs):
    before = f"{xs}"
    xs[:] = 0
    return before, f"{xs}"
