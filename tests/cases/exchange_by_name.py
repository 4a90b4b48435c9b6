"""Two items that change places by a name for one of them; the name of an index is no such name."""


def f(rows, i):
    rows = [list(row) for row in rows]
    row = rows[0]
    rows[0] = rows[i]
    rows[i] = row
    last = rows[i]
    rows[i] = rows[last[0]]
    rows[last[0]] = last
    return rows


INPUTS = [([[1, 2.0], [0, 4.0]], 1)]


# == generated ==

def f(rows, i):
    rows = ag__.comprehension(lambda itr: [ag__.converted_call(list)(row) for row in itr], rows)
    row = ag__.indexed(rows)[0]
    ag__.indexed(rows)[0], moved = ag__.exchanged(ag__.indexed(rows)[i], row)
    ag__.indexed(rows)[i] = moved
    del moved
    last = ag__.indexed(rows)[i]
    ag__.indexed(rows)[i] = ag__.indexed(rows)[last[0]]
    ag__.indexed(rows)[last[0]] = last
    return rows
