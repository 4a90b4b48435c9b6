"""Changes that no name in a branch shows, and code that is not converted: exact, or refused.

Each program is called with several numbers, as it is and as a graph; results and the contents of
the outside are compared after each call.
"""

import sys

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

PRELUDE = """
import array, collections, io, sys
log = []
names = {"log": log, "k": 2}
level = 1.0
chain = collections.ChainMap({"a": 1.0}, {"b": 2.0})
table = collections.UserDict(a=1.0)
items = collections.UserList([1.0, 2.0])

class Base:
    calls = 0
    def by_type(self):
        type(self).calls += 1
    def by_class(self):
        self.__class__.calls += 1
    @classmethod
    def by_method(cls):
        cls.calls += 1

one = Base()

def outside():
    held = dict(chain), dict(table), list(items), Base.calls, level, log
    return repr(held)
"""

CHANGES = {
    "type": ("one.by_type()", "Base.calls"),
    "class": ("one.by_class()", "one.calls"),
    "class_method": ("one.by_method()", "one.calls"),
    "set_on_type": ("setattr(type(one), 'calls', 7)", "one.calls"),
    "globals": ("globals()['level'] = x", "level"),
    "chain": ("chain['a'] = x", "chain['a'] + len(chain)"),
    "user_dict": ("table['a'] = x", "table['a'] + len(table)"),
    "user_list": ("items[0] = x", "items[0] + len(items)"),
    "eval": ("y = eval('2 * 3 + 1', {})", "y"),
}

IN_BRANCH = """
def f(x):
    y = 0
    if x > 1:
        {change}
    return x, {result}
"""

ALWAYS = """
def f(x):
    y = 0
    {change}
    return x, {result}
"""

ITERATORS = {
    "for": ("it = None", "for v in z:\n        total += v\n        if x > v: z.append(7.0)"),
    "iter": ("it = iter(z)", "if x > 1: z.append(7.0)\n    total = sum(it)"),
    "next": ("it = iter(z); next(it)", "if x > 1: z.pop()\n    total = next(it)"),
    "enumerate": ("it = enumerate(z)", "if x > 1: z.append(7.0)\n    total = len(list(it))"),
    "zip": ("it = zip(z, [1, 2, 3])", "if x > 1: z.append(7.0)\n    total = len(list(it))"),
    "map": ("it = map(abs, z)", "if x > 1: z.append(7.0)\n    total = sum(it)"),
    "generator": ("it = (v for v in z)", "if x > 1: z.append(7.0)\n    total = sum(it)"),
    "reversed": ("it = reversed(z)", "if x > 1: z.clear()\n    total = sum(it)"),
}

NOT_CONVERTED = {
    "exec": "exec('log.append(1)', names)",
    "eval": "y = eval('log.append(1)', names)",
    "compile": "code = compile('log.append(1)', 'text', 'exec'); exec(code, names)",
    "breakpoint": "breakpoint()",
}

STREAMS = {
    "readinto": "stream.readinto(bytearray(2))",
    "read": "stream.read(1)",
    "seek": "stream.seek(2)",
    "array": "numbers.append(2.0)",
}


def compared(text, name):
    plain, staged = (load(PRELUDE + text, f"<{kind} {name}>") for kind in ("plain", "staged"))
    function = rt.function(staged.f)
    for x in map(np.float64, (0.5, 2.0, 2.0, 0.5, 3.0)):
        assert repr(function(x)) == repr(plain.f(x)), (name, x)
        assert staged.outside() == plain.outside(), (name, x)


@pytest.mark.parametrize("name", CHANGES)
def test_changes_in_a_branch_are_those_of_the_runs_that_get_there(name):
    change, result = CHANGES[name]
    compared(IN_BRANCH.format(change=change, result=result), f"branch {name}")


@pytest.mark.parametrize("name", CHANGES)
def test_changes_of_each_call_leave_plain_values(name):
    change, result = CHANGES[name]
    compared(ALWAYS.format(change=change, result=result), f"always {name}")


@pytest.mark.parametrize("name", ITERATORS)
def test_a_list_that_becomes_staged_while_an_iterator_goes_through_it_is_refused(name):
    made, change = ITERATORS[name]
    text = (
        f"\ndef f(x):\n    z, total = [1.0, 3.0], 0.0\n    {made}\n    {change}\n    return total\n"
    )
    function = rt.function(load(text, f"<iterator {name}>").f)
    with pytest.raises(rt.StagingError, match="while an iterator goes through it"):
        function(np.float64(0.5))


def test_a_list_may_change_after_an_iterator_has_given_its_elements():
    text = """
def f(x):
    z = [1.0, 3.0]
    total = sum(v for v in z)
    for v in z:
        total += v
    if x > 1:
        z.append(x)
    return total + len(z)
"""
    compared(text, "used iterators")


def test_a_list_may_change_after_code_has_dropped_an_iterator_with_elements_left():
    text = """
def f(x):
    z = [1.0, 3.0]
    first = next(iter(z))
    for v in reversed(z):
        break
    if x > 1:
        z.append(x)
    return first + v + len(z)
"""
    compared(text, "dropped iterators")


@pytest.mark.parametrize("name", NOT_CONVERTED)
def test_code_that_is_not_converted_does_not_run_for_a_branch(name):
    text = f"{PRELUDE}\nsys.breakpointhook = lambda: log.append(1)\n"
    text += IN_BRANCH.format(change=NOT_CONVERTED[name], result="y")
    before = sys.breakpointhook
    try:
        module = load(text, f"<not converted {name}>")
        with pytest.raises(rt.StagingError, match="in a branch or loop that a run may not reach"):
            rt.function(module.f)(np.float64(0.5))
    finally:
        sys.breakpointhook = before
    assert module.log == []


@pytest.mark.parametrize("name", STREAMS)
def test_a_refused_program_leaves_streams_and_memory_as_they_were(name):
    text = f"""
import array, io
stream, numbers = io.BytesIO(b"abcdef"), array.array("d", [1.0])
def f(x):
    {STREAMS[name]}
    return frozenset((x, 1))
"""
    module = load(text, f"<stream {name}>")
    with pytest.raises(rt.StagingError):
        rt.function(module.f)(np.float64(0.5))
    assert (module.stream.tell(), list(module.numbers)) == (0, [1.0])
