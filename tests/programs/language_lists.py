"""Programs with lists that grow while they are staged, and with tuples in them; see
`programs.py`."""

import numpy as np
from numpy import array
from numpy import float64 as f64
from numpy import int64 as i64
from programs import program

ARRAYS = [(array([]),), (array([1.5]),), (array([3.0, -1.0, 2.25, -1.0]),)]
FILLED = ARRAYS[1:]
COUNTS = [(i64(0),), (i64(1),), (i64(5),)]
MORE = COUNTS[1:]


@program(*ARRAYS, staged=ARRAYS)
def grown_pairs(xs):
    pairs = []
    for i, x in enumerate(xs):
        if x > 0:
            pairs.append((i, x))
    total = 0.0
    for i, x in pairs:
        total = total + i * x
    return pairs, total, len(pairs)


@program(*FILLED, staged=FILLED)
def grown_pairs_by_index(xs):
    pairs = [(x, (i, x > 0)) for i, x in enumerate(xs) if x > -2]
    first, (place, positive) = pairs[0]
    pairs[0] = (first + 1, (place, not positive))
    last = pairs.pop()
    return pairs, last, first


@program(*COUNTS, staged=COUNTS)
def grown_with_names(n):
    rows = []
    for i in range(n):
        rows.append((f"row {i}", i * 0.5))
    return [name for name, value in rows if value > 0.7], rows


@program(*MORE, staged=MORE)
def grown_and_inserted(n):
    z = []
    for i in range(n):
        z.append(i)
    z.insert(0, 10)
    z.insert(-1, 20)
    z.insert(n, 30)
    return z, z.index(20), z.count(0)


@program(*MORE, staged=MORE)
def grown_and_removed(n):
    z = [i % 3 for i in range(n)]
    z.remove(0)
    return z


@program(*COUNTS, staged=COUNTS)
def grown_and_not_there(n):
    z = [i for i in range(n)]
    return z.index(3)


@program(*COUNTS, staged=COUNTS)
def grown_and_turned(n):
    z = [i for i in range(n)]
    w = z.copy()
    z.reverse()
    w.append(n)
    return z, w, z == w, z != w, z == z.copy()


@program(*COUNTS, staged=COUNTS)
def grown_and_cleared(n):
    z = [i for i in range(n)]
    z.clear()
    z.append(1)
    return z


@program(*COUNTS, staged=COUNTS)
def grown_and_added(n):
    z = [i for i in range(n)]
    w = z + [7, 8]
    z += w
    z.extend([9])
    return z, w, [1] + z, z * 2, 2 * w


@program(*MORE, staged=MORE)
def grown_and_sliced(n):
    z = [i * i for i in range(2 * n)]
    return z[1:], z[:-1], z[::2], z[n:], z[-1], z[:n][0], z[::-1]


@program(*MORE, staged=MORE)
def grown_and_deleted(n):
    z = [i for i in range(n + 2)]
    del z[0]
    del z[-1:]
    return z


@program(*COUNTS, staged=COUNTS)
def grown_and_searched(n):
    z = [2 * i for i in range(n)]
    return 4 in z, n in z, 3 not in z, n not in [1, 5]


