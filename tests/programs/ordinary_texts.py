"""Functions of `math` of many numbers, and methods of texts that a run makes."""

import hashlib
import math
import zlib

import numpy as np
from support.engine_runs import Cases
from support.small_arrays import INTS, A, B, E, N

CASES = Cases()
program = CASES.program


@program(INTS, A, N, E)
def encoded(x):
    t = "".join(chr(97 + int(abs(v))) for v in x)
    b = t.encode()
    return b, len(b), sum(b)


@program(INTS, A, N, E)
def translated(x):
    t = "".join(chr(97 + int(abs(v))) for v in x)
    return t.translate(str.maketrans("abc", "xyz")), t.encode("utf-8"), t.encode("ascii", "ignore")


NAN = np.array([1.0, np.nan, np.inf])


@program(A, E, INTS, N, NAN)
def m_fsum(x):
    z = [v for v in x if v > 1]
    return math.fsum(z), math.fsum(x), math.fsum(v * 2 for v in x)


@program(A, E, INTS, N, NAN)
def m_prod(x):
    z = [v for v in x if v > 1]
    return math.prod(z), math.prod(x), math.prod(v * 2 for v in x), math.prod(z, start=2)


@program(A, E, INTS, N, NAN)
def m_dist(x):
    z = [v for v in x if v > 1]
    return math.dist(z, z), math.dist(x, x * 2), math.dist(x.tolist(), [0.0] * len(x))


@program((A, B[0]), (E, E), (A[:2], A[:2]), (A, E))
def m_dist2(x, y):
    return math.dist(x, y)


@program(A, E, INTS, N, NAN)
def m_hypot(x):
    z = [v for v in x if v > 1]
    return math.hypot(*z), math.hypot(*x), math.hypot(3.0, *z), math.hypot(*(v * 2 for v in x))


@program(A, E, INTS, N, A[:2])
def m_atan2(x):
    z = [v for v in x if v > 1]
    return math.atan2(*z)


@program(A, E, INTS, N, NAN)
def m_many(x):
    out = []
    for v in x:
        if v > 0:
            out.append(
                (
                    math.sqrt(v),
                    math.isqrt(int(min(v, 9.0))),
                    math.copysign(v, -1.0),
                    math.log(v),
                    math.log(v, 2),
                    math.log2(v),
                    math.log10(v),
                    math.log1p(v),
                    math.exp(-v),
                    math.expm1(-v),
                )
            )
    return out


@program(INTS, E)
def m_ints(x):
    out = []
    for v in x:
        n = int(v)
        out.append(
            (
                math.factorial(n),
                math.comb(5, n),
                math.perm(5, n),
                math.gcd(n, 6),
                math.lcm(n, 4),
                n.bit_length(),
                bin(n),
                hex(n),
                oct(n),
            )
        )
    return out


@program(INTS, A, N, E)
def text_methods(x):
    t = "".join(chr(97 + int(abs(v))) for v in x)
    return (
        t.upper(),
        t.title(),
        t.center(9, "*"),
        t.zfill(5),
        t.swapcase(),
        t.capitalize(),
        t.find("c"),
        t.rfind("b"),
        t.count("b"),
        t.startswith("d"),
        t.endswith(("b", "c")),
        t.replace("b", "--"),
        t.isalpha(),
        t.islower(),
        t.strip("d"),
        t.partition("b"),
        t.split("b"),
        t.expandtabs(),
        t.isdigit(),
        t.casefold(),
        t.ljust(5, "."),
        t.removeprefix("d"),
        t.removesuffix("c"),
        t.rpartition("b"),
        t.splitlines(),
        t.isidentifier(),
    )


@program(INTS, A, N, E)
def text_index(x):
    t = "".join(chr(97 + int(abs(v))) for v in x)
    return t.index("c"), t.rindex("c")


@program(INTS, A, N, E)
def text_slices(x):
    t = "".join(chr(97 + int(abs(v))) for v in x)
    n = int(np.sum(x > 1))
    return (
        t[::-1],
        t[:n],
        t[n:],
        t[-1:],
        t * n,
        n * "ab",
        t == t[::-1],
        "b" in t,
        sorted(t),
        list(t),
        set(t) == {"b"},
        max(t, default=""),
        t < "c",
        [ord(c) for c in t],
        t[1:2],
    )


@program(INTS, A, N, E)
def translated2(x):
    t = "".join(chr(97 + int(abs(v))) for v in x)
    table = str.maketrans({"a": "1", "b": None, "c": "xyz"})
    return (
        t.translate(table),
        t.translate({100: "D", 99: 65}),
        t.translate(str.maketrans("ab", "ba", "d")),
    )


@program(INTS, A, N, E)
def encoded2(x):
    t = "".join(chr(97 + int(abs(v))) for v in x)
    h = 0
    for b in t.encode():
        h = (h * 31 + b) % 1000003
    return (
        h,
        t.encode().hex(),
        t.encode().decode(),
        t.encode() == b"dbc",
        t.encode()[0] if t else None,
    )


@program(INTS, A, N, E)
def hashed(x):
    t = "".join(chr(97 + int(abs(v))) for v in x)
    return zlib.crc32(t.encode()), hashlib.md5(t.encode()).hexdigest()
