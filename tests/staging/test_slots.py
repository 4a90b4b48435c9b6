"""Objects with `__slots__`, declared in any way that Python allows.

Staged branches and loops leave the same values in them as Python, and a changed slot retraces.
"""

import numpy as np
import pytest

import runtime as rt
from autograph.staging.object_state import MISSING, attributes, object_with, write_attribute


class Private:
    __slots__ = ("__value",)

    def __init__(self, value):
        self.__value = value

    def get(self):
        return self.__value

    def set(self, value):
        self.__value = value


class OneString:
    __slots__ = "value"

    def __init__(self, value):
        self.value = value

    def get(self):
        return self.value

    def set(self, value):
        self.value = value


class OnePrivateString(Private):
    __slots__ = "__other"

    def __init__(self, value):
        super().__init__(None)
        self.__other = value

    def get(self):
        return self.__other

    def set(self, value):
        self.__other = value


class Inherited(Private):
    __slots__ = ("unset",)


class SlotsAndDict(Private):
    def __init__(self, value):
        super().__init__(value)
        self.label = "plain"


class SamePrivateName(Private):
    """Has its own `__value` beside that of `Private`."""

    __slots__ = ("__value",)

    def __init__(self, value):
        super().__init__(value)
        self.__value = -value

    def get(self):
        return super().get() - self.__value

    def set(self, value):
        super().set(value)
        self.__value = -value


class Guarded(Private):
    """Its `__setattr__` and `__getattr__` are bypassed: slots are read by their descriptors."""

    __slots__ = ()

    def __getattr__(self, name):
        raise AssertionError(f"read {name}")


KINDS = [Private, OneString, OnePrivateString, Inherited, SlotsAndDict, SamePrivateName, Guarded]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


@every_kind
def test_a_staged_branch_writes_a_slot(kind):
    @rt.function
    def chosen(x):
        box = kind(x)
        if x > 0:
            box.set(x * 2)
        else:
            box.set(x - 1)
        return box.get()

    plain = rt.eager(chosen)
    for x in (np.float64(3.0), np.float64(-3.0)):
        assert chosen(x) == plain(x)
    assert len(chosen.graphs) == 1


@every_kind
def test_a_staged_branch_that_is_not_taken_leaves_a_slot(kind):
    @rt.function
    def chosen(x):
        box = kind(x)
        if x > 0:
            box.set(x * 2)
        return box.get()

    plain = rt.eager(chosen)
    assert chosen(np.float64(-3.0)) == plain(np.float64(-3.0))
    assert chosen(np.float64(3.0)) == plain(np.float64(3.0))


@every_kind
def test_a_staged_loop_carries_a_slot(kind):
    @rt.function
    def summed(n):
        box = kind(np.float64(0.0))
        while n > 0:
            box.set(box.get() + n)
            n = n - 1
        return box.get()

    assert summed(np.int64(4)) == rt.eager(summed)(np.int64(4))


@every_kind
def test_a_slot_that_changed_between_calls_retraces(kind):
    box = kind(2.0)
    scaled = rt.function(lambda x: x * box.get())
    for value in (2.0, 5.0, 7.0):
        box.set(value)
        assert scaled(np.float64(3.0)) == 3.0 * box.get()
    assert len(scaled.graphs) == 3


@every_kind
def test_an_array_in_a_slot_is_an_input(kind):
    box = kind(np.ones(2))
    added = rt.function(lambda x: x + box.get())
    for scale in (1.0, 2.0):
        box.set(np.full(2, scale))
        assert added(np.zeros(2)).tolist() == np.broadcast_to(box.get(), 2).tolist()
    assert len(added.graphs) == 1


@every_kind
def test_a_run_writes_a_slot_of_the_callers_object(kind):
    box, twin = kind(np.float64(1.0)), kind(np.float64(1.0))

    @rt.function
    def grow(x):
        box.set(box.get() + x)

    for x in (np.float64(2.0), np.float64(3.0)):
        grow(x)
        twin.set(twin.get() + x)
        assert box.get() == twin.get()


@every_kind
def test_a_result_is_an_object_with_slots(kind):
    made = rt.function(lambda x: kind(x * 2))(np.float64(4.0))
    assert type(made) is kind
    assert made.get() == kind(np.float64(8.0)).get()


def test_a_slot_that_is_set_later_retraces():
    box = Inherited(1.0)
    has_it = rt.function(lambda x: x + 1 if hasattr(box, "unset") else x)
    assert has_it(np.float64(1.0)) == 1.0
    box.unset = None
    assert has_it(np.float64(1.0)) == 2.0
    del box.unset
    assert has_it(np.float64(1.0)) == 1.0


def test_attributes_are_read_under_their_mangled_names():
    assert attributes(Private(1)) == {"_Private__value": 1}
    assert attributes(OneString(1)) == {"value": 1}
    assert attributes(SamePrivateName(1)) == {"_Private__value": 1, "_SamePrivateName__value": -1}
    assert attributes(SlotsAndDict(1)) == {"_Private__value": 1, "label": "plain"}
    assert attributes(Inherited(1)) == {"_Private__value": 1}


def test_attributes_are_written_and_deleted():
    box = SlotsAndDict(1)
    write_attribute(box, "_Private__value", 2)
    write_attribute(box, "label", MISSING)
    write_attribute(box, "more", 3)
    assert attributes(box) == {"_Private__value": 2, "more": 3}
    with pytest.raises(AttributeError):
        write_attribute(box, "absent", MISSING)
    with pytest.raises(AttributeError):
        write_attribute(Private(1), "new", 1)
    assert attributes(object_with(SamePrivateName, {"_Private__value": 4})) == {
        "_Private__value": 4
    }


class Watched:
    """A property of the derived class hides the slot of the base."""

    __slots__ = ("value",)


class Hidden(Watched):
    __slots__ = ()

    @property
    def value(self):
        raise AssertionError("read the property")


def test_properties_are_bypassed():
    hidden = Hidden()
    write_attribute(hidden, "value", 3)
    assert attributes(hidden) == {"value": 3}
