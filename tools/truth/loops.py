"""Programs of the truth table: loops, jumps, and values from before a loop."""

import numpy as np

from truth.programs import program


@program("loops", 5.0)
def while_of_a_scalar(x):
    while x > 1:
        x = x * 0.6
    return x


@program("loops", 0.9)
def while_until_converged(x):
    y = 0.5
    while abs(y - np.cos(x * y)) > 1e-12:
        y = np.cos(x * y)
    return y


@program("loops", 2.0)
def newtons_root(x):
    y = x
    while abs(y * y - x) > 1e-13:
        y = (y + x / y) / 2
    return y


@program("loops", 3.0)
def loop_that_does_not_run(x):
    y = x * x
    while x > 10:
        y = y * x
        x = x - 1
    return y


@program("loops", [1.0, 2.0, 3.0])
def for_over_elements(x):
    total = 0.0
    for value in x:
        total = total * 0.5 + value * value
    return total


@program("loops", [1.0, 2.0, 3.0])
def for_over_a_range(x):
    product = 1.0
    for i in range(len(x)):
        product = product * x[i] + i
    return product


@program("loops", [1.0, 2.0, 3.0])
def for_backwards(x):
    total = 0.0
    for i in range(len(x) - 1, -1, -1):
        total = x[i] * (total + 1)
    return total


@program("loops", [1.5, -2.0, 0.5])
def enumerate_and_zip(x):
    total = 0.0
    for i, (a, b) in enumerate(zip(x, x[1:])):  # noqa: B905
        total = total + (i + 1) * a * b
    return total


@program("loops", [[1.0, 2.0], [3.0, 4.0]])
def nested_for(x):
    total = 0.0
    for row in x:
        product = 1.0
        for value in row:
            product = product * value
        total = total + product * product
    return total


@program("loops", [5.0, 8.0])
def while_in_for(x):
    total = 0.0
    for value in x:
        while value > 1:
            value = value / 3
        total = total + value * value
    return total


@program("loops", 1.2)
def swapped_state(x):
    a, b = x, x * x
    for _ in range(5):
        a, b = b, a + b * x
    return b


@program("loops", [3.0, 1.0, 2.0])
def loop_variable_after_the_loop(x):
    total = 0.0
    for value in x:
        total = total + value
    return total * value


@program("loops", 0.5)
def lag_of_two(x):
    before, last = 1.0, x
    for _ in range(4):
        before, last = last, np.sin(last) * before
    return last


@program("loops", [0.5, 1.5, 2.5])
def list_of_values(x):
    values = []
    for value in x:
        values.append(np.sin(value) * value)
    return values[0] * values[-1]


@program("jumps", [1.0, 2.0, -3.0, 4.0])
def break_from_for(x):
    total = 1.0
    for value in x:
        if value < 0:
            break
        total = total * value
    return total * total


@program("jumps", 1.45)
def break_from_while(x):
    y = x
    while True:
        y = y * x
        if y > 10:
            break
    return y


@program("jumps", [1.0, -2.0, 3.0])
def continue_in_for(x):
    total = 1.0
    for value in x:
        if value < 0:
            continue
        total = total * (value + 1)
    return total


@program("jumps", [0.5, -1.0, 2.0, 7.0, 3.0])
def break_and_continue(x):
    total = 0.0
    for value in x:
        if value < 0:
            continue
        if value > 5:
            total = total * value
            break
        total = total + value * value
    return total


@program("jumps", [0.5, 2.0, 3.0])
def return_from_a_loop(x):
    product = 1.0
    for value in x:
        product = product * value
        if value > 1:
            return product * product
    return 0.0 * product


@program("jumps", [[1.0, 2.0], [3.0, -4.0]])
def return_from_nested_loops(x):
    total = 0.0
    for row in x:
        for value in row:
            if value < 0:
                return total * value
            total = total + value * value
    return total


@program("jumps", [1.0, 3.0, -1.0, 2.0])
def break_of_the_inner_loop(x):
    total = 0.0
    for i in range(3):
        for value in x:
            if value < 0:
                break
            total = total + value ** (i + 1)
    return total


@program("jumps", [0.5, 0.25])
def else_of_a_loop(x):
    total = 0.0
    for value in x:
        if value > 1:
            break
        total = total + value
    else:
        total = total * total * total
    return total


@program("jumps", -1.5)
def early_return(x):
    if x < 0:
        return x * x
    y = np.sqrt(abs(x))
    return y * x


@program("jumps", 2.0)
def return_in_while_true(x):
    steps = 0
    while True:
        x = x * 0.7 + 0.1
        steps = steps + 1
        if x < 0.5:
            return x * steps


@program("before", [1.0, 2.0, 3.0])
def value_from_before_the_loop(x):
    scale = np.sum(x * x)
    total = 0.0
    for value in x:
        total = total * 0.1 + scale * value
    return total


@program("before", 1.1)
def name_bound_again(x):
    y = x
    for _ in range(3):
        x = x * y
    return x + y


@program("before", 0.7)
def closure_over_a_changing_name(x):
    scale = x

    def scaled(value):
        return scale * value

    total = 0.0
    for _ in range(3):
        total = scaled(total + x)
        scale = scale * x
    return total


@program("before", [1.0, 2.0])
def list_from_before_the_loop(x):
    values = [x[0], x[1]]
    for _ in range(4):
        values[0] = values[0] * values[1]
        values[1] = values[1] + x[0]
    return values[0]


@program("before", 2.0)
def default_value_that_survives(x):
    best = x * x
    for _ in range(3):
        if best < 1:
            best = best * x
        x = x + 1
    return best * x


@program("before", [2.0, 5.0, 3.0])
def largest_so_far(x):
    best = x[0]
    for value in x:
        if value > best:
            best = value
    return best * best
