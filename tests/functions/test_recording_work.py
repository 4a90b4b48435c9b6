"""The work of a recording beside many objects of libraries, counted."""

import argparse
from types import SimpleNamespace

import numpy as np
import pytest

import runtime as rt
from autograph.staging import held_objects
from autograph.staging.held_objects import SearchForUser


@pytest.fixture
def looked_into(monkeypatch):
    """The objects into which a search looks, each time."""
    found, parts = [], held_objects._parts

    def counted(value):
        found.append(value)
        return parts(value)

    monkeypatch.setattr(held_objects, "_parts", counted)
    return found


def parsers(number):
    made = [argparse.ArgumentParser(add_help=False) for _ in range(number)]
    for one in made:
        one.others = made  # a cycle through all of them
    return made


def test_a_recording_looks_into_each_object_a_few_times(looked_into):
    work = []
    for number in (5, 10, 20, 40):
        held = SimpleNamespace(parsers=parsers(number))
        looked_into.clear()
        assert rt.function(lambda x, held=held: x * len(held.parsers))(np.ones(2))[0] == number
        work.append(len(looked_into) / number)
    assert max(work) < 200
    assert work[-1] < 1.5 * work[0]  # linear in their number


def test_a_later_call_looks_into_nothing(looked_into):
    held = SimpleNamespace(parsers=parsers(5))
    function = rt.function(lambda x: x * len(held.parsers))
    function(np.ones(2))
    looked_into.clear()
    assert function(np.ones(2))[0] == 5
    assert not looked_into


class Users:
    pass


def chain(length, end):
    """An object of the library at the given number of steps from `end`."""
    for _ in range(length):
        end = SimpleNamespace(next=end)
    return end


def test_a_search_finds_objects_of_the_user_within_its_distance():
    for distance in range(6):
        for length in range(7):
            value = chain(length, Users())
            assert SearchForUser().leads(value, distance) == (length <= distance)


def test_answers_do_not_depend_on_those_before():
    """Nearer and farther, in any order, around a cycle, and from inside of what was searched."""
    end = Users()
    objects = [end]
    for _ in range(8):
        objects.append(SimpleNamespace(next=objects[-1]))
    first = SimpleNamespace(second=SimpleNamespace(third=None))
    first.second.third = SimpleNamespace(first=first)
    objects += [first, first.second, first.second.third, SimpleNamespace(a=first, b=objects[2])]
    for seed in range(40):
        random, search = np.random.RandomState(seed), SearchForUser()
        for place in random.permutation(len(objects)):
            value, distance = objects[place], random.randint(6)
            assert search.leads(value, distance) == SearchForUser().leads(value, distance)


def test_a_closed_part_is_searched_once(looked_into):
    value = chain(3, [chain(2, (1, "a"))])
    search = SearchForUser()
    assert not search.leads(value, 9)
    count = len(looked_into)
    while isinstance(value, SimpleNamespace):
        assert not search.leads(value, 50)
        value = value.next
    assert len(looked_into) == count
