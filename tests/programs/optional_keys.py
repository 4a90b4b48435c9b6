"""Keys of dicts and sets that may be None, and lists that are empty before a loop adds to them."""

import numpy as np
from support.every_mode import Programs

PROGRAMS = Programs()
prog = PROGRAMS.program
N = np.int64


@prog(N(1), N(2))
@prog(N(2), N(3), name="way_back_without_an_end")
def way_back(n, m):
    came_from = {(n, n + 1): None, (n + 1, n): (n, n + 1)}
    cell, path = (m, n), []
    while cell is not None:
        path.append(cell)
        cell = came_from[cell]
    return path


@prog(N(2), N(3))
@prog(N(1), N(2), name="none_is_no_key")
@prog(N(5), N(5), name="tuple_is_no_key")
def read_at_a_tuple_or_none(n, m):
    found = {(n, n + 1): 5, (n + 1, n): 6}
    cell = None
    if m > 2:
        cell = (m, n)
    return found[cell]


@prog(N(1), N(3))
@prog(N(1), N(2), name="got_at_none")
def got_at_a_number_or_none(n, m):
    found = {n: 5, n + 1: 6}
    cell = None
    if m > 2:
        cell = m - 1
    return found.get(cell, 9), cell in found


@prog(N(2), N(3))
@prog(N(2), N(1), name="none_is_a_key")
def read_where_none_is_a_key(n, m):
    found = {(n, 1): 5, None: 6}
    cell = None
    if m > 2:
        cell = (m - 1, 1)
    return found[cell]


@prog(N(2), N(3))
@prog(N(2), N(1), name="written_at_none")
def written_at_a_tuple_or_none(n, m):
    found = {(n, 1): 5}
    cell = None
    if m > 2:
        cell = (m - 1, 1)
    found[cell] = 7
    return len(found), found.get((n, 1)), cell in found


@prog(N(1), N(6))
def seen_cells(n, m):
    seen, cell = set(), None
    for i in range(m):
        if i > n:
            cell = (i // 2, n)
        if cell in seen:
            break
        if cell is not None:
            seen.add(cell)
    return len(seen), i


@prog(N(1), N(6))
def numbered_cells(n, m):
    seen, cell = {}, None
    for i in range(m):
        if i > n:
            cell = (i, n)
        if cell in seen:
            break
        if cell is not None:
            seen[cell] = i
    return len(seen), i


@prog(N(2), N(3))
@prog(N(2), N(1), name="raised_with_none")
def raised_with_a_tuple_or_none(n, m):
    cell = None
    if m > 2:
        cell = (m, n)
    raise ValueError("no way from", cell)


@prog(N(3), N(1))
@prog(N(0), N(1), name="no_element_is_read")
def element_of_an_empty_list(n, k):
    z = []
    for _ in range(n):
        z.append(z[-k])
    return z


@prog(N(4), N(1))
def elements_that_an_iteration_repeats(n, k):
    z = []
    for i in range(n):
        for _ in range(i):
            z.append(z[-k])
        z.append(i)
    return z


@prog(N(5), N(2))
def element_before(n, k):
    z, total = [], 0
    for i in range(n):
        if i > 0:
            total += z[i - 1] + z[-1]
        z.append(total + i * k)
    return z, total


@prog(N(4), N(0))
def popped_from_an_empty_list(n, k):
    z = []
    return z.pop(k)


@prog(np.array([[0, 0, 1], [0, 2, 5], [2, 3, 7]]))
def unpacked_text(codes):
    text = []
    for offset, length, following in codes:
        for _ in range(length):
            text.append(text[-offset])
        text.append(following)
    return text
