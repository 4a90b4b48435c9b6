"""Programs of the truth table: branches, the side that is not chosen, second order, batches."""

import numpy as np

from truth.programs import program


@program("branches", -2.0)
def if_and_else(x):
    if x > 0:
        y = x * x
    else:
        y = np.exp(x)
    return y * x


@program("branches", 0.5)
def conditional_expression(x):
    return x * x if x < 1 else x


@program("branches", [1.0, -2.0, 4.0])
def branch_of_elements(x):
    total = 0.0
    for value in x:
        if value > 3:
            total = total + value
        elif value > 0:
            total = total + value * value
        else:
            total = total - value**3
    return total


@program("branches", 3.0)
def variable_of_one_branch(x):
    y = x
    if x > 1:
        z = x * x
        y = z * x
    return y


@program("branches", [3.0, -1.0])
def minimum_and_maximum(x):
    return max(x[0], x[1]) * min(x[0] * 2, x[1] * 3)


@program("branches", 2.0)
def both_conditions(x):
    return x * np.log(x) if x > 0 and np.log(x) > 0.5 else x


@program("not chosen", [4.0, 0.0], true=[0.25, 0.0])
def root_where_not_chosen(x):
    return np.sum(np.where(x > 0, np.sqrt(x), 0.0 * x))


@program("not chosen", [2.0, -1.0])
def logarithm_where_not_chosen(x):
    return np.sum(np.where(x > 0, np.log(x), x))


@program("not chosen", [2.0, 0.0], true=[-0.25, 0.0])
def quotient_where_not_chosen(x):
    return np.sum(np.where(x != 0, 1 / x, 0.0 * x))


@program("not chosen", 0.0, true=0.0)
def guarded_quotient(x):
    if x != 0:
        return np.sin(x) / x
    return 1.0 + 0.0 * x


@program("not chosen", [1.0, 0.0], true=[0.5, 1.0])
def power_where_not_chosen(x):
    return np.sum(np.where(x > 0.5, x**0.5, x))


@program("not chosen", [800.0, 1.0])
def overflow_where_not_chosen(x):
    return np.sum(np.where(x > 100, x, np.log(1 + np.exp(x))))


@program("not chosen", [2.0, -3.0])
def branch_that_would_fail(x):
    total = 0.0
    for value in x:
        if value > 0:
            total = total + np.sqrt(value)
        else:
            total = total + np.sqrt(-value) * value
    return total


@program("second order", 1.5, "second")
def second_of_a_power_loop(x):
    y = 1.0
    for _ in range(4):
        y = y * x
    return y


@program("second order", 0.9, "second")
def second_until_converged(x):
    y = 0.5
    while abs(y - np.cos(x * y)) > 1e-13:
        y = np.cos(x * y)
    return y


@program("second order", -1.2, "second")
def second_of_a_branch(x):
    if x > 0:
        return x**3
    return np.sin(x) * x


@program("second order", [2.0, -1.0], "second")
def second_where_not_chosen(x):
    return np.sum(np.where(x > 0, x * np.log(x), x**3))


@program("second order", [1.0, 2.0, 3.0], "second")
def second_of_a_break(x):
    product = 1.0
    for value in x:
        product = product * value * value
        if product > 3:
            break
    return product


@program("second order", [1.2, 0.8, 0.5], "second")
def second_of_writes(x):
    y = np.copy(x)
    for i in range(1, 3):
        y[i] = y[i - 1] * y[i] + y[i] ** 2
    return y[2]


@program("second order", [1.0, 2.0], "second")
def second_of_mixed_terms(x):
    return x[0] ** 2 * x[1] + np.exp(x[0] * x[1] / 4)


@program("batches", [9.0, 2.0, 0.5], "batch")
def batch_of_while(x):
    while x > 1:
        x = x * x / (x + 1)
    return x


@program("batches", [2.0, -2.0, 0.5], "batch")
def batch_of_branches(x):
    if x > 1:
        return x * x
    if x < 0:
        return np.sin(x)
    return x


@program("batches", [1.2, 2.0, 4.0], "batch")
def batch_of_breaks(x):
    y = x
    for _ in range(6):
        y = y * x
        if y > 9:
            break
    return y


@program("batches", [0.5, 2.0], "batch")
def batch_of_returns(x):
    for i in range(4):
        if x > 3:
            return x * i
        x = x * x + 1
    return x


@program("batches", [4.0, 0.0], "batch", true=[0.25, 0.0])
def batch_where_not_chosen(x):
    return np.sqrt(x) if x > 0 else 0.0 * x


@program("batches", [[1.0, 2.0], [3.0, 0.5]], "batch")
def batch_of_writes(x):
    y = np.copy(x)
    y[0] = y[1] * y[0]
    y[1] = y[0] * y[1]
    return y[1]


@program("batches", [[1.0, 2.0, 4.0], [3.0, -0.5, 7.0]], "batch")
def batch_of_loops_over_elements(x):
    total = 1.0
    for value in x:
        if value < 0:
            continue
        total = total * value
    return total
