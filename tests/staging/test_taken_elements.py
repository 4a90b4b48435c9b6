"""Elements that a loop takes although a run may have left it: what taking them changes is Python's.

Each program is called with several numbers, as it is and as a graph; results, prints and the global
variables are compared after each call.
"""

import contextlib
import io

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

PRELUDE = """
import itertools
count = [0]
log = []

def counted(v):
    count[0] += 1
    return v

class Counts:
    calls = 0
    def __init__(self, end=3):
        self.i, self.end = 0, end
    def __iter__(self):
        return self
    def __next__(self):
        self.i += 1
        Counts.calls += 1
        if self.i > self.end:
            raise StopIteration
        return self.i

class Equal:
    calls = 0
    def __init__(self, v):
        self.v = v
    def __eq__(self, other):
        Equal.calls += 1
        return self.v == other

class Items:
    def __init__(self):
        self.calls = 0
    def __getitem__(self, i):
        self.calls += 1
        if i > 3:
            raise IndexError
        return float(i)

items = Items()

def numbers():
    for i in range(5):
        count[0] += 1
        yield i

def logged():
    for i in range(5):
        log.append(i)
        yield i

def failing():
    yield 0.0
    yield 1.0
    raise ValueError("no")

def above_one(v):
    count[0] += 1
    return v > 1

class Kind(type):
    made = 0
    def __call__(cls, *args):
        Kind.made += 1
        return super().__call__(*args)

class Made(metaclass=Kind):
    def __init__(self, x):
        self.x = x
"""

LEFT = """
def f(x):
    total = 0.0
    {before}
    for v in {elements}:
        if v * x > 2:
            break
        total = total + v
    return total, {after}
"""

LOOPS = {
    "generator": ("pass", "numbers()", "count[0]"),
    "map": ("pass", "map(counted, [1.0, 2.0, 3.0])", "count[0]"),
    "filter": ("pass", "filter(above_one, [1.0, 2.0, 3.0])", "count[0]"),
    "zip": ("pass", "[a for a in [1.0]] or zip([1.0], numbers())", "count[0]"),
    "attribute": ("it = Counts()", "it", "(it.i, Counts.calls)"),
    "class_attribute": ("pass", "Counts()", "Counts.calls"),
    "temporary": ("pass", "Counts(4)", "Counts.calls"),
    "list_of_object": ("it = Counts(); it.seen = []", "it", "(len(it.seen), Counts.calls)"),
    "items": ("pass", "items", "items.calls"),
    "sentinel": ("pass", "iter(lambda: counted(1.0) and count[0] % 4, 0)", "count[0]"),
    "chain": ("pass", "itertools.chain(Counts(2), Counts(1))", "Counts.calls"),
    "raises": ("pass", "failing()", "0"),
}

EXPRESSIONS = {
    "contains_generator": "(x in (counted(v) for v in [1.0, 2.0, 3.0]), count[0])",
    "contains_objects": "(x in [Equal(1.0), Equal(2.0), Equal(3.0)], Equal.calls)",
    "contains_known": "(2.0 in (counted(v) for v in [1.0, 2.0, 3.0]), count[0])",
    "contains_raising": "x in (1 / v for v in [2.0, 0.5, 0.0])",
    "not_in": "(x not in map(counted, [1.0, 2.0, 3.0]), count[0])",
    "all": "(all(counted(v) < x for v in [1.0, 2.0, 3.0]), count[0])",
    "metaclass": "(Made(x).x if x > 1 else x, Kind.made)",
}

REFUSED = {
    "log": ("logged()", "log gets longer"),
    "enumerate": ("(v for _, v in enumerate(logged()))", "log gets longer"),
    "filter": ("filter(lambda v: log.append(v) or True, [1.0, 2.0])", "adds or removes log"),
    "plain_print": ("map(lambda v: print('taken') or v, [1.0, 2.0])", "has an effect"),
    "print": ("map(lambda v: print(v * x) or v, [1.0, 2.0])", "has an effect"),
}


def outcome(module, function, x):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        try:
            result = repr(function(np.float64(x)))
        except (ValueError, ZeroDivisionError) as error:
            result = str(error)
    held = module.count, module.log, module.Counts.calls, module.Equal.calls, module.Kind.made
    return result, text.getvalue(), repr(held), module.items.calls


def compared(text, name):
    plain, staged = (load(PRELUDE + text, f"<{kind} {name}>") for kind in ("plain", "staged"))
    function = rt.function(staged.f)
    for x in (0.5, 2.0, 2.0, 3.0, -1.0):
        assert outcome(staged, function, x) == outcome(plain, plain.f, x), (name, x)


@pytest.mark.parametrize("name", LOOPS)
def test_what_taking_elements_changes_is_that_of_the_elements_which_python_takes(name):
    before, elements, after = LOOPS[name]
    compared(LEFT.format(before=before, elements=elements, after=after), f"loop {name}")


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_elements_after_the_one_that_is_found_change_nothing(name):
    compared(f"\ndef f(x):\n    return {EXPRESSIONS[name]}\n", f"expression {name}")


@pytest.mark.parametrize("name", REFUSED)
def test_effects_and_lists_from_outside_are_refused(name):
    elements, why = REFUSED[name]
    text = LEFT.format(before="pass", elements=elements, after="len(log)")
    module = load(PRELUDE + text, f"<refused {name}>")
    with pytest.raises(rt.StagingError) as found:
        rt.function(module.f)(np.float64(2.0))
    assert why in str(found.value)
    assert module.log == []
