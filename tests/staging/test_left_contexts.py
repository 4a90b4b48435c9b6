"""Jumps out of several context managers, and what their exits do."""

import itertools

import left_contexts
import numpy as np
import pytest
from support.every_mode import check_in_every_mode
from support.loading import load
from support.outcomes import check_same, outcome, same_exactly

import autograph
import runtime as rt

WITHS = {
    "items": "with a, b:\n{body}",
    "nested": "with a:\n    with b:\n{body}\n    log.append('between')",
    "three": "with a:\n    with b, c:\n{body}",
    "finally": "with a:\n    try:\n{body}\n    finally:\n        b.__exit__(None, None, None)",
}
JUMPS = ("return i", "break", "continue", "raise KeyError(i)")
PROGRAM = """
class Exit:
    def __init__(self, name, act, log):
        self.name, self.act, self.log = name, act, log
    def __enter__(self):
        return self
    def __exit__(self, kind, error, traceback):
        self.log.append((self.name, kind and kind.__name__))
        if self.act == "raises":
            raise ValueError(self.name)
        return self.act == "suppresses"

def f(first, second, at):
    log, done = [], 0
    a, b, c = Exit("a", first, log), Exit("b", second, log), Exit("c", "", log)
    try:
        for i in range(3):
            {withs}
            done = done * 10 + i + 1
        else:
            log.append("else")
        log.append("after")
    except (ValueError, KeyError) as error:
        log.append(repr(error))
    return done, log, i
"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", left_contexts.PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(left_contexts.PROGRAMS[name])


@pytest.mark.parametrize("jump", JUMPS)
@pytest.mark.parametrize("withs", WITHS)
def test_an_exit_that_raises_cancels_the_jump_if_another_one_suppresses_that(withs, jump):
    body = f"        if i == at:\n            {jump}\n        log.append(i)"
    text = WITHS[withs].replace("{body}", body).replace("\n", "\n            ")
    module = load(PROGRAM.replace("{withs}", text), f"<{withs}, {jump}>", np=np)
    converted, acts = autograph.to_graph(module.f), ("", "raises", "suppresses")
    for given in itertools.product(acts, acts, range(3)):
        check_same(outcome(converted, given), outcome(module.f, given), same_exactly)


def test_texts_of_arrays_under_print_options_are_refused():
    def f(x):
        with np.printoptions(precision=2):
            return str(x)

    with pytest.raises(rt.StagingError, match="around a printoptions"):
        rt.function(f)(np.array([1 / 3]))
