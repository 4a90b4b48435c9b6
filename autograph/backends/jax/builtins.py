"""Python's builtin functions, where an argument is staged.

range(n), zip(xs, ys), enumerate(xs), map(f, xs), reversed(xs)        what staged loops run over
len, min, max, sum, any, all, int, float, bool, list, tuple           their staged results
"""

import builtins
import functools
import itertools
import math
import operator
from collections import deque
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
from jax import lax

from autograph.backend import State
from autograph.backends.jax.abstract import NUMBERS, is_array
from autograph.backends.jax.branches import stage_if
from autograph.backends.jax.iteration import (
    Combined,
    StagedRange,
    has_one_kind,
    is_staged_iterable,
    iterations,
    reversed_,
)
from autograph.backends.jax.lists import GrowList
from autograph.backends.jax.maybe import present
from autograph.backends.jax.printing import print_
from autograph.backends.jax.tracers import Tracer, backend, is_staged
from autograph.constructs.for_ import for_stmt
from autograph.functions.calls import converted_call
from autograph.staging.errors import asked_for
from autograph.staging.lazy_elements import LazyElements


def _length(items: Any) -> Any:
    if isinstance(items, GrowList):
        return items.size()
    if isinstance(items, (StagedRange, Combined)):
        over, _ = iterations(items)
        return over.limit if over.trips is None else over.trips
    return builtins.len(items)


def _enumerate(items: Any, start: Any = 0) -> Combined:
    if not has_one_kind(items):
        return Combined(_pair, itertools.count(start), items)
    over, _ = iterations(items)
    if over.trips is not None and not is_staged(start):
        return Combined(_pair, range(start, start + over.trips), items)
    return Combined(lambda i, x: (start + i, x), itertools.count(0), items)


def _pair(*elements: Any) -> tuple:
    return elements


def _zip(*parts: Any, strict: bool = False) -> Combined:
    if strict:
        sizes = [_length(part) for part in parts]
        if any(map(is_staged, sizes)):
            raise asked_for("zip(strict=True) of iterables of which only a run knows the length")
        if len(set(sizes)) > 1:
            raise ValueError("zip() arguments have different lengths")
    return Combined(_pair, *parts)


def _map(function: Any, *parts: Any) -> Combined:
    return Combined(converted_call(function), *parts)


def _filter(function: Any, items: Any) -> GrowList:
    """The elements of which a function holds; all of them are tested at once."""
    holds = converted_call(bool if function is None else function)
    made = GrowList()

    def test(element):
        predicate = backend().truth(holds(element))
        if is_staged(predicate):
            add = functools.partial(made.append, element)
            stage_if(predicate, add, None, State((), None, None), (made,))
        elif predicate:
            made.append(element)

    items = collected(items)
    if is_staged_iterable(items):
        backend().for_each(items, test, made)
    else:
        for element in items:
            test(element)
    return made


def _extreme(relation: Callable) -> Callable:
    """`min` or `max`."""

    def extreme(*items: Any, key: Any = None, **named: Any) -> Any:
        if len(items) == 1:
            (found,) = items
            if isinstance(found, Tracer) and found.ndim == 1 and key is None and not named:
                return _whole(found, relation)
            items = tuple(_items(found))
        if named and not items:
            return named["default"]
        key_of = converted_call(key) if key is not None else lambda x: x
        best, *others = items
        for other in others:
            better = relation(key_of(other), key_of(best))
            best = _chosen(better, other, best)
        return best

    return extreme


def _whole(array: Any, relation: Callable) -> Any:
    """The first of the least (or greatest) elements, by Python's comparisons: `nan` compares
    false."""
    best = array[0]
    if not jnp.issubdtype(array.dtype, jnp.floating):
        return (jnp.min if relation is operator.lt else jnp.max)(array)

    def step(best, x):
        return jnp.where(relation(x, best), x, best), None

    return lax.scan(step, best, array[1:])[0]


def _chosen(better: Any, other: Any, best: Any) -> Any:
    if not is_staged(better):
        return other if better else best
    if all(type(one) in NUMBERS or is_array(one) for one in (other, best)):
        return jnp.where(better, other, best)
    return backend().if_expr(better, lambda: other, lambda: best)


def _items(items: Any) -> list:
    """The elements of an iterable, whose number is known."""
    items = collected(items)
    if isinstance(items, GrowList):
        return items.known()
    if isinstance(items, (StagedRange, Combined)):
        over, _ = iterations(items)
        if over.trips is None:
            raise asked_for("the elements of an iterable are needed, whose number only a run knows")
    return list(items)


def collected(items: Any) -> Any:
    """The elements of a generator expression as a list; other iterables unchanged."""
    if not isinstance(items, LazyElements):
        return items
    result = GrowList(items.known())
    items.rest(result)
    return result


def _list(items: Any = ()) -> GrowList:
    items = collected(items)
    made = GrowList()
    if isinstance(items, GrowList):
        made.put(items.contents())
        return made
    if not is_staged_iterable(items):
        return GrowList(items)
    backend().for_each(items, made.append, made)
    return made


