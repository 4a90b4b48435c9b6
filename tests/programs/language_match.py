"""Programs with `match` on staged values; see `programs.py`."""

from dataclasses import dataclass

from numpy import array
from numpy import float64 as f64
from numpy import int64 as i64
from programs import program

NUMBERS = [(i64(n),) for n in (0, 1, 2, 5, 11, -3)]
PAIRS = [(i64(0), i64(4)), (i64(3), i64(0)), (i64(0), i64(0)), (i64(2), i64(5)), (i64(7), i64(2))]
SIGNS = [(f64(1.5),), (f64(-1.5),)]


@program(*NUMBERS, staged=NUMBERS)
def matched_numbers(n):
    match n:
        case 0:
            return 100
        case 1 | 2:
            return 200
        case m if m > 10:
            return m * 2
    return -1


@program(*PAIRS, staged=PAIRS)
def matched_pairs(x, y):
    match (x, y):
        case (0, 0):
            z = x
        case (0, b):
            z = b
        case (a, 0):
            z = a * 10
        case (a, b) if a > b:
            z = a - b
        case _:
            z = x + y
    return z


@dataclass
class Point:
    x: object
    y: object


@program(*PAIRS, staged=PAIRS)
def matched_objects(x, y):
    match Point(x, y):
        case Point(x=0, y=down):
            return down
        case Point(right, 0):
            return right
        case Point(x=right, y=down) if right > down:
            return right - down
        case _:
            return 100


@program(*SIGNS, staged=SIGNS)
def matched_dicts(x):
    match {"kind": "move", "by": x, "more": [x, 2]}:
        case {"kind": "stop"}:
            return x
        case {"kind": "move", "by": by} if by > 0:
            return by * 2
        case {"by": by, "more": [first, *rest]}:
            return by - first + len(rest)


@program(*NUMBERS, staged=NUMBERS)
def matched_in_a_loop(n):
    total = 0
    for i in range(n):
        match i % 3:
            case 0:
                continue
            case 1 if total > 5:
                break
            case other:
                total += other * i
    return total


@program(*NUMBERS, staged=NUMBERS)
def matched_captures_stay(n):
    kept = n * 0 - 1
    match n:
        case 5:
            kept = n
        case kept if kept > 10:
            pass
        case _ as other:
            kept = kept + other
    return kept


@program(*NUMBERS, staged=NUMBERS)
def matched_prints(n):
    match n:
        case 0 | 1:
            print("small", n)
        case m:
            print("large", m)
    assert n != 11, "eleven"


@program(*SIGNS, staged=SIGNS)
def matched_ternary(x):
    match x, x > 0:
        case (y, True):
            return y
        case (1.5, _):
            return 1
        case _:
            return 2


@program((array([1, 2]), i64(0)), (array([1, 2]), i64(3)), staged=[(array([1, 2]), i64(0))])
def matched_arrays(xs, n):
    match xs, n:
        case ([a, b], _):
            return a + b
        case (rows, 0):
            return rows.sum()
        case (rows, k):
            return rows.sum() * k