@program(*COUNTS, staged=COUNTS)
def grown_as_a_stack(n):
    stack, order = [n], []
    while stack:
        top = stack.pop()
        order.append(top)
        if top > 1:
            stack.append(top // 2)
            stack.append(top - 2)
    return order


@program(*COUNTS, staged=COUNTS)
def grown_as_a_queue(n):
    queue, seen = [n], []
    while len(queue) > 0:
        first = queue.pop(0)
        if first not in seen:
            seen.append(first)
            if first > 0:
                queue.append(first - 1)
    return seen


@program(*COUNTS, staged=COUNTS)
def grown_in_two_loops(n):
    z = []
    for i in range(n):
        z.append(i)
    for i in range(n):
        z[i] = z[i] * 10 + len(z)
    return z, sum(z), max(z, default=-1)


@program(*ARRAYS, staged=ARRAYS)
def grown_and_stacked(xs):
    z = [x * 2 for x in xs if x > 0]
    return np.array(z), np.asarray([x for x in xs])


@program(*FILLED, staged=FILLED)
def grown_rows(xs):
    rows = []
    for i in range(len(xs)):
        if xs[i] > 0:
            rows.append(xs * xs[i])
    return np.array(rows), rows[0], len(rows)


@program(*FILLED, staged=FILLED)
def grown_rows_are_the_same_arrays(xs):
    row = xs + 0
    rows = []
    for x in xs:
        if x > 0:
            rows.append(row)
    row[0] = 5.0
    return row


@program(*ARRAYS, staged=ARRAYS)
def grown_with_a_break(xs):
    z = []
    for x in xs:
        if x < 0:
            break
        z.append(x)
    else:
        z.append(f64(0.25))
    return z


@program(*COUNTS, staged=COUNTS)
def made_in_branches(n):
    if n > 3:
        z = [n, n + 1]
    elif n > 0:
        z = [n]
    else:
        z = [7, 8, 9]
    z.append(0)
    return z, len(z)


@program(*COUNTS, staged=COUNTS)
def returned_from_branches(n):
    if n == 0:
        return [1]
    if n == 1:
        return [n, 2.5]
    return [n * i for i in range(n)]


@program(*COUNTS, staged=COUNTS)
def chosen_lists(n):
    z = [n, 1] if n > 0 else [0]
    return z, [len(z), n]


@program(*ARRAYS, staged=ARRAYS)
def split_in_two(xs):
    low, high = [], []
    for x in xs:
        if x < 2:
            low.append(x)
        else:
            high.append(x)
    return low, high, low + high, len(low) - len(high)


@program(*COUNTS, staged=COUNTS)
def truth_of_a_grown_list(n):
    z = [i for i in range(n) if i % 2]
    if z:
        return z[-1]
    if not z and n > 0:
        return -2
    return -1


@program(*FILLED, staged=FILLED)
def insertion_sort_of_a_list(xs):
    done = []
    for x in xs:
        place = 0
        while place < len(done) and done[place] < x:
            place = place + 1
        done.insert(place, x)
    return done


@program(*FILLED, staged=FILLED)
def insertion_sort_in_an_array(xs):
    for i in range(1, len(xs)):
        j = i
        while j > 0 and xs[j - 1] > xs[j]:
            xs[j - 1], xs[j] = xs[j], xs[j - 1]
            j = j - 1
    return xs


@program(*COUNTS, staged=COUNTS)
def primes_by_a_list(n):
    primes = []
    for i in range(2, 4 * n):
        if all(i % p != 0 for p in primes):
            primes.append(i)
    return primes


@program(*COUNTS, staged=COUNTS)
def runs_of_a_sequence(n):
    value, path = n + 5, []
    while value != 1:
        path.append(value)
        value = value // 2 if value % 2 == 0 else 3 * value + 1
    return path, max(path), sum(path)


@program(*ARRAYS, staged=ARRAYS)
def grown_in_a_method(xs):
    class Log:
        def __init__(self):
            self.items = []

        def add(self, x):
            if x > 0:
                self.items.append(x)
            return self

    log = Log()
    for x in xs:
        log.add(x)
    return log.items, len(log.items)


@program(*COUNTS, staged=COUNTS)
def grown_lists_as_elements(n):
    z = [i for i in range(n)]
    both = (z, [n])
    both[0].append(n)
    return both, z


@program(*COUNTS, staged=COUNTS)
def equal_lists(n):
    z = [i for i in range(n)]
    if z == [0, 1, 2, 3, 4]:
        return "five"
    return "none" if z == [] else "other"


@program(*FILLED, staged=FILLED)
def ranges_beside_arrays(xs):
    ys = np.zeros((2, len(xs)))
    ys[0, :] = range(len(xs))
    return ys + range(len(xs)), np.add(xs, range(len(xs))), xs == range(len(xs))


@program(*FILLED, staged=FILLED)
def grown_and_joined(xs):
    rows = []
    for x in xs:
        if x > 0:
            rows.append(np.array([x, -x]))
    print(np.concatenate(rows), np.vstack(rows), np.hstack(rows))
    return np.stack(rows), np.stack(rows, axis=-1), np.column_stack(rows)


@program(*FILLED, staged=FILLED)
def grown_from_parts_of_different_lengths(xs):
    parts = []
    i = 0
    while i < len(xs):
        parts.append(xs[:i])
        parts.append(xs[i:] * 2)
        i += 1
    return np.concatenate(parts)


@program(*FILLED, staged=FILLED)
def grown_from_numbers_and_stacked(xs):
    return np.stack([x for x in xs if x > 0]), np.hstack([2 * x for x in xs if x > 1])


@program(*FILLED, staged=FILLED)
def grown_through_the_methods_of_the_class(xs):
    z = []
    for x in xs:
        if x > 0:
            list.append(z, x)
    list.insert(z, 0, f64(2.0))
    return z, "%s and %d" % (z, len(z)), type(z) is list


# -- variables bound to other lists ----------------------------------------------------------------


@program(*FILLED, staged=FILLED)
def bound_anew_in_a_loop(xs):
    parameters = [xs, 2.0, np.zeros((2, 2))]
    for x in xs:
        parameters = [p * 0.5 + x for p in parameters]
    return parameters[0], parameters[1:], len(parameters)


@program(*FILLED, staged=FILLED)
def bound_anew_inside_a_tuple(xs):
    state = ([xs, xs[0]], 0)
    for x in xs:
        (vector, number), count = state
        if x > 1:
            state = [vector * 2, number + x], count + 1
    return state


@program(*FILLED, staged=FILLED)
def of_lists_bound_anew(xs):
    rows = [[xs, xs[:1]], [xs[0], 1.0]]
    while np.sum(rows[0][0]) < 100:
        rows = [[item * 2 + 1 for item in row] for row in rows]
    return rows


@program(*FILLED, staged=FILLED)
def bound_anew_in_a_branch(xs):
    pair = [xs, xs[0]]
    if xs[0] > 0:
        pair = [item * 2 for item in pair]
    else:
        pair = [item - 1 for item in pair]
    own = list(pair)
    own.append(3.0)
    return pair, own
