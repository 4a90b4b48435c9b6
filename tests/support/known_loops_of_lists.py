"""Loops over known elements that fill and change lists."""

from support.known_loops import loop


@loop("staged")
def list_int_float(x):
    z = []
    z.append(1)
    for i in range(20):
        z.append(x[i])
    return z


@loop("staged")
def list_of_floats_that_become_f64(x):
    z = [0.0] * 4
    for i in range(20):
        z[i % 4] = z[i % 4] + x[i]
    return z


@loop("staged")
def list_of_ints_and_found_places(x):
    first, z = [-1] * 3, [float("inf")] * 3
    for i in range(20):
        if x[i] < z[i % 3]:
            z[i % 3] = x[i]
            first[i % 3] = i
    return first, z


@loop("staged")
def list_i_then_x(x):
    z = []
    for i in range(20):
        z.append(i)
        z.append(x[i])
    return z


@loop("staged")
def list_then_int(x):
    z = []
    for i in range(20):
        z.append(x[i])
    z.append(3)
    return z


@loop("unrolled")
def list_self(x):
    z = []
    s = x.copy()
    for i in range(20):
        z.append(s)
        s += 1
    return z


@loop("staged")
def lol(x):
    z = []
    for i in range(20):
        z.append([x[i], i])
    return z
