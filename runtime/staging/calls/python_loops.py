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


def called_with_each(function, items):
    """The results of a function for each item."""
    result = []
    for item in items:
        result.append(function(item))
    return result


def group_bounds(keys):
    """Where each group of equal keys that follow each other begins, and where it ends."""
    starts, ends = [], []
    for i in range(len(keys)):
        if i == 0 or not keys[i] == keys[starts[-1]]:  # noqa: SIM201
            if i > 0:
                ends.append(i)
            starts.append(i)
    if len(keys) > 0:
        ends.append(len(keys))
    return starts, ends


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


def accumulated_from_first(function, items):
    """The intermediate results of a fold, which begins with the first item if there is one."""
    result = []
    for item in items:
        value = function(value, item) if len(result) > 0 else item  # noqa: F821
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
