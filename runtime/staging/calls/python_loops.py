"""Functions that take iterables, as loops in Python that are converted (`iterables.py`)."""


def filtered(function, items):
    """The items for which a function holds."""
    result = []
    for item in items:
        if function(item):
            result.append(item)
    return result


def listed(items):
    """The items in a list."""
    result = []
    for item in items:
        result.append(item)
    return result


def listed_rows(rows):
    """The rows of an array as nested lists of Python scalars."""
    result = []
    for row in rows:
        result.append(row.tolist())
    return result


def reduced(function, items, value):
    """The items folded, from a value."""
    for item in items:
        value = function(value, item)
    return value


def reduced_from_first(function, items):
    """The items folded, from the first."""
    empty = True
    for item in items:
        value = item if empty else function(value, item)  # noqa: F821
        empty = False
    if empty:
        raise TypeError("reduce() of empty iterable with no initial value")
    return value


def accumulated(function, items, value):
    """The intermediate results of a fold."""
    result = [value]
    for item in items:
        value = function(value, item)
        result.append(value)
    return result


def any_items(items):
    """Whether an item is true."""
    for item in items:  # noqa: SIM110
        if item:
            return True
    return False


def all_items(items):
    """Whether all items are true."""
    for item in items:  # noqa: SIM110
        if not item:
            return False
    return True
