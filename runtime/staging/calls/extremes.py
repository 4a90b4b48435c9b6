"""Python's `max` and `min` of staged values, of staged iterables, and by keys that may be staged.

max(x, key=f)           the element at `list_max_place(map(f, x))`
max(a, b)               a if not b > a else b, as staged branches
"""

import functools

from autograph.constructs.compare import compare
from autograph.constructs.ternary import if_expr
from autograph.functions.calls import converted_call
from autograph.staging.block_functions import itself
from autograph.staging.lazy_elements import LazyElements
from runtime.staging.calls.iterables import NOTHING, as_list, has_staged, mapped
from runtime.staging.calls.registry import register_call
from runtime.staging.calls.sorting import with_keys
from runtime.staging.generators import consumed_list, in_any_order
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing.tensor import is_staged


def _extreme(plain):
    """The replacement of `max` or `min`."""
    name = plain.__name__

    def extreme(*values, key=None, default=NOTHING):
        options = {} if default is NOTHING else {"default": default}
        if not values:
            return plain(key=key, **options)  # which raises the error of Python
        if len(values) == 1 and key is None:
            values = (in_any_order(values[0]),)
        values = consumed_list(values[0]) if len(values) == 1 else values
        if isinstance(values, LazyElements):
            return _of_lazy(values, plain, key, default)
        grown = as_list(values)
        if grown is not None:
            return _of_grown(grown, name, key, default)
        if hasattr(type(values), "__next__"):
            values = list(values)
        if key is None and (not has_staged(values) or not len(values)):
            return plain(values, **options)
        known, keys = with_keys(values, key or itself)
        if known and is_staged(tuple(keys)):
            return _of_known(known, plain, keys)
        if not known:
            return plain((), **options)
        return known[plain(range(len(known)), key=keys.__getitem__)]

    return extreme


def _of_grown(items, name, key, default):
    def found():
        if key is None:
            return items.queried(name)
        return items[mapped(key, items).queried(f"{name}_place")]

    return found() if default is NOTHING else if_expr(items.length() > 0, found, lambda: default)


def _of_known(values, plain, keys):
    best, *others = zip(keys, values, strict=True)
    for new in others:
        best = _better(plain, best, new)
    return best[1]


def _of_lazy(items, plain, key, default):
    """The extreme of the elements of a generator expression, taken one by one."""
    best = ()
    for value in items.known():
        new = value if key is None else converted_call(key)(value), value
        best = _better(plain, best, new) if best else new
    rest = items.rest(TraceList(best[1:]))
    if rest is not None:
        return _of_grown(rest, plain.__name__, key, default)
    if best:
        return best[1]
    return plain(()) if default is NOTHING else default


def _better(plain, best, new):
    better = compare(new[0], ">" if plain is max else "<", best[0])
    return if_expr(better, functools.partial(itself, new), functools.partial(itself, best))


register_call(max, _extreme(max))
register_call(min, _extreme(min))
