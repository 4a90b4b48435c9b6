"""Programs with comprehensions over staged values, and functions that take iterables of them; see
`programs.py`."""

import functools
import itertools

import numpy as np
from numpy import array
from numpy import float64 as f64
from numpy import int64 as i64
from programs import program

ARRAYS = [(array([]),), (array([1.5]),), (array([3.0, -1.0, 2.25, -1.0]),), (array([-2.0, -3.0]),)]
FILLED = ARRAYS[1:]
COUNTS = [(i64(0),), (i64(1),), (i64(5),)]
TABLES = [(array([[1.0, 2.0], [3.0, -4.0]]),), (np.zeros((0, 2)),)]


@program(*ARRAYS, staged=ARRAYS)
def listed_squares(xs):
    return [x * x for x in xs]


@program(*ARRAYS, staged=ARRAYS)
def listed_positive(xs):
    return [x for x in xs if x > 0]


@program(*ARRAYS, staged=ARRAYS)
def listed_in_a_window(xs):
    return [x + 1 for x in xs if x > -2 if x < 3 and x != 0]


@program(*COUNTS, staged=COUNTS)
def listed_range(n):
    return [i * i for i in range(n)], [i for i in range(10) if i < n], [i for i in range(n, 0, -2)]


@program(*COUNTS, staged=COUNTS)
def listed_pairs(n):
    return [i * 10 + j for i in range(n) for j in range(i) if j % 2 == 0]


@program(*TABLES, staged=TABLES)
def listed_rows(rows):
    sums = [row.sum() for row in rows]
    return sums, [v for row in rows for v in row if v > 0], [[v + 1 for v in row] for row in rows]


@program(*ARRAYS, staged=ARRAYS)
def listed_with_numbers(xs):
    return [(i, x) for i, x in enumerate(xs) if x > 0], [i for i, x in enumerate(xs, 5) if x < 0]


@program(*ARRAYS, staged=ARRAYS)
def listed_together(xs):
    return [a - b for a, b in zip(xs, xs[1:]) if a != b], [a * k for a, k in zip(xs, range(3))]


@program(*ARRAYS, staged=ARRAYS)
def listed_backwards(xs):
    return [x for x in reversed(xs) if x > -2], [x for x in reversed(range(len(xs)))]


@program(*ARRAYS, staged=ARRAYS)
def listed_with_a_walrus(xs):
    return [y for x in xs if (y := x * 2) > 0]


@program(*FILLED, staged=FILLED)
def listed_and_last(xs):
    doubled = [last := 2 * x for x in xs]
    return doubled, last


@program(*ARRAYS, staged=ARRAYS)
def listed_by_a_function(xs):
    def sign(x):
        if x > 0:
            return 1.0
        return -1.0

    return [sign(x) * x for x in xs], [x for x in xs if sign(x) > 0]


@program(*ARRAYS, staged=ARRAYS)
def listed_and_chosen(xs):
    return [x if x > 0 else -x for x in xs], [x > 0 or x < -1 for x in xs]


@program(*ARRAYS, staged=ARRAYS)
def listed_and_filtered_again(xs):
    kept = [x for x in xs if x > -2]
    return (
        [x + 1 for x in kept if x < 3],
        [2 * x for x in kept],
        [(x, i) for i, x in enumerate(kept)],
    )


@program(*ARRAYS, staged=ARRAYS)
def listed_printing(xs):
    def tell(x):
        print("at", x)
        return x > 0

    return [x for x in xs if tell(x)]


@program(*COUNTS, staged=COUNTS)
def listed_until_an_exception(n):
    def checked(i):
        if i > 3:
            raise ValueError(f"{i} is above 3")
        return i

    return [checked(i) for i in range(n)]


@program(*COUNTS, staged=COUNTS)
def listed_twice_the_same_name(n):
    i = 7
    made = [i for i in range(n)]
    return made, i, [i for _ in range(2)]


@program(*COUNTS, staged=COUNTS)
def listed_in_a_branch(n):
    if n > 2:
        made = [i + 0.5 for i in range(n) if i != 1]
    else:
        made = [0.5]
    return made, len(made)


@program(*ARRAYS, staged=ARRAYS)
def mapped_by_position(xs):
    return {i: x for i, x in enumerate(xs)}


@program(*COUNTS, staged=COUNTS)
def summed_generators(n):
    return sum(i * i for i in range(n)), sum((0.5 for i in range(n) if i % 2), 1.5)


@program(*FILLED, staged=FILLED)
def summed_arrays(xs):
    return sum(xs), sum(x for x in xs if x > 0), sum(xs, 10), sum([x for x in xs if x > 0], 0.5)


@program(*TABLES[:1], staged=TABLES[:1])
def summed_rows(rows):
    return sum(rows), sum(row for row in rows), sum([row * 2 for row in rows], np.ones(2))


@program(*ARRAYS, staged=ARRAYS)
def some_and_all(xs):
    return (
        any(x > 2 for x in xs),
        all(x > 0 for x in xs),
        any([x > 2 for x in xs]),
        all([x > 0 for x in xs if x != 3]),
        any(x > 1 for x in xs if x < 2),
    )


