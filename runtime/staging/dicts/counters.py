"""The operators of counters, as Python that is converted.

`one` and `other` are counters, of which one is staged; `made` is a new one.
"""


def sums(one, other, made):
    """`one + other`"""
    for element, count in one.items():
        total = count + other[element]
        if total > 0:
            made[element] = total
    for element, count in other.items():
        if element not in one and count > 0:
            made[element] = count


def differences(one, other, made):
    """`one - other`"""
    for element, count in one.items():
        left = count - other[element]
        if left > 0:
            made[element] = left
    for element, count in other.items():
        if element not in one and count < 0:
            made[element] = 0 - count


def greater(one, other, made):
    """`one | other`"""
    for element, count in one.items():
        others = other[element]
        most = others if count < others else count
        if most > 0:
            made[element] = most
    for element, count in other.items():
        if element not in one and count > 0:
            made[element] = count


def lesser(one, other, made):
    """`one & other`"""
    for element, count in one.items():
        others = other[element]
        least = count if count < others else others
        if least > 0:
            made[element] = least


def added(items, pairs):
    """The first half of `items += pairs`."""
    for element, count in pairs:
        items[element] = items[element] + count


def kept_positive(items, pairs):
    """Removes the elements whose counts are not positive; `pairs` are all of them."""
    for element, count in pairs:
        if not count > 0:
            del items[element]


def same(one, other):
    """`one == other`"""
    found = True
    for element, count in one.items():
        if count != other[element]:
            found = False
    for element, count in other.items():
        if one[element] != count:
            found = False
    return found
