"""The vector math, beside NumPy's functions: time for each element."""

import ctypes
import statistics

import numpy as np

from benchmarks.timing import benchmark, timed
from runtime.engines.native import machine
from runtime.engines.native.vector_math import ARITIES, library, symbol

COUNT = 16_384
KINDS = {"f32": ("float", np.float32, 32), "f64": ("double", np.float64, 16)}
NUMPY = {
    "sigmoid": lambda x, out=None: np.divide(1, 1 + np.exp(-x), out=out),
    "pow": np.power,
}
LOOP = """
define void @loop(ptr %a, ptr %b, ptr %out) {{
entry:
  br label %body
body:
  %i = phi i64 [0, %entry], [%next, %body]
  %pa = getelementptr {scalar}, ptr %a, i64 %i
  %pb = getelementptr {scalar}, ptr %b, i64 %i
  %po = getelementptr {scalar}, ptr %out, i64 %i
  %x0 = load {type}, ptr %pa, align 4
  %x1 = load {type}, ptr %pb, align 4
  %y = call {type} @{symbol}({given})
  store {type} %y, ptr %po, align 4
  %next = add i64 %i, {lanes}
  %more = icmp ult i64 %next, {count}
  br i1 %more, label %body, label %exit
exit:
  ret void
}}
"""


@benchmark("vector-math")
def vector_math(rounds):
    """Each function on 16,384 numbers between 0.1 and 0.9; those of arccosh are larger by 1."""
    print(f"\nvector math, ns for each element ({rounds} rounds)")
    for kind in KINDS:
        print(f"  {kind}        {'own':>8}{'NumPy':>9}{'ratio':>8}")
        for name in ARITIES:
            if name != "erf":  # NumPy has none
                own, numpy = medians(name, kind, rounds)
                print(f"  {name:<10} {own:8.2f}{numpy:9.2f}{own / numpy:8.2f}")


def medians(name, kind, rounds):
    """Nanoseconds for each element: of the vector math, and of NumPy."""
    dtype = KINDS[kind][1]
    given = [
        (np.random.default_rng(seed).uniform(0.1, 0.9, COUNT) + (name == "arccosh")).astype(dtype)
        for seed in range(ARITIES[name])
    ]
    out = np.empty(COUNT, dtype)
    code, run = compiled(name, kind)
    function = NUMPY.get(name) or getattr(np, name)
    pointers = [x.ctypes.data for x in (given[0], given[-1], out)]
    run(*pointers)
    if not np.allclose(out, function(*given), rtol=1e-5 if kind == "f32" else 1e-13, atol=0):
        raise SystemExit(f"{name}: the vector math and NumPy give different results")
    contestants = lambda: run(*pointers), lambda: function(*given, out=out)  # noqa: E731
    times = [[timed(contestant)[1] for contestant in contestants] for _ in range(rounds * 4)]
    del code
    return [statistics.median(column) / COUNT * 1e9 for column in zip(*times, strict=True)]


def compiled(name, kind):
    """The machine code of a loop over a function, and the function of ctypes that runs it."""
    scalar, _, lanes = KINDS[kind]
    type = f"<{lanes} x {scalar}>"
    loop = LOOP.format(
        scalar=scalar,
        type=type,
        given=", ".join(f"{type} %x{k}" for k in range(ARITIES[name])),
        symbol=symbol(name, kind, lanes),
        lanes=lanes,
        count=COUNT,
    )
    code = machine.assembled(library([(name, kind, lanes)], fma=True) + loop, {}, "loop")
    return code, ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(code.address)
