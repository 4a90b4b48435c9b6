"""Looks for programs whose meaning a conversion changes: python tools/fuzz.py [--seconds N]

Random programs (tests/random_programs.py) run as they are, and converted, on a few inputs.  Where
the two differ in anything that can be seen, the program is made smaller until nothing more can go,
and printed with both outcomes.  Exit status: 1 where a difference was found.

    python tools/fuzz.py --kind generator --first 5000 --seconds 120
"""

import argparse
import random
import signal
import sys
import time
import warnings
from contextlib import contextmanager
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "tests")]

from random_programs import PRELUDE, Writer, load, outcome  # noqa: E402
from reduce import smaller  # noqa: E402

import autograph  # noqa: E402

INPUTS = (0, 1, 2, 3)
PATIENCE = 0.5  # seconds that a smaller program may take: it may have lost what makes it end


class TooLong(BaseException):
    """Ends a program that does not end by itself."""


@contextmanager
def patience():
    """Raises TooLong in a program that takes too long, again and again: it may swallow it."""

    def stop(number, frame):
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE, PATIENCE / 10)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def outcomes(source, kind, x):
    """What a program does as it is and converted."""
    found = []
    for change in (lambda f: f, autograph.to_graph):
        module = load(source, f"<program {hash(source)}>")
        fn = change(module.f)
        with patience():
            found.append(outcome(module, fn, kind, x))
    return found


def differs(source, kind, x):
    """Whether the two outcomes of a program differ, which is one that ends."""
    try:
        original, converted = outcomes(source, kind, x)
    except (TooLong, SyntaxError):
        return False
    return original != converted and "TooLong" not in repr((original, converted))


def report(source, kind, x, seed):
    """Prints the smallest program found that still differs."""
    text = source.removeprefix(PRELUDE)
    limit = time.monotonic() + 60
    text = smaller(
        text,
        lambda t: time.monotonic() < limit and differs(f"{PRELUDE}\n\n{t}\n", kind, x),
    )
    original, converted = outcomes(f"{PRELUDE}\n\n{text}\n", kind, x)
    print(
        f"seed {seed}, {kind}, x = {x}\n\n{text}\n\noriginal:  {original}\nconverted: {converted}"
    )


def main() -> int:
    """Runs until the time is over or a difference is found."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--kind", choices=("function", "generator", "async"), default="function")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    end = time.monotonic() + options.seconds
    seed, programs = options.first, 0
    while time.monotonic() < end:
        source = Writer(random.Random(seed), options.kind).module()
        try:
            compile(source, "<program>", "exec")
        except SyntaxError:
            seed += 1
            continue
        for x in INPUTS:
            if differs(source, options.kind, x):
                report(source, options.kind, x, seed)
                return 1
        seed, programs = seed + 1, programs + 1
    print(f"{programs} programs, seeds {options.first} to {seed - 1}: no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
