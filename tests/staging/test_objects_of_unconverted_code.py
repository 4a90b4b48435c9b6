"""Objects with a state that no converted call makes: each run has its own, or the line is refused.

The code that makes them is not converted (a decorator, `__init__` of a dataclass, a factory that C
calls), or their class is the user's own and hides a state that comparing attributes does not show.
"""

import collections
import dataclasses
import io
import queue
import random
import string

import numpy as np
import pytest

import autograph
import runtime as rt
from runtime.errors import EffectError, GeneratorError

VALUES = [np.float64(x) for x in (1.0, -2.0, 3.0, 1.0)]


def agree(make):
    """Whether a graph returns what the function returns, in several calls of each."""
    plain, made = make(), rt.function(make())
    assert [made(x) for x in VALUES] == [plain(x) for x in VALUES]


def is_refused(make, error=EffectError, text="was made while the graph was being built"):
    made = rt.function(make())
    for x in VALUES[:2]:
        with pytest.raises(error, match=text):
            made(x)


def drawn(dice, x):
    if x > 0:
        x = x + dice.random()
    return x + dice.random()


def put(jobs, x):
    jobs.put(x)
    if x > 0:
        jobs.put(2.0)
    return jobs.qsize()


# -- class bodies ----------------------------------------------------------------------------------


def test_calls_in_the_body_of_a_class_are_made_by_each_run():
    def make():
        def f(x):
            class Box:
                stream = np.random.default_rng(3)
                dice = random.Random(3)
                jobs = queue.Queue()
                lists = [queue.Queue() for _ in range(2)]

                def first(self, jobs=queue.Queue()):  # noqa: B008
                    return put(jobs, 1.0)

            found = drawn(Box.stream, x), drawn(Box.dice, x), put(Box.jobs, x)
            return (*found, put(Box.lists[1], x), Box().first())

        return f

    agree(make)


def test_the_text_of_a_stream_in_the_body_of_a_class():
    def make():
        def f(x):
            class Box:
                text = io.StringIO()

            if x > 0:
                Box.text.write("pos")
            Box.text.write("x")
            return Box.text.getvalue()

        return f

    agree(make)


def test_a_named_tuple_with_a_default():
    from typing import NamedTuple

    def make():
        def f(x):
            class Game(NamedTuple):
                dice: object = random.Random(3)

            return drawn(Game().dice, x)

        return f

    agree(make)


# -- code that is not converted --------------------------------------------------------------------


@autograph.do_not_convert
def made_plainly():
    return queue.Queue()


@dataclasses.dataclass
class Work:
    jobs: object = dataclasses.field(default_factory=queue.Queue)


class Registered:
    def __init_subclass__(cls):
        cls.jobs = queue.Queue()


def counted(function):
    jobs = queue.Queue()

    def counting(x):
        jobs.put(x)
        return function(x) + jobs.qsize()

    return counting


def of_a_function():
    return lambda x: put(made_plainly(), x)


def of_a_dataclass():
    return lambda x: put(Work().jobs, x)


def of_a_factory():
    return lambda x: put(collections.defaultdict(queue.Queue)["a"], x)


def of_a_text():
    return lambda x: put(eval("queue.Queue()", {"queue": queue}, {}), x)


def of_a_subclass():
    def f(x):
        class Task(Registered):
            pass

        return put(Task.jobs, x)

    return f


def of_a_decorator():
    def f(x):
        @counted
        def g(x):
            return x

        return g(x) + g(x)

    return f


PLAIN = (of_a_function, of_a_dataclass, of_a_factory, of_a_text, of_a_subclass, of_a_decorator)


@pytest.mark.parametrize("make", PLAIN)
def test_an_object_of_code_that_is_not_converted_is_refused(make):
    is_refused(make)


def test_a_generator_of_code_that_is_not_converted_is_refused():
    @autograph.do_not_convert
    def stream():
        return np.random.default_rng(3)

    is_refused(lambda: lambda x: drawn(stream(), x))


def test_an_object_that_such_code_holds_is_shared_by_all_runs():
    def make():
        held = {"jobs": [queue.Queue()], "dice": random.Random(3)}

        @autograph.do_not_convert
        def get(name):
            return held[name]

        return lambda x: (put(get("jobs")[0], x), drawn(get("dice"), x))

    agree(make)


class Plain:
    """A class whose objects the user changes."""


@autograph.do_not_convert
def plain_object():
    return Plain()


def test_an_own_object_that_runs_cannot_make_is_not_returned():
    is_refused(lambda: lambda x: (made_plainly(), x))
    is_refused(lambda: lambda x: (plain_object(), x))
    is_refused(lambda: lambda x: (string.Template("$a"), x))


def test_an_object_of_others_is_returned_itself():
    held = {"jobs": queue.Queue(), "plain": Plain(), "text": string.Template("$a")}

    @autograph.do_not_convert
    def get(name):
        return held[name]

    f = rt.function(lambda x: (get("jobs"), get("plain"), held["text"], x))
    for x in VALUES:
        assert all(one is other for one, other in zip(f(x)[:3], held.values(), strict=True))


# -- classes that hide a state ---------------------------------------------------------------------


class Dice(random.Random):
    pass


class Doubled(random.Random):
    def random(self):
        return 2 * super().random()


class Jobs(queue.SimpleQueue):
    pass


class Text(io.StringIO):
    pass


class Stream(np.random.RandomState):
    pass


def written(text, x):
    if x > 0:
        text.write("pos")
    return text.getvalue()


CLASSES = [
    (lambda: Dice(3), drawn),
    (lambda: Doubled(3), drawn),
    (lambda: Stream(3), drawn),
    (Jobs, put),
    (Text, written),
]


@pytest.mark.parametrize("new, use", CLASSES)
def test_objects_of_others_keep_their_state(new, use):
    def held():
        one = new()
        return lambda x: use(one, x)

    def in_a_list():
        some = {"a": [new()]}
        return lambda x: use(some["a"][0], x)

    agree(held)
    agree(in_a_list)


@pytest.mark.parametrize("new, use", CLASSES)
def test_own_objects_are_refused_where_the_run_decides(new, use):
    is_refused(
        lambda: lambda x: use(new(), x),
        (EffectError, GeneratorError),
        "made|that the function creates",
    )


def test_own_objects_are_exact_where_each_run_does_the_same():
    agree(lambda: lambda x: x + Dice(3).random() + Stream(3).random_sample())
