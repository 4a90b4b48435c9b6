"""Arrays and containers that are given to functions which each run calls.

Such a function gets copies.  What it changes, and what it keeps while the program changes it, would
differ from Python: each program has the effects and results of Python, or an error names its line.
"""

import os
import queue
import sys
import sysconfig
import types

import numpy as np
import pytest

import runtime as rt

LIBRARY = """
kept = []


def keep(value):
    kept.append(value)


def look(value):
    len(value)


def fill(array):
    array[:] = 7


def fill_and_note(array):
    kept.append(1)
    array[:] = 7


def fill_with_default(array, latest=[0.0]):
    latest[0] = array[0]
    array[:] = 7


def swap_first(array, other):
    array[0], other[0] = other[0], array[0]


def fill_inner(array):
    inner = array[1:]
    inner[0] = 4
    return inner


def grow(items):
    items.append(9.0)


def put(table):
    table["k"] = 5.0


def put_inside(table):
    table["items"].append(1.0)


def set_attribute(value):
    value.a = 5.0


def add(numbers):
    numbers.add(8)
"""


def library():
    """A module that counts as an installed package."""
    made = types.ModuleType("keeping_library")
    made.__file__ = os.path.join(sysconfig.get_paths()["purelib"], "keeping_library.py")
    exec(compile(LIBRARY, made.__file__, "exec"), made.__dict__)
    sys.modules["keeping_library"] = made
    return made


lib, jobs = library(), queue.Queue()
LISTED = [1.0]


class Plain:
    def __init__(self, **attributes):
        vars(self).update(attributes)


def changed_array(x):
    y = np.zeros(3)
    if x > 0:
        lib.fill(y)
    return y.sum()


def changed_list(x):
    items = [x]
    if x > 0:
        lib.grow(items)
    return items[0] + len(items)


def changed_dict(x):
    table = {"k": x}
    if x > 0:
        lib.put(table)
    return table["k"]


def changed_inner_list(x):
    table = {"items": [x]}
    if x > 0:
        lib.put_inside(table)
    return table["items"][0] + len(table["items"])


def changed_object(x):
    value = Plain(a=x)
    if x > 0:
        lib.set_attribute(value)
    return value.a


def changed_set(x):
    numbers = {1, 2}
    if x > 0:
        lib.add(numbers)
    return x + len(numbers)


def changed_global_list(x):
    if x > 0:
        lib.grow(LISTED)
    return x + len(LISTED)


def changed_by_host_call(x):
    y = x * np.ones(2)
    rt.host_call(lib.fill, y)
    return y.sum()


def changed_array_and_noted(x):
    y = x * np.ones(3)
    lib.fill_and_note(y)
    return y.sum()


def changed_array_and_kept_its_first(x):
    y = x * np.ones(3)
    lib.fill_with_default(y)
    return y.sum()


def kept_list(x):
    items = [x]
    if x > 0:
        lib.keep(items)
        items.append(x)
    return x


def kept_list_that_a_later_branch_changes(x):
    items = [x]
    if x > 0:
        lib.keep(items)
    if x > 1:
        items[0] = x * 2
    return items[0]


def kept_array(x):
    y = np.zeros(2)
    if x > 0:
        lib.keep(y)
        y[0] = x
    return y.sum()


def kept_object(x):
    value = Plain(a=x)
    if x > 0:
        lib.keep(value)
        value.a = x * 2
    return value.a


def kept_dict(x):
    table = {"k": x}
    if x > 0:
        lib.keep([table])
        table["k"] = x * 2
    return table["k"]


def kept_in_a_queue(x):
    items = [x]
    if x > 0:
        jobs.put(items)
        items.append(x)
    return x


def kept_in_each_iteration(x):
    items, i = [x], x * 0
    while i < 2:
        items[0] = items[0] + 1
        lib.keep(items)
        i = i + 1
    return items[0]


