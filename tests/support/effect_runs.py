"""Compares the effects of a function with those of its graph, call by call."""

import runtime as rt
from tests.support.effect_worlds import World


def observed(folder, text, name, calls, wrap):
    """The outcome and the world after each call; an outcome "refused" ends them."""
    world = World(folder, text, name)
    try:
        function = wrap(world.module.f)
        before, found = world.seen(), []
        for x, n in calls:
            outcome = world.call(function, x, n)
            if outcome[0] == "raises" and isinstance(outcome[3], rt.StagingError):
                assert name in outcome[2] or "line" in outcome[2], outcome[2]
                assert world.seen() == before, "a refused program has had an effect"
                return found, outcome[2]
            before = world.seen()
            found.append((outcome[:3], before, list(world.warnings)))
        return found, None
    finally:
        world.close()


def compare(folder, text, name, calls, wrap=rt.function):
    """The message with which the program is refused, None if all effects are those of Python.

    Raises `AssertionError` if they differ, or if a refused program has had an effect.
    """
    expected, _ = observed(folder, text, name, calls, lambda f: f)
    found, refusal = observed(folder, text, name, calls, wrap)
    for wanted, got in zip(expected, found, strict=False):
        assert got[0] == wanted[0]
        for key, value in wanted[1].items():
            assert got[1][key] == value, key
        assert [w for w in got[2] if w[1] is not rt.TracingWarning] == wanted[2]
    assert refusal is not None or len(found) == len(expected)
    return refusal
