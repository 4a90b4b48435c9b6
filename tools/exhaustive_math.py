"""Checks the formulas in single precision for all arguments, or for every n-th.

    python tools/exhaustive_math.py                every 1,021st of 2^32 bit patterns
    python tools/exhaustive_math.py exp --stride 1

Each result is compared with NumPy's in double precision.  Prints the largest error in units in the
last place; the status is 1 if one is above 2, or if a zero has the wrong sign.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from vector_library import compiled  # noqa: E402
from vector_references import errors_in_ulp, expected  # noqa: E402

from runtime.engines.native.vector_math import SHORT  # noqa: E402

PART = 1 << 20
LANES = 16
MOST = 2.0


def check(name: str, stride: int) -> bool:
    """Prints the largest error of a function; whether all results are right."""
    function = compiled((name,), "f32", LANES, True)[name]
    worst, at, faults = 0.0, np.float32(0), 0
    for start in range(0, 1 << 32, PART * stride):
        end = min(start + PART * stride, 1 << 32)
        x = np.arange(start, end, stride, dtype=np.uint64).astype(np.uint32).view(np.float32)
        found, wide = function(x)[0], expected(name, x)
        errors = errors_in_ulp(found, wide)
        zeros = found == 0
        faults += int(np.count_nonzero(np.signbit(found[zeros]) != np.signbit(wide[zeros])))
        if errors.max() > worst:
            worst, at = float(errors.max()), x[np.argmax(errors)]
    print(f"{name:<10} {worst:6.3f} at {at!r}; signs of zeros that are wrong: {faults}", flush=True)
    return worst <= MOST and not faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="by default all")
    parser.add_argument("--stride", type=int, default=1021)
    options = parser.parse_args()
    return int(not all([check(name, options.stride) for name in options.names or SHORT["f32"]]))


if __name__ == "__main__":
    raise SystemExit(main())
