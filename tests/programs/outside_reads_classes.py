"""Reads of the outside world: methods, properties, slots, modules; see `outside_reads.py`."""

import dataclasses
import enum
import types
import weakref

from outside_world import Box, case

rate = 2.0

count = 0


@case
def a_replaced_method():
    class Model:
        def rate(self):
            return 2.0

    model = Model()

    def read(x):
        return x * model.rate()

    def change():
        Model.rate = lambda self: 3.0

    return read, change


@case
def the_class_of_an_object():
    class One:
        def rate(self):
            return 2.0

    class Two:
        def rate(self):
            return 3.0

    model = One()

    def read(x):
        return x * model.rate()

    def change():
        model.__class__ = Two

    return read, change


@case
def a_property():
    class Model:
        hidden = 2.0

        @property
        def rate(self):
            return self.hidden

    model = Model()

    def read(x):
        return x * model.rate

    def change():
        model.hidden = 3.0

    return read, change


@case
def a_property_of_a_metaclass():
    class Meta(type):
        hidden = 2.0

        @property
        def rate(cls):
            return cls.hidden * 1.0

    class Model(metaclass=Meta):
        pass

    def read(x):
        return x * Model.rate

    def change():
        Model.hidden = 3.0

    return read, change


@case
def an_attribute_of_a_metaclass():
    class Meta(type):
        rate = 2.0

        def total(cls):
            return cls.rate + 1

    class Model(metaclass=Meta):
        pass

    def read(x):
        return x * Model.rate * Model.total()

    def change():
        Meta.rate = 3.0

    return read, change


@case
def a_descriptor():
    class Rate:
        value = 2.0

        def __get__(self, instance, owner):
            return self.value

    class Model:
        rate = Rate()

    model = Model()

    def read(x):
        return x * model.rate

    def change():
        vars(Model)["rate"].value = 3.0

    return read, change


@case
def getattr_of_a_class():
    class Model:
        def __init__(self):
            self.held = {"rate": 2.0}

        def __getattr__(self, name):
            return self.held[name]

    model = Model()

    def read(x):
        return x * model.rate

    def change():
        model.held["rate"] = 3.0

    return read, change


@case
def a_slot():
    class Model:
        __slots__ = ("rate",)

    model = Model()
    model.rate = 2.0

    def read(x):
        return x * model.rate

    def change():
        model.rate = 3.0

    return read, change


@case
def a_private_slot():
    class Model:
        __slots__ = ("__rate",)

        def __init__(self):
            self.__rate = 2.0

        def value(self):
            return self.__rate

        def set(self, rate):
            self.__rate = rate

    model = Model()

    def read(x):
        return x * model.value()

    return read, lambda: model.set(3.0)


@case
def a_slot_given_as_a_string():
    class Model:
        __slots__ = "rate"

    model = Model()
    model.rate = 2.0

    def read(x):
        return x * model.rate

    def change():
        model.rate = 3.0

    return read, change


@case
def a_private_attribute():
    class Model:
        def __init__(self):
            self.__rate = 2.0

        def value(self):
            return self.__rate

        def set(self, rate):
            self.__rate = rate

    model = Model()

    def read(x):
        return x * model.value()

    return read, lambda: model.set(3.0)


@case
def an_attribute_of_a_module_that_is_made():
    module = types.ModuleType("settings")
    module.rate = 2.0

    def read(x):
        return x * module.rate

    def change():
        module.rate = 3.0

    return read, change


@case
def a_namespace():
    space = types.SimpleNamespace(rate=2.0)

    def read(x):
        return x * space.rate

    def change():
        space.rate = 3.0

    return read, change


@case
def a_dataclass():
    @dataclasses.dataclass
    class Settings:
        rate: float = 2.0

    settings = Settings()

    def read(x):
        return x * settings.rate

    def change():
        settings.rate = 3.0

    return read, change


@case
def an_attribute_of_a_function():
    def helper(x):
        return x * helper.rate

    def change():
        helper.rate = 3.0

    helper.rate = 2.0
    return lambda x: helper(x), change


@case
def the_code_of_a_function():
    def helper(x):
        return x * 2.0

    def another(x):
        return x * 3.0

    def read(x):
        return helper(x)

    def change():
        helper.__code__ = another.__code__

    return read, change


@case
def an_attribute_of_an_enumeration_member():
    class Mode(enum.Enum):
        A = 1

    Mode.A.rate = 2.0

    def read(x):
        return x * Mode.A.rate

    def change():
        Mode.A.rate = 3.0

    return read, change


@case
def a_weak_reference():
    box = Box(rate=2.0)
    reference = weakref.ref(box)

    def read(x):
        return x * reference().rate

    def change():
        box.rate = 3.0

    return read, change


@case
def a_weak_proxy():
    box = Box(rate=2.0)
    proxy = weakref.proxy(box)

    def read(x):
        return x * proxy.rate

    def change():
        box.rate = 3.0

    return read, change
