"""Looks for programs whose meaning a conversion changes: python tools/fuzz.py [--seconds N]

Random programs (tests/generators/random_programs.py) run as they are, and converted, on a few
inputs.  A program whose outcomes differ is reduced until nothing more can be removed, and printed
with both outcomes.  Exit status: 1 if a difference was found.

    python tools/fuzz.py --kind generator --first 5000 --seconds 120
    python tools/fuzz.py --kind effects
    python tools/fuzz.py --kind mixtures
    python tools/fuzz.py --kind texts
    python tools/fuzz.py --kind files

The kind `effects` compares the effects of functions as graphs with their effects in Python; the
kind `mixtures` compares all that can be seen of functions that mix features, in several modes; the
kinds `exits`, `numbers`, `rebinding`, `texts`, `trees` and `yields` compare all that can be seen of
functions of one subject, on three engines; the kind `files` loads changed files of saved programs
(`tools/fuzz_files.py`), guided by atheris where it is installed.
"""

import argparse
import importlib
import itertools
import random
import sys
import tempfile
import time
import warnings
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [
    str(Path(__file__).parents[1]),
    str(Path(__file__).parent),
    *(str(TESTS / name) for name in ("generators", "support", "programs")),
]

from loading import load  # noqa: E402
from program_runs import run  # noqa: E402
from random_programs import PRELUDE, Writer  # noqa: E402
from reduce import TooLong, patience, smaller_program  # noqa: E402

import autograph  # noqa: E402

STRICT = ("exits", "numbers", "rebinding", "texts", "trees", "yields")
KINDS = ("function", "generator", "async", "effects", "mixtures", *STRICT, "files")
ENGINES = ("numpy", "auto", "native")
INPUTS = (0, 1, 2, 3)
PATIENCE = 30.0  # seconds that a program may take
SHORT = 0.5  # that a smaller one may take, which may have lost its exit


def outcomes(source, kind, change=autograph.to_graph, seconds=PATIENCE):
    """The outcomes of a program on each input: original and converted."""
    found = []
    for make in (lambda f: f, change):
        module = load(source, f"<program {hash(source)}>")
        fn = make(module.f)
        with patience(seconds):
            found.append([run(module, fn, kind, x) for x in INPUTS])
    return found


def differs(source, kind, change=autograph.to_graph, seconds=PATIENCE):
    """Whether the two outcomes of a program differ, which is one that ends."""
    try:
        original, converted = outcomes(source, kind, change, seconds)
    except (TooLong, SyntaxError):
        return False
    return original != converted and "TooLong" not in repr((original, converted))


def smallest(source, kind, change=autograph.to_graph, seconds=60):
    """The smallest program found that still differs, with its outcomes."""
    reduced = smaller_program(
        source, PRELUDE, lambda text: differs(text, kind, change, SHORT), seconds
    )
    shown = [reduced.removeprefix(PRELUDE)]
    found = outcomes(reduced, kind, change)
    for x, original, converted in zip(INPUTS, *found, strict=True):
        if original != converted:
            shown += ["", f"x = {x}", f"original:  {original}", f"converted: {converted}"]
    return "\n".join(shown)


def programs(kind, first):
    """Random programs that Python can compile, with their seeds."""
    for seed in itertools.count(first):
        source = Writer(random.Random(seed), kind).module()
        try:
            compile(source, "<program>", "exec")
        except SyntaxError:
            continue
        yield seed, source


def effects(first: int, seconds: float) -> int:
    """Looks for a program whose graph has other effects; returns the exit status."""
    import numpy as np  # here: the other kinds need no runtime

    from tests.generators.random_effects import module
    from tests.support.effect_runs import compare

    calls = [(np.float64(x), np.int64(n)) for x, n in ((-1.0, 0), (2.0, 2), (0.5, 1), (3.0, 3))]
    end, refused = time.monotonic() + seconds, 0
    for seed in itertools.count(first):
        if time.monotonic() > end:
            print(f"seeds {first} to {seed - 1}, {refused} refused: no difference")
            return 0
        text = module(random.Random(seed))
        with tempfile.TemporaryDirectory() as folder:
            try:
                refused += compare(Path(folder) / "d", text, f"<effects {seed}>", calls) is not None
            except AssertionError as difference:
                print(f"seed {seed}, effects: {difference}\n{text[text.index('def f(') :]}")
                return 1
    raise AssertionError("there is no end of programs")


def mixtures(first: int, seconds: float) -> int:
    """Looks for a program that differs in a mode; returns the exit status."""
    from mixture_runs import MODES, compare  # here: the other kinds need no runtime

    modes = [mode for mode in MODES if mode != "plain"]
    end, refused = time.monotonic() + seconds, 0
    for seed in itertools.count(first):
        if time.monotonic() > end:
            print(f"seeds {first} to {seed - 1}, {refused} refusals: no difference")
            return 0
        for mode in modes:
            try:
                with patience(PATIENCE):
                    refused += compare(seed, mode) is not None
            except TooLong:
                print(f"seed {seed}, {mode}: not done after {PATIENCE:.0f} seconds")
            except AssertionError as difference:
                print(difference)
                return 1
    raise AssertionError("there is no end of programs")


def strictly(kind: str, first: int, seconds: float) -> int:
    """Looks for a program of one subject that differs; returns the exit status."""
    import strict_runs  # here: the other kinds need no runtime

    generator = importlib.import_module(f"random_{kind}")
    end, refused = time.monotonic() + seconds, 0
    for seed in itertools.count(first):
        if time.monotonic() > end:
            print(f"seeds {first} to {seed - 1}, {refused} refused: no difference")
            return 0
        source = generator.Writer(random.Random(seed)).module()
        for engine in ENGINES:
            try:
                with patience(PATIENCE):
                    name, given = f"<{kind} {seed}>", generator.arguments()
                    refused += strict_runs.is_refused(source, name, given, engine)
            except TooLong:
                print(f"seed {seed}, {engine}: not done after {PATIENCE:.0f} seconds")
            except Exception as difference:
                print(f"seed {seed}, {kind}, {engine}: {difference!r}\n{source}")
                return 1
    raise AssertionError("there is no end of programs")


def files(first: int, seconds: float) -> int:
    """Looks for a file that is not refused as it should be; returns the exit status."""
    import fuzz_files  # here: it needs the runtime

    return fuzz_files.guided(seconds, first)


def main() -> int:
    """Runs until the time is over or a difference is found; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--kind", choices=KINDS, default="function")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.kind == "effects":
        return effects(options.first, options.seconds)
    if options.kind == "mixtures":
        return mixtures(options.first, options.seconds)
    if options.kind in STRICT:
        return strictly(options.kind, options.first, options.seconds)
    if options.kind == "files":
        return files(options.first, options.seconds)
    end = time.monotonic() + options.seconds
    for number, (seed, source) in enumerate(programs(options.kind, options.first)):
        if time.monotonic() > end:
            print(f"{number} programs, seeds {options.first} to {seed - 1}: no difference")
            return 0
        if differs(source, options.kind):
            print(f"seed {seed}, {options.kind}\n\n{smallest(source, options.kind)}")
            return 1
    raise AssertionError("there is no end of programs")


if __name__ == "__main__":
    sys.exit(main())
