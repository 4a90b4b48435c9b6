"""Threads that print conditions of one guard at the same time name its constants."""

from runtime.function.guards.records import Names


class Interrupted(dict):
    """A table in which another thread names a constant just before an entry is made."""

    def __init__(self, act):
        self.act = act

    def interrupt(self):
        act, self.act = self.act, None
        if act is not None:
            act()

    def __setitem__(self, key, value):
        self.interrupt()
        super().__setitem__(key, value)

    def setdefault(self, key, value):
        self.interrupt()
        return super().setdefault(key, value)


def test_two_constants_that_are_named_at_the_same_time_have_two_names():
    one, other = object(), object()
    names = Names("_")
    names._known = Interrupted(lambda: names.of(other))
    assert names.constants[names.of(one)] is one
    assert names.constants[names.of(other)] is other
    assert names.of(one) != names.of(other)


def test_a_constant_that_two_threads_name_has_one_name():
    constant = object()
    names = Names("_")
    names._known = Interrupted(lambda: names.of(constant))
    name = names.of(constant)
    assert names.of(constant) == name and names.constants[name] is constant
