"""Methods that tell Python something by an exception, under a condition that only a run knows.

The loop over such an object would never end while the graph is recorded, and `hasattr` would hear
nothing: these are refused.  The same methods called by name are exact.
"""

import collections.abc

import numpy as np
import pytest

import runtime as rt


class Countdown:
    def __init__(self, left):
        self.left, self.steps = left, 0

    def __iter__(self):
        return self

    def __next__(self):
        self.steps += 1
        if self.left < self.steps:
            raise StopIteration
        return self.steps


class Table:
    """A sequence whose length only a run knows."""

    def __init__(self, count):
        self.count = count

    def __getitem__(self, i):
        if i >= self.count:
            raise IndexError("beyond the table")
        return 2.0 * i

    @property
    def last(self):
        if self.count < 1:
            raise AttributeError("an empty table")
        return self[self.count - 1]


class Lenient(Table):
    def __getattr__(self, name):
        if name == "first" and self.count > 0:
            return self[0]
        raise AttributeError(name)


class Scores(collections.abc.Mapping):
    def __init__(self, count):
        self.count = count

    def __getitem__(self, key):
        if self.count < 1:
            raise KeyError(key)
        return 3.0

    def __len__(self):
        return 1

    def __iter__(self):
        return iter(["a"])


def total(values):
    result = 0
    for value in values:
        result = result + value
    return result


def unpacked(count):
    first, second = Table(count)
    return first + second


REFUSED = {
    "a loop over an iterator": lambda count: total(Countdown(count)),
    "the sum of an iterator": lambda count: sum(Countdown(count)),
    "the next of an iterator, or a default": lambda count: next(Countdown(count), 5),
    "the list of an iterator": lambda count: list(Countdown(count)),
    "a loop over a sequence": lambda count: total(Table(count)),
    "the list of a sequence": lambda count: list(Table(count)),
    "in of a sequence": lambda count: 2.0 in Table(count),
    "a sequence that is unpacked": unpacked,
    "whether there is a property": lambda count: hasattr(Table(count), "last"),
    "a property or a default": lambda count: getattr(Table(count), "last", 0.0),
    "a property of a class with __getattr__": lambda count: Lenient(count).last,
    "whether __getattr__ knows a name": lambda count: hasattr(Lenient(count), "first"),
    "a key of a mapping, or a default": lambda count: Scores(count).get("a", 0.0),
    "in of a mapping": lambda count: "a" in Scores(count),
}


@pytest.mark.parametrize("count", [2, 0])
@pytest.mark.parametrize("name", REFUSED)
def test_an_answer_that_only_a_run_knows_is_refused(name, count):
    with pytest.raises(rt.StagingError, match="which only a run can raise"):
        rt.function(REFUSED[name])(np.int64(count))


EXACT = {
    "an item": lambda count: Table(count)[1],
    "items of known positions": lambda count: [Table(count)[i] for i in range(2)],
    "a property": lambda count: Table(count).last,
    "a name that __getattr__ knows": lambda count: Lenient(count).first,
    "an item of a mapping": lambda count: Scores(count)["a"],
}


def outcome(function, count):
    try:
        return float(np.sum(function(np.int64(count))))
    except (LookupError, AttributeError) as error:
        return type(error), str(error)


@pytest.mark.parametrize("name", EXACT)
def test_methods_that_are_called_by_name_raise_in_the_run(name):
    function, staged = EXACT[name], rt.function(EXACT[name])
    for count in (3, 0):
        assert outcome(staged, count) == outcome(function, count)


class Rows:
    def __init__(self, array):
        self.array = array

    def __getitem__(self, i):
        return self.array[i]


def test_a_loop_over_an_object_ends_after_the_last_element_of_its_array():
    assert rt.function(lambda x: total(Rows(x)))(np.arange(4.0)) == 6.0
    unknown = rt.function(lambda x: total(Rows(x)), input_signature=[rt.TensorSpec((None,))])
    with pytest.raises(rt.StagingError, match="__getitem__"):
        unknown(np.arange(4.0))
