"""The methods of staged dicts and sets, as Python that is converted.

`keys` and `values` are lists, `at` is the index of a key: -1 if the key is not there.
"""


def read(values, at, key):
    """`d[key]`"""
    if at < 0:
        raise KeyError(key)
    return values[at]


def read_or(values, at, default):
    """`d.get(key, default)`"""
    return values[at] if at >= 0 else default


def write(keys, values, at, key, value):
    """`d[key] = value`"""
    if at >= 0:
        values[at] = value
    else:
        keys.append(key)
        values.append(value)


def make_missing(keys, values, at, key, make):
    """Adds a key that is not there, with a value that is made for it."""
    if at < 0:
        made = make()
        keys.append(key)
        values.append(made)


def check_there(at, key):
    """Raises `KeyError` for a key that is not there."""
    if at < 0:
        raise KeyError(key)


def remove_if_there(keys, at):
    """`s.discard(key)`"""
    if at >= 0:
        del keys[at]


def popped_or(keys, values, at, default):
    """`d.pop(key, default)`"""
    found = default
    if at >= 0:
        del keys[at]
        found = values.pop(at)
    return found


def add(keys, at, key):
    """`s.add(key)`"""
    if at < 0:
        keys.append(key)


def updated(items, pairs):
    """`d.update(pairs)`"""
    for key, value in pairs:
        items[key] = value


def all_given(items, keys, value):
    """`dict.fromkeys(keys, value)`"""
    for key in keys:
        items[key] = value


def counted(items, elements):
    """`Counter.update(elements)`"""
    for element in elements:
        items[element] = items.get(element, 0) + 1


def counts_added(items, pairs):
    """`Counter.update(d)`, which takes the counts as they are if there are none yet."""
    if len(items) > 0:
        for key, count in pairs:
            items[key] = count + items.get(key, 0)
    else:
        for key, count in pairs:
            items[key] = count


def counts_subtracted(items, pairs):
    """`Counter.subtract(d)`"""
    for key, count in pairs:
        items[key] = items.get(key, 0) - count


def pairs_of(keys, values):
    """`d.items()` as a list."""
    found = []
    for i in range(len(keys)):
        found.append((keys[i], values[i]))
    return found


def repeated(keys, values):
    """`list(Counter.elements())`"""
    found = []
    for i in range(len(keys)):
        for _ in range(values[i]):
            found.append(keys[i])
    return found


def same_items(one, other, held_value):
    """`d == e`; `held_value` looks a key up that is there, and makes none."""
    same = len(one) == len(other)
    for key, value in one.items():
        if same:
            same = key in other and bool(held_value(other, key) == value)
    return same


def has_item(items, key, value, held_value):
    """`(key, value) in d.items()`"""
    return bool(held_value(items, key) == value) if key in items else False


def all_in(elements, container):
    """Whether all elements are in a container."""
    found = True
    for element in elements:
        if element not in container:
            found = False
    return found


def any_in(elements, container):
    """Whether an element is in a container."""
    found = False
    for element in elements:
        if element in container:
            found = True
    return found


def added(items, elements):
    """`s |= elements`"""
    for element in elements:
        items.add(element)


def common(one, other, made):
    """Adds the elements that are in both sets: Python takes those of the smaller one."""
    if len(other) > len(one):
        for element in one:
            if element in other:
                made.add(element)
    else:
        for element in other:
            if element in one:
                made.add(element)


def kept(elements, container, made, wanted):
    """Adds the elements that are, or are not, in a container."""
    for element in elements:
        if (element in container) == wanted:
            made.add(element)


def text_of_items(keys, values):
    """The text of a dict."""
    return "{" + ", ".join([f"{keys[i]!r}: {values[i]!r}" for i in range(len(keys))]) + "}"


def text_of_ordered(keys, values, is_shown_as_dict):
    """The text of an `OrderedDict`: since Python 3.12 with that of a dict, before with pairs."""
    if is_shown_as_dict:
        inside = ", ".join([f"{keys[i]!r}: {values[i]!r}" for i in range(len(keys))])
        text = "OrderedDict({" + inside + "})"
    else:
        inside = ", ".join([f"({keys[i]!r}, {values[i]!r})" for i in range(len(keys))])
        text = "OrderedDict([" + inside + "])"
    return text if len(keys) > 0 else "OrderedDict()"


def text_of_default(factory, keys, values):
    """The text of a `defaultdict`."""
    inside = ", ".join([f"{keys[i]!r}: {values[i]!r}" for i in range(len(keys))])
    return f"defaultdict({factory}, " + "{" + inside + "})"


def text_of_elements(elements):
    """The text of a set."""
    inside = ", ".join([repr(element) for element in elements])
    return "{" + inside + "}" if len(elements) > 0 else "set()"


def text_of_counts(pairs):
    """The text of a `Counter`, given its elements with their counts, the most common first."""
    inside = ", ".join([f"{element!r}: {count!r}" for element, count in pairs])
    return "Counter({" + inside + "})" if len(pairs) > 0 else "Counter()"