def _deque(items: Any = (), maxlen: int | None = None) -> deque:
    return deque(_items(items), maxlen)


def folded(items: Any, start: Any, combine: Callable) -> Any:
    """`combine` applied to a result so far and each element, in a staged loop."""
    result = start

    def get_state():
        return (result,)

    def set_state(values):
        nonlocal result
        (result,) = values

    def body(element):
        nonlocal result
        result = combine(result, element)

    for_stmt(items, body, get_state, set_state, ("result",))
    return result


def _sum(items: Any, start: Any = 0) -> Any:
    items = collected(items)
    if isinstance(items, GrowList) and items.held is None:
        return functools.reduce(operator.add, items.known(), start)
    if isinstance(items, Tracer):
        return start + jnp.sum(items, 0, dtype=(0 + items[0]).dtype)
    return folded(items, start, operator.add)


def _any(items: Any) -> Any:
    return _quantified(items, False, lambda found, x: backend().or_(found, lambda: x), jnp.any)


def _all(items: Any) -> Any:
    return _quantified(items, True, lambda found, x: backend().and_(found, lambda: x), jnp.all)


def _quantified(items: Any, start: bool, combine: Callable, whole: Callable) -> Any:
    if isinstance(items, LazyElements):
        for element in items.known():
            if not is_staged(element) and bool(element) is not start:
                return not start
        rest = items.rest()
        return start if rest is None else backend().truth(rest)
    if isinstance(items, Tracer) and items.ndim == 1:
        return whole(items != 0)
    found: Any = start
    for element in _items(items):
        found = backend().truth(combine(found, element))
    return found


def _number(kind: type) -> Callable:
    def number(x: Any = 0, *others: Any) -> Any:
        x = present(x)
        if not is_staged(x):
            return kind(x, *others)
        if kind is bool:
            return backend().truth(x)
        if x.size != 1:
            raise TypeError("only arrays with one element can be converted to Python scalars")
        x = x.reshape(())
        if kind is int and jnp.issubdtype(x.dtype, jnp.floating):
            x = jnp.trunc(x)
        return lax.convert_element_type(x, kind)

    return number


def _iter(items: Any) -> Any:
    if isinstance(items, (GrowList, Tracer)):
        return builtins.iter(_items(items))
    raise asked_for("an iterator over elements whose number only a run knows")


def _isinstance(value: Any, kinds: Any) -> bool:
    return builtins.isinstance(present(value), kinds)


def _staged_argument(function: Callable, staged: Callable) -> Callable:
    """`function`, or `staged` where an argument is staged."""

    @functools.wraps(function, updated=())
    def called(*args: Any, **kwargs: Any) -> Any:
        args = tuple(map(present, args))
        chosen = staged if any(map(_concerns, args)) else function
        return chosen(*args, **kwargs)

    return called


def _concerns(argument: Any) -> bool:
    return is_staged_iterable(argument) or isinstance(argument, (LazyElements, GrowList))


def _among_items(function: Callable, staged: Callable) -> Callable:
    """As `_staged_argument`; a staged item of a list or tuple counts, too."""

    @functools.wraps(function, updated=())
    def called(*args: Any, **kwargs: Any) -> Any:
        args = tuple(map(present, args))
        inside = args[0] if len(args) == 1 and type(args[0]) in (list, tuple, GrowList) else ()
        held = () if isinstance(inside, GrowList) and inside.held is not None else inside
        found = any(map(_concerns, args)) or any(map(is_staged, held))
        return (staged if found else function)(*args, **kwargs)

    return called


REPLACED: dict[Callable, Callable] = {
    range: _staged_argument(range, StagedRange),
    len: _staged_argument(len, _length),
    zip: _staged_argument(zip, _zip),
    enumerate: _staged_argument(enumerate, _enumerate),
    map: _staged_argument(map, _map),
    filter: _staged_argument(filter, _filter),
    reversed: _staged_argument(reversed, reversed_),
    iter: _staged_argument(iter, _iter),
    sum: _among_items(sum, _sum),
    min: _among_items(min, _extreme(operator.lt)),
    max: _among_items(max, _extreme(operator.gt)),
    any: _among_items(any, _any),
    all: _among_items(all, _all),
    list: _list,
    tuple: _staged_argument(tuple, lambda items=(): tuple(_items(items))),
    deque: _staged_argument(deque, _deque),
    int: _staged_argument(int, _number(int)),
    float: _staged_argument(float, _number(float)),
    complex: _staged_argument(complex, _number(complex)),
    bool: _staged_argument(bool, _number(bool)),
    isinstance: _isinstance,
    print: print_,
    math.floor: _staged_argument(math.floor, lambda x: lax.convert_element_type(jnp.floor(x), int)),
    math.ceil: _staged_argument(math.ceil, lambda x: lax.convert_element_type(jnp.ceil(x), int)),
}
_OF_MATH = ("sqrt", "exp", "log", "sin", "cos", "tan", "tanh", "isnan", "isinf", "isfinite")
for _name in _OF_MATH:
    _function = getattr(math, _name)
    REPLACED[_function] = _staged_argument(_function, getattr(jnp, _name))