def kept_while_recording(x):
    items = [x]
    lib.keep(items)
    items.append(x)
    return x


def changed_staged_list(x):
    items, i = [0.0], x * 0
    while i < x:
        items.append(i)
        lib.grow(items)
        i = i + 1
    return len(items)


def changed_list_of_a_known_loop(x):
    items = [0.0]
    for number in x * np.ones(6):
        items.append(number)
        lib.grow(items)
    return len(items)


DIFFERENT = [one for name, one in list(globals().items()) if name.startswith(("changed", "kept"))]


def kept_and_not_changed(x):
    items = [x]
    if x > 0:
        lib.keep(items)
    return x


def changed_before(x):
    items = [x]
    if x > 0:
        items.append(x)
        lib.keep(items)
    return items[0]


def flushed(x):
    items = [x]
    if x > 0:
        lib.look(items)
        items.append(x)
        lib.look(items)
        items.clear()
        items.append(x)
    return items[0]


def new_in_each_iteration(x):
    i = x * 0
    while i < 2:
        items = [i]
        lib.keep(items)
        i = i + 1
    return i


def copied(x):
    items = [x]
    if x > 0:
        lib.keep(list(items))
        items[0] = x * 2
    return items[0]


def filled_while_recording(x):
    y = x * np.ones(3)
    lib.fill(y)
    return y.sum()


def swapped_while_recording(x):
    y, z = x * np.ones(3), np.zeros(2)
    lib.swap_first(y, z)
    return y.sum() + 2 * z.sum()


def view_written_while_recording(x):
    y = x * np.ones(3)
    inner = lib.fill_inner(y)
    inner[1] = 9
    return y.sum()


def replaced(x):
    y = x * np.ones(2)
    if x > 0:
        jobs.put(y)
        y = y + 1
    return y.sum()


def results_of_calls(x):
    return rt.host_call(np.cumsum, x * np.ones(2), like=np.ones(2)).sum()


EXACT = [
    kept_and_not_changed, changed_before, flushed, new_in_each_iteration, copied,
    filled_while_recording, swapped_while_recording, view_written_while_recording,
    replaced, results_of_calls,
]  # fmt: skip
CALLS = (-1.0, 2.0, -2.0, 3.0)


def shown(value):
    return repr(vars(value)) if isinstance(value, Plain) else repr(value)


def outcomes(function):
    """The results and errors of some calls, and what the outside has kept."""
    lib.kept.clear()
    jobs.queue.clear()
    LISTED[:] = [1.0]
    found = []
    for x in CALLS:
        try:
            found.append(float(function(np.float64(x))))
        except rt.StagingError as error:
            found.append(str(error))
    return found, [*map(shown, lib.kept)], [*map(shown, jobs.queue)], LISTED[:]


@pytest.mark.parametrize("function", EXACT, ids=lambda one: one.__name__)
def test_copies_that_do_not_change_are_those_of_python(function):
    assert outcomes(rt.function(function)) == outcomes(function)


@pytest.mark.parametrize("function", DIFFERENT, ids=lambda one: one.__name__)
def test_changes_that_would_be_lost_are_errors(function):
    code, expected = function.__code__, outcomes(function)[0]
    found = outcomes(rt.function(function))[0]
    errors = [one for one in found if isinstance(one, str)]
    assert errors
    for one in errors:
        assert f"in {code.co_name}" in one and ("[AG403]" in one or "[AG401]" in one)
    first = next(i for i, one in enumerate(found) if isinstance(one, str))
    assert found[:first] == expected[:first]


def test_the_error_names_the_function_the_line_and_a_remedy():
    with pytest.raises(rt.errors.GivenArgumentError) as caught:
        rt.function(changed_array)(np.float64(1.0))
    text = str(caught.value)
    assert text.startswith("keeping_library.fill has changed its argument, an ndarray")
    assert "lib.fill(y)" in text and "y = rt.host_call(f, y, like=y)" in text
