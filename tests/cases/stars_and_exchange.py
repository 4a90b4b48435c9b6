"""Rows that change places, and a list of other lists' elements."""


def f(rows, n):
    rows = [list(row) for row in rows]
    rows[0], rows[n] = rows[n], rows[0]
    first, *others = rows[n]
    return [first, *rows[0], *others]


INPUTS = [([[1.0, 2.0], [3.0, 4.0]], 1)]


# == generated ==

def f(rows, n):
    rows = ag__.comprehension(lambda itr: [ag__.converted_call(list)(row) for row in itr], rows)
    ag__.indexed(rows)[0], ag__.indexed(rows)[n] = ag__.exchanged(ag__.indexed(rows)[n], ag__.indexed(rows)[0])
    first, others = ag__.unpacked(ag__.indexed(rows)[n], 1, 0)
    return ag__.extended(ag__.extended([first], ag__.indexed(rows)[0]), others)