@program(*ARRAYS, staged=ARRAYS)
def some_until_found(xs):
    def tell(x):
        print("looks at", x)
        return x < 0

    return any(tell(x) for x in xs), all(tell(x) for x in xs)


@program(*COUNTS, staged=COUNTS)
def some_prime(n):
    return [i for i in range(2, 3 * n) if all(i % d for d in range(2, i))]


@program(*FILLED, (array([2.0, np.nan, 3.0]),), staged=[*FILLED, (array([2.0, np.nan, 3.0]),)])
def greatest_and_least(xs):
    return max(xs), min(xs), max(x * x for x in xs), min([-x for x in xs]), max(list(xs))


@program(*ARRAYS, staged=FILLED)
def greatest_of_nothing(xs):
    return max(x for x in xs if x > 0)


@program(*ARRAYS, staged=ARRAYS)
def greatest_with_a_default(xs):
    return max((x for x in xs if x > 0), default=0.0), min([x for x in xs if x > 0], default=f64(9))


@program(*FILLED, staged=FILLED)
def greatest_by_a_key(xs):
    def distance(x):
        if x > 2:
            return x - 2
        return 2 - x

    kept = [x for x in xs if x > -9]
    return max(xs, key=distance), min(xs, key=distance), max(kept, key=abs), min(kept, key=distance)


@program(*FILLED, staged=FILLED)
def greatest_of_several(xs):
    return max(xs[0], 1.0, xs[-1]), min(xs[0], 2.0), max([xs[0], 0.0], key=lambda v: -v)


@program(*ARRAYS, staged=ARRAYS)
def in_order(xs):
    kept = [x for x in xs if x > -2]
    return sorted(xs), sorted(kept, reverse=True), sorted(x * x for x in xs if x > -2)


@program(*FILLED, staged=FILLED)
def in_order_by_a_key(xs):
    def key(x):
        return -x if x < 0 else x

    pairs = sorted([(x, i) for i, x in enumerate(xs) if x < 3], key=lambda pair: pair[0])
    return sorted(xs, key=key), sorted([xs[0], 0.5, xs[-1]], key=key, reverse=True), pairs


@program(*FILLED, staged=FILLED)
def in_order_and_unpacked(xs):
    low, middle, high = sorted([xs[0], f64(1), xs[-1]])
    return low, middle, high


@program(*ARRAYS, staged=ARRAYS)
def sorted_in_place(xs):
    kept = [x for x in xs if x > -2]
    kept.sort()
    known = list(xs)
    known.sort(key=abs, reverse=True)
    return kept, known


@program(*ARRAYS, staged=ARRAYS)
def mapped_and_filtered(xs):
    def is_small(x):
        if x > 2:
            return False
        return x > -2

    return list(map(lambda x: 2 * x, xs)), list(filter(is_small, xs)), list(map(is_small, xs))


@program(*ARRAYS, staged=ARRAYS)
def mapped_together(xs):
    total = 0.0
    for y in map(lambda a, b: a * b, xs, xs[1:]):
        if y > 0:
            total = total + y
    return total, [a for a in map(abs, xs) if a > 1]


@program(*FILLED, staged=FILLED)
def reduced(xs):
    def keep_greater(a, b):
        return a if a > b else b

    return (
        functools.reduce(keep_greater, xs),
        functools.reduce(lambda a, b: a + 2 * b, xs, f64(1)),
        functools.reduce(keep_greater, [xs[0], xs[-1]]),
    )


@program(*ARRAYS, staged=FILLED)
def reduced_from_what_is_left(xs):
    return functools.reduce(lambda a, b: a * b, [x for x in xs if x > 0])


@program(*FILLED, staged=FILLED)
def accumulated(xs):
    sums = list(itertools.accumulate(xs))
    return sums, list(itertools.accumulate(xs, lambda a, b: a if a > b else b, initial=f64(0)))


@program(*ARRAYS, staged=ARRAYS)
def loops_over_combinations(xs):
    found, total = -1, 0.0
    for i, (a, b) in enumerate(zip(xs, reversed(xs))):
        if a < b:
            found = i
            break
        total += a * b
    return found, total


@program(*ARRAYS, staged=ARRAYS)
def loops_over_an_enumeration(xs):
    best, where = f64(-10.0), -1
    for i, x in enumerate(xs):
        if x > best:
            best, where = x, i
    return best, where


@program(*COUNTS, staged=COUNTS)
def loops_over_a_range_and_a_list(n):
    total = 0
    for i, weight in zip(range(n), [3, 5, 7]):
        total += i * weight
    return total


@program(*COUNTS, staged=COUNTS)
def loops_over_made_lists(n):
    total = 0
    for i in [2 * j for j in range(n) if j != 2]:
        for k in list(range(i)):
            total += k
    return total


@program(*ARRAYS, staged=ARRAYS)
def chained_and_sliced(xs):
    return [x + 1 for x in itertools.chain(xs, [0.5])], list(itertools.islice(xs, 2))


@program(*ARRAYS, staged=ARRAYS)
def next_of_a_generator(xs):
    return next((x * 2 for x in xs), None)


@program(*FILLED, staged=FILLED)
def zipped_strictly(xs):
    total = 0.0
    for i, (x, y) in enumerate(zip(xs, xs * 2, strict=True)):
        if x > y:
            break
        total += x * y + i
    return total
