"""Modules that are imported when code first reads a name of theirs: no guard or search reads one."""

import types

import numpy as np
import pytest
from loading import load

import runtime as rt

read = []


class LazyModule(types.ModuleType):
    """As the modules of packages that import their parts at the first use."""

    def __getattr__(self, name):
        read.append(name)
        raise AttributeError(name)


lazy = LazyModule("lazy")
table = {"module": lazy, "factor": 2.0}
items = [lazy, 1]


class Held:
    module = lazy

    def __init__(self):
        self.lazy, self.total = lazy, np.float64(0.0)


held = Held()


def in_a_dict(x):
    if x > 0:
        x = x * table["factor"]
    return x


def in_a_list(x):
    if x > 0:
        x = x * items[1] + len(items)
    return x


def in_an_object(x):
    if x > 0:
        held.total = x
    return held.total


# All that is in reach of `globals()` is searched: here these few names, and not the test runner.
TEXT = """
def among_globals(x):
    if x > 0:
        x = globals()["table"]["factor"] * x
    return x


def in_code_of_a_text(x):
    if x > 0:
        x = x * len(eval("[1, 2]", globals(), {}))
    return x
"""
few = load(TEXT, "few_globals", table=table, lazy=lazy)
among_globals, in_code_of_a_text = few.among_globals, few.in_code_of_a_text


def in_a_closure(x):
    module = lazy

    def inner(y):
        return y * 2 if module is not None and x > 0 else y

    return inner(x)


PROGRAMS = (in_a_dict, in_a_list, in_an_object, among_globals, in_code_of_a_text, in_a_closure)


@pytest.mark.parametrize("program", PROGRAMS)
def test_no_name_of_a_lazy_module_is_read(program):
    function = rt.function(program)
    for x in (2.0, -3.0, 4.0):
        read.clear()
        assert function(np.float64(x)) == program(np.float64(x))
        assert read == []


def test_a_module_is_read_where_the_program_reads_it():
    read.clear()
    with pytest.raises(AttributeError):
        rt.function(lambda x: lazy.name * x)(np.float64(2.0))
    assert read
