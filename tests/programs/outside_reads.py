"""Reads of the outside world: objects of the program that a function is not passed.

Each case makes a part of the world, and returns a function that reads it, and another one that
changes it.  `outside_reads_library.py` has those of the process and of libraries.
"""

import operator

from outside_world import Box, case

rate = 2.0

count = 0


@case
def a_global():
    global rate
    rate = 2.0

    def read(x):
        return x * rate

    def change():
        global rate
        rate = 3.0

    return read, change


@case
def a_global_of_another_type():
    global rate
    rate = 2

    def read(x):
        return x * (2.0 if isinstance(rate, int) else 5.0)

    def change():
        global rate
        rate = 2.0

    return read, change


@case
def a_global_by_name():
    global rate
    rate = 2.0

    def read(x):
        return x * globals()["rate"]

    def change():
        global rate
        rate = 3.0

    return read, change


@case
def a_global_by_a_name_that_is_computed():
    global rate, count
    rate, count = 2.0, 7

    def read(x):
        return x * globals()["ra" + "te"] + globals().get("cou" + "nt", 0)

    def change():
        global rate, count
        rate, count = 3.0, 8

    return read, change


@case
def a_global_that_is_deleted():
    globals()["passing"] = 2.0

    def read(x):
        return x * (globals()["passing"] if "passing" in globals() else 7.0)

    def change():
        del globals()["passing"]

    return read, change


@case
def a_builtin_that_is_hidden():
    globals().pop("round", None)

    def read(x):
        return x * round(2.6)

    def change():
        globals()["round"] = lambda x: 7.0

    return read, change


@case
def a_free_variable():
    factor = 2.0

    def read(x):
        return x * factor

    def change():
        nonlocal factor
        factor = 3.0

    return read, change


@case
def an_attribute():
    box = Box(rate=2.0)

    def read(x):
        return x * box.rate

    def change():
        box.rate = 3.0

    return read, change


@case
def an_attribute_by_getattr():
    box, name = Box(rate=2.0), "rate"

    def read(x):
        return x * getattr(box, name)

    def change():
        box.rate = 3.0

    return read, change


@case
def an_attribute_by_vars():
    box = Box(rate=2.0)

    def read(x):
        return x * vars(box)["rate"]

    def change():
        box.rate = 3.0

    return read, change


@case
def an_attribute_by_dict():
    box = Box(rate=2.0)

    def read(x):
        return x * box.__dict__["rate"] * sum(box.__dict__.values())

    def change():
        box.rate = 3.0

    return read, change


@case
def an_attribute_by_attrgetter():
    box, get = Box(inner=Box(rate=2.0)), operator.attrgetter("inner.rate")

    def read(x):
        return x * get(box)

    def change():
        box.inner.rate = 3.0

    return read, change


@case
def an_attribute_that_appears():
    box = Box()

    def read(x):
        return x * (box.rate if hasattr(box, "rate") else 1.0)

    def change():
        box.rate = 3.0

    return read, change


@case
def a_class_attribute_that_is_hidden():
    class Settings:
        rate = 2.0

    settings = Settings()

    def read(x):
        return x * settings.rate

    def change():
        settings.rate = 3.0

    return read, change


@case
def a_class_attribute_of_a_base():
    class Base:
        rate = 2.0

    class Derived(Base):
        pass

    def read(x):
        return x * Derived.rate

    def change():
        Base.rate = 3.0

    return read, change
