"""Recursive functions that change globals, attributes, closures and arrays."""

import numpy as np

visited = []
calls = 0


def counted_calls(n):
    global calls
    calls += 1
    return calls if n <= 0 else counted_calls(n - 1)


def is_even(n, log):
    log.append("even")
    return True if n == 0 else is_odd(n - 1, log)


def is_odd(n, log):
    log.append("odd")
    return False if n == 0 else is_even(n - 1, log)


def mutual(n):
    log = []
    return is_even(n, log), log


def reversed_in_place(items, i, j):
    if i < j:
        items[i], items[j] = items[j], items[i]
        reversed_in_place(items, i + 1, j - 1)
    return items


def reversed_array(a, i):
    if i < len(a) // 2:
        a[i], a[-1 - i] = a[-1 - i], a[i]
        reversed_array(a, i + 1)
    return a


def fill(d, n):
    d[0] += n
    if n > 0:
        fill(d, n - 1)
    return d


def fill_squares(a, n):
    if n >= 0:
        fill_squares(a, n - 1)
        a[n] = n * n
    return a


def prefix_sums(a, n):
    if n > 0:
        prefix_sums(a, n - 1)
        a[n] += a[n - 1]
    return a


class Counter:
    def __init__(self):
        self.n, self.log = 0, []

    def down(self, n):
        self.n += n
        if n > 0:
            self.down(n - 1)
        return self.n

    def logged(self, n):
        self.log.append(n)
        return self.log if n <= 0 else self.logged(n - 2)


def counter_attribute(n):
    counter = Counter()
    return counter.down(n), counter.n


def counter_log(n):
    counter = Counter()
    return counter.logged(n), counter.log


def closure_counter(n):
    total, steps = 0, []

    def go(k):
        nonlocal total
        total += k
        steps.append(total)
        if k > 0:
            go(k - 1)

    go(n)
    return total, steps


def global_log(n):
    visited.append(n)
    if n > 0:
        global_log(n - 1)
    return len(visited)


def global_count(n):
    global calls
    calls = calls + n
    if n > 0:
        global_count(n - 1)
    return calls


def kwargs_recursion(n, **options):
    options[f"key{len(options)}"] = n
    return [options] if n == 0 else [options, *kwargs_recursion(n - 1, **options)]


def shared_default(n, found=None):
    found = [] if found is None else found
    found.append(n)
    return found if n == 0 else shared_default(n - 1, found)


def pairs(n):
    return None if n == 0 else (n, pairs(n - 1))


def linked(n):
    return {"value": n, "next": None if n == 0 else linked(n - 1)}


def pascal(n, rows):
    if n == 0:
        rows.append([1])
        return rows
    last = pascal(n - 1, rows)[-1]
    rows.append([1, *[a + b for a, b in zip(last, last[1:], strict=False)], 1])
    return rows


def gray(n):
    if n == 0:
        return [""]
    before = gray(n - 1)
    return ["0" + x for x in before] + ["1" + x for x in reversed(before)]


def partitions(n, largest, chosen, found):
    if n == 0:
        found.append(chosen[:])
    for part in range(min(n, largest), 0, -1):
        partitions(n - part, part, [*chosen, part], found)
    return found


def bisected(items, x, low, high, looked):
    looked.append((low, high))
    if low >= high:
        return low
    middle = (low + high) // 2
    if items[middle] < x:
        return bisected(items, x, middle + 1, high, looked)
    return bisected(items, x, low, middle, looked)


def binary_search(items, x):
    looked = []
    return bisected(items, x, 0, len(items), looked), looked


def closed(items, steps):
    before = len(items)
    for item in list(items):
        items.add(item * 2 % 11)
    return (sorted(items), steps) if len(items) == before else closed(items, steps + 1)


def try_again(values, n, log):
    try:
        log.append(values[n])
        return try_again(values, n + 1, log)
    except IndexError:
        log.append("end")
        return log
    finally:
        log.append(n)


def swapped(a, b, n):
    a.append(n)
    return (a, b) if n == 0 else swapped(b, a, n - 1)


def same_list_twice(a, b, n):
    a.append(n)
    b.append(-n)
    return a if n == 0 else same_list_twice(b, a, n - 1)


def through_a_same_list(n):
    items = []
    return same_list_twice(items, items, n), items


def minimum(a, low, high):
    if high - low == 1:
        return a[low]
    middle = (low + high) // 2
    return min(minimum(a, low, middle), minimum(a, middle, high))


def series(x, n):
    return 1.0 if n == 0 else 1.0 + x / n * series(x, n - 1)


def horner(coefficients, x, i):
    return 0 if i == len(coefficients) else coefficients[i] + x * horner(coefficients, x, i + 1)


KEYS = [5, 2, 8, 1, 9, 3, 7]

COUNTERS = {
    counted_calls: lambda: (7,),
    mutual: lambda: (5,),
    reversed_in_place: lambda: (list(KEYS), 0, 6),
    reversed_array: lambda: (np.arange(5.0), 0),
    fill: lambda: ({0: 0}, 4),
    fill_squares: lambda: (np.zeros(6), 4),
    prefix_sums: lambda: (np.arange(6.0), 5),
    counter_attribute: lambda: (4,),
    counter_log: lambda: (5,),
    closure_counter: lambda: (4,),
    global_log: lambda: (3,),
    global_count: lambda: (3,),
    kwargs_recursion: lambda: (3,),
    shared_default: lambda: (3,),
    pairs: lambda: (3,),
    linked: lambda: (3,),
    pascal: lambda: (4, []),
    gray: lambda: (3,),
    partitions: lambda: (5, 5, [], []),
    binary_search: lambda: ([1, 3, 5, 7, 9], 6),
    closed: lambda: ({1, 3}, 0),
    try_again: lambda: ([1, 2, 3], 0, []),
    swapped: lambda: ([], [1], 4),
    through_a_same_list: lambda: (3,),
    minimum: lambda: (np.array([4.0, 1.0, 3.0]), 0, 3),
    series: lambda: (0.5, 8),
    horner: lambda: ([1, 2, 3], 2, 0),
}


def reset():
    """Gives the globals that the functions change their first values."""
    global calls
    calls = 0
    visited.clear()
