"""`iter` and `next` of arrays and staged lists, in and outside of loops."""

import numpy as np
from support.every_mode import SIZES, STAGED, Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
A = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
E = np.array([])


def named(name, function):
    """The function as another program."""

    def called(x):
        return function(x)

    called.__name__ = name
    return called


@prog(A, refused=SIZES)
def zip_same(x):
    it = iter(x)
    return [(a, b) for a, b in zip(it, it)]


@prog(A, refused=STAGED)
def zip_same_enum(x):
    it = enumerate(x)
    return [(a, b) for a, b in zip(it, it)]


@prog(A, refused=STAGED)
def map_same(x):
    it = reversed(x)
    return list(map(lambda a, b: a + b, it, it))


@prog(A, refused=SIZES)
def zip_star_same(x):
    return [sum(g) for g in zip(*[iter(x)] * 2)]


@prog(A, refused=STAGED)
def zip_nested_same(x):
    it = reversed(x)
    return list(zip(it, enumerate(it)))


@prog(A)
def list_grows(x):
    z = [v for v in x if v > 1]
    it = iter(z)
    z.append(9.0)
    return list(it)


@prog(A)
def list_written(x):
    z = [v for v in x if v > 1]
    z.append(1.0)
    it = iter(z)
    z[0] = 100.0
    return list(it)


@prog(A)
def array_written(x):
    x = x * 2
    it = iter(x)
    x += 1
    return sum(it)


@prog(A)
def zip_grows(x):
    z = [v for v in x if v > 1]
    it = zip(z, z)
    z.append(9.0)
    return list(it)


@prog(A)
def enum_list_after(x):
    it = enumerate(x)
    a = list(it)
    return a, list(it)


@prog(A)
def iter_twice(x):
    it = iter(x)
    return sum(it), sum(it)


@prog(A)
def zip_iter_lists(x):
    z = [v for v in x if v > 1]
    return list(zip(iter(z), iter(z)))


@prog(A)
def iter_of_iter(x):
    it = iter(x)
    return list(iter(it)), list(it)


@prog(A)
def iter_is(x):
    it = iter(x)
    return iter(it) is it


@prog(A)
def next_all(x):
    it = iter(x)
    a = next(it, -1.0)
    b = next(it, -2.0)
    c = next(it, -3.0)
    return a, b, c, list(it), next(it, 9.0)


@prog(A)
def next_raises(x):
    it = iter(x)
    a = next(it)
    b = next(it)
    c = next(it)
    return a + b + c


@prog(A, refused=SIZES)
def next_caught(x):
    it = iter(x)
    try:
        a = next(it)
    except StopIteration:
        a = -5.0
    return a


@prog(A)
def next_enum_zip(x):
    it = enumerate(x)
    _ = next(it, None)
    return [(i, v, w) for (i, v), w in zip(it, x)]


@prog(A)
def next_rev(x):
    it = reversed(x)
    last = next(it, 0.0)
    t = last
    for v in it:
        t = t * 2 + v
    return t, list(it)


@prog(A)
def next_zip(x):
    it = zip(x, x * 2)
    next(it, None)
    return sum(a * b for a, b in it)


@prog(A)
def next_map(x):
    it = map(lambda v: v * 2, x)
    f = next(it, 0.0)
    return f, max(it, default=0.0)


@prog(A, refused=STAGED)
def next_after_loop(x):
    it = iter(x)
    for v in it:
        if v > 2:
            break
    return next(it, -1.0)


@prog(A, refused=SIZES)
def next_in_loop(x):
    it = iter(x)
    t = 0.0
    for i in range(len(x)):
        t = t * 2 + next(it)
    return t


@prog(A, refused=STAGED)
def next_in_if(x):
    it = iter(x)
    if x[0] > 5:
        next(it)
    return sum(it)


PROGRAMS.program(E)(named("next_all_of_none", next_all))
PROGRAMS.program(E)(named("next_raises_of_none", next_raises))
PROGRAMS.program(E)(named("next_rev_of_none", next_rev))
PROGRAMS.program(E)(named("enum_list_after_of_none", enum_list_after))
PROGRAMS.program(E)(named("next_enum_zip_of_none", next_enum_zip))
