"""Runs random programs of `generators/random_mixtures.py` in a mode, and as they are.

compare(seed, "traced")     None; the refusal, if the program is refused; AssertionError otherwise
"""

import contextlib
import copy
import dataclasses
import io
import random

import numpy as np
from loading import load
from outcomes import quiet, same_but_wider
from random_mixtures import Writer, arguments

import autograph
import runtime as rt

MODES = {
    "plain": lambda f: f,
    "converted": autograph.to_graph,
    "eager": rt.function,
    "traced": rt.function,
    "native": lambda f: rt.function(f, engine="native"),
}


def plain(value):
    """A copy of a value, with lists in place of objects."""
    if dataclasses.is_dataclass(value):
        return [plain(getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return value.copy() if isinstance(value, np.ndarray) else value


def is_refusal(error: Exception) -> bool:
    """Whether an exception refuses a program: while it is recorded, or in a run that would have to
    know whether `reshape` returns a view."""
    return isinstance(error, rt.StagingError) or "returns a copy of this array, not" in str(error)


def observed(source: str, mode: str) -> tuple[list, Exception | None]:
    """All that can be seen after each call, and the refusal that ends the calls."""
    found: list = []
    with rt.config.temporarily(run_functions_eagerly=mode == "eager"):
        decorate = MODES["plain"] if mode == "plain" else rt.function
        module = load(source, f"<program {hash(source)}>", function=decorate)
        function = MODES[mode](module.f)
        for given in arguments(module.Box):
            given, result, ended = copy.deepcopy(given), None, None
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                try:
                    result = function(*given)
                except Exception as error:
                    if is_refusal(error):
                        return found, error
                    ended = type(error).__name__, str(error)
            outside = module.LOG, module.STATE, list(module.remember.__defaults__)
            found.append((ended, *map(plain, (result, printed.getvalue(), given, outside))))
    return found, None


def compare(seed: int, mode: str) -> Exception | None:
    """The refusal of a program in a mode.  Raises `AssertionError` if the program differs."""
    source = Writer(random.Random(seed)).module()
    with quiet():
        wanted, _ = observed(source, "plain")
        found, refusal = observed(source, mode)
    for number, (got, expected) in enumerate(zip(found, wanted, strict=False)):
        for part, one, other in zip(
            ("exception", "result", "output", "arguments", "outside"), got, expected, strict=True
        ):
            assert one == other if part == "exception" else same_but_wider(one, other), (
                f"seed {seed}, {mode}, call {number}: the {part} is\n{one}\nin Python\n{other}\n"
                + source[source.index("def f(") :]
            )
    assert refusal is not None or len(found) == len(wanted)
    return refusal
