"""Tuples that are ordered by name, and searches of tuples and of lists of objects."""

from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np
from support.every_mode import STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
X = np.array([1.5, -2.0, 3.0, 0.5, 3.0, -1.0])
WITH_NAN = np.array([1.5, np.nan, 3.0, np.nan, 3.0])
Pair = namedtuple("Pair", "key place")


@dataclass(frozen=True, order=True)
class Point:
    x: float
    y: float
    name: str = field(default="", compare=False)


@dataclass(eq=False)
class Item:
    x: float


# -- order by name ---------------------------------------------------------------------------------


@prog(X)
def least_pair(x):
    best = (x[0], 0)
    for i in range(len(x)):
        pair = (x[i], i)
        if pair < best:
            best = pair
    return best


@prog(X)
def last_of_the_greatest(x):
    best = None
    for i in range(len(x)):
        pair = (x[i], i)
        if best is None or pair >= best:
            best = pair
    return best


@prog(X)
def order_of_tuples_of_other_lengths(x):
    short, long = (x[2],), (x[4], x[0])
    return short < long, short <= long, short > long, long >= short


@prog(WITH_NAN)
def order_with_nan(x):
    one, other = (x[1], x[0]), (x[3], x[2])
    return one < other, other > one, (x[1], 1) < (x[1], 2)


@prog(X)
def least_named_tuple(x):
    best = Pair(x[0], 0)
    for i, v in enumerate(x):
        pair = Pair(v * v, i)
        if best > pair:
            best = pair
    return best


@prog(X)
def insertion_sort_of_pairs(x):
    pairs = [(v, i) for i, v in enumerate(x)]
    for i in range(1, len(pairs)):
        pair, j = pairs[i], i
        while j > 0 and pair < pairs[j - 1]:
            pairs[j] = pairs[j - 1]
            j -= 1
        pairs[j] = pair
    return pairs


@prog(X)
def order_of_points(x):
    one, other = Point(x[2], x[0], "a"), Point(x[4], x[1], "b")
    return one < other, one <= other, one > other


@prog(X)
def order_of_arrays_and_texts(x):
    other, text, word = x[::-1], "a", "b"
    return x < other, text < word, x[0] > other[0]


@prog(X)
def order_of_mixed_parts_raises(x):
    one, other = (x[0], "a"), (x[0], 1)
    return one < other


@prog(X)
def order_with_none_raises(x):
    best = None
    if x[0] > 5:
        best = (x[0], 1)
    pair = (x[1], 2)
    return pair < best


@prog(X)
def order_of_none_raises(x):
    best = None
    if x[0] > 5:
        best = (x[0], 1)
    pair = (x[1], 2)
    return best <= pair


@prog(X)
def order_with_what_may_be_none(x):
    best = None
    if x[0] > 1:
        best = (x[0], 1)
    pair = (x[1], 2)
    return best <= pair, pair < best


# -- tuples ----------------------------------------------------------------------------------------


@prog(X)
def place_in_a_tuple(x):
    parts = (x[0], x[1], x[2], x[4])
    return parts.index(x[4]), parts.index(3.0, 3), parts.index(x[1], -3, -1)


@prog(X)
def place_that_is_not_there(x):
    parts = (x[0], x[1])
    try:
        return parts.index(x[2])
    except ValueError as error:
        return str(error)


@prog(X)
def place_that_raises(x):
    return (x[0], x[1]).index(x[2])


@prog(X)
def counts_in_a_tuple(x):
    parts = (x[2], 3, True, 3.0, x[4], "3", None)
    return parts.count(x[2]), parts.count(3), parts.count(x[0] > 0), ().count(x[0])


@prog(X)
def known_tuples_stay_known(x):
    names = ("a", "b", "b")
    return x[names.index("b")], names.count("b") * x


@prog(WITH_NAN)
def nan_in_a_tuple(x):
    parts = (x[0], x[1], x[2])
    return parts.count(x[3]), parts.count(x[2])


@prog(X)
def place_in_a_named_tuple(x):
    pair = Pair(x[0], x[2])
    return pair.index(x[4]), pair.count(x[4])


@prog(X)
def place_of_a_tuple(x):
    steps = ((x[0], 1), (x[2], 2), (x[4], 2))
    return steps.index((x[4], 2)), steps.count((3.0, 2))


# -- lists of objects ------------------------------------------------------------------------------


def points(x):
    made = []
    for v in x:
        if v > 0:
            made.append(Point(v, v * 2, "p"))
    return made


@prog(X)
def point_in_list(x):
    made = points(x)
    return Point(3.0, 6.0, "q") in made, Point(x[1], x[1]) in made, Point(x[0], 3.0) not in made


@prog(X)
def place_of_a_point(x):
    made = points(x)
    return made.index(Point(x[4], x[4] * 2)), made.count(Point(3.0, 6.0))


@prog(X)
def place_of_no_point(x):
    try:
        return points(x).index(Point(x[1], 0.0))
    except ValueError:
        return -1


@prog(WITH_NAN)
def point_with_nan(x):
    made = []
    for v in x:
        made.append(Point(v, 0.0))
    return made[1] in made, Point(x[1], 0.0) in made, made.count(Point(x[2], 0.0))


@prog(X)
def visited_points(x):
    seen, steps = [], 0
    place = Point(x[0], 0.0)
    while place not in seen:
        seen.append(place)
        place = Point((place.x * 3 + 1) % 7, place.y)
        steps += 1
    return steps, place.x


@prog(X, refused=STAGED)
def objects_that_are_compared_by_identity(x):
    made = []
    for v in x:
        if v > 0:
            made.append(Item(v))
    return Item(x[0]) in made


# -- bools, which are one object each --------------------------------------------------------------


@prog(X)
def edges_by_identity(x):
    edges, is_up = [], False
    for i, v in enumerate(x):
        before = is_up
        is_up = not is_up if v > 1 else is_up
        if is_up is not before:
            edges.append(i)
    return edges, is_up


@prog(X)
def pythons_bool_is_not_numpys(x):
    is_up = x[0] > 1
    is_down = True if x[1] > 1 else False
    return is_up is is_down, is_down is not is_up
