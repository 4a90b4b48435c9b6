"""Loops over arrays, and loops that a run ends, with the number of times that JAX traces their bodies."""

import jax.numpy as jnp

import autograph

XS = jnp.array([1.0, -2.0, 3.0, 0.5])


def total(xs):
    result = 0.0
    for x in xs:
        result += x * x
    return result


def totals(xs):
    first, second = 0.0, 0
    for x in xs:
        first += x
        second = second + first
    return first, second


def nested(xs):
    result = 0.0
    for x in xs:
        for y in xs:
            if y > x:
                result += x * y
    return result


def following(xs):
    a, b = 0.0, 0.0
    for x in xs:
        b = 2 * a
        a = a + x
    return a, b


def made_alike(xs):
    a, b = 0.0, 0.0
    for x in xs:
        b = jnp.zeros_like(a)
        a = a + x
    return a, b


def counted(xs):
    n, result = 0, 0.0
    for x in xs:
        n += 1
        result += x * n
    return n, result


def listed(xs):
    result, found = 0.0, []
    for x in xs:
        found.append(result)
        result += x
    return jnp.stack(found), result


def squares(xs):
    found = []
    for x in xs:
        found.append(x * x)
    return jnp.stack(found)


def some_squares(xs):
    found = []
    for x in xs:
        if x > 0:
            found.append(x * x)
    return len(found)


def last_of(xs):
    found = []
    for x in xs:
        found.append(x)
        x = found[-1]
    return x, jnp.stack(found)


def narrow(xs):
    result, y = 0.0, jnp.float32(0.0)
    for x in xs.astype(jnp.bfloat16):
        y = x * result
        result = result + 0.1 * x.astype(jnp.float32)
    return result, y


def narrow_counts(xs):
    n, seen = 100, jnp.int32(0)
    for x in xs.astype(jnp.int8):
        seen = n * x
        n = n + jnp.int32(1)
    return n, seen


def first_above(xs):
    for x in xs:
        if x > 2:
            return x * 2
    return -1.0


def doubled(x):
    while x < 100:
        x = x * 2
        if x > 50:
            return x
    return -x


def found_twice(xs):
    for x in xs:
        for y in xs:
            if x + y > 3:
                return y
        if x < -1:
            return x
    return 0.0


def root(x):
    y = x
    while True:
        new = 0.5 * (y + x / y)
        is_done = jnp.abs(new - y) <= 1e-5
        y = new
        if is_done:
            break
    return y


def root_of_int(x):
    y = jnp.int32(1)
    while True:
        y = 0.5 * (y + x / y)
        if jnp.abs(y * y - x) <= 1e-4:
            break
    return y


def unrolled(x):
    i = 0
    while True:
        if i >= 3:
            break
        x = x * (i + 1)
        i += 1
    return x, i


def left_by_python(x):
    is_first = True
    while True:
        x = x + 1
        if not is_first:
            break
        is_first = False
    return x


def counted_until(x):
    n = 0
    while True:
        n += 1
        x = x / 2
        if x < 1:
            break
    return n, x


class Counter:
    def __init__(self):
        self.count = 0


def counted_in_object(x):
    counter = Counter()
    while True:
        counter.count += 1
        x = x / 2
        if x < 1:
            break
    return counter.count, x


def returned_from(x):
    while True:
        x = x * 2
        if x > 50:
            return x
        if x < -50:
            return -x


def bounded_root(x):
    y = x
    while True:
        autograph.set_loop_options(max_iterations=9)
        new = 0.5 * (y + x / y)
        y, step = new, y - new
        if jnp.abs(step) <= 1e-5:
            break
    return y


def largest(xs):
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best


def products_of_neighbours(xs):
    previous, found = None, []
    for x in xs:
        found.append(0.0 if previous is None else x * previous)
        previous = x
    return jnp.stack(found)


def steps_of_pairs(xs):
    state, count = None, 0
    for x, y in zip(xs, xs[::-1], strict=True):
        if state is None:
            state = {"sum": x, "pair": (x, y)}
        else:
            state = {"sum": state["sum"] + y, "pair": (y, state["pair"][0])}
        count += 1
    return state, count


def one_of_two(xs):
    first, last = None, None
    for x in xs:
        first = x if first is None else first
        if x > 2:
            last = x
    return first, -1.0 if last is None else last


def sums_in_object(xs):
    counter, previous = Counter(), None
    for x in xs:
        if previous is not None:
            counter.count += x * previous
        previous = x
    return counter.count


def recurrent(xs):
    h = None
    for x in xs:
        h = jnp.zeros(2) if h is None else jnp.tanh(h + x)
    return h


def none_again(xs):
    previous, total = None, 0.0
    for x in xs:
        if previous is not None:
            total += previous
        previous = x
        previous = None
    return total


PROGRAMS = {
    largest: (XS, 2),
    products_of_neighbours: (XS, None),
    steps_of_pairs: (XS, None),
    one_of_two: (XS, None),
    sums_in_object: (XS, None),
    recurrent: (XS, 2),
    none_again: (XS, None),
    root: (2.0, 1),
    root_of_int: (2.0, None),
    unrolled: (2.0, None),
    left_by_python: (2.0, None),
    counted_until: (9.0, 1),
    counted_in_object: (9.0, None),
    returned_from: (3.0, 1),
    bounded_root: (2.0, None),
    total: (XS, 1),
    totals: (XS, None),
    nested: (XS, 2),
    following: (XS, 2),
    made_alike: (XS, 2),
    counted: (XS, 1),
    listed: (XS, 2),
    squares: (XS, 1),
    some_squares: (XS, None),
    last_of: (XS, None),
    narrow: (XS, None),
    narrow_counts: (XS, None),
    first_above: (XS, 1),
    doubled: (3.0, 1),
    found_twice: (XS, None),
}
