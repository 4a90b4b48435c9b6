"""Thorough exercises of standard library modules: the results that a copy of a module computes.

    exercise("heapq", module)       [("heappush", "NoneType: None"), ("heappop", "int: 3"), ...]

The same calls on two copies of a module give the same list, or the copies differ.  Every exercise
is deterministic: its random numbers come from a seed.

The file is long because it is a collection of independent programs.
"""

import math
import random
import statistics
from decimal import Decimal
from fractions import Fraction
from itertools import islice, product


class Calls:
    """A list of calls with what they returned or raised."""

    def __init__(self):
        self.made = []

    def __call__(self, label, function, *arguments, **keywords):
        """Calls a function; notes and returns the result, or notes the exception."""
        try:
            result = function(*arguments, **keywords)
        except Exception as error:
            self.note(label, f"{type(error).__name__}: {error}")
            return None
        self.note(label, shown(result))
        return result

    def note(self, label, text):
        self.made.append((label, text))


def shown(value) -> str:
    """A value with its type; floats to the last bit."""
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return f"{type(value).__name__}[{', '.join(map(shown, value))}]"
    if isinstance(value, float):
        return f"{type(value).__name__}: {value.hex()}"
    return f"{type(value).__name__}: {value!r}"


class Watched:
    """An item that notes each comparison it takes part in, and refuses some."""

    def __init__(self, value, log, bad=None):
        self.value = value
        self.log = log
        self.bad = bad

    def __lt__(self, other):
        self.log.append(f"{self.value}<{other.value}")
        if self.bad in (self.value, other.value):
            raise ValueError(f"{self.value} cannot be compared to {other.value}")
        return self.value < other.value

    def __repr__(self):
        return f"<{self.value}>"


def exercise(name: str, module) -> list[tuple[str, str]]:
    """What a copy of the module of this name computes, call by call."""
    calls = Calls()
    EXERCISES[name](module, calls)
    return calls.made


# -- heapq -----------------------------------------------------------------------------------------


def exercise_heapq(m, calls):
    draw = random.Random(1)
    for size in (0, 1, 2, 3, 4, 7, 8, 20, 65):
        heap = [draw.randrange(40) for _ in range(size)]
        most = list(heap)
        calls("heapify", m.heapify, heap)
        calls("_heapify_max", m._heapify_max, most)
        calls.note("heap", shown(heap) + shown(most))
        for _ in range(4):
            item = draw.randrange(40)
            calls("heappush", m.heappush, heap, item)
            calls("heappushpop", m.heappushpop, heap, item + draw.randrange(-9, 9))
            calls("heapreplace", m.heapreplace, heap, item - 3)
            calls("_heapreplace_max", m._heapreplace_max, most, item)
            calls("_heappop_max", m._heappop_max, most)
            calls.note("heap", shown(heap) + shown(most))
        while heap:
            calls("heappop", m.heappop, heap)
        calls("heappop", m.heappop, heap)
        calls("heapreplace", m.heapreplace, heap, 1)
        calls("heappushpop", m.heappushpop, heap, 1)
    exercise_selections(m, calls, draw)
    exercise_merge(m, calls, draw)
    exercise_comparisons(m, calls)


def exercise_selections(m, calls, draw):
    for size, n in product((0, 1, 5, 12, 40), (-1, 0, 1, 2, 5, 39, 40, 41)):
        items = [draw.randrange(15) for _ in range(size)]
        for key in (None, lambda x: -x, lambda x: (x % 3, x), str):
            calls(f"nlargest {n}", m.nlargest, n, items, key)
            calls(f"nsmallest {n}", m.nsmallest, n, iter(items), key=key)
    calls("nlargest", m.nlargest, 2, [1, "a", 3])
    calls("nsmallest", m.nsmallest, 1, [1j, 2j])
    calls("nsmallest", m.nsmallest, 3, [4, 0, 2, 1], key=lambda x: 1 / x)
    calls("nlargest", m.nlargest, "2", [1, 2, 3])
    calls("nlargest", m.nlargest, 2, None)


