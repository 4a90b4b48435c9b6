"""Programs whose expressions bind variables on staged paths; see `programs.py`."""

from numpy import float64 as f64
from programs import program

NUMBERS = [(f64(5.0),), (f64(3.5),), (f64(-5.0),)]


@program(*NUMBERS, staged=NUMBERS)
def bound_in_the_rest_of_and(x):
    if x > 3 and (y := x + 1) > 5:
        return y
    return x


@program(*NUMBERS, staged=NUMBERS)
def bound_in_the_rest_of_or(x):
    if x < 4 or (y := x * 2) > 12:
        return x
    return y


@program(*NUMBERS, staged=NUMBERS)
def bound_on_either_side(x):
    y = 0
    z = (y := x + 1) if x > 4 else (y := 2.0)
    return y, z


@program(*NUMBERS, staged=NUMBERS)
def bound_in_a_chain(x):
    y = w = 0.0
    found = x > 3 and (y := x + 1) > 2 and (w := y * 2) > 10
    return y, w, found


@program(*NUMBERS, staged=NUMBERS)
def bound_in_the_test_of_a_loop(x):
    turns = 0
    while x > 0 and (y := x - 1) > -0.75:
        x = y
        turns += 1
    return x, turns


@program(*NUMBERS, staged=NUMBERS)
def bound_in_the_test_and_read_in_the_turn(x):
    total = 0.0
    while (y := x * x) > 1:
        total = total + y
        x = x * 0.5
    return total, x, y


@program(*NUMBERS, staged=NUMBERS)
def bound_in_the_test_of_a_loop_that_is_left(x):
    total = 0.0
    while (y := x * x) > 1:
        if y > 9:
            x = x * 0.5
            continue
        total = total + y
        if total > 6:
            break
        x = x * 0.9
    return total, x


@program(*NUMBERS, staged=NUMBERS)
def bound_in_an_assertion(x):
    assert x > 0 and (y := x + 1) > 2, f"no {x}"
    return y


@program(*NUMBERS, staged=NUMBERS)
def perhaps_never_bound(x):
    found = x > 3 and (y := x + 1) > 2
    print(found)
    return y
