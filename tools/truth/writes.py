"""Programs of the truth table: writes, aliases and views."""

import numpy as np

from truth.programs import program


@program("writes", [2.0, 3.0, 5.0])
def write_of_an_element(x):
    y = np.copy(x)
    y[0] = y[1] * y[2]
    return np.sum(y * y)


@program("writes", [2.0, 3.0, 5.0])
def overwritten_after_use(x):
    y = np.copy(x)
    before = y[0] * 1.0
    y[0] = y[1]
    return before * y[0] * y[2]


@program("writes", [2.0, 3.0, 5.0])
def recurrence_in_an_array(x):
    y = np.copy(x)
    for i in range(1, 3):
        y[i] = y[i - 1] * y[i]
    return np.sum(y)


@program("writes", [2.0, 3.0, 5.0])
def write_of_a_slice(x):
    y = np.copy(x)
    y[1:] = y[1:] * x[0]
    return np.sum(y * x)


@program("writes", [2.0, 3.0, 5.0])
def write_that_overlaps(x):
    y = np.copy(x)
    y[1:] += y[:-1]
    return y[1] * y[2]


@program("writes", [2.0, 3.0, 5.0])
def write_of_itself(x):
    y = np.copy(x)
    y *= y
    y *= y
    return np.sum(y)


@program("writes", [2.0, 3.0])
def swap_of_elements(x):
    y = np.copy(x)
    y[0], y[1] = y[1] * 1.0, y[0] * 1.0
    return y[0] ** 2 * y[1]


@program("writes", [0.5, 2.0, 3.0])
def write_of_a_mask(x):
    y = np.copy(x)
    y[x > 1] = x[x > 1] ** 2
    return np.sum(y * x)


@program("writes", [2.0, 3.0, 5.0])
def write_in_a_branch(x):
    y = np.copy(x)
    if x[0] > 1:
        y[0] = y[1] * y[1]
    return np.sum(y * y)


@program("writes", [2.0, 3.0, 5.0])
def write_until_large(x):
    y = np.copy(x)
    while np.sum(y) < 100:
        y[0] = y[0] * y[1]
    return np.sum(y * x)


@program("writes", [2.0, 3.0])
def write_of_a_constant(x):
    y = np.copy(x)
    y[0] = 7.0
    return y[0] * y[1] * x[0]


@program("writes", [1.0, 2.0, 3.0])
def filled_array(x):
    y = np.zeros_like(x)
    for i in range(3):
        y[2 - i] = x[i] * (i + 1)
    return np.sum(y * x)


@program("writes", [[1.0, 2.0], [3.0, 4.0]])
def write_of_a_row(x):
    y = np.copy(x)
    y[0] = y[1] * y[0]
    return np.sum(y[0] * y[1])


@program("aliases", [2.0, 3.0])
def alias_sees_the_write(x):
    y = np.copy(x)
    z = y
    z[0] = y[1] * y[1]
    return y[0] * x[0]


@program("aliases", [2.0, 3.0])
def addition_in_place_through_an_alias(x):
    y = np.copy(x)
    z = y
    y += x
    return np.sum(z * z)


@program("aliases", [2.0, 3.0, 5.0])
def view_sees_the_write(x):
    y = np.copy(x)
    view = y[:2]
    y[0] = x[2] ** 2
    return np.sum(view * view)


@program("aliases", [2.0, 3.0, 5.0])
def write_through_a_view(x):
    y = np.copy(x)
    view = y[1:]
    view[0] = view[1] * x[0]
    return np.sum(y * y)


@program("aliases", [2.0, 3.0, 5.0])
def write_through_a_view_of_a_view(x):
    y = np.copy(x)
    y[1:][1:][0] = x[0] ** 3
    return np.sum(y * x)


@program("aliases", [[1.0, 2.0], [3.0, 4.0]])
def write_through_a_transposed_view(x):
    y = np.copy(x)
    y.T[0, 1] = x[0, 0] * x[1, 1]
    return np.sum(y * y)


@program("aliases", [[1.0, 2.0], [3.0, 4.0]])
def write_through_a_reshaped_view(x):
    y = np.copy(x)
    flat = y.reshape(4)
    flat[3] = flat[0] * flat[1]
    return np.sum(y * y)


@program("aliases", [[1.0, 2.0], [3.0, 4.0]])
def swap_of_rows_that_are_views(x):
    y = np.copy(x)
    y[0], y[1] = y[1], y[0]  # the row that is read second has been written by then
    return np.sum(y[0] * x[0] + y[1] * x[1])


@program("aliases", [2.0, 3.0])
def function_that_writes_its_argument(x):
    def doubled(values):
        values[0] = values[0] * values[1]

    y = np.copy(x)
    doubled(y)
    doubled(y)
    return y[0]


@program("aliases", [2.0, 3.0])
def array_twice_in_a_list(x):
    y = np.copy(x)
    both = [y, y]
    both[0][0] = x[1] ** 2
    return np.sum(both[1] * x)


@program("aliases", [2.0, 3.0])
def alias_in_a_loop(x):
    y = np.copy(x)
    z = y
    for _ in range(3):
        z[0] = z[0] * z[1]
        y = z
    return np.sum(y)


@program("aliases", [2.0, 3.0])
def alias_of_one_branch(x):
    y, z = np.copy(x), np.copy(x)
    w = y if x[0] > 1 else z
    w[0] = x[1] ** 2
    return np.sum(y * z)
