"""Objects of the standard library that a staged branch changes: the run's change is seen after it,
or the program is refused; a branch that is not taken changes nothing."""

import logging

import numpy as np
import pytest

import runtime as rt
from tests.support.loading import load

IMPORTS = """
import argparse, logging
import array, collections, configparser, contextlib, decimal, email.message, graphlib, hashlib
import heapq, io, itertools, queue, random, threading, types
import xml.etree.ElementTree as ET
"""
# An object, a change of it, and a question about it.
OBJECTS = {
    "array": ("array.array('i', [1])", "o.append(3)", "len(o)"),
    "namespace": ("types.SimpleNamespace(a=1)", "setattr(o, 'a', 2)", "o.a"),
    "chain": ("collections.ChainMap({})", "o.update(a=1)", "len(o)"),
    "user_list": ("collections.UserList([1])", "o.append(2)", "len(o)"),
    "user_dict": ("collections.UserDict()", "o.update(a=2)", "len(o)"),
    "element": ("ET.Element('a')", "ET.SubElement(o, 'b')", "len(o)"),
    "text": ("io.StringIO()", "o.write('abc')", "len(o.getvalue())"),
    "hash": ("hashlib.sha256()", "o.update(b'a')", "int(o.hexdigest()[:3], 16)"),
    "config": ("configparser.ConfigParser()", "o.add_section('s')", "len(o.sections())"),
    "event": ("threading.Event()", "o.set()", "int(o.is_set())"),
    "context": ("decimal.Context(prec=3)", "setattr(o, 'prec', 5)", "o.prec"),
    "message": ("email.message.Message()", "o.add_header('a', 'b')", "len(o.keys())"),
    "queue": ("queue.Queue()", "o.put(1)", "o.qsize()"),
    "generator": ("random.Random(3)", "o.random()", "int(o.random() * 100)"),
    "count": ("itertools.count()", "next(o)", "next(o)"),
    "heap": ("[3, 4]", "heapq.heappush(o, 1)", "o[0]"),
    "ordered": ("collections.OrderedDict(a=1, b=2)", "o.move_to_end('a')", "list(o.values())[0]"),
    "ordered_equal": ("{'a': 1, 'b': 2}", "o['a'] = o.pop('a')", "int(list(o)[0] == 'a')"),
    "ordered_iterated": ("collections.OrderedDict(a=1, b=2)", "o.popitem(False)", "[*o][0] == 'a'"),
    "bytes": ("bytearray(b'a')", "o.extend(b'b')", "len(o)"),
    "bytes_last": ("bytearray(b'a')", "o.extend(b'b')", "o[-1]"),
    "bytes_equal": ("bytearray(b'a')", "o.extend(b'b')", "int(o == b'ab') + int(98 in o)"),
    "bytes_text": ("bytearray(b'a')", "o.extend(b'b')", "len(f'{o}') + sum(o)"),
    "memory": ("memoryview(bytearray(b'ab'))", "o[0] = 3", "o[0]"),
    "counter": ("collections.Counter('ab')", "o.update('abc')", "o['a'] + len(o)"),
    "counter_equal": ("collections.Counter('ab')", "o.subtract('a')", "int(o == {'a': 0, 'b': 1})"),
    "deque": ("collections.deque([1, 2])", "o.rotate(1)", "o[0] + len(o)"),
    "set": ("{1, 2}", "o.update([3])", "len(o) + sum(o)"),
    "parser": ("argparse.ArgumentParser()", "o.add_argument('--big')", "len(o._actions)"),
    "logger": ("logging.Logger('e')", "o.setLevel(20)", "o.level"),
    "level": ("logging.Logger('e')", "o.setLevel(20)", "(1 if o.level > 10 else 2)"),
    "sorter": ("graphlib.TopologicalSorter()", "o.add('a')", "len(list(o.static_order()))"),
}
PLACES = {
    "inside": "def f(x):\n    o = {0}\n    if x > 1:\n        {1}\n    return x * ({2})\n",
    "outside": "o = {0}\n\ndef f(x):\n    if x > 1:\n        {1}\n    return x * ({2})\n",
}


@pytest.mark.filterwarnings("ignore::runtime.TracingWarning")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", OBJECTS)
def test_a_change_in_a_branch_is_seen_after_it_or_refused(name, place):
    text = IMPORTS + PLACES[place].format(*OBJECTS[name])
    for x in (np.float64(0.5), np.float64(2.0)):
        expected = load(text, f"<plain {name} {place}>").f(x)
        try:
            found = rt.function(load(text, f"<changed {name} {place}>").f)(x)
        except rt.StagingError:
            continue
        assert found == expected


@pytest.mark.parametrize("x", [0.5, 2.0])
def test_a_callback_of_an_exit_stack_is_not_called_for_a_branch_that_is_not_taken(x, capsys):
    text = """
import contextlib

def f(x):
    with contextlib.ExitStack() as stack:
        if x > 1:
            stack.callback(print, "big")
    return x
"""
    with pytest.raises(rt.errors.EffectError, match="with an ExitStack that was made while"):
        rt.function(load(text, "<exit stack>").f)(np.float64(x))
    assert capsys.readouterr().out == ""


def test_classes_of_changed_objects_are_as_before_afterwards():
    text = IMPORTS + PLACES["outside"].format(*OBJECTS["logger"])
    assert rt.function(load(text, "<class as before>").f)(np.float64(2.0)) == 40.0
    assert "__getattribute__" not in vars(logging.Logger)


class Box:
    left = 0.0


BOXES = [Box(), Box()]
STEPS = [np.sin, np.cos, np.exp, np.tanh]


def with_functions_of_numpy_around(x):
    y = x
    if x > 0:
        BOXES[0].left = x * 2
        setattr(BOXES[1], "left", x)  # noqa: B010
        for step in STEPS:
            y = step(y)
    return y + BOXES[0].left + BOXES[1].left


def noted_on_a_function_of_numpy(x):
    y = x
    if x > 0:
        STEPS[3].note = 5.0
        y = x + 1
    return y


def test_functions_of_numpy_that_code_can_reach_do_not_matter_to_what_it_stores():
    x = np.float64(1.0)
    wanted = with_functions_of_numpy_around(x)
    assert rt.function(with_functions_of_numpy_around)(x) == pytest.approx(wanted, rel=1e-14)


@pytest.mark.skipif(
    not hasattr(np.sin, "__dict__"), reason="this NumPy's ufuncs have no attributes"
)
def test_an_attribute_that_is_set_on_a_function_of_numpy_in_a_branch_is_refused():
    with pytest.raises(rt.StagingError, match="note"):
        rt.function(noted_on_a_function_of_numpy)(np.float64(-1.0))
    assert not hasattr(np.tanh, "note")