def exercise_merge(m, calls, draw):
    for count, size in product((0, 1, 2, 3, 5), (0, 1, 3, 9)):
        runs = [sorted(draw.randrange(30) for _ in range(size)) for _ in range(count)]
        down = [run[::-1] for run in runs]
        calls("merge", lambda: list(m.merge(*runs)))
        calls("merge key", lambda: list(m.merge(*runs, key=lambda x: x // 4)))
        calls("merge reverse", lambda: list(m.merge(*down, reverse=True)))
        calls("merge both", lambda: list(m.merge(*down, key=lambda x: x // 4, reverse=True)))
        calls("merge some", lambda: list(islice(m.merge(*runs), 4)))
    calls("merge", lambda: list(m.merge([1, 2], ["a"])))
    calls("merge", lambda: list(m.merge([1, 2], None)))
    calls("merge key", lambda: list(m.merge([1, 2], [0, 4], key=lambda x: 1 / (x - 2))))

    def failing(log):
        try:
            yield 1
            yield 5
            raise RuntimeError("no more")
        finally:
            log.append("closed")

    log = []
    calls("merge", lambda: [log.append(x) or x for x in m.merge([2, 3, 9], failing(log))])
    stopped = m.merge([0, 2], failing(log))
    calls("next", lambda: [next(stopped), next(stopped)])
    calls("close", stopped.close)
    calls("next", next, stopped)
    calls.note("log", shown(log))


def exercise_comparisons(m, calls):
    for bad in (None, 3, 11):
        log = []
        items = [Watched(i * 7 % 13, log, bad) for i in range(13)]
        calls("heapify", m.heapify, items)
        calls("heappush", m.heappush, items, Watched(4, log, bad))
        calls("heappop", m.heappop, items)
        calls("heapreplace", m.heapreplace, items, Watched(20, log, bad))
        calls("nsmallest", m.nsmallest, 3, items)
        calls("nlargest", m.nlargest, 3, items)
        calls("merge", lambda: list(m.merge(items[:3], items[3:6])))
        calls.note("items", repr(items))
        calls.note("comparisons", shown(log))


# -- bisect ----------------------------------------------------------------------------------------


def exercise_bisect(m, calls):
    draw = random.Random(2)
    searches = ("bisect", "bisect_left", "bisect_right")
    for size, name in product((0, 1, 2, 3, 10, 33), searches):
        items = sorted(draw.randrange(25) for _ in range(size))
        search = getattr(m, name)
        for x in range(-1, 26, 3):
            calls(f"{name} {x}", search, items, x)
            calls(f"{name} {x} lo hi", search, items, x, 1, max(size - 1, 0))
        calls(f"{name} key", search, items, 4, key=lambda item: item // 3)
        calls(f"{name} key", search, items[::-1], -9, key=lambda item: -item)
        calls(f"{name} lo", search, items, 5, lo=-1)
        calls(f"{name} hi", search, items, 5, 0, size + 3)
        calls(f"{name} type", search, items, "a")
        calls(f"{name} none", search, None, 4)
    for name in ("insort", "insort_left", "insort_right"):
        for key in (None, lambda item: -item, lambda item: item % 5):
            items = []
            for _ in range(20):
                calls(name, getattr(m, name), items, draw.randrange(12), key=key)
                calls.note("items", shown(items))
        calls(name, getattr(m, name), (1, 2), 1)
        calls(name, getattr(m, name), [1, 2], 1, lo=-4)
        calls(name, getattr(m, name), [0, 1, 2], 0, key=lambda item: 1 / item)
    for bad, name in product((None, 4), searches):
        log = []
        items = [Watched(i, log, bad) for i in (1, 2, 2, 4, 6, 8)]
        for x in (0, 2, 5, 9):
            calls(name, getattr(m, name), items, Watched(x, log, bad))
        calls.note("comparisons", shown(log))


# -- colorsys --------------------------------------------------------------------------------------


def exercise_colorsys(m, calls):
    steps = (0.0, 0.1, 0.25, 0.5, 0.7, 1.0)
    names = [f"{a}_to_{b}" for x in ("yiq", "hls", "hsv") for a, b in (("rgb", x), (x, "rgb"))]
    for name, colour in product(names, product(steps, repeat=3)):
        calls(f"{name}{colour}", getattr(m, name), *colour)
    odd = [(0, 0, 0), (1, 1, 1), (2, -1, 0.5), (-1, -1, -1), (math.nan, 0, 1), (math.inf, 1, 0)]
    odd += [("a", 1, 2), (None, 0, 0), (1, 0, None), (1j, 0, 0), (Fraction(1, 3), 0, 1)]
    for name, colour in product(names, odd):
        calls(f"{name}{colour}", getattr(m, name), *colour)
        calls(f"{name} two", getattr(m, name), *colour[:2])


# -- textwrap --------------------------------------------------------------------------------------

TEXTS = (
    "",
    " ",
    "word",
    "This is a paragraph that already has line\nbreaks.  But some lines are longer.",
    "Look, goof-ball -- use the -b option!",
    'Did you say "supercalifragilisticexpialidocious?"\nHow *do* you spell that odd word, anyways?',
    "\tTabs\tand  double  spaces. And sentences.  Ends here! Does it? e.g. no.",
    "em-dash---here, and--there; foo---bar --option-name=value 5-4-3 x-y-",
    "  leading and trailing  \n\n\n  blank lines \n",
    "nobreak\u00a0space and \u2003em space and caf\u00e9s na\u00efve",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bb c",
)

SETTINGS = (
    {},
    {"initial_indent": "* ", "subsequent_indent": "    "},
    {"expand_tabs": False},
    {"tabsize": 3, "replace_whitespace": False},
    {"fix_sentence_endings": True},
    {"break_long_words": False},
    {"break_on_hyphens": False},
    {"drop_whitespace": False},
    {"max_lines": 1},
    {"max_lines": 2, "placeholder": "~"},
    {"max_lines": 2, "placeholder": " [more of this]", "initial_indent": ">>>>"},
    {"max_lines": 0},
)

INDENTED = (
    "",
    "one line",
    "    a\n    b\n",
    "    a\n      b\n  c\n",
    "\ta\n\t\tb\n",
    "\ta\n    b\n",
    "  a\n\n   \n  b",
    "  a\r\n  b\r\n",
    "  \n\t\n",
    "    def f():\n        return 1\n\n    # end\n",
)


def exercise_textwrap(m, calls):
    for text, settings, width in product(TEXTS, SETTINGS, (-1, 0, 6, 20, 70)):
        calls(f"wrap {settings}", m.wrap, text, width, **settings)
        calls(f"fill {settings}", m.fill, text, width=width, **settings)
    for text, width in product(TEXTS, (0, 4, 5, 12, 40)):
        calls("shorten", m.shorten, text, width)
        calls("shorten", m.shorten, text, width, placeholder="...", fix_sentence_endings=True)
    for text in INDENTED:
        calls("dedent", m.dedent, text)
        calls("indent", m.indent, text, "> ")
        calls("indent", m.indent, text, "--", lambda line: True)
        calls("indent", m.indent, text, "--", predicate=lambda line: "b" in line)
        calls("indent", m.indent, text, "", lambda line: 1 / len(line.strip()))
    wrapper = m.TextWrapper(width=12)
    for text in TEXTS:
        wrapper.break_on_hyphens = not wrapper.break_on_hyphens
        calls("split", wrapper._split, text)
        calls("munge", wrapper._munge_whitespace, text)
        calls("wrap", wrapper.wrap, text)
    for bad in (None, 3, b"bytes", ["a"]):
        for name in ("wrap", "fill", "dedent"):
            calls(f"{name} {bad!r}", getattr(m, name), bad)
        calls(f"shorten {bad!r}", m.shorten, bad, 10)
        calls(f"indent {bad!r}", m.indent, bad, "  ")
    calls("TextWrapper", m.TextWrapper, 3, "a", no_such=1)
    calls("wrap", m.wrap, "some words", "wide")


# -- statistics ------------------------------------------------------------------------------------

OF_ONE = (
    "mean fmean geometric_mean harmonic_mean median median_low median_high median_grouped mode "
    "multimode pstdev pvariance stdev variance quantiles"
).split()

NUMBERS = (
    [],
    [1],
    [-1],
    [0],
    [1, 2, 3, 4],
    [3, 1, 2, 2, 5],
    [1.5, 2.5, 2.75, 9.0],
    [0.1] * 10,
    [1e30, 1, -1e30],
    [True, False, True],
    [Fraction(1, 3), Fraction(5, 7), 2],
    [Decimal("0.1"), Decimal("2.75"), Decimal("1.5")],
    [Decimal("sNaN"), Decimal(1)],
    [math.inf, 1.0],
    [math.inf, -math.inf],
    [math.nan, 1.0],
    [0.0, 3.0],
    [-1.0, 2.0, 5],
    [1, Decimal(2)],
    [1.0, Decimal(2)],
    [Fraction(1, 2), 0.5],
    ["a", "b", "a"],
    "aabbbbccddddeeffffgg",
    [1, "a"],
    [None],
    [1j, 2],
    None,
    7,
    range(10),
)


def exercise_statistics(m, calls):
    for name, numbers in product(OF_ONE, NUMBERS):
        calls(f"{name} {numbers!r}", getattr(m, name), numbers)
        calls(f"{name} iterator", lambda: getattr(m, name)(iter(numbers)))
    exercise_settings(m, calls)
    exercise_relations(m, calls)
    exercise_sums(m, calls)
    exercise_normal(m, calls)
    if hasattr(m, "kde"):
        exercise_density(m, calls)


def exercise_settings(m, calls):
    data = [2, 4, 4, 4, 5, 5, 7, 9]
    for n, method in product((0, 1, 2, 4, 10), ("exclusive", "inclusive", "other")):
        calls(f"quantiles {n}", m.quantiles, data, n=n, method=method)
        calls(f"quantiles {n}", m.quantiles, [3], n=n, method=method)
    for weights in (None, [1] * 8, range(8), [0] * 8, [1, 2], [-1] + [1] * 7, ["a"] * 8):
        calls(f"fmean {weights}", m.fmean, data, weights)
        calls(f"harmonic_mean {weights}", m.harmonic_mean, data, weights)
    for interval in (1, 2, 0.5, Fraction(1, 2), "a", 0):
        calls(f"median_grouped {interval}", m.median_grouped, data, interval)
    for centre in (None, 5, 5.0, Fraction(5), Decimal(5), "a"):
        for name in ("pvariance", "variance", "pstdev", "stdev"):
            calls(f"{name} {centre!r}", getattr(m, name), data, centre)


def exercise_relations(m, calls):
    draw = random.Random(3)
    pairs = [([], []), ([1], [2]), ([1, 2], [3]), ([1, 1], [2, 3]), ([1, 2, 3], [1, 1, 1])]
    pairs += [([1, "a"], [2, 3]), (None, [1]), ([1, 2], [math.nan, 2])]
    for size in (2, 3, 8):
        pairs.append([[draw.randrange(9) / 2 + i for i in range(size)] for _ in "xy"])
        pairs.append([[Fraction(draw.randrange(1, 9), 3) + i for i in range(size)] for _ in "xy"])
    for x, y in pairs:
        calls(f"covariance {x} {y}", m.covariance, x, y)
        calls(f"correlation {x} {y}", m.correlation, x, y)
        calls(f"regression {x} {y}", m.linear_regression, x, y)
        calls(f"regression {x} {y}", m.linear_regression, x, y, proportional=True)
        for method in ("ranked", "linear", "other"):
            calls(f"{method} {x} {y}", m.correlation, x, y, method=method)


def exercise_sums(m, calls):
    for numbers in NUMBERS:
        calls(f"_sum {numbers!r}", m._sum, numbers)
        calls(f"_ss {numbers!r}", m._ss, numbers)
    for n in (0, 1, 2, 3, 4, 24, 25, 10**20 + 1, 2**120):
        for d in (1, 2, 9, 10**18):
            calls(f"root {n}/{d}", m._float_sqrt_of_frac, n, d)
            calls(f"root {n}/{d}", m._decimal_sqrt_of_frac, n, d)
    kinds = (int, float, bool, Fraction, Decimal, str)
    for one, other in product(kinds, kinds):
        calls(f"_coerce {one} {other}", m._coerce, one, other)
    for value, kind in product((Fraction(3, 4), Fraction(2), math.inf, 5), kinds):
        calls(f"_convert {value} {kind}", m._convert, value, kind)
    for value in (1, 2.5, Fraction(1, 3), Decimal("0.1"), math.nan, math.inf, "1", None, 1j):
        calls(f"_exact_ratio {value!r}", m._exact_ratio, value)
        calls(f"_isfinite {value!r}", m._isfinite, value)


def exercise_normal(m, calls):
    for mu, sigma in ((0, 1), (100, 15), (2.5, 0), (1, -1), ("a", 1), (Fraction(1, 2), 2)):
        one = calls(f"NormalDist({mu}, {sigma})", m.NormalDist, mu, sigma)
        if one is None:
            continue
        for x in (-3, 0, 0.5, 1, 120, math.inf, "x"):
            for name in ("pdf", "cdf", "inv_cdf", "zscore"):
                calls(f"{name} {x}", getattr(one, name), x)
            calls(f"+ {x}", lambda x=x: [one + x, x + one, one - x, x - one])
            calls(f"* {x}", lambda x=x: [one * x, x * one, one / x])
        for p in (1e-20, 0.01, 0.3, 0.5, 0.8, 0.975, 1 - 1e-12, 0, 1):
            calls(f"inv_cdf {p}", one.inv_cdf, p)
        for n in (1, 2, 4, 10):
            calls(f"quantiles {n}", one.quantiles, n)
        calls("samples", one.samples, 5, seed=11)
        calls("properties", lambda: [one.mean, one.median, one.mode, one.stdev, one.variance])
        calls("signs", lambda: [+one, -one, hash(one) == hash(+one), repr(one)])
        for other in (m.NormalDist(0, 1), m.NormalDist(4, 2), m.NormalDist(3, 0), 3):
            calls("overlap", one.overlap, other)
            calls("sum", lambda other=other: [one + other, one - other, one == other])
        calls("assign", lambda: setattr(one, "mean", 3))
    for data in ([1, 2, 3], [5], [], [1.5, "a"]):
        calls(f"from_samples {data}", m.NormalDist.from_samples, data)


def exercise_density(m, calls):
    kernels = ("normal", "logistic", "sigmoid", "rectangular", "triangular", "parabolic")
    kernels += ("quartic", "triweight", "cosine", "gauss")
    for kernel, cumulative in product(kernels, (False, True)):
        estimate = m.kde([-2.1, -1.3, -0.4, 1.9, 5.1], 1.5, kernel, cumulative=cumulative)
        for x in (-9, -2, -0.5, 0, 1.25, 4, 30):
            calls(f"kde {kernel} {x}", estimate, x)
        draw = m.kde_random([-2.1, -1.3, 1.9], 1.5, kernel, seed=8)
        calls(f"kde_random {kernel}", lambda draw=draw: [draw() for _ in range(6)])
    calls("kde other", m.kde, [1.0], 2.0, "other")
    calls("kde_random other", m.kde_random, [1.0], 2.0, "other")
    for data, h in (([], 1.0), (["a"], 1.0), ([1.0], 0.0), ([1.0], -2)):
        calls(f"kde {data} {h}", m.kde, data, h)
        calls(f"kde_random {data} {h}", m.kde_random, data, h)


# -- fractions -------------------------------------------------------------------------------------

MADE_OF = (
    (),
    (3,),
    (-6, 4),
    (0, 5),
    (1, 0),
    ("7/3",),
    (" -12/8 \n",),
    ("1.25",),
    ("-.5e-3",),
    ("1_000/3_0",),
    ("3/0",),
    ("1/",),
    ("a/b",),
    ("",),
    (0.1,),
    (math.nan,),
    (math.inf,),
    (Decimal("1.1"),),
    (Decimal("sNaN"),),
    (Fraction(1, 3), Fraction(2, 5)),
    (True, 3),
    (1.5, 2),
    (1, 2.5),
    ("1", 2),
    (None,),
    (1j,),
    (1, 2, 3),
)

FORMATS = (
    "",
    ".2f",
    "+.3f",
    " 10.1f",
    "010.2f",
    "<10.2f",
    "*^12.3e",
    ".4g",
    "#.3g",
    ",.2f",
    "_.1f",
    "%",
    ".1%",
    "z.0f",
    "G",
    "E",
    "d",
    "x",
    ".2",
    "q",
    "=+20.2f",
)


def exercise_fractions(m, calls):
    for arguments in MADE_OF:
        calls(f"Fraction{arguments}", m.Fraction, *arguments)
    values = [m.Fraction(*a) for a in ((0,), (1,), (-1, 2), (7, 3), (10**20, 3), (5, -15))]
    others = [0, 1, -3, 0.5, -0.0, math.inf, math.nan, 1j, True, Decimal("0.5"), "1", None, [1]]
    for one in values:
        exercise_fraction(one, calls)
        for other in (*values, *others):
            exercise_pair(one, other, calls)
        for style in FORMATS:
            calls(f"format {one} {style!r}", format, one, style)
    for number in (0.3, -2.5, 0.0, 3, True, math.inf, math.nan, Decimal("0.1"), "0.3", None):
        calls(f"from_float {number!r}", m.Fraction.from_float, number)
        calls(f"from_decimal {number!r}", m.Fraction.from_decimal, number)
    for number, limit in product((math.pi, -math.e, 0.1, 3.0), (0, 1, 7, 100, 10**6)):
        calls(f"limit {number}", m.Fraction(number).limit_denominator, limit)
    calls("sum", lambda: sum((m.Fraction(1, n) for n in range(1, 40)), m.Fraction(0)))
    calls("sorted", lambda: sorted(m.Fraction(n * 7 % 11, 5) for n in range(11)))
    calls("mean", lambda: statistics.mean([m.Fraction(1, 3), m.Fraction(1, 2)]))


def exercise_fraction(one, calls):
    for function in (int, float, complex, bool, abs, hash, repr, str, math.floor, math.ceil):
        calls(f"{function.__name__} {one}", function, one)
    calls(f"signs {one}", lambda: [+one, -one, math.trunc(one), one.numerator, one.denominator])
    for digits in (None, -2, 0, 1, 5, "a"):
        calls(f"round {one} {digits}", lambda digits=digits: round(one, digits))
    calls(f"parts {one}", lambda: [one.real, one.imag, one.conjugate(), one.as_integer_ratio()])
    if hasattr(one, "is_integer"):
        calls(f"is_integer {one}", one.is_integer)
    calls(f"copies {one}", lambda: one.__copy__() is one and one.__deepcopy__({}) is one)
    calls(f"reduced {one}", lambda: one.__reduce__()[1])
    calls(f"assign {one}", lambda: setattr(one, "numerator", 1))


OPERATIONS = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "//": lambda x, y: x // y,
    "%": lambda x, y: x % y,
    "divmod": divmod,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}


def exercise_pair(one, other, calls):
    for sign, operation in OPERATIONS.items():
        calls(f"{one} {sign} {other}", operation, one, other)
        calls(f"{other} {sign} {one}", operation, other, one)
    if not isinstance(other, type(one)) or abs(other) < 1000:
        calls(f"{one} ** {other}", lambda: one**other)
        if abs(one) < 1000:
            calls(f"{other} ** {one}", lambda: other**one)


EXERCISES = {
    "heapq": exercise_heapq,
    "bisect": exercise_bisect,
    "colorsys": exercise_colorsys,
    "textwrap": exercise_textwrap,
    "statistics": exercise_statistics,
    "fractions": exercise_fractions,
}
