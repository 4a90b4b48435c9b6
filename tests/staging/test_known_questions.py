"""`len`, `isinstance` and formatted strings of values that are known while a graph is recorded."""

import abc

import numpy as np
import pytest

import runtime as rt


class Base:
    pass


class Leaf(Base):
    pass


class Asked(type):
    def __instancecheck__(cls, value):
        return value.answer > 1


class ByAnswer(metaclass=Asked):
    pass


class Abstract(abc.ABC):  # noqa: B024
    pass


class SaysOther:
    answer = 2

    @property
    def __class__(self):
        return Leaf


class Sized:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


class Named:
    @property
    def __name__(self):
        return "mine"

    @property
    def __dict__(self):
        return {"a": 1}


class Scaling(type):
    @property
    def scale(cls):
        return 3


class Scaled(metaclass=Scaling):
    @property
    def scale(self):
        return 2


leaf, other, sized, numbers = Leaf(), SaysOther(), Sized(3), [1, 2]
named, scaled = Named(), Scaled()


def classes_of_a_users_object(x):
    asked = (Leaf, Base, Sized, (int, Leaf), object, Abstract, (list, Abstract), ByAnswer)
    found = []
    for kind in asked[:-1]:
        found.append(isinstance(leaf, kind))
    found.append(isinstance(other, asked[-1]))
    return x, found


def an_object_that_says_another_class(x):
    return x, isinstance(other, Leaf), isinstance(other, SaysOther), isinstance(other, (int, Base))


def a_class_that_is_registered(x):
    before = isinstance(leaf, Abstract)
    Abstract.register(Leaf)
    return x, before, isinstance(leaf, Abstract)


def names_that_classes_themselves_have(x):
    return x * scaled.scale, Scaled.scale, named.__name__, Named.__name__, named.__dict__


def classes_of_containers(x):
    made, found = [x, 1], []
    for value in (made, numbers, (x,), {"a": x}, {1}, range(3)):
        found.append((isinstance(value, list), isinstance(value, (tuple, dict)), len(value)))
    return x, found


def lengths_as_containers_grow(x):
    made, found = [], []
    for i in range(3):
        made.append(x * i)
        found.append(len(made))
    made.pop()
    return x, found, len(made), len(sized), len("ab"), len({1: made, 2: x})


def a_length_that_a_branch_decides(x):
    made = [x]
    if x[0] > 0:
        made.append(x + 1.0)
    return x * len(made), isinstance(made, list)


def the_class_of_a_choice(x):
    one = leaf if x[0] > 0 else sized
    return x + isinstance(one, Leaf) + 2 * isinstance(one, (Sized, int))


def the_class_of_an_optional(x):
    one = None
    if x[0] > 0:
        one = x
    return x + isinstance(one, np.ndarray) + 2 * isinstance(one, (int, type(None)))


def wrong_questions(x):
    found = []
    for call in (lambda: len(3), lambda: isinstance(3, 3), lambda: isinstance([], (int, 3))):
        try:
            call()
        except TypeError as error:
            found.append(str(error))
    return x, found


def texts_of_numbers(x):
    n, y, name = 7, 2.5, "ab"
    found = [f"{n}", f"{n:>4}", f"{n!r:>4}", f"{y:.3f}", f"{name!r}", f"{name:^{n}}", f"{None}"]
    try:
        f"{n:zz}"
    except ValueError as error:
        found.append(str(error))
    try:
        f"{None:>4}"
    except TypeError as error:
        found.append(str(error))
    return x, found, str(True), repr("é"), ascii("é"), format(3, "x")


PROGRAMS = (
    classes_of_a_users_object,
    an_object_that_says_another_class,
    a_class_that_is_registered,
    names_that_classes_themselves_have,
    classes_of_containers,
    lengths_as_containers_grow,
    a_length_that_a_branch_decides,
    the_class_of_a_choice,
    the_class_of_an_optional,
    wrong_questions,
    texts_of_numbers,
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("first", [1.0, -1.0])
def test_the_answers_are_pythons(program, first):
    x = np.array([first, 2.0])
    global Abstract
    wanted = repr(program(x))
    Abstract = type("Abstract", (abc.ABC,), {})
    assert repr(rt.function(program)(x)) == wanted
    Abstract = type("Abstract", (abc.ABC,), {})


def test_a_length_that_each_run_changes_is_that_of_the_run():
    pending = []

    def noted(x):
        if x > 0:
            rt.host_call(pending.append, 1)
        return x

    graph = rt.function(noted)
    assert [float(graph(np.float64(v))) for v in (1.0, -1.0, 2.0)] == [1.0, -1.0, 2.0]
    assert len(pending) == 2
